/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a node counts of its jobs and keeps until the controller has it, on
 * folders that only look like control groups (v2). */
#include "plugins/spank/node.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include "tests/unit/runner.h"

static char top[64];
static struct rspb_node node;
static struct rspb_usage usage;

static const char *in_top(const char *name)
{
	static char paths[4][RSPB_PATH];
	static unsigned int turn;
	char *path = paths[turn++ % 4];

	snprintf(path, RSPB_PATH, "%s/%s", top, name);
	return path;
}

static void put(const char *name, const char *text)
{
	FILE *f = fopen(in_top(name), "w");

	ck_assert_msg(f != NULL, "%s", name);
	fputs(text, f);
	fclose(f);
}

static void setup(void)
{
	char mount[RSPB_PATH];

	strcpy(top, "/tmp/rspb-check-usage-XXXXXX");
	ck_assert(mkdtemp(top) != NULL);
	snprintf(mount, sizeof(mount), "cgroup2 %s cgroup2 rw 0 0\n", top);
	put("mounts", mount);
	ck_assert_int_eq(rspb_node_init(&node, "n1", in_top("state"), in_top("mounts"), top, NULL),
			 0);
	put("groups", "0::/job_7/step_0/slurm\n");
	ck_assert_int_eq(rspb_node_sweep(&node, NULL), 0);
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	ck_assert_int_eq(system(command), 0);
}

/* The kernel's folder of job 7: anew, or with more counted. */
static void group(int64_t usage_us)
{
	char text[256];

	mkdir(in_top("job_7"), 0755);
	put("job_7/cpu.weight", "");
	put("job_7/cpu.max", "");
	snprintf(text, sizeof(text),
		 "usage_usec %" PRId64 "\nnr_periods 10\n"
		 "nr_throttled 4\nthrottled_usec 70000\n",
		 usage_us);
	put("job_7/cpu.stat", text);
}

static void counted(int64_t usage_us)
{
	char text[64];

	snprintf(text, sizeof(text), "usage_usec %" PRId64 "\n", usage_us);
	put("job_7/cpu.stat", text);
}

static void no_group(void)
{
	unlink(in_top("job_7/cpu.weight"));
	unlink(in_top("job_7/cpu.max"));
	unlink(in_top("job_7/cpu.stat"));
	ck_assert_int_eq(rmdir(in_top("job_7")), 0);
}

static void step(void)
{
	const struct rspb_job_step step = {
		.job = 7,
		.cores = 2,
		.node_cores = 8,
		.n_cpus = 4,
		.groups = in_top("groups"),
	};

	ck_assert_int_eq(rspb_node_step(&node, &step, NULL), 0);
}

static void grant(uint32_t job, uint64_t generation, int64_t report_s)
{
	const struct rspb_share_env env = { job, generation, 3500, 4000, 100, report_s };

	ck_assert_int_ge(rspb_node_grant(&node, &env, NULL), 0);
}

static const struct rspb_use *look(void)
{
	rspb_usage_look(&node, &usage);
	return usage.report.uses;
}

START_TEST(steps_add_up_over_new_groups)
{
	grant(7, 1, 30);
	group(0);
	step();
	counted(4000000);
	ck_assert_int_eq(look()->used_ms, 4000);
	ck_assert_int_eq(usage.n_jobs, 1);
	ck_assert_int_eq(usage.every_s, 30);
	ck_assert_int_eq(look()->share, 3500);
	ck_assert_int_eq(look()->ceiling, 4000);
	ck_assert_int_eq(rspb_node_step_end(&node, 7, NULL), 0);
	no_group();
	ck_assert_int_eq(look()->used_ms, 4000);
	ck_assert_int_eq(look()->share, 3500);
	group(10);
	step();
	counted(5000000);
	ck_assert_int_eq(look()->used_ms, 9000);
	ck_assert_int_eq(look()->used_ms, 9000);
}
END_TEST

START_TEST(what_the_kernel_has_is_told)
{
	grant(7, 1, 30);
	group(0);
	step();
	put("job_7/cpu.weight", "100\n");
	put("job_7/cpu.max", "max 100000\n");
	ck_assert_int_eq(look()->share, 1000);
	ck_assert_int_eq(look()->ceiling, 0);
	put("job_7/cpu.max", "200000 100000\n");
	ck_assert_int_eq(look()->ceiling, 5000);
}
END_TEST

