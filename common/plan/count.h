/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The uses that count against a request's limits over time: bookings, and jobs without one. Made
 * once for each request, from the ledger that is planned on. */
#ifndef RSPB_PLAN_COUNT_H
#define RSPB_PLAN_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"

/* How much counts from a time (seconds) on, until the next step. */
struct rspb_count_step {
	int64_t at, sum;
};

/* A limit of the request. */
struct rspb_count {
	const struct rspb_quota *quota; /* the request's */
	size_t n, room;
	struct rspb_count_step *steps;
};

struct rspb_counts {
	size_t n, room;
	struct rspb_count *items;
	size_t used; /* items in use, of those that are there */
};

/* How far a limit would be passed. */
struct rspb_excess {
	const struct rspb_quota *quota; /* NULL: none */
	int64_t held, own;		/* by others at most, and by itself */
};

/*
 * Count all in the ledger but the request itself, as far as it could matter to
 * it; *counts is zeroed, or was made before. Of `instead`, n bookings, each
 * counts as it is there and not as in the ledger. RET 0, -1: out of memory.
 */
int rspb_counts_make(struct rspb_counts *counts, const struct rspb_ledger *ledger,
		     const struct rspb_request *request, const struct rspb_booking *const *instead,
		     size_t n);
void rspb_counts_fini(struct rspb_counts *counts);

/* RET the first limit that a booking that is, or is to be, in the ledger passes. */
struct rspb_excess rspb_counts_booking(const struct rspb_counts *counts,
				       const struct rspb_ledger *ledger,
				       const struct rspb_booking *booking);
/* The sentence for the user, behind a colon. */
void rspb_excess_print(const struct rspb_excess *excess, struct rspb_text *text);

#endif
