/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Control groups: which of the mounted ones, and who is ended in them. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plugins/spank/tree.h"
#include "tests/unit/runner.h"

static char top[64];

static const char *in_top(const char *name)
{
	static char path[RSPB_PATH];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	return path;
}

static void setup(void)
{
	strcpy(top, "/tmp/rspb-check-tree-XXXXXX");
	ck_assert(mkdtemp(top) != NULL);
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	ck_assert_int_eq(system(command), 0);
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_msg(f != NULL, "%s", path);
	fputs(text, f);
	fclose(f);
}

static void found(const char *table, int version, const char *root)
{
	struct rspb_tree tree;

	put(in_top("mounts"), table);
	ck_assert_int_eq(rspb_tree_find(&tree, in_top("mounts"), "/x/cg", NULL), 0);
	ck_assert_int_eq(tree.version, version);
	ck_assert_str_eq(tree.root, root);
}

START_TEST(of_several_mounts_slurms_counts)
{
	static const char v1[] = "cgroup /x/cg2/cpu cgroup rw,cpu 0 0\n"
				 "cgroup /x/cg/cpu cgroup rw,cpu,cpuacct 0 0\n"
				 "cgroup /x/cg/again cgroup rw,cpu 0 0\n"
				 "cgroup /late/cpu cgroup rw,cpu 0 0\n"
				 "cgroup2 /x/cg/unified cgroup2 rw 0 0\n";
	struct rspb_tree tree;

	found(v1, 1, "/x/cg/cpu");
	found("cgroup /a cgroup rw,cpu 0 0\ncgroup /b cgroup rw,cpu 0 0\n", 1, "/a");
	found("cgroup2 /a cgroup2 rw 0 0\ncgroup2 /x/cg cgroup2 rw 0 0\n"
	      "cgroup2 /b cgroup2 rw 0 0\n",
	      2, "/x/cg");
	put(in_top("mounts"), v1);
	rspb_tree_find(&tree, in_top("mounts"), "/x/cg", NULL);
	ck_assert(tree.with_cpuacct);
}
END_TEST

/* A process to be killed, or not: RET its id. */
static pid_t sleeper(void)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		pause();
		_exit(0);
	}
	return pid;
}

/* How this process ended: 0 when it has not. */
static int ended_by(pid_t pid)
{
	int status = 0;

	for (int i = 0; i < 20; i++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WTERMSIG(status);
		usleep(5000);
	}
	return 0;
}

/* Numbers of no process, so many bytes. */
static void fill(FILE *f, long bytes)
{
	while (ftell(f) + 10 <= bytes)
		fputs("999999999\n", f);
	while (ftell(f) < bytes)
		fputs("\n", f);
}

START_TEST(only_who_is_in_the_folder_is_ended)
{
	char own[1024], *group, path[2 * RSPB_PATH], file[3 * RSPB_PATH];
	pid_t member = sleeper(), other = sleeper();
	struct rspb_tree tree = { .version = 1 };
	FILE *f;

	/* A folder that looks like the group in which all of them are. */
	ck_assert_int_gt(rspb_file_read("/proc/self/cgroup", own, sizeof(own), NULL), 0);
	own[strcspn(own, "\n")] = '\0';
	group = strchr(own, '/');
	snprintf(tree.root, sizeof(tree.root), "%.60s/cpu", top);
	snprintf(path, sizeof(path), "%s%s", tree.root, group);
	snprintf(file, sizeof(file), "mkdir -p %s", path);
	ck_assert_int_eq(system(file), 0);
	snprintf(file, sizeof(file), "%s/cgroup.procs", path);
	f = fopen(file, "w");
	ck_assert(f != NULL);
	/* What a reader of 64 KiB would take for the other one's number. */
	fill(f, 65535 - snprintf(NULL, 0, "%d", (int) other));
	fprintf(f, "%d99999\n%d\n%d", (int) other, (int) member, (int) other);
	fclose(f);
	ck_assert_int_eq(rspb_tree_clear(&tree, path, NULL), -1);
	ck_assert_int_eq(ended_by(member), SIGKILL);
	ck_assert_int_eq(ended_by(other), 0);

	/* Nor one who has left in the meantime. */
	snprintf(path, sizeof(path), "%s/job_7", tree.root);
	ck_assert_int_eq(mkdir(path, 0755), 0);
	snprintf(file, sizeof(file), "%s/cgroup.procs", path);
	f = fopen(file, "w");
	fprintf(f, "%d\n", (int) other);
	fclose(f);
	ck_assert_int_eq(rspb_tree_clear(&tree, path, NULL), -1);
	ck_assert_int_eq(ended_by(other), 0);
	kill(other, SIGKILL);
	ck_assert_int_eq(ended_by(other), SIGKILL);
}
END_TEST

static Suite *make_suite(void)
{
	TCase *tcase = tcase_create("tree");
	Suite *suite = suite_create("tree");

	tcase_add_checked_fixture(tcase, setup, teardown);
	/* Clearing is tried for two seconds. */
	tcase_set_timeout(tcase, 30);
	tcase_add_test(tcase, of_several_mounts_slurms_counts);
	tcase_add_test(tcase, only_who_is_in_the_folder_is_ended);
	suite_add_tcase(suite, tcase);
	return suite;
}

RUN_SUITE(make_suite)
