/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records in, occupancy kept. */
#include "tests/unit/plan/records.h"
#include "tests/validate/validate.h"

START_TEST(life_of_a_booking)
{
	struct rspb_ledger *ledger = fresh();

	ck_assert_int_eq(book(ledger, made(7, 10, 20, "0-3", 0)), 0);
	ck_assert_int_eq(book(ledger, made(3, 10, 20, "4", 0)), 0);
	ck_assert_uint_eq(rspb_ledger_count(ledger), 2);
	ck_assert_uint_eq(rspb_ledger_at(ledger, 0)->request->id, 3);
	ck_assert_int_eq(happen(ledger, 7, RSPB_EV_START, 10), 0);
	ck_assert_int_eq(rspb_ledger_find(ledger, 7)->state, RSPB_ACTIVE);
	ck_assert_str_eq(free_nodes(ledger, 12, 15, false), "5");
	ck_assert_int_eq(happen(ledger, 7, RSPB_EV_END, 15), 0);
	ck_assert_str_eq(free_nodes(ledger, 15, 20, false), "0-3,5");
	ck_assert_str_eq(free_nodes(ledger, 14, 20, false), "5");
	ck_assert_str_eq(rspb_ledger_find(ledger, 7)->why, "because");
	ck_assert_int_eq(happen(ledger, 7, RSPB_EV_END, 16), -1);
	ck_assert_uint_eq(rspb_ledger_purge(ledger, 21), 0);
	advance(ledger, 15);
	ck_assert_uint_eq(rspb_ledger_purge(ledger, 20), 0);
	ck_assert_uint_eq(rspb_ledger_purge(ledger, 21), 1);
	ck_assert_ptr_null(rspb_ledger_find(ledger, 7));
	ck_assert_int_eq(happen(ledger, 3, RSPB_EV_CANCEL, 5), 0);
	ck_assert_str_eq(free_nodes(ledger, 15, 99, false), "0-5");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(refused_records_change_nothing)
{
	struct rspb_ledger *ledger = fresh();
	struct rspb_booking *wrong;
	struct rspb_err err;

	ck_assert_int_eq(book(ledger, made(1, 10, 20, "0-2", 0)), 0);
	ck_assert_int_eq(put(ledger, RSPB_REC_BOOK, made(1, 30, 40, "0", 0), &err), -1);
	ck_assert_str_eq(err.text, "booking 1: it is in the ledger already");
	ck_assert_int_eq(book(ledger, made(2, 19, 25, "2-3", 0)), -1);
	ck_assert_int_eq(book(ledger, made(2, 19, 25, "2", 100)), -1);
	ck_assert_int_eq(book(ledger, made(2, 25, 30, "2", 10001)), -1);
	wrong = made(2, 25, 30, "2", 0);
	wrong->state = RSPB_DECLINED;
	ck_assert_int_eq(book(ledger, wrong), -1);
	ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE, made(9, 25, 30, "2", 0), &err), -1);
	ck_assert_int_eq(happen(ledger, 9, RSPB_EV_START, 3), -1);
	ck_assert_int_eq(happen(ledger, 1, RSPB_EV_END, 3), -1);
	ck_assert_uint_eq(rspb_ledger_count(ledger), 1);
	ck_assert_str_eq(free_nodes(ledger, 0, 99, false), "3-5");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(what_is_over_may_be_booked_anew)
{
	struct rspb_ledger *ledger = fresh();

	ck_assert_int_eq(book(ledger, made(1, 10, 20, "0-2", 0)), 0);
	ck_assert_int_eq(happen(ledger, 1, RSPB_EV_CANCEL, 3), 0);
	ck_assert_int_eq(book(ledger, made(1, 15, 25, "1", 0)), 0);
	ck_assert_uint_eq(rspb_ledger_count(ledger), 1);
	ck_assert_int_eq(rspb_ledger_find(ledger, 1)->state, RSPB_BOOKED);
	ck_assert_str_eq(free_nodes(ledger, 10, 20, false), "0,2-5");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(change_in_place_or_not_at_all)
{
	struct rspb_ledger *ledger = fresh();
	struct rspb_err err;

	ck_assert_int_eq(book(ledger, made(1, 10, 20, "0-2", 0)), 0);
	ck_assert_int_eq(book(ledger, made(2, 10, 20, "4", 6000)), 0);
	ck_assert_int_eq(book(ledger, made(3, 10, 20, "4", 2000)), 0);
	ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE, made(1, 15, 25, "1-3", 0), &err), 0);
	ck_assert_str_eq(free_nodes(ledger, 10, 20, false), "0,5");
	ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE, made(1, 15, 25, "3-4", 0), &err), -1);
	ck_assert_str_eq(free_nodes(ledger, 10, 20, false), "0,5");
	ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE, made(3, 10, 20, "4", 4001), &err), -1);
	ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE, made(3, 10, 20, "4", 4000), &err), 0);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(shares_keep_whole_nodes_away)
{
	struct rspb_ledger *ledger = fresh();

	ck_assert_int_eq(book(ledger, made(1, 10, 30, "0-1", 3000)), 0);
	ck_assert_int_eq(book(ledger, made(2, 20, 40, "1-2", 3000)), 0);
	ck_assert_str_eq(free_nodes(ledger, 0, 99, false), "3-5");
	ck_assert_str_eq(free_nodes(ledger, 0, 99, true), "0-5");
	ck_assert_int_eq(book(ledger, made(3, 29, 31, "0", 0)), -1);
	ck_assert_int_eq(book(ledger, made(3, 30, 31, "0", 0)), 0);
	ck_assert_int_eq(happen(ledger, 1, RSPB_EV_CANCEL, 5), 0);
	ck_assert_str_eq(free_nodes(ledger, 10, 20, false), "0-5");
	ck_assert_str_eq(free_nodes(ledger, 20, 31, false), "3-5");
	ck_assert_str_eq(free_nodes(ledger, 20, 31, true), "1-5");
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(blocks_outlive_what_they_overlap)
{
	struct rspb_ledger *ledger = fresh(), *clone;
	struct rspb_nodeset *set = nodes_of(NODES, "0-1");

	ck_assert_int_eq(book(ledger, made(1, 10, 30, "1-2", 0)), 0);
	clone = rspb_ledger_clone(ledger);
	ck_assert_int_eq(rspb_ledger_block(clone, 0, 20, set, NULL), 0);
	ck_assert_str_eq(free_nodes(clone, 10, 30, false), "3-5");
	ck_assert_int_eq(happen(clone, 1, RSPB_EV_CANCEL, 5), 0);
	ck_assert_str_eq(free_nodes(clone, 10, 30, false), "2-5");
	ck_assert_str_eq(free_nodes(clone, 20, 30, false), "0-5");
	ck_assert_str_eq(free_nodes(ledger, 10, 30, false), "0,3-5");
	rspb_ledger_destroy(clone);
	ck_assert_int_eq(validate_ledger(ledger, NULL), 0);
	rspb_ledger_destroy(ledger);
	rspb_nodeset_destroy(set);
}
END_TEST

/* An ordinary job that leaves room: shares may be beside it, whole nodes not,
 * whatever comes and goes there. */
START_TEST(blocks_beside_are_for_whole_nodes_alone)
{
	struct rspb_ledger *ledger = fresh(), *clone;
	struct rspb_nodeset *set = nodes_of(NODES, "0-1");
	int64_t start, end;
	bool beside = false;

	ck_assert_int_eq(rspb_ledger_block_beside(ledger, 0, 40, set, NULL), 0);
	ck_assert_str_eq(free_nodes(ledger, 10, 30, false), "2-5");
	ck_assert_str_eq(free_nodes(ledger, 10, 30, true), "0-5");
	ck_assert_int_eq(book(ledger, made(1, 10, 30, "0", 0)), -1);
	ck_assert_int_eq(book(ledger, made(2, 10, 30, "0,2", 4000)), 0);
	ck_assert_int_eq(book(ledger, made(3, 20, 50, "0", 6000)), 0);
	ck_assert_int_eq(book(ledger, made(4, 20, 50, "0", 1)), -1);
	/* What it covers stays covered when a share goes. */
	ck_assert_int_eq(happen(ledger, 2, RSPB_EV_CANCEL, 5), 0);
	ck_assert_int_eq(happen(ledger, 3, RSPB_EV_CANCEL, 5), 0);
	ck_assert_str_eq(free_nodes(ledger, 10, 30, false), "2-5");
	ck_assert_str_eq(free_nodes(ledger, 40, 50, false), "0-5");
	/* One that leaves no room, too, on one of the nodes. */
	rspb_nodeset_remove(set, 0);
	ck_assert_int_eq(rspb_ledger_block(ledger, 0, 20, set, NULL), 0);
	ck_assert_str_eq(free_nodes(ledger, 10, 30, true), "0,2-5");
	ck_assert_int_eq(book(ledger, made(5, 10, 30, "1", 4000)), -1);
	ck_assert_int_eq(book(ledger, made(6, 20, 30, "1", 4000)), 0);
	clone = rspb_ledger_clone(ledger);
	ck_assert_uint_eq(rspb_ledger_blocks(clone), 2);
	rspb_ledger_block_at(clone, 0, &start, &end, &beside);
	ck_assert(beside && !start && end == 40);
	rspb_ledger_block_at(clone, 1, &start, &end, &beside);
	ck_assert(!beside);
	ck_assert_int_eq(happen(clone, 6, RSPB_EV_CANCEL, 5), 0);
	ck_assert_str_eq(free_nodes(clone, 20, 40, false), "2-5");
	ck_assert_str_eq(free_nodes(clone, 0, 40, true), "0,2-5");
	ck_assert_int_eq(rspb_ledger_block(clone, 50, 60, set, NULL), 0);
	ck_assert_uint_eq(rspb_ledger_blocks(clone), 3);
	ck_assert_uint_eq(rspb_ledger_blocks(ledger), 2);
	rspb_ledger_destroy(clone);
	rspb_ledger_destroy(ledger);
	rspb_nodeset_destroy(set);
}
END_TEST

START_TEST(less_is_dedicated_and_what_is_booked_stands)
{
	static const int64_t less[NODES] = { 3000, 3000 };
	struct rspb_ledger *ledger = fresh(), *none;
	struct rspb_err err;

	ck_assert_int_eq(book(ledger, made(1, 10, 30, "0", 7000)), 0);
	rspb_ledger_resize(ledger, less);
	valid(ledger);
	/* Also when something else of it changes. */
	ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE, made(1, 10, 30, "0", 7000), &err), 0);
	valid(ledger);
	ck_assert_int_eq(book(ledger, made(2, 20, 40, "0", 1)), -1);
	ck_assert_int_eq(book(ledger, made(3, 20, 40, "1", 3001)), -1);
	ck_assert_int_eq(book(ledger, made(3, 20, 40, "1", 3000)), 0);
	ck_assert_int_eq(book(ledger, made(4, 20, 40, "2", 1)), -1);
	ck_assert_int_eq(book(ledger, made(5, 10, 40, "2-5", 0)), 0);
	rspb_ledger_destroy(ledger);
	none = rspb_ledger_create(NODES, NULL, 0);
	rspb_ledger_resize(none, less);
	ck_assert_int_eq(book(none, made(1, 10, 30, "0", 1)), -1);
	rspb_ledger_destroy(none);
}
END_TEST

