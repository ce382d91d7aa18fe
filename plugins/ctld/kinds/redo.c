/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a job in Slurm what the journal says it was promised. It books nothing:
 * recover.c reads it then. */
#include "plugins/ctld/kinds/redo.h"

#include <string.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/needs.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/observe/refuse.h"
#include "plugins/ctld/post/letters.h"
#include "plugins/ctld/record/durable.h"

/* The journal's records of one job and its components. */
struct redo {
	uint32_t ids[RSPB_MAX_PARTS], n;
	enum rspb_job_phase phase;
	bool launched;		       /* and waits, as Slurm has it */
	struct rspb_contract promised; /* of the first */
};

/* Whether all components are as the first: pending or running, with a promise in
 * that state. One write may have been cut in the middle of them, and then nobody
 * was told. */
static bool collect(const struct rspb_promise *first, struct redo *redo)
{
	struct rspb_job job;

	if (!rspb_job_find((uint32_t) first->key, &job) || job.leader != job.id ||
	    rspb_contract_promised(&job) != first ||
	    rspb_contract_parse(first->contract, &redo->promised, NULL))
		return false;
	redo->n = rspb_job_components(&job, redo->ids, RSPB_MAX_PARTS);
	redo->phase = job.phase;
	if (redo->n > RSPB_MAX_PARTS || redo->phase == RSPB_JOB_DONE)
		return false;
	for (uint32_t i = 0; i < redo->n; i++) {
		const struct rspb_promise *promise;

		if (!rspb_job_find(redo->ids[i], &job) || job.phase != redo->phase)
			return false;
		promise = rspb_contract_promised(&job);
		if (!promise || !rspb_contract_says(promise->contract, redo->promised.state))
			return false;
	}
	return true;
}

/* Whether a job that waits may have asked again since Slurm saved it: it had been
 * declined, or had given its booking back. */
static bool asked_again(const struct rspb_job *job, const struct rspb_contract *contract)
{
	return job->phase == RSPB_JOB_PENDING &&
	       (contract->state == RSPB_DECLINED || contract->state == RSPB_CANCELLED);
}

/* Whether Slurm's record of one is other than promised, and not over: that was
 * saved later. */
static bool differs(uint32_t id)
{
	const struct rspb_promise *promise = rspb_promise_find(id);
	struct rspb_contract contract;
	struct rspb_job job;

	return promise && rspb_contract_read(id, &job, &contract) &&
	       (!rspb_state_final(contract.state) ||
		(asked_again(&job, &contract) &&
		 (rspb_contract_says(promise->contract, RSPB_BOOKED) ||
		  rspb_contract_says(promise->contract, RSPB_REQUESTED)))) &&
	       strcmp(job.contract, promise->contract);
}

/* Whether Slurm has one that waits, and was launched, from before it was booked where it
 * was launched: it was moved in the second of its start, as a node was lost, or its record
 * is older. */
static bool launched_elsewhere(uint32_t id)
{
	const struct rspb_promise *promise = rspb_promise_find(id);
	struct rspb_contract was, is;
	struct rspb_job job;

	if (!promise || !rspb_contract_read(id, &job, &was) ||
	    rspb_contract_parse(promise->contract, &is, NULL))
		return false;
	return was.state == RSPB_REQUESTED || asked_again(&job, &was) ||
	       (was.state == RSPB_BOOKED && strcmp(was.on, is.on) != 0);
}

/* Apply the changes that its owner had made to the job together with its booking. */
static void fit(const struct rspb_job *job, const struct rspb_promise *promise,
		const struct rspb_contract *contract)
{
	struct rspb_job_size size = {
		.nodes_min = contract->nodes_least ? contract->nodes_least : contract->nodes_asked,
		.nodes_max = contract->nodes_asked,
		.tasks = promise->tasks,
		.cpus = promise->cpus,
	};
	struct rspb_needs needs;
	struct rspb_err err;

	if (job->phase == RSPB_JOB_PENDING && rspb_contract_enter(job->id, contract, &err))
		rspb_log_error("%s", err.text);
	if (promise->limit && promise->limit != job->limit &&
	    rspb_job_set_limit(job->id, promise->limit, contract->end, &err))
		rspb_log_error("%s", err.text);
	if (job->phase == RSPB_JOB_PENDING && !rspb_promise_asks(promise, job->features) &&
	    rspb_job_restore_features(job->id, promise->features, &err))
		rspb_log_error("%s", err.text);
	if (job->phase == RSPB_JOB_PENDING && !contract->flags.share &&
	    (size.tasks != job->tasks || size.cpus != job->cpus))
		rspb_job_unshape(job->id, &size, NULL);
	if (job->phase == RSPB_JOB_PENDING && promise->needs &&
	    rspb_needs_parse(promise->needs, &needs) && rspb_needs_set(job->id, &needs, &err))
		rspb_log_error("%s", err.text);
}

