/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/tasks.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static void keys_arrival(struct rspb_tasks *batch)
{
	for (size_t i = 0; i < batch->n; i++)
		batch->tasks[i].key = rspb_rational_make(batch->pool,
							 (int64_t) i, 1);
}

static void keys_deadline(struct rspb_tasks *batch)
{
	for (size_t i = 0; i < batch->n; i++)
		batch->tasks[i].key = batch->tasks[i].deadline;
}

/* Laxity: the deadline less the time the whole grid would need. */
static void keys_laxity(struct rspb_tasks *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		struct rspb_task *task = &batch->tasks[i];

		task->key = rspb_rational_sub(batch->pool, task->deadline,
			rspb_rational_add(batch->pool, task->access,
				rspb_rational_div(batch->pool, task->workload,
						  batch->capacity)));
	}
}

/* Equation 17. */
static void keys_simple(struct rspb_tasks *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		struct rspb_task *task = &batch->tasks[i];

		task->key = rspb_rational_add(batch->pool, task->access,
			rspb_rational_div(batch->pool, task->workload,
					  task->rate));
	}
}

const struct rspb_task_order rspb_task_orders[] = {
	{ "fcfs", NULL, "first come, first served", false, NULL,
	  keys_arrival },
	{ "edf", NULL, "earliest deadline first", false, NULL, keys_deadline },
	{ "llf", NULL, "least laxity first", false, NULL, keys_laxity },
	{ "sfto", NULL, "simple fair task order", true, NULL, keys_simple },
	{ "afto", "afto2", "adjusted fair task order, max-min at each event",
	  true, rspb_fluid_again, NULL },
	{ "afto1", NULL, "adjusted fair task order, freed rate split equally",
	  true, rspb_fluid_equal, NULL },
	{ "afto_rn", "afto-rn", "adjusted fair task order by round numbers",
	  true, rspb_fluid_round, NULL },
	{ .name = NULL }
};

const struct rspb_task_order *rspb_task_order_find(const char *name)
{
	const struct rspb_task_order *row = rspb_task_orders;

	for (; row->name; row++)
		if (!strcasecmp(row->name, name) ||
		    (row->alias && !strcasecmp(row->alias, name)))
			return row;
	return NULL;
}

/* Workload over the time left; infinite when none is. */
static struct rspb_rational rate_until(struct rspb_pool *pool,
				       const struct rspb_task *task,
				       struct rspb_rational end)
{
	struct rspb_rational left = rspb_rational_sub(pool, end, task->access);

	if (rspb_rational_sign(left) <= 0)
		return rspb_rational_infinity();
	return rspb_rational_div(pool, task->workload, left);
}

/* Equations 2 to 5. */
static void demands(struct rspb_tasks *batch)
{
	struct rspb_pool *pool = batch->pool;

	batch->capacity = rspb_rational_make(pool, 0, 1);
	for (size_t j = 0; j < batch->n_processors; j++)
		batch->capacity = rspb_rational_add(pool, batch->capacity,
			batch->processors[j].capacity);
	for (size_t i = 0; i < batch->n; i++) {
		struct rspb_task *task = &batch->tasks[i];
		struct rspb_rational sum = rspb_rational_make(pool, 0, 1);

		for (size_t j = 0; j < batch->n_processors; j++) {
			struct rspb_processor *p = &batch->processors[j];
			struct rspb_rational start = rspb_rational_max(pool,
				task->delays[j],
				rspb_processor_release(pool, p));

			sum = rspb_rational_add(pool, sum,
				rspb_rational_mul(pool, start, p->capacity));
		}
		task->access = rspb_rational_div(pool, sum, batch->capacity);
		task->demand = rate_until(pool, task, task->deadline);
	}
}

static int fair_rates(struct rspb_tasks *batch)
{
	struct rspb_pool *pool = batch->pool;
	size_t bytes = batch->n * sizeof(struct rspb_rational);
	struct rspb_rational *demand = rspb_pool_alloc(pool, bytes);
	struct rspb_rational *weight = rspb_pool_alloc(pool, bytes);
	struct rspb_rational *rate = rspb_pool_alloc(pool, bytes);

	if (!demand || !weight || !rate)
		return -1;
	for (size_t i = 0; i < batch->n; i++) {
		demand[i] = batch->tasks[i].demand;
		weight[i] = batch->tasks[i].weight;
	}
	if (rspb_fair_shares(pool, batch->capacity, demand, weight, batch->n,
			     rate))
		return -1;
	for (size_t i = 0; i < batch->n; i++)
		batch->tasks[i].rate = rate[i];
	return 0;
}

static int fluid_keys(struct rspb_tasks *batch, rspb_fluid_rule rule)
{
	struct rspb_pool *pool = batch->pool;
	struct rspb_fluid *fluid;
	struct rspb_rational *ends;

	fluid = rspb_pool_alloc(pool, batch->n * sizeof(*fluid));
	ends = rspb_pool_alloc(pool, batch->n * sizeof(*ends));
	if (!fluid || !ends)
		return -1;
	for (size_t i = 0; i < batch->n; i++) {
		const struct rspb_task *task = &batch->tasks[i];

		fluid[i] = (struct rspb_fluid) {
			.access = task->access, .workload = task->workload,
			.demand = task->demand, .weight = task->weight,
			.rate = task->rate,
		};
	}
	if (rspb_fluid_serve(pool, rule, batch->capacity, fluid, batch->n,
			     ends))
		return -1;
	for (size_t i = 0; i < batch->n; i++)
		batch->tasks[i].key = ends[i];
	return 0;
}

