/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for plugins/compat: jobs, to change, start and end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/flags.h"
#include "plugins/compat/job_edit.h"
#include "tests/simulated/world.h"

/* RET a job that waits, or NULL with err. */
static struct sim_job *waiting_job(uint32_t id, struct rspb_err *err)
{
	struct sim_job *job = sim_job_find(id);

	if (!job)
		rspb_fail(err, "there is no job %u", id);
	else if (job->phase != RSPB_JOB_PENDING)
		rspb_fail(err, "job %u is not pending", id);
	return job && job->phase == RSPB_JOB_PENDING ? job : NULL;
}

static struct sim_job *running_job(uint32_t id, struct rspb_err *err)
{
	struct sim_job *job = sim_job_find(id);

	if (job && job->phase == RSPB_JOB_RUNNING)
		return job;
	rspb_fail(err, "job %u is not running", id);
	return NULL;
}

static int check_limit(const struct sim_job *job, int64_t seconds, struct rspb_err *err)
{
	if (job->phase == RSPB_JOB_DONE)
		return rspb_fail(err, "job %u is over", job->id);
	if (job->small && seconds > SIM_SMALL_S)
		return rspb_fail(err, "partition small allows %d s", SIM_SMALL_S);
	return seconds > 0 ? 0 : rspb_fail(err, "job %u needs some time", job->id);
}

static int tie_job(struct sim_job *job, const struct rspb_job_wanted *to, struct rspb_err *err)
{
	const struct sim_resv *resv = sim_resv_find(to->reservation);

	if (to->reservation[0] && !resv)
		return rspb_fail(err, "there is no reservation %s", to->reservation);
	snprintf(job->resv, sizeof(job->resv), "%s", to->reservation);
	job->resv_id = resv ? resv->id : 0;
	if (!resv)
		return 0;
	if (!to->begin)
		return 0;
	job->begin = to->begin;
	job->deadline = 0;
	return 0;
}

static int shape_job(struct sim_job *job, const struct rspb_job_size *asked, struct rspb_err *err)
{
	if (job->small && asked->nodes > SIM_SMALL_NODES)
		return rspb_fail(err, "partition small allows %d nodes", SIM_SMALL_NODES);
	if (asked->tasks && job->tasks)
		job->tasks = asked->nodes
				     ? rspb_job_part_of(asked->tasks,
							asked->fewer ? asked->fewer : asked->nodes,
							asked->fewer ? asked->tasks
								     : asked->nodes_max)
				     : asked->tasks;
	job->nodes_min = asked->nodes ? asked->nodes : asked->nodes_min;
	job->nodes_max = asked->nodes ? asked->nodes : asked->nodes_max;
	if (asked->limit)
		job->limit = asked->limit;
	return 0;
}

/* Make a job that waits so. RET 0, or -1 with err. */
static int make_waiting(struct sim_job *job, const struct rspb_job_wanted *to, struct rspb_err *err)
{
	int rc = 0;

	if (to->released)
		job->held = job->held_by_us = false;
	if (to->held) {
		sim_log("HOLD job %u: %s", job->id, to->held);
		if (strstr(to->held, "cancelled: released by "))
			sim_fault("job %u, whose booking was released, is held", job->id);
		job->resv[0] = '\0';
		job->resv_id = 0;
		job->held = job->held_by_us = true;
	}
	if (to->partition && strcmp(to->partition, "main"))
		rc = rspb_fail(err, "there is no partition %s", to->partition);
	if (to->reservation && tie_job(job, to, rc ? NULL : err))
		rc = -1;
	if (to->features && to->features[0] && !to->had_features)
		rc = rspb_fail(rc ? NULL : err, "no node has feature %s", to->features);
	if (to->size && shape_job(job, to->size, rc ? NULL : err))
		rc = -1;
	if (to->reopened) {
		job->begin = to->ready;
		job->deadline = to->deadline;
	}
	return rc;
}

