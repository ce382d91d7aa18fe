/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records in, occupancy kept; and a long random run against a plain table. */
#include "common/ledger/ledger.h"

#include "tests/unit/plan/requests.h"

enum { NODES = 6, HORIZON = 60 };

/* A booking of whole nodes, or of a share of each when share > 0. */
static struct rspb_booking *made(uint64_t id, int64_t start, int64_t end,
				 const char *nodes, int64_t share)
{
	struct rspb_nodeset *set = nodes_of(NODES, nodes);
	struct rspb_request *request = ask(id, start, end - start,
					   rspb_nodeset_count(set));
	struct rspb_booking *booking;

	request->parts[0].share = share;
	booking = rspb_booking_create(request);
	ck_assert_int_eq(rspb_booking_grant(booking, NODES, NULL), 0);
	rspb_nodeset_copy(booking->grants[0].nodes, set);
	booking->grants[0].share = share;
	booking->start = start;
	booking->end = end;
	booking->state = RSPB_BOOKED;
	rspb_request_destroy(request);
	rspb_nodeset_destroy(set);
	return booking;
}

static struct rspb_ledger *fresh(void)
{
	int64_t capacity[NODES];

	for (int i = 0; i < NODES; i++)
		capacity[i] = 10000;
	return rspb_ledger_create(NODES, capacity, 0);
}

static void valid(const struct rspb_ledger *ledger)
{
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_ledger_validate(ledger, &err), "%s", err.text);
}

static int put(struct rspb_ledger *ledger, enum rspb_record_kind kind,
	       struct rspb_booking *booking, struct rspb_err *err)
{
	struct rspb_record record = { .kind = kind, .booking = booking };
	int rc = rspb_ledger_apply(ledger, &record, err);

	rspb_booking_destroy(booking);
	valid(ledger);
	return rc;
}

static int book(struct rspb_ledger *ledger, struct rspb_booking *booking)
{
	struct rspb_err err;

	return put(ledger, RSPB_REC_BOOK, booking, &err);
}

static int happen(struct rspb_ledger *ledger, uint64_t id,
		  enum rspb_event event, int64_t time)
{
	struct rspb_record record = { .kind = RSPB_REC_EVENT,
				      .id = id,
				      .event = event,
				      .time = time,
				      .reason = "because" };
	struct rspb_err err;
	int rc = rspb_ledger_apply(ledger, &record, &err);

	valid(ledger);
	return rc;
}

static void advance(struct rspb_ledger *ledger, int64_t now)
{
	struct rspb_record record = { .kind = RSPB_REC_ADVANCE, .time = now };

	ck_assert_int_eq(rspb_ledger_apply(ledger, &record, NULL), 0);
	valid(ledger);
}

static const char *free_nodes(const struct rspb_ledger *ledger, int64_t start,
			      int64_t end, bool for_shares)
{
	static char text[64];
	struct rspb_nodeset *set = rspb_nodeset_create(NODES);

	ck_assert_int_eq(
		for_shares ? rspb_ledger_shareable_over(ledger, start, end, set,
							NULL)
			   : rspb_profile_free_over(rspb_ledger_profile(ledger),
						    start, end, set, NULL),
		0);
	rspb_nodeset_print(set, text, sizeof(text));
	rspb_nodeset_destroy(set);
	return text;
}

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
	ck_assert_str_eq(rspb_ledger_find(ledger, 7)->reason, "because");
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
	ck_assert_int_eq(put(ledger, RSPB_REC_BOOK, made(1, 30, 40, "0", 0),
			     &err),
			 -1);
	ck_assert_str_eq(err.text, "booking 1: it is in the ledger already");
	ck_assert_int_eq(book(ledger, made(2, 19, 25, "2-3", 0)), -1);
	ck_assert_int_eq(book(ledger, made(2, 19, 25, "2", 100)), -1);
	ck_assert_int_eq(book(ledger, made(2, 25, 30, "2", 10001)), -1);
	wrong = made(2, 25, 30, "2", 0);
	wrong->state = RSPB_DECLINED;
	ck_assert_int_eq(book(ledger, wrong), -1);
	ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE, made(9, 25, 30, "2", 0),
			     &err),
			 -1);
	ck_assert_int_eq(happen(ledger, 9, RSPB_EV_START, 3), -1);
	ck_assert_int_eq(happen(ledger, 1, RSPB_EV_END, 3), -1);
	ck_assert_uint_eq(rspb_ledger_count(ledger), 1);
	ck_assert_str_eq(free_nodes(ledger, 0, 99, false), "3-5");
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
	ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE, made(1, 15, 25, "1-3", 0),
			     &err),
			 0);
	ck_assert_str_eq(free_nodes(ledger, 10, 20, false), "0,5");
	ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE, made(1, 15, 25, "3-4", 0),
			     &err),
			 -1);
	ck_assert_str_eq(free_nodes(ledger, 10, 20, false), "0,5");
	ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE,
			     made(3, 10, 20, "4", 4001), &err),
			 -1);
	ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE,
			     made(3, 10, 20, "4", 4000), &err),
			 0);
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
	ck_assert_int_eq(rspb_ledger_validate(ledger, NULL), 0);
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
	rspb_ledger_destroy(clone);
	rspb_ledger_destroy(ledger);
	rspb_nodeset_destroy(set);
}
END_TEST