static int move(struct rspb_ledger *ledger, struct rspb_booking *a, struct rspb_booking *b,
		struct rspb_err *err)
{
	const struct rspb_booking *list[] = { a, b };
	struct rspb_record record = { .kind = RSPB_REC_MOVE, .bookings = list, .n_bookings = 2 };
	int rc = rspb_ledger_apply(ledger, &record, err);

	rspb_booking_destroy(a);
	rspb_booking_destroy(b);
	valid(ledger);
	return rc;
}

START_TEST(bookings_that_pass_each_other)
{
	struct rspb_ledger *ledger = fresh();
	struct rspb_err err;

	ck_assert_int_eq(book(ledger, made(1, 10, 20, "0-2", 0)), 0);
	ck_assert_int_eq(book(ledger, made(2, 20, 30, "0-2", 0)), 0);
	ck_assert_int_eq(book(ledger, made(3, 30, 40, "4", 5000)), 0);
	ck_assert_int_eq(move(ledger, made(1, 20, 30, "0-2", 0), made(2, 10, 20, "0-2", 0), &err),
			 0);
	ck_assert_int_eq(rspb_ledger_find(ledger, 1)->start, 20);
	ck_assert_uint_eq(rspb_ledger_at(ledger, 0)->request->id, 2);
	/* A new one may come with it; both or none. */
	ck_assert_int_eq(move(ledger, made(1, 30, 35, "0-2", 0), made(9, 30, 35, "2", 0), &err),
			 -1);
	ck_assert_int_eq(move(ledger, made(1, 30, 35, "0-2", 0), made(9, 30, 35, "4", 6000), &err),
			 -1);
	ck_assert_int_eq(rspb_ledger_find(ledger, 1)->start, 20);
	ck_assert_ptr_null(rspb_ledger_find(ledger, 9));
	ck_assert_str_eq(free_nodes(ledger, 20, 30, false), "3-5");
	ck_assert_int_eq(move(ledger, made(1, 30, 35, "0-2", 0), made(1, 40, 45, "0-2", 0), &err),
			 -1);
	ck_assert_int_eq(move(ledger, made(1, 30, 35, "0-2", 0), made(9, 20, 35, "4", 5000), &err),
			 0);
	ck_assert_str_eq(free_nodes(ledger, 20, 30, false), "0-3,5");
	rspb_ledger_destroy(ledger);
}
END_TEST

