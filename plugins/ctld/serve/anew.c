/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets a job without a booking request another one. The next batch decides the request; nothing is
 * booked here. */
#include "plugins/ctld/serve/owners.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/mirror.h"
#include "plugins/ctld/observe/finish.h"
#include "plugins/ctld/request/part.h"

/* Read a job and its contract if the requester may have it decided again. The job must be pending
 * and without a booking, and the caller its owner or an operator. The id of a component that is not
 * the first is refused. The caller holds at least the read lock. */
static bool read_asked(const struct rspb_work *work, struct rspb_job *job,
		       struct rspb_contract *contract)
{
	uint32_t id = (uint32_t) work->inquiry.job;

	return rspb_contract_read(id, job, contract) && job->phase == RSPB_JOB_PENDING &&
	       job->leader == id &&
	       (contract->state == RSPB_DECLINED || contract->state == RSPB_CANCELLED ||
		contract->state == RSPB_REQUESTED) &&
	       (job->uid == work->who.uid || work->who.privileged);
}

bool rspb_anew_is(const struct rspb_work *work)
{
	struct rspb_contract contract;
	struct rspb_job job;
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(),
							(uint64_t) work->inquiry.job);

	/* A booking that has ended stays in the ledger for a time and does not count. */
	return (!b || rspb_state_final(b->state)) && read_asked(work, &job, &contract);
}

/* Put the requested window into a contract; members that the inquiry does not mention keep their
 * values. An inquiry with only a start moves the deadline along, unless it names one. */
static int set_times(const struct rspb_inquiry *q, int64_t now, struct rspb_contract *contract,
		     struct rspb_err *err)
{
	int64_t slack = contract->terms.deadline - contract->terms.ready - contract->terms.duration;

	if (rspb_window_begin(q->terms.ready, now, "--begin", err))
		return -1;
	if (q->terms.duration)
		contract->terms.duration = q->terms.duration;
	if (q->terms.ready || contract->terms.ready < now)
		contract->terms.ready = q->terms.ready > now ? q->terms.ready : now;
	if (q->terms.deadline)
		contract->terms.deadline = q->terms.deadline;
	else if (q->terms.ready || slack <= 0)
		contract->terms.deadline = contract->terms.ready + contract->terms.duration;
	if (contract->terms.deadline < contract->terms.ready + contract->terms.duration)
		return rspb_fail(err, "it would end %" PRId64 " s after its deadline",
				 contract->terms.ready + contract->terms.duration -
					 contract->terms.deadline);
	return 0;
}

/* Check the number of nodes and tasks that an accepted offer names. Such an offer can have fewer
 * tasks, which must be spread evenly over its nodes. */
static int check_nodes(const struct rspb_inquiry *q, const struct rspb_job *job,
		       const struct rspb_contract *contract, struct rspb_err *err)
{
	if (!q->terms.nodes)
		return 0;
	if (q->terms.tasks > job->tasks || q->terms.tasks % q->terms.nodes)
		return rspb_fail(err,
				 "it can have at most %" PRIu32 " tasks, the same number on each "
				 "node",
				 job->tasks);
	if (!contract->terms.nodes || rspb_job_components(job, NULL, 0) > 1)
		return rspb_fail(err, "a heterogeneous job keeps its numbers of nodes");
	return 0;
}

#define AGAIN "asked again by its owner"

/* Work out until when an offer is held, in seconds since the epoch. HoldFor bounds what the user
 * asks for, and a held offer must expire before its start is prepared. *until is 0 if the offer is
 * accepted for good. RET 0, or -1 with err. */
static int hold_until(const struct rspb_inquiry *q, const struct rspb_config *config, int64_t now,
		      int64_t *until, struct rspb_err *err)
{
	int64_t hold = q->hold < config->hold_for ? q->hold : config->hold_for;

	*until = 0;
	if (!q->hold)
		return 0;
	if (!config->hold_for)
		return rspb_fail(err, "this site does not hold offers (HoldFor=0s); accept the "
				      "offer instead");
	if (q->terms.ready - RSPB_HELD_BEFORE_S < now + hold)
		hold = q->terms.ready - RSPB_HELD_BEFORE_S - now;
	if (hold < RSPB_HELD_BEFORE_S)
		return rspb_fail(err, "it begins too soon to be held; accept it instead");
	*until = now + hold;
	return 0;
}

/* Whether a job could have such a limit. RET 0, or -1 with err. */
static int check_limit(uint32_t id, int64_t seconds, struct rspb_err *err)
{
	const struct rspb_job_wanted wanted = { .limit = seconds, .limit_checked = true };

	return rspb_job_make_so(id, &wanted, err);
}

/* Check whether one component could ask for it. All components are checked before the first is
 * changed, so a refused call has no effect. */
static int check_one(const struct rspb_inquiry *q, uint32_t id, int64_t now, struct rspb_err *err)
{
	struct rspb_contract contract;
	struct rspb_job job;

	if (!rspb_contract_read(id, &job, &contract))
		return rspb_fail(err, "a component does not request a booking");
	if (set_times(q, now, &contract, err) || check_limit(id, contract.terms.duration, err) ||
	    check_nodes(q, &job, &contract, err))
		return -1;
	return q->terms.share && !contract.terms.share
		       ? rspb_fail(err, "it requests whole nodes, not a share")
		       : 0;
}

/* Give all components the new features. Only Slurm can tell whether any node has them, and it does
 * so by taking them. If one component is refused, the others get their own features back. RET 0, or
 * -1 with err. */
