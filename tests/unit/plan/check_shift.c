/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings move within their windows for a newcomer: in random lives of a machine with
 * parts, cores and named nodes nobody who was booked loses anything that was promised,
 * and who is firm, or has no window, stays.
 */
#include "common/plan/schedule.h"
#include "tests/unit/plan/requests.h"
#include "tests/unit/sim/random_draw.h"

enum { NODES = 12, STEPS = 120 };

struct life {
	uint64_t state; /* of the random numbers */
	struct rspb_policy policy;
	struct rspb_ledger *ledger;
	int64_t clean_up; /* of whole nodes */
	int accepted, refused, moved, aside;
};

static struct rspb_request *draw_request(struct life *life, uint64_t id, int64_t now)
{
	uint32_t most = (uint32_t) draw(&life->state, 1, NODES / 2);
	struct rspb_request *request = ask(id, now + draw(&life->state, 0, 40),
					   draw(&life->state, 1, 40),
					   (uint32_t) draw(&life->state, 1, most));
	struct rspb_part *part = request->parts;
	int64_t kind = draw(&life->state, 0, 9);

	request->arrival = now;
	request->user = 1;
	request->moves = draw(&life->state, 0, 2) ? draw(&life->state, 1, 20) : 0;
	request->deadline += draw(&life->state, 0, 1) ? draw(&life->state, 0, 120) : 0;
	if (kind == 0) {
		part->fixed = rspb_nodeset_create(NODES);
		for (uint32_t n = 0; n < part->nodes; n++)
			rspb_nodeset_add(part->fixed, (n * 5 + 1) % NODES);
	} else if (kind < 4) {
		part->whole = 4 * RSPB_SHARE_CORE;
		part->share = draw(&life->state, 1, 3) * RSPB_SHARE_CORE;
	} else if (kind == 4) {
		add_part(request, 2, 0);
	} else if (kind == 5) {
		part->eligible = nodes_of(NODES, "0-5");
	}
	if (!request->parts[0].share)
		request->clean_up = life->clean_up;
	return request;
}

/* One that was there, beside what became of it. */
static void compare(struct life *life, const struct rspb_booking *old,
		    const struct rspb_booking *new, int64_t now)
{
	const struct rspb_request *request = new->request;

	ck_assert_int_eq(new->state, old->state);
	ck_assert_int_eq(new->end - new->start, old->end - old->start);
	ck_assert_uint_eq(new->n_grants, old->n_grants);
	if (new->start == old->start &&new->end == old->end &&
	    rspb_nodeset_equal(new->grants[0].nodes, old->grants[0].nodes))
		return;
	life->moved++;
	ck_assert(rspb_shift_movable(old, now));
	ck_assert_int_ge(new->start, request->ready);
	ck_assert_int_le(new->end, request->deadline);
	ck_assert_int_ge(new->start, now + request->moves);
	for (uint32_t i = 0; i < new->n_grants; i++) {
		const struct rspb_part *part = &request->parts[i];
		const struct rspb_nodeset *nodes = new->grants[i].nodes;

		ck_assert_int_eq(rspb_grant_units(&new->grants[i]),
				 rspb_grant_units(&old->grants[i]));
		ck_assert_uint_eq(rspb_nodeset_count(nodes),
				  rspb_nodeset_count(old->grants[i].nodes));
		if (part->eligible)
			ck_assert(rspb_nodeset_within(nodes, part->eligible));
		if (part->fixed)
			ck_assert(rspb_nodeset_within(nodes, part->fixed));
	}
}

static void decide_random(struct life *life, uint64_t id, int64_t now)
{
	struct rspb_request *request = draw_request(life, id, now);
	const struct rspb_request *list[] = { request };
	struct rspb_ledger *before = rspb_ledger_clone(life->ledger);
	struct rspb_booking *out[1];
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_schedule_batch(life->ledger, &life->policy, list, 1, now, out, &err),
		      "%s", err.text);
	ck_assert_msg(!validate_ledger(life->ledger, &err), "%s", err.text);
	for (size_t i = 0; i < rspb_ledger_count(before); i++) {
		const struct rspb_booking *old = rspb_ledger_at(before, i);

		compare(life, old, rspb_ledger_find(life->ledger, old->request->id), now);
	}
	if (out[0]->state == RSPB_BOOKED)
		life->accepted++;
	else
		life->refused++;
	rspb_ledger_destroy(before);
	rspb_booking_destroy(out[0]);
	rspb_request_destroy(request);
}

