/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Batches of tasks with deadlines, as in Varvarigos et al., section 6.2: a few
 * processors, Gaussian workloads, a normalized load (equation 23). What the
 * paper leaves open - access delays, and how far the deadlines lie apart - are
 * parameters here.
 */
#include <math.h>

#include "contrib/sim/models/model.h"
#include "contrib/sim/papers/tasks.h"
#include "contrib/sim/replay/random.h"

enum { PROCESSORS, TASKS, LOAD, MEAN, DEVIATION, SPREAD, DELAY, UNEVEN, BATCHES, REPLICAS, ASSIGN };

const struct sim_param sim_fair_params[] = {
	[PROCESSORS] = { "processors", 5, 1, 1000, "processors" },
	[TASKS] = { "tasks", 25, 1, 2000, "tasks in a batch" },
	[LOAD] = { "load", 1, 0.01, 100, "normalized load" },
	[MEAN] = { "mean", 10, 0.01, 1e6, "mean workload before scaling" },
	[DEVIATION] = { "deviation", 3, 0, 1e6, "standard deviation of the workload" },
	[SPREAD] = { "spread", 1.5, 1, 1000,
		     "longest time until a deadline, divided by the shortest" },
	[DELAY] = { "delay", 0.2, 0, 100,
		    "longest access delay, as a part of the shortest time until a deadline" },
	[UNEVEN] = { "uneven", 0, 0, 0.95, "capacities are 1, plus or minus up to this" },
	[BATCHES] = { "batches", 20, 1, 10000, "batches in a run" },
	[REPLICAS] = { "replicas", 1, 1, 1000, "copies of each task, on different processors" },
	[ASSIGN] = { "assign", 0, 0, 2,
		     "processor of a task: 0: earliest completion, 1: earliest "
		     "start, 2: least processing time" },
	{ .name = NULL }
};

/* Thousandths are exact; that is all a simulation needs. */
static struct rspb_rational number(struct rspb_pool *pool, double value)
{
	int64_t thousandths = llrint(value * 1000);

	return rspb_rational_make(pool, thousandths > 0 ? thousandths : 1, 1000);
}

static void make_processors(struct rspb_tasks *batch, struct sim_random *random,
			    const double *value)
{
	double apart;

	batch->processors = rspb_pool_alloc(batch->pool,
					    batch->n_processors * sizeof(*batch->processors));
	for (size_t j = 0; j < batch->n_processors; j++) {
		apart = sim_random_uniform(random, -value[UNEVEN], value[UNEVEN]);
		batch->processors[j].capacity = number(batch->pool, 1 + apart);
	}
}

/* Delays and deadlines first; workloads are scaled to the load afterwards. */
static void make_tasks(struct rspb_tasks *batch, struct sim_random *random, const double *value,
		       double *workload, double *window)
{
	const double shortest = 100;
	struct rspb_rational *delays;
	double capacity = 0, access, weighted, delay;

	for (size_t j = 0; j < batch->n_processors; j++)
		capacity += rspb_rational_double(batch->processors[j].capacity);
	for (size_t i = 0; i < batch->n; i++) {
		delays = rspb_pool_alloc(batch->pool, batch->n_processors * sizeof(*delays));
		weighted = 0;
		for (size_t j = 0; j < batch->n_processors; j++) {
			delay = rint(sim_random_uniform(random, 0, value[DELAY] * shortest));
			delays[j] = rspb_rational_make(batch->pool, (int64_t) delay, 1);
			weighted += delay * rspb_rational_double(batch->processors[j].capacity);
		}
		access = weighted / capacity;
		window[i] = shortest * sim_random_uniform(random, 1, value[SPREAD]);
		do {
			workload[i] = sim_random_normal(random, value[MEAN], value[DEVIATION]);
		} while (workload[i] <= value[MEAN] / 100);
		batch->tasks[i].delays = delays;
		batch->tasks[i].more = (size_t) value[REPLICAS] - 1;
		batch->tasks[i].weight = rspb_rational_make(batch->pool, 1, 1);
		batch->tasks[i].deadline = number(batch->pool, access + window[i]);
	}
}

