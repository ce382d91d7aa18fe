/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ending what is left of a job. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "plugins/spank/tree.h"

/* A killed process needs a moment to leave its group. */
enum { ROUNDS = 200, ROUND_NS = 10000000, DEPTH = 8 };

/* The function that is called for every folder below one, innermost first. */
typedef void visit_f(const struct rspb_tree *tree, const char *path);

static void walk(const struct rspb_tree *tree, const char *path, int depth, visit_f *visit)
{
	DIR *dir = depth < DEPTH ? opendir(path) : NULL;
	struct dirent *entry;
	char below[RSPB_PATH];

	while (dir && (entry = readdir(dir)))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.' &&
		    !rspb_path(below, NULL, "%s/%s", path, entry->d_name))
			walk(tree, below, depth + 1, visit);
	if (dir)
		closedir(dir);
	visit(tree, path);
}

static void remove_folder(const struct rspb_tree *tree, const char *path)
{
	(void) tree;
	rmdir(path);
}

/* Whether a process is in a folder of the tree. A table of groups names them
 * from the top of the hierarchy, of which a mount may show a part. */
static bool is_in(const struct rspb_tree *tree, const char *path, pid_t pid)
{
	char file[RSPB_PATH], text[4096], *line, *rest;
	size_t root = strlen(tree->root), len;
	const char *below = strncmp(path, tree->root, root) ? strrchr(path, '/') : path + root;

	if (rspb_path(file, NULL, "/proc/%d/cgroup", (int) pid) ||
	    rspb_file_read(file, text, sizeof(text), NULL) <= 0)
		return false;
	len = strlen(below);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		size_t has = strlen(line);

		if (has >= len && !strcmp(line + has - len, below))
			return true;
	}
	return false;
}

/* A number may be somebody else's by now, a descriptor stays the process's: so
 * it is asked where it is when there is one. */
static void kill_member(const struct rspb_tree *tree, const char *path, pid_t pid)
{
	int fd = (int) syscall(SYS_pidfd_open, pid, 0);

	if (fd < 0 && errno != ENOSYS)
		return;
	if (is_in(tree, path, pid)) {
		if (fd >= 0)
			syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0);
		else
			kill(pid, SIGKILL);
	}
	if (fd >= 0)
		close(fd);
}

/* Line by line: the kernel hands out pieces that end within a number. */
static void kill_procs(const struct rspb_tree *tree, const char *path)
{
	char file[RSPB_PATH], line[32], *end;
	FILE *procs;
	long pid;

	if (rspb_path(file, NULL, "%s/cgroup.procs", path) || !(procs = fopen(file, "re")))
		return;
	while (fgets(line, sizeof(line), procs)) {
		pid = strtol(line, &end, 10);
		if (*end == '\n' && pid > 0 && pid <= INT32_MAX && pid != getpid())
			kill_member(tree, path, (pid_t) pid);
	}
	fclose(procs);
}

static void end_all(const struct rspb_tree *tree, const char *path)
{
	char file[RSPB_PATH];

	if (tree->version == 2 && !rspb_path(file, NULL, "%s/cgroup.kill", path) &&
	    !rspb_file_put(file, NULL, "1"))
		return;
	walk(tree, path, 0, kill_procs);
}

int rspb_tree_clear(const struct rspb_tree *tree, const char *path, struct rspb_err *err)
{
	const struct timespec pause = { .tv_nsec = ROUND_NS };

	for (int i = 0; i < ROUNDS; i++) {
		walk(tree, path, 0, remove_folder);
		if (!rspb_file_exists(path))
			return 0;
		end_all(tree, path);
		nanosleep(&pause, NULL);
	}
	return rspb_fail(err,
			 "%s: still there after %d s of ending what runs "
			 "in it",
			 path, ROUNDS / (1000000000 / ROUND_NS));
}

bool rspb_tree_prune(const char *path)
{
	return !rmdir(path);
}
