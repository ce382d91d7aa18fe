/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings that grow, give way and are rescued in random lives of a small
 * machine, in which jobs end early, newcomers ask and nodes fail.
 */
#include "common/plan/schedule.h"
#include "tests/unit/plan/events.h"
#include "tests/validate/validate.h"

enum { MOST = 64 };

struct life {
	struct rspb_policy policy;
	struct rspb_ledger *ledger, *outside;
	struct rspb_request *requests[MOST];
	int64_t promised[MOST][8]; /* of each part */
	uint64_t n;
	int64_t now;
	int grown, rescued[RSPB_N_RESCUED];
	uint32_t speeds[NODES]; /* of a life with nodes that differ; else 0 */
};

/* Some are half as fast again, some slower than usual ones. */
static void set_speeds(struct life *life)
{
	static const uint32_t some[] = { 70, 100, 100, 150 };

	for (uint32_t n = 0; n < NODES; n++)
		life->speeds[n] = some[pick(0, 3)];
	ck_assert_int_eq(rspb_ledger_speed(life->ledger, life->speeds), 0);
}

/* It is as long as its slowest node takes, unless that may be too far ahead. */
static void set_length(const struct life *life, struct rspb_request *request)
{
	const struct rspb_form form = { request->parts[0].nodes, request->duration };

	if (!life->speeds[0] || request->ready + 2 * request->duration >= HORIZON)
		return;
	ck_assert_int_eq(rspb_request_set_forms(request, &form, 1), 0);
	request->punctual = request->deadline == request->ready + request->duration;
}

/* What is booked is long enough for all of its nodes. */
static void check_length(const struct life *life, const struct rspb_booking *b)
{
	uint32_t slowest = UINT32_MAX;

	if (!b->request->n_forms)
		return;
	for (uint32_t k = 0; k < b->n_grants; k++)
		RSPB_NODESET_EACH (n, b->grants[k].nodes)
			if (life->speeds[n] < slowest)
				slowest = life->speeds[n];
	ck_assert_int_ge((b->end - b->start) * slowest, b->request->forms[0].duration * 100);
	ck_assert_int_eq(b->end - b->start, b->request->duration);
}

static void note_promises(struct life *life, uint64_t id)
{
	const struct rspb_booking *b = rspb_ledger_find(life->ledger, id);

	for (uint32_t i = 0; i < b->n_grants; i++)
		life->promised[id][i] = rspb_grant_promised(&b->grants[i]);
}

/* No instant is booked twice, and everybody has what can be counted on. */
static void check_life(struct life *life)
{
	struct table *table = calloc(1, sizeof(*table));
	struct rspb_err err;

	must(validate_ledger(life->ledger, &err), &err);
	for (size_t i = 0; i < rspb_ledger_count(life->ledger); i++) {
		struct rspb_booking *b = rspb_booking_clone(rspb_ledger_at(life->ledger, i));

		if (b->state == RSPB_BOOKED)
			check_length(life, b);
		for (uint32_t k = 0; !rspb_state_final(b->state) && k < b->n_grants; k++) {
			ck_assert_int_ge(rspb_grant_units(&b->grants[k]),
					 life->promised[b->request->id][k]);
			ck_assert_int_eq(rspb_grant_promised(&b->grants[k]),
					 life->promised[b->request->id][k]);
			check_part(b, k);
			/* What is over counts no more. */
			if (b->start < life->now)
				b->start = life->now;
			mark_part(table, b, k);
		}
		rspb_booking_destroy(b);
	}
	check_table(table, life->outside);
	free(table);
}

static void newcomers(struct life *life, int count)
{
	const struct rspb_request *asks[MOST];
	struct rspb_booking *out[MOST];
	struct rspb_err err;
	int n = 0;

	for (; n < count && life->n + 1 < MOST; n++) {
		struct rspb_request *request = random_request(++life->n);

		request->ready += life->now;
		request->deadline += life->now;
		if (request->deadline >= HORIZON)
			request->deadline = request->ready + request->duration;
		set_length(life, request);
		life->requests[life->n] = request;
		asks[n] = request;
	}
	must(rspb_schedule_batch(life->ledger, &life->policy, asks, n, life->now, out, &err), &err);
	for (int i = 0; i < n; i++) {
		if (out[i]->state == RSPB_BOOKED)
			note_promises(life, out[i]->request->id);
		rspb_booking_destroy(out[i]);
	}
}

/* Jobs start on their second; some end early. */
static void live(struct life *life)
{
	for (uint64_t id = 1; id <= life->n; id++) {
		const struct rspb_booking *b = rspb_ledger_find(life->ledger, id);

		if (!b || rspb_state_final(b->state))
			continue;
		if (b->state == RSPB_BOOKED && b->start <= life->now)
			happen(life->ledger, id, RSPB_EV_START, life->now);
		b = rspb_ledger_find(life->ledger, id);
		if (b->state == RSPB_ACTIVE && (b->end <= life->now || !pick(0, 9)))
			happen(life->ledger, id, RSPB_EV_END, life->now);
	}
}