START_TEST(less_is_dedicated_and_what_is_booked_stands)
{
	static const int64_t less[NODES] = { 3000, 3000 };
	struct rspb_ledger *ledger = fresh(), *none;

	ck_assert_int_eq(book(ledger, made(1, 10, 30, "0", 7000)), 0);
	rspb_ledger_resize(ledger, less);
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

/* The plain table: who holds how much of each node at each second. */
struct table {
	int64_t whole[HORIZON][NODES], share[HORIZON][NODES];
};

static bool fits(const struct table *table, const struct rspb_booking *b)
{
	const struct rspb_grant *grant = &b->grants[0];

	for (int64_t t = b->start; t < b->end; t++)
		for (uint32_t n = 0; n < NODES; n++)
			if (rspb_nodeset_has(grant->nodes, n) &&
			    (table->whole[t][n] ||
			     (grant->share ? table->share[t][n] + grant->share >
						     10000
					   : table->share[t][n] > 0)))
				return false;
	return true;
}

static void mark(struct table *table, const struct rspb_booking *b,
		 int64_t from, int64_t sign)
{
	const struct rspb_grant *grant = &b->grants[0];

	for (int64_t t = from > b->start ? from : b->start; t < b->end; t++)
		for (uint32_t n = 0; n < NODES; n++)
			if (rspb_nodeset_has(grant->nodes, n)) {
				table->share[t][n] += sign * grant->share;
				table->whole[t][n] += sign * !grant->share;
			}
}

static void same_as_table(const struct rspb_ledger *ledger,
			  const struct table *table)
{
	for (int64_t t = rspb_ledger_now(ledger); t < HORIZON; t++) {
		char whole[64] = "", shareable[64] = "";
		struct rspb_nodeset *idle = nodes_of(NODES, "");
		struct rspb_nodeset *open = nodes_of(NODES, "");

		for (uint32_t n = 0; n < NODES; n++) {
			if (!table->whole[t][n])
				rspb_nodeset_add(open, n);
			if (!table->whole[t][n] && !table->share[t][n])
				rspb_nodeset_add(idle, n);
		}
		rspb_nodeset_print(idle, whole, sizeof(whole));
		rspb_nodeset_print(open, shareable, sizeof(shareable));
		ck_assert_str_eq(free_nodes(ledger, t, t + 1, false), whole);
		ck_assert_str_eq(free_nodes(ledger, t, t + 1, true), shareable);
		rspb_nodeset_destroy(idle);
		rspb_nodeset_destroy(open);
	}
}

static struct rspb_booking *random_booking(uint64_t id, unsigned int *seed)
{
	int64_t start = rand_r(seed) % (HORIZON - 12);
	int64_t end = start + 1 + rand_r(seed) % 10;
	uint32_t first = (uint32_t) rand_r(seed) % NODES;
	char nodes[16];

	snprintf(nodes, sizeof(nodes), "%u-%u", first,
		 first + (uint32_t) rand_r(seed) % (NODES - first));
	return made(id, start, end, nodes,
		    rand_r(seed) % 2 ? 1000 + rand_r(seed) % 5000 : 0);
}

/* Start, change or end a random booking; the table says what must happen. */
static void random_step(struct rspb_ledger *ledger, struct table *table,
			uint64_t id, unsigned int *seed)
{
	const struct rspb_booking *old = rspb_ledger_find(ledger, id);
	struct rspb_booking *next = random_booking(id, seed);
	struct rspb_booking *copy = rspb_booking_clone(next);
	struct rspb_err err;
	bool ok;

	if (!old || rspb_state_final(old->state)) {
		ok = !old && fits(table, next);
		ck_assert_int_eq(book(ledger, next), ok ? 0 : -1);
		if (ok)
			mark(table, copy, 0, 1);
	} else if (rand_r(seed) % 3) {
		struct rspb_booking *gone = rspb_booking_clone(old);

		mark(table, gone, 0, -1);
		ok = fits(table, next);
		ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE, next, &err),
				 ok ? 0 : -1);
		mark(table, ok ? copy : gone, 0, 1);
		rspb_booking_destroy(gone);
	} else {
		mark(table, old, 0, -1);
		ck_assert_int_eq(happen(ledger, id, RSPB_EV_CANCEL, 0), 0);
		rspb_booking_destroy(next);
	}
	rspb_booking_destroy(copy);
}

