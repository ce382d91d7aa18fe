/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wraps a question to the select plugin, whatever its arguments are in this release. The functions
 * here ask the stock plugin and read the question; they answer none themselves. */
#include "plugins/compat/select_call.h"

#include <pthread.h>
#include <string.h>

#include "plugins/compat/bits.h"

/* Seconds between two looks of slurmctld for jobs over their limit. */
enum { LIMIT_CHECK_SECONDS = 30 };

int rspb_select_ask(const struct rspb_select_ops *stock, const struct rspb_select_call *call)
{
	return stock->job_test(call->job, call->nodes, call->min_nodes, call->max_nodes,
			       call->req_nodes, call->mode, call->candidates, call->preemptees,
			       call->exclusion RSPB_RELEASE_TIMES(call->times));
}

int rspb_select_ask_wide(const struct rspb_select_ops *stock, const struct rspb_select_call *call)
{
	struct rspb_select_call wide = *call;
	rspb_release_exclusion none;

	/* The question of Slurm stays as it was, and a copy without exclusions is asked. */
	wide.exclusion = rspb_release_exclude_none(call->exclusion, &none);
	return rspb_select_ask(stock, &wide);
}

bitstr_t *rspb_select_call_cores(const struct rspb_select_call *call)
{
	return rspb_release_excluded(call->exclusion);
}

int rspb_select_ask_now(const struct rspb_select_ops *stock, const struct rspb_select_call *call,
			const struct rspb_nodeset *nodes)
{
	struct rspb_select_call now = *call;
	job_record_t *job = call->job;
	uint64_t now_only = job->bit_flags & TEST_NOW_ONLY;
	int rc;

	/* Without candidates Slurm cannot preempt a job for this attempt. */
	now.candidates = NULL;
	now.preemptees = NULL;
	rspb_select_call_put(call, nodes);
	job->bit_flags |= TEST_NOW_ONLY;
	rc = rspb_select_ask(stock, &now);
	/* The flag is part of the question that Slurm asked, so it stays where Slurm had set it. */
	if (!now_only)
		job->bit_flags &= ~TEST_NOW_ONLY;
	return rc;
}

bool rspb_select_call_run_now(const struct rspb_select_call *call)
{
	return call->mode == SELECT_MODE_RUN_NOW;
}

bool rspb_select_call_will_run(const struct rspb_select_call *call)
{
	return call->mode == SELECT_MODE_WILL_RUN;
}

bool rspb_select_call_now_only(const struct rspb_select_call *call)
{
	return call->job->bit_flags & TEST_NOW_ONLY;
}

bool rspb_select_call_backfill(void)
{
	/* Slurm names the thread of its backfill scheduler; nothing else in the question tells it
	 * from the main scheduler. */
	char name[16];

	return !pthread_getname_np(pthread_self(), name, sizeof(name)) && !strcmp(name, "bckfl");
}

int64_t rspb_select_call_window(void)
{
	const char *text = slurm_conf.sched_params ? strstr(slurm_conf.sched_params, "bf_window=")
						   : NULL;
	long minutes = text ? strtol(text + strlen("bf_window="), NULL, 10) : 0;

	/* bf_window is in minutes, and Slurm takes a day where it is not set. */
	return minutes > 0 ? (int64_t) minutes * 60 : 86400;
}

uint32_t rspb_select_call_leader(const struct rspb_select_call *call)
{
	return call->job->het_job_id ? call->job->het_job_id : call->job->job_id;
}

bool rspb_select_call_free(const struct rspb_select_call *call)
{
	const part_record_t *part = call->job->part_ptr;

	/* With LLN the site wants the least loaded nodes, so another choice would not do. */
	if (slurm_conf.select_type_param & RSPB_RELEASE_LEAST_LOADED ||
	    (part && part->flags & PART_FLAG_LLN))
		return false;
	return !call->job->req_switch &&
	       !(call->preemptees && *call->preemptees && list_count(*call->preemptees));
}

uint64_t rspb_select_call_rank(uint32_t node)
{
	return node_record_table_ptr[node]->sched_weight;
}

uint32_t rspb_select_call_width(const struct rspb_select_call *call)
{
	return (uint32_t) bit_size(call->nodes);
}

void rspb_select_call_take(const struct rspb_select_call *call, struct rspb_nodeset *out)
{
	rspb_nodeset_clear(out);
	rspb_bits_add(call->nodes, out);
}

void rspb_select_call_put(const struct rspb_select_call *call, const struct rspb_nodeset *nodes)
{
	/* The bitmap belongs to Slurm and is changed in place. */
	bit_clear_all(call->nodes);
	for (uint32_t n = rspb_nodeset_next(nodes, 0); n < nodes->width;
	     n = rspb_nodeset_next(nodes, n + 1))
		bit_set(call->nodes, n);
}

void rspb_select_call_required(const struct rspb_select_call *call, struct rspb_nodeset *out)
{
	if (call->job->details)
		rspb_bits_add(call->job->details->req_node_bitmap, out);
}

const char *rspb_select_call_reservation(const struct rspb_select_call *call)
{
	return call->job->resv_name;
}

