/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/tasks.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static struct rspb_real key_arrival(struct rspb_tasks *batch, size_t i)
{
	return rspb_real_whole(&batch->reals, (int64_t) i);
}

static struct rspb_real key_deadline(struct rspb_tasks *batch, size_t i)
{
	return rspb_real_of(&batch->reals, batch->tasks[i].deadline);
}

/* Laxity: the deadline less the time the whole grid would need. */
static struct rspb_real key_laxity(struct rspb_tasks *batch, size_t i)
{
	const struct rspb_paper_task *task = &batch->tasks[i];

	return rspb_real_of(
		&batch->reals,
		rspb_rational_sub(batch->pool, task->deadline,
				  rspb_rational_add(batch->pool, task->access,
						    rspb_rational_div(batch->pool, task->workload,
								      batch->capacity))));
}

/* Equation 17. */
static struct rspb_real key_simple(struct rspb_tasks *batch, size_t i)
{
	const struct rspb_paper_task *task = &batch->tasks[i];
	struct rspb_reals *reals = &batch->reals;

	return rspb_real_add(reals, rspb_real_of(reals, task->access),
			     rspb_real_div(reals, rspb_real_of(reals, task->workload), task->rate));
}

const struct rspb_task_order rspb_task_orders[] = {
	{ "fcfs", NULL, "first come, first served", false, NULL, key_arrival },
	{ "edf", NULL, "earliest deadline first", false, NULL, key_deadline },
	{ "llf", NULL, "least laxity first", false, NULL, key_laxity },
	{ "sfto", NULL, "simple fair task order", true, NULL, key_simple },
	{ "afto", "afto2", "adjusted fair task order, max-min at each event", true,
	  rspb_fluid_again, NULL },
	{ "afto1", NULL, "adjusted fair task order, freed rate split equally", true,
	  rspb_fluid_equal, NULL },
	{ "afto_rn", "afto-rn", "adjusted fair task order by round numbers", true, rspb_fluid_round,
	  NULL },
	{ .name = NULL }
};

const struct rspb_task_order *rspb_task_order_find(const char *name)
{
	const struct rspb_task_order *row = rspb_task_orders;

	for (; row->name; row++)
		if (!strcasecmp(row->name, name) || (row->alias && !strcasecmp(row->alias, name)))
			return row;
	return NULL;
}

/* Workload over the time left; infinite when none is. */
static struct rspb_rational rate_until(struct rspb_pool *pool, const struct rspb_paper_task *task,
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
		struct rspb_paper_task *task = &batch->tasks[i];
		struct rspb_rational sum = rspb_rational_make(pool, 0, 1);

		for (size_t j = 0; j < batch->n_processors; j++) {
			struct rspb_processor *p = &batch->processors[j];
			struct rspb_rational start = rspb_rational_max(task->delays[j],
								       rspb_processor_release(pool,
											      p));

			sum = rspb_rational_add(pool, sum,
						rspb_rational_mul(pool, start, p->capacity));
		}
		task->access = rspb_rational_div(pool, sum, batch->capacity);
		task->demand = rate_until(pool, task, task->deadline);
	}
}

/* RET the data that the fluid needs, except for rates. */
static struct rspb_fluid *fluid_of(struct rspb_tasks *batch)
{
	struct rspb_reals *reals = &batch->reals;
	struct rspb_fluid *fluid = rspb_pool_alloc(batch->pool, batch->n * sizeof(*fluid));

	for (size_t i = 0; i < batch->n; i++) {
		const struct rspb_paper_task *task = &batch->tasks[i];

		fluid[i] = (struct rspb_fluid){
			.access = rspb_real_of(reals, task->access),
			.workload = rspb_real_of(reals, task->workload),
			.demand = rspb_real_of(reals, task->demand),
			.weight = rspb_real_of(reals, task->weight),
		};
	}
	return fluid;
}

static void fair_rates(struct rspb_tasks *batch, struct rspb_fluid *fluid,
		       struct rspb_real capacity)
{
	size_t bytes = batch->n * sizeof(struct rspb_real);
	struct rspb_real *demand = rspb_pool_alloc(batch->pool, bytes);
	struct rspb_real *weight = rspb_pool_alloc(batch->pool, bytes);
	struct rspb_real *rate = rspb_pool_alloc(batch->pool, bytes);

	for (size_t i = 0; i < batch->n; i++) {
		demand[i] = fluid[i].demand;
		weight[i] = fluid[i].weight;
	}
	rspb_fair_shares(&batch->reals, capacity, demand, weight, batch->n, rate);
	for (size_t i = 0; i < batch->n; i++)
		batch->tasks[i].rate = fluid[i].rate = rate[i];
}

/* Fair rates, keys and ranks with as many bits as batch->reals has now. */
static void prepare(struct rspb_tasks *batch, const struct rspb_task_order *order)
{
	struct rspb_real capacity = rspb_real_of(&batch->reals, batch->capacity);
	struct rspb_real *key = rspb_pool_alloc(batch->pool, batch->n * sizeof(*key));
	size_t *queue = rspb_pool_alloc(batch->pool, batch->n * sizeof(*queue));

	if (order->fair) {
		struct rspb_fluid *fluid = fluid_of(batch);

		fair_rates(batch, fluid, capacity);
		if (order->rule)
			order->rule(&batch->reals, capacity, fluid, batch->n, key);
	}
	for (size_t i = 0; order->key && i < batch->n; i++)
		key[i] = order->key(batch, i);
	if (batch->reals.vague)
		return;
	rspb_real_order(&batch->reals, key, batch->n, queue);
	for (size_t k = 0; k < batch->n; k++) {
		batch->tasks[queue[k]].rank = k;
		batch->tasks[k].key = key[k];
	}
}