static bool has_place(const struct life *life, const struct rspb_request *request, int64_t now)
{
	struct rspb_policy policy = policy_of("li-ff");
	struct rspb_ledger *copy = rspb_ledger_clone(life->ledger);
	struct rspb_booking *out;
	bool booked;

	ck_assert_int_eq(rspb_schedule_batch(copy, &policy, &request, 1, now, &out, NULL), 0);
	booked = out->state == RSPB_BOOKED;
	rspb_booking_destroy(out);
	rspb_ledger_destroy(copy);
	return booked;
}

/* An ordinary job waits. */
static void step_aside(struct life *life, int64_t now)
{
	int64_t seconds = draw(&life->state, 10, 60);
	uint32_t nodes = (uint32_t) draw(&life->state, 1, 4);
	struct rspb_request *job = ask(RSPB_ID_AGAIN | 1, now, seconds, nodes);
	struct rspb_ledger *before = rspb_ledger_clone(life->ledger);
	int moved = life->moved, rc = 0;
	struct rspb_err err = { "" };

	if (!has_place(life, job, now)) {
		rc = rspb_shift_aside(life->ledger, &life->policy, job, now, &err);
		ck_assert_msg(rc >= 0, "%s", err.text);
		ck_assert_int_eq(has_place(life, job, now), rc);
	}
	ck_assert_msg(!validate_ledger(life->ledger, &err), "%s", err.text);
	ck_assert_ptr_null(rspb_ledger_find(life->ledger, job->id));
	for (size_t i = 0; i < rspb_ledger_count(before); i++) {
		const struct rspb_booking *old = rspb_ledger_at(before, i),
					  *new = rspb_ledger_find(life->ledger, old->request->id);

		ck_assert_int_eq(new->start, old->start);
		compare(life, old, new, now);
	}
	ck_assert_int_eq(life->moved > moved, rc);
	life->moved = moved;
	life->aside += rc;
	rspb_ledger_destroy(before);
	rspb_request_destroy(job);
}

