/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which booking a reservation of an operator is, also when it was booked before. */
#include "plugins/ctld/book/book.h"
#include "tests/unit/plan/records.h"
#include "tests/unit/runner.h"

enum { RESERVATION = 7, OTHER = 8 };

static struct rspb_ledger *ledger;

const struct rspb_ledger *rspb_book_ledger(void)
{
	return ledger;
}

/* Slurm's reservations of others, in any order, and how often they were walked. */
static struct {
	uint32_t ids[64];
	size_t n, walks;
} slurm;

/* Nothing here asks for a reservation by its booking. */
void rspb_resv_view(void *handle, int64_t now, struct rspb_resv *out)
{
	(void) handle;
	(void) now;
	(void) out;
	ck_abort();
}

int rspb_resv_each(enum rspb_resv_which which, int64_t now, rspb_resv_fn fn, void *arg)
{
	int rc = 0;

	ck_assert_int_eq(which, RSPB_RESV_OF_OTHERS);
	(void) now;
	slurm.walks++;
	for (size_t i = 0; i < slurm.n && !rc; i++)
		rc = fn(&(struct rspb_resv){ .id = slurm.ids[i] }, arg);
	return rc;
}

static uint64_t booked(uint32_t reservation, int64_t start, int64_t end)
{
	uint64_t id = rspb_reserved_new_id(ledger, reservation);

	ck_assert(rspb_reserved_is(id));
	ck_assert_uint_eq(rspb_reserved_number(id), reservation);
	ck_assert_int_eq(put(ledger, RSPB_REC_BOOK, made(id, start, end, "0", 0), NULL), 0);
	return id;
}

static void cancelled(uint64_t id)
{
	struct rspb_record record = { .kind = RSPB_REC_EVENT, .id = id, .event = RSPB_EV_CANCEL };

	ck_assert_int_eq(rspb_ledger_apply(ledger, &record, NULL), 0);
}

static uint64_t found(uint32_t reservation)
{
	const struct rspb_booking *b = rspb_reserved_find(reservation);

	return b ? b->request->id : 0;
}

START_TEST(the_one_that_has_not_ended)
{
	uint64_t first, second;

	ledger = fresh();
	ck_assert_uint_eq(found(RESERVATION), 0);
	first = booked(RESERVATION, 10, 20);
	ck_assert_uint_eq(found(RESERVATION), first);
	ck_assert_uint_eq(found(OTHER), 0);
	cancelled(first);
	ck_assert_uint_eq(found(RESERVATION), 0);
	second = booked(RESERVATION, 10, 20);
	ck_assert_uint_ne(second, first);
	ck_assert_uint_eq(found(RESERVATION), second);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Those that ended long ago are forgotten, and hide nobody. */
START_TEST(the_first_is_forgotten)
{
	const struct rspb_record advance = { .kind = RSPB_REC_ADVANCE, .time = 1000 };
	uint64_t first, second, third;

	ledger = fresh();
	first = booked(RESERVATION, 10, 20);
	cancelled(first);
	second = booked(RESERVATION, 5000, 5010);
	ck_assert_int_eq(rspb_ledger_apply(ledger, &advance, NULL), 0);
	ck_assert_uint_eq(rspb_ledger_purge(ledger, 100), 1);
	ck_assert_ptr_null(rspb_ledger_find(ledger, first));
	ck_assert_uint_eq(found(RESERVATION), second);
	cancelled(second);
	third = booked(RESERVATION, 6000, 6010);
	ck_assert_uint_eq(found(RESERVATION), third);
	ck_assert_uint_eq(found(OTHER), 0);
	rspb_ledger_destroy(ledger);
}
END_TEST

struct met {
	size_t there, gone, others;
};

static int meet(const struct rspb_booking *b, const struct rspb_resv *resv, void *arg)
{
	struct met *met = arg;

	if (resv)
		ck_assert_uint_eq(resv->id, rspb_reserved_number(b->request->id));
	*(resv ? &met->there : &met->gone) += 1;
	return 0;
}

static int count(const struct rspb_resv *resv, void *arg)
{
	(void) resv;
	((struct met *) arg)->others++;
	return 0;
}

/* What Slurm has is walked once, however many bookings there are. */
START_TEST(all_with_their_reservations)
{
	struct met met = { 0 };

	ledger = fresh();
	slurm.walks = slurm.n = 0;
	ck_assert_int_eq(rspb_reserved_each(ledger, 0, NULL, meet, &met), 0);
	ck_assert_uint_eq(slurm.walks, 0);
	for (uint32_t i = 0; i < 40; i++)
		booked(i + 1, 100 * i + 10, 100 * i + 20);
	ck_assert_int_eq(put(ledger, RSPB_REC_BOOK, made(5, 9000, 9010, "0", 0), NULL), 0);
	ck_assert_uint_eq(rspb_ledger_from(ledger, 0)->request->id, 5);
	ck_assert(rspb_reserved_is(rspb_ledger_from(ledger, 6)->request->id));
	ck_assert_ptr_null(rspb_ledger_from(ledger, UINT64_MAX));
	/* the even numbers, from behind, and some that are nobody's */
	for (uint32_t i = 60; i > 0; i -= 2)
		slurm.ids[slurm.n++] = i;
	ck_assert_int_eq(rspb_reserved_each(ledger, 0, NULL, meet, &met), 0);
	ck_assert_uint_eq(slurm.walks, 1);
	ck_assert_uint_eq(met.there, 20);
	ck_assert_uint_eq(met.gone, 20);
	ck_assert_int_eq(rspb_reserved_each(ledger, 0, count, meet, &met), 0);
	ck_assert_uint_eq(slurm.walks, 2);
	ck_assert_uint_eq(met.others, 30);
	rspb_ledger_destroy(ledger);
}
END_TEST

RUN_TESTS("operator_id", NULL, NULL, 0, the_one_that_has_not_ended, the_first_is_forgotten,
	  all_with_their_reservations)
