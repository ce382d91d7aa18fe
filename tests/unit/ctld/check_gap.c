/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is learned of how long nodes take between two jobs. */
#include "plugins/ctld/book/book.h"

#include <stdlib.h>

#include "common/conf/config.h"
#include "tests/unit/runner.h"

enum { NODES = 70, NOTED = 64 };

/* What the journal was given. */
static struct json_object *noted[NOTED];
static int n_noted;

void rspb_durable_note(const char *kind, struct json_object *value, int64_t now)
{
	(void) now;
	ck_assert_str_eq(kind, "node_gap");
	ck_assert_int_lt(n_noted, NOTED);
	noted[n_noted++] = value;
}

/* Node n is busy with it from `from` to `until`; each second is looked at. */
static void busy(enum rspb_gap gap, uint32_t n, int64_t from, int64_t until)
{
	struct rspb_nodeset *set = rspb_nodeset_create(NODES);

	rspb_nodeset_add(set, n);
	for (int64_t now = from; now < until; now++)
		rspb_gap_see(gap, set, now);
	rspb_nodeset_clear(set);
	rspb_gap_see(gap, set, until);
	rspb_nodeset_destroy(set);
}

static void clean(uint32_t n, int64_t from, int64_t until)
{
	busy(RSPB_GAP_CLEAN_UP, n, from, until);
}

START_TEST(three_of_four_nodes_tell)
{
	rspb_gap_use(RSPB_GAP_CLEAN_UP, RSPB_GAP_AUTO);
	clean(0, 100, 120);
	clean(65, 200, 225);
	ck_assert_int_eq(rspb_gap(RSPB_GAP_CLEAN_UP), 0);
	clean(1, 300, 320);
	/* A second more than was seen: 21, 21, 26. */
	ck_assert_int_eq(rspb_gap(RSPB_GAP_CLEAN_UP), 26);
	clean(2, 400, 420);
	clean(3, 500, 520);
	ck_assert_int_eq(rspb_gap(RSPB_GAP_CLEAN_UP), 21);
	/* What is quick, or hangs, says nothing. */
	clean(4, 600, 600);
	clean(5, 1000, 2000);
	ck_assert_int_eq(rspb_gap(RSPB_GAP_CLEAN_UP), 21);
}
END_TEST

START_TEST(what_is_old_is_forgotten)
{
	rspb_gap_use(RSPB_GAP_CLEAN_UP, RSPB_GAP_AUTO);
	for (uint32_t n = 0; n < 3; n++)
		clean(n, 100 * (n + 1), 100 * (n + 1) + 9);
	ck_assert_int_eq(rspb_gap(RSPB_GAP_CLEAN_UP), 10);
	clean(9, 6 * 3600 + 400, 6 * 3600 + 400);
	ck_assert_int_eq(rspb_gap(RSPB_GAP_CLEAN_UP), 0);
}
END_TEST

START_TEST(a_setting_is_what_holds)
{
	rspb_gap_use(RSPB_GAP_CLEAN_UP, 30);
	ck_assert_int_eq(rspb_gap(RSPB_GAP_CLEAN_UP), 30);
	for (uint32_t n = 0; n < 3; n++)
		clean(n, 100 * (n + 1), 100 * (n + 1) + 9);
	ck_assert_int_eq(rspb_gap(RSPB_GAP_CLEAN_UP), 30);
	/* Learned all the same, for when it is asked for. */
	rspb_gap_use(RSPB_GAP_CLEAN_UP, RSPB_GAP_AUTO);
	clean(9, 500, 500);
	ck_assert_int_eq(rspb_gap(RSPB_GAP_CLEAN_UP), 10);
}
END_TEST

START_TEST(each_is_learned_apart)
{
	rspb_gap_use(RSPB_GAP_CLEAN_UP, RSPB_GAP_AUTO);
	rspb_gap_use(RSPB_GAP_PREPARE, RSPB_GAP_AUTO);
	for (uint32_t n = 0; n < 3; n++) {
		clean(n, 100 * (n + 1), 100 * (n + 1) + 9);
		busy(RSPB_GAP_PREPARE, n, 100 * (n + 1) + 50, 100 * (n + 1) + 69);
	}
	ck_assert_int_eq(rspb_gap(RSPB_GAP_CLEAN_UP), 10);
	ck_assert_int_eq(rspb_gap(RSPB_GAP_PREPARE), 20);
	ck_assert_int_eq(rspb_gap_whole(), 30);
	rspb_gap_use(RSPB_GAP_PREPARE, 0);
	ck_assert_int_eq(rspb_gap_whole(), 10);
}
END_TEST

/* What the next slurmctld reads, twice where it is a backup controller. */
START_TEST(what_was_learned_outlives_a_restart)
{
	int written;

	rspb_gap_use(RSPB_GAP_CLEAN_UP, RSPB_GAP_AUTO);
	rspb_gap_use(RSPB_GAP_PREPARE, RSPB_GAP_AUTO);
	for (uint32_t n = 0; n < 3; n++) {
		clean(n, 100 * (n + 1), 100 * (n + 1) + 9);
		busy(RSPB_GAP_PREPARE, n, 100 * (n + 1) + 50, 100 * (n + 1) + 69);
	}
	clean(4, 500, 501);
	written = n_noted;
	ck_assert_int_eq(written, 6);
	for (int round = 0; round < 2; round++) {
		rspb_gap_durable.reset();
		ck_assert_int_eq(rspb_gap_whole(), 0);
		for (int i = 0; i < written; i++)
			rspb_gap_durable.take(noted[i], 1000);
		ck_assert_int_eq(rspb_gap(RSPB_GAP_CLEAN_UP), 10);
		ck_assert_int_eq(rspb_gap(RSPB_GAP_PREPARE), 20);
	}
	rspb_gap_durable.tell(1000);
	ck_assert_int_eq(n_noted, 2 * written);
	rspb_gap_durable.tell(100 + 9 + 6 * 3600);
	ck_assert_int_eq(n_noted, 2 * written + 5);
	/* Written by a clock that was ahead, or by nobody of us. */
	rspb_gap_durable.reset();
	for (int i = 0; i < written; i++)
		rspb_gap_durable.take(noted[i], 99);
	json_object_object_del(noted[0], "took");
	rspb_gap_durable.take(noted[0], 1000);
	json_object_object_add(noted[1], "of", json_object_new_int(1));
	rspb_gap_durable.take(noted[1], 1000);
	ck_assert_int_eq(rspb_gap_whole(), 0);
}
END_TEST

static void forget(void)
{
	rspb_gap_reset();
	while (n_noted)
		json_object_put(noted[--n_noted]);
}

static Suite *suite(void)
{
	Suite *made = suite_create("gap");
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, NULL, forget);
	tcase_add_test(tcase, three_of_four_nodes_tell);
	tcase_add_test(tcase, what_is_old_is_forgotten);
	tcase_add_test(tcase, a_setting_is_what_holds);
	tcase_add_test(tcase, each_is_learned_apart);
	tcase_add_test(tcase, what_was_learned_outlives_a_restart);
	suite_add_tcase(made, tcase);
	return made;
}

RUN_SUITE(suite)
