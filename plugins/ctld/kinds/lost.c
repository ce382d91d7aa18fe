/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the nodes of a booked job that Slurm has lost for its owner. The job is not
 * made again. */
#include "plugins/ctld/kinds/lost.h"

#include <stdio.h>
#include <string.h>

#include "common/wire/flags.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/record/durable.h"

/*
 * Slurm keeps a job that is over for MinJobAge, and if it was over while we looked, the
 * journal says so. If Slurm's file was written sooner than that after we had looked last,
 * a job that it does not have was not forgotten but lost. If it was written after the job
 * was booked, the job is over, and the journal's line of that is damaged.
 */
static bool was_lost(const struct rspb_promise *promise)
{
	int64_t age = rspb_ctld_job_age();

	return (!age || rspb_durable_lost(age)) &&
	       !(promise->doubted && rspb_durable_outdated(promise, RSPB_DURABLE_NOTHING));
}

static void make(const struct rspb_promise *promise, const char *name,
		 const struct rspb_contract *contract, int64_t now)
{
	char user[16], text[RSPB_CONTRACT_TEXT];
	struct rspb_contract without = *contract;
	struct rspb_resv_spec spec = {
		.name = name,
		.user = user,
		.nodes = rspb_promise_nodes(promise, contract->on),
		.tag = text,
		.start = contract->start > now ? contract->start : now,
		.end = contract->end,
	};
	struct rspb_err err;

	without.on[0] = '\0';
	snprintf(user, sizeof(user), "%u", promise->user);
	snprintf(without.reason, sizeof(without.reason),
		 "Slurm has lost job %u; its nodes are kept: submit the job again with "
		 "--reservation=%s",
		 (unsigned int) promise->key, name);
	rspb_contract_print(&without, text, sizeof(text));
	if (rspb_resv_create(&spec, &err))
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
	if (contract.state == RSPB_REQUESTED || contract.end <= now)
		return true;
	name_of(promise->key, name);
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
	contract.flags.book = true;
	make(promise, name, &contract, now);
	return false;
}

/* Only the first of several components has a script, and Slurm fails only that one. */
static bool is_scriptless(const struct rspb_job *job)
{
	struct rspb_job first;

	return rspb_job_scriptless(job) ||
	       (job->component && job->phase == RSPB_JOB_PENDING &&
		rspb_job_find(job->leader, &first) && rspb_job_scriptless(&first));
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
	/* Also where the journal knows nothing of it any more. */
	if (job->phase == RSPB_JOB_PENDING)
		rspb_job_cancel(job->id, "its first component is lost", NULL);
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