static void set_limit(struct sim_job *job, int64_t seconds, int64_t end)
{
	job->limit = seconds;
	if (job->phase != RSPB_JOB_RUNNING)
		return;
	job->end = job->start + seconds;
	if (end && job->end > end)
		job->end = end;
}

static void set_contract(struct sim_job *job, const char *text)
{
	if (rspb_contract_says(job->contract, RSPB_REQUESTED) &&
	    rspb_contract_says(text, RSPB_BOOKED))
		sim_check_decision(job);
	snprintf(job->contract, sizeof(job->contract), "%s", text);
	sim_log("CONTRACT job %u %s", job->id, text);
	sim_job_changed(job);
	sim_check_contract(job);
	if (rspb_contract_says(text, RSPB_BOOKED) && sim_kill_passes(SIM_KILL_BOOKED))
		sim_die();
}

/* Comments, needs and the billing of shares are not modelled. */
int rspb_job_make_so(uint32_t id, const struct rspb_job_wanted *to, struct rspb_err *err)
{
	bool waits = to->released || to->held || to->partition || to->reservation || to->features ||
		     to->size || to->reopened;
	struct sim_job *job = sim_job_find(id);
	int rc = 0;

	if (!job)
		return rspb_fail(err, "there is no job %u", id);
	if (to->limit_checked)
		return check_limit(job, to->limit, err);
	if (waits)
		rc = waiting_job(id, err) ? make_waiting(job, to, err) : -1;
	if (to->limit && job->phase == RSPB_JOB_DONE)
		rc = rspb_fail(rc ? NULL : err, "job %u is over", id);
	else if (to->limit)
		set_limit(job, to->limit, to->limit_end);
	if ((waits && job->phase == RSPB_JOB_PENDING) || to->limit)
		sim_job_changed(job);
	if (to->contract)
		set_contract(job, to->contract);
	return rc;
}

/* Whether there is room, which is taken for the components behind. */
static bool take_room(const struct sim_job *job, uint64_t nodes, struct sim_take used[SIM_NODES])
{
	for (; nodes; nodes &= nodes - 1) {
		uint32_t node = (uint32_t) __builtin_ctzll(nodes);
		struct sim_take takes = sim_job_takes(job, node);

		if (!sim_fits(used, job, node))
			return false;
		sim_take_add(&used[node], &takes);
	}
	return true;
}

static int check_start(uint32_t id, struct sim_take used[SIM_NODES], struct rspb_err *err)
{
	struct sim_job *job = waiting_job(id, err);
	const struct sim_resv *resv;

	if (!job)
		return -1;
	if (job->held) {
		rspb_fail(err, "job %u is held", id);
		return 2;
	}
	if (sim_now() < sim_world->closed_until)
		return rspb_fail(err, "partition main is DOWN");
	if (job->unclean) {
		rspb_fail(err, "job %u is still being cleaned up", id);
		return 3;
	}
	if (job->after && sim_job_find(job->after) &&
	    sim_job_find(job->after)->phase != RSPB_JOB_DONE) {
		rspb_fail(err, "job %u waits for another job", id);
		return 2;
	}
	resv = sim_resv_find(job->resv);
	if (!resv || !resv->nodes)
		return rspb_fail(err, "job %u has no reservation", id);
	if (resv->start > sim_now() || resv->end <= sim_now())
		return rspb_fail(err, "reservation %s is not active", resv->name);
	if (resv->nodes & (sim_nodes_unusable() | sim_world->silent) ||
	    sim_resv_blocks(resv->nodes) || !take_room(job, resv->nodes, used))
		return rspb_fail(err, "Requested nodes are busy");
	if (sim_licenses_used() + job->licenses > SIM_LICENSES)
		return rspb_fail(err, "Licenses are in use");
	if (resv->nodes & ~sim_feature_nodes(job->feature))
		sim_fault("job %u gets nodes without feature %c", id, job->feature);
	return 0;
}

