/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/operators/internal.h"

/* No job has this number. */
#define NO_JOB UINT64_C(0xffffffff)
enum { NUMBER_SHIFT = 32, COUNT_SHIFT = 48, COUNT_MAX = 1 << 12 };

/* The highest count that was given out: what came before may be forgotten. */
static uint64_t count_most;

bool rspb_operator_is(uint64_t id)
{
	return id > NO_JOB && (id & NO_JOB) == NO_JOB;
}

/* A reservation may be booked again after its booking was given up. */
static uint64_t id_of(uint32_t reservation, uint64_t count)
{
	return count << COUNT_SHIFT | (uint64_t) reservation << NUMBER_SHIFT |
	       NO_JOB;
}

uint32_t rspb_operator_number(uint64_t id)
{
	return id >> NUMBER_SHIFT & 0xffff;
}

uint64_t rspb_operator_new_id(const struct rspb_ledger *ledger,
			      uint32_t reservation)
{
	uint64_t count = 0;

	while (count < COUNT_MAX &&
	       rspb_ledger_find(ledger, id_of(reservation, count)))
		count++;
	if (count > count_most)
		count_most = count;
	return id_of(reservation, count);
}

const struct rspb_booking *rspb_operator_find(uint32_t reservation)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	const struct rspb_booking *b;

	for (uint64_t count = 0; ledger && count <= count_most; count++) {
		b = rspb_ledger_find(ledger, id_of(reservation, count));
		if (b && !rspb_state_final(b->state))
			return b;
	}
	return NULL;
}