static void scale_load(struct rspb_tasks *batch, const double *value, const double *workload,
		       const double *window)
{
	double capacity = 0, demand = 0;

	for (size_t j = 0; j < batch->n_processors; j++)
		capacity += rspb_rational_double(batch->processors[j].capacity);
	for (size_t i = 0; i < batch->n; i++)
		demand += workload[i] / window[i];
	for (size_t i = 0; i < batch->n; i++)
		batch->tasks[i].workload = number(batch->pool,
						  workload[i] * value[LOAD] * capacity / demand);
}

static void build(struct rspb_tasks *batch, struct sim_random *random, const double *value)
{
	double *workload, *window;

	batch->n_processors = (size_t) value[PROCESSORS];
	batch->n = (size_t) value[TASKS];
	batch->tasks = rspb_pool_alloc(batch->pool, batch->n * sizeof(*batch->tasks));
	workload = rspb_pool_alloc(batch->pool, batch->n * sizeof(double));
	window = rspb_pool_alloc(batch->pool, batch->n * sizeof(double));
	make_processors(batch, random, value);
	make_tasks(batch, random, value, workload, window);
	scale_load(batch, value, workload, window);
}

int sim_fair_known(const char *preset, struct rspb_err *err)
{
	if (rspb_task_order_find(preset))
		return 0;
	return rspb_fail(err,
			 "\"%.60s\" is not an order of tasks; allowed are "
			 "fcfs, edf, llf, sfto, afto, afto1, afto_rn",
			 preset);
}

static int one_batch(struct sim_random *random, const double *value,
		     const struct rspb_task_order *order, struct rspb_criteria *criteria,
		     struct rspb_err *err)
{
	static const enum rspb_ect_rule rules[] = { RSPB_ECT, RSPB_EST, RSPB_MPTF };
	struct rspb_tasks batch = { .pool = rspb_pool_create() };
	int rc;

	if (!batch.pool)
		return rspb_fail(err, "out of memory");
	build(&batch, random, value);
	rc = rspb_tasks_prepare(&batch, order, err) ||
			     rspb_tasks_place(&batch, order, rules[(int) value[ASSIGN]],
					      RSPB_WAITING_GLOBAL, true, err)
		     ? -1
		     : 0;
	if (!rc)
		rspb_tasks_criteria(&batch, order, criteria);
	for (size_t j = 0; j < batch.n_processors; j++)
		rspb_processor_fini(&batch.processors[j]);
	rspb_pool_destroy(batch.pool);
	return rc;
}

int sim_fair_run(const struct sim_params *params, uint64_t seed, const char *preset,
		 const struct rspb_policy *policy, struct sim_metrics *metrics,
		 struct rspb_err *err)
{
	const struct rspb_task_order *order = rspb_task_order_find(preset);
	double n = params->value[BATCHES];
	struct sim_random random;
	struct rspb_criteria criteria, sum = { 0, 0, 0 };

	(void) policy;
	if (params->value[REPLICAS] > params->value[PROCESSORS])
		return rspb_fail(err, "replicas=%g are more than processors=%g",
				 params->value[REPLICAS], params->value[PROCESSORS]);
	sim_random_seed(&random, seed);
	for (int i = 0; i < (int) n; i++) {
		if (one_batch(&random, params->value, order, &criteria, err))
			return -1;
		sum.e1 += criteria.e1 / n;
		sum.e2 += criteria.e2 / n;
		sum.e3 += criteria.e3 / n;
	}
	metrics->value[SIM_JOBS] = n * params->value[TASKS];
	metrics->value[SIM_E1] = sum.e1;
	metrics->value[SIM_E2] = sum.e2;
	metrics->value[SIM_E3] = sum.e3;
	return 0;
}