enum { MANY = 1000, ROUNDS = 300 };

/* The i-th of many, each with a time of its own, in an order unlike that of ids;
 * it may be moved within it. */
static struct rspb_booking *one_of_many(unsigned int i, int64_t by)
{
	int64_t start = 100 + INT64_C(20) * (i * 7919U % MANY) + by;

	return made(i + 1, start, start + 5, "0", 0);
}

/* What is another in the plan is found, and nothing else. */
static void check_changes(const struct rspb_ledger *ledger, const struct rspb_ledger *plan,
			  const bool *changed)
{
	bool found[MANY] = { false };
	const struct rspb_booking *old, *new;
	size_t i = 0;

	while ((old = rspb_ledger_next_changed(ledger, plan, &i, &new))) {
		ck_assert_ptr_eq(new, rspb_ledger_find(plan, old->request->id));
		ck_assert(!found[old->request->id - 1]);
		found[old->request->id - 1] = true;
	}
	for (unsigned int k = 0; k < MANY; k++)
		ck_assert_msg(found[k] == changed[k], "%u: %d", k + 1, found[k]);
}

START_TEST(copies_share_what_stays)
{
	struct rspb_ledger *ledger = fresh(), *plan = NULL;
	bool changed[MANY] = { false }, gone[MANY] = { false };
	unsigned int seed = 42;
	struct rspb_err err;

	for (unsigned int i = 0; i < MANY; i++)
		ck_assert_int_eq(book(ledger, one_of_many(i, 0)), 0);
	for (int round = 0; round < ROUNDS; round++) {
		unsigned int i = (unsigned int) rand_r(&seed) % MANY;

		if (!plan)
			plan = rspb_ledger_clone(ledger);
		if (!gone[i] && round % 3) {
			ck_assert_int_eq(put(plan, RSPB_REC_CHANGE, one_of_many(i, round % 10),
					     &err),
					 0);
			changed[i] = true;
		} else if (!gone[i]) {
			ck_assert_int_eq(happen(plan, i + 1, RSPB_EV_CANCEL, 1), 0);
			changed[i] = gone[i] = true;
		}
		check_changes(ledger, plan, changed);
		ck_assert_int_eq(validate_ledger(ledger, &err), 0);
		ck_assert_int_eq(validate_ledger(plan, &err), 0);
		ck_assert_uint_eq(rspb_ledger_count(plan), MANY);
		if (round % 40)
			continue;
		rspb_ledger_destroy(ledger);
		ledger = plan;
		plan = NULL;
		memset(changed, 0, sizeof(changed));
	}
	rspb_ledger_destroy(ledger);
	advance(plan, 100000);
	ck_assert_uint_eq(rspb_ledger_purge(plan, 50), 0);
	rspb_ledger_purge(plan, 100000);
	for (unsigned int i = 0; i < MANY; i++)
		ck_assert((rspb_ledger_find(plan, i + 1) == NULL) == gone[i]);
	ck_assert_int_eq(validate_ledger(plan, &err), 0);
	rspb_ledger_destroy(plan);
}
END_TEST

