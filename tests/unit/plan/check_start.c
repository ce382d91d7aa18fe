/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole nodes in the batch loop: which start, how many, and which. */
#include "tests/unit/plan/requests.h"

#define BATCH(ledger, preset, n, ...)                                                              \
	decide(ledger, preset, 0, n, requests, (const char *const[]){ __VA_ARGS__ })

/* Figure 1 of Li et al.: free over time, five nodes. */
static struct rspb_ledger *figure_1(void)
{
	struct rspb_ledger *ledger = rspb_ledger_create(5, NULL, 0);
	static const struct {
		int64_t start, end;
		const char *nodes;
	} blocks[] = { { 0, 10, "1-2" }, { 0, 30, "0" }, { 80, 100, "1-3" } };

	for (size_t i = 0; i < 3; i++) {
		struct rspb_nodeset *set = nodes_of(5, blocks[i].nodes);

		ck_assert_int_eq(rspb_ledger_block(ledger, blocks[i].start, blocks[i].end, set,
						   NULL),
				 0);
		rspb_nodeset_destroy(set);
	}
	return ledger;
}

START_TEST(start_policies)
{
	static const char *const wanted[][2] = {
		{ "li-ff", "20-40 1-2" },	  { "li-pe-worst", "30-50 0-1" },
		{ "li-pe-best", "70-90 0,4" },	  { "li-du-best", "30-50 0-1" },
		{ "li-du-worst", "20-40 1-2" },	  { "li-pedu-best", "70-90 0,4" },
		{ "li-pedu-worst", "20-40 1-2" },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		struct rspb_ledger *ledger = figure_1();
		struct rspb_request *requests[] = { ask(1, 20, 20, 2) };

		requests[0]->deadline = 90;
		BATCH(ledger, wanted[i][0], 1, wanted[i][1]);
		rspb_ledger_destroy(ledger);
	}
}
END_TEST

/* Two nodes suit, one of which is always free; the rest of the machine is busy. */
START_TEST(a_small_partition_is_calm)
{
	struct rspb_ledger *ledger = rspb_ledger_create(6, NULL, 0);
	struct rspb_nodeset *rest = nodes_of(6, "2-5"), *one = nodes_of(6, "1");
	struct rspb_request *requests[] = { ask(1, 0, 20, 1) };

	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 200, rest, NULL), 0);
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 10, one, NULL), 0);
	requests[0]->deadline = 90;
	requests[0]->parts[0].eligible = nodes_of(6, "0-1");
	BATCH(ledger, "pe-worst-calm", 1, "0-20 0");
	rspb_nodeset_destroy(one);
	rspb_nodeset_destroy(rest);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* The first's nodes are cleaned up until 70, so are those of who goes before. */
START_TEST(windows_leave_a_gap)
{
	struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
	struct rspb_request *requests[] = {
		ask(1, 10, 50, 4),
		ask(2, 60, 20, 4),
		ask(3, 10, 40, 4),
		ask(4, 0, 5, 4),
	};

	for (size_t i = 0; i < 4; i++)
		requests[i]->clean_up = 10;
	requests[2]->deadline = 200;
	requests[3]->deadline = 15;
	BATCH(ledger, "li-ff", 4, "10-60 0-3", "declined", "70-110 0-3", "declined");
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Leaves of four, of the second one node is busy until 60: as a rule, for a time and
 * for what bears less. */
START_TEST(a_limit_of_leaves_is_kept)
{
	static const uint32_t leaves[8] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0);
	struct rspb_nodeset *busy = nodes_of(8, "0-1,4");
	struct rspb_request *requests[] = {
		ask(1, 10, 10, 4), ask(2, 10, 10, 4), ask(3, 10, 10, 4), ask(4, 30, 10, 3),
		ask(5, 30, 10, 1), ask(6, 40, 10, 3), ask(7, 50, 10, 3),
	};

	ck_assert_int_eq(rspb_ledger_leaf(ledger, leaves), 0);
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 60, busy, NULL), 0);
	for (size_t i = 0; i < 7; i++)
		requests[i]->parts[0].leaves = i != 4;
	/* The other nodes are on the leaf of the one that is named. */
	requests[5]->parts[0].fixed = nodes_of(8, "2");
	requests[6]->parts[0].fixed = nodes_of(8, "6");
	requests[1]->deadline = requests[2]->deadline = 200;
	requests[2]->parts[0].leaves_for = 5;
	BATCH(ledger, "li-ff", 7, "declined", "60-70 0-3", "16-26 2,5-7", "30-40 5-7", "30-40 2",
	      "declined", "50-60 5-7");
	rspb_nodeset_destroy(busy);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(whole_nodes_are_degraded_rather_than_refused)
{
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0);
	struct rspb_request *requests[] = {
		ask(1, 100, 50, 5),
		ask(2, 100, 50, 8),
		ask(3, 120, 20, 4),
	};

	benefit(requests[1], "linear:25%");
	BATCH(ledger, "live", 3, "100-150 0-4", "100-150 5-7", "declined");
	rspb_ledger_destroy(ledger);
}
END_TEST

