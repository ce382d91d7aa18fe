/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Brings a grant to a job's control group, and takes it away at the end. It asks Slurm
 * for nothing and decides no share. */
#include "plugins/spank/node.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/base/hash.h"
#include "plugins/spank/message.h"
#include "plugins/spank/usage.h"
#include "plugins/spank/weight.h"

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

	recall(node, step->job, &state);
	old = state;
	rc = find_group(node, step, state.path, err);
	if (!rc) {
		if (!state.own_share)
			state.own_share = rspb_share_of_cores(step->cores, step->node_cores);
		if (state.n_cpus < step->n_cpus)
			state.n_cpus = step->n_cpus;
		rc = rspb_node_apply(node, &state, err);
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
	rspb_node_balance(node, false);
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
	return a->job == b->job && a->generation == b->generation && a->share == b->share &&
	       a->ceiling == b->ceiling && a->period_ms == b->period_ms;
}

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
		rspb_state_touch(node->dir, node->name, grant->job);
	}
	/* No step yet: the first one will find it in the file. */
	if (!*state.path || !rspb_file_exists(state.path))
		return RSPB_NODE_LATER;
	return rspb_node_apply(node, &state, err);
}

int rspb_node_grant(const struct rspb_node *node, const struct rspb_share_env *grant,
		    struct rspb_err *err)
{
	int lock, rc;

	if (rspb_state_prepare(node->dir, node->name, err))
		return -1;
	lock = rspb_state_lock(node->dir, node->name);
	rc = obey(node, grant, err);
	rspb_node_balance(node, false);
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
			left = rspb_usage_leave(node, &state, err);
		if (state.grant.share || state.own_share)
			print_use(&state, text, RSPB_USE_TEXT);
		rc = rspb_tree_clear(&node->tree, state.path, err);
		rspb_tree_count_end(&node->tree, state.path);
	}
	rspb_state_remove(node->dir, node->name, job);
	lock = rspb_state_lock(node->dir, node->name);
	if (node->tree.version == 1)
		prune_parent(node);
	if (state.grant.share)
		rspb_node_balance(node, true);
	rspb_state_unlock(lock);
	return left ? left : rc;
}
