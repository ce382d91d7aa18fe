/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The node's side of CPU shares, on folders that only look like control
 * groups: which files get which text, and what each failure leaves behind. */
#include <arpa/inet.h>

#include "plugins/spank/node.h"
#include "plugins/spank/tree.h"
#include "tests/unit/spank/node_folders.h"

START_TEST(weights_are_linear_and_in_range)
{
	ck_assert_int_eq(rspb_weight_v2(3500), 350);
	ck_assert_int_eq(rspb_weight_v2(1), 1);
	ck_assert_int_eq(rspb_weight_v2(-7), 1);
	ck_assert_int_eq(rspb_weight_v2(10000), 1000);
	ck_assert_int_eq(rspb_weight_v2(INT64_MAX), 1000);
	ck_assert_int_eq(rspb_weight_v1(7000), 7168);
	ck_assert_int_eq(rspb_weight_v1(1), 2);
	ck_assert_int_eq(rspb_weight_v1(10000), 10240);
	for (int64_t s = 10; s <= 10000; s++)
		ck_assert_int_le(rspb_weight_v2(s - 1), rspb_weight_v2(s));
}
END_TEST

START_TEST(quotas_are_in_range)
{
	ck_assert_int_eq(rspb_quota_us(0, 8, 100000), -1);
	ck_assert_int_eq(rspb_quota_us(3500, 1, 100000), 35000);
	ck_assert_int_eq(rspb_quota_us(3500, 8, 20000), 56000);
	ck_assert_int_eq(rspb_quota_us(1, 1, 100000), 1000);
	ck_assert_int_eq(rspb_quota_us(10000, 0, 5), 20000);
	ck_assert_int_gt(rspb_quota_us(10000, INT64_MAX, INT64_MAX), 0);
}
END_TEST

START_TEST(a_job_without_a_grant_has_its_cores)
{
	ck_assert_int_eq(rspb_share_of_cores(1, 4), 2500);
	ck_assert_int_eq(rspb_share_of_cores(4, 4), 10000);
	ck_assert_int_eq(rspb_share_of_cores(6, 4), 10000);
	ck_assert_int_eq(rspb_share_of_cores(0, 4), 10000);
	ck_assert_int_eq(rspb_share_of_cores(1, 1 << 20), 1);
	ck_assert_int_eq(rspb_list_count("0-3,8,10-11\n"), 7);
	ck_assert_int_eq(rspb_list_count("0"), 1);
	ck_assert_int_eq(rspb_list_count(""), 0);
	ck_assert_int_eq(rspb_list_count("3-1"), -1);
	ck_assert_int_eq(rspb_list_count("a"), -1);
	ck_assert_int_eq(rspb_list_count("1-"), -1);
}
END_TEST

START_TEST(v1_from_grant_to_task)
{
	char text[2 * RSPB_USE_TEXT];
	const char *path;

	start_v1();
	ck_assert_int_eq(node.tree.version, 1);
	ck_assert_int_eq(grant(7, 1, 3500, 3500), RSPB_NODE_LATER);
	path = fake_v1(7);
	step_of(7, 2);
	expect(in_top("cpu/%s/job_7/cpu.shares", node.parent), "3584");
	expect(in_top("cpu/%s/job_7/cpu.cfs_quota_us", node.parent), "140000");
	expect(in_top("cpu/%s/job_7/cpu.cfs_period_us", node.parent), "100000");
	snprintf(text, sizeof(text),
		 "job=7 generation=1 share=3500 "
		 "ceiling=3500 period=100 report=30\n"
		 "own=2500 cpus=4\nforce=3500 3500\nuse=0 0 0 0\n"
		 "past=0 0 0 0\npath=%.150s\n",
		 path);
	expect_state(7, text);
	ck_assert_int_eq(rspb_node_task(&node, 7, NULL), 0);
	expect(in_top("cpu/%s/job_7/tasks", node.parent), "0");
}
END_TEST

