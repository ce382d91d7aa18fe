/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes that are not alike: a booking is as long as its slowest node takes. */
#include "common/plan/schedule.h"
#include "tests/unit/plan/requests.h"

enum { NODES = 6, NOW = 0, START = 600 };

/* Two nodes of half as much again, two usual ones, two of 70 per cent. */
static struct rspb_ledger *machine(void)
{
	const uint32_t speeds[NODES] = { 150, 150, 100, 100, 70, 70 };
	struct rspb_ledger *ledger = rspb_ledger_create(NODES, NULL, NOW);

	ck_assert_int_eq(rspb_ledger_speed(ledger, speeds), 0);
	return ledger;
}

/* Half an hour on a usual node, in whole minutes. */
static struct rspb_request *wish(uint32_t nodes, int64_t deadline)
{
	struct rspb_request *request = ask(1, START, 1800, nodes);
	const struct rspb_form form = { nodes, 1800 };

	ck_assert_int_eq(rspb_request_set_forms(request, &form, 1), 0);
	request->step = 60;
	request->punctual = !deadline;
	if (deadline)
		request->deadline = deadline;
	return request;
}

static void taken(struct rspb_ledger *ledger, const char *nodes, int64_t until)
{
	struct rspb_nodeset *set = nodes_of(NODES, nodes);

	ck_assert_int_eq(rspb_ledger_block(ledger, NOW, until, set, NULL), 0);
	rspb_nodeset_destroy(set);
}

/* What is decided is on these nodes ("": declined), from then on, for so long, and
 * reckoned by that speed. */
static void decides(struct rspb_ledger *ledger, struct rspb_request *request, const char *nodes,
		    int64_t start, int64_t seconds, uint32_t speed)
{
	const struct rspb_request *const list[] = { request };
	struct rspb_policy policy = policy_of("live");
	struct rspb_booking *out[1];
	struct rspb_err err = { "" };
	char text[64];

	ck_assert_msg(!rspb_schedule_batch(ledger, &policy, list, 1, NOW, out, &err), "%s",
		      err.text);
	if (!*nodes) {
		ck_assert_int_eq(out[0]->state, RSPB_DECLINED);
	} else {
		ck_assert_int_eq(out[0]->state, RSPB_BOOKED);
		rspb_nodeset_print(out[0]->grants[0].nodes, text, sizeof(text));
		ck_assert_str_eq(text, nodes);
		ck_assert_int_eq(out[0]->start, start);
		ck_assert_int_eq(out[0]->end - start, seconds);
		ck_assert_int_eq(out[0]->request->duration, seconds);
		ck_assert_uint_eq(out[0]->request->speed, speed);
	}
	rspb_booking_destroy(out[0]);
	rspb_request_destroy(request);
	rspb_ledger_destroy(ledger);
}

START_TEST(the_fastest_are_over_first)
{
	decides(machine(), wish(2, 0), "0-1", START, 1200, 150);
}
END_TEST

START_TEST(the_slowest_counts)
{
	decides(machine(), wish(3, 0), "0-2", START, 1800, 100);
	/* 1800 / 0.7 are 2571.4 s, in whole minutes 43 of them. */
	decides(machine(), wish(5, 0), "0-4", START, 43 * 60, 70);
}
END_TEST

START_TEST(a_start_that_is_fixed_stays)
{
	struct rspb_ledger *ledger = machine();

	taken(ledger, "0-3", START + 600);
	decides(ledger, wish(2, 0), "4-5", START, 43 * 60, 70);
}
END_TEST

START_TEST(never_beyond_the_deadline)
{
	struct rspb_ledger *ledger = machine();

	taken(ledger, "0-3", 86400);
	decides(ledger, wish(2, START + 43 * 60 - 1), "", 0, 0, 0);
	ledger = machine();
	taken(ledger, "0-3", 86400);
	decides(ledger, wish(2, START + 43 * 60), "4-5", START, 43 * 60, 70);
}
END_TEST

/* Sooner done later on fast ones than now on slow ones. */
START_TEST(within_a_window_the_end_counts)
{
	struct rspb_ledger *ledger = machine();
	struct rspb_request *request = wish(2, 86400);

	request->asap = true;
	taken(ledger, "0-3", START + 600);
	decides(ledger, request, "0-1", START + 600, 1200, 150);
}
END_TEST

START_TEST(named_nodes_are_as_fast_as_they_are)
{
	struct rspb_request *request = wish(2, 0);

	request->parts[0].fixed = nodes_of(NODES, "1,4");
	decides(machine(), request, "1,4", START, 43 * 60, 70);
	request = wish(2, 0);
	request->parts[0].fixed = nodes_of(NODES, "3");
	decides(machine(), request, "0,3", START, 1800, 100);
}
END_TEST

/* Three usual nodes, of which two are taken for an hour. */
static struct rspb_ledger *gap(int64_t from)
{
	struct rspb_ledger *ledger = rspb_ledger_create(3, NULL, NOW);
	struct rspb_nodeset *set = nodes_of(3, "0-1");

	ck_assert_int_eq(rspb_ledger_block(ledger, from, from + 3600, set, NULL), 0);
	rspb_nodeset_destroy(set);
	return ledger;
}

static struct rspb_request *brief(uint32_t nodes, int64_t deadline, int64_t shortest)
{
	struct rspb_request *request = wish(nodes, deadline);

	request->shortest = shortest;
	return request;
}

