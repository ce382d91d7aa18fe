/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The batch loop: the worked examples of the papers, and the live default. */
#include "tests/unit/plan/requests.h"

static struct rspb_ledger *machines(uint32_t n, const int64_t *capacity)
{
	return rspb_ledger_create(n, capacity, 0);
}
#define CAPACITY(...) ((const int64_t[]){ __VA_ARGS__ })
#define BATCH(ledger, preset, n, ...)                                                              \
	decide(ledger, preset, 0, n, requests, (const char *const[]){ __VA_ARGS__ })

START_TEST(higher_priority_goes_first)
{
	struct rspb_ledger *ledger = machines(1, CAPACITY(7000));
	struct rspb_request *requests[] = {
		ask_shares(1, 100, 10, "hard", SHARES(5000)),
		ask_shares(2, 105, 10, "linear", SHARES(6000)),
	};

	requests[0]->priority = 1;
	requests[1]->priority = 5;
	BATCH(ledger, "rspb", 2, "declined", "105-115 0:6000");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(soft_request_gets_what_is_free)
{
	struct rspb_ledger *ledger = machines(1, CAPACITY(7000));
	struct rspb_request *requests[] = {
		ask_shares(1, 100, 10, "hard", SHARES(5000)),
		ask_shares(2, 105, 15, "linear", SHARES(6000)),
	};

	requests[0]->priority = 9;
	requests[1]->priority = 5;
	BATCH(ledger, "rspb", 2, "100-110 0:5000", "105-120 0:2000");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(least_average_load)
{
	struct rspb_ledger *ledger = machines(2, CAPACITY(7000, 7000));
	struct rspb_request *requests[] = {
		ask_shares(1, 2000, 10, "hard", SHARES(3000)),
		ask_shares(2, 2000, 4, "hard", SHARES(4000)),
		ask_shares(3, 2000, 10, "hard", SHARES(3000)),
	};

	BATCH(ledger, "rspb", 3, "2000-2010 0:3000", "2000-2004 1:4000", "2000-2010 1:3000");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(largest_minimum_of_a_co_reservation_first)
{
	struct rspb_ledger *ledger = machines(2, CAPACITY(10000, 6000));
	struct rspb_request *requests[] = {
		ask_shares(1, 100, 10, "linear", SHARES(4000, 5000)),
	};

	BATCH(ledger, "co-rspb", 1, "100-110 0:4000 1:5000");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(co_reservation_whole_or_not_at_all)
{
	struct rspb_ledger *ledger = machines(1, CAPACITY(5000));
	struct rspb_request *requests[] = {
		ask_shares(1, 100, 10, "hard", SHARES(3000, 3000)),
		ask_shares(2, 100, 10, "hard", SHARES(5000)),
	};

	requests[0]->priority = 10;
	BATCH(ledger, "co-rspb", 2, "declined", "100-110 0:5000");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(fixed_machines)
{
	struct rspb_ledger *ledger = machines(2, CAPACITY(10000, 10000));
	struct rspb_request *requests[] = {
		ask_shares(1, 100, 10, "hard", SHARES(7000)),
		ask_shares(2, 100, 10, "linear", SHARES(4000, 8000)),
	};

	requests[0]->priority = 5;
	requests[0]->parts[0].fixed = nodes_of(2, "1");
	requests[1]->parts[0].fixed = nodes_of(2, "0");
	requests[1]->parts[1].fixed = nodes_of(2, "1");
	ck_assert_int_eq(rspb_benefit_read(&requests[1]->parts[1].benefit, "stairs", NULL), 0);
	BATCH(ledger, "co-rspb", 2, "100-110 1:7000", "100-110 0:4000 1:3000");
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Earlier parts may not starve later ones where the policy shares out. */
START_TEST(share_out)
{
	struct rspb_ledger *ledger = machines(1, CAPACITY(6000));
	struct rspb_request *requests[] = {
		ask_shares(1, 100, 10, "linear:50%", SHARES(6000, 6000)),
	};

	BATCH(ledger, "co-rspb", 1, "declined");
	requests[0] = ask_shares(1, 100, 10, "linear:50%", SHARES(6000, 6000));
	BATCH(ledger, "live", 1, "100-110 0:3000 0:3000");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(as_asked_or_not_at_all)
{
	struct rspb_ledger *ledger = machines(1, CAPACITY(7000));
	struct rspb_request *requests[] = {
		ask_shares(1, 100, 10, "linear", SHARES(5000)),
		ask_shares(2, 105, 10, "linear", SHARES(6000)),
	};

	requests[1]->priority = 99;
	requests[1]->arrival = 1;
	BATCH(ledger, "rb", 2, "100-110 0:5000", "declined");
	rspb_ledger_destroy(ledger);
	/* Also where half of it would be worth as much. */
	ledger = machines(1, CAPACITY(7000));
	requests[0] = ask_shares(1, 100, 10, "25%@0.5,50%@1", SHARES(6000));
	requests[1] = ask_shares(2, 120, 10, "25%@0.5,50%@1", SHARES(8000));
	BATCH(ledger, "rb", 2, "100-110 0:6000", "declined");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(equal_requests_by_arrival_whatever_their_place)
{
	struct rspb_ledger *ledger = machines(1, CAPACITY(7000));
	struct rspb_request *requests[] = {
		ask_shares(1, 100, 10, "hard", SHARES(5000)),
		ask_shares(2, 100, 10, "hard", SHARES(5000)),
	};

	requests[0]->arrival = 7;
	requests[1]->arrival = 3;
	BATCH(ledger, "rspb", 2, "declined", "100-110 0:5000");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(whole_nodes_and_shares_keep_apart)
{
	struct rspb_ledger *ledger = machines(3, CAPACITY(10000, 10000, 10000));
	struct rspb_request *requests[] = {
		ask_shares(1, 100, 50, "hard", SHARES(4000)),
		ask(2, 120, 50, 1),
		ask(3, 100, 50, 1),
		ask_shares(4, 150, 50, "hard", SHARES(6000)),
		ask(5, 100, 50, 1),
	};

	add_part(requests[1], 1, 5000);
	requests[4]->deadline = 1000;
	BATCH(ledger, "live", 5, "100-150 0:4000", "120-170 1 0:5000", "100-150 2",
	      "150-200 2:6000", "170-220 0");
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Three quarters are booked: half of the usual priority does not pay for 9/10 of a
 * CPU there, twice the usual does, and so it does in a window that is booked for
 * a short part of it only. */
START_TEST(shares_have_a_price)
{
	static const int64_t priorities[] = { 50, 25, 100, 100 };
	struct rspb_ledger *ledger = machines(1, CAPACITY(40000));
	struct rspb_request *requests[] = {
		ask_shares(1, 100, 10, "hard", SHARES(10000, 10000, 10000)),
		ask_shares(2, 100, 10, "hard", SHARES(9000)),
		ask_shares(3, 100, 10, "hard", SHARES(9000)),
		ask_shares(4, 100, 160, "hard", SHARES(900)),
	};
	struct rspb_policy policy = policy_of("lazy-price");

	for (int i = 0; i < 4; i++) {
		const struct rspb_request *list[] = { requests[i] };
		struct rspb_booking *out[1];
		struct rspb_err err = { "" };

		requests[i]->priority = priorities[i];
		ck_assert_msg(!rspb_schedule_batch(ledger, &policy, list, 1, 0, out, &err), "%s",
			      err.text);
		ck_assert_int_eq(out[0]->state, i == 1 ? RSPB_DECLINED : RSPB_BOOKED);
		ck_assert(i != 1 || strstr(rspb_booking_why(out[0]), "priority"));
		rspb_booking_destroy(out[0]);
		rspb_request_destroy(requests[i]);
	}
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(head_room)
{
	struct rspb_ledger *ledger = machines(2, CAPACITY(10000, 10000));
	struct rspb_request *requests[] = {
		ask_shares(1, 100, 10, "linear", SHARES(9000)),
		ask_shares(2, 100, 10, "linear", SHARES(9000)),
	};
	struct rspb_nodeset *empty;

	/* Priority 100 leaves nothing, 20 leaves half of four fifths. */
	requests[0]->priority = 100;
	requests[1]->priority = 20;
	BATCH(ledger, "co-rspb-headroom", 2, "100-110 0:9000", "100-110 1:6000");
	rspb_ledger_destroy(ledger);
	ledger = rspb_ledger_create(32, NULL, 0);
	requests[0] = ask(1, 0, 3600, 29);
	requests[1] = ask(2, 0, 3599, 3);
	requests[0]->arrival = 1;
	BATCH(ledger, "ff-headroom", 2, "declined", "0-3599 0-2");
	rspb_ledger_destroy(ledger);
	/* Half of the places have no nodes. */
	ledger = rspb_ledger_create(32, NULL, 0);
	empty = nodes_of(32, "16-31");
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 100000, empty, NULL), 0);
	rspb_ledger_set_machine(ledger, 16);
	requests[0] = ask(1, 0, 3600, 14);
	requests[1] = ask(2, 0, 3600, 1);
	BATCH(ledger, "ff-headroom", 2, "0-3600 0-13", "declined");
	rspb_nodeset_destroy(empty);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(next_batch)
{
	ck_assert_int_eq(rspb_schedule_due(50, INT64_MAX, 10), INT64_MAX);
	ck_assert_int_eq(rspb_schedule_due(50, 40, 10), 10);
	ck_assert_int_eq(rspb_schedule_due(50, 50, 10), 50);
	ck_assert_int_eq(rspb_schedule_due(50, 90, 60), 60);
}
END_TEST

/*
 * 8 nodes: 1 takes six of them up to 40. 2 may have 8 for 10 from 40 on, which ends at
 * 50, 4 for 20 (60), or 2 for 40 from 0 (40): the last. 3: 8 for 10 or 4 for 14: 50
 * or 54. 4: one of both ends at 60, 4 nodes for 10 are less work than 8. 5: nothing
 * fits, it is as it came. 6: 8 for 10 again, from 65 on.
 */
START_TEST(a_form_of_work)
{
	static const struct rspb_form forms[][3] = {
		{ { 8, 10 }, { 4, 20 }, { 2, 40 } },
		{ { 8, 10 }, { 4, 14 } },
		{ { 8, 10 }, { 4, 10 } },
		{ { 8, 10 }, { 4, 20 } },
		{ { 8, 10 }, { 4, 20 } },
	};
	static const uint32_t many[] = { 3, 2, 2, 2, 2 };
	struct rspb_ledger *ledger = machines(8, NULL);
	struct rspb_request *requests[6] = { ask(1, 0, 40, 6) };

	for (uint32_t i = 1; i < 6; i++) {
		requests[i] = ask(i + 1, 0, 10, 8);
		requests[i]->deadline = i == 4 ? 15 : i == 5 ? 85 : 100;
		ck_assert(!rspb_request_set_forms(requests[i], forms[i - 1], many[i - 1]));
	}
	requests[5]->ready = 65;
	BATCH(ledger, "li-ff", 6, "0-40 0-5", "0-40 6-7", "40-50 0-7", "50-60 0-3", "declined",
	      "65-75 0-7");
	rspb_ledger_destroy(ledger);
}
END_TEST

static void like(struct rspb_request *request, uint32_t i, uint32_t distance, const char *nodes)
{
	struct rspb_part *part = &request->parts[0];

	part->tiers = realloc(part->tiers, (i + 1) * sizeof(*part->tiers));
	ck_assert_ptr_nonnull(part->tiers);
	part->tiers[i] = (struct rspb_tier){ distance, nodes_of(8, nodes) };
	part->n_tiers = i + 1;
}

/* The nearest of those that are free, then farther ones, then those of which nothing is
 * said. */
START_TEST(nodes_that_are_preferred)
{
	struct rspb_ledger *ledger = machines(8, NULL);
	struct rspb_request *requests[] = { ask(1, 0, 10, 1), ask(2, 0, 10, 2), ask(3, 0, 10, 4) };

	for (int i = 0; i < 3; i++) {
		like(requests[i], 0, 0, "5-6");
		like(requests[i], 1, 700, "2,7");
	}
	ck_assert_uint_eq(rspb_part_distance(&requests[0]->parts[0],
					     requests[0]->parts[0].tiers[1].nodes),
			  700);
	BATCH(ledger, "li-ff", 3, "0-10 5", "0-10 2,6", "0-10 0-1,3,7");
	rspb_ledger_destroy(ledger);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = {
		higher_priority_goes_first,
		soft_request_gets_what_is_free,
		least_average_load,
		largest_minimum_of_a_co_reservation_first,
		co_reservation_whole_or_not_at_all,
		fixed_machines,
		share_out,
		as_asked_or_not_at_all,
		equal_requests_by_arrival_whatever_their_place,
		whole_nodes_and_shares_keep_apart,
		shares_have_a_price,
		a_form_of_work,
		nodes_that_are_preferred,
		head_room,
		next_batch,
	};

	return suite_of("schedule", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
