/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of jobs, with and without a share: how their jobs are started, their tables, and the
 * calls by which other modules follow time and changes. */
#include "plugins/ctld/kinds/job.h"

#include <inttypes.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/kinds/recover.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/mirror.h"
#include "plugins/ctld/mirror/resv.h"
#include "plugins/ctld/observe/finish.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/observe/intake.h"
#include "plugins/ctld/observe/outcome.h"

/* Starts of booked jobs. The second, and nodes that are clear, are the task of start/launch.c. */

/* Whether all jobs of a booking run. Slurm's own scheduler may start them first, within the
 * same second, when the nodes have just been cleared. */
static bool runs_already(const uint32_t *ids, uint32_t n)
{
	struct rspb_job job;
	uint32_t i;

	for (i = 0; i < n; i++)
		if (!rspb_job_find(ids[i], &job) || job.phase != RSPB_JOB_RUNNING)
			return false;
	return n > 0;
}

/* Whether all jobs may be run again: the owner or the site can forbid that (--no-requeue). */
static bool may_run_again(const uint32_t *ids, uint32_t n)
{
	struct rspb_job job;

	for (uint32_t i = 0; i < n; i++)
		if (rspb_job_find(ids[i], &job) && !job.requeue)
			return false;
	return true;
}

/* Cancel jobs whose first start was lost and that must not run twice. Nobody knows how far
 * the first run came. */
static void never_again(const uint32_t *ids, uint32_t n)
{
	static const char why[] = "slurmctld died before the start of the job was saved; what "
				  "ran was ended, and the job must not be requeued";
	struct rspb_err err;
	struct rspb_job job;

	for (uint32_t i = 0; i < n; i++) {
		if (!rspb_job_find(ids[i], &job) || job.phase != RSPB_JOB_PENDING)
			continue;
		rspb_log_error("job %u: %s", ids[i], why);
		if (rspb_job_end(ids[i], RSPB_JOB_CANCEL, why, &err))
			rspb_log_error("%s", err.text);
	}
}

static enum rspb_readiness get_ready(const struct rspb_booking *b, int64_t now,
				     struct rspb_err *err)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);

	if (!n)
		return RSPB_READY_NEVER;
	if (runs_already(ids, n))
		return RSPB_READY_RUNS;
	/* Only a reservation gives a job its nodes. */
	for (uint32_t i = 0; i < b->n_grants; i++)
		if (rspb_mirror_resv_without(b, i)) {
			rspb_fail(err, "its reservation is being made");
			return RSPB_READY_LATER;
		}
	if (rspb_edit_waits(b, now)) {
		rspb_fail(err, "its reservation has just been changed");
		return RSPB_READY_LATER;
	}
	/* Steps of a run that the old slurmctld lost must be gone first. */
	if (!rspb_orphan_gone(b, ids, n, now, err))
		return RSPB_READY_LATER;
	if (!rspb_orphan_launched(b->request->id) || may_run_again(ids, n))
		return RSPB_READY;
	never_again(ids, n);
	return RSPB_READY_NEVER;
}

/* Whether a node of the booking is powered down. Slurm would boot it for the job and start
 * the job only then. Without memory the answer is yes, and the job starts at its start
 * time. */
static bool asleep(const struct rspb_booking *b)
{
	struct rspb_nodeset *nodes = rspb_nodeset_create(rspb_node_width());
	bool any = !nodes;

	if (nodes)
		rspb_node_add(RSPB_NODES_ASLEEP, nodes);
	for (uint32_t i = 0; nodes && i < b->n_grants; i++)
		any |= !rspb_nodeset_disjoint(nodes, b->grants[i].nodes);
	rspb_nodeset_destroy(nodes);
	return any;
}

/* Seconds after which a refusal is told: nodes that are just being cleared cause brief
 * ones. */
enum { TELL_S = 3 };

