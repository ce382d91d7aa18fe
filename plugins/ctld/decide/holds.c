/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds to a basis the jobs that run without a booking and count against limits of requests, each
 * until its end. The planner counts; here amounts are only entered. */
#include "plugins/ctld/decide/basis.h"

#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/ctld/base/section.h"

/* A job past its limit: Slurm looks for those twice a minute. */
enum { OVERDUE_S = 35 };

struct scan {
	struct rspb_ledger *basis;
	uint64_t *keys; /* rising: those that matter */
	size_t n, room;
	struct rspb_quotas quotas; /* of the job that is looked at */
	int64_t now, over_time;
	bool budgets; /* some of them are used up for good */
	int rc;
};

/* Remember the limits that bound a part. Jobs that count against none of them are not added, and
 * without any limit no job is looked at. */
static int add_keys(struct scan *scan, const struct rspb_part *part)
{
	if (rspb_array_grow(&scan->keys, &scan->room, scan->n + part->n_quotas,
			    sizeof(*scan->keys)))
		return -1;
	for (uint32_t i = 0; i < part->n_quotas; i++)
		if (part->quotas[i].most >= 0) {
			scan->keys[scan->n++] = part->quotas[i].key;
			scan->budgets |= part->quotas[i].span == RSPB_QUOTA_EVER;
		}
	return 0;
}

/* RET when a running job is expected to end, seconds. A job that is overdue is ended by Slurm's
 * next look. */
static int64_t end_of(const struct scan *scan, const struct rspb_job *job)
{
	int64_t end = job->end + scan->over_time;

	return end > scan->now ? end : scan->now + OVERDUE_S;
}

/* Enter what a job counts against a limit, if some request is bound by that. It counts until the
 * end of the job, or for good if the limit is a budget. */
static void hold(struct scan *scan, const struct rspb_quota *quota, int64_t end)
{
	bool budget = quota->span == RSPB_QUOTA_EVER;
	const struct rspb_hold hold = {
		.key = quota->key,
		.amount = rspb_quota_product(quota->use, rspb_quota_times(quota, end - scan->now)),
		.start = budget ? 0 : scan->now,
		.end = budget ? RSPB_TIME_MAX : end,
	};

	if (!scan->rc &&
	    bsearch(&hold.key, scan->keys, scan->n, sizeof(hold.key), rspb_array_by_u64))
		scan->rc = rspb_ledger_hold(scan->basis, &hold);
}

/* Add what is used up of budgets, which counts for good, too. Slurm's sums lack the time that
 * running jobs still have; add_job() adds that. */
static void add_used(struct scan *scan)
{
	scan->quotas.n = 0;
	rspb_quotas_used(&scan->quotas);
	for (size_t i = 0; i < scan->quotas.n; i++) {
		struct rspb_quota *used = &scan->quotas.items[i];

		used->span = RSPB_QUOTA_EVER;
		hold(scan, used, scan->now + 1);
	}
}

static int add_job(const struct rspb_job_mark *mark, void *arg)
{
	struct scan *scan = arg;
	const struct rspb_booking *b;
	struct rspb_job job;

	if (!mark->placed || !rspb_job_find(mark->id, &job) || job.phase != RSPB_JOB_RUNNING ||
	    job.completing)
		return 0;
	/* A booked job counts by its booking, which the ledger has. */
	b = rspb_ledger_find(scan->basis, job.leader);
	if (b && !rspb_state_final(b->state))
		return 0;
	scan->quotas.n = 0;
	rspb_job_quotas(&job, true, 0, NULL, &scan->quotas);
	for (size_t i = 0; i < scan->quotas.n; i++)
		hold(scan, &scan->quotas.items[i], end_of(scan, &job));
	return scan->rc;
}

bool rspb_holds_wanted(const struct rspb_request *request)
{
	for (uint32_t p = 0; p < request->n_parts; p++)
		for (uint32_t i = 0; i < request->parts[p].n_quotas; i++)
			if (request->parts[p].quotas[i].most >= 0)
				return true;
	return false;
}

int rspb_holds_add(struct rspb_ledger *basis, const struct rspb_request *const *requests, size_t n,
		   int64_t now)
{
	struct scan scan = {
		.basis = basis,
		.now = now,
		.over_time = rspb_slurm_conf().over_time,
	};
	struct rspb_section section;
	bool inside;

	for (size_t i = 0; i < n && !scan.rc; i++)
		for (uint32_t p = 0; p < requests[i]->n_parts && !scan.rc; p++)
			scan.rc = add_keys(&scan, &requests[i]->parts[p]);
	if (!scan.rc && scan.n) {
		qsort(scan.keys, scan.n, sizeof(*scan.keys), rspb_array_by_u64);
		/* The walk over all jobs releases the lock now and then, so a job that starts
		 * meanwhile may be missed. */
		inside = rspb_section_enter(&section, RSPB_LOCK_READ, "holds");
		if (inside)
			rspb_walk_jobs(&section, &inside, add_job, &scan);
		if (!inside)
			scan.rc = -1;
		else
			rspb_section_leave(&section);
		if (!scan.rc && scan.budgets)
			add_used(&scan);
	}
	free(scan.keys);
	free(scan.quotas.items);
	return scan.rc;
}
