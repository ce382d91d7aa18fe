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

typedef void job_f(const struct rspb_node *node, uint32_t job);

/* Call f for each job by whose number something in a folder is named. */
static void each_job(const struct rspb_node *node, const char *folder,
		     const char *before, job_f *f)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	uint32_t job;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if ((job = job_number(entry->d_name, before)))
			f(node, job);
	closedir(dir);
}

/* A file whose group is gone belongs to a job whose steps are over, or that
 * has none yet: it stays for the epilog. One that can't be read goes. */
static void renew(const struct rspb_node *node, uint32_t job)
{
	int lock = rspb_state_lock(node->dir, node->name);
	struct rspb_job_state state;

	if (rspb_state_read(node->dir, node->name, job, &state, NULL)) {
		rspb_state_remove(node->dir, node->name, job);
	} else if (*state.path && rspb_file_exists(state.path)) {
		rspb_node_apply(node, &state, NULL);
	}
	rspb_state_unlock(lock);
}

static void prune(const struct rspb_node *node, uint32_t job)
{
	char path[RSPB_PATH];

	if (!rspb_state_exists(node->dir, node->name, job) &&
	    !rspb_path(path, NULL, "%s/%s/job_%lu", node->tree.root,
		       node->parent, (unsigned long) job))
		rspb_tree_prune(path);
}

int rspb_node_sweep(const struct rspb_node *node, struct rspb_err *err)
{
	char jobs[RSPB_PATH], groups[RSPB_PATH];

	if (rspb_state_prepare(node->dir, node->name, err) ||
	    rspb_path(jobs, err, "%s/%s/jobs", node->dir, node->name) ||
	    rspb_path(groups, err, "%s/%s", node->tree.root, node->parent))
		return -1;
	each_job(node, jobs, "", renew);
	if (node->tree.version == 1)
		each_job(node, groups, "job_", prune);
	return 0;
}