START_TEST(like_a_plain_table)
{
	unsigned int seed = (unsigned int) _i * 7919 + 1;
	struct rspb_ledger *ledger = fresh();
	struct table *table = calloc(1, sizeof(*table));

	for (int step = 0; step < test_rounds(150); step++) {
		random_step(ledger, table, 1 + (uint64_t) rand_r(&seed) % 40,
			    &seed);
		if (step % 50 == 49) {
			struct rspb_ledger *clone = rspb_ledger_clone(ledger);

			rspb_ledger_destroy(ledger);
			ledger = clone;
		}
		same_as_table(ledger, table);
	}
	rspb_ledger_destroy(ledger);
	free(table);
}
END_TEST

static int move(struct rspb_ledger *ledger, struct rspb_booking *a,
		struct rspb_booking *b, struct rspb_err *err)
{
	const struct rspb_booking *list[] = { a, b };
	struct rspb_record record = { .kind = RSPB_REC_MOVE,
				      .bookings = list,
				      .n_bookings = 2 };
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
	ck_assert_int_eq(move(ledger, made(1, 20, 30, "0-2", 0),
			      made(2, 10, 20, "0-2", 0), &err),
			 0);
	ck_assert_int_eq(rspb_ledger_find(ledger, 1)->start, 20);
	ck_assert_uint_eq(rspb_ledger_at(ledger, 0)->request->id, 2);
	/* A new one may come with it; both or none. */
	ck_assert_int_eq(move(ledger, made(1, 30, 35, "0-2", 0),
			      made(9, 30, 35, "2", 0), &err),
			 -1);
	ck_assert_int_eq(move(ledger, made(1, 30, 35, "0-2", 0),
			      made(9, 30, 35, "4", 6000), &err),
			 -1);
	ck_assert_int_eq(rspb_ledger_find(ledger, 1)->start, 20);
	ck_assert_ptr_null(rspb_ledger_find(ledger, 9));
	ck_assert_str_eq(free_nodes(ledger, 20, 30, false), "3-5");
	ck_assert_int_eq(move(ledger, made(1, 30, 35, "0-2", 0),
			      made(1, 40, 45, "0-2", 0), &err),
			 -1);
	ck_assert_int_eq(move(ledger, made(1, 30, 35, "0-2", 0),
			      made(9, 20, 35, "4", 5000), &err),
			 0);
	ck_assert_str_eq(free_nodes(ledger, 20, 30, false), "0-3,5");
	rspb_ledger_destroy(ledger);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = {
		life_of_a_booking,
		refused_records_change_nothing,
		change_in_place_or_not_at_all,
		shares_keep_whole_nodes_away,
		blocks_outlive_what_they_overlap,
		blocks_beside_are_for_whole_nodes_alone,
		less_is_dedicated_and_what_is_booked_stands,
		bookings_that_pass_each_other,
	};
	Suite *suite = suite_of("ledger", tests,
				sizeof(tests) / sizeof(tests[0]));
	TCase *random = tcase_create("random");

	tcase_add_loop_test(random, like_a_plain_table, 0, 20);
	suite_add_tcase(suite, random);
	return suite;
}

RUN_SUITE(suite)
