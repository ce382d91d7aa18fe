/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A booking in a ledger: never changed once it is in, and shared, counted,
 * between a ledger and its clones. */
#ifndef RSPB_LEDGER_HELD_H
#define RSPB_LEDGER_HELD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/request/booking.h"

struct rspb_held {
	atomic_uint holders;
	struct rspb_booking *booking; /* owned */
	int64_t until;		      /* occupies [start, until); start when it never did.
			* With the time to clean up, where that could be had */
	bool whole, shares;	      /* has parts of that kind */
};

/* RET an entry held once that owns a clone of booking, or NULL. */
struct rspb_held *rspb_held_create(const struct rspb_booking *booking);
void rspb_held_release(struct rspb_held *entry);
/* Whether both hold the same of the same nodes at the same time. */
bool rspb_held_same(const struct rspb_held *a, const struct rspb_held *b);

#endif
