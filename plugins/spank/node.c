/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Brings a grant to a job's control group, and takes it away at the end. It asks Slurm
 * for nothing and decides no share. */
#include "plugins/spank/node.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/base/hash.h"

/*
 * Jobs with a granted share and others beside them. Weights are relative: that
 * of 35 % is 35 % of the CPUs only as long as all weights of the node sum up to
 * no more than the node. Jobs without a grant may be more than that, where
 * Slurm puts several on a core, or where it knows of more cores than there are.
 */

/* Make what is remembered of a job hold in its group, which exists. */
static int node_apply(const struct rspb_node *node, const struct rspb_job_state *state,
		      struct rspb_err *err)
{
	struct rspb_cpu_rule rule = {
		.share = state->grant.share ? state->grant.share : state->own_share,
		.ceiling = state->grant.ceiling,
		.n_cpus = state->n_cpus,
		.period_us = state->grant.share ? state->grant.period_ms * 1000
						: RSPB_PERIOD_MAX_US,
	};

	return rspb_tree_apply(&node->tree, state->path, &rule, err);
}

struct sums {
	const struct rspb_node *node;
	int64_t granted, others;
	bool apply;
};

/* Visit a job twice: first to sum up the shares, then to let a job without a grant weigh what is
 * left to it. Jobs without a group have nothing to weigh. */
static void look_at_job(void *arg, uint32_t job)
{
	struct sums *sums = arg;
	const struct rspb_node *node = sums->node;
	struct rspb_job_state state;

	if (rspb_state_read(node->dir, node->name, job, &state, NULL) || !*state.path ||
	    !rspb_file_exists(state.path))
		return;
	if (!sums->apply) {
		if (state.grant.share)
			sums->granted += state.grant.share;
		else
			sums->others += state.own_share;
	} else if (!state.grant.share) {
		state.own_share = rspb_share_beside(state.own_share, sums->granted, sums->others);
		node_apply(node, &state, NULL);
	}
}

/* Make all jobs without a grant together weigh no more than what granted shares
 * leave of the node; fewer: a grant has just gone. Below the lock of the
 * state. */
static void node_balance(const struct rspb_node *node, bool fewer)
{
	struct sums sums = { .node = node };
	char jobs[RSPB_PATH];

	if (rspb_path(jobs, NULL, "%s/%s/" RSPB_STATE_JOBS, node->dir, node->name))
		return;
	rspb_folder_each_job(jobs, "", look_at_job, &sums);
	/* A second pass follows, since each job's part depends on the sums. */
	sums.apply = true;
	if (sums.others && (sums.granted || fewer))
		rspb_folder_each_job(jobs, "", look_at_job, &sums);
}

/* To tell apart the nodes of one name of several clusters on a host. */
static uint32_t hash(const char *text)
{
	return (uint32_t) rspb_hash(RSPB_HASH_START, text, strlen(text));
}

int rspb_node_init(struct rspb_node *node, const char *name, const char *dir, const char *mounts,
		   const char *base, struct rspb_err *err)
{
	struct rspb_node made = { 0 };

	if (!*name || strchr(name, '/') || *name == '.' || strlen(name) >= sizeof(made.name))
		return rspb_fail(err, "'%.80s' is not the name of a node", name);
	strcpy(made.name, name);
	if (rspb_path(made.dir, err, "%s", dir) || rspb_tree_find(&made.tree, mounts, base, err))
		return -1;
	/* Nodes of several clusters on one host may have one name. They are told apart by their
	 * state folders. */
	if (strcmp(dir, RSPB_SHARE_STATE_DIR)
		    ? rspb_path(made.parent, err, "rspb_%s_%08" PRIx32, name, hash(dir))
		    : rspb_path(made.parent, err, "rspb_%s", name))
		return -1;
	*node = made;
	return 0;
}

/* The group of a step's job; v1 makes it. */
static int find_group(const struct rspb_node *node, const struct rspb_job_step *step,
		      char path[RSPB_PATH], struct rspb_err *err)
{
	if (node->tree.version == 1)
		return rspb_tree_make_job(&node->tree, node->parent, step->job, path, err);
	return rspb_tree_own_job(&node->tree, step->groups, path, err);
}