static void advance(struct life *life, int64_t now)
{
	struct rspb_record advance = { .kind = RSPB_REC_ADVANCE, .time = now };
	struct rspb_err err = { "" };

	for (size_t i = 0; i < rspb_ledger_count(life->ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(life->ledger, i);
		struct rspb_record event = { .kind = RSPB_REC_EVENT,
					     .time = now,
					     .id = b->request->id,
					     .event = RSPB_EV_END };

		if (b->state == RSPB_BOOKED && b->start <= now)
			event.event = RSPB_EV_START;
		else if (b->state != RSPB_ACTIVE || b->end > now)
			continue;
		ck_assert_msg(!rspb_ledger_apply(life->ledger, &event, &err), "%s", err.text);
		i = (size_t) -1;
	}
	ck_assert_msg(!rspb_ledger_apply(life->ledger, &advance, &err), "%s", err.text);
}

START_TEST(nobody_loses_what_was_promised)
{
	int accepted = 0, refused = 0, moved = 0, aside = 0;

	for (uint64_t seed = 1; seed <= 120; seed++) {
		struct life life = { .state = seed, .policy = policy_of("live") };
		int64_t capacity[NODES], now = 0;

		for (int n = 0; n < NODES; n++)
			capacity[n] = 10000;
		life.clean_up = seed % 3 * 4;
		life.ledger = rspb_ledger_create(NODES, capacity, 0);
		for (uint64_t id = 1; id <= STEPS; id++) {
			now += draw(&life.state, 0, 6);
			advance(&life, now);
			decide_random(&life, id, now);
			if (id % 2)
				step_aside(&life, now);
		}
		rspb_ledger_destroy(life.ledger);
		accepted += life.accepted;
		refused += life.refused;
		moved += life.moved;
		aside += life.aside;
	}
	/* All kinds of ends were met. */
	ck_assert_int_gt(accepted, 1000);
	ck_assert_int_gt(refused, 500);
	ck_assert_int_gt(moved, 200);
	ck_assert_int_ge(aside, 5);
}
END_TEST

/* The first may be anywhere in [100, 400), and begins at 100 on all four nodes; the second
 * wants two of them at 110. What the first is like says whether it moves. */
static void two(struct rspb_request *first, const char *wanted, const char *then)
{
	struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
	const char *booked = "100-150 0-3";

	first->deadline = 400;
	first->user = 1;
	decide(ledger, "live", 0, 1, &first, &booked);
	decide(ledger, "live", 0, 1, (struct rspb_request *[]){ ask(2, 110, 20, 2) }, &wanted);
	ck_assert_str_eq(outcome(rspb_ledger_find(ledger, 1)), then);
	rspb_ledger_destroy(ledger);
}

START_TEST(who_moves_and_who_does_not)
{
	struct rspb_request *first = ask(1, 100, 50, 4);

	first->moves = 60;
	two(first, "110-130 0-1", "130-180 0-3");
	two(ask(1, 100, 50, 4), "declined", "100-150 0-3");
	/* Within its notice. */
	first = ask(1, 100, 50, 4);
	first->moves = 100;
	two(first, "declined", "100-150 0-3");
}
END_TEST

/* The last one to find no place stays, and so does everybody. */
START_TEST(all_or_nobody)
{
	struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
	struct rspb_request *requests[] = { ask(1, 100, 50, 2), ask(2, 100, 50, 2) };
	const char *wanted[] = { "100-150 0-1", "100-150 2-3" };
	const char *declined = "declined";

	for (int i = 0; i < 2; i++) {
		requests[i]->deadline = 170;
		requests[i]->moves = 10;
	}
	decide(ledger, "live", 0, 2, requests, wanted);
	decide(ledger, "live", 0, 1, (struct rspb_request *[]){ ask(3, 110, 30, 1) }, &declined);
	ck_assert_str_eq(outcome(rspb_ledger_find(ledger, 1)), wanted[0]);
	ck_assert_str_eq(outcome(rspb_ledger_find(ledger, 2)), wanted[1]);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Whose node has failed since can neither stay nor go: nothing is booked over it. */
START_TEST(who_is_in_trouble_is_left_alone)
{
	struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
	struct rspb_request *first = ask(1, 100, 50, 4);
	struct rspb_nodeset *failed = rspb_nodeset_create(4);
	const char *booked = "100-150 0-3", *declined = "declined";

	first->moves = 60;
	first->deadline = 200;
	decide(ledger, "live", 0, 1, &first, &booked);
	rspb_nodeset_add(failed, 0);
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 1000, failed, NULL), 0);
	decide(ledger, "live", 0, 1, (struct rspb_request *[]){ ask(2, 110, 20, 2) }, &declined);
	ck_assert_str_eq(outcome(rspb_ledger_find(ledger, 1)), booked);
	rspb_nodeset_destroy(failed);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Who was booked, has lost that and is decided anew is a newcomer, too. */
START_TEST(who_comes_anew)
{
	struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
	struct rspb_request *first = ask(1, 100, 50, 4);
	struct rspb_record cancel = { .kind = RSPB_REC_EVENT, .id = 2, .event = RSPB_EV_CANCEL };
	const char *booked = "100-150 0-3", *wanted = "110-130 0-1";

	decide(ledger, "live", 0, 1, (struct rspb_request *[]){ ask(2, 110, 20, 2) }, &wanted);
	ck_assert_int_eq(rspb_ledger_apply(ledger, &cancel, NULL), 0);
	first->moves = 60;
	first->deadline = 400;
	decide(ledger, "live", 0, 1, &first, &booked);
	decide(ledger, "live", 0, 1, (struct rspb_request *[]){ ask(2, 110, 20, 2) }, &wanted);
	ck_assert_str_eq(outcome(rspb_ledger_find(ledger, 1)), "130-180 0-3");
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Each newcomer of a batch takes the node of another, of which no more than 16 move. */
START_TEST(a_batch_moves_so_many)
{
	enum { MANY = 20, MOST = 16 };
	struct rspb_ledger *ledger = rspb_ledger_create(MANY, NULL, 0);
	struct rspb_policy policies[] = { policy_of("li-ff"), policy_of("live") };
	struct rspb_request *requests[MANY];
	const struct rspb_request *list[MANY];
	struct rspb_booking *out[MANY];
	struct rspb_err err = { "" };
	int booked[2] = { 0, 0 };

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < MANY; i++) {
			requests[i] = round ? ask(100 + i, 110, 20, 1) : ask(1 + i, 100, 50, 1);
			requests[i]->user = 1;
			requests[i]->moves = round ? 0 : 10;
			requests[i]->deadline += round ? 0 : 250;
			list[i] = requests[i];
		}
		ck_assert_int_eq(rspb_schedule_batch(ledger, &policies[round], list, MANY, 0, out,
						     &err),
				 0);
		for (int i = 0; i < MANY; i++) {
			booked[round] += out[i]->state == RSPB_BOOKED;
			rspb_booking_destroy(out[i]);
			rspb_request_destroy(requests[i]);
		}
	}
	ck_assert_int_eq(booked[0], MANY);
	ck_assert_int_eq(booked[1], MOST);
	ck_assert_msg(!validate_ledger(ledger, &err), "%s", err.text);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* A long booking of all nodes is first in line, a short one with less time comes behind it. */
static void forward(bool (*allows)(const struct rspb_ledger *, const struct rspb_booking *,
				   const void *),
		    const char *first, const char *second)
{
	struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
	struct rspb_policy policy = policy_of("live");
	struct rspb_request *requests[] = { ask(1, 100, 1000, 4), ask(2, 100, 10, 2) };
	struct rspb_err err = { "" };

	policy.allows = allows;
	for (int i = 0; i < 2; i++) {
		const struct rspb_request *one = requests[i];
		struct rspb_booking *out;

		requests[i]->moves = 20;
		requests[i]->deadline = i ? 2000 : 10000;
		ck_assert_msg(!rspb_schedule_batch(ledger, &policy, &one, 1, 0, &out, &err), "%s",
			      err.text);
		/* The newcomer hears where it is in the end. */
		ck_assert_str_eq(outcome(out), i ? second : "100-1100 0-3");
		rspb_booking_destroy(out);
		rspb_request_destroy(requests[i]);
	}
	ck_assert_str_eq(outcome(rspb_ledger_find(ledger, 1)), first);
	ck_assert_str_eq(outcome(rspb_ledger_find(ledger, 2)), second);
	rspb_ledger_destroy(ledger);
}

/* The limits of a site let nothing begin before 500. */
static bool none_before_500(const struct rspb_ledger *ledger, const struct rspb_booking *terms,
			    const void *config)
{
	(void) ledger;
	(void) config;
	return terms->start >= 500;
}

START_TEST(short_bookings_move_forward)
{
	forward(NULL, "110-1110 0-3", "100-110 0-1");
	forward(none_before_500, "100-1100 0-3", "1100-1110 0-1");
}
END_TEST

/* Decide a long booking of all nodes and a short one, which come at once or one after the other. */
static void near(bool at_once, const char *first, const char *second)
{
	struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
	struct rspb_policy policy = policy_of("live");
	struct rspb_request *requests[] = { ask(1, 100, 1000, 4), ask(2, 100, 10, 2) };
	const struct rspb_request *const *list = (const struct rspb_request *const *) requests;
	struct rspb_booking *out[2];
	size_t n = at_once ? 2 : 1;

	requests[0]->deadline = 10000;
	requests[1]->deadline = 9000;
	requests[0]->moves = requests[1]->moves = 5000;
	for (size_t i = 0; i < 2; i += n)
		ck_assert(!rspb_schedule_batch(ledger, &policy, list + i, n, 0, out + i, NULL));
	ck_assert_str_eq(outcome(rspb_ledger_find(ledger, 1)), first);
	ck_assert_str_eq(outcome(rspb_ledger_find(ledger, 2)), second);
	for (size_t i = 0; i < 2; i++) {
		rspb_booking_destroy(out[i]);
		rspb_request_destroy(requests[i]);
	}
	rspb_ledger_destroy(ledger);
}

START_TEST(what_nobody_was_told_moves_within_its_notice)
{
	near(true, "110-1110 0-3", "100-110 0-1");
	near(false, "100-1100 0-3", "1100-1110 0-1");
}
END_TEST

/* A booking that may have any node leaves the only node that a newcomer may have: in numbers of
 * that node there is no room for both. */
START_TEST(a_booking_leaves_the_nodes_of_a_newcomer)
{
	struct rspb_ledger *ledger = rspb_ledger_create(3, NULL, 0);
	struct rspb_request *booked = ask(1, 100, 50, 1), *newcomer = ask(2, 100, 50, 1);
	const char *first = "100-150 0", *second = "100-150 0";

	booked->deadline = 160;
	booked->moves = 20;
	decide(ledger, "live", 0, 1, &booked, &first);
	newcomer->parts[0].eligible = nodes_of(3, "0");
	decide(ledger, "live", 0, 1, &newcomer, &second);
	ck_assert_str_eq(outcome(rspb_ledger_find(ledger, 1)), "100-150 1");
	rspb_ledger_destroy(ledger);
}
END_TEST

/* A request that may have fewer nodes gets as many as others can make room for. */
START_TEST(room_is_made_for_fewer_nodes)
{
	struct rspb_ledger *ledger = rspb_ledger_create(4, NULL, 0);
	struct rspb_request *fixed = ask(1, 100, 50, 2), *booked = ask(2, 100, 50, 2);
	struct rspb_request *newcomer = ask(3, 100, 50, 4);
	const char *first = "100-150 0-1", *second = "100-150 2-3", *third = "100-150 2-3";

	decide(ledger, "live", 0, 1, &fixed, &first);
	booked->deadline = 400;
	booked->moves = 20;
	decide(ledger, "live", 0, 1, &booked, &second);
	newcomer->parts[0].nodes_min = 1;
	benefit(newcomer, "linear:25%");
	decide(ledger, "live", 0, 1, &newcomer, &third);
	ck_assert_str_eq(outcome(rspb_ledger_find(ledger, 2)), "150-200 0-1");
	rspb_ledger_destroy(ledger);
}
END_TEST

/* A booking of one node moves to another node for a regular job, unless limits forbid it. */
START_TEST(limits_hold_for_moves_aside)
{
	struct rspb_policy policy = policy_of("live");

	for (int forbid = 0; forbid < 2; forbid++) {
		struct rspb_ledger *ledger = rspb_ledger_create(2, NULL, 0);
		struct rspb_request *booked = ask(1, 100, 50, 1), *job = ask(2, 0, 200, 1);
		const char *wanted = "100-150 0", *end = "100-150 1";

		booked->deadline = 400;
		booked->moves = 20;
		decide(ledger, "live", 0, 1, &booked, &wanted);
		job->parts[0].eligible = nodes_of(2, "0");
		policy.allows = forbid ? none_before_500 : NULL;
		ck_assert_int_eq(rspb_shift_aside(ledger, &policy, job, 0, NULL), !forbid);
		ck_assert_str_eq(outcome(rspb_ledger_find(ledger, 1)), forbid ? wanted : end);
		rspb_request_destroy(job);
		rspb_ledger_destroy(ledger);
	}
}
END_TEST

RUN_TESTS("shift", NULL, NULL, 60, nobody_loses_what_was_promised, who_moves_and_who_does_not,
	  all_or_nobody, who_is_in_trouble_is_left_alone, who_comes_anew, a_batch_moves_so_many,
	  short_bookings_move_forward, what_nobody_was_told_moves_within_its_notice,
	  a_booking_leaves_the_nodes_of_a_newcomer, room_is_made_for_fewer_nodes,
	  limits_hold_for_moves_aside)
