/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Models one resource that always has a next task, as in Varvarigos et al., sections 3.1 to 3.3:
 * how much of its time it works when it is held from the allocation to the release message
 * (standard), and when it is reserved for just the time a task is expected to need it (tarr). */
#include <math.h>
#include <string.h>

#include "contrib/sim/models/model.h"
#include "contrib/sim/papers/tarr.h"
#include "contrib/sim/policy/preset.h"
#include "contrib/sim/replay/random.h"

enum { TASKS, LENGTH, TRIP, K, SIGMA_DELAY, SIGMA_LENGTH, PAUSE, LATE };

const struct sim_param sim_tarr_params[] = {
	[TASKS] = { "tasks", 2000, 1, 100000, "tasks in a run" },
	[LENGTH] = { "x", 1000, 10, 1e6, "mean execution time" },
	[TRIP] = { "trip", 500, 0, 1e6, "2 tp: time from the release message to the data" },
	[K] = { "k", 3, 0, 10, "safety margin in standard deviations" },
	[SIGMA_DELAY] = { "sigma_delay", 0, 0, 1,
			  "standard deviation of the delay, as a part of it" },
	[SIGMA_LENGTH] = { "sigma_x", 0, 0, 1,
			   "standard deviation of the execution time, as a part of it" },
	[PAUSE] = { "pause", -1, -1, 1e9, "time between tasks; -1: a next task is always waiting" },
	[LATE] = { "late_data", 0, 0, 1,
		   "1: ends allow for data that is late by k standard deviations" },
	{ .name = NULL }
};

enum { CPU = 100 };

struct world {
	struct sim_random random;
	double busy, span, overruns;
};

/* RET the time that a task really needs, beside the expected one. */
static double really(struct world *world, double expected, double part)
{
	double value = sim_random_normal(&world->random, expected, part * expected);

	return value > 0 ? value : 0;
}

static void standard(struct world *world, const double *value)
{
	for (int i = 0; i < (int) value[TASKS]; i++) {
		double x = rint(sim_random_uniform(&world->random, 0.5 * value[LENGTH],
						   1.5 * value[LENGTH]));
		double work = really(world, x, value[SIGMA_LENGTH]);

		world->busy += work;
		world->span += work + really(world, value[TRIP], value[SIGMA_DELAY]);
	}
}

static int reserve_all(struct world *world, struct rspb_pool *pool, struct rspb_tarr *tarr,
		       const double *value, struct rspb_err *err)
{
	int64_t trip = llrint(value[TRIP]), last = 0;
	struct rspb_rational delay = rspb_rational_make(pool, trip, 1);
	struct rspb_tarr_answer answer;

	for (int i = 0; i < (int) value[TASKS]; i++) {
		int64_t x = llrint(sim_random_uniform(&world->random, 0.5 * value[LENGTH],
						      1.5 * value[LENGTH]));
		/* Reserved early enough for its data to be on the way while
		 * the resource still works on others. */
		struct rspb_tarr_task task = {
			.at = value[PAUSE] >= 0 ? last + llrint(value[PAUSE])
			      : last > 2 * trip ? last - 2 * trip
						: 0,
			.cpu = CPU,
			.min_cpu = CPU,
			.workload_known = true,
			.x = rspb_rational_make(pool, x, 1),
			.sigma_workload = rspb_rational_make(
				pool, llrint(value[SIGMA_LENGTH] * (double) x * CPU), 1),
			.delays = &delay,
			.sigma_delay = rspb_rational_make(
				pool, llrint(value[SIGMA_DELAY] * (double) trip), 1),
			.deadline = INT64_MAX,
		};
		double start, work;

		if (rspb_tarr_reserve(tarr, &task, &answer, err))
			return -1;
		start = (double) task.at + really(world, (double) trip, value[SIGMA_DELAY]);
		if (start < (double) answer.ust)
			start = (double) answer.ust;
		work = really(world, (double) x, value[SIGMA_LENGTH]);
		world->busy += work;
		world->overruns += start + work > (double) answer.oet;
		last = answer.oet;
		if (i == 0)
			world->span = -(double) answer.ust;
	}
	world->span += (double) last;
	return 0;
}

static int tarr(struct world *world, const double *value, struct rspb_err *err)
{
	struct rspb_pool *pool = rspb_pool_create();
	struct rspb_tarr_options options = { .late_data = value[LATE] != 0 };
	struct rspb_tarr *made = NULL;
	const int64_t capacity = CPU;
	int rc;

	if (pool) {
		options.k = rspb_rational_make(pool, llrint(value[K] * 1000), 1000);
		made = rspb_tarr_create(pool, &capacity, 1, &options);
	}
	rc = made ? reserve_all(world, pool, made, value, err) : rspb_fail(err, "out of memory");
	rspb_tarr_destroy(made);
	rspb_pool_destroy(pool);
	return rc;
}

int sim_tarr_known(const char *preset, struct rspb_err *err)
{
	return sim_preset_pair(preset, "reservation scheme", "tarr", "standard", err);
}

int sim_tarr_run(const struct sim_params *params, uint64_t seed, const char *preset,
		 const struct rspb_policy *policy, struct sim_metrics *metrics,
		 struct rspb_err *err)
{
	struct world world = { .busy = 0 };
	double tasks = params->value[TASKS];

	(void) policy;
	sim_random_seed(&world.random, seed);
	if (strcmp(preset, "tarr"))
		standard(&world, params->value);
	else if (tarr(&world, params->value, err))
		return -1;
	metrics->value[SIM_JOBS] = tasks;
	metrics->value[SIM_EFFICIENCY] = world.busy / world.span;
	metrics->value[SIM_OVERRUNS] = world.overruns / tasks;
	return 0;
}
