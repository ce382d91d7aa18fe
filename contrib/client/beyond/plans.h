/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which parts of a task could be where, and in which order to try that. */
#ifndef RSPB_CLIENT_BEYOND_PLANS_H
#define RSPB_CLIENT_BEYOND_PLANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RSPB_PLAN_SITES = 8, RSPB_PLAN_PARTS = 4, RSPB_PLANS = 4096 };

/* A site's offer for a part. */
struct rspb_bid {
	int64_t start, end;
	int64_t nodes; /* 0: not whole nodes */
	int64_t share; /* 1/100 per cent, 0: whole nodes */
	double benefit;
};

/* All that is offered for a part, by one site. */
struct rspb_bids {
	const struct rspb_bid *list;
	size_t n; /* 0: nothing, nor at another start */
};

struct rspb_task_plan {
	double benefit; /* sum over the parts */
	int64_t start, end;
	uint32_t rank; /* sum of the sites' numbers: those named first first */
	struct {
		uint32_t site;
		struct rspb_bid bid;
	} parts[RSPB_PLAN_PARTS];
};

/*
 * All ways to have n parts at one start, each on some site, bids[part][site]: by
 * benefit, then the earliest end, then the sites that are named first. A start that a
 * site offers for one part is tried for the others, too, with the best that their
 * sites offer at another. RET a malloc'ed list of *count, RSPB_PLANS at most; NULL:
 * out of memory.
 */
struct rspb_task_plan *rspb_plans_of(const struct rspb_bids bids[][RSPB_PLAN_SITES],
				     uint32_t n_parts, uint32_t n_sites, size_t *count);

#endif
