/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The batch loop: the worked examples of the papers, and the live default. */
#include "common/plan/offers.h"
#include "tests/unit/plan/requests.h"

static struct rspb_ledger *machines(uint32_t n, const int64_t *capacity)
{
	return rspb_ledger_create(n, capacity, 0);
}
#define CAPACITY(...) ((const int64_t[]){ __VA_ARGS__ })
#define BATCH(ledger, preset, n, ...)                                          \
	decide(ledger, preset, 0, n, requests,                                 \
	       (const char *const[]){ __VA_ARGS__ })

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

	BATCH(ledger, "rspb", 3, "2000-2010 0:3000", "2000-2004 1:4000",
	      "2000-2010 1:3000");
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
	ck_assert_int_eq(rspb_benefit_read(&requests[1]->parts[1].benefit,
					   "stairs", NULL),
			 0);
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
	BATCH(ledger, "live", 5, "100-150 0:4000", "120-170 1 0:5000",
	      "100-150 2", "150-200 2:6000", "200-250 2");
	rspb_ledger_destroy(ledger);
}
END_TEST

/* The first moves back, by one tenth of its length, so that the second fits;
 * without patience, or with what can't be moved, it does not. */
START_TEST(waiting_bookings_make_room)
{
	static const char *const presets[] = { "flex", "li-ff", "flex" };
	static const char *const first[] = { "110-210 0-3", "100-200 0-3",
					     "100-200 0-3" };
	static const char *const second[] = { "100-110 0-3", "declined",
					      "declined" };

	for (int i = 0; i < 3; i++) {
		struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
		struct rspb_request *requests[] = {
			ask(1, 100, 100, 4),
			ask(2, 100, 10, 4),
		};

		if (i < 2)
			requests[0]->deadline = 260;
		BATCH(ledger, presets[i], 2, first[i], second[i]);
		rspb_ledger_destroy(ledger);
	}
}
END_TEST

START_TEST(head_room)
{
	struct rspb_ledger *ledger = machines(2, CAPACITY(10000, 10000));
	struct rspb_request *requests[] = {
		ask_shares(1, 100, 10, "linear", SHARES(9000)),
		ask_shares(2, 100, 10, "linear", SHARES(9000)),
	};

	/* Priority 100 leaves nothing, 20 leaves half of four fifths. */
	requests[0]->priority = 100;
	requests[1]->priority = 20;
	BATCH(ledger, "co-rspb-headroom", 2, "100-110 0:9000",
	      "100-110 1:6000");
	rspb_ledger_destroy(ledger);
	ledger = rspb_ledger_create(32, NULL, 0);
	requests[0] = ask(1, 0, 3600, 29);
	requests[1] = ask(2, 0, 3599, 3);
	requests[0]->arrival = 1;
	BATCH(ledger, "ff-headroom", 2, "declined", "0-3599 0-2");
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Decide the request, then say what is on offer. */
static void check_offers(struct rspb_ledger *ledger,
			 struct rspb_request *request, const char *wanted)
{
	struct rspb_policy policy = policy_of("live");
	const struct rspb_request *list[] = { request };
	struct rspb_booking *out[1];
	const char *offers;
	struct rspb_err err = { "" };

	policy.offer_horizon = 86400;
	ck_assert_msg(!rspb_schedule_batch(ledger, &policy, list, 1, 0, out,
					   &err),
		      "%s", err.text);
	ck_assert_int_eq(out[0]->state, RSPB_DECLINED);
	offers = strstr(out[0]->reason, "; on offer: ");
	ck_assert_str_eq(offers ? offers + 12 : "nothing", wanted);
	rspb_booking_destroy(out[0]);
	rspb_request_destroy(request);
	ck_assert_uint_eq(rspb_ledger_count(ledger), 0);
	rspb_ledger_destroy(ledger);
}

START_TEST(offers)
{
	struct rspb_nodeset *set = nodes_of(6, "0-1");
	struct rspb_ledger *ledger = rspb_ledger_create(6, NULL, 0);
	struct rspb_request *request = ask(1, 0, 600, 6);

	ck_assert_int_eq(rspb_ledger_block(ledger, 300, 7200, set, NULL), 0);
	check_offers(ledger, request,
		     "6 nodes with --begin=1970-01-01T02:00:00Z, or "
		     "6 nodes with --time=5 --begin=1970-01-01T00:00:00Z, or "
		     "4 nodes with -N4 --begin=1970-01-01T00:00:00Z");
	ledger = rspb_ledger_create(6, NULL, 0);
	request = ask(1, 0, 600, 6);
	request->deadline = 900;
	request->user = RSPB_USER_NONE;
	ck_assert_int_eq(rspb_ledger_block(ledger, 300, 7200, set, NULL), 0);
	check_offers(ledger, request,
		     "6 nodes from 1970-01-01T02:00:00Z, or "
		     "6 nodes for 300 seconds from 1970-01-01T00:00:00Z, or "
		     "4 nodes from 1970-01-01T00:00:00Z");
	ledger = rspb_ledger_create(6, NULL, 0);
	request = ask(1, 0, 600, 6);
	request->deadline = 900;
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 7200, set, NULL), 0);
	check_offers(ledger, request,
		     "6 nodes with --begin=1970-01-01T02:00:00Z "
		     "--deadline=1970-01-01T02:10:00Z, or "
		     "4 nodes with -N4 --begin=1970-01-01T00:00:00Z");
	ledger = machines(1, CAPACITY(10000));
	request = ask_shares(1, 0, 600, "hard", SHARES(10001));
	check_offers(ledger, request,
		     "100% of 1 node with --cpu-share=100% "
		     "--begin=1970-01-01T00:00:00Z");
	ledger = rspb_ledger_create(6, NULL, 0);
	request = ask(1, 0, 600, 2);
	request->parts[0].fixed = nodes_of(6, "0-1");
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 90000, set, NULL), 0);
	check_offers(ledger, request, "nothing");
	rspb_nodeset_destroy(set);
}
END_TEST

