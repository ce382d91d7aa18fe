/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a job in Slurm what the journal promised. It enters nothing into the ledger:
 * recover.c reads the corrected records afterwards. */
#include "plugins/ctld/kinds/recover.h"

#include <stdio.h>
#include <string.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/needs.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/observe/finish.h"
#include "plugins/ctld/observe/outcome.h"
#include "plugins/ctld/post/letters.h"

/* The journal's records of one job and its components. */
struct redo {
	uint32_t ids[RSPB_MAX_PARTS], n;
	enum rspb_job_phase phase;
	bool launched;		       /* and waits, as Slurm has it */
	struct rspb_contract promised; /* of the first */
};

/* Whether all components are as the first: in the same phase, with a promise in the same
 * state. A write that was cut may hold the promises of some components only. Nothing was
 * announced then, so the promises of the others do not count either. */
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

/* Whether a pending job may have asked again since Slurm saved it: it had been declined, or
 * its booking had been released. */
static bool asked_again(const struct rspb_job *job, const struct rspb_contract *contract)
{
	return job->phase == RSPB_JOB_PENDING &&
	       (contract->state == RSPB_DECLINED || contract->state == RSPB_CANCELLED);
}

/* Print the contract that a job gets by its promise. A job that was launched counts as booked until
 * it is launched again. */
static void text_by_promise(const struct redo *redo, const struct rspb_promise *promise,
			    char text[RSPB_CONTRACT_TEXT])
{
	struct rspb_contract contract;

	snprintf(text, RSPB_CONTRACT_TEXT, "%s", promise->contract);
	if (!redo->launched || rspb_contract_parse(promise->contract, &contract, NULL))
		return;
	contract.state = RSPB_BOOKED;
	rspb_contract_print(&contract, text, RSPB_CONTRACT_TEXT);
}

/* Whether Slurm's record of a job differs from its promise and may be older. A final state in
 * Slurm was saved later than the promise, unless the job has asked again since. */
static bool differs(const struct redo *redo, uint32_t id)
{
	const struct rspb_promise *promise = rspb_promise_find(id);
	char text[RSPB_CONTRACT_TEXT];
	struct rspb_contract contract;
	struct rspb_job job;

	if (!promise || !rspb_contract_read(id, &job, &contract) ||
	    (rspb_state_final(contract.state) &&
	     (!asked_again(&job, &contract) || rspb_state_final(redo->promised.state))))
		return false;
	text_by_promise(redo, promise, text);
	return strcmp(job.contract, text) != 0;
}

/* The state of a job by its promise, with what that points to. */
struct fitted {
	struct rspb_job_wanted wanted;
	struct rspb_job_size size;
	struct rspb_needs needs;
	char partition[RSPB_PARTITIONS_TEXT], text[RSPB_CONTRACT_TEXT];
};

/* Find the changes that the owner had made to the job together with its booking. If Slurm refuses
 * one, the others are still made, because the owner was told that all of them count. */
static void fit(const struct rspb_job *job, const struct rspb_promise *promise,
		const struct rspb_contract *contract, struct fitted *out)
{
	struct rspb_job_wanted *wanted = &out->wanted;

	if (promise->limit != job->limit)
		wanted->limit = promise->limit;
	wanted->limit_end = contract->end;
	if (job->phase != RSPB_JOB_PENDING)
		return;
	wanted->partition = rspb_contract_partition(job, contract, out->partition);
	wanted->had_features = true;
	if (!rspb_promise_asks(promise, job->features))
		wanted->features = promise->features ? promise->features : "";
	rspb_contract_size(contract, &out->size);
	/* The promise says what the job had by then, the contract what it had before it was
	 * fitted. */
	out->size.tasks = promise->tasks;
	out->size.cpus = promise->cpus;
	if (!contract->terms.share &&
	    (out->size.tasks != job->tasks || out->size.cpus != job->cpus))
		wanted->size = &out->size;
	if (promise->needs && rspb_needs_parse(promise->needs, &out->needs))
		wanted->needs = &out->needs;
}