int rspb_tasks_prepare(struct rspb_tasks *batch, const struct rspb_task_order *order,
		       struct rspb_err *err)
{
	demands(batch);
	batch->reals = rspb_reals_first(batch->pool);
	do
		prepare(batch, order);
	while (rspb_reals_again(&batch->reals));
	if (batch->reals.vague)
		return rspb_fail(err,
				 "the numbers of the tasks are so large, "
				 "small or close together that %u bits do not tell "
				 "their order",
				 batch->reals.bits);
	return 0;
}

/* Where its copies would go, each on a processor of its own: into the task, which is
 * not placed yet. */
static void find_place(struct rspb_tasks *batch, struct rspb_paper_task *task,
		       struct rspb_ect_query query)
{
	size_t n = batch->n_processors;
	bool *taken = rspb_pool_alloc(batch->pool, n * sizeof(*taken));

	for (size_t j = 0; j < n; j++)
		taken[j] = false;
	query.workload = task->workload;
	query.delays = task->delays;
	query.taken = taken;
	for (size_t i = 0; i < task->n_after; i++)
		query.earliest = rspb_rational_max(query.earliest,
						   batch->tasks[task->after[i]].span.end);
	task->copies = rspb_pool_alloc(batch->pool, (task->more + 1) * sizeof(*task->copies));
	for (size_t i = 0; i <= task->more; i++) {
		struct rspb_task_copy *copy = &task->copies[i];

		copy->processor = rspb_ect_find(batch->pool, batch->processors, n, &query,
						&copy->span);
		taken[copy->processor] = true;
		if (!i || rspb_rational_compare(task->span.end, copy->span.end) < 0) {
			task->processor = copy->processor;
			task->span = copy->span;
		}
	}
}

static int put(struct rspb_tasks *batch, struct rspb_paper_task *task, struct rspb_err *err)
{
	task->placed = true;
	for (size_t i = 0; i <= task->more; i++)
		if (rspb_processor_add(&batch->processors[task->copies[i].processor],
				       task->copies[i].span, err))
			return -1;
	return 0;
}

static bool may_start(const struct rspb_tasks *batch, const struct rspb_paper_task *task)
{
	for (size_t i = 0; i < task->n_after; i++)
		if (!batch->tasks[task->after[i]].placed)
			return false;
	return true;
}

/* Pass once over the queue; a task that waits for others is examined when they are placed. first:
 * the pass that keeps deadlines when strict; otherwise the waiting list, after `earliest`. */
static int pass(struct rspb_tasks *batch, struct rspb_paper_task *const *queue,
		struct rspb_ect_query query, bool first, bool strict, struct rspb_err *err)
{
	bool *seen = rspb_pool_alloc(batch->pool, batch->n * sizeof(*seen));
	bool waits = false;

	for (size_t i = 0; i < batch->n; i++) {
		seen[i] = queue[i]->placed;
		waits |= queue[i]->n_after > 0;
	}
	for (size_t i = 0; i < batch->n; i++) {
		struct rspb_paper_task *task = queue[i];

		if (seen[i] || !may_start(batch, task))
			continue;
		seen[i] = true;
		find_place(batch, task, query);
		if (strict && rspb_rational_compare(task->span.end, task->deadline) > 0)
			continue;
		task->accepted = first;
		if (put(batch, task, err))
			return -1;
		if (waits)
			i = (size_t) -1;
	}
	return 0;
}

/* The end of the last task that was placed. */
static struct rspb_rational last_end(const struct rspb_tasks *batch)
{
	struct rspb_rational last = rspb_rational_make(batch->pool, 0, 1);

	for (size_t i = 0; i < batch->n; i++)
		if (batch->tasks[i].placed)
			last = rspb_rational_max(last, batch->tasks[i].span.end);
	return last;
}

int rspb_tasks_place(struct rspb_tasks *batch, const struct rspb_task_order *order,
		     enum rspb_ect_rule rule, enum rspb_waiting waiting, bool gaps,
		     struct rspb_err *err)
{
	struct rspb_ect_query query = {
		.rule = rule,
		.earliest = rspb_rational_make(batch->pool, 0, 1),
		.gaps = gaps,
	};
	struct rspb_paper_task **queue = rspb_pool_alloc(batch->pool,
							 batch->n *
								 sizeof(struct rspb_paper_task *));

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

void rspb_tasks_criteria(const struct rspb_tasks *batch, const struct rspb_task_order *order,
			 struct rspb_criteria *criteria)
{
	struct rspb_pool *pool = batch->pool;
	double asked, served, deadline, late;

	memset(criteria, 0, sizeof(*criteria));
	for (size_t i = 0; i < batch->n; i++) {
		const struct rspb_paper_task *task = &batch->tasks[i];

		asked = rspb_rational_double(task->demand);
		served = task->accepted ? asked : 0;
		if (!task->placed) {
			criteria->e1 += 1;
			criteria->e3 = INFINITY;
			continue;
		}
		if (order->fair && rspb_rational_compare(task->span.end, task->deadline) > 0)
			served = rspb_rational_double(rate_until(pool, task, task->span.end));
		if (asked != served)
			criteria->e1 += isinf(asked) ? 1 : fabs(asked - served) / asked;
		criteria->e2 += served;
		deadline = rspb_rational_double(task->deadline);
		late = rspb_rational_double(task->span.end) - deadline;
		criteria->e3 += late > 0 ? late / deadline : 0;
	}
	criteria->e2 /= rspb_rational_double(batch->capacity);
	if (batch->n)
		criteria->e3 /= (double) batch->n;
}
