/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rigid jobs by Lublin and Feitelson, "The workload on parallel supercomputers",
 * JPDC 63(11), 2003, with the published parameters of all jobs together for
 * arrivals and run times, and the sizes and classes of run times of Li et al.,
 * section 6.1.
 */
#include <math.h>
#include <stdlib.h>

#include "contrib/sim/models/model.h"
#include "contrib/sim/policy/preset.h"
#include "contrib/sim/replay/random.h"
#include "contrib/sim/replay/slack.h"

enum {
	NODES,
	JOBS,
	ULOW,
	UMED,
	UHI,
	UPROB,
	ARRIVAL,
	ARTIME,
	DEADLINE,
	MALLEABLE,
	SERIAL,
	FAST,
	SPEED
};

const struct sim_param sim_lublin_params[] = {
	[NODES] = { "nodes", 1024, 1, 1000000, "nodes of the machine" },
	[JOBS] = { "jobs", 10000, 1, 10000000, "requests in a run" },
	[ULOW] = { "ulow", 4.5, 0, 30, "log2 of the smallest size" },
	[UMED] = { "umed", 7, 0, 30, "log2 of the size between the two stages" },
	[UHI] = { "uhi", 10, 0, 30, "log2 of the largest size" },
	[UPROB] = { "uprob", 0.82, 0, 1, "probability of the lower stage" },
	[ARRIVAL] = { "arrival", 1, 0.001, 1000,
		      "arrival factor; arrival times are divided by it" },
	[ARTIME] = { "artime", 3, 0, 1000, "ready up to this many durations after the arrival" },
	[DEADLINE] = { "deadline", 3, 0, 1000,
		       "deadline up to this many durations after the earliest possible end" },
	[MALLEABLE] = { "malleable", 0, 0, 100,
			"percentage of jobs that can also run on 2, 1/2 or 1/4 times "
			"their nodes" },
	[SERIAL] = { "serial", 0.05, 0, 1,
		     "part of a malleable job that more nodes do not shorten" },
	[FAST] = { "fast", 0, 0, 100, "percentage of faster nodes" },
	[SPEED] = { "speed", 2, 0.01, 100, "speed of the faster nodes" },
	{ .name = NULL }
};

static const double published_nodes = 128;

enum { BUCKETS = 48, DAY_START = 11, BUCKET_SECONDS = 1800 };

/* Published: hyper-gamma run times (of the logarithm), peak arrivals, and the
 * share of arrivals of each half hour. */
static const double run_shape_1 = 4.2, run_scale_1 = 0.94;
static const double run_shape_2 = 312, run_scale_2 = 0.03;
static const double run_slope = -0.0054, run_offset = 0.78, run_most = 12;
static const double gap_shape = 10.2303 * 1.0225, gap_scale = 0.4871;
static const double gap_most = 13;
static const double day_shape = 8.1737, day_scale = 3.9631;

struct arrivals {
	double weight[BUCKETS]; /* mean 1 */
	double points, into;	/* into: part of the bucket that is over */
	int bucket;
	double now;
};

static double gamma_density(double x, double shape, double scale)
{
	return exp((shape - 1) * log(x) - x / scale - lgamma(shape) - shape * log(scale));
}

static void arrivals_init(struct arrivals *arrivals)
{
	double sum = 0, weight;

	*arrivals = (struct arrivals){ .bucket = 0 };
	for (int i = DAY_START; i < DAY_START + BUCKETS; i++) {
		/* The density over one bucket, by Simpson's rule. */
		weight = (gamma_density(i - 0.5, day_shape, day_scale) +
			  4 * gamma_density(i, day_shape, day_scale) +
			  gamma_density(i + 0.5, day_shape, day_scale)) /
			 6;
		arrivals->weight[(i - 1) % BUCKETS] = weight;
		sum += weight;
	}
	for (int i = 0; i < BUCKETS; i++)
		arrivals->weight[i] *= BUCKETS / sum;
}

/* An arrival costs points, which hours give at their own rate. */
static double arrivals_next(struct arrivals *arrivals, struct sim_random *random)
{
	double gap, into;

	do {
		gap = sim_random_gamma(random, gap_shape, gap_scale);
	} while (gap > gap_most);
	arrivals->points += exp(gap) / BUCKET_SECONDS;
	while (arrivals->points > arrivals->weight[arrivals->bucket]) {
		arrivals->points -= arrivals->weight[arrivals->bucket];
		arrivals->bucket = (arrivals->bucket + 1) % BUCKETS;
		arrivals->now += BUCKET_SECONDS;
	}
	into = arrivals->points / arrivals->weight[arrivals->bucket];
	arrivals->now += BUCKET_SECONDS * (into - arrivals->into);
	arrivals->into = into;
	return arrivals->now;
}

