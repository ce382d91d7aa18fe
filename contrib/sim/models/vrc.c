/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Late against early binding on nodes with local work, as in the experiment of
 * Wu and Luo, section 6: a day of requests, 50 in each half hour, of short
 * and long jobs. The number of nodes and the amount of local work, which the
 * paper does not tell, are parameters.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "contrib/sim/models/model.h"
#include "contrib/sim/papers/binding.h"
#include "contrib/sim/policy/preset.h"
#include "contrib/sim/replay/random.h"

enum { NODES, REQUESTS, HOURS, LONG_PART, LOCAL_PART, LOCAL_LOW, LOCAL_HIGH, AHEAD, KILL };

const struct sim_param sim_vrc_params[] = {
	[NODES] = { "nodes", 165, 1, 10000, "nodes" },
	[REQUESTS] = { "requests", 2400, 1, 1000000, "requests" },
	[HOURS] = { "hours", 24, 0.1, 10000, "hours in which requests start" },
	[LONG_PART] = { "long", 0.5, 0, 1, "part of the requests that run 1 to 4 hours" },
	[LOCAL_PART] = { "local", 0.25, 0, 0.95,
			 "part of the time in which a node has local work" },
	[LOCAL_LOW] = { "local_low", 180, 1, 100000, "shortest local work (minutes)" },
	[LOCAL_HIGH] = { "local_high", 420, 1, 100000, "longest local work (minutes)" },
	[AHEAD] = { "ahead", 4, 0, 1000, "booked up to this many hours in advance" },
	[KILL] = { "kill_active", 0, 0, 1, "1: local work ends the request that runs on its node" },
	{ .name = NULL }
};

struct setup {
	struct rspb_binding_node *nodes;
	uint32_t n_nodes;
	uint32_t *order;
	struct rspb_binding_request *requests;
	size_t n;
};

/* Local work of one node over the day and what hangs over. */
static int make_local(struct rspb_binding_node *node, struct sim_random *random,
		      const double *value)
{
	double mean = 30 * (value[LOCAL_LOW] + value[LOCAL_HIGH]);
	double idle = mean * (1 - value[LOCAL_PART]) / value[LOCAL_PART];
	double last = 3600 * (value[HOURS] + 6), now = 0;
	size_t room = 0;

	if (value[LOCAL_PART] <= 0)
		return 0;
	/* In the middle of something when the day begins. */
	if (sim_random_real(random) < value[LOCAL_PART])
		now = -mean * sim_random_real(random);
	else
		now = sim_random_exponential(random, idle);
	while (now < last) {
		double length = 60 *
				sim_random_uniform(random, value[LOCAL_LOW], value[LOCAL_HIGH]);
		struct rspb_busy busy = { (int64_t) now, (int64_t) (now + length) };

		if (rspb_array_grow(&node->local, &room, node->n_local + 1, sizeof(*node->local)))
			return -1;
		node->local[node->n_local++] = busy;
		now += length + 1 + sim_random_exponential(random, idle);
	}
	return 0;
}

static int build(struct setup *setup, uint64_t seed, const double *value)
{
	struct sim_random random;

	sim_random_seed(&random, seed);
	setup->n_nodes = (uint32_t) value[NODES];
	setup->n = (size_t) value[REQUESTS];
	setup->nodes = calloc(setup->n_nodes, sizeof(*setup->nodes));
	setup->order = calloc(setup->n_nodes, sizeof(*setup->order));
	setup->requests = calloc(setup->n, sizeof(*setup->requests));
	if (!setup->nodes || !setup->order || !setup->requests)
		return -1;
	for (uint32_t j = 0; j < setup->n_nodes; j++) {
		setup->order[j] = j;
		if (make_local(&setup->nodes[j], &random, value))
			return -1;
	}
	for (size_t i = 0; i < setup->n; i++) {
		struct rspb_binding_request *request = &setup->requests[i];

		request->ready = (int64_t) sim_random_uniform(&random, 0, 3600 * value[HOURS]);
		request->arrival = request->ready -
				   (int64_t) sim_random_uniform(&random, 0, 3600 * value[AHEAD]);
		if (sim_random_real(&random) < value[LONG_PART])
			request->duration = sim_random_whole(&random, 3600, 4 * 3600);
		else
			request->duration = sim_random_whole(&random, 600, 1800);
		request->nodes = setup->order;
		request->n_nodes = setup->n_nodes;
	}
	return 0;
}

/* From the half hour of the day in which fewest succeed to that in which most do, in
 * hundredths of all. */
static double range_of(const struct setup *setup, double hours)
{
	size_t n = (size_t) ceil(hours * 2), all, done;
	double least = 100, most = 0;

	for (size_t at = 0; at < n; at++) {
		all = done = 0;
		for (size_t i = 0; i < setup->n; i++) {
			if ((size_t) (setup->requests[i].ready / 1800) != at)
				continue;
			all++;
			done += setup->requests[i].state == RSPB_COMPLETED;
		}
		if (!all)
			continue;
		least = fmin(least, 100. * (double) done / (double) all);
		most = fmax(most, 100. * (double) done / (double) all);
	}
	return most - least;
}

int sim_vrc_known(const char *preset, struct rspb_err *err)
{
	return sim_preset_pair(preset, "way of binding", "vrc", "static", err);
}

int sim_vrc_run(const struct sim_params *params, uint64_t seed, const char *preset,
		const struct rspb_policy *policy, struct sim_metrics *metrics, struct rspb_err *err)
{
	struct rspb_binding_rules rules = {
		.late = !strcmp(preset, "vrc"),
		.kill_active = params->value[KILL] != 0,
	};
	struct setup setup = { .n = 0 };
	double completed = 0;
	int rc;

	(void) policy;
	if (build(&setup, seed, params->value))
		rc = rspb_fail(err, "out of memory");
	else
		rc = rspb_binding_run(setup.nodes, setup.n_nodes, &rules, setup.requests, setup.n,
				      err);
	if (!rc) {
		for (size_t i = 0; i < setup.n; i++)
			completed += setup.requests[i].state == RSPB_COMPLETED;
		metrics->value[SIM_JOBS] = (double) setup.n;
		metrics->value[SIM_SUCCESS] = completed / (double) setup.n;
		metrics->value[SIM_SUCCESS_RANGE] = range_of(&setup, params->value[HOURS]);
	}
	for (uint32_t j = 0; setup.nodes && j < setup.n_nodes; j++)
		free(setup.nodes[j].local);
	free(setup.nodes);
	free(setup.order);
	free(setup.requests);
	return rc;
}