START_TEST(v2_from_step_to_epilog)
{
	char text[RSPB_USE_TEXT];

	start_node("");
	ck_assert_int_eq(node.tree.version, 2);
	put(in_top("groups"), "1:name=x:/y\n0::/s.scope/job_9/step_0/slurm\n");
	mkdir(in_top("unified/s.scope"), 0755);
	mkdir(in_top("unified/s.scope/job_9"), 0755);
	put(in_top("unified/s.scope/job_9/cpu.weight"), "");
	put(in_top("unified/s.scope/job_9/cpu.max"), "");
	step_of(9, 2);
	expect(in_top("unified/s.scope/job_9/cpu.weight"), "250");
	expect(in_top("unified/s.scope/job_9/cpu.max"), "max 100000");
	ck_assert_int_eq(grant(9, 3, 7000, 9000), 0);
	expect(in_top("unified/s.scope/job_9/cpu.weight"), "700");
	expect(in_top("unified/s.scope/job_9/cpu.max"), "360000 100000");
	put(in_top("unified/s.scope/job_9/cpu.stat"), "usage_usec 4200000\n"
						      "user_usec 1\nnr_periods 20\nnr_throttled 5\n"
						      "throttled_usec 70000\n");
	ck_assert_int_eq(rspb_node_step_end(&node, 9, NULL), 0);
	ck_assert_int_eq(unlink(in_top("unified/s.scope/job_9/cpu.stat")), 0);
	ck_assert_int_eq(unlink(in_top("unified/s.scope/job_9/cpu.weight")), 0);
	ck_assert_int_eq(unlink(in_top("unified/s.scope/job_9/cpu.max")), 0);
	ck_assert_int_eq(rspb_node_epilog(&node, 9, text, NULL), 0);
	ck_assert_str_eq(text, "granted=70.00% ceiling=90.00% generation=3 "
			       "used=4200ms throttled=5/20 periods 70ms");
	ck_assert(!rspb_file_exists(in_top("unified/s.scope/job_9")));
	ck_assert(rspb_file_exists(in_top("unified/s.scope")));
	ck_assert(!rspb_file_exists(in_top("state/n1/jobs/9")));
}
END_TEST

/* The job's group is the one that its steps' are in, whatever its name: by the
 * job's number, or from 26.05 on by its SLUID, below any slice and scope. */
START_TEST(v2_groups_of_any_name)
{
	static const char *const groups[] = {
		"/system.slice/slurmstepd.scope/job_9",
		"/system.slice/n1_slurmstepd.scope/sDXDM821GF9000",
		"/sDXDM821GF9000",
	};
	char text[256], path[RSPB_PATH];

	start_node("");
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		snprintf(text, sizeof(text), "0::%s/step_batch/user/task_0\n", groups[i]);
		put(in_top("groups"), text);
		ck_assert_int_eq(rspb_tree_own_job(&node.tree, in_top("groups"), path, NULL), 0);
		ck_assert_str_eq(path, in_top("unified%s", groups[i]));
	}
	put(in_top("groups"), "0::/user.slice/user-0.slice/session-1.scope\n");
	ck_assert_int_eq(rspb_tree_own_job(&node.tree, in_top("groups"), path, NULL), -1);
}
END_TEST

/* An older generation changes nothing, the same one only repeats. */
START_TEST(grants_are_obeyed_in_order)
{
	start_v1();
	ck_assert_int_eq(grant(7, 5, 2000, 0), RSPB_NODE_LATER);
	fake_v1(7);
	step_of(7, 2);
	expect(in_top("cpu/%s/job_7/cpu.shares", node.parent), "2048");
	ck_assert_int_eq(grant(7, 6, 5000, 0), 0);
	expect(in_top("cpu/%s/job_7/cpu.shares", node.parent), "5120");
	ck_assert_int_eq(grant(7, 6, 9000, 0), -1);
	ck_assert_int_eq(grant(7, 5, 2000, 0), -1);
	expect(in_top("cpu/%s/job_7/cpu.shares", node.parent), "5120");
	/* The same again, a later step, a restart of slurmd: it holds again. */
	put(in_top("cpu/%s/job_7/cpu.shares", node.parent), "");
	ck_assert_int_eq(grant(7, 6, 5000, 0), 0);
	expect(in_top("cpu/%s/job_7/cpu.shares", node.parent), "5120");
	put(in_top("cpu/%s/job_7/cpu.shares", node.parent), "");
	step_of(7, 2);
	expect(in_top("cpu/%s/job_7/cpu.shares", node.parent), "5120");
	put(in_top("cpu/%s/job_7/cpu.shares", node.parent), "");
	ck_assert_int_eq(rspb_node_sweep(&node, NULL), 0);
	expect(in_top("cpu/%s/job_7/cpu.shares", node.parent), "5120");
}
END_TEST

