/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a site's limits let be booked, beside what is booked already. */
#include "common/conf/config.h"
#include "tests/unit/conf/settings.h"
#include "tests/unit/plan/records.h"

enum { HOUR = 3600, DAY = 24 * HOUR, ANN = 1000, BOB = 1001 };

/* Whether a request for so many nodes may be planned at second 0; the sentence
 * otherwise. */
static const char *asked(const struct rspb_config *config, uint32_t machine, uint32_t nodes,
			 int64_t ready, int64_t duration)
{
	static struct rspb_err err;
	struct rspb_request *request = ask(1, ready, duration, nodes);
	int rc = rspb_limits_request(request, config, machine, 0, &err);

	rspb_request_destroy(request);
	return rc ? err.text : "";
}

/* What was not used, of whoever asks. */
static struct rspb_holding besides;

/* One on the ledger of six nodes. RET "" when it is booked, else why not. */
static const char *granted(struct rspb_ledger *ledger, const struct rspb_config *config,
			   uint32_t user, struct rspb_booking *booking)
{
	static struct rspb_err err;
	int rc;

	booking->request->user = user;
	rc = rspb_limits_grant(ledger, booking, besides, config, &err);
	if (rc)
		rspb_booking_destroy(booking);
	else
		ck_assert_int_eq(book(ledger, booking), 0);
	return rc ? err.text : "";
}

static void says(const char *text, const char *wanted)
{
	ck_assert_msg(*wanted ? strstr(text, wanted) != NULL : !*text, "\"%s\", wanted \"%s\"",
		      text, wanted);
}