static int set_features(const struct rspb_inquiry *q, const uint32_t *ids, uint32_t n,
			struct rspb_err *err)
{
	struct rspb_job_wanted wanted = { .features = q->features };
	char *before[RSPB_MAX_PARTS] = { NULL };
	struct rspb_job job;
	uint32_t done = 0;
	bool good = true;

	if (!q->has_features)
		return 0;
	for (; done < n && good; done += good) {
		if (rspb_job_find(ids[done], &job) && job.features)
			before[done] = strdup(job.features);
		good = !rspb_job_make_so(ids[done], &wanted, err);
	}
	wanted.had_features = true;
	for (uint32_t i = 0; i < n; i++) {
		/* The old features are restored even if no node has them any more, which a plain
		 * change would refuse. */
		wanted.features = before[i] ? before[i] : "";
		if (!good && i < done)
			rspb_job_make_so(ids[i], &wanted, NULL);
		free(before[i]);
	}
	return good ? 0 : -1;
}

/* Change one component, which has been checked. The contract is written last, with what the steps
 * before have done to the job. The caller holds the write lock. */
static int set_one(const struct rspb_inquiry *q, uint32_t id, int64_t now, int64_t until,
		   struct rspb_err *err)
{
	struct rspb_job_wanted wanted = { .limit = 0 }, times = { .limit = 0 };
	struct rspb_contract contract;
	struct rspb_job_size size;
	struct rspb_job job;

	if (!rspb_contract_read(id, &job, &contract))
		return rspb_fail(err, "a component does not request a booking");
	/* A job that does not get the offer, or lets it expire, is to ask again for what it did
	 * before. */
	if (q->exact)
		rspb_was_keep(&job, &contract);
	if (set_times(q, now, &contract, err))
		return -1;
	wanted.limit = contract.terms.duration;
	wanted.limit_end = contract.end;
	/* The size becomes as if the job had been submitted so. The contract forgets an earlier
	 * fitting: the new size is what a later one starts from. */
	if (q->terms.nodes) {
		size = (struct rspb_job_size){ .nodes = q->terms.nodes,
					       .nodes_max = contract.terms.nodes,
					       .tasks = job.tasks,
					       .cpus = job.cpus,
					       .fewer = q->terms.tasks };
		wanted.size = &size;
		contract.terms.nodes = q->terms.nodes;
		contract.terms.nodes_least = contract.terms.tasks = contract.terms.cpus = 0;
	}
	if (q->terms.share)
		contract.terms.share = q->terms.share;
	if (q->exact || contract.terms.share_min > contract.terms.share)
		contract.terms.share_min = contract.terms.share;
	/* The user has chosen; the job must not be declined with a list of offers once more. */
	contract.terms.offers = false;
	contract.held = until;
	contract.outage = 0;
	/* rspb_room_send_back() leaves undecided requests as they are, so their window is opened
	 * and all partitions count as untried here. Marking them as declined instead would send
	 * their owner a notice. */
	if (contract.state == RSPB_REQUESTED) {
		rspb_contract_reopen(&contract, &times);
		contract.untried = rspb_contract_partitions(&contract);
		contract.untried -= contract.untried > 0;
		snprintf(contract.reason, sizeof(contract.reason), "%s", AGAIN);
	} else {
		contract.state = RSPB_DECLINED;
	}
	if (rspb_job_make_so(id, &wanted, err))
		return -1;
	/* Slurm keeps the times of a job whose last run is still ending; the contract counts. */
	rspb_job_make_so(id, &times, NULL);
	return rspb_contract_write(id, &contract, err);
}

/* Check and change all components, and send the job to the waiting room. The caller holds the write
 * lock, without a break: no batch decides between two components. */
static int ask_again(struct rspb_work *work, const struct rspb_config *config, int64_t now,
		     struct rspb_err *err)
{
	int64_t until;

	uint32_t ids[RSPB_MAX_PARTS], n;
	struct rspb_contract contract;
	struct rspb_job job;

	if (!read_asked(work, &job, &contract))
		return rspb_fail(err, "the cluster has changed in the meantime; try again");
	if (hold_until(&work->inquiry, config, now, &until, err))
		return -1;
	n = rspb_components(job.leader, ids);
	/* A refused call changes nothing. */
	for (uint32_t i = 0; i < n; i++)
		if (check_one(&work->inquiry, ids[i], now, err))
			return -1;
	if (set_features(&work->inquiry, ids, n, err))
		return -1;
	for (uint32_t i = 0; i < n; i++)
		if (set_one(&work->inquiry, ids[i], now, until, err))
			return -1;
	/* Declined jobs were released or held, as OnDecline says. A held job would not be
	 * decided. */
	rspb_room_send_back(job.leader, AGAIN);
	for (uint32_t i = 0; i < n; i++)
		rspb_job_make_so(ids[i], &(struct rspb_job_wanted){ .released = true }, NULL);
	return 0;
}

void rspb_anew_ask(struct rspb_work *work, const struct rspb_config *config, int64_t now)
{
	struct rspb_section section;
	struct rspb_err err;

	work->kind = "not-now";
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "again")) {
		rspb_fail(&work->err, "slurmctld is shutting down");
		return;
	}
	/* The batch decides later, so the answer is only that the request was taken. If slurmctld
	 * is killed now, the contract in the journal asks for the same. */
	work->done = !ask_again(work, config, now, &err);
	rspb_section_leave(&section);
	if (work->done) {
		snprintf(work->said, sizeof(work->said),
			 "the request was submitted again; rspb "
			 "list shows the decision");
		rspb_wake_up(RSPB_WAKE_SUBMIT);
		return;
	}
	work->kind = "no";
	rspb_fail(&work->err, "job %" PRId64 ": %s", work->inquiry.job, err.text);
}