static uint32_t draw_size(struct sim_random *random, const double *value)
{
	double log2size;

	if (sim_random_real(random) <= value[UPROB])
		log2size = sim_random_uniform(random, value[ULOW], value[UMED]);
	else
		log2size = sim_random_uniform(random, value[UMED], value[UHI]);
	return (uint32_t) 1 << (int) floor(log2size + 0.5);
}

/* A run time, rounded up into the classes of Li et al. The published chance of
 * a short one falls with the size on a machine of 128 nodes; on a larger one
 * every job would be long if sizes were not brought to that scale. */
static int64_t draw_duration(struct sim_random *random, uint32_t size, uint32_t machine)
{
	static const int64_t classes[] = { 60, 300, 900, 1800, 3600 };
	double scaled = (double) size * published_nodes / machine;
	double chance = run_slope * scaled + run_offset, run;

	do {
		if (sim_random_real(random) <= chance)
			run = sim_random_gamma(random, run_shape_1, run_scale_1);
		else
			run = sim_random_gamma(random, run_shape_2, run_scale_2);
	} while (run > run_most);
	run = exp(run);
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (run <= (double) classes[i])
			return classes[i];
	return 10800;
}

/* A job's forms: as it was drawn, then by Amdahl's law. RET 0, or -1 with err. */
static int mold(const double *value, bool malleable, uint64_t id, uint32_t machine,
		struct sim_job *job, struct rspb_err *err)
{
	static const uint32_t times[] = { 8, 2, 1 }; /* quarters */
	struct rspb_form forms[4] = { { .nodes = job->nodes, .duration = job->duration } };
	double serial = value[SERIAL], n = job->nodes, m;
	uint32_t count = 1;

	for (int i = 0; i < 3 && malleable; i++) {
		m = floor(n * times[i] / 4);
		if (m < 1 || m > machine)
			continue;
		forms[count].nodes = (uint32_t) m;
		forms[count++].duration = (int64_t) ceil((double) job->duration *
								 (serial + (1 - serial) / m) /
								 (serial + (1 - serial) / n) -
							 1e-6);
	}
	job->request = rspb_request_create(1);
	if (!job->request || rspb_request_set_forms(job->request, forms, count)) {
		rspb_request_destroy(job->request);
		return rspb_fail(err, "out of memory");
	}
	job->request->id = id;
	job->request->arrival = job->arrival;
	job->request->ready = job->ready;
	job->request->duration = job->duration;
	job->request->deadline = job->deadline;
	job->request->parts[0].nodes = job->request->parts[0].nodes_min = job->nodes;
	return 0;
}

/* The last nodes are the fast ones. RET 0, or -1 with err. */
static int set_speeds(const double *value, struct sim_workload *workload, struct rspb_err *err)
{
	uint32_t n = workload->nodes;
	uint32_t fast = (uint32_t) (n * value[FAST] / 100 + 0.5);

	workload->molded = fast || value[MALLEABLE] > 0;
	if (!fast)
		return 0;
	workload->speeds = calloc(n, sizeof(*workload->speeds));
	if (!workload->speeds)
		return rspb_fail(err, "out of memory");
	for (uint32_t i = 0; i < n; i++)
		workload->speeds[i] = i < n - fast ? 100 : (uint32_t) (100 * value[SPEED] + 0.5);
	return 0;
}

int sim_lublin_workload(const struct sim_params *params, uint64_t seed,
			struct sim_workload *workload, struct rspb_err *err)
{
	const double *value = params->value;
	struct sim_slack slack = { value[ARTIME], value[DEADLINE] };
	struct sim_random random, own;
	struct arrivals arrivals;

	/* Which are malleable has numbers of its own, so that the rest of a workload
	 * does not depend on it. */
	sim_random_seed(&own, seed + (UINT64_C(1) << 32));
	sim_random_seed(&random, seed);
	arrivals_init(&arrivals);
	workload->nodes = (uint32_t) value[NODES];
	if (set_speeds(value, workload, err))
		return -1;
	for (size_t i = 0; i < (size_t) value[JOBS]; i++) {
		struct sim_job job = { .request = NULL };

		job.arrival = (int64_t) (arrivals_next(&arrivals, &random) / value[ARRIVAL]);
		job.nodes = draw_size(&random, value);
		if (job.nodes > workload->nodes)
			job.nodes = workload->nodes;
		job.duration = draw_duration(&random, job.nodes, workload->nodes);
		sim_slack_apply(&random, &slack, job.arrival, job.duration, &job.ready,
				&job.deadline);
		if (workload->molded &&
		    mold(value, sim_random_uniform(&own, 0, 100) < value[MALLEABLE], i + 1,
			 workload->nodes, &job, err))
			return -1;
		if (sim_workload_add(workload, &job, err))
			return -1;
	}
	return 0;
}

int sim_lublin_run(const struct sim_params *params, uint64_t seed, const char *preset,
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
	rc = sim_lublin_workload(params, seed, &workload, err);
	if (!rc)
		rc = sim_replay_measure(&workload, policy, metrics, err);
	sim_workload_fini(&workload);
	return rc;
}