START_TEST(the_end_is_kept_until_it_is_told)
{
	char text[RSPB_USE_REPORT], line[RSPB_USE_TEXT];
	struct rspb_use_report report;
	uint64_t news;

	look();
	ck_assert_uint_eq(usage.report.n, 0);
	grant(7, 1, 0);
	look();
	ck_assert_uint_eq(usage.report.n, 0);
	group(0);
	step();
	counted(4000000);
	look();
	news = usage.news;
	ck_assert_int_eq(usage.every_s, 0);
	grant(7, 2, 0);
	look();
	ck_assert_msg(usage.news != news, "another grant is news");
	no_group();
	group(4200000);
	ck_assert_int_eq(rspb_node_step_end(&node, 7, NULL), 0);
	no_group();
	ck_assert_int_eq(rspb_node_epilog(&node, 7, line, NULL), 0);
	look();
	ck_assert_uint_eq(usage.n_ended, 1);
	ck_assert_uint_eq(usage.n_jobs, 0);
	ck_assert(look()->ended && look()->used_ms == 4200);
	ck_assert_int_eq(look()->periods, 10);
	ck_assert_uint_lt(rspb_usage_print(&node, &usage, text, sizeof(text)), sizeof(text));
	ck_assert_int_eq(rspb_use_report_parse(text, &report, NULL), 0);
	ck_assert_str_eq(report.node, "n1");
	ck_assert_uint_eq(rspb_usage_print(&node, &usage, text, 20),
			  rspb_usage_print(&node, &usage, NULL, 0));
	rspb_usage_told(&node, &usage);
	look();
	ck_assert_uint_eq(usage.report.n, 0);
}
END_TEST

START_TEST(nothing_piles_up)
{
	const struct utimbuf old = { 1000, 1000 };
	struct rspb_job_state state = { .run = 5, .grant = { .share = 1 } };
	struct rspb_err err;
	int n = 0;

	put("state/n1/ended/rubbish", "rubbish");
	look();
	ck_assert(!rspb_file_exists(in_top("state/n1/ended/rubbish")));
	for (state.grant.job = 1; state.grant.job < 1100; state.grant.job++)
		n += !rspb_usage_leave(&node, &state, &err);
	ck_assert_int_gt(n, 900);
	ck_assert_int_lt(n, 1001);
	ck_assert(strstr(err.text, "1000 jobs wait") != NULL);
	look();
	ck_assert_uint_eq(usage.report.n, RSPB_USE_JOBS);
	utime(in_top("state/n1/ended/1.5"), &old);
	for (int i = 0; i < 20; i++) {
		look();
		rspb_usage_told(&node, &usage);
	}
	ck_assert_uint_eq(usage.report.n, 0);
	/* A job that never came. */
	grant(8, 1, 30);
	grant(9, 1, 30);
	utime(in_top("state/n1/jobs/8"), &old);
	utime(in_top("state/n1/jobs/9"), &old);
	grant(9, 1, 30);
	look();
	ck_assert(!rspb_state_exists(node.dir, "n1", 8));
	ck_assert(rspb_state_exists(node.dir, "n1", 9));
	/* One whose epilog never came. */
	grant(7, 1, 30);
	group(0);
	step();
	no_group();
	look();
	ck_assert_uint_eq(usage.n_jobs, 1);
	utime(in_top("state/n1/jobs/7"), &old);
	look();
	ck_assert_uint_eq(usage.n_jobs, 0);
	ck_assert(!rspb_state_exists(node.dir, "n1", 7));
}
END_TEST

/* A folder that can't be written keeps the report from being left, and nothing
 * else from being done. */
START_TEST(no_room_is_no_reason_to_fail)
{
	char line[RSPB_USE_TEXT];
	struct rspb_err err;

	grant(7, 1, 30);
	group(0);
	step();
	ck_assert_int_eq(rmdir(in_top("state/n1/ended")), 0);
	put("state/n1/ended", "");
	no_group();
	ck_assert_int_eq(rspb_node_epilog(&node, 7, line, &err), -1);
	ck_assert_str_ne(line, "");
	ck_assert(!rspb_state_exists(node.dir, "n1", 7));
	look();
	ck_assert_uint_eq(usage.report.n, 0);
}
END_TEST

RUN_TESTS("usage", setup, teardown, 0, steps_add_up_over_new_groups, what_the_kernel_has_is_told,
	  the_end_is_kept_until_it_is_told, nothing_piles_up, no_room_is_no_reason_to_fail)
