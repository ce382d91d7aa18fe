/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What windows that were not used count for, and for how long. */
#include "plugins/ctld/book/no_show.h"
#include "tests/unit/plan/records.h"

/* What the journal would hear, which is read back below. */
static struct json_object *noted[8];
static int n_noted;

void rspb_durable_note(const char *kind, struct json_object *value, int64_t now)
{
	(void) now;
	ck_assert_str_eq(kind, "no_show");
	ck_assert_int_lt(n_noted, 8);
	noted[n_noted++] = value;
}

enum { ANN = 1000, BOB = 1001, HOUR = 3600 };

static void note(enum rspb_no_show rule, uint64_t id, int64_t start, int64_t end, int64_t now,
		 const char *wanted)
{
	struct rspb_config config = { .no_show = rule, .no_show_bar = 60 };
	struct rspb_booking *b = made(id, start, end, "0-1", 0);
	char what[80];

	b->request->user = ANN;
	rspb_no_show_note(b, &config, now, what, sizeof(what));
	ck_assert_str_eq(what, wanted);
	rspb_booking_destroy(b);
}

static void holds(uint32_t user, int64_t now, uint32_t bookings, int64_t ahead)
{
	struct rspb_holding held = rspb_no_show_held(user, now);

	ck_assert_uint_eq(held.bookings, bookings);
	ck_assert_int_eq(held.ahead, ahead);
}

START_TEST(what_counts_does_to_its_end)
{
	note(RSPB_NO_SHOW_FORGET, 1, 100, 200, 50, "");
	note(RSPB_NO_SHOW_COUNT, 2, 100, 200, 300, "");
	holds(ANN, 50, 0, 0);
	note(RSPB_NO_SHOW_COUNT, 3, 1000, 1000 + 2 * HOUR, 50,
	     "; until 1970-01-01T02:16:40Z it counts as booked "
	     "(NoShow=count)");
	/* Two nodes, and only from the start of the window on. */
	holds(ANN, 50, 1, 4 * HOUR);
	holds(ANN, 1000 + HOUR, 1, 2 * HOUR);
	holds(BOB, 50, 0, 0);
	ck_assert_int_eq(rspb_no_show_check(ANN, 50, NULL), 0);
	holds(ANN, 1000 + 2 * HOUR, 0, 0);
}
END_TEST

START_TEST(a_bar_may_end_before_the_window)
{
	struct rspb_err err;

	note(RSPB_NO_SHOW_BAR, 4, 100, 200, 50,
	     "; until 1970-01-01T00:01:50Z you can book nothing "
	     "(NoShow=bar)");
	ck_assert_int_eq(rspb_no_show_check(ANN, 109, &err), -1);
	ck_assert_str_eq(err.text, "booking 4 was not used, so you can book nothing "
				   "until 1970-01-01T00:01:50Z (NoShow=bar)");
	ck_assert_int_eq(rspb_no_show_check(BOB, 109, NULL), 0);
	ck_assert_int_eq(rspb_no_show_check(ANN, 110, NULL), 0);
	holds(ANN, 110, 1, 180);
	holds(ANN, 200, 0, 0);
}
END_TEST

/* What a slurmctld that has just begun reads of one of Bob's; twice is once. */
START_TEST(the_journal_keeps_it)
{
	note(RSPB_NO_SHOW_COUNT, 5, 1000, 1000 + 2 * HOUR, 50,
	     "; until 1970-01-01T02:16:40Z it counts as booked "
	     "(NoShow=count)");
	ck_assert_int_eq(n_noted, 1);
	rspb_no_show_durable.take(noted[0], 50);
	holds(ANN, 50, 1, 4 * HOUR);
	json_object_object_add(noted[0], "user", json_object_new_int(BOB));
	rspb_no_show_durable.take(noted[0], 50);
	rspb_no_show_durable.take(noted[0], 50);
	holds(BOB, 50, 1, 4 * HOUR);
	rspb_no_show_durable.tell(60);
	ck_assert_int_eq(n_noted, 3);
	for (int i = 0; i < n_noted; i++)
		json_object_put(noted[i]);
}
END_TEST

RUN_TESTS("no_show", NULL, NULL, 0, what_counts_does_to_its_end, a_bar_may_end_before_the_window,
	  the_journal_keeps_it)
