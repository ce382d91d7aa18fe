/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What could be had instead. */
#include "common/plan/schedule.h"

#include <stdlib.h>

#include "common/plan/plan.h"
#include "common/policy/policy.h"
#include "tests/unit/plan/requests.h"

/* Decide the request, then say what is on offer. */
static void check_offers(struct rspb_ledger *ledger, struct rspb_request *request,
			 const char *wanted)
{
	struct rspb_policy policy = policy_of("live");
	const struct rspb_request *list[] = { request };
	struct rspb_booking *out[1];
	const char *offers;
	struct rspb_err err = { "" };

	policy.offer_horizon = 86400;
	ck_assert_msg(!rspb_schedule_batch(ledger, &policy, list, 1, 0, out, &err), "%s", err.text);
	ck_assert_int_eq(out[0]->state, RSPB_DECLINED);
	offers = strstr(rspb_booking_why(out[0]), "; on offer: ");
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
		     "6 nodes with -N6 --time=10 "
		     "--begin=1970-01-01T02:00:00Z or "
		     "6 nodes with -N6 --time=5 "
		     "--begin=1970-01-01T00:00:00Z or "
		     "4 nodes with -N4 --time=10 "
		     "--begin=1970-01-01T00:00:00Z");
	ledger = rspb_ledger_create(6, NULL, 0);
	request = ask(17, 0, 600, 6);
	request->stays = true;
	ck_assert_int_eq(rspb_ledger_block(ledger, 300, 7200, set, NULL), 0);
	check_offers(ledger, request,
		     "6 nodes from 1970-01-01T02:00:00Z: "
		     "rspb accept 17 6@19700101T020000Z+600 or "
		     "6 nodes for 5 minutes from 1970-01-01T00:00:00Z: "
		     "rspb accept 17 6@19700101T000000Z+300");
	ledger = rspb_ledger_create(6, NULL, 0);
	request = ask(1, 0, 600, 6);
	request->deadline = 900;
	request->user = RSPB_USER_NONE;
	ck_assert_int_eq(rspb_ledger_block(ledger, 300, 7200, set, NULL), 0);
	check_offers(ledger, request,
		     "6 nodes from 1970-01-01T02:00:00Z or "
		     "6 nodes for 5 minutes from 1970-01-01T00:00:00Z or "
		     "4 nodes from 1970-01-01T00:00:00Z");
	ledger = rspb_ledger_create(6, NULL, 0);
	request = ask(1, 0, 600, 6);
	request->deadline = 900;
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 7200, set, NULL), 0);
	check_offers(ledger, request,
		     "6 nodes with -N6 --time=10 "
		     "--begin=1970-01-01T02:00:00Z or "
		     "4 nodes with -N4 --time=10 "
		     "--begin=1970-01-01T00:00:00Z");
	ledger = rspb_ledger_create(1, (const int64_t[]){ 10000 }, 0);
	request = ask_shares(1, 0, 600, "hard", SHARES(10001));
	check_offers(ledger, request,
		     "100% of 1 node with -N1 --cpu-share=100% "
		     "--time=10 --begin=1970-01-01T00:00:00Z");
	ledger = rspb_ledger_create(6, NULL, 0);
	request = ask(1, 0, 600, 2);
	request->parts[0].fixed = nodes_of(6, "0-1");
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 90000, set, NULL), 0);
	check_offers(ledger, request, "nothing");
	rspb_nodeset_destroy(set);
}
END_TEST

/* What could be had for so long, as "nodes@start+seconds benefit flags". */
static void check_found(struct rspb_ledger *ledger, struct rspb_request *request, int64_t longest,
			const char *const *wanted)
{
	struct rspb_policy policy = policy_of("live");
	struct rspb_offer found[RSPB_N_OFFERS];
	char flags[128], text[256];
	int n = rspb_offers_find(ledger, &policy, request, 0, 86400, longest, found, NULL);

	for (int i = 0; i < n && wanted[i]; i++) {
		struct rspb_text to = rspb_text_over(flags, sizeof(flags));

		rspb_offer_flags(&found[i], request, &to);
		snprintf(text, sizeof(text), "%d@%d+%d %g%.*s", (int) found[i].nodes,
			 (int) found[i].start, (int) (found[i].end - found[i].start),
			 rspb_ratio_double(found[i].benefit),
			 (int) (strstr(flags, " --begin") - flags), flags);
		ck_assert_str_eq(text, wanted[i]);
	}
	ck_assert_int_ge(n, 0);
	ck_assert_ptr_null(wanted[n]);
}

/* A judge for which no plan of more than four nodes will do. */
static int four_at_most(struct rspb_plan *plan, void *arg, struct rspb_err *err)
{
	(void) arg;
	(void) err;
	return rspb_nodeset_count(plan->pieces[0].nodes) <= 4;
}

