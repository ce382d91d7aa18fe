/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs without a share beside those with one: what they weigh. */
#include "plugins/spank/tree.h"
#include "tests/unit/spank/node_folders.h"

START_TEST(others_weigh_what_shares_leave)
{
	ck_assert_int_eq(rspb_share_beside(2500, 0, 20000), 2500);
	ck_assert_int_eq(rspb_share_beside(2500, 5000, 5000), 2500);
	ck_assert_int_eq(rspb_share_beside(5000, 4000, 10000), 3000);
	ck_assert_int_eq(rspb_share_beside(10000, 4000, 10000), 6000);
	ck_assert_int_eq(rspb_share_beside(5000, 10000, 5000), 1);
	ck_assert_int_eq(rspb_share_beside(5000, 20000, 5000), 1);
	ck_assert_int_eq(rspb_share_beside(0, 4000, 0), 1);
	/* Never more together than what is left, but for the roundings. */
	for (int64_t n = 1; n < 500; n++)
		ck_assert_int_le(n * rspb_share_beside(3333, 3500, n * 3333),
				 n * 3333 < 6500 ? n * 3333 : 6500);
}
END_TEST

/* What is in a job's file of the kernel now, which is empty from here on: a
 * short text would leave the end of a longer one. */
static void weight_of(uint32_t job, const char *wanted)
{
	const char *file = in_top("cpu/%s/job_%" PRIu32 "/cpu.shares", node.parent, job);

	expect(file, wanted);
	put(file, "");
}

/* Its last process is over, and so is the job: the kernel's files go with the
 * folder. */
static void end_of(uint32_t job)
{
	char text[RSPB_USE_TEXT];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(in_top("cpu/%s/job_%" PRIu32 "/%s", node.parent, job, names[i]));
	ck_assert_int_eq(rspb_node_epilog(&node, job, text, NULL), 0);
}

/* 7 and 8 have shares; 4, 5 and 6 have none and half of the node each. */
START_TEST(shares_come_and_go_beside_others)
{
	start_v1();
	for (uint32_t job = 4; job <= 8; job++)
		fake_v1(job);
	step_of(4, 4);
	weight_of(4, "5120");
	step_of(5, 4);
	weight_of(5, "5120");
	weight_of(4, "");
	ck_assert_int_eq(grant(7, 1, 4000, 0), RSPB_NODE_LATER);
	weight_of(4, "");
	step_of(7, 4);
	weight_of(7, "4096");
	weight_of(4, "3072");
	weight_of(5, "3072");
	ck_assert_int_eq(grant(8, 1, 2000, 0), RSPB_NODE_LATER);
	step_of(8, 4);
	weight_of(8, "2048");
	weight_of(4, "2048");
	weight_of(5, "2048");
	/* A slurmd that comes back makes the same of it. */
	ck_assert_int_eq(rspb_node_sweep(&node, NULL), 0);
	weight_of(7, "4096");
	weight_of(8, "2048");
	weight_of(4, "2048");
	weight_of(5, "2048");
	ck_assert_int_eq(grant(8, 2, 5000, 0), 0);
	weight_of(8, "5120");
	weight_of(4, "512");
	weight_of(7, "");
	weight_of(5, "512");
	/* And a job that comes late. */
	step_of(6, 4);
	weight_of(4, "341");
	put(in_top("cpu/%s/job_6/cpu.shares", node.parent), "");
	end_of(8);
	weight_of(4, "2048");
	weight_of(6, "2048");
	end_of(7);
	weight_of(4, "5120");
	weight_of(6, "5120");
}
END_TEST

static Suite *make_suite(void)
{
	TCase *tcase = tcase_create("balance");
	Suite *suite = suite_create("balance");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, others_weigh_what_shares_leave);
	tcase_add_test(tcase, shares_come_and_go_beside_others);
	suite_add_tcase(suite, tcase);
	return suite;
}

RUN_SUITE(make_suite)
