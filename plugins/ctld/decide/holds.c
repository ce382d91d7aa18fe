/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/decide/holds.h"

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
	int rc;
};

static int compare(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static int add_keys(struct scan *scan, const struct rspb_part *part)
{
	if (rspb_array_grow(&scan->keys, &scan->room, scan->n + part->n_quotas,
			    sizeof(*scan->keys)))
		return -1;
	for (uint32_t i = 0; i < part->n_quotas; i++)
		if (part->quotas[i].most >= 0)
			scan->keys[scan->n++] = part->quotas[i].key;
	return 0;
}

static int64_t end_of(const struct scan *scan, const struct rspb_job *job)
{
	int64_t end = job->end + scan->over_time;

	return end > scan->now ? end : scan->now + OVERDUE_S;
}

static int add_job(const struct rspb_job *job, void *arg)
{
	struct scan *scan = arg;
	const struct rspb_booking *b;

	if (job->phase != RSPB_JOB_RUNNING || job->completing)
		return 0;
	b = rspb_ledger_find(scan->basis, job->leader);
	if (b && !rspb_state_final(b->state))
		return 0;
	scan->quotas.n = 0;
	rspb_job_quotas(job, true, &scan->quotas);
	for (size_t i = 0; i < scan->quotas.n && !scan->rc; i++) {
		const struct rspb_hold hold = {
			.key = scan->quotas.items[i].key,
			.amount = scan->quotas.items[i].use,
			.start = scan->now,
			.end = end_of(scan, job),
		};

		if (bsearch(&hold.key, scan->keys, scan->n, sizeof(hold.key),
			    compare))
			scan->rc = rspb_ledger_hold(scan->basis, &hold);
	}
	return scan->rc;
}

int rspb_holds_add(struct rspb_ledger *basis,
		   const struct rspb_request *const *requests, size_t n,
		   int64_t now)
{
	struct scan scan = {
		.basis = basis,
		.now = now,
		.over_time = rspb_ctld_over_time(),
	};
	struct rspb_section section;

	for (size_t i = 0; i < n && !scan.rc; i++)
		for (uint32_t p = 0; p < requests[i]->n_parts && !scan.rc; p++)
			scan.rc = add_keys(&scan, &requests[i]->parts[p]);
	if (!scan.rc && scan.n) {
		qsort(scan.keys, scan.n, sizeof(*scan.keys), compare);
		scan.rc = -1;
		if (rspb_section_enter(&section, RSPB_LOCK_READ, "holds")) {
			scan.rc = 0;
			rspb_job_each_placed(add_job, &scan);
			rspb_section_leave(&section);
		}
	}
	free(scan.keys);
	free(scan.quotas.items);
	return scan.rc;
}