/* RET why a part of a node does not start though its nodes are well, "": that is not so. */
static const char *refusal(const struct rspb_booking *b, int64_t now)
{
	static const char text[] = "Slurm does not start its job beside the jobs on its nodes; "
				   "it waits until they leave room";
	struct rspb_nodeset *bad = rspb_nodeset_create(rspb_node_width());
	bool well = bad && now >= b->start + TELL_S && rspb_request_has_cores(b->request);

	if (well) {
		rspb_node_add(RSPB_NODES_UNUSABLE, bad);
		rspb_node_add(RSPB_NODES_SILENT, bad);
	}
	for (uint32_t i = 0; well && i < b->n_grants; i++)
		well = rspb_nodeset_disjoint(bad, b->grants[i].nodes);
	rspb_nodeset_destroy(bad);
	return well ? text : "";
}

/* RET why a job that may not start yet waits, "": that is not known, or its start is too
 * recent. The job that it waits for may overrun a little, as Slurm looks for that only twice
 * a minute. */
static const char *delay(const struct rspb_booking *b, const uint32_t *ids, uint32_t n, int64_t now)
{
	struct rspb_job job;

	for (uint32_t i = 0; now >= b->start + TELL_S && i < n; i++)
		if (rspb_job_find(ids[i], &job) && job.dependent)
			return "a job that it waits for (--dependency) has not ended; it "
			       "starts after that job";
	return "";
}

/* RET as of start in struct rspb_kind. */
static int launch(const struct rspb_booking *b, const uint32_t *ids, uint32_t n, int64_t now,
		  struct rspb_err *err)
{
	int rc;

	if (runs_already(ids, n))
		return 0;
	/* Nodes that are still down are not given to a job ahead of its start. */
	if (now < b->start && asleep(b))
		return rspb_fail(err, "its nodes are not powered up yet");
	rc = rspb_job_start(ids, n, b->start, b->end, err);
	/* The reason of an earlier refusal may hold still. */
	if (rc == 3)
		return 2;
	rspb_recheck_refused(b->request->id, rc == 1  ? err->text
					     : rc < 0 ? refusal(b, now)
					     : rc     ? delay(b, ids, n, now)
						      : "");
	return rc > 0 ? 1 : rc;
}

/* Record a start: in the ledger first, then in the contracts, which the journal follows. If
 * slurmctld dies before the journal is on the disk, the job is a suspect for the next one
 * (orphan.c). */
static void say_so(const struct rspb_booking *b, const uint32_t *ids, uint32_t n, int64_t now)
{
	uint64_t id = b->request->id;
	int64_t before = rspb_orphan_launched(id);
	bool ahead = now < b->start;
	struct rspb_err err;

	rspb_orphan_forget(id);
	rspb_orphan_launch(id, now, false, now);
	if (rspb_book_event(id, RSPB_EV_START, now, NULL, &err))
		rspb_log_error("booking %" PRIu64 ": %s", id, err.text);
	for (uint32_t i = 0; i < n; i++)
		rspb_contract_state(ids[i], RSPB_ACTIVE,
				    before ? "run again from its beginning: "
					     "slurmctld died before its start "
					     "was saved"
					   : NULL);
	rspb_log_info("booking %" PRIu64 " started%s%s", id, before ? ", for the second time" : "",
		      ahead ? ": its nodes are prepared" : "");
}

static int start_jobs(const struct rspb_booking *b, int64_t now, struct rspb_err *err)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	int rc;

	/* The job has had its nodes since their prologs began, and waits for its start
	 * time. */
	if (b->state == RSPB_ACTIVE) {
		rspb_job_begin(ids, n, b->start <= now);
		return 0;
	}
	rc = launch(b, ids, n, now, err);
	if (!rc)
		say_so(b, ids, n, now);
	return rc;
}

static bool is_of_jobs(const struct rspb_request *request)
{
	return request->id <= UINT32_MAX;
}

