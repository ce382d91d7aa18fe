/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the nodes of a booked job for its owner if Slurm has lost the job. The job itself
 * cannot be made again: its script is gone. */
#include "plugins/ctld/kinds/recover.h"

#include <stdio.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/mirror/contract.h"

/* Whether a job that Slurm does not have was lost, and is not merely forgotten. Slurm keeps a
 * job that is over for MinJobAge, and an end that we saw is in the journal. If Slurm's file
 * was written within MinJobAge after our last look, the job was lost. If a damaged line
 * follows the promise and the file is later, that line was its end. */
static bool was_lost(const struct rspb_promise *promise)
{
	int64_t age = rspb_slurm_conf().job_age;

	return (!age || rspb_durable_lost(age)) &&
	       !(promise->doubted && rspb_durable_outdated(promise, RSPB_DURABLE_NOTHING, NULL));
}

/* Reserve the promised nodes for the owner of a lost job, and say so in the log and in the
 * text of the reservation. If Slurm refuses, the promise stays, and the next start tries
 * again. */
static void make(const struct rspb_promise *promise, const char *name,
		 const struct rspb_contract *contract, int64_t now)
{
	char user[16], text[RSPB_CONTRACT_TEXT];
	struct rspb_contract without = *contract;
	struct rspb_resv_spec spec = {
		.name = name,
		.create = true,
		.user = user,
		.nodes = rspb_promise_nodes(promise, contract->on),
		.tag = text,
		.start = contract->start > now ? contract->start : now,
		.end = contract->end,
	};
	struct rspb_err err;

	/* The reservation names its nodes itself. */
	without.on[0] = '\0';
	snprintf(user, sizeof(user), "%u", promise->user);
	snprintf(without.reason, sizeof(without.reason),
		 "Slurm has lost job %u; its nodes are kept: submit the job again with "
		 "--reservation=%s",
		 (unsigned int) promise->key, name);
	rspb_contract_print(&without, text, sizeof(text));
	if (rspb_resv_make_so(&spec, &err))
		rspb_log_error("job %u of uid %u was booked and is lost, and its nodes cannot be "
			       "kept: %s",
			       (unsigned int) promise->key, promise->user, err.text);
	else
		rspb_log_error("job %u of uid %u was booked, and Slurm has "
			       "lost it; its nodes are kept for its owner in "
			       "reservation %s",
			       (unsigned int) promise->key, promise->user, name);
}

/* The name of the reservation that is kept for a job. */
enum { NAME = 32 };

static void name_of(uint64_t job, char name[NAME])
{
	snprintf(name, NAME, "kept_%u", (unsigned int) job);
}

bool rspb_lost_keep(const struct rspb_promise *promise, int64_t now)
{
	struct rspb_contract contract;
	struct rspb_resv resv;
	char name[NAME];

	if (rspb_contract_parse(promise->contract, &contract, NULL) ||
	    rspb_state_final(contract.state))
		return false;
	/* A request held no nodes, and a time slot that is over needs none. */
	if (contract.state == RSPB_REQUESTED || contract.end <= now)
		return true;
	name_of(promise->key, name);
	/* An earlier start of slurmctld has made it already. */
	if (rspb_resv_find(name, now, &resv))
		return false;
	if (!was_lost(promise)) {
		rspb_log_info("job %u was booked and no longer exists: it ended while bookings "
			      "were switched off, or its end is lost",
			      (unsigned int) promise->key);
		return true;
	}
	if (!*rspb_promise_nodes(promise, contract.on)) {
		rspb_log_error("job %u of uid %u was booked (%.400s), and "
			       "Slurm has lost it",
			       (unsigned int) promise->key, promise->user, promise->contract);
		return true;
	}
	contract.terms.book = true;
	make(promise, name, &contract, now);
	return false;
}

/* Whether a job has lost its script. Only the first of several components has one, and Slurm
 * fails that component alone: the others would wait for ever. */
static bool is_scriptless(const struct rspb_job *job)
{
	struct rspb_job first;

	return job->scriptless || (job->component && job->phase == RSPB_JOB_PENDING &&
				   rspb_job_find(job->leader, &first) && first.scriptless);
}

bool rspb_lost_script(const struct rspb_job *job, int64_t now)
{
	const struct rspb_promise *promise = rspb_contract_promised(job);
	struct rspb_contract contract;
	struct rspb_resv resv;
	char name[NAME];
	bool kept;

	if ((promise && promise->ended) || !is_scriptless(job))
		return false;
	name_of(job->id, name);
	kept = promise && !rspb_lost_keep(promise, now) && rspb_resv_find(name, now, &resv) &&
	       !rspb_contract_parse(job->contract, &contract, NULL);
	/* Without its script the job can never start, also if the journal does not know it
	 * any more. */
	if (job->phase == RSPB_JOB_PENDING)
		rspb_job_end(job->id, RSPB_JOB_CANCEL, "its first component is lost", NULL);
	if (!kept)
		return false;
	contract.state = RSPB_CANCELLED;
	snprintf(contract.reason, sizeof(contract.reason),
		 "Slurm has lost its script; its nodes are kept: submit the job again with "
		 "--reservation=%s",
		 name);
	rspb_contract_write(job->id, &contract, NULL);
	return true;
}
