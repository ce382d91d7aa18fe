/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/ledger/held.h"

#include <stdlib.h>

struct rspb_held *rspb_held_create(const struct rspb_booking *booking)
{
	struct rspb_held *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	entry->booking = rspb_booking_keep(booking);
	if (!entry->booking) {
		free(entry);
		return NULL;
	}
	atomic_init(&entry->holders, 1);
	for (uint32_t i = 0; i < booking->n_grants; i++) {
		entry->shares |= booking->grants[i].share > 0;
		entry->whole |= booking->grants[i].share == 0;
	}
	entry->until = booking->end;
	if (entry->whole && !entry->shares)
		entry->until += booking->request->clean_up;
	return entry;
}

void rspb_held_release(struct rspb_held *entry)
{
	if (!entry || atomic_fetch_sub(&entry->holders, 1) != 1)
		return;
	rspb_booking_destroy(entry->booking);
	free(entry);
}

bool rspb_held_same(const struct rspb_held *a, const struct rspb_held *b)
{
	const struct rspb_booking *one = a->booking, *other = b->booking;
	bool same = a->until == b->until && one->start == other->start &&
		    one->n_grants == other->n_grants;

	for (uint32_t i = 0; same && i < one->n_grants; i++)
		same = one->grants[i].share == other->grants[i].share &&
		       (!one->grants[i].share ||
			(rspb_part_same_quotas(&one->request->parts[i],
					       &other->request->parts[i]) &&
			 rspb_part_same_odd(&one->request->parts[i], &other->request->parts[i]))) &&
		       rspb_nodeset_equal(one->grants[i].nodes, other->grants[i].nodes);
	return same;
}
