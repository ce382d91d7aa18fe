/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs with a granted share and others beside them. Weights are relative: that
 * of 35 % is 35 % of the CPUs only as long as all weights of the node sum up to
 * no more than the node. Jobs without a grant may be more than that, where
 * Slurm puts several on a core, or where it knows of more cores than there are.
 */
#include "plugins/spank/node.h"
#include "plugins/spank/weight.h"

int rspb_node_apply(const struct rspb_node *node, const struct rspb_job_state *state,
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
		rspb_node_apply(node, &state, NULL);
	}
}

void rspb_node_balance(const struct rspb_node *node, bool fewer)
{
	struct sums sums = { .node = node };
	char jobs[RSPB_PATH];

	if (rspb_path(jobs, NULL, "%s/%s/" RSPB_STATE_JOBS, node->dir, node->name))
		return;
	rspb_folder_each_job(jobs, "", look_at_job, &sums);
	sums.apply = true;
	if (sums.others && (sums.granted || fewer))
		rspb_folder_each_job(jobs, "", look_at_job, &sums);
}