static size_t message(char buf[256], uint32_t uid, uint32_t told, const char *text)
{
	uid = htonl(uid);
	told = htonl(told);
	memcpy(buf, &uid, 4);
	memcpy(buf + 4, &told, 4);
	memcpy(buf + 8, text, strlen(text));
	return 8 + strlen(text);
}

START_TEST(only_whole_messages_of_slurmuser_count)
{
	const char *text = "job=7 generation=2 share=5000 ceiling=0 period=100";
	uint32_t len = (uint32_t) strlen(text);
	char buf[256], fat[200];
	struct rspb_err err;
	size_t n;

	start_v1();
	ck_assert_int_eq(grant(7, 1, 2000, 0), RSPB_NODE_LATER);
	n = message(buf, 64, len, text);
	ck_assert_int_eq(rspb_node_take(&node, 64, 1000, buf, n, &err), -1);
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(rspb_node_take(&node, 64, 64, buf, i, &err), -1);
	n = message(buf, 1000, len, text);
	ck_assert_int_eq(rspb_node_take(&node, 64, 64, buf, n, &err), -1);
	n = message(buf, 64, len + 1, text);
	ck_assert_int_eq(rspb_node_take(&node, 64, 64, buf, n, &err), -1);
	n = message(buf, 64, 42, "generation=2 share=50 ceiling=0 period=100");
	ck_assert_int_eq(rspb_node_take(&node, 64, 64, buf, n, &err), -1);
	memset(fat, '1', sizeof(fat) - 1);
	fat[sizeof(fat) - 1] = '\0';
	n = message(buf, 64, sizeof(fat) - 1, fat);
	ck_assert_int_eq(rspb_node_take(&node, 64, 64, buf, n, &err), -1);
	n = message(buf, 64, len, text);
	buf[12] = '\0';
	ck_assert_int_eq(rspb_node_take(&node, 64, 64, buf, n, &err), -1);
	n = message(buf, 64, len, text);
	ck_assert_int_eq(rspb_node_take(&node, 64, 64, buf, n, NULL), RSPB_NODE_LATER);
	ck_assert_int_eq(rspb_node_take(&node, 64, 0, buf, n, &err), RSPB_NODE_LATER);
	expect_state(7, "job=7 generation=2 share=5000 ceiling=0 period=100 "
			"report=0\nown=0 cpus=0\nforce=0 0\nuse=0 0 0 0\n"
			"past=0 0 0 0\npath=\n");
}
END_TEST