/* Read what is remembered of a job; if nothing is, it has just come. */
static void recall(const struct rspb_node *node, uint32_t job, struct rspb_job_state *state)
{
	if (rspb_state_read(node->dir, node->name, job, state, NULL))
		memset(state, 0, sizeof(*state));
	if (!state->run) {
		state->run = time(NULL);
		state->since_ms = rspb_usage_clock();
	}
}

int rspb_node_step(const struct rspb_node *node, const struct rspb_job_step *step,
		   struct rspb_err *err)
{
	int lock = rspb_state_lock(node->dir, node->name), rc;
	struct rspb_job_state state, old;

	/* Other steps and the threads of slurmd change the same file, so that all of this is
	 * under the lock. */
	recall(node, step->job, &state);
	old = state;
	rc = find_group(node, step, state.path, err);
	if (!rc) {
		/* The share follows from the allocation and stays. The CPUs are those of the
		 * widest step so far. */
		if (!state.own_share)
			state.own_share = rspb_share_of_cores(step->cores, step->node_cores);
		if (state.n_cpus < step->n_cpus)
			state.n_cpus = step->n_cpus;
		rc = node_apply(node, &state, err);
		/* Its share is reported; what others use only at their end. */
		if (state.grant.share)
			rspb_usage_sample(node, &state);
	}
	/* A host that can't do it need not say so with every ordinary job. */
	if (rc && !state.grant.share)
		rc = 0;
	if (memcmp(&old, &state, sizeof(state)) &&
	    (rspb_state_prepare(node->dir, node->name, rc ? NULL : err) ||
	     rspb_state_write(node->dir, node->name, step->job, &state, rc ? NULL : err)))
		rc = -1;
	node_balance(node, false);
	rspb_state_unlock(lock);
	return rc;
}

int rspb_node_step_end(const struct rspb_node *node, uint32_t job, struct rspb_err *err)
{
	int lock = rspb_state_lock(node->dir, node->name), rc;
	struct rspb_job_state state;

	rc = rspb_state_read(node->dir, node->name, job, &state, err);
	if (!rc) {
		rspb_usage_sample(node, &state);
		rc = rspb_state_write(node->dir, node->name, job, &state, err);
	}
	rspb_state_unlock(lock);
	return rc;
}

int rspb_node_task(const struct rspb_node *node, uint32_t job, struct rspb_err *err)
{
	char path[RSPB_PATH];

	if (node->tree.version != 1)
		return 0;
	if (rspb_path(path, err, "%s/%s/job_%" PRIu32, node->tree.root, node->parent, job))
		return -1;
	rspb_tree_count(&node->tree, path, "/proc/self/cgroup");
	return rspb_tree_enter_v1(path, err);
}

static bool same(const struct rspb_share_env *a, const struct rspb_share_env *b)
{
	/* How often use is reported is no part of what is enforced, so that it may change within
	 * a generation. */
	return a->job == b->job && a->generation == b->generation && a->share == b->share &&
	       a->ceiling == b->ceiling && a->period_ms == b->period_ms;
}

/* Keep a grant and make it hold, with the lock of the state. RET also RSPB_NODE_LATER. The file
 * is written first, so that a restart of slurmd enforces the same. */
static int obey(const struct rspb_node *node, const struct rspb_share_env *grant,
		struct rspb_err *err)
{
	struct rspb_job_state state;

	recall(node, grant->job, &state);
	if (grant->generation < state.grant.generation ||
	    (grant->generation == state.grant.generation && !same(grant, &state.grant)))
		return rspb_fail(err,
				 "job %" PRIu32 ": generation %" PRIu64 " is old, %" PRIu64
				 " is in force",
				 grant->job, grant->generation, state.grant.generation);
	if (!same(grant, &state.grant) || grant->report_s != state.grant.report_s) {
		state.grant = *grant;
		if (rspb_state_write(node->dir, node->name, grant->job, &state, err))
			return -1;
	} else {
		/* The time of the file shows that the controller still grants this (usage.c). */
		rspb_state_touch(node->dir, node->name, grant->job);
	}
	/* No step yet: the first one will find it in the file. */
	if (!*state.path || !rspb_file_exists(state.path))
		return RSPB_NODE_LATER;
	return node_apply(node, &state, err);
}

