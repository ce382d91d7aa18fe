/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slurmd does when it starts: bring folders and files together again. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugins/spank/node.h"

/* A job's number from a name that is one, with what comes before it; else 0. */
static uint32_t job_number(const char *name, const char *before)
{
	size_t len = strlen(before);
	unsigned long n;
	char *end;

	if (strncmp(name, before, len) || name[len] < '1' || name[len] > '9')
		return 0;
	n = strtoul(name + len, &end, 10);
	return *end || n > UINT32_MAX ? 0 : (uint32_t) n;
}

void rspb_node_each_job(const char *folder, const char *before,
			void (*f)(void *arg, uint32_t job), void *arg)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	uint32_t job;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if ((job = job_number(entry->d_name, before)))
			f(arg, job);
	closedir(dir);
}

/* A file whose group is gone belongs to a job whose steps are over, or that
 * has none yet: it stays for the epilog. One that can't be read goes. */
static void renew(void *arg, uint32_t job)
{
	const struct rspb_node *node = arg;
	int lock = rspb_state_lock(node->dir, node->name);
	struct rspb_job_state state;

	if (rspb_state_read(node->dir, node->name, job, &state, NULL)) {
		rspb_state_remove(node->dir, node->name, job);
	} else if (*state.path && rspb_file_exists(state.path)) {
		rspb_node_apply(node, &state, NULL);
	}
	rspb_state_unlock(lock);
}

static void prune(void *arg, uint32_t job)
{
	const struct rspb_node *node = arg;
	char path[RSPB_PATH];

	if (!rspb_state_exists(node->dir, node->name, job) &&
	    !rspb_path(path, NULL, "%s/%s/job_%lu", node->tree.root,
		       node->parent, (unsigned long) job))
		rspb_tree_prune(path);
}

int rspb_node_sweep(const struct rspb_node *node, struct rspb_err *err)
{
	char jobs[RSPB_PATH], groups[RSPB_PATH];
	int lock;

	if (rspb_state_prepare(node->dir, node->name, err) ||
	    rspb_path(jobs, err, "%s/%s/jobs", node->dir, node->name) ||
	    rspb_path(groups, err, "%s/%s", node->tree.root, node->parent))
		return -1;
	rspb_node_each_job(jobs, "", renew, (void *) node);
	if (node->tree.version == 1)
		rspb_node_each_job(groups, "job_", prune, (void *) node);
	lock = rspb_state_lock(node->dir, node->name);
	rspb_node_balance(node, false);
	rspb_state_unlock(lock);
	return 0;
}
