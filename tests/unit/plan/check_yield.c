/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings that grow, give way and are rescued, by hand. */
#include "common/plan/schedule.h"
#include "tests/unit/plan/events.h"
#include "tests/validate/validate.h"

static struct rspb_ledger *machine(uint32_t nodes)
{
	int64_t capacity[NODES];

	for (int i = 0; i < NODES; i++)
		capacity[i] = 10000;
	return rspb_ledger_create(nodes, capacity, 0);
}

static void book(struct rspb_ledger *ledger, const char *preset, struct rspb_request *request,
		 int64_t now, const char *wanted)
{
	decide(ledger, preset, now, 1, (struct rspb_request *[]){ request },
	       (const char *const[]){ wanted });
}

START_TEST(shares_grow_and_give_way)
{
	struct rspb_ledger *ledger = machine(1);
	struct rspb_policy policy = policy_of("lazy-worst");
	struct rspb_err err;

	book(ledger, "lazy-worst", ask_shares(1, 10, 100, "linear:20%", SHARES(9000)), 0,
	     "10-110 0:1800");
	book(ledger, "lazy-worst", ask_shares(2, 10, 100, "linear:50%", SHARES(4000)), 0,
	     "10-110 0:2000");
	ck_assert_int_eq(rspb_refine_due(ledger, &policy, 12, NULL, NULL, &err), 1);
	ck_assert_int_eq(units(ledger, 1), 8000);
	ck_assert_int_eq(promise(ledger, 1), 1800);
	happen(ledger, 1, RSPB_EV_START, 10);
	happen(ledger, 2, RSPB_EV_START, 10);
	/* The neighbour ends early: what it had goes to the one that runs,
	 * though it was taken in the past. */
	happen(ledger, 2, RSPB_EV_END, 50);
	advance(ledger, 50);
	ck_assert_int_eq(rspb_refine_running(ledger, &policy, NULL, NULL, &err), 1);
	ck_assert_int_eq(units(ledger, 1), 9000);
	ck_assert_int_eq(rspb_refine_running(ledger, &policy, NULL, NULL, &err), 0);
	/* A newcomer needs half of the node; the rest stays. */
	book(ledger, "lazy-worst", ask_shares(3, 60, 10, "hard", SHARES(5000)), 55, "60-70 0:5000");
	ck_assert_int_eq(units(ledger, 1), 5000);
	ck_assert_int_eq(promise(ledger, 1), 1800);
	/* Nobody gets what is promised. */
	policy.keep_surplus = false;
	book(ledger, "lazy-worst", ask_shares(4, 60, 10, "hard", SHARES(3300)), 55, "declined");
	ck_assert_int_eq(units(ledger, 1), 5000);
	rspb_ledger_destroy(ledger);
}
END_TEST

static struct rspb_request *soft(uint64_t id, int64_t ready, uint32_t nodes, const char *shape,
				 int64_t priority)
{
	struct rspb_request *request = ask(id, ready, 10, nodes);

	benefit(request, shape);
	request->priority = priority;
	return request;
}

/* A machine of n nodes, the first `failed` of which are gone. */
static enum rspb_rescued rescue(struct rspb_ledger *ledger, uint64_t id, const char *failed,
				enum rspb_yield yield)
{
	struct rspb_policy policy = policy_of("live");
	struct rspb_rescue rescue = { .id = id,
				      .earliest = rspb_ledger_now(ledger) + 2,
				      .yield = yield };
	struct rspb_nodeset *set = nodes_of(rspb_ledger_nodes(ledger), failed);
	struct rspb_err err;
	int rc;

	must(rspb_ledger_block(ledger, rspb_ledger_now(ledger), 1000, set, &err), &err);
	rc = rspb_rescue_booking(ledger, &policy, &rescue, &err);
	must(rc, &err);
	ck_assert_int_eq(rc, rescue.how != RSPB_RESCUED_NOT);
	if (rc)
		ck_assert(
			rspb_nodeset_disjoint(set, rspb_ledger_find(ledger, id)->grants[0].nodes));
	must(validate_ledger(ledger, &err), &err);
	rspb_nodeset_destroy(set);
	return rescue.how;
}