int rspb_node_grant(const struct rspb_node *node, const struct rspb_share_env *grant,
		    struct rspb_err *err)
{
	int lock, rc;

	if (rspb_state_prepare(node->dir, node->name, err))
		return -1;
	lock = rspb_state_lock(node->dir, node->name);
	rc = obey(node, grant, err);
	node_balance(node, false);
	rspb_state_unlock(lock);
	return rc;
}

int rspb_node_take(const struct rspb_node *node, uid_t user, uid_t peer, const void *data,
		   size_t len, struct rspb_err *err)
{
	struct rspb_share_env grant;

	if (rspb_message_read(user, peer, data, len, &grant, err))
		return -1;
	return rspb_node_grant(node, &grant, err);
}

/* Print one line: granted, enforced, used. */
static size_t print_use(const struct rspb_job_state *state, char *buf, size_t size)
{
	struct rspb_use use;
	int64_t share = state->grant.share ? state->grant.share : state->own_share;

	rspb_usage_of(state, true, &use);
	return (size_t) snprintf(buf, size,
				 "%s=%" PRId64 ".%02" PRId64 "%% ceiling=%" PRId64 ".%02" PRId64
				 "%% generation=%" PRIu64 " used=%" PRId64 "ms throttled=%" PRId64
				 "/%" PRId64 " periods %" PRId64 "ms",
				 state->grant.share ? "granted" : "ordinary", share / 100,
				 share % 100, state->grant.ceiling / 100,
				 state->grant.ceiling % 100, state->grant.generation, use.used_ms,
				 use.throttled, use.periods, use.stalled_ms);
}

/* The folder above all jobs goes with the last of them, when no step can just
 * be making another one below it. */
static void prune_parent(const struct rspb_node *node)
{
	char path[RSPB_PATH];

	if (!rspb_path(path, NULL, "%s/%s", node->tree.root, node->parent))
		rspb_tree_prune(path);
}

int rspb_node_epilog(const struct rspb_node *node, uint32_t job, char text[RSPB_USE_TEXT],
		     struct rspb_err *err)
{
	struct rspb_job_state state = { 0 };
	int rc = 0, left = 0, lock;

	text[0] = '\0';
	if (rspb_state_read(node->dir, node->name, job, &state, NULL))
		memset(&state, 0, sizeof(state));
	/* v1's folder is known without a file. */
	if (!*state.path && node->tree.version == 1)
		rspb_path(state.path, NULL, "%s/%s/job_%" PRIu32, node->tree.root, node->parent,
			  job);
	if (*state.path) {
		rspb_usage_sample(node, &state);
		if (state.grant.share)
			/* The last report goes to the disk while the job's own file still
			 * exists. */
			left = rspb_usage_leave(node, &state, err);
		if (state.grant.share || state.own_share)
			print_use(&state, text, RSPB_USE_TEXT);
		/* This may take two seconds. The lock is not held, so that other jobs can begin
		 * and end meanwhile. */
		rc = rspb_tree_clear(&node->tree, state.path, err);
		rspb_tree_count_end(&node->tree, state.path);
	}
	rspb_state_remove(node->dir, node->name, job);
	lock = rspb_state_lock(node->dir, node->name);
	if (node->tree.version == 1)
		prune_parent(node);
	if (state.grant.share)
		/* The other jobs get the weight back that they gave up for this one. */
		node_balance(node, true);
	rspb_state_unlock(lock);
	return left ? left : rc;
}

/* Brings folders and files together again when slurmd starts. */

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
		node_apply(node, &state, NULL);
	}
	rspb_state_unlock(lock);
}

/* Remove the group of a job that is not remembered, if no process is in it. */
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
	node_balance(node, false);
	rspb_state_unlock(lock);
	return 0;
}