/* The decision on a batch is made without Slurm's word, but what is offered instead is not. */
START_TEST(offers_have_a_judge_of_their_own)
{
	static const struct rspb_judge judge = { .suits = four_at_most };
	struct rspb_policy policy = policy_of("live");
	struct rspb_ledger *ledger = rspb_ledger_create(6, NULL, 0);
	struct rspb_nodeset *set = nodes_of(6, "0-1");
	struct rspb_request *requests[] = { ask(1, 0, 600, 6), ask(2, 0, 300, 6) };
	const struct rspb_request *list[] = { requests[0], requests[1] };
	struct rspb_booking *out[2];
	const char *offers;

	policy.offer_horizon = 86400;
	policy.offer_judge = &judge;
	ck_assert(!rspb_ledger_block(ledger, 300, 7200, set, NULL));
	ck_assert(!rspb_schedule_batch(ledger, &policy, list, 2, 0, out, NULL));
	ck_assert_int_eq(out[0]->state, RSPB_DECLINED);
	offers = strstr(rspb_booking_why(out[0]), "; on offer: ");
	ck_assert_ptr_nonnull(offers);
	ck_assert_str_eq(offers + 12, "4 nodes with -N4 --time=10 --begin=1970-01-01T00:00:00Z");
	ck_assert_int_eq(out[1]->state, RSPB_BOOKED);
	for (int i = 0; i < 2; i++) {
		rspb_booking_destroy(out[i]);
		rspb_request_destroy(requests[i]);
	}
	rspb_nodeset_destroy(set);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(capacity_against_duration)
{
	struct rspb_nodeset *set = nodes_of(8, "0-2");
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0);
	struct rspb_request *request = ask(1, 0, 3600, 8);

	benefit(request, "linear:25%");
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 20000, set, NULL), 0);
	check_found(ledger, request, 86400,
		    (const char *const[]){ "8@20000+3600 1 -N8 --time=60",
					   "5@0+3600 0.625 -N5 --time=60",
					   "4@0+7200 1 -N4 --time=120", NULL });
	/* not for longer than is allowed */
	check_found(ledger, request, 7199,
		    (const char *const[]){ "8@20000+3600 1 -N8 --time=60",
					   "5@0+3600 0.625 -N5 --time=60", NULL });
	/* nor where all of it is over earlier */
	rspb_ledger_destroy(ledger);
	ledger = rspb_ledger_create(8, NULL, 0);
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 3000, set, NULL), 0);
	check_found(ledger, request, 86400,
		    (const char *const[]){ "8@3000+3600 1 -N8 --time=60",
					   "5@0+3600 0.625 -N5 --time=60", NULL });
	/* what fits within its deadline is all there is to say */
	request->deadline = 6600;
	check_found(ledger, request, 86400,
		    (const char *const[]){ "8@3000+3600 1 -N8 --time=60", NULL });
	request->deadline = 3600;
	/* whole minutes, and no less than it is */
	request->parts[0].nodes = request->parts[0].nodes_min = 7;
	rspb_ledger_destroy(ledger);
	ledger = rspb_ledger_create(8, NULL, 0);
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 20000, set, NULL), 0);
	check_found(ledger, request, 86400,
		    (const char *const[]){ "7@20000+3600 1 -N7 --time=60",
					   "5@0+3600 0.714286 -N5 --time=60",
					   "5@0+5040 1 -N5 --time=84", NULL });
	rspb_request_destroy(request);
	rspb_ledger_destroy(ledger);
	rspb_nodeset_destroy(set);
}
END_TEST

/* Not from this second on, which is over when it has been read. */
/*
 * Six nodes, of which two are taken from 480 on. By its functions 480 of 600 seconds
 * are worth 0.8 at 0; all of it later is behind the last start, and four nodes are too
 * few: both are worth nothing, and come behind.
 */
START_TEST(what_is_worth_more_comes_first)
{
	static const struct {
		enum rspb_offer_kind kind;
		int64_t start, end;
		struct rspb_ratio benefit;
	} wanted[] = {
		{ RSPB_OFFER_SHORTER, 0, 480, { 4, 5 } },
		{ RSPB_OFFER_LATER, 7200, 7800, { 0, 1 } },
		{ RSPB_OFFER_LESS, 0, 600, { 0, 1 } },
	};
	struct rspb_ledger *ledger = rspb_ledger_create(6, NULL, 0);
	struct rspb_nodeset *set = nodes_of(6, "0-1");
	struct rspb_request *request = ask(1, 0, 600, 6);
	struct rspb_offer found[RSPB_N_OFFERS];
	struct rspb_policy policy = policy_of("live");

	request->deadline = 900;
	benefit(request, "linear:75%");
	rspb_benefit_read(&request->benefit_time, "0%@0,100%@1", NULL);
	ck_assert_int_eq(rspb_ledger_block(ledger, 480, 7200, set, NULL), 0);
	ck_assert_int_eq(rspb_offers_find(ledger, &policy, request, 0, 86400, 0, found, NULL), 3);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(found[i].kind, wanted[i].kind);
		ck_assert_int_eq(found[i].start, wanted[i].start);
		ck_assert_int_eq(found[i].end, wanted[i].end);
		ck_assert_int_eq(rspb_ratio_compare(found[i].benefit, wanted[i].benefit), 0);
	}
	rspb_request_destroy(request);
	rspb_nodeset_destroy(set);
	rspb_ledger_destroy(ledger);
}
END_TEST