/* The third's window holds five booked nodes of eight, and the second's four;
 * for the last only those count that it may have. */
START_TEST(who_meets_nobody_starts_at_once)
{
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0);
	struct rspb_request *requests[] = {
		ask(1, 0, 50, 4),
		ask(2, 0, 20, 1),
		ask(3, 0, 20, 1),
		ask(4, 0, 20, 1),
	};
	struct rspb_nodeset *some = rspb_nodeset_create(8);

	for (int i = 1; i < 4; i++)
		requests[i]->deadline = 200;
	ck_assert_int_eq(rspb_nodeset_parse(some, "0-3,7", NULL), 0);
	requests[3]->parts[0].eligible = some;
	BATCH(ledger, "pe-worst-calm", 4, "0-50 0-3", "0-20 4", "50-70 0", "70-90 0");
	rspb_ledger_destroy(ledger);
}
END_TEST

/* At most so many of the nodes of all who have the key. */
static void limit(struct rspb_request *request, uint64_t key, int64_t most)
{
	struct rspb_part *part = &request->parts[0];

	part->quotas = calloc(1, sizeof(*part->quotas));
	ck_assert_ptr_nonnull(part->quotas);
	part->n_quotas = 1;
	part->quotas[0] = (struct rspb_quota){
		.key = key,
		.most = most,
		.per_node = 1,
		.name = "GrpTRES=node of QOS q",
	};
}

START_TEST(limits_count_what_is_booked_then)
{
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0);
	struct rspb_request *requests[] = {
		ask(1, 100, 50, 2), ask(2, 120, 50, 2), ask(3, 120, 50, 2),
		ask(4, 120, 50, 3), ask(5, 120, 50, 2), ask(6, 120, 50, 2),
	};
	static const struct rspb_hold hold = { 9, 2, 0, 130 };

	for (int i = 0; i < 4; i++)
		limit(requests[i], 7, 3);
	benefit(requests[2], "linear:50%");
	/* Behind the first, when the second has taken what was left. */
	requests[3]->deadline = 300;
	/* Counts against another limit; then one that is passed already. */
	limit(requests[4], 8, 3);
	limit(requests[5], 9, 3);
	ck_assert_int_eq(rspb_ledger_hold(ledger, &hold), 0);
	BATCH(ledger, "live", 6, "100-150 0-1", "declined", "120-170 2", "170-220 0-2",
	      "120-170 3-4", "declined");
	rspb_ledger_destroy(ledger);
}
END_TEST

/* What runs beside idle nodes and holds a limit ends: then, not later, is a start. Of
 * thousands of ends not each one is tried, but the last one is. */
START_TEST(limits_are_lifted_where_what_runs_ends)
{
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0);
	struct rspb_hold hold = { 7, 1, 0, 130, 0 };
	struct rspb_request *requests[] = { ask(1, 100, 50, 2), ask(2, 100, 50, 1),
					    ask(3, 100, 50, 1) };

	ck_assert_int_eq(rspb_ledger_hold(ledger, &hold), 0);
	hold.end = 215;
	ck_assert_int_eq(rspb_ledger_hold(ledger, &hold), 0);
	for (int i = 0; i < 5000; i++) {
		hold = (struct rspb_hold){ 8, 1, 0, 100 + i * 7919 % 5000, 0 };
		ck_assert_int_eq(rspb_ledger_hold(ledger, &hold), 0);
	}
	for (int i = 0; i < 3; i++) {
		limit(requests[i], i == 2 ? 8 : 7, i == 2 ? 1 : 2);
		requests[i]->deadline = 9000;
	}
	BATCH(ledger, "live", 3, "215-265 0-1", "130-180 0", "5099-5149 0");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(window_takes_the_start_with_most)
{
	struct rspb_ledger *ledger = figure_1();
	struct rspb_request *requests[] = { ask(1, 0, 60, 5) };

	/* Nowhere five nodes for 60; four from 10, 20 (node 0 is busy) on to
	 * 80, and from 40 only two. */
	requests[0]->deadline = 100;
	benefit(requests[0], "linear:25%");
	BATCH(ledger, "live", 1, "10-70 1-4");
	rspb_ledger_destroy(ledger);
}
END_TEST