START_TEST(failures_leave_nothing_behind)
{
	struct rspb_job_step step = { .job = 3, .n_cpus = 1 };
	char text[RSPB_USE_TEXT], longest[RSPB_PATH + 8];
	struct rspb_node other;
	struct rspb_err err;

	memset(longest, 'a', sizeof(longest) - 1);
	longest[0] = '/';
	longest[sizeof(longest) - 1] = '\0';
	start_v1();
	ck_assert_int_eq(rspb_node_init(&other, "a/b", "/x", in_top("mounts"), top, &err), -1);
	ck_assert_int_eq(rspb_node_init(&other, "..", "/x", in_top("mounts"), top, &err), -1);
	ck_assert_int_eq(rspb_node_init(&other, "n", longest, in_top("mounts"), top, &err), -1);
	ck_assert_int_eq(rspb_node_init(&other, "n", "/x", in_top("none"), top, &err), -1);
	/* A file where a folder should be: no state, no group, no crash. */
	put(in_top("state"), "");
	ck_assert_int_eq(grant(3, 1, 1000, 0), -1);
	step.groups = in_top("groups");
	ck_assert_int_eq(rspb_node_step(&node, &step, &err), -1);
	ck_assert_int_eq(rspb_node_task(&node, 4, &err), -1);
	ck_assert_int_eq(rspb_node_sweep(&node, &err), -1);
	ck_assert_int_eq(rspb_node_epilog(&node, 4, text, &err), 0);
	ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(the_sweep_keeps_what_may_be_alive)
{
	start_v1();
	ck_assert_int_eq(grant(7, 1, 1000, 0), RSPB_NODE_LATER);
	mkdir(in_top("cpu/%s", node.parent), 0755);
	mkdir(in_top("cpu/%s/job_7", node.parent), 0755);
	mkdir(in_top("cpu/%s/job_8", node.parent), 0755);
	mkdir(in_top("cpu/%s/job_9", node.parent), 0755);
	mkdir(in_top("cpu/%s/other", node.parent), 0755);
	put(in_top("cpu/%s/job_9/in-use", node.parent), "");
	put(in_top("state/n1/jobs/55"), "rubbish");
	ck_assert_int_eq(rspb_node_sweep(&node, NULL), 0);
	ck_assert(rspb_file_exists(in_top("cpu/%s/job_7", node.parent)));
	ck_assert(!rspb_file_exists(in_top("cpu/%s/job_8", node.parent)));
	ck_assert(rspb_file_exists(in_top("cpu/%s/job_9", node.parent)));
	ck_assert(rspb_file_exists(in_top("cpu/%s/other", node.parent)));
	ck_assert(rspb_state_exists(node.dir, "n1", 7));
	ck_assert(!rspb_state_exists(node.dir, "n1", 55));
}
END_TEST

/* Such as v2 with proctrack/linuxproc: steps are in no group of their job. */
START_TEST(only_granted_shares_are_missed)
{
	const struct rspb_job_step step = {
		.job = 4,
		.n_cpus = 1,
		.groups = in_top("groups"),
	};
	struct rspb_err err;

	start_node("");
	put(in_top("groups"), "0::/user.slice\n");
	ck_assert_int_eq(rspb_node_step(&node, &step, &err), 0);
	ck_assert_int_eq(grant(4, 1, 1000, 0), RSPB_NODE_LATER);
	ck_assert_int_eq(rspb_node_step(&node, &step, &err), -1);
	ck_assert(strstr(err.text, "proctrack/cgroup") != NULL);
}
END_TEST

START_TEST(a_light_scope_is_told_of)
{
	struct rspb_err err;

	start_node("");
	ck_assert_int_eq(rspb_tree_check_scope(&node.tree, "n1", &err), 0);
	mkdir(in_top("unified/system.slice"), 0755);
	mkdir(in_top("unified/system.slice/n1_slurmstepd.scope"), 0755);
	put(in_top("unified/system.slice/n1_slurmstepd.scope/cpu.weight"), "100\n");
	ck_assert_int_eq(rspb_tree_check_scope(&node.tree, "n1", &err), -1);
	ck_assert(strstr(err.text, "rspb-check") != NULL);
	put(in_top("unified/system.slice/n1_slurmstepd.scope/cpu.weight"), "10000\n");
	ck_assert_int_eq(rspb_tree_check_scope(&node.tree, "n1", &err), 0);
}
END_TEST

START_TEST(settings_are_strict)
{
	static const char *const bad[] = {
		"period=100", "state=run",    "state=",
		"shares=",    "shares=maybe", "user=no-such-user-here",
		"speed=1",    "shares",	      "",
	};
	const char *const good[] = { "shares=off", "state=/x", "user=root" };
	struct rspb_spank_settings settings;
	struct rspb_err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		ck_assert_msg(rspb_spank_settings_read(&settings, 1, (char **) &bad[i], &err) == -1,
			      "%s", bad[i]);
		ck_assert(settings.shares);
	}
	ck_assert_int_eq(rspb_spank_settings_read(&settings, 3, (char **) good, &err), 0);
	ck_assert(!settings.shares);
	ck_assert_str_eq(settings.state, "/x");
}
END_TEST

static Suite *make_suite(void)
{
	const TTest *const tests[] = {
		weights_are_linear_and_in_range,
		quotas_are_in_range,
		a_job_without_a_grant_has_its_cores,
		v1_from_grant_to_task,
		v2_from_step_to_epilog,
		v2_groups_of_any_name,
		grants_are_obeyed_in_order,
		only_whole_messages_of_slurmuser_count,
		failures_leave_nothing_behind,
		the_sweep_keeps_what_may_be_alive,
		a_light_scope_is_told_of,
		only_granted_shares_are_missed,
		settings_are_strict,
	};
	TCase *tcase = tcase_create("node");
	Suite *suite = suite_create("node");

	tcase_add_checked_fixture(tcase, setup, teardown);
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
	return suite;
}

RUN_SUITE(make_suite)
