/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/ledger/internal.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tests/validate/validate.h"

/* Later than any booking ends, and still a time a profile takes. */
static const int64_t far_away = RSPB_TIME_MAX - 1;

static int check_index(const struct rspb_entries *index, struct rspb_err *err)
{
	for (size_t i = 1; i < index->n; i++) {
		const struct rspb_booking *a = rspb_entries_at(index, i - 1)->booking;
		const struct rspb_booking *b = rspb_entries_at(index, i)->booking;

		if (a->start > b->start ||
		    (a->start == b->start && a->request->id >= b->request->id))
			return rspb_fail(err,
					 "booking %" PRIu64 " is out of "
					 "order by start",
					 b->request->id);
	}
	for (size_t i = 0; i < index->n; i++) {
		const struct rspb_held *entry = rspb_entries_at(index, i);

		if (rspb_entries_find(index, entry->booking->request->id) != entry)
			return rspb_fail(err, "entry %zu can't be found", i);
	}
	return 0;
}

/* Add what the entries say each node holds from now on: node-seconds of
 * whole-node bookings, units x seconds of shares. */
static void sum_entries(const struct rspb_ledger *l, int64_t *whole, int64_t *shares)
{
	for (size_t i = 0; i < l->index.n; i++) {
		const struct rspb_held *entry = rspb_entries_at(&l->index, i);
		const struct rspb_booking *b = entry->booking;
		int64_t from = b->start > l->now ? b->start : l->now;
		int64_t length = entry->until - from;

		for (uint32_t g = 0; length > 0 && g < b->n_grants; g++) {
			const struct rspb_grant *grant = &b->grants[g];
			uint32_t n = rspb_nodeset_next(grant->nodes, 0);

			for (; n < l->nodes; n = rspb_nodeset_next(grant->nodes, n + 1))
				if (grant->share)
					shares[n] += rspb_part_on(&b->request->parts[g],
								  grant->share, n) *
						     length;
				else
					whole[n] += length;
		}
	}
}

static int compare_sums(const struct rspb_ledger *l, const int64_t *want, const int64_t *got,
			const char *what, struct rspb_err *err)
{
	for (uint32_t n = 0; n < l->nodes; n++)
		if (want[n] != got[n])
			return rspb_fail(err,
					 "node %" PRIu32 ": bookings hold "
					 "%" PRId64 " of %s, %" PRId64 " are marked",
					 n, want[n], what, got[n]);
	return 0;
}

/* With blocks the profile holds more than the bookings, rightly. */
static int check_sums(const struct rspb_ledger *l, int64_t *whole, int64_t *shares, int64_t *got,
		      struct rspb_err *err)
{
	sum_entries(l, whole, shares);
	if (rspb_profile_load(l->whole, l->now, far_away, got, err))
		return -1;
	if (!rspb_blocks_count(l->blocks) && compare_sums(l, whole, got, "node-seconds", err))
		return -1;
	if (!l->shares)
		return 0;
	if (rspb_shares_loads(l->shares, l->now, far_away, got, err))
		return -1;
	return compare_sums(l, shares, got, "share", err);
}

int validate_ledger(const struct rspb_ledger *l, struct rspb_err *err)
{
	int64_t *sums;
	int rc;

	if (check_index(&l->index, err) || validate_profile(l->whole, err) ||
	    (l->all && validate_profile(l->all, err)) ||
	    (l->shares && validate_shares(l->shares, err)))
		return -1;
	sums = calloc((size_t) l->nodes * 3 + 1, sizeof(*sums));
	if (!sums)
		return rspb_fail(err, "out of memory");
	rc = check_sums(l, sums, sums + l->nodes, sums + 2 * l->nodes, err);
	free(sums);
	return rc;
}
