/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What schedulers are told of the book by its calendar is what a walk over all bookings
 * says. */
#include "plugins/ctld/book/book.h"

#include <stdlib.h>

#include "common/calendar/profile.h"
#include "plugins/ctld/book/state.h"
#include "tests/unit/runner.h"

enum { NODES = 70, BOOKINGS = 60, SPAN = 1000, NEVER = SPAN * 10 };

static struct rspb_ledger *ledger;

/* That of book/beside.c. */
bool rspb_booking_held(const struct rspb_booking *b)
{
	return b->state >= RSPB_BOOKED && b->n_grants && !rspb_state_final(b->state);
}

/* On a few of the nodes that are free then, if any. */
static void book(uint64_t id)
{
	int64_t start = rand() % SPAN, end = start + 1 + rand() % 50;
	struct rspb_request *request = rspb_request_create(1);
	struct rspb_record record = { .kind = RSPB_REC_BOOK, .id = id };
	struct rspb_nodeset *booked = rspb_nodeset_create(NODES);
	struct rspb_booking *booking;

	request->id = id;
	request->ready = start;
	request->deadline = end;
	request->duration = end - start;
	request->parts[0].nodes = request->parts[0].nodes_min = 1;
	booking = rspb_booking_create(request);
	ck_assert(!rspb_booking_grant(booking, NODES, NULL));
	rspb_view_booked(ledger, id, start, end, booked);
	for (uint32_t n = (uint32_t) rand() % NODES, i = 0; i < 9; i++, n++)
		if (!rspb_nodeset_has(booked, n % NODES))
			rspb_nodeset_add(booking->grants[0].nodes, n % NODES);
	booking->state = RSPB_BOOKED;
	booking->start = start;
	booking->end = end;
	record.booking = booking;
	if (!rspb_nodeset_empty(booking->grants[0].nodes))
		ck_assert(!rspb_ledger_apply(ledger, &record, NULL));
	rspb_nodeset_destroy(booked);
	rspb_booking_destroy(booking);
	rspb_request_destroy(request);
}

static void fill(void)
{
	srand(7);
	ledger = rspb_ledger_create(NODES, NULL, 0);
	for (uint64_t id = 1; id <= BOOKINGS; id++)
		book(id);
}

static void empty(void)
{
	rspb_profile_destroy(rspb_book->view.profile);
	rspb_book->view.profile = NULL;
	rspb_ledger_destroy(ledger);
}

static void walk(int64_t start, int64_t end, struct rspb_nodeset *set)
{
	rspb_nodeset_clear(set);
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start < end && b->end > start && rspb_booking_held(b))
			rspb_nodeset_or(set, b->grants[0].nodes);
	}
}

START_TEST(booked_is_what_a_walk_says)
{
	struct rspb_nodeset *told = rspb_nodeset_create(NODES);
	struct rspb_nodeset *is = rspb_nodeset_create(NODES);

	for (int i = 0; i < 500; i++) {
		int64_t start = rand() % SPAN;
		int64_t end = i % 7 ? start + 1 + rand() % 200 : RSPB_TIME_MAX;

		rspb_view_booked(ledger, BOOKINGS + 1, start, end, told);
		walk(start, end, is);
		ck_assert(rspb_nodeset_equal(told, is));
	}
	ck_assert(!rspb_view_shares(ledger, BOOKINGS + 1));
	rspb_nodeset_destroy(told);
	rspb_nodeset_destroy(is);
}
END_TEST

START_TEST(first_is_the_first_with_room)
{
	struct rspb_nodeset *of = rspb_nodeset_create(NODES);
	struct rspb_nodeset *is = rspb_nodeset_create(NODES);

	for (int i = 0; i < 200; i++) {
		int64_t from = rand() % SPAN, seconds = 1 + rand() % 100;
		uint32_t want = 1 + (uint32_t) rand() % 40;
		int64_t first = from, start = -1;

		rspb_nodeset_clear(of);
		for (uint32_t n = 0; n < NODES; n++)
			if (rand() % 3)
				rspb_nodeset_add(of, n);
		if (rspb_nodeset_count(of) < want)
			continue;
		for (; first < NEVER; first++) {
			struct rspb_nodeset *left = rspb_nodeset_clone(of);
			bool fits;

			walk(first, first + seconds, is);
			rspb_nodeset_minus(left, is);
			fits = rspb_nodeset_count(left) >= want;
			rspb_nodeset_destroy(left);
			if (fits)
				break;
		}
		ck_assert(rspb_view_first(ledger, BOOKINGS + 1, from, seconds, want, of, &start));
		ck_assert_int_eq(start, first);
	}
	rspb_nodeset_destroy(of);
	rspb_nodeset_destroy(is);
}
END_TEST

START_TEST(what_was_booked_since_is_seen)
{
	struct rspb_nodeset *told = rspb_nodeset_create(NODES);
	struct rspb_nodeset *is = rspb_nodeset_create(NODES);

	rspb_view_booked(ledger, BOOKINGS + 1, 0, SPAN, told);
	book(BOOKINGS + 2);
	rspb_view_booked(ledger, BOOKINGS + 2, 0, SPAN, told);
	walk(0, SPAN, is);
	ck_assert(rspb_nodeset_equal(told, is));
	rspb_nodeset_fill(is);
	ck_assert(!rspb_view_first(ledger, BOOKINGS + 2, 0, 10, NODES + 1, is, &(int64_t){ 0 }));
	rspb_nodeset_destroy(told);
	rspb_nodeset_destroy(is);
}
END_TEST

static Suite *suite(void)
{
	Suite *made = suite_create("view");
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, fill, empty);
	tcase_add_test(tcase, booked_is_what_a_walk_says);
	tcase_add_test(tcase, first_is_the_first_with_room);
	tcase_add_test(tcase, what_was_booked_since_is_seen);
	suite_add_tcase(made, tcase);
	return made;
}

RUN_SUITE(suite)