/* Lift the bookings of a plan and enter them again, one at its old place; then let the ledger have
 * them. */
START_TEST(a_ledger_takes_over_the_bookings_of_a_plan)
{
	struct rspb_ledger *ledger = fresh(), *plan;
	struct rspb_booking *back = made(1, 10, 30, "0-1", 0), *moved = made(2, 30, 40, "0", 0);
	const struct rspb_booking *own, *new;
	struct rspb_err err;
	size_t i = 0;

	ck_assert_int_eq(book(ledger, made(1, 10, 30, "0-1", 0)), 0);
	ck_assert_int_eq(book(ledger, made(2, 10, 30, "2-3", 0)), 0);
	plan = rspb_ledger_clone(ledger);
	ck_assert_int_eq(rspb_ledger_lift(plan, 9, &err), -1);
	ck_assert_int_eq(rspb_ledger_lift(plan, 1, &err), 0);
	ck_assert_int_eq(rspb_ledger_lift(plan, 2, &err), 0);
	ck_assert_uint_eq(rspb_ledger_count(plan), 0);
	ck_assert_str_eq(free_nodes(plan, 10, 30, false), "0-5");
	valid(plan);
	ck_assert_int_eq(rspb_ledger_enter(plan, back, &err), 0);
	ck_assert_int_eq(rspb_ledger_enter(plan, moved, &err), 0);
	ck_assert_ptr_eq(rspb_ledger_find(plan, 2), moved);
	ck_assert_int_eq(rspb_ledger_until_at(plan, 1), 40);
	/* A booking that is refused stays with the caller. */
	moved = made(3, 20, 25, "1", 0);
	ck_assert_int_eq(rspb_ledger_enter(plan, moved, &err), -1);
	rspb_booking_destroy(moved);
	ck_assert_int_eq(rspb_ledger_resume(plan, ledger, 2), -1);
	ck_assert_int_eq(rspb_ledger_resume(plan, ledger, 9), -1);
	ck_assert_int_eq(rspb_ledger_resume(plan, ledger, 1), 0);
	ck_assert_int_eq(rspb_ledger_resume(plan, ledger, 1), 0);
	own = rspb_ledger_find(ledger, 1);
	rspb_ledger_adopt(ledger, plan);
	ck_assert_ptr_eq(rspb_ledger_find(ledger, 1), own);
	ck_assert_str_eq(free_nodes(ledger, 10, 30, false), "2-5");
	ck_assert_str_eq(free_nodes(plan, 10, 30, false), "4-5");
	valid(ledger);
	valid(plan);
	ck_assert_uint_eq(rspb_ledger_next_changed(plan, ledger, &i, &new)->request->id, 2);
	ck_assert_ptr_null(rspb_ledger_next_changed(plan, ledger, &i, &new));
	rspb_ledger_destroy(plan);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* What was planned and is done by now stands in the plan as it does in the ledger. */
START_TEST(plan_goes_on)
{
	struct rspb_ledger *ledger = fresh(), *plan;
	struct rspb_nodeset *set = nodes_of(NODES, "0-1");
	const struct rspb_booking *new;
	struct rspb_err err;
	size_t i = 0;

	ck_assert_int_eq(book(ledger, made(1, 10, 30, "1-2", 0)), 0);
	ck_assert_int_eq(book(ledger, made(2, 10, 30, "3", 0)), 0);
	plan = rspb_ledger_clone(ledger);
	ck_assert_int_eq(rspb_ledger_block(plan, 0, 20, set, NULL), 0);
	ck_assert_int_eq(put(plan, RSPB_REC_CHANGE, made(1, 10, 30, "4-5", 0), &err), 0);
	ck_assert_int_eq(rspb_ledger_rebase(plan, ledger), -1);
	ck_assert_str_eq(rspb_booking_why(rspb_ledger_next_changed(ledger, plan, &i, &new)), "");
	ck_assert_uint_eq(new->request->id, 1);
	ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE, made(1, 10, 30, "4-5", 0), &err), 0);
	ck_assert_int_eq(happen(ledger, 2, RSPB_EV_START, 10), 0);
	ck_assert_int_eq(rspb_ledger_rebase(plan, ledger), 0);
	i = 0;
	ck_assert_ptr_null(rspb_ledger_next_changed(ledger, plan, &i, &new));
	ck_assert_int_eq(rspb_ledger_find(plan, 2)->state, RSPB_ACTIVE);
	ck_assert_str_eq(free_nodes(plan, 10, 30, false), "2");
	ck_assert_str_eq(free_nodes(plan, 20, 30, false), "0-2");
	valid(plan);
	/* One more, and one that is over early. */
	ck_assert_int_eq(book(ledger, made(3, 40, 50, "0", 0)), 0);
	ck_assert_int_eq(rspb_ledger_rebase(plan, ledger), -1);
	ck_assert_int_eq(happen(ledger, 3, RSPB_EV_CANCEL, 11), 0);
	ck_assert_int_eq(rspb_ledger_rebase(plan, ledger), -1);
	ck_assert_int_eq(happen(plan, 2, RSPB_EV_END, 12), 0);
	ck_assert_int_eq(rspb_ledger_rebase(plan, ledger), -1);
	valid(plan);
	rspb_nodeset_destroy(set);
	rspb_ledger_destroy(ledger);
	rspb_ledger_destroy(plan);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = {
		life_of_a_booking,
		refused_records_change_nothing,
		what_is_over_may_be_booked_anew,
		change_in_place_or_not_at_all,
		shares_keep_whole_nodes_away,
		blocks_outlive_what_they_overlap,
		blocks_beside_are_for_whole_nodes_alone,
		less_is_dedicated_and_what_is_booked_stands,
		bookings_that_pass_each_other,
		copies_share_what_stays,
		a_ledger_takes_over_the_bookings_of_a_plan,
		plan_goes_on,
	};

	return suite_of("ledger", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
