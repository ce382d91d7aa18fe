/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ending what is left of a job. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugins/spank/tree.h"

/* A killed process needs a moment to leave its group. */
enum { ROUNDS = 200, ROUND_NS = 10000000, DEPTH = 8, PROCS = 65536 };

/* What is to be done in every folder below one, innermost first. */
typedef void visit_f(const char *path);

static void walk(const char *path, int depth, visit_f *visit)
{
	DIR *dir = depth < DEPTH ? opendir(path) : NULL;
	struct dirent *entry;
	char below[RSPB_PATH];

	while (dir && (entry = readdir(dir)))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.' &&
		    !rspb_path(below, NULL, "%s/%s", path, entry->d_name))
			walk(below, depth + 1, visit);
	if (dir)
		closedir(dir);
	visit(path);
}

static void remove_folder(const char *path)
{
	rmdir(path);
}

static void kill_procs(const char *path)
{
	char file[RSPB_PATH], *text = malloc(PROCS), *p, *end;
	pid_t pid;

	if (text && !rspb_path(file, NULL, "%s/cgroup.procs", path) &&
	    rspb_file_read(file, text, PROCS, NULL) > 0)
		for (p = text; (pid = (pid_t) strtol(p, &end, 10)) > 0; p = end)
			if (pid != getpid() && end != p)
				kill(pid, SIGKILL);
	free(text);
}

static void end_all(const struct rspb_tree *tree, const char *path)
{
	char file[RSPB_PATH];

	if (tree->version == 2 &&
	    !rspb_path(file, NULL, "%s/cgroup.kill", path) &&
	    !rspb_file_put(file, NULL, "1"))
		return;
	walk(path, 0, kill_procs);
}

int rspb_tree_clear(const struct rspb_tree *tree, const char *path,
		    struct rspb_err *err)
{
	const struct timespec pause = { .tv_nsec = ROUND_NS };

	for (int i = 0; i < ROUNDS; i++) {
		walk(path, 0, remove_folder);
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