const char *rspb_select_call_tag(const struct rspb_select_call *call, bool *nodes)
{
	const slurmctld_resv_t *resv = call->job->resv_name ? call->job->resv_ptr : NULL;

	/* A request of an operator is a reservation that has no nodes yet. */
	*nodes = resv && resv->node_bitmap;
	return resv ? resv->burst_buffer : NULL;
}

bool rspb_select_call_maintenance(const struct rspb_select_call *call)
{
	const slurmctld_resv_t *resv = call->job->resv_ptr;

	return resv && (resv->flags & RESERVE_FLAG_MAINT);
}

int64_t rspb_select_call_limit(const struct rspb_select_call *call)
{
	const job_record_t *job = call->job;
	int64_t minutes = job->time_limit;

	/* Slurm has applied DefaultTime at submission, so that only MaxTime remains here. */
	if (minutes == NO_VAL)
		minutes = job->part_ptr ? job->part_ptr->max_time : INFINITE;
	return minutes == INFINITE ? -1 : minutes * 60;
}

int64_t rspb_select_call_seconds(const struct rspb_select_call *call)
{
	int64_t limit = rspb_select_call_limit(call);
	int64_t over = slurm_conf.over_time_limit;

	if (limit < 0 || over == INFINITE16)
		return -1;
	/* OverTimeLimit is in minutes and KillWait in seconds. In the worst case all of them follow
	 * one another. */
	return limit + over * 60 + LIMIT_CHECK_SECONDS + slurm_conf.kill_wait;
}

int64_t rspb_select_call_begin(const struct rspb_select_call *call, int64_t now)
{
	/* A begin time that has passed no longer counts. */
	int64_t begin = call->job->details ? call->job->details->begin_time : 0;

	return begin > now ? begin : now;
}

uint32_t rspb_select_call_priority(const struct rspb_select_call *call)
{
	return call->job->priority;
}

void rspb_select_call_licenses(const struct rspb_select_call *call, struct rspb_quotas *out)
{
	const struct rspb_job job = { .handle = call->job, .phase = RSPB_JOB_PENDING };

	rspb_job_licenses(&job, out);
}

int64_t rspb_select_call_start(const struct rspb_select_call *call)
{
	return call->job->start_time;
}

void rspb_select_call_set_start(const struct rspb_select_call *call, int64_t start)
{
	call->job->start_time = start;
}

/* The functions below see when Slurm picks nodes for a reservation, and take booked ones away. The
 * caller knows which are booked. */

#ifdef RSPB_SLURM_SELECT_resv_test

enum { HOUR = 3600, DAY = 24 * HOUR, WEEK = 7 * DAY };

/* RET the least time between two occurrences. Those of WEEKDAY and WEEKEND follow after a day or
 * more. */
static int64_t period_of(uint64_t flags)
{
	uint64_t days = RESERVE_FLAG_DAILY | RESERVE_FLAG_WEEKDAY | RESERVE_FLAG_WEEKEND;

	if (flags & RESERVE_FLAG_HOURLY)
		return HOUR;
	if (flags & days)
		return DAY;
	return flags & RESERVE_FLAG_WEEKLY ? WEEK : 0;
}

/* RET the end of the first occurrence, which is given as a time or as a length in minutes. */
static int64_t end_of(const resv_desc_msg_t *desc)
{
	if (desc->end_time > desc->start_time)
		return desc->end_time;
	if (desc->duration == INFINITE || desc->duration == NO_VAL)
		return INT64_MAX;
	return desc->start_time + INT64_C(60) * desc->duration;
}

static void take_out(bitstr_t *bits, const struct rspb_nodeset *kept)
{
	for (uint32_t n = 0; n < kept->width; n++)
		if (!rspb_nodeset_has(kept, n))
			bit_clear(bits, n);
}

void rspb_select_resv_prepare(const resv_desc_msg_t *desc, bitstr_t *available,
			      rspb_select_resv_fn prepare)
{
	struct rspb_select_resv resv = {
		.name = desc->name ? desc->name : "",
		.start = desc->start_time,
		.end = end_of(desc),
		.period = period_of(desc->flags),
	};
	struct rspb_nodeset *nodes = rspb_nodeset_create(bit_size(available));

	/* Without memory Slurm picks among all nodes, as it would without the plugin. */
	if (!nodes)
		return;
	rspb_bits_add(available, nodes);
	prepare(&resv, nodes);
	take_out(available, nodes);
	rspb_nodeset_destroy(nodes);
}

bool rspb_select_resv_asked(const struct rspb_select_call *call, struct rspb_select_resv *out)
{
	/* This release asks about reservations with the function above, never with a job. */
	(void) call;
	(void) out;
	return false;
}

#else

bool rspb_select_resv_asked(const struct rspb_select_call *call, struct rspb_select_resv *out)
{
	const job_record_t *job = call->job;
	bool endless;

	/* Slurm asks with a job that does not exist, whose number is 0, since 23.11. */
	if (job->job_id || !job->details || !rspb_select_call_will_run(call))
		return false;
	/* The length of the reservation is in the time limit, in minutes. */
	endless = job->time_limit == NO_VAL || job->time_limit == INFINITE;
	*out = (struct rspb_select_resv){
		.name = "",
		.start = job->details->begin_time,
		.end = endless ? INT64_MAX
			       : job->details->begin_time + INT64_C(60) * job->time_limit,
	};
	return true;
}

#endif