int rspb_job_start(const uint32_t *ids, uint32_t n, int64_t start, int64_t end,
		   struct rspb_err *err)
{
	struct sim_take used[SIM_NODES];

	sim_used(used);
	if (start > sim_now())
		sim_fault("job %u is started before its time", ids[0]);
	for (uint32_t i = 0; i < n; i++) {
		int rc = check_start(ids[i], used, err);

		if (rc) {
			sim_log("REFUSE start of job %u: %s", ids[i], err->text);
			return rc;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		struct sim_job *job = sim_job_find(ids[i]);

		sim_check_begins(job);
		sim_job_begin(job, sim_resv_find(job->resv)->nodes, end);
		sim_world->counts.started++;
	}
	return 0;
}

void rspb_job_begin(const uint32_t *ids, uint32_t n, bool now)
{
	(void) ids;
	(void) n;
	(void) now;
}

int rspb_job_shrink(uint32_t id, const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	struct sim_job *job = running_job(id, err);
	uint64_t keep = sim_bits(nodes);

	if (!job) {
		if (!sim_recovering())
			sim_fault("job %u is to give nodes back, and does not run", id);
		return -1;
	}
	for (int n = 0; n < SIM_NODES; n++)
		if (job->nodes & ~keep && (job->nodes & ~keep) >> n & 1)
			sim_there_drop(id, (uint32_t) n);
	job->nodes &= keep;
	job->nodes_min = job->nodes_max = (uint32_t) __builtin_popcountll(job->nodes);
	/* A job that gives up nodes while it runs keeps its tasks, also when it is requeued. */
	job->tasks = 0;
	sim_world->changed_nodes = sim_now();
	sim_job_changed(job);
	return 0;
}

int rspb_job_clear(uint32_t id, const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	struct sim_job *job = waiting_job(id, err);
	uint64_t which = nodes ? sim_bits(nodes) & ~sim_world->down : 0;

	if (!job)
		return -1;
	if (!nodes && !job->unclean)
		return 0;
	if (!nodes)
		job->unclean = 0;
	for (int n = 0; n < SIM_NODES; n++)
		if (which >> n & 1 && !(job->unclean >> n & 1)) {
			job->unclean |= UINT64_C(1) << n;
			job->clean_at[n] = sim_world->us + SIM_S / 10 + sim_below(SIM_S);
		}
	sim_job_changed(job);
	return 0;
}

bool rspb_job_ask_node(uint32_t id, bool doubt)
{
	const struct sim_job *job = sim_job_find(id);
	int first;

	(void) doubt;
	if (!job || job->phase != RSPB_JOB_RUNNING || !job->nodes)
		return false;
	first = __builtin_ctzll(job->nodes);
	if (!sim_world->registers[first])
		sim_world->registers[first] = sim_world->us + SIM_S / 10;
	return true;
}

int rspb_job_end(uint32_t id, enum rspb_job_end how, const char *reason, struct rspb_err *err)
{
	static const char *const words[] = { "cancelled", "cancelled", "timed out", "timed out",
					     "evicted" };
	static const char *const logged[] = { "CANCEL", "CANCEL", "TIMEOUT", "TIMEOUT", "EVICT" };
	bool cancel = how == RSPB_JOB_CANCEL || how == RSPB_JOB_DISMISS;
	struct sim_job *job = sim_job_find(id);

	if (how == RSPB_JOB_DISMISS)
		sim_log("TELL job %u: %s", id, reason);
	if (!cancel)
		job = running_job(id, err);
	else if (!job || job->phase == RSPB_JOB_DONE)
		return rspb_fail(err, "job %u is over", id);
	if (!job)
		return -1;
	sim_log("%s job %u: %s", logged[how], id, reason ? reason : "");
	sim_check_ended_early(job, words[how]);
	sim_job_end(job, cancel, false, how == RSPB_JOB_EVICT && job->requeue);
	return 0;
}