/* Take the nodes from a running job that its owner had released. Another booking may have
 * them by now. A failure is logged, and the job keeps the nodes. */
static void shrink(uint32_t id, const char *names)
{
	struct rspb_nodeset *nodes = rspb_nodeset_create(rspb_node_width());
	struct rspb_err err = { "out of memory" };

	if (!nodes || rspb_node_parse(names, nodes, &err) || rspb_job_shrink(id, nodes, &err))
		rspb_log_error("job %u: %s", id, err.text);
	rspb_nodeset_destroy(nodes);
}

/* RET the promised nodes by name if the job has whole nodes; NULL: shares, or no nodes. */
static const char *nodes_of(const struct rspb_promise *promise,
			    const struct rspb_contract *contract)
{
	const char *names = rspb_promise_nodes(promise, contract->on);

	return !contract->terms.share && *names ? names : NULL;
}

/* Write the promised contracts into Slurm's records. The reservations follow when the book
 * exists (recover.c). Until then pending jobs are in the waiting room. If Slurm saves a
 * job there and crashes again, the next start does not mistake it for a job that was taken
 * out. */
static void make_so(const struct redo *redo)
{
	struct rspb_contract contract, before;
	struct rspb_job job;
	struct rspb_err err;

	for (uint32_t i = 0; i < redo->n; i++) {
		const struct rspb_promise *promise = rspb_promise_find(redo->ids[i]);
		struct fitted to = { .wanted = { .contract = to.text } };

		bool there = rspb_contract_read(redo->ids[i], &job, &before);
		bool again = there && asked_again(&job, &before);
		int64_t since = 0;

		/* OnDecline may have held it when it was declined. */
		to.wanted.released = again;
		if (!rspb_job_find(redo->ids[i], &job) ||
		    rspb_contract_parse(promise->contract, &contract, NULL))
			continue;
		/* A change is new to its owner if no notice since then is known. */
		if (there && !again && before.state != RSPB_REQUESTED)
			since = promise->at;
		fit(&job, promise, &contract, &to);
		if (job.phase == RSPB_JOB_RUNNING && nodes_of(promise, &contract))
			shrink(job.id, nodes_of(promise, &contract));
		if (redo->phase == RSPB_JOB_PENDING)
			to.wanted.reservation = RSPB_WAITING_ROOM;
		if (contract.state == RSPB_REQUESTED)
			rspb_contract_reopen(&contract, &to.wanted);
		text_by_promise(redo, promise, to.text);
		if (rspb_job_make_so(job.id, &to.wanted, &err))
			rspb_log_error("%s", err.text);
		/* The crash may have come between the decision, or a change, and the notice of
		 * it. */
		if (there && rspb_job_find(job.id, &job))
			rspb_letters_again(&job, &before, since);
	}
	rspb_log_info("job %u: Slurm's record is older than its booking, request or change; the "
		      "promise counts: %s",
		      redo->ids[0], rspb_promise_find(redo->ids[0])->contract);
}

/* A write that was cut may have the end of the first component only. The lines of all
 * components were handed over together, so the others ended with it. */
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

/* End a job again whose end or cancellation Slurm has lost. If Slurm believes that it runs,
 * its node has finished it, and another booking may have the rest of its time slot. */
static void end(uint32_t id, const struct rspb_promise *promise)
{
	struct rspb_contract contract;
	struct rspb_err err;
	const char *state;

	if (rspb_contract_parse(promise->contract, &contract, NULL))
		return;
	/* The journal may have the end of the job before that of its booking. */
	state = rspb_state_final(contract.state) ? rspb_state_name(contract.state) : "ended";
	rspb_log_info("job %u: Slurm had lost its end (%s); it is ended again", id, state);
	/* The promise of another component has the nodes and the charge of that component. */
	if (promise->key == id)
		rspb_job_make_so(id, &(struct rspb_job_wanted){ .contract = promise->contract },
				 NULL);
	if (rspb_job_end(id, RSPB_JOB_CANCEL, state, &err))
		rspb_log_error("%s", err.text);
}