/* What a plan on a copy changed comes into the ledger, as on a live one. */
static void adopt(struct life *life, const struct rspb_ledger *plan)
{
	const struct rspb_booking *list[MOST];
	struct rspb_record move = { .kind = RSPB_REC_MOVE, .time = life->now, .bookings = list };
	struct rspb_err err;

	for (uint64_t id = 1; id <= life->n; id++) {
		const struct rspb_booking *b = rspb_ledger_find(plan, id);

		if (!b || b == rspb_ledger_find(life->ledger, id))
			continue;
		if (rspb_state_final(b->state))
			happen(life->ledger, id, RSPB_EV_CANCEL, life->now);
		else
			list[move.n_bookings++] = b;
	}
	must(rspb_ledger_apply(life->ledger, &move, &err), &err);
	for (size_t i = 0; i < move.n_bookings; i++)
		note_promises(life, list[i]->request->id);
}

static void fail_node(struct life *life, uint64_t id)
{
	const struct rspb_booking *b = rspb_ledger_find(life->ledger, id);
	struct rspb_ledger *plan = rspb_ledger_clone(life->ledger);
	struct rspb_rescue rescue = {
		.id = id,
		.earliest = life->now,
		.yield = (enum rspb_yield) pick(0, RSPB_YIELD_WHOLE),
	};
	struct rspb_nodeset *set = rspb_nodeset_create(NODES);
	struct rspb_err err;
	int rc;

	rspb_nodeset_add(set, rspb_nodeset_next(b->grants[0].nodes, 0));
	must(rspb_ledger_block(plan, life->now, HORIZON, set, &err), &err);
	rc = rspb_rescue_booking(plan, &life->policy, &rescue, &err);
	must(rc, &err);
	life->rescued[rescue.how]++;
	if (rc) {
		b = rspb_ledger_find(plan, id);
		for (uint32_t i = 0; i < b->n_grants; i++)
			ck_assert(rspb_nodeset_disjoint(b->grants[i].nodes, set));
		ck_assert_int_ge(b->start, b->request->ready);
		ck_assert_int_le(b->end, b->request->deadline);
		adopt(life, plan);
	}
	rspb_nodeset_destroy(set);
	rspb_ledger_destroy(plan);
}

static void some_fail(struct life *life)
{
	uint64_t id = (uint64_t) pick(1, (int64_t) life->n);
	const struct rspb_booking *b = rspb_ledger_find(life->ledger, id);

	if (b && b->state == RSPB_BOOKED && b->start >= life->now)
		fail_node(life, id);
}

static void grow(struct life *life)
{
	struct rspb_err err;
	int64_t n = rspb_refine_due(life->ledger, &life->policy, life->now + 9, NULL, NULL, &err);

	must((int) n, &err);
	life->grown += (int) n;
	n = rspb_refine_running(life->ledger, &life->policy, NULL, NULL, &err);
	must((int) n, &err);
	life->grown += (int) n;
}

static void one_life(struct life *life, bool alike)
{
	life->ledger = random_ledger();
	memset(life->speeds, 0, sizeof(life->speeds));
	if (!alike)
		set_speeds(life);
	life->outside = rspb_ledger_clone(life->ledger);
	life->n = 0;
	for (life->now = 0; life->now < HORIZON / 4; life->now++) {
		advance(life->ledger, life->now);
		live(life);
		check_life(life);
		if (!life->now || !pick(0, 3))
			newcomers(life, (int) pick(1, life->now ? 2 : 12));
		check_life(life);
		grow(life);
		check_life(life);
		some_fail(life);
		check_life(life);
	}
	for (uint64_t id = 1; id <= life->n; id++)
		rspb_request_destroy(life->requests[id]);
	rspb_ledger_destroy(life->ledger);
	rspb_ledger_destroy(life->outside);
}

START_TEST(random_lives)
{
	struct life life = { .grown = 0 };

	seed = (unsigned int) _i + 5;
	for (int round = 0; round < test_rounds(32); round++) {
		life.policy = policy_of(round % 3 ? "lazy-worst" : "co-rspb");
		one_life(&life, round < 24);
	}
	/* A few rounds need not see everything. */
	if (getenv("RSPB_TEST_SHORT"))
		return;
	ck_assert_int_gt(life.grown, 0);
	/* The others are rare; by hand they are above. */
	for (int i = 0; i <= RSPB_RESCUED_MOVED; i++)
		ck_assert_msg(life.rescued[i] > 0, "%s: never",
			      rspb_rescued_text((enum rspb_rescued) i));
}
END_TEST

static Suite *suite(void)
{
	Suite *suite = suite_create("lives");
	TCase *tcase = tcase_create("lives");

	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, random_lives, 0, 5);
	suite_add_tcase(suite, tcase);
	return suite;
}

RUN_SUITE(suite)