/* Position of each task in the queue: by key, earlier line first. */
static void rank(struct rspb_tasks *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		struct rspb_task *task = &batch->tasks[i];

		task->rank = 0;
		for (size_t k = 0; k < batch->n; k++) {
			int order = rspb_rational_compare(batch->pool,
				batch->tasks[k].key, task->key);

			task->rank += order < 0 || (order == 0 && k < i);
		}
	}
}

int rspb_tasks_prepare(struct rspb_tasks *batch,
		       const struct rspb_task_order *order,
		       struct rspb_err *err)
{
	demands(batch);
	if ((order->fair && fair_rates(batch)) ||
	    (order->rule && fluid_keys(batch, order->rule)))
		return rspb_fail(err, "out of memory");
	if (order->keys)
		order->keys(batch);
	rank(batch);
	if (rspb_pool_failed(batch->pool))
		return rspb_fail(err, "out of memory");
	return 0;
}

static int put(struct rspb_tasks *batch, struct rspb_task *task,
	       size_t processor, struct rspb_span span, struct rspb_err *err)
{
	task->placed = true;
	task->processor = processor;
	task->span = span;
	return rspb_processor_add(batch->pool, &batch->processors[processor],
				  span, err);
}

/* One pass over the queue. accepted: the first pass, which keeps deadlines when
 * strict; else the waiting list, behind `earliest`. */
static int pass(struct rspb_tasks *batch, struct rspb_task *const *queue,
		struct rspb_ect_query query, bool first, bool strict,
		struct rspb_err *err)
{
	struct rspb_span span;

	for (size_t i = 0; i < batch->n; i++) {
		struct rspb_task *task = queue[i];
		size_t processor;

		if (task->placed)
			continue;
		query.workload = task->workload;
		query.delays = task->delays;
		processor = rspb_ect_find(batch->pool, batch->processors,
					  batch->n_processors, &query, &span);
		if (strict && rspb_rational_compare(batch->pool, span.end,
						    task->deadline) > 0)
			continue;
		task->accepted = first;
		if (put(batch, task, processor, span, err))
			return -1;
	}
	return 0;
}

/* The end of the last task that was placed. */
static struct rspb_rational last_end(const struct rspb_tasks *batch)
{
	struct rspb_rational last = rspb_rational_make(batch->pool, 0, 1);

	for (size_t i = 0; i < batch->n; i++)
		if (batch->tasks[i].placed)
			last = rspb_rational_max(batch->pool, last,
				batch->tasks[i].span.end);
	return last;
}

int rspb_tasks_place(struct rspb_tasks *batch,
		     const struct rspb_task_order *order,
		     enum rspb_waiting waiting, bool gaps,
		     struct rspb_err *err)
{
	struct rspb_ect_query query = {
		.earliest = rspb_rational_make(batch->pool, 0, 1),
		.gaps = gaps,
	};
	struct rspb_task **queue = rspb_pool_alloc(batch->pool,
		batch->n * sizeof(struct rspb_task *));

	if (!queue)
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < batch->n; i++)
		queue[batch->tasks[i].rank] = &batch->tasks[i];
	if (pass(batch, queue, query, true, !order->fair, err))
		return -1;
	if (waiting == RSPB_WAITING_NONE || order->fair)
		return 0;
	if (waiting == RSPB_WAITING_GLOBAL)
		query.earliest = last_end(batch);
	else
		query.gaps = false;
	return pass(batch, queue, query, false, false, err);
}

void rspb_tasks_criteria(const struct rspb_tasks *batch,
			 const struct rspb_task_order *order,
			 struct rspb_criteria *criteria)
{
	struct rspb_pool *pool = batch->pool;
	double asked, served, deadline, late;

	memset(criteria, 0, sizeof(*criteria));
	for (size_t i = 0; i < batch->n; i++) {
		const struct rspb_task *task = &batch->tasks[i];

		asked = rspb_rational_double(pool, task->demand);
		served = task->accepted ? asked : 0;
		if (!task->placed) {
			criteria->e1 += 1;
			criteria->e3 = INFINITY;
			continue;
		}
		if (order->fair && rspb_rational_compare(pool, task->span.end,
							 task->deadline) > 0)
			served = rspb_rational_double(pool,
				rate_until(pool, task, task->span.end));
		if (asked != served)
			criteria->e1 += isinf(asked) ? 1 :
				fabs(asked - served) / asked;
		criteria->e2 += served;
		deadline = rspb_rational_double(pool, task->deadline);
		late = rspb_rational_double(pool, task->span.end) - deadline;
		criteria->e3 += late > 0 ? late / deadline : 0;
	}
	criteria->e2 /= rspb_rational_double(pool, batch->capacity);
	if (batch->n)
		criteria->e3 /= (double) batch->n;
}