START_TEST(defaults_do_not_give_the_machine_away)
{
	struct rspb_config config = config_of("");
	struct rspb_ledger *ledger = fresh();

	/* All nodes for four weeks, a day at a time. */
	says(asked(&config, 100, 100, 0, DAY), "100 nodes are more than the 25 ");
	says(asked(&config, 100, 25, 0, DAY), "");
	/* a small machine is for first bookings, too */
	says(asked(&config, 8, 4, 0, DAY), "");
	says(asked(&config, 8, 5, 0, DAY), "5 nodes are more than the 4 ");
	says(asked(&config, 100, 1, 0, 2 * DAY),
	     "2d is longer than a booking may be (MaxDuration, 1d)");
	says(asked(&config, 100, 1, 14 * DAY, DAY), "14d from now (Horizon)");
	says(granted(ledger, &config, ANN, made(1, 0, DAY, "0", 0)), "");
	says(granted(ledger, &config, ANN, made(2, DAY, 2 * DAY, "0", 0)),
	     "48.0 node-hours booked with this request, and 36.0 are allowed");
	says(granted(ledger, &config, ANN, made(2, DAY, 36 * HOUR, "0", 0)), "");
	says(granted(ledger, &config, ANN, made(3, 0, 60, "1", 0)), "MaxAheadPerUser");
	says(granted(ledger, &config, BOB, made(3, 0, 12 * HOUR, "1-2", 0)), "");
	says(granted(ledger, &config, BOB, made(4, 0, HOUR, "3", 0)), "MaxBookedPercent=50%");
	/* Half of one node is one. */
	ck_assert_uint_eq(rspb_limits_booked(&config, 1), 1);
	ck_assert_uint_eq(rspb_limits_booked(&config, 7), 3);
	/* Callers that ask what is allowed before nodes are chosen may name booked ones. */
	says(granted(ledger, &config, BOB, made(4, 0, HOUR, "0", 0)), "MaxBookedPercent=50%");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(what_begins_soon_may_not_count)
{
	struct rspb_config config = config_of("MaxWaitingPerUser=0 MaxBookedPercent=100% "
					      "MaxAheadPerUser=1h AheadFrom=4h");
	struct rspb_ledger *ledger = fresh();

	/* Six hours of one node are allowed. */
	says(granted(ledger, &config, ANN, made(1, 0, 4 * HOUR, "0-3", 0)), "");
	says(granted(ledger, &config, ANN, made(2, 4 * HOUR, 11 * HOUR, "0", 0)),
	     "7.0 node-hours booked with this request, and 6.0 are allowed");
	says(granted(ledger, &config, ANN, made(2, 3 * HOUR, 10 * HOUR, "4", 0)), "");
	says(granted(ledger, &config, ANN, made(3, 4 * HOUR, 5 * HOUR, "5", 0)), "7.0 node-hours");
	says(granted(ledger, &config, ANN, made(3, HOUR, 4 * HOUR, "5", 0)), "");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(bookings_that_run_count)
{
	struct rspb_config config = config_of("MaxWaitingPerUser=2 "
					      "MaxAheadPerUser=0s");
	struct rspb_record start = { .kind = RSPB_REC_EVENT, .id = 1, .event = RSPB_EV_START },
			   end = {
				   .kind = RSPB_REC_EVENT, .id = 1, .event = RSPB_EV_END, .time = 50
			   };
	struct rspb_ledger *ledger = fresh();

	says(granted(ledger, &config, ANN, made(1, 0, 100, "0", 0)), "");
	says(granted(ledger, &config, ANN, made(2, 100, 200, "0", 0)), "");
	ck_assert_int_eq(rspb_ledger_apply(ledger, &start, NULL), 0);
	says(granted(ledger, &config, ANN, made(3, 0, 60, "1", 0)),
	     "you have 2 bookings that have not ended");
	says(granted(ledger, &config, BOB, made(4, 0, 60, "1", 0)), "");
	ck_assert_int_eq(rspb_ledger_apply(ledger, &end, NULL), 0);
	says(granted(ledger, &config, ANN, made(3, 100, 160, "1", 0)), "");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(what_is_over_and_what_is_shared_counts_less)
{
	struct rspb_config config = config_of("MaxAheadPerUser=1h "
					      "MaxBookedPercent=100%");
	struct rspb_ledger *ledger = fresh();
	struct rspb_booking *late;

	/* 6 node-hours are allowed: 5 are half a node for ten. */
	says(granted(ledger, &config, ANN, made(1, 0, 10 * HOUR, "0", 5000)), "");
	says(granted(ledger, &config, ANN, made(2, 0, 2 * HOUR, "1", 0)), "7.0 node-hours");
	late = made(2, 8 * HOUR, 12 * HOUR, "1", 0);
	late->decided_at = 7 * HOUR;
	says(granted(ledger, &config, ANN, late), "");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(places_without_nodes_are_no_part)
{
	struct rspb_config config = config_of("MaxAheadPerUser=1h "
					      "MaxBookedPercent=50%");
	struct rspb_ledger *ledger = fresh(), *copy;

	ck_assert_uint_eq(rspb_ledger_machine(ledger), 6);
	rspb_ledger_set_machine(ledger, 2);
	copy = rspb_ledger_clone(ledger);
	ck_assert_uint_eq(rspb_ledger_machine(copy), 2);
	says(granted(copy, &config, ANN, made(1, 0, 3 * HOUR, "0", 0)),
	     "3.0 node-hours booked with this request, and 2.0 are allowed");
	says(granted(copy, &config, ANN, made(1, 0, HOUR, "0-1", 0)),
	     "of the 1 nodes that can be booked at the same time");
	says(granted(copy, &config, ANN, made(1, 0, HOUR, "0", 0)), "");
	rspb_ledger_destroy(copy);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(a_regular_job_is_no_part_that_is_booked)
{
	struct rspb_config config = config_of("MaxWaitingPerUser=0 MaxBookedPercent=50%");
	struct rspb_ledger *ledger = fresh(), *plan;
	struct rspb_booking *moved = made(9, HOUR, 2 * HOUR, "4", 0);
	struct rspb_nodeset *busy = rspb_nodeset_create(6);

	says(granted(ledger, &config, ANN, made(1, 0, 3 * HOUR, "0", 0)), "");
	says(granted(ledger, &config, ANN, made(2, 90 * 60, 100 * 60, "1", 0)), "");
	ck_assert_int_eq(rspb_nodeset_parse(busy, "1-3", NULL), 0);
	plan = rspb_ledger_clone(ledger);
	ck_assert_int_eq(rspb_ledger_block(plan, 0, DAY, busy, NULL), 0);
	ck_assert(rspb_limits_move(plan, moved, &config));
	rspb_ledger_destroy(plan);
	/* Three of six are booked when another one begins. */
	says(granted(ledger, &config, ANN, made(3, 95 * 60, 4 * HOUR, "2", 0)), "");
	plan = rspb_ledger_clone(ledger);
	ck_assert(!rspb_limits_move(plan, moved, &config));
	rspb_ledger_destroy(plan);
	rspb_nodeset_destroy(busy);
	rspb_booking_destroy(moved);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(shares_of_one_node_are_one_node)
{
	struct rspb_config config = config_of("MaxWaitingPerUser=0 MaxBookedPercent=50%");
	struct rspb_ledger *ledger = fresh();
	struct rspb_booking *moved = made(9, 0, HOUR, "0-2", 2000);
	struct rspb_booking *wider = made(1, 0, HOUR, "0-3", 3000);

	says(granted(ledger, &config, ANN, made(1, 0, HOUR, "0-2", 3000)), "");
	says(granted(ledger, &config, BOB, made(2, 0, HOUR, "0-2", 3000)), "");
	says(granted(ledger, &config, BOB, made(3, 0, HOUR, "2-3", 2000)),
	     "3 of the 3 nodes that can be booked");
	ck_assert(rspb_limits_move(ledger, moved, &config));
	ck_assert_int_eq(rspb_limits_growth(ledger, wider, &config, NULL), -1);
	rspb_booking_destroy(moved);
	rspb_booking_destroy(wider);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(what_was_not_used_counts)
{
	struct rspb_config config = config_of("MaxWaitingPerUser=2 "
					      "MaxAheadPerUser=1h");
	struct rspb_ledger *ledger = fresh();

	besides = (struct rspb_holding){ 1, 5 * HOUR };
	says(granted(ledger, &config, ANN, made(1, 0, 2 * HOUR, "0", 0)),
	     "7.0 node-hours booked with this request, and 6.0 are allowed (MaxAheadPerUser, "
	     "NoShow)");
	says(granted(ledger, &config, ANN, made(1, 0, 60, "0", 0)), "");
	says(granted(ledger, &config, ANN, made(2, 0, 60, "1", 0)),
	     "you have 2 bookings that have not ended");
	besides = (struct rspb_holding){ 0, 0 };
	says(granted(ledger, &config, ANN, made(2, 0, 60, "1", 0)), "");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(a_series_is_one_booking_and_reaches_further)
{
	struct rspb_config config = config_of("MaxWaitingPerUser=2 "
					      "MaxAheadPerUser=1h "
					      "MaxSeriesAheadPerUser=2h");
	struct rspb_ledger *ledger = fresh();
	struct rspb_request *weekly = ask(1, 100 * DAY, HOUR, 1);
	struct rspb_err err;

	ck_assert_int_eq(rspb_limits_request(weekly, &config, 6, 0, &err), -1);
	says(err.text, "14d from now (Horizon)");
	rspb_request_series(weekly, "course");
	ck_assert_int_eq(rspb_limits_request(weekly, &config, 6, 0, &err), 0);
	weekly->ready = 200 * DAY;
	weekly->deadline = weekly->ready + HOUR;
	ck_assert_int_eq(rspb_limits_request(weekly, &config, 6, 0, &err), -1);
	says(err.text, "200d from now (SeriesHorizon)");
	rspb_request_destroy(weekly);

	/* 12 node-hours, besides the 6 of other bookings. */
	for (uint64_t i = 0; i < 14; i++) {
		struct rspb_booking *b = made(10 + i, (int64_t) i * DAY, (int64_t) i * DAY + HOUR,
					      "0", 0);

		rspb_request_series(b->request, "course");
		says(granted(ledger, &config, ANN, b), i < 12 ? "" : "MaxSeriesAheadPerUser");
	}
	says(granted(ledger, &config, ANN, made(1, 0, 6 * HOUR, "1", 0)), "");
	says(granted(ledger, &config, ANN, made(2, DAY, DAY + 60, "1", 0)),
	     "you have 2 bookings that have not ended");
	rspb_ledger_destroy(ledger);
}
END_TEST

static int32_t origin_of(const struct rspb_config *c, const char *key)
{
	return c->from[rspb_option_find(key) - rspb_options];
}

START_TEST(each_value_tells_where_it_came_from)
{
	struct rspb_config c = config_of("# a site\nMaxNodes=7\n\n"
					 "Mode=observe Horizon=7d");

	ck_assert_int_eq(rspb_config_read_parameters(&c, "bf_x=1,rspb_horizon=14d", NULL), 0);
	ck_assert_int_eq(origin_of(&c, "MaxNodes"), 2);
	ck_assert_int_eq(origin_of(&c, "Mode"), 4);
	ck_assert_int_eq(origin_of(&c, "Horizon"), RSPB_FROM_PARAMETERS);
	ck_assert_int_eq(origin_of(&c, "MinNotice"), RSPB_FROM_DEFAULT);
}
END_TEST

START_TEST(forms_that_may_not_be_are_left_out)
{
	const struct rspb_form forms[] = { { 6, 600 }, { 3, 1200 }, { 2, 1800 } };
	struct rspb_request *request = ask(1, 100, 600, 6);
	struct rspb_config c = config_of("MaxNodes=3\n");

	request->deadline = 9000;
	ck_assert(!rspb_request_set_forms(request, forms, 3));
	ck_assert(!rspb_limits_forms(request, &c, 10, 0));
	ck_assert_uint_eq(request->n_forms, 2);
	ck_assert_uint_eq(request->parts[0].nodes, 3);
	ck_assert_int_eq(request->duration, 1200);
	/* None may: it is as it came, and is told so. */
	c.max_duration = 60;
	ck_assert(!rspb_limits_forms(request, &c, 10, 0));
	ck_assert_uint_eq(request->n_forms, 2);
	ck_assert_uint_eq(request->parts[0].nodes, 3);
	rspb_request_destroy(request);
}
END_TEST

START_TEST(what_is_used_is_told_apart_for_series)
{
	struct rspb_config config = config_of("MaxBookedPercent=100%");
	struct rspb_request *asker = ask(9, 0, HOUR, 1);
	struct rspb_ledger *ledger = fresh();
	struct rspb_booking *course = made(2, 0, HOUR, "1", 0);
	struct rspb_limits_use use;

	asker->user = ANN;
	rspb_request_label(asker, "physics", NULL, NULL);
	rspb_request_label(course->request, "physics", NULL, NULL);
	rspb_request_series(course->request, "course");
	says(granted(ledger, &config, ANN, made(1, 0, 2 * HOUR, "0", 0)), "");
	says(granted(ledger, &config, ANN, course), "");
	says(granted(ledger, &config, BOB, made(3, 0, HOUR, "2-3", 0)), "");
	ck_assert_int_eq(rspb_limits_use(ledger, asker, (struct rspb_holding){ 1, 60 }, HOUR / 2,
					 &use),
			 0);
	/* with what was not used, from now on */
	ck_assert_uint_eq(use.user.bookings, 3);
	ck_assert_int_eq(use.user.ahead, 60 + HOUR * 3 / 2);
	ck_assert_int_eq(use.series.ahead, HOUR / 2);
	ck_assert_uint_eq(use.account.bookings, 1);
	ck_assert_int_eq(use.account.ahead, HOUR / 2);
	rspb_request_destroy(asker);
	rspb_ledger_destroy(ledger);
}
END_TEST

RUN_TESTS("limits", NULL, NULL, 0, defaults_do_not_give_the_machine_away,
	  what_begins_soon_may_not_count, bookings_that_run_count,
	  what_is_over_and_what_is_shared_counts_less, places_without_nodes_are_no_part,
	  a_regular_job_is_no_part_that_is_booked, shares_of_one_node_are_one_node,
	  what_was_not_used_counts, each_value_tells_where_it_came_from,
	  a_series_is_one_booking_and_reaches_further, forms_that_may_not_be_are_left_out,
	  what_is_used_is_told_apart_for_series)
