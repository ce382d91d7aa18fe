/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What waits as a count gets its nodes: in random lives of machines whose
 * requests tell nodes apart, with fixed machines, parts and shares beside, every
 * start finds as many nodes as it was promised.
 */
#include "contrib/sim/policy/flex.h"
#include "tests/unit/plan/requests.h"
#include "tests/unit/sim/random_draw.h"

enum { NODES = 12, STEPS = 150, SETS = 6 };

struct life {
	uint64_t state; /* of the random numbers */
	struct rspb_policy policy;
	struct rspb_ledger *ledger;
	struct rspb_nodeset *sets[SETS];
	uint32_t wanted[STEPS + 1];		  /* nodes, by id; 0: declined */
	const struct rspb_nodeset *of[STEPS + 1]; /* which it may have */
	int accepted, bound, beside, refused;
};

static int note_bound(const struct rspb_booking *booking, void *arg, struct rspb_err *err)
{
	const struct rspb_request *request = booking->request;
	const struct rspb_nodeset *nodes = booking->grants[0].nodes;
	struct life *life = arg;

	(void) err;
	ck_assert_int_ge(booking->start, request->ready);
	ck_assert_int_le(booking->end, request->deadline);
	ck_assert_int_eq(booking->end - booking->start, request->duration);
	ck_assert_uint_eq(rspb_nodeset_count(nodes), life->wanted[request->id]);
	if (life->of[request->id])
		ck_assert(rspb_nodeset_within(nodes, life->of[request->id]));
	life->wanted[request->id] = 0;
	life->bound++;
	return 0;
}

static void bind_until(struct life *life, int64_t now)
{
	struct rspb_record advance = { .kind = RSPB_REC_ADVANCE, .time = now };
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_flex_bind(life->policy.waiting, life->ledger, &life->policy, now,
				      note_bound, life, &err),
		      "%s", err.text);
	ck_assert_msg(!rspb_ledger_apply(life->ledger, &advance, &err), "%s", err.text);
	ck_assert_msg(!validate_ledger(life->ledger, &err), "%s", err.text);
}

static struct rspb_request *draw_request(struct life *life, uint64_t id, int64_t now)
{
	struct rspb_request *request = ask(id, now + draw(&life->state, 0, 40),
					   draw(&life->state, 1, draw(&life->state, 1, 40)),
					   (uint32_t) draw(&life->state, 1,
							   draw(&life->state, 1, NODES / 2)));
	struct rspb_part *part = request->parts;
	int64_t kind = draw(&life->state, 0, 19);

	request->arrival = now;
	request->deadline += draw(&life->state, 0, 80);
	if (kind == 0) {
		part->fixed = rspb_nodeset_create(NODES);
		for (uint32_t n = 0; n < part->nodes; n++)
			rspb_nodeset_add(part->fixed, (n * 5 + 1) % NODES);
	} else if (kind == 1) {
		part->share = 4000;
	} else if (kind == 2) {
		add_part(request, 2, 0);
	} else if (kind < 12) {
		life->of[id] = life->sets[draw(&life->state, 0, SETS - 1)];
		part->eligible = rspb_nodeset_clone(life->of[id]);
		if (part->nodes > rspb_nodeset_count(life->of[id]))
			part->nodes = part->nodes_min = 1;
	}
	return request;
}

static void decide_random(struct life *life, uint64_t id, int64_t now)
{
	struct rspb_request *request = draw_request(life, id, now);
	const struct rspb_request *list[] = { request };
	struct rspb_booking *out[1];
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_schedule_batch(life->ledger, &life->policy, list, 1, now, out, &err),
		      "%s", err.text);
	if (out[0]->state != RSPB_BOOKED) {
		life->refused++;
	} else if (out[0]->n_grants) {
		life->beside++;
	} else {
		life->wanted[id] = request->parts[0].nodes;
		life->accepted++;
	}
	rspb_booking_destroy(out[0]);
	rspb_request_destroy(request);
}

/* Classes of like nodes as sites have them, which overlap. */
static void draw_sets(struct life *life)
{
	for (int s = 0; s < SETS; s++) {
		life->sets[s] = rspb_nodeset_create(NODES);
		for (uint32_t n = 0; n < NODES; n++)
			if (!n || draw(&life->state, 0, 2))
				rspb_nodeset_add(life->sets[s], n);
	}
}

