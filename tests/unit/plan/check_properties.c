/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must hold for every order x when x where x degradation, on random
 * mixtures of whole nodes, shares, co-reservations, fixed and floating,
 * windows and fixed starts.
 */
#include <inttypes.h>

#include "common/plan/schedule.h"
#include "common/policy/policy.h"
#include "tests/unit/plan/mixture.h"
#include "tests/validate/validate.h"

static void check_booking(struct table *table, const struct rspb_booking *b,
			  const struct rspb_policy *policy)
{
	const struct rspb_request *request = b->request;

	if (b->state == RSPB_DECLINED) {
		ck_assert_uint_eq(b->n_grants, 0);
		ck_assert_msg(strlen(rspb_booking_why(b)) > 10, "%s", rspb_booking_why(b));
		return;
	}
	ck_assert_int_eq(b->state, RSPB_BOOKED);
	ck_assert_int_ge(b->start, request->ready);
	ck_assert_int_le(b->end, request->deadline);
	ck_assert_int_eq(b->end - b->start, request->duration);
	if (policy->when->prefers.fixed && !request->asap)
		ck_assert_int_eq(b->start, request->ready);
	ck_assert_uint_eq(b->n_grants, request->n_parts);
	for (uint32_t i = 0; i < b->n_grants; i++) {
		check_part(b, i);
		mark_part(table, b, i);
	}
}

static void decide_batch(const struct rspb_ledger *ledger, const struct rspb_policy *policy,
			 struct rspb_request *const *requests, struct rspb_booking **out)
{
	struct rspb_ledger *clone = rspb_ledger_clone(ledger);
	struct table *table = calloc(1, sizeof(*table));
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_schedule_batch(clone, policy,
					   (const struct rspb_request *const *) requests, BATCH, 0,
					   out, &err),
		      "%s", err.text);
	ck_assert_msg(!validate_ledger(clone, &err), "%s", err.text);
	for (int i = 0; i < BATCH; i++)
		check_booking(table, out[i], policy);
	check_table(table, ledger);
	free(table);
	rspb_ledger_destroy(clone);
}

static void shuffle(struct rspb_request **requests, int *place)
{
	for (int i = BATCH - 1; i > 0; i--) {
		int k = (int) pick(0, i), p = place[i];
		struct rspb_request *r = requests[i];

		requests[i] = requests[k];
		requests[k] = r;
		place[i] = place[k];
		place[k] = p;
	}
}

/* One batch by one policy, twice, the second time shuffled. */
static void one_batch(const struct rspb_policy *policy)
{
	struct rspb_ledger *ledger = random_ledger();
	struct rspb_request *requests[BATCH];
	struct rspb_booking *first[BATCH], *again[BATCH];
	int place[BATCH];

	for (int i = 0; i < BATCH; i++) {
		requests[i] = random_request((uint64_t) i + 1);
		place[i] = i;
	}
	decide_batch(ledger, policy, requests, first);
	shuffle(requests, place);
	decide_batch(ledger, policy, requests, again);
	for (int i = 0; i < BATCH; i++) {
		char *text = strdup(outcome(first[place[i]]));

		ck_assert_str_eq(text, outcome(again[i]));
		free(text);
	}
	for (int i = 0; i < BATCH; i++) {
		rspb_request_destroy(requests[i]);
		rspb_booking_destroy(first[i]);
		rspb_booking_destroy(again[i]);
	}
	rspb_ledger_destroy(ledger);
}

/* _i is the degradation's row. */
START_TEST(every_combination)
{
	struct rspb_policy policy = policy_of("live");

	seed = (unsigned int) _i + 1;
	policy.degrade = &rspb_degrades[_i];
	for (policy.order = rspb_orders; policy.order->name; policy.order++)
		for (policy.when = rspb_whens; policy.when->name; policy.when++)
			for (policy.where = rspb_wheres; policy.where->name; policy.where++) {
				policy.trim = pick(0, 1);
				policy.distinct = pick(0, 1);
				one_batch(&policy);
			}
}
END_TEST

START_TEST(every_preset)
{
	struct rspb_policy policy;

	seed = 4711;
	for (const struct rspb_preset *row = rspb_presets; row->name; row++) {
		policy = policy_of(row->name);
		for (int i = 0; i < test_rounds(10); i++)
			one_batch(&policy);
	}
}
END_TEST

static void grew(const struct rspb_booking *booking, void *arg)
{
	int64_t *amount = arg;

	for (uint32_t i = 0; i < booking->n_grants; i++)
		amount[booking->request->id] += booking->grants[i].share +
						rspb_nodeset_count(booking->grants[i].nodes);
}

/* Nothing promised is taken back, and nothing is promised twice. */
START_TEST(lazy_refinement_only_gives)
{
	struct rspb_policy policy = policy_of("live");
	struct rspb_booking *out[BATCH];
	struct rspb_request *requests[BATCH];
	int64_t granted = 0;

	policy.degrade = rspb_degrade_find("lazy");
	policy.where = rspb_where_find("worst");
	seed = (unsigned int) _i + 99;
	for (int round = 0; round < test_rounds(20); round++) {
		struct rspb_ledger *ledger = random_ledger();
		struct table *table = calloc(1, sizeof(*table));
		int64_t before[BATCH + 1] = { 0 }, after[BATCH + 1] = { 0 };

		for (int i = 0; i < BATCH; i++)
			requests[i] = random_request((uint64_t) i + 1);
		ck_assert_int_eq(rspb_schedule_batch(ledger, &policy,
						     (const struct rspb_request *const *) requests,
						     BATCH, 0, out, NULL),
				 0);
		for (int i = 0; i < BATCH; i++)
			grew(out[i], before);
		granted += rspb_refine_due(ledger, &policy, HORIZON, grew, after, NULL);
		ck_assert_int_eq(rspb_refine_due(ledger, &policy, HORIZON, grew, after, NULL), 0);
		ck_assert_int_eq(validate_ledger(ledger, NULL), 0);
		for (size_t i = 0; i < rspb_ledger_count(ledger); i++)
			check_booking(table, rspb_ledger_at(ledger, i), &policy);
		for (int i = 1; i <= BATCH; i++)
			ck_assert(!after[i] || after[i] > before[i]);
		for (int i = 0; i < BATCH; i++) {
			rspb_booking_destroy(out[i]);
			rspb_request_destroy(requests[i]);
		}
		free(table);
		rspb_ledger_destroy(ledger);
	}
	ck_assert_int_gt(granted, 0);
}
END_TEST

static Suite *suite(void)
{
	Suite *suite = suite_create("properties");
	TCase *tcase = tcase_create("properties");
	int rows = 0;

	while (rspb_degrades[rows].name)
		rows++;
	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, every_combination, 0, rows);
	tcase_add_test(tcase, every_preset);
	tcase_add_loop_test(tcase, lazy_refinement_only_gives, 0, 5);
	suite_add_tcase(suite, tcase);
	return suite;
}

RUN_SUITE(suite)