/* Shrink a running job that had given nodes back. */
static void shrink(uint32_t id, const char *names)
{
	struct rspb_nodeset *nodes = rspb_nodeset_create(rspb_node_width());
	struct rspb_err err = { "out of memory" };

	if (!nodes || rspb_node_parse(names, nodes, &err) || rspb_job_shrink(id, nodes, &err))
		rspb_log_error("job %u: %s", id, err.text);
	rspb_nodeset_destroy(nodes);
}

/* RET whole nodes, by name, NULL: it has none. */
static const char *nodes_of(const struct rspb_promise *promise,
			    const struct rspb_contract *contract)
{
	const char *names = rspb_promise_nodes(promise, contract->on);

	return !contract->flags.share && *names ? names : NULL;
}

/* Their reservations follow when the book is there (recover.c). Those that wait are
 * in the waiting room until then, so that one that Slurm saves in between is known
 * from one that was taken out of it. */
static void make_so(const struct redo *redo)
{
	struct rspb_contract contract, before;
	char booked[RSPB_CONTRACT_TEXT];
	struct rspb_job job;
	struct rspb_err err;

	for (uint32_t i = 0; i < redo->n; i++) {
		const struct rspb_promise *promise = rspb_promise_find(redo->ids[i]);

		bool there = rspb_contract_read(redo->ids[i], &job, &before);
		bool again = there && asked_again(&job, &before);
		bool untold = there && (again || before.state == RSPB_REQUESTED);

		if (again)
			rspb_job_unhold(job.id, NULL);
		if (!rspb_job_find(redo->ids[i], &job) ||
		    rspb_contract_parse(promise->contract, &contract, NULL))
			continue;
		fit(&job, promise, &contract);
		if (job.phase == RSPB_JOB_RUNNING && nodes_of(promise, &contract))
			shrink(job.id, nodes_of(promise, &contract));
		if (redo->phase == RSPB_JOB_PENDING &&
		    rspb_job_attach(job.id, RSPB_WAITING_ROOM, 0, &err))
			rspb_log_error("%s", err.text);
		if (contract.state == RSPB_REQUESTED)
			rspb_contract_reopen(job.id, &contract);
		/* A job that was launched counts as booked until it is launched again. */
		contract.state = RSPB_BOOKED;
		rspb_contract_print(&contract, booked, sizeof(booked));
		rspb_job_set_contract(job.id, redo->launched ? booked : promise->contract, NULL);
		if (untold && rspb_job_find(job.id, &job))
			rspb_letters_again(&job, &before);
	}
	rspb_log_info("job %u: Slurm's record is older than its booking, request or change; the "
		      "promise counts: %s",
		      redo->ids[0], rspb_promise_find(redo->ids[0])->contract);
}

/* A write that was cut may have the end of the first component alone: the others ended with
 * it. */
const struct rspb_promise *rspb_redo_end(const struct rspb_job *job)
{
	const struct rspb_promise *promise = rspb_contract_promised(job);
	struct rspb_contract contract;
	struct rspb_job first;

	if (promise && promise->ended)
		return promise;
	if (!promise || !job->component || !rspb_job_find(job->leader, &first))
		return NULL;
	promise = rspb_contract_promised(&first);
	return promise && promise->ended &&
			       !rspb_contract_parse(promise->contract, &contract, NULL) &&
			       rspb_state_final(contract.state)
		       ? promise
		       : NULL;
}

/* Its end, or its cancellation, may have been lost. Of one that Slurm believes to run
 * its node was done, and what it left of its window may be another's by now. */
