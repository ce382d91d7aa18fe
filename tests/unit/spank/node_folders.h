/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A node (plugins/spank/node.h) on folders that only look like control groups,
 * for tests that look at what is written there. */
#ifndef RSPB_TESTS_UNIT_NODE_FOLDERS_H
#define RSPB_TESTS_UNIT_NODE_FOLDERS_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/spank/node.h"
#include "tests/unit/runner.h"

static char top[64];
static struct rspb_node node;

static inline void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_msg(f != NULL, "%s", path);
	fputs(text, f);
	fclose(f);
}

static inline const char *in_top(const char *fmt, ...)
{
	static char paths[4][RSPB_PATH];
	static unsigned int turn;
	char *path = paths[turn++ % 4];
	va_list ap;
	int n = snprintf(path, RSPB_PATH, "%s/", top);

	va_start(ap, fmt);
	vsnprintf(path + n, RSPB_PATH - (size_t) n, fmt, ap);
	va_end(ap);
	return path;
}

static inline void expect(const char *path, const char *wanted)
{
	char text[1024];

	ck_assert_msg(rspb_file_read(path, text, sizeof(text), NULL) >= 0, "%s", path);
	ck_assert_str_eq(text, wanted);
}

/* The file of a job, but for when its run began. */
static inline void expect_state(uint32_t job, const char *wanted)
{
	char text[1024], *run, *force;

	ck_assert(rspb_file_read(in_top("state/n1/jobs/%" PRIu32, job), text, sizeof(text), NULL) >=
		  0);
	run = strstr(text, "\nrun=");
	force = run ? strstr(run, " force=") : NULL;
	ck_assert(force != NULL);
	memmove(run + 1, force + 1, strlen(force));
	ck_assert_str_eq(text, wanted);
}

static inline void start_node(const char *mount)
{
	char mounts[2 * RSPB_PATH];

	snprintf(mounts, sizeof(mounts),
		 "proc /proc proc rw 0 0\ncgroup %s/acct cgroup rw,cpuacct 0 0\n"
		 "cgroup2 %s/unified cgroup2 rw 0 0\n%s",
		 top, top, mount);
	put(in_top("mounts"), mounts);
	ck_assert_int_eq(rspb_node_init(&node, "n1", in_top("state"), in_top("mounts"), top, NULL),
			 0);
}

static inline void setup(void)
{
	strcpy(top, "/tmp/rspb-check-node-XXXXXX");
	ck_assert(mkdtemp(top) != NULL);
	ck_assert_int_eq(mkdir(in_top("cpu"), 0755), 0);
	ck_assert_int_eq(mkdir(in_top("unified"), 0755), 0);
}

static inline void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	ck_assert_int_eq(system(command), 0);
}

static inline void start_v1(void)
{
	char line[RSPB_PATH];

	snprintf(line, sizeof(line), "cgroup %s/cpu cgroup rw,relatime,cpu 0 0\n", top);
	start_node(line);
}

/* The files that the kernel puts into a job's folder of v1. */
/* clang-format off */
static const char *const names[] = {
	"cpu.shares", "cpu.cfs_period_us", "cpu.cfs_quota_us", "cgroup.procs",
	"tasks"
};
/* clang-format on */

static inline const char *fake_v1(uint32_t job)
{
	const char *parent = in_top("cpu/%s", node.parent);
	static char path[RSPB_PATH];
	char file[RSPB_PATH + 32];

	mkdir(parent, 0755);
	snprintf(path, sizeof(path), "%.400s/job_%" PRIu32, parent, job);
	snprintf(file, sizeof(file), "%s/cpu.shares", parent);
	put(file, "1024");
	mkdir(path, 0755);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(file, sizeof(file), "%s/%s", path, names[i]);
		put(file, "");
	}
	return path;
}

static inline void step_of(uint32_t job, int64_t cores)
{
	const struct rspb_job_step step = {
		.job = job,
		.cores = cores,
		.node_cores = 8,
		.n_cpus = 4,
		.groups = in_top("groups"),
	};

	ck_assert_int_eq(rspb_node_step(&node, &step, NULL), 0);
}

static inline int grant(uint32_t job, uint64_t generation, int64_t share, int64_t ceiling)
{
	const struct rspb_share_env env = { job, generation, share, ceiling, 100, 30 };
	struct rspb_err err = { "" };
	int rc = rspb_node_grant(&node, &env, &err);

	ck_assert((rc >= 0) == !*err.text);
	return rc;
}

#endif