/* Whether Slurm's records of a job and its components say exactly what was promised. */
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
	       rspb_durable_outdated(promise, asks ? RSPB_DURABLE_REQUESTED : RSPB_DURABLE_BOOKED,
				     job->contract);
}

/* Promise what Slurm has of a job and its components if the journal has lost its later lines.
 * If the record of one component is later than its promise, the records of all count. RET
 * whether that is so. */
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
		/* A promise with the same text would not be written again, and could stay
		 * doubted. */
		rspb_promise_drop(job.id);
		rspb_contract_promise(job.id, job.contract, NULL, NULL);
	}
	return true;
}

void rspb_redo_record(const struct rspb_job *job)
{
	const struct rspb_promise *promise = rspb_contract_promised(job);

	if (!promise || !job->contract || !strcmp(job->contract, promise->contract) ||
	    is_outdated(job, promise))
		return;
	rspb_log_info("job %u is over; Slurm's record is older than its contract, which counts: %s",
		      job->id, promise->contract);
	rspb_job_make_so(job->id,
			 &(struct rspb_job_wanted){ .contract = promise->contract,
						    .accounted = true },
			 NULL);
}

/* RET what was done with jobs that have no booking, as their contract says why. */
static enum rspb_on_decline rule_of(const struct rspb_contract *contract,
				    const struct rspb_config *config)
{
	static const char *const regular[] = { RSPB_END_RELEASED, RSPB_END_MOVED };

	for (size_t i = 0; i < sizeof(regular) / sizeof(regular[0]); i++)
		if (!strncmp(contract->reason, regular[i], strlen(regular[i])))
			return RSPB_DECLINE_ORDINARY;
	return rspb_refuse_rule(contract, config);
}

/* Do once more what was done with pending jobs that were declined, or lost their booking. Their
 * contracts are taken from the journal, with charges and all else. */
static void refuse_again(const struct redo *redo, const struct rspb_config *config)
{
	for (uint32_t i = 0; i < redo->n; i++) {
		struct rspb_job_wanted promised = { .contract = NULL };
		struct rspb_contract before;
		struct rspb_job job;

		if (!rspb_contract_read(redo->ids[i], &job, &before))
			continue;
		promised.contract = rspb_promise_find(job.id)->contract;
		rspb_job_make_so(job.id, &promised, NULL);
		if (!i && rspb_letters_wanted(&job) && rspb_job_find(redo->ids[i], &job))
			rspb_letters_contract(&job, &before);
		/* The job is again as it was before an offer that it did not get. */
		rspb_was_restore(redo->ids[i], &before);
	}
	rspb_refuse_jobs(redo->ids, redo->n, redo->promised.state, redo->promised.reason,
			 rule_of(&redo->promised, config));
}

bool rspb_job_redo(const struct rspb_job *job, const struct rspb_config *config)
{
	const struct rspb_promise *promise;
	struct redo redo;
	bool other = false, waits;

	/* A journal that lost its end must not undo what Slurm has saved since then. */
	if (!job->component && keep_record(job))
		return false;
	/* Each component is ended at its own visit; all other promises are applied with the
	 * first. */
	promise = rspb_redo_end(job);
	if (promise) {
		end(job->id, promise);
		return true;
	}
	promise = rspb_contract_promised(job);
	if (!promise || job->component || stands(job, promise) || !collect(promise, &redo))
		return false;
	waits = redo.phase == RSPB_JOB_PENDING;
	/* The old slurmctld had started it, and Slurm has its record from before that
	 * start. */
	redo.launched = waits && redo.promised.state == RSPB_ACTIVE;
	for (uint32_t i = 0; i < redo.n && !other; i++)
		other = differs(&redo, redo.ids[i]);
	if (!other)
		return false;
	/* All other pairs of states leave Slurm's record alone. */
	if (redo.launched || redo.promised.state == (waits ? RSPB_BOOKED : RSPB_ACTIVE) ||
	    (waits && redo.promised.state == RSPB_REQUESTED))
		make_so(&redo);
	else if (waits && rspb_state_final(redo.promised.state))
		refuse_again(&redo, config);
	else
		return false;
	return true;
}