/* What came free is a block that is not there any more. */
static bool sooner(struct rspb_ledger *ledger, uint64_t id, int64_t by)
{
	struct rspb_policy policy = policy_of("live");
	struct rspb_rescue rescue = { .id = id,
				      .earliest = rspb_ledger_now(ledger) + 2,
				      .yield = RSPB_YIELD_WHOLE,
				      .sooner = by };
	struct rspb_err err;
	int rc = rspb_rescue_booking(ledger, &policy, &rescue, &err);

	must(rc, &err);
	ck_assert_int_eq(rescue.how, rc ? RSPB_RESCUED_SOONER : RSPB_RESCUED_NOT);
	must(validate_ledger(ledger, &err), &err);
	return rc;
}

/* A window of 90 s, of which a start has to leave 51 %, has 44 for its last one, also later. */
START_TEST(no_start_that_is_worth_nothing)
{
	struct rspb_ledger *ledger = rspb_ledger_create(1, NULL, 0);
	struct rspb_request *request = soft(1, 0, 1, "hard", 0);
	struct rspb_policy policy = policy_of("live");
	struct rspb_rescue rescue = { .id = 1, .earliest = 40 };
	struct rspb_nodeset *set = nodes_of(1, "0");
	struct rspb_err err;

	request->deadline = 100;
	rspb_benefit_read(&request->benefit_time, "51%@0.9,100%@1", NULL);
	must(rspb_ledger_block(ledger, 0, 40, set, &err), &err);
	book(ledger, "live", request, 0, "40-50 0");
	advance(ledger, 38);
	must(rspb_ledger_block(ledger, 38, 50, set, &err), &err);
	ck_assert_int_eq(rspb_rescue_booking(ledger, &policy, &rescue, &err), 0);
	ck_assert_str_eq(outcome(rspb_ledger_find(ledger, 1)), "40-50 0");
	rspb_nodeset_destroy(set);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(sooner_is_all_or_nothing)
{
	struct rspb_ledger *ledger = machine(4);
	struct rspb_request *soon = soft(1, 10, 3, "linear:30%", 5);

	soon->asap = true;
	soon->deadline = 500;
	book(ledger, "live", ask(2, 10, 90, 4), 0, "10-100 0-3");
	book(ledger, "live", soon, 0, "100-110 0-2");
	ck_assert(!sooner(ledger, 1, 90));
	happen(ledger, 2, RSPB_EV_CANCEL, 0);
	book(ledger, "live", ask(3, 10, 30, 2), 0, "10-40 0-1");
	/* Two nodes would do for a new one; three there are later. */
	ck_assert(!sooner(ledger, 1, 39));
	ck_assert_int_eq(rspb_ledger_find(ledger, 1)->start, 100);
	ck_assert(sooner(ledger, 1, 90));
	ck_assert_int_eq(rspb_ledger_find(ledger, 1)->start, 40);
	ck_assert_int_eq(units(ledger, 1), 3);
	ck_assert(!sooner(ledger, 1, 39));
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(the_order_of_rescue)
{
	struct rspb_ledger *ledger = machine(4);
	struct rspb_request *late;

	/* Free nodes first. */
	book(ledger, "live", soft(1, 20, 2, "linear:50%", 5), 0, "20-30 0-1");
	ck_assert_int_eq(rescue(ledger, 1, "0", RSPB_YIELD_WHOLE), RSPB_RESCUED_REPLACED);
	ck_assert_int_eq(units(ledger, 1), 2);
	/* Then less. */
	book(ledger, "live", soft(2, 20, 1, "hard", 9), 0, "20-30 3");
	ck_assert_int_eq(rescue(ledger, 1, "1", RSPB_YIELD_WHOLE), RSPB_RESCUED_DEGRADED);
	ck_assert_int_eq(units(ledger, 1), 1);
	rspb_ledger_destroy(ledger);

	/* Then another time. */
	ledger = machine(2);
	late = soft(1, 20, 2, "hard", 5);
	late->deadline = 60;
	book(ledger, "rb", late, 0, "20-30 0-1");
	happen(ledger, 1, RSPB_EV_CANCEL, 0);
	late = soft(2, 20, 1, "hard", 5);
	late->deadline = 60;
	book(ledger, "rb", late, 0, "20-30 0");
	book(ledger, "rb", soft(3, 20, 1, "hard", 1), 0, "20-30 1");
	ck_assert_int_eq(rescue(ledger, 2, "0", RSPB_YIELD_WHOLE), RSPB_RESCUED_MOVED);
	ck_assert_int_ge(rspb_ledger_find(ledger, 2)->start, 2);
	ck_assert_int_eq(rspb_ledger_find(ledger, 3)->state, RSPB_BOOKED);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* A part takes 3, 5 and 3 cores of nodes 0 to 2, which has lost one of them. RET the node that it
 * has in its place, 10 more if it gives 5; 99: none. */
static uint32_t stand_in(const char *failed)
{
	struct rspb_ledger *ledger = machine(6);
	struct rspb_request *request = ask_shares(1, 20, 10, "hard", SHARES(300));
	struct rspb_part *part = &request->parts[0];
	struct rspb_policy policy = policy_of("live");
	struct rspb_rescue rescue = { .id = 1, .earliest = 2 };
	struct rspb_nodeset *others = nodes_of(6, "0-5"), *lost = nodes_of(6, failed);
	const struct rspb_booking *b;
	struct rspb_booking *new;
	struct rspb_err err;
	uint32_t found = 99;

	part->nodes = part->nodes_min = 3;
	part->whole = 1000;
	part->eligible = nodes_of(6, "0-2");
	ck_assert_int_eq(rspb_part_add_odd(part, (struct rspb_odd){ 1, RSPB_ROOM_CORES, 500 }, 300),
			 0);
	new = rspb_booking_create(request);
	ck_assert_int_eq(rspb_booking_grant(new, 6, NULL), 0);
	new->state = RSPB_BOOKED;
	new->start = 20;
	new->end = 30;
	new->grants[0].share = 300;
	rspb_nodeset_copy(new->grants[0].nodes, part->eligible);
	must(rspb_ledger_apply(ledger,
			       &(struct rspb_record){ .kind = RSPB_REC_BOOK, .booking = new },
			       &err),
	     &err);
	must(rspb_ledger_block(ledger, 0, 1000, lost, &err), &err);
	rescue.others = (struct rspb_nodeset *[]){ others };
	ck_assert_int_ge(rspb_rescue_booking(ledger, &policy, &rescue, &err), 0);
	must(validate_ledger(ledger, &err), &err);
	b = rspb_ledger_find(ledger, 1);
	RSPB_NODESET_EACH (n, b->grants[0].nodes) {
		bool odd = rspb_part_on(&b->request->parts[0], 300, n) == 500;

		if (n > 2)
			found = odd ? 10 + n : n;
		else
			ck_assert_int_eq(odd, n == 1);
	}
	if (rescue.how != RSPB_RESCUED_NOT) {
		ck_assert_int_eq(rescue.how, RSPB_RESCUED_REPLACED);
		ck_assert(rspb_nodeset_disjoint(b->grants[0].nodes, lost));
		ck_assert(rspb_nodeset_equal(b->grants[0].nodes, b->request->parts[0].eligible));
		ck_assert_uint_eq(b->request->parts[0].n_odd, 1);
	}
	rspb_booking_destroy(new);
	rspb_request_destroy(request);
	rspb_nodeset_destroy(others);
	rspb_nodeset_destroy(lost);
	rspb_ledger_destroy(ledger);
	return found;
}

START_TEST(a_stand_in_gives_what_a_lost_node_gave)
{
	ck_assert_uint_eq(stand_in("0"), 3);
	ck_assert_uint_eq(stand_in("1"), 13);
	ck_assert_uint_eq(stand_in("1,3"), 14);
	ck_assert_uint_eq(stand_in("1,3-5"), 99);
	ck_assert_uint_eq(stand_in("0,3-4"), 5);
}
END_TEST

/* One that could not start in its second, before its node was lost. */
START_TEST(a_start_that_has_passed)
{
	struct rspb_ledger *ledger = machine(3);

	book(ledger, "live", soft(1, 20, 1, "hard", 5), 0, "20-30 0");
	advance(ledger, 22);
	ck_assert_int_eq(rescue(ledger, 1, "0", RSPB_YIELD_WHOLE), RSPB_RESCUED_REPLACED);
	ck_assert_int_eq(rspb_ledger_find(ledger, 1)->start, 20);
	ck_assert_int_eq(rspb_ledger_find(ledger, 1)->end, 30);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(the_least_valuable_gives_way)
{
	for (int level = RSPB_YIELD_NONE; level <= RSPB_YIELD_WHOLE; level++) {
		struct rspb_ledger *ledger = machine(4);
		enum rspb_rescued how;

		book(ledger, "rb", soft(1, 20, 1, "hard", 5), 0, "20-30 0");
		book(ledger, "rb", soft(2, 20, 1, "hard", 6), 0, "20-30 1");
		book(ledger, "rb", soft(3, 20, 1, "hard", 4), 0, "20-30 2");
		book(ledger, "rb", soft(4, 20, 1, "hard", 3), 0, "20-30 3");
		how = rescue(ledger, 1, "0", (enum rspb_yield) level);
		if (level < RSPB_YIELD_WHOLE) {
			ck_assert_int_eq(how, RSPB_RESCUED_NOT);
		} else {
			ck_assert_int_eq(how, RSPB_RESCUED_WHOLE);
			ck_assert_int_eq(rspb_ledger_find(ledger, 4)->state, RSPB_CANCELLED);
		}
		ck_assert_int_eq(rspb_ledger_find(ledger, 2)->state, RSPB_BOOKED);
		ck_assert_int_eq(rspb_ledger_find(ledger, 3)->state, RSPB_BOOKED);
		rspb_ledger_destroy(ledger);
	}
}
END_TEST

/* Those with a benefit function have less before anybody has nothing; who is
 * more valuable loses nothing at all. */
START_TEST(functions_give_way_first)
{
	struct rspb_ledger *ledger = machine(6);

	book(ledger, "rb", soft(1, 20, 1, "hard", 5), 0, "20-30 0");
	book(ledger, "rb", soft(2, 20, 2, "linear:50%", 3), 0, "20-30 1-2");
	book(ledger, "rb", soft(3, 20, 2, "linear:50%", 4), 0, "20-30 3-4");
	book(ledger, "rb", soft(4, 20, 1, "linear:50%", 5), 0, "20-30 5");
	ck_assert_int_eq(rescue(ledger, 1, "0", RSPB_YIELD_WHOLE), RSPB_RESCUED_PART);
	ck_assert_int_eq(units(ledger, 2), 1);
	ck_assert_int_eq(units(ledger, 3), 2);
	ck_assert_int_eq(units(ledger, 4), 1);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(shares_make_room_for_shares)
{
	struct rspb_ledger *ledger = machine(2);
	struct rspb_policy lazy = policy_of("lazy-worst");
	struct rspb_request *request;
	struct rspb_err err;

	request = ask_shares(1, 20, 10, "hard", SHARES(6000));
	request->priority = 1;
	book(ledger, "lazy-worst", request, 0, "20-30 0:6000");
	request = ask_shares(2, 20, 10, "linear:30%", SHARES(10000));
	request->priority = 9;
	book(ledger, "lazy-worst", request, 0, "20-30 1:3000");
	ck_assert_int_eq(rspb_refine_due(ledger, &lazy, 30, NULL, NULL, &err), 1);
	ck_assert_int_eq(units(ledger, 2), 10000);
	/* Also of one that is more valuable: it was not promised. */
	ck_assert_int_eq(rescue(ledger, 1, "0", RSPB_YIELD_SURPLUS), RSPB_RESCUED_SURPLUS);
	ck_assert_int_eq(units(ledger, 1), 6000);
	ck_assert_int_eq(units(ledger, 2), 4000);
	ck_assert_int_eq(promise(ledger, 2), 3000);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* An outage at second `now` leaves a booking so many of its nodes. */
static void hit(struct rspb_ledger *ledger, uint64_t id, uint32_t left, int64_t now)
{
	const struct rspb_booking *was = rspb_ledger_find(ledger, id);
	struct rspb_booking *less = rspb_booking_clone(was);
	struct rspb_record change = { .kind = RSPB_REC_CHANGE, .booking = less };
	struct rspb_err err;

	rspb_nodeset_keep_lowest(less->grants[0].nodes, left);
	rspb_grant_lose(&less->grants[0], &was->grants[0], now);
	rspb_booking_value(less);
	must(rspb_ledger_apply(ledger, &change, &err), &err);
	rspb_booking_destroy(less);
}

static bool restored(struct rspb_ledger *ledger, uint64_t id)
{
	struct rspb_policy policy = policy_of("live");
	struct rspb_rescue rescue = { .id = id, .yield = RSPB_YIELD_WHOLE, .restore = true };
	struct rspb_err err;
	int rc = rspb_rescue_booking(ledger, &policy, &rescue, &err);

	must(rc, &err);
	ck_assert_int_eq(rescue.how, rc ? RSPB_RESCUED_RESTORED : RSPB_RESCUED_NOT);
	must(validate_ledger(ledger, &err), &err);
	return rc;
}

START_TEST(what_an_outage_took_comes_back)
{
	struct rspb_ledger *ledger = machine(6);
	const struct rspb_grant *grant;

	book(ledger, "live", soft(1, 20, 4, "linear:25%", 5), 0, "20-30 0-3");
	ck_assert(!restored(ledger, 1));
	hit(ledger, 1, 3, 7);
	hit(ledger, 1, 1, 8);
	grant = rspb_ledger_find(ledger, 1)->grants;
	ck_assert_int_eq(grant->had, 4);
	ck_assert_int_eq(grant->outage, 7);
	/* Nobody has less for that: of six nodes one is its own and three are others'. */
	book(ledger, "live", soft(2, 20, 3, "linear:25%", 1), 0, "20-30 1-3");
	ck_assert(restored(ledger, 1));
	ck_assert_int_eq(units(ledger, 1), 3);
	ck_assert_int_eq(promise(ledger, 1), 3);
	ck_assert_int_eq(units(ledger, 2), 3);
	grant = rspb_ledger_find(ledger, 1)->grants;
	ck_assert_int_eq(grant->had, 4);
	ck_assert_int_eq(grant->outage, 7);
	ck_assert(!restored(ledger, 1));
	/* All of it, and no more. */
	happen(ledger, 2, RSPB_EV_CANCEL, 9);
	ck_assert(restored(ledger, 1));
	ck_assert_int_eq(units(ledger, 1), 4);
	grant = rspb_ledger_find(ledger, 1)->grants;
	ck_assert_int_eq(grant->had, 0);
	ck_assert_int_eq(grant->outage, 0);
	ck_assert(!restored(ledger, 1));
	rspb_ledger_destroy(ledger);
}
END_TEST

/* The ledger has a booking of that id otherwise from now on. */
static void change(struct rspb_ledger *ledger, uint64_t id, int64_t start, uint32_t width,
		   const char *nodes)
{
	struct rspb_booking *b = rspb_booking_clone(rspb_ledger_find(ledger, id));
	const struct rspb_record record = { .kind = RSPB_REC_CHANGE,
					    .time = rspb_ledger_now(ledger),
					    .booking = b };
	struct rspb_err err;

	b->start = start;
	b->end = start + 10;
	rspb_nodeset_destroy(b->grants[0].nodes);
	b->grants[0].nodes = nodes_of(width, nodes);
	must(rspb_ledger_apply(ledger, &record, &err), &err);
	rspb_booking_destroy(b);
}

/* On a plan the second moved for a trial that was lost, and so did the third, to where the second
 * was. The fourth begins earlier. The fifth gave way for one that is booked. */
START_TEST(lost_trials_cost_nobody_anything)
{
	struct rspb_request *newcomer = soft(6, 20, 1, "hard", 0);
	struct rspb_ledger *ledger = machine(4), *plan;
	struct rspb_err err;

	for (uint64_t id = 2; id <= 5; id++) {
		struct rspb_request *request = soft(id, 20, 1, "linear:25%", 5);

		request->deadline = 100;
		book(ledger, "live", request, 0,
		     (const char *const[]){ "20-30 0", "20-30 1", "20-30 2", "20-30 3" }[id - 2]);
	}
	plan = rspb_ledger_clone(ledger);
	change(plan, 2, 40, 4, "0");
	change(plan, 3, 20, 4, "0");
	change(plan, 4, 10, 4, "2");
	change(plan, 5, 50, 4, "2");
	newcomer->parts[0].eligible = nodes_of(4, "3");
	book(plan, "live", newcomer, 0, "20-30 3");
	must(rspb_yield_undo(plan, ledger, &err), &err);
	must(validate_ledger(plan, &err), &err);
	ck_assert_str_eq(outcome(rspb_ledger_find(plan, 2)), "20-30 0");
	ck_assert_str_eq(outcome(rspb_ledger_find(plan, 3)), "20-30 1");
	ck_assert_str_eq(outcome(rspb_ledger_find(plan, 4)), "10-20 2");
	ck_assert_str_eq(outcome(rspb_ledger_find(plan, 5)), "50-60 2");
	rspb_ledger_destroy(plan);
	rspb_ledger_destroy(ledger);
}
END_TEST

RUN_TESTS("yield", NULL, NULL, 0, shares_grow_and_give_way, no_start_that_is_worth_nothing,
	  sooner_is_all_or_nothing, the_order_of_rescue, a_stand_in_gives_what_a_lost_node_gave,
	  a_start_that_has_passed, the_least_valuable_gives_way, functions_give_way_first,
	  shares_make_room_for_shares, what_an_outage_took_comes_back,
	  lost_trials_cost_nobody_anything)
