/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests of a day for parts of fat nodes: cores, memory and GPUs, and some for whole
 * ones. All of them come before the first one may start, at times that are drawn.
 */
#include "contrib/sim/models/model.h"
#include "contrib/sim/policy/preset.h"
#include "contrib/sim/replay/random.h"
#include "contrib/sim/replay/slack.h"
#include "contrib/sim/replay/worth.h"

enum {
	NODES,
	CORES,
	MEM,
	GPUS,
	REQUESTS,
	HOURS,
	MOST_CORES,
	MOST_MEM,
	MOST_GPUS,
	WHOLE,
	SHORTEST,
	LONGEST,
	ARTIME,
	DEADLINE,
	DIVIDED,
	PRICE
};

const struct sim_param sim_parts_params[] = {
	[NODES] = { "nodes", 64, 1, 100000, "nodes of the machine" },
	[CORES] = { "cores", 128, 1, 100000, "cores of each node" },
	[MEM] = { "mem", 512, 0, 1000000, "memory of each node (GB)" },
	[GPUS] = { "gpus", 8, 0, 100000, "GPUs of each node" },
	[REQUESTS] = { "requests", 3000, 1, 10000000, "requests in a run" },
	[HOURS] = { "hours", 24, 1, 100000, "hours in which requests become ready" },
	[MOST_CORES] = { "most_cores", 64, 1, 100000, "most cores of a request" },
	[MOST_MEM] = { "most_mem", 4, 0, 10000, "most memory with each core (GB)" },
	[MOST_GPUS] = { "most_gpus", 4, 0, 100000, "most GPUs of a request" },
	[WHOLE] = { "whole", 8, 0, 100, "percentage of requests for whole nodes" },
	[SHORTEST] = { "shortest", 30, 1, 1e6, "shortest duration (minutes)" },
	[LONGEST] = { "longest", 180, 1, 1e6, "longest duration (minutes)" },
	[ARTIME] = { "artime", 0, 0, 1000, "ready up to this many durations after the arrival" },
	[DEADLINE] = { "deadline", 0, 0, 1000,
		       "deadline up to this many durations after the earliest possible end" },
	[DIVIDED] = { "divided", 1, 0, 1, "0: all requests take whole nodes, as with Unit=node" },
	[PRICE] = { "price", 0, 0, SIM_PRICE_MOST,
		    "each pays between 100 and this percentage of the usual price" },
	{ .name = NULL }
};

enum { MINUTE = 60, HOUR = 3600, MB_OF_GB = 1024 };

static uint32_t fewer(double a, double b)
{
	return (uint32_t) (a < b ? a : b);
}

/* Draw what a request takes of its node. It is drawn in any case, so that the rest of a workload
 * does not depend on what some parameter leaves out. */
static struct sim_size draw_size(struct sim_random *random, const double *value, const int kind[2])
{
	struct sim_size size = { .cores = 0 };
	double mem;

	size.cores = fewer((double) sim_random_whole(random, 1, (int64_t) value[MOST_CORES]),
			   value[CORES]);
	mem = sim_random_real(random) * value[MOST_MEM] * size.cores * MB_OF_GB;
	size.has[kind[0]] = fewer(mem, value[MEM] * MB_OF_GB);
	size.has[kind[1]] = fewer((double) sim_random_whole(random, 0, (int64_t) value[MOST_GPUS]),
				  value[GPUS]);
	if (sim_random_uniform(random, 0, 100) < value[WHOLE])
		return (struct sim_size){ .cores = 0 };
	return size;
}

/* RET 0 or -1 with err. */
static int add_request(struct sim_random *random, struct sim_random *price, const double *value,
		       const int kind[2], struct sim_workload *workload, struct rspb_err *err)
{
	const struct sim_slack slack = { value[ARTIME], value[DEADLINE] };
	struct sim_size size = draw_size(random, value, kind);
	struct sim_job job = { .nodes = 1 };
	int64_t longest = (int64_t) value[LONGEST];

	job.duration = MINUTE * sim_random_whole(random, (int64_t) value[SHORTEST], longest);
	job.ready = (int64_t) (HOUR * value[HOURS] * sim_random_real(random));
	job.ready += (int64_t) value[REQUESTS] - job.ready % MINUTE;
	sim_slack_apply(random, &slack, job.ready, job.duration, &job.ready, &job.deadline);
	/* A second between two. */
	job.arrival = (int64_t) workload->n;
	if (value[PRICE] > 0) {
		job.request = sim_job_request(&job, workload->n + 1);
		if (!job.request)
			return rspb_fail(err, "out of memory");
		job.request->price = sim_worth_price(price, value[PRICE]);
	}
	return sim_workload_add_sized(workload, &job, &size, err);
}

static int generate(const double *value, uint64_t seed, struct sim_workload *workload,
		    struct rspb_err *err)
{
	struct sim_size node = { .cores = (uint32_t) value[CORES] };
	struct sim_random random, price;
	int kind[2], rc = 0;

	if (value[SHORTEST] > value[LONGEST])
		return rspb_fail(err, "shortest=%g is more than longest=%g minutes",
				 value[SHORTEST], value[LONGEST]);
	kind[0] = sim_sizes_kind(&workload->sizes, "memory", err);
	kind[1] = sim_sizes_kind(&workload->sizes, "gpu", err);
	if (kind[0] < 0 || kind[1] < 0)
		return -1;
	node.has[kind[0]] = (uint32_t) (value[MEM] * MB_OF_GB);
	node.has[kind[1]] = (uint32_t) value[GPUS];
	workload->undivided = value[DIVIDED] < 1;
	if (sim_sizes_add(&workload->sizes, (uint32_t) value[NODES], &node, err) ||
	    sim_workload_sized(workload, err))
		return -1;
	sim_random_seed(&random, seed);
	/* Prices have a stream of their own, so that the rest does not depend on them. */
	sim_random_seed(&price, seed + (UINT64_C(1) << 32));
	while (!rc && workload->n < (size_t) value[REQUESTS])
		rc = add_request(&random, &price, value, kind, workload, err);
	return rc;
}

int sim_parts_run(const struct sim_params *params, uint64_t seed, const char *preset,
		  const struct rspb_policy *policy, struct sim_metrics *metrics,
		  struct rspb_err *err)
{
	struct sim_workload workload = { .setup = params->setup };
	struct rspb_policy found;
	int rc = 0;

	if (!policy) {
		if (sim_preset_policy(preset, &found, err))
			return -1;
		policy = &found;
	}
	rc = generate(params->value, seed, &workload, err);
	if (!rc)
		rc = sim_replay_measure(&workload, policy, metrics, err);
	sim_workload_fini(&workload);
	return rc;
}