static void live(struct life *life, uint64_t seed, const char *preset)
{
	int64_t capacity[NODES], now = 0;

	*life = (struct life){ .state = seed, .policy = policy_of(preset) };
	for (int n = 0; n < NODES; n++)
		capacity[n] = 10000;
	life->ledger = rspb_ledger_create(NODES, capacity, 0);
	life->policy.waiting = rspb_flex_create(NODES);
	life->policy.firm = draw(&life->state, 0, 3) ? 0 : 15;
	draw_sets(life);
	for (uint64_t id = 1; id <= STEPS; id++) {
		now += draw(&life->state, 0, 8);
		bind_until(life, now);
		decide_random(life, id, now);
	}
	bind_until(life, now + 1000);
	ck_assert_int_eq(life->bound, life->accepted);
	ck_assert_int_eq(rspb_flex_next(life->policy.waiting), INT64_MAX);
	rspb_flex_destroy(life->policy.waiting);
	rspb_ledger_destroy(life->ledger);
	for (int s = 0; s < SETS; s++)
		rspb_nodeset_destroy(life->sets[s]);
}

START_TEST(whatever_waits_gets_its_nodes)
{
	static const char *const presets[] = { "flex", "flex-tide" };
	int accepted = 0, beside = 0, refused = 0;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct life life;

		live(&life, seed, presets[seed % 2]);
		accepted += life.accepted;
		beside += life.beside;
		refused += life.refused;
	}
	/* All kinds of ends were met. */
	ck_assert_int_gt(accepted, 1000);
	ck_assert_int_gt(beside, 200);
	ck_assert_int_gt(refused, 500);
}
END_TEST

/* Two of four nodes are like no others to the first request: the second, which
 * may have any, leaves these alone. */
START_TEST(who_can_use_others_leaves_the_rare_ones)
{
	struct rspb_policy policy = policy_of("flex");
	struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
	struct rspb_request *requests[] = { ask(1, 100, 100, 1), ask(2, 50, 100, 2),
					    ask(3, 100, 10, 2) };
	struct rspb_booking *out[1];
	struct rspb_err err = { "" };

	policy.waiting = rspb_flex_create(4);
	requests[0]->parts[0].eligible = nodes_of(4, "0-1");
	requests[2]->parts[0].eligible = nodes_of(4, "0-1");
	requests[0]->deadline = 260;
	for (int i = 0; i < 3; i++) {
		const struct rspb_request *list[] = { requests[i] };

		ck_assert_int_eq(rspb_schedule_batch(ledger, &policy, list, 1, 0, out, &err), 0);
		ck_assert_int_eq(out[0]->state, RSPB_BOOKED);
		rspb_booking_destroy(out[0]);
		rspb_request_destroy(requests[i]);
	}
	rspb_flex_destroy(policy.waiting);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* The first moves back, by one tenth of its length, so that the second fits;
 * with what can't be moved, or is firm, it does not. */
START_TEST(waiting_bookings_make_room)
{
	static const enum rspb_state second[] = { RSPB_BOOKED, RSPB_DECLINED, RSPB_DECLINED };

	for (int i = 0; i < 3; i++) {
		struct rspb_policy policy = policy_of("flex");
		struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
		struct rspb_request *requests[] = { ask(1, 100, 100, 4), ask(2, 100, 10, 4) };
		struct rspb_booking *out[2];
		struct rspb_err err = { "" };

		policy.waiting = rspb_flex_create(4);
		policy.firm = i == 2 ? 200 : 0;
		if (i != 1)
			requests[0]->deadline = 260;
		ck_assert_int_eq(rspb_schedule_batch(ledger, &policy,
						     (const struct rspb_request *const *) requests,
						     2, 0, out, &err),
				 0);
		ck_assert_int_eq(out[0]->state, RSPB_BOOKED);
		ck_assert_int_eq(out[0]->start, i ? 100 : 110);
		ck_assert_int_eq(out[1]->state, second[i]);
		for (int k = 0; k < 2; k++) {
			rspb_booking_destroy(out[k]);
			rspb_request_destroy(requests[k]);
		}
		rspb_flex_destroy(policy.waiting);
		rspb_ledger_destroy(ledger);
	}
}
END_TEST

RUN_TESTS("flex", NULL, NULL, 0, whatever_waits_gets_its_nodes,
	  who_can_use_others_leaves_the_rare_ones, waiting_bookings_make_room)