/* What could be had for so long, as "nodes@start+seconds benefit flags". */
static void check_found(struct rspb_ledger *ledger,
			struct rspb_request *request, int64_t longest,
			const char *const *wanted)
{
	struct rspb_policy policy = policy_of("live");
	struct rspb_offer found[RSPB_N_OFFERS];
	char flags[128], text[256];
	int n = rspb_offers_find(ledger, &policy, request, 0, 86400, longest,
				 found, NULL);

	for (int i = 0; i < n && wanted[i]; i++) {
		struct rspb_text to = rspb_text_over(flags, sizeof(flags));

		rspb_offer_flags(&found[i], request, &to);
		snprintf(text, sizeof(text), "%d@%d+%d %g%.*s",
			 (int) found[i].nodes, (int) found[i].start,
			 (int) (found[i].end - found[i].start),
			 rspb_ratio_double(found[i].benefit),
			 (int) (strstr(flags, " --begin") - flags), flags);
		ck_assert_str_eq(text, wanted[i]);
	}
	ck_assert_int_ge(n, 0);
	ck_assert_ptr_null(wanted[n]);
}

START_TEST(capacity_against_duration)
{
	struct rspb_nodeset *set = nodes_of(8, "0-2");
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0);
	struct rspb_request *request = ask(1, 0, 3600, 8);

	benefit(request, "linear:25%");
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 20000, set, NULL), 0);
	check_found(ledger, request, 86400,
		    (const char *const[]){ "8@20000+3600 1",
					   "5@0+3600 0.625 -N5",
					   "4@0+7200 1 -N4 --time=120", NULL });
	/* not for longer than is allowed */
	check_found(ledger, request, 7199,
		    (const char *const[]){ "8@20000+3600 1",
					   "5@0+3600 0.625 -N5", NULL });
	/* nor where all of it is over earlier */
	rspb_ledger_destroy(ledger);
	ledger = rspb_ledger_create(8, NULL, 0);
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 3000, set, NULL), 0);
	check_found(ledger, request, 86400,
		    (const char *const[]){ "8@3000+3600 1",
					   "5@0+3600 0.625 -N5", NULL });
	/* what fits within its deadline is all there is to say */
	request->deadline = 6600;
	check_found(ledger, request, 86400,
		    (const char *const[]){ "8@3000+3600 1", NULL });
	request->deadline = 3600;
	/* whole minutes, and no less than it is */
	request->parts[0].nodes = request->parts[0].nodes_min = 7;
	rspb_ledger_destroy(ledger);
	ledger = rspb_ledger_create(8, NULL, 0);
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 20000, set, NULL), 0);
	check_found(ledger, request, 86400,
		    (const char *const[]){ "7@20000+3600 1",
					   "5@0+3600 0.714286 -N5",
					   "5@0+5040 1 -N5 --time=84", NULL });
	rspb_request_destroy(request);
	rspb_ledger_destroy(ledger);
	rspb_nodeset_destroy(set);
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
		waiting_bookings_make_room,
		head_room,
		offers,
		capacity_against_duration,
		next_batch,
	};

	return suite_of("schedule", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