/* A request with shares is of the kind of shares, unless a part of it asks for cores. */
static bool owns(const struct rspb_request *request)
{
	return is_of_jobs(request) &&
	       (!rspb_request_has_shares(request) || rspb_request_has_cores(request));
}

static bool waits(uint32_t id)
{
	struct rspb_job job;

	return rspb_job_find(id, &job) && rspb_contract_says(job.contract, RSPB_REQUESTED);
}

/* Write a text into the contracts of jobs that are booked or wait for a decision. A booking
 * that has started or ended in the meantime no longer needs it. */
static void tell_jobs(uint64_t id, const char *text)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(id, ids), i;
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	bool booked = b && b->state == RSPB_BOOKED;

	for (i = 0; i < n; i++)
		if (booked || waits(ids[i]))
			rspb_contract_state(ids[i], waits(ids[i]) ? RSPB_REQUESTED : RSPB_BOOKED,
					    text);
}

void rspb_jobs_flush(int64_t now)
{
	rspb_late_run(rspb_settings_get(), now);
	rspb_recheck_run(now);
	rspb_held_expire(now);
	rspb_dependents_run(now);
}

void rspb_jobs_look(const struct rspb_config *config, int64_t now)
{
	rspb_lifecycle_watch(config, now);
	rspb_orphan_look(now);
	rspb_dependents_expect();
}

const struct rspb_kind rspb_kind_job = {
	.owns = owns,
	.has_jobs = true,
	.ahead = true,
	.waits = rspb_outcome_waits,
	.promise = rspb_mirror_promise,
	.commit = rspb_outcome_parts,
	.refuse = rspb_refuse_ask,
	.ready = get_ready,
	.start = start_jobs,
	.suits = rspb_mirror_suits,
	.mirror = rspb_mirror_jobs,
	.lose = rspb_outcome_lose,
	.tell = tell_jobs,
};

/* The kind of jobs with a share differs from other jobs by what their nodes are told. */

static bool owns_shares(const struct rspb_request *request)
{
	return is_of_jobs(request) && rspb_request_has_shares(request) &&
	       !rspb_request_has_cores(request);
}

/* Start the jobs, then tell their nodes. The start changes the ledger, so the booking is
 * looked up again for the message. */
static int start_and_tell(const struct rspb_booking *b, int64_t now, struct rspb_err *err)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	uint64_t id = b->request->id;

	if (start_jobs(b, now, err))
		return -1;
	b = rspb_ledger_find(rspb_book_ledger(), id);
	if (b)
		rspb_message_send(b, ids, n, rspb_settings_get());
	return 0;
}

/* Nodes of a running booking are told first: the book has the new share already. */
static int tell_and_mirror(const struct rspb_ask *ask, const struct rspb_booking *b, bool moved,
			   const struct rspb_config *config, int64_t now, struct rspb_err *err)
{
	if (b->state == RSPB_ACTIVE)
		rspb_message_send(b, ask->jobs, ask->n_jobs, config);
	return rspb_mirror_jobs(ask, b, moved, config, now, err);
}

const struct rspb_kind rspb_kind_shares = {
	.owns = owns_shares,
	.has_jobs = true,
	.waits = rspb_outcome_waits,
	.promise = rspb_mirror_promise,
	.commit = rspb_outcome_parts,
	.refuse = rspb_refuse_ask,
	.ready = get_ready,
	.start = start_and_tell,
	.suits = rspb_mirror_suits,
	.mirror = tell_and_mirror,
	.lose = rspb_outcome_lose,
	.tell = tell_jobs,
};

/* Collect the requests of jobs. Ends come first, because the nodes of an ended booking are
 * free for the request. */
static int collect(uint32_t width, const struct rspb_config *config, int64_t now,
		   struct rspb_asks *asks, struct rspb_err *err)
{
	rspb_jobs_look(config, now);
	return rspb_intake_collect(width, config, now, asks, err);
}

const struct rspb_source rspb_source_jobs = {
	.waiting = rspb_intake_waiting,
	.collect = collect,
};