/*
 * Eight nodes, of which three are taken until 20000. What takes 3600 s on eight takes
 * 5400 on five and 9000 on two: each is a choice between sooner and cheaper, but six
 * nodes for 4500 s, which begin when the three are free.
 */
static int find_forms(const char *order, struct rspb_offer *found)
{
	const struct rspb_form forms[] = { { 8, 3600 }, { 6, 4500 }, { 5, 5400 }, { 2, 9000 } };
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0);
	struct rspb_nodeset *set = nodes_of(8, "0-2");
	struct rspb_request *request = ask(1, 0, 3600, 8);
	struct rspb_policy policy = policy_of("live");
	int n;

	ck_assert_int_eq(rspb_request_set_forms(request, forms, 4), 0);
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 20000, set, NULL), 0);
	policy.order = rspb_order_named(order);
	ck_assert_ptr_nonnull(policy.order);
	n = rspb_offers_find(ledger, &policy, request, 0, 86400, 86400, found, NULL);
	rspb_request_destroy(request);
	rspb_nodeset_destroy(set);
	rspb_ledger_destroy(ledger);
	return n;
}

static void is_offer(const struct rspb_offer *offer, int64_t nodes, int64_t start, int64_t end)
{
	ck_assert_int_eq(offer->nodes, nodes);
	ck_assert_int_eq(offer->start, start);
	ck_assert_int_eq(offer->end, end);
	ck_assert_int_eq(rspb_ratio_compare(offer->benefit, (struct rspb_ratio){ 1, 1 }), 0);
}

START_TEST(work_is_offered_in_its_forms)
{
	struct rspb_offer found[RSPB_N_OFFERS];

	ck_assert_int_eq(find_forms("arrival", found), 2);
	is_offer(&found[0], 5, 0, 5400);
	is_offer(&found[1], 2, 0, 9000);
}
END_TEST

START_TEST(where_price_counts_the_cheapest_comes_first)
{
	struct rspb_offer found[RSPB_N_OFFERS];

	ck_assert_int_eq(find_forms("price", found), 2);
	is_offer(&found[0], 2, 0, 9000);
	is_offer(&found[1], 5, 0, 5400);
}
END_TEST

/* Nearest first, and how far they are. */
START_TEST(offers_say_how_far_their_nodes_are)
{
	struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
	struct rspb_request *request = ask(1, 0, 600, 3);
	struct rspb_policy policy = policy_of("live");
	struct rspb_offer found[RSPB_N_OFFERS];
	struct rspb_part *part = &request->parts[0];

	part->tiers = calloc(2, sizeof(*part->tiers));
	part->n_tiers = 2;
	part->tiers[0] = (struct rspb_tier){ 0, nodes_of(4, "2-3") };
	part->tiers[1] = (struct rspb_tier){ 600, nodes_of(4, "0-1") };
	ck_assert_int_eq(rspb_offers_find(ledger, &policy, request, 0, 86400, 0, found, NULL), 1);
	ck_assert_uint_eq(found[0].distance, 200);
	rspb_request_destroy(request);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(offers_leave_time_to_read)
{
	struct rspb_ledger *ledger = rspb_ledger_create(6, NULL, 0);
	struct rspb_policy policy = policy_of("live");
	struct rspb_request *request = ask(1, 10, 600, 6);
	struct rspb_offer found[RSPB_N_OFFERS];

	policy.offer_notice = 120;
	ck_assert_int_eq(rspb_offers_find(ledger, &policy, request, 10, 86400, 0, found, NULL), 1);
	ck_assert_int_eq(found[0].start, 180);
	ck_assert_int_eq(found[0].end, 780);
	/* what begins later anyway does so on its second */
	request->ready = 500;
	request->deadline = 1100;
	ck_assert_int_eq(rspb_offers_find(ledger, &policy, request, 10, 86400, 0, found, NULL), 1);
	ck_assert_int_eq(found[0].start, 500);
	rspb_request_destroy(request);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Nobody can accept less of one of several parts: it is not offered. */
START_TEST(several_parts_are_offered_whole)
{
	struct rspb_ledger *ledger = rspb_ledger_create(8, NULL, 0);
	struct rspb_nodeset *set = nodes_of(8, "0-2");
	struct rspb_request *request = ask(1, 0, 600, 7);

	add_part(request, 2, 0);
	check_found(ledger, request, 0, (const char *const[]){ NULL });
	request->parts[0].nodes = request->parts[0].nodes_min = 6;
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 7200, set, NULL), 0);
	check_found(ledger, request, 0, (const char *const[]){ "8@7200+600 1 --time=10", NULL });
	rspb_request_destroy(request);
	rspb_nodeset_destroy(set);
	rspb_ledger_destroy(ledger);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = {
		offers,
		offers_have_a_judge_of_their_own,
		capacity_against_duration,
		what_is_worth_more_comes_first,
		work_is_offered_in_its_forms,
		where_price_counts_the_cheapest_comes_first,
		offers_say_how_far_their_nodes_are,
		offers_leave_time_to_read,
		several_parts_are_offered_whole,
	};

	return suite_of("offers", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
