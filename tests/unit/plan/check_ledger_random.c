/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger in a long random run against a plain table. */
#include "tests/unit/plan/records.h"

enum { HORIZON = 60 };

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
			     (grant->share ? table->share[t][n] + grant->share > 10000
					   : table->share[t][n] > 0)))
				return false;
	return true;
}

static void mark(struct table *table, const struct rspb_booking *b, int64_t from, int64_t sign)
{
	const struct rspb_grant *grant = &b->grants[0];

	for (int64_t t = from > b->start ? from : b->start; t < b->end; t++)
		for (uint32_t n = 0; n < NODES; n++)
			if (rspb_nodeset_has(grant->nodes, n)) {
				table->share[t][n] += sign * grant->share;
				table->whole[t][n] += sign * !grant->share;
			}
}

static void same_as_table(const struct rspb_ledger *ledger, const struct table *table)
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
	return made(id, start, end, nodes, rand_r(seed) % 2 ? 1000 + rand_r(seed) % 5000 : 0);
}

/* Start, change or end a random booking; the table says what must happen. */
static void random_step(struct rspb_ledger *ledger, struct table *table, uint64_t id,
			unsigned int *seed)
{
	const struct rspb_booking *old = rspb_ledger_find(ledger, id);
	struct rspb_booking *next = random_booking(id, seed);
	struct rspb_booking *copy = rspb_booking_clone(next);
	struct rspb_err err;
	bool ok;

	if (!old || rspb_state_final(old->state)) {
		ok = fits(table, next);
		ck_assert_int_eq(book(ledger, next), ok ? 0 : -1);
		if (ok)
			mark(table, copy, 0, 1);
	} else if (rand_r(seed) % 3) {
		struct rspb_booking *gone = rspb_booking_clone(old);

		mark(table, gone, 0, -1);
		ok = fits(table, next);
		ck_assert_int_eq(put(ledger, RSPB_REC_CHANGE, next, &err), ok ? 0 : -1);
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
		random_step(ledger, table, 1 + (uint64_t) rand_r(&seed) % 40, &seed);
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

/* A gap keeps others off, and gives way to what stands. */
START_TEST(time_to_clean_up)
{
	struct rspb_ledger *ledger = fresh();
	struct rspb_booking *one = made(1, 10, 20, "0-1", 0);
	struct rspb_booking *late = made(3, 2, 10, "0", 0);

	one->request->clean_up = 5;
	ck_assert_int_eq(book(ledger, one), 0);
	ck_assert_str_eq(free_nodes(ledger, 24, 30, false), "2-5");
	ck_assert_str_eq(free_nodes(ledger, 25, 30, false), "0-5");
	ck_assert_int_eq(book(ledger, made(2, 24, 30, "1", 0)), -1);
	late->request->clean_up = 5;
	ck_assert_int_eq(book(ledger, late), 0);
	ck_assert_int_eq(happen(ledger, 3, RSPB_EV_CANCEL, 2), 0);
	ck_assert_str_eq(free_nodes(ledger, 10, 20, false), "2-5");
	ck_assert_int_eq(happen(ledger, 1, RSPB_EV_START, 10), 0);
	ck_assert_int_eq(happen(ledger, 1, RSPB_EV_END, 15), 0);
	ck_assert_str_eq(free_nodes(ledger, 15, 30, false), "0-5");
	rspb_ledger_destroy(ledger);
}
END_TEST

/* RET as rspb_ledger_next_of(), by a look at each booking. */
static size_t next_of(const struct rspb_ledger *ledger, const struct rspb_request *like,
		      bool account, size_t i)
{
	for (; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_request *r = rspb_ledger_at(ledger, i)->request;
		size_t len, other;
		const char *one = rspb_request_account_of(r, &len);
		const char *two = rspb_request_account_of(like, &other);

		if (account ? len == other && !memcmp(one, two, len) : r->user == like->user)
			break;
	}
	return i;
}

static void same_owners(const struct rspb_ledger *ledger)
{
	struct rspb_request *like = ask(1, 1, 1, 1);

	for (uint32_t user = 0; user < 5; user++)
		for (int account = 0; account < 2; account++) {
			char name[8];

			snprintf(name, sizeof(name), "a%u", user % 3);
			like->user = user;
			rspb_request_label(like, user < 4 ? name : NULL, "normal", "main");
			for (size_t i = 0; i < rspb_ledger_count(ledger) + 2; i++)
				ck_assert_uint_eq(rspb_ledger_next_of(ledger, like, account, i),
						  i < rspb_ledger_count(ledger)
							  ? next_of(ledger, like, account, i)
							  : rspb_ledger_count(ledger));
			free(like->labels);
			like->labels = NULL;
		}
	rspb_request_destroy(like);
}

/* Bookings of several users and accounts enter pages, move between them, and leave; a copy of the
 * ledger has the same pages meanwhile. */
START_TEST(bookings_of_an_owner)
{
	unsigned int seed = (unsigned int) _i + 1;
	struct rspb_ledger *ledger = fresh(), *clone = NULL;

	for (int step = 0; step < test_rounds(400); step++) {
		uint64_t id = 1 + (uint64_t) rand_r(&seed) % 300;
		int64_t start = 1 + 2 * (rand_r(&seed) % 5000);
		struct rspb_booking *next = made(id, start, start + 1, "0", 0);
		uint32_t user = (uint32_t) rand_r(&seed) % 4;
		char account[8];
		struct rspb_err err;

		snprintf(account, sizeof(account), "a%u", user % 3);
		next->request->user = user;
		rspb_request_label(next->request, account, "normal", "main");
		put(ledger, rspb_ledger_find(ledger, id) ? RSPB_REC_CHANGE : RSPB_REC_BOOK, next,
		    &err);
		if (step % 10 == 9) {
			same_owners(ledger);
			rspb_ledger_destroy(clone);
			clone = rspb_ledger_clone(ledger);
			same_owners(clone);
		}
	}
	same_owners(clone);
	rspb_ledger_destroy(clone);
	rspb_ledger_destroy(ledger);
}
END_TEST

static Suite *suite(void)
{
	Suite *suite = suite_create("ledger_random");
	TCase *random = tcase_create("random");

	tcase_add_loop_test(random, like_a_plain_table, 0, 20);
	tcase_add_loop_test(random, bookings_of_an_owner, 0, 4);
	tcase_add_test(random, time_to_clean_up);
	suite_add_tcase(suite, random);
	return suite;
}

RUN_SUITE(suite)