/*
 * Six nodes, of which two are taken until 600. Six are asked for, for 600 seconds
 * within 0 to 1800, so that the last start is 1200: four of them from 0 on are worth
 * 4/6 x 1, all of them from 600 on 1 x what half of the time is worth.
 */
START_TEST(amount_and_time_are_multiplied)
{
	static const struct {
		const char *amount, *time, *outcome;
		struct rspb_ratio benefit;
	} cases[] = {
		{ "linear:25%", NULL, "600-1200 0-5", { 1, 1 } },
		{ "linear:25%", "0%@0,100%@1", "0-600 2-5", { 2, 3 } },
		{ "linear:25%", "0%@0.4,100%@1", "600-1200 0-5", { 7, 10 } },
		{ "linear:25%", "51%@0.9,100%@1", "0-600 2-5", { 2, 3 } },
		{ "hard", "0%@0,100%@1", "600-1200 0-5", { 1, 2 } },
		{ "hard", "50%@0.9,100%@1", "600-1200 0-5", { 9, 10 } },
		{ "hard", "51%@0.9,100%@1", "declined", { 0, 1 } },
	};
	struct rspb_policy policy = policy_of("live");
	struct rspb_nodeset *set = nodes_of(6, "0-1");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rspb_ledger *ledger = rspb_ledger_create(6, NULL, 0);
		struct rspb_request *request = ask(1, 0, 600, 6);
		const struct rspb_request *list[] = { request };
		struct rspb_booking *out;

		ck_assert_int_eq(rspb_ledger_block(ledger, 0, 600, set, NULL), 0);
		request->deadline = 1800;
		benefit(request, cases[i].amount);
		if (cases[i].time)
			rspb_benefit_read(&request->benefit_time, cases[i].time, NULL);
		ck_assert_int_eq(rspb_schedule_batch(ledger, &policy, list, 1, 0, &out, NULL), 0);
		ck_assert_str_eq(outcome(out), cases[i].outcome);
		ck_assert_int_eq(rspb_ratio_compare(out->benefit, cases[i].benefit), 0);
		/* 1200 - 51 % of it is the last start that is worth anything. */
		if (out->state == RSPB_DECLINED)
			ck_assert_ptr_nonnull(strstr(rspb_booking_why(out),
						     "between 1970-01-01T00:00:00Z and "
						     "1970-01-01T00:19:48Z: at most 4 are"));
		rspb_booking_destroy(out);
		rspb_request_destroy(request);
		rspb_ledger_destroy(ledger);
	}
	rspb_nodeset_destroy(set);
}
END_TEST

