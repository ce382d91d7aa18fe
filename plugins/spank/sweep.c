/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Brings folders and files together again when slurmd starts. */
#include "plugins/spank/node.h"

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
	    !rspb_path(path, NULL, "%s/%s/job_%lu", node->tree.root, node->parent,
		       (unsigned long) job))
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
	rspb_folder_each_job(jobs, "", renew, (void *) node);
	if (node->tree.version == 1)
		rspb_folder_each_job(groups, "job_", prune, (void *) node);
	lock = rspb_state_lock(node->dir, node->name);
	rspb_node_balance(node, false);
	rspb_state_unlock(lock);
	return 0;
}
