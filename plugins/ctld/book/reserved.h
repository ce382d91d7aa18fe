/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings that are reservations without a job: an operator's, or a group's. */
#ifndef RSPB_CTLD_BOOK_RESERVED_H
#define RSPB_CTLD_BOOK_RESERVED_H

#include <stdbool.h>
#include <stdint.h>

#include "common/ledger/ledger.h"
#include "plugins/compat/resv.h"

/* Whether a booking is one. */
bool rspb_reserved_is(uint64_t id);
/* RET the user whose it is, 0: an operator's, or a job's. */
uint32_t rspb_reserved_owner(const struct rspb_request *request);
/* Slurm's number of the reservation that holds a booking. */
uint32_t rspb_reserved_number(uint64_t id);
/* RET an id that no booking of this ledger has. */
uint64_t rspb_reserved_new_id(const struct rspb_ledger *ledger, uint32_t reservation);
/* The booking of a reservation that has not ended, by Slurm's number; NULL:
 * none (0 is none's). */
const struct rspb_booking *rspb_reserved_find(uint32_t reservation);

/* Call `other` (NULL: nobody) for each reservation that is not of a booked job, then
 * fn for each booking of the ledger that is a reservation's, by id, also one that is over,
 * with that reservation (NULL: it is gone), until one returns non-zero. Slurm's list
 * is walked once at most. Wants the read lock; RET what was returned, else 0; -1:
 * out of memory. */
typedef int (*rspb_reserved_fn)(const struct rspb_booking *booking, const struct rspb_resv *resv,
				void *arg);
int rspb_reserved_each(const struct rspb_ledger *ledger, int64_t now, rspb_resv_fn other,
		       rspb_reserved_fn fn, void *arg);

/* The reservations of bookings that exist, by booking and part, for asking about many: Slurm's own
 * list is walked once. init: RET 0, or -1 without memory, nothing to free. */
struct rspb_resv_keys {
	size_t n, room;
	struct rspb_resv_key *items; /* NULL: not made */
};
int rspb_resv_keys_init(struct rspb_resv_keys *keys);
void rspb_resv_keys_fini(struct rspb_resv_keys *keys);
/* out may be NULL; else under the lock that was held for init(). */
bool rspb_resv_keys_find(const struct rspb_resv_keys *keys, uint64_t id, uint32_t part, int64_t now,
			 struct rspb_resv *out);

#endif