START_TEST(malleable_range_and_plateau)
{
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0);
	struct rspb_request *requests[] = {
		ask(1, 100, 50, 3),
		ask(2, 100, 50, 8),
		ask(3, 200, 50, 8),
	};

	/* Stairs: five of eight are worth no more than four. */
	benefit(requests[1], "stairs");
	benefit(requests[2], "linear");
	requests[2]->parts[0].nodes_min = 6;
	BATCH(ledger, "live", 3, "100-150 0-2", "100-150 3-6", "200-250 0-7");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(as_soon_as_it_fits)
{
	struct rspb_ledger *ledger = figure_1();
	struct rspb_request *requests[] = { ask(1, 0, 20, 3) };

	requests[0]->deadline = 1000;
	requests[0]->asap = true;
	BATCH(ledger, "live", 1, "10-30 1-3");
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Greedy hands node 0 to the first part; only passing it on helps. */
START_TEST(parts_with_different_eligible_nodes)
{
	struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
	struct rspb_request *requests[] = { ask(1, 100, 50, 2) };

	add_part(requests[0], 1, 0)->eligible = nodes_of(4, "0");
	add_part(requests[0], 1, 0)->eligible = nodes_of(4, "0-1");
	BATCH(ledger, "live", 1, "100-150 2-3 0 1");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(fixed_nodes)
{
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0);
	struct rspb_request *requests[] = {
		ask(1, 100, 50, 2),
		ask(2, 100, 50, 4),
		ask(3, 100, 50, 2),
		ask(4, 100, 50, 2),
	};

	requests[0]->parts[0].fixed = nodes_of(8, "3-4");
	requests[1]->parts[0].fixed = nodes_of(8, "4-7");
	benefit(requests[1], "linear:50%");
	requests[2]->parts[0].fixed = nodes_of(8, "2-3");
	BATCH(ledger, "live", 4, "100-150 3-4", "100-150 5-7", "declined", "100-150 0-1");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(reasons_say_what_is_free)
{
	struct rspb_ledger *ledger = figure_1();
	struct rspb_policy policy = policy_of("live");
	struct rspb_request *request = ask(1, 0, 20, 9);
	const struct rspb_request *list[] = { request };
	struct rspb_booking *out[1];
	struct rspb_err err;

	ck_assert_int_eq(rspb_schedule_batch(ledger, &policy, list, 1, 0, out, &err), -1);
	ck_assert_ptr_null(out[0]);
	request->parts[0].nodes = request->parts[0].nodes_min = 5;
	request->deadline = 35;
	ck_assert_int_eq(rspb_schedule_batch(ledger, &policy, list, 1, 0, out, &err), 0);
	ck_assert_str_eq(rspb_booking_why(out[0]),
			 "5 nodes requested between "
			 "1970-01-01T00:00:00Z and 1970-01-01T00:00:35Z: at "
			 "most 4 are free at any start");
	rspb_booking_destroy(out[0]);
	request->deadline = 20;
	ck_assert_int_eq(rspb_schedule_batch(ledger, &policy, list, 1, 0, out, &err), 0);
	ck_assert_str_eq(rspb_booking_why(out[0]),
			 "5 nodes requested for "
			 "1970-01-01T00:00:00Z to 1970-01-01T00:00:20Z: only "
			 "2 are free then");
	rspb_booking_destroy(out[0]);
	rspb_request_destroy(request);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Where no node is free the reason says what is so of the suitable nodes. */
START_TEST(reasons_say_why_no_node_is_free)
{
	static const struct {
		const char *jobs, *down, *named;
		int64_t deadline;
		const char *reason;
	} cases[] = {
		{ "0-3", "", NULL, 20, "none of the 4 suitable nodes is free then" },
		{ "0-3", "", NULL, 30,
		  "none of the 4 suitable nodes is free for so long at any "
		  "start" },
		{ "", "0-3", NULL, 20, "all 4 suitable nodes are down or drained" },
		{ "0-2", "3", NULL, 20,
		  "none of the 4 suitable nodes is free then, and 1 is "
		  "down or drained" },
		{ "0", "1-2", NULL, 20, "only 1 is free then, and 2 are down or drained" },
		{ "2", "0-1", "0-1", 20, "all of them are down or drained" },
		{ "", "1", "0-1", 20, "1 of them is down or drained" },
		{ "0-1", "", "0-1", 20, "none of them is free then" },
		{ "1", "", "0-1", 20, "only 1 of them is free then" },
		{ "0", "", "0", 20, "it is not free then" },
		{ "", "0", "0", 20, "it is down or drained" },
	};
	struct rspb_policy policy = policy_of("live");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
		struct rspb_nodeset *jobs = nodes_of(4, cases[i].jobs);
		struct rspb_nodeset *down = nodes_of(4, cases[i].down);
		struct rspb_request *request = ask(1, 0, 20, 2);
		struct rspb_part *part = request->parts;
		const struct rspb_request *list[] = { request };
		struct rspb_booking *out[1];
		char *said;

		ck_assert(!rspb_ledger_block(ledger, 0, 600, jobs, NULL));
		rspb_ledger_block_name(ledger, RSPB_BLOCK_JOB, 7);
		ck_assert(!rspb_ledger_block(ledger, 0, 600, down, NULL));
		rspb_ledger_block_name(ledger, RSPB_BLOCK_DOWN, 0);
		request->deadline = cases[i].deadline;
		if (cases[i].named) {
			part->fixed = nodes_of(4, cases[i].named);
			part->nodes = part->nodes_min = rspb_nodeset_count(part->fixed);
		}
		ck_assert(!rspb_schedule_batch(ledger, &policy, list, 1, 0, out, NULL));
		said = strstr(rspb_booking_why(out[0]), "Z: ");
		ck_assert_ptr_nonnull(said);
		ck_assert_str_eq(said + 3, cases[i].reason);
		rspb_booking_destroy(out[0]);
		rspb_request_destroy(request);
		rspb_nodeset_destroy(jobs);
		rspb_nodeset_destroy(down);
		rspb_ledger_destroy(ledger);
	}
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = {
		start_policies,
		a_small_partition_is_calm,
		windows_leave_a_gap,
		a_limit_of_leaves_is_kept,
		whole_nodes_are_degraded_rather_than_refused,
		who_meets_nobody_starts_at_once,
		limits_count_what_is_booked_then,
		limits_are_lifted_where_what_runs_ends,
		window_takes_the_start_with_most,
		amount_and_time_are_multiplied,
		malleable_range_and_plateau,
		as_soon_as_it_fits,
		parts_with_different_eligible_nodes,
		fixed_nodes,
		reasons_say_what_is_free,
		reasons_say_why_no_node_is_free,
	};

	return suite_of("start", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