START_TEST(as_long_as_the_gap_lasts)
{
	decides(gap(START + 1000), brief(2, 0, 600), "0-1", START, 960, 0);
	decides(gap(START + 600), brief(2, 0, 600), "0-1", START, 600, 0);
	decides(gap(START + 599), brief(2, 0, 600), "", 0, 0, 0);
	/* Where all of it has a place, later, it is as long as it asks for. */
	decides(gap(START + 1000), brief(2, START + 86400, 600), "0-1", START + 4600, 1800, 0);
	decides(gap(START + 1000), brief(1, 0, 600), "2", START, 1800, 0);
}
END_TEST

START_TEST(of_a_range_more_counts_first)
{
	struct rspb_request *request = wish(4, 0);

	request->parts[0].nodes_min = 1;
	benefit(request, "linear:25%");
	decides(machine(), request, "0-3", START, 1800, 100);
}
END_TEST

START_TEST(parts_are_as_long_as_the_slowest_of_all)
{
	struct rspb_request *request = wish(2, 0);

	/* All on the fast and the usual ones, of which there are four. */
	add_part(request, 1, 0);
	decides(machine(), request, "0-1", START, 1800, 100);
	request = wish(3, 0);
	add_part(request, 2, 0);
	decides(machine(), request, "0-2", START, 43 * 60, 70);
	/* Fast ones alone, as long as they are enough. */
	request = wish(1, 0);
	add_part(request, 1, 0);
	decides(machine(), request, "0", START, 1200, 150);
	/* One that is named holds all of them up. */
	request = wish(1, 0);
	add_part(request, 1, 0)->fixed = nodes_of(NODES, "5");
	decides(machine(), request, "0", START, 43 * 60, 70);
}
END_TEST

/* Booked on the two fast nodes, of which the first fails. RET what was found, its booking
 * in *now. */
static enum rspb_rescued rescued(struct rspb_ledger *ledger, struct rspb_request *request,
				 bool same, const struct rspb_booking **now)
{
	const struct rspb_request *const list[] = { request };
	struct rspb_policy policy = policy_of("live");
	struct rspb_rescue rescue = { .id = 1, .earliest = NOW + 2, .same = same };
	struct rspb_booking *out[1];
	struct rspb_err err = { "" };
	int rc;

	ck_assert_msg(!rspb_schedule_batch(ledger, &policy, list, 1, NOW, out, &err), "%s",
		      err.text);
	ck_assert_uint_eq(out[0]->request->speed, 150);
	rspb_booking_destroy(out[0]);
	rspb_request_destroy(request);
	taken(ledger, "0", 2 * 86400);
	rc = rspb_rescue_booking(ledger, &policy, &rescue, &err);
	ck_assert_msg(rc >= 0, "%s", err.text);
	ck_assert_int_eq(rc, rescue.how != RSPB_RESCUED_NOT);
	ck_assert_msg(!validate_ledger(ledger, &err), "%s", err.text);
	*now = rspb_ledger_find(ledger, 1);
	ck_assert_ptr_nonnull(*now);
	return rescue.how;
}

/* The one that is lost has no like: the booking is longer, if its window is. */
START_TEST(a_lost_fast_node_is_replaced_by_a_slower_one)
{
	struct rspb_ledger *ledger = machine();
	const struct rspb_booking *now;

	ck_assert_int_eq(rescued(ledger, wish(2, 86400), false, &now), RSPB_RESCUED_SLOWER);
	ck_assert_int_eq(now->start, START);
	ck_assert_int_eq(now->end, START + 1800);
	ck_assert_int_eq(now->request->duration, 1800);
	ck_assert_uint_eq(now->request->speed, 100);
	ck_assert_uint_eq(rspb_nodeset_count(now->grants[0].nodes), 2);
	rspb_ledger_destroy(ledger);

	/* A start that was asked for stays, and the end follows from it. */
	ledger = machine();
	taken(ledger, "2-3", 86400);
	ck_assert_int_eq(rescued(ledger, wish(2, 0), false, &now), RSPB_RESCUED_SLOWER);
	ck_assert_int_eq(now->start, START);
	ck_assert_int_eq(now->end, START + 43 * 60);
	ck_assert_uint_eq(now->request->speed, 70);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(but_not_beyond_its_deadline)
{
	struct rspb_ledger *ledger = machine();
	const struct rspb_booking *now;

	taken(ledger, "2-3", 2 * 86400);
	ck_assert_int_eq(rescued(ledger, wish(2, START + 43 * 60 - 1), false, &now),
			 RSPB_RESCUED_NOT);
	ck_assert_int_eq(now->end, START + 1200);
	rspb_ledger_destroy(ledger);
	ledger = machine();
	taken(ledger, "2-3", 2 * 86400);
	ck_assert_int_eq(rescued(ledger, wish(2, START + 43 * 60), false, &now),
			 RSPB_RESCUED_SLOWER);
	rspb_ledger_destroy(ledger);
	/* Nor while the node may be back in a moment. */
	ledger = machine();
	ck_assert_int_eq(rescued(ledger, wish(2, 86400), true, &now), RSPB_RESCUED_NOT);
	rspb_ledger_destroy(ledger);
}
END_TEST

RUN_TESTS("speed", NULL, NULL, 0, the_fastest_are_over_first, the_slowest_counts,
	  a_start_that_is_fixed_stays, never_beyond_the_deadline, within_a_window_the_end_counts,
	  named_nodes_are_as_fast_as_they_are, of_a_range_more_counts_first,
	  as_long_as_the_gap_lasts, parts_are_as_long_as_the_slowest_of_all,
	  a_lost_fast_node_is_replaced_by_a_slower_one, but_not_beyond_its_deadline)