static void end(uint32_t id, const struct rspb_promise *promise)
{
	struct rspb_contract contract;
	struct rspb_err err;
	const char *state;

	if (rspb_contract_parse(promise->contract, &contract, NULL))
		return;
	state = rspb_state_final(contract.state) ? rspb_state_name(contract.state) : "ended";
	rspb_log_info("job %u: Slurm had lost its end (%s); it is ended again", id, state);
	if (promise->key == id)
		rspb_job_set_contract(id, promise->contract, NULL);
	if (rspb_job_cancel(id, state, &err))
		rspb_log_error("%s", err.text);
}

/* Whether Slurm has of a job and its components what was promised, to the letter. */
static bool stands(const struct rspb_job *leader, const struct rspb_promise *first)
{
	uint32_t ids[RSPB_MAX_PARTS], n;
	struct rspb_job job = *leader;

	n = rspb_job_components(leader, ids, RSPB_MAX_PARTS);
	for (uint32_t i = 0; i < n && i < RSPB_MAX_PARTS; i++) {
		const struct rspb_promise *promise = first;

		if (i &&
		    (!rspb_job_find(ids[i], &job) || !(promise = rspb_contract_promised(&job))))
			return false;
		if (!job.contract || strcmp(job.contract, promise->contract))
			return false;
	}
	return true;
}

/* Whether Slurm's record of a job is later than what the journal says of it. */
static bool is_outdated(const struct rspb_job *job, const struct rspb_promise *promise)
{
	bool same = job->contract && !strcmp(job->contract, promise->contract);
	bool asks = !promise->ended && rspb_contract_says(job->contract, RSPB_REQUESTED);

	return (promise->ended || !same) &&
	       rspb_durable_outdated(promise, asks ? RSPB_DURABLE_REQUESTED : RSPB_DURABLE_BOOKED);
}

/* Promise what Slurm has of a job and its components. RET whether it is later than what
 * the journal says of one of them. */
static bool keep_record(const struct rspb_job *leader)
{
	uint32_t ids[RSPB_MAX_PARTS], n, i;
	struct rspb_job job;

	n = rspb_job_components(leader, ids, RSPB_MAX_PARTS);
	n = n < RSPB_MAX_PARTS ? n : RSPB_MAX_PARTS;
	for (i = 0; i < n; i++) {
		const struct rspb_promise *promise;

		if (rspb_job_find(ids[i], &job) && job.contract &&
		    (promise = rspb_contract_promised(&job)) && is_outdated(&job, promise))
			break;
	}
	if (i == n)
		return false;
	rspb_log_info("job %u: the journal has lost what followed \"%s\"; Slurm's record counts: "
		      "%s",
		      ids[i], rspb_promise_find(ids[i])->contract, job.contract);
	for (i = 0; i < n; i++) {
		if (!rspb_job_find(ids[i], &job) || !job.contract)
			continue;
		rspb_promise_drop(job.id);
		rspb_contract_promise(job.id, job.contract, NULL, NULL);
	}
	return true;
}

bool rspb_job_redo(const struct rspb_job *job, const struct rspb_config *config)
{
	const struct rspb_promise *promise;
	struct redo redo;
	bool other = false, waits;

	if (!job->component && keep_record(job))
		return false;
	promise = rspb_redo_end(job);
	if (promise) {
		end(job->id, promise);
		return true;
	}
	promise = rspb_contract_promised(job);
	if (!promise || job->component || stands(job, promise) || !collect(promise, &redo))
		return false;
	waits = redo.phase == RSPB_JOB_PENDING;
	redo.launched = waits && redo.promised.state == RSPB_ACTIVE;
	for (uint32_t i = 0; i < redo.n && !other; i++)
		other = redo.launched ? launched_elsewhere(redo.ids[i]) : differs(redo.ids[i]);
	if (!other)
		return false;
	if (redo.launched || redo.promised.state == (waits ? RSPB_BOOKED : RSPB_ACTIVE) ||
	    (waits && redo.promised.state == RSPB_REQUESTED))
		make_so(&redo);
	else if (waits && rspb_state_final(redo.promised.state))
		rspb_refuse_jobs(redo.ids, redo.n, redo.promised.state, redo.promised.reason,
				 config->on_decline);
	else
		return false;
	return true;
}
