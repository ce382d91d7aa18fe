/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/fair.h"

#include <stdbool.h>
#include <string.h>

/* Indices by rising demand per weight; stable, and short lists only. */
static void sort_by_need(struct rspb_pool *pool,
			 const struct rspb_rational *need, size_t n,
			 size_t *order)
{
	for (size_t i = 0; i < n; i++) {
		size_t at = i;

		while (at > 0 && rspb_rational_compare(pool, need[i],
				need[order[at - 1]]) < 0) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = i;
	}
}

int rspb_fair_shares(struct rspb_pool *pool, struct rspb_rational capacity,
		     const struct rspb_rational *demands,
		     const struct rspb_rational *weights, size_t n,
		     struct rspb_rational *rates)
{
	struct rspb_rational one = rspb_rational_make(pool, 1, 1);
	struct rspb_rational left = rspb_rational_make(pool, 0, 1), level;
	struct rspb_rational *need = rspb_pool_alloc(pool, n * sizeof(*need));
	size_t *order = rspb_pool_alloc(pool, n * sizeof(*order));

	if (!need || !order)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct rspb_rational weight = weights ? weights[i] : one;

		need[i] = rspb_rational_div(pool, demands[i], weight);
		left = rspb_rational_add(pool, left, weight);
	}
	sort_by_need(pool, need, n, order);
	for (size_t k = 0; k < n && !rspb_pool_failed(pool); k++) {
		size_t i = order[k];
		struct rspb_rational weight = weights ? weights[i] : one;

		/* What is left, shared by the weights that are left. */
		level = rspb_rational_div(pool, capacity, left);
		if (rspb_rational_compare(pool, need[i], level) >= 0) {
			for (; k < n; k++)
				rates[order[k]] = rspb_rational_mul(pool, level,
					weights ? weights[order[k]] : one);
			break;
		}
		rates[i] = demands[i];
		capacity = rspb_rational_sub(pool, capacity, demands[i]);
		left = rspb_rational_sub(pool, left, weight);
	}
	return rspb_pool_failed(pool) ? -1 : 0;
}

static struct rspb_rational sum_of_rates(struct rspb_pool *pool,
					 const struct rspb_fluid *const *tasks,
					 size_t n)
{
	struct rspb_rational sum = rspb_rational_make(pool, 0, 1);

	for (size_t i = 0; i < n; i++)
		sum = rspb_rational_add(pool, sum, tasks[i]->rate);
	return sum;
}

int rspb_fluid_equal(struct rspb_pool *pool, struct rspb_rational capacity,
		     const struct rspb_fluid *const *tasks, size_t n,
		     struct rspb_rational *rates)
{
	struct rspb_rational spare = rspb_rational_sub(pool, capacity,
		sum_of_rates(pool, tasks, n));

	spare = rspb_rational_div(pool, spare,
		rspb_rational_make(pool, (int64_t) n, 1));
	for (size_t i = 0; i < n; i++)
		rates[i] = rspb_rational_add(pool, tasks[i]->rate, spare);
	return rspb_pool_failed(pool) ? -1 : 0;
}

int rspb_fluid_again(struct rspb_pool *pool, struct rspb_rational capacity,
		     const struct rspb_fluid *const *tasks, size_t n,
		     struct rspb_rational *rates)
{
	struct rspb_rational *demands, *weights;

	demands = rspb_pool_alloc(pool, n * sizeof(*demands));
	weights = rspb_pool_alloc(pool, n * sizeof(*weights));
	if (!demands || !weights)
		return -1;
	for (size_t i = 0; i < n; i++) {
		demands[i] = tasks[i]->demand;
		weights[i] = tasks[i]->weight;
	}
	return rspb_fair_shares(pool, capacity, demands, weights, n, rates);
}

int rspb_fluid_round(struct rspb_pool *pool, struct rspb_rational capacity,
		     const struct rspb_fluid *const *tasks, size_t n,
		     struct rspb_rational *rates)
{
	struct rspb_rational scale = rspb_rational_div(pool, capacity,
		sum_of_rates(pool, tasks, n));

	for (size_t i = 0; i < n; i++)
		rates[i] = rspb_rational_mul(pool, tasks[i]->rate, scale);
	return rspb_pool_failed(pool) ? -1 : 0;
}

/* What changes while the fluid flows. Two pools take turns: what lives on is
 * copied to the other one, then the first is reset. */
struct flow {
	struct rspb_pool *pool, *other;
	const struct rspb_fluid *tasks;
	size_t n;
	struct rspb_rational now;
	struct rspb_rational *left;	/* workload, [n] */
	bool *done;			/* [n] */
	/* Of this event: */
	size_t n_active;
	size_t *index;			/* [n_active] */
	const struct rspb_fluid **active;
	struct rspb_rational *rates;	/* [n_active] */
};

/* Gather what is active now, and when the next task comes (RET false: none
 * will). */
static bool gather(struct flow *flow, struct rspb_rational *next)
{
	bool found = false;

	flow->n_active = 0;
	for (size_t i = 0; i < flow->n; i++) {
		const struct rspb_fluid *task = &flow->tasks[i];

		if (flow->done[i])
			continue;
		if (rspb_rational_compare(flow->pool, task->access,
					  flow->now) <= 0) {
			flow->index[flow->n_active] = i;
			flow->active[flow->n_active++] = task;
		} else if (!found || rspb_rational_compare(flow->pool,
				task->access, *next) < 0) {
			*next = task->access;
			found = true;
		}
	}
	return found;
}

/* The time until the first of the active tasks ends. */
static struct rspb_rational first_end(const struct flow *flow)
{
	struct rspb_rational least = rspb_rational_infinity(), span;

	for (size_t i = 0; i < flow->n_active; i++) {
		span = rspb_rational_div(flow->pool,
			flow->left[flow->index[i]], flow->rates[i]);
		if (rspb_rational_compare(flow->pool, span, least) < 0)
			least = span;
	}
	return least;
}

/* Let the active tasks be served for a span. RET how many end with it. */
static size_t serve(struct flow *flow, struct rspb_rational span,
		    struct rspb_pool *keep, struct rspb_rational *ends)
{
	size_t ended = 0;

	flow->now = rspb_rational_add(flow->pool, flow->now, span);
	for (size_t k = 0; k < flow->n_active; k++) {
		size_t i = flow->index[k];

		flow->left[i] = rspb_rational_sub(flow->pool, flow->left[i],
			rspb_rational_mul(flow->pool, span, flow->rates[k]));
		if (rspb_rational_sign(flow->left[i]) > 0)
			continue;
		flow->done[i] = true;
		ends[i] = rspb_rational_copy(keep, flow->now);
		ended++;
	}
	return ended;
}

/* Move what lives on to the other pool. */
static void turn(struct flow *flow)
{
	struct rspb_pool *old = flow->pool;

	flow->now = rspb_rational_copy(flow->other, flow->now);
	for (size_t i = 0; i < flow->n; i++)
		flow->left[i] = rspb_rational_copy(flow->other, flow->left[i]);
	rspb_pool_reset(old);
	flow->pool = flow->other;
	flow->other = old;
}

static int flow_run(struct flow *flow, rspb_fluid_rule rule,
		    struct rspb_rational capacity, struct rspb_pool *keep,
		    struct rspb_rational *ends)
{
	struct rspb_rational next, span;
	size_t ended = 0;
	bool more;

	while (ended < flow->n) {
		more = gather(flow, &next);
		if (!flow->n_active) {
			flow->now = next;
			continue;
		}
		if (rule(flow->pool, capacity, flow->active, flow->n_active,
			 flow->rates))
			return -1;
		span = first_end(flow);
		if (more) {
			next = rspb_rational_sub(flow->pool, next, flow->now);
			if (rspb_rational_compare(flow->pool, next, span) < 0)
				span = next;
		}
		ended += serve(flow, span, keep, ends);
		if (rspb_pool_failed(flow->pool) || rspb_pool_failed(keep))
			return -1;
		turn(flow);
	}
	return 0;
}

/* The round number grows by capacity / (sum of the active rates), so that a
 * task's finish number is known when it begins; only that sum and the two
 * clocks become long fractions, not what is left of each task. */
struct rounds {
	struct rspb_pool *pool;
	struct rspb_rational capacity, now, round, sum;
	struct rspb_rational *finish;	/* of those that have begun */
	bool *begun, *done;
};

/* Begin what is due. RET the next task to come, or NULL. */
static const struct rspb_fluid *rounds_begin(struct rounds *r,
					     const struct rspb_fluid *tasks,
					     size_t n)
{
	const struct rspb_fluid *next = NULL;

	for (size_t i = 0; i < n; i++) {
		if (r->begun[i])
			continue;
		if (rspb_rational_compare(r->pool, tasks[i].access,
					  r->now) > 0) {
			if (!next || rspb_rational_compare(r->pool,
					tasks[i].access, next->access) < 0)
				next = &tasks[i];
			continue;
		}
		r->begun[i] = true;
		r->finish[i] = rspb_rational_add(r->pool, r->round,
			rspb_rational_div(r->pool, tasks[i].workload,
					  tasks[i].rate));
		r->sum = rspb_rational_add(r->pool, r->sum, tasks[i].rate);
	}
	return next;
}

/* Go on to a round and the time at which it is reached. RET how many end. */
static size_t rounds_end(struct rounds *r, const struct rspb_fluid *tasks,
			 size_t n, struct rspb_rational *ends)
{
	size_t ended = 0;

	for (size_t i = 0; i < n; i++) {
		if (!r->begun[i] || r->done[i] || rspb_rational_compare(
				r->pool, r->finish[i], r->round) > 0)
			continue;
		r->done[i] = true;
		ends[i] = r->now;
		r->sum = rspb_rational_sub(r->pool, r->sum, tasks[i].rate);
		ended++;
	}
	return ended;
}

static struct rspb_rational rounds_least(const struct rounds *r, size_t n)
{
	struct rspb_rational least = rspb_rational_infinity();

	for (size_t i = 0; i < n; i++)
		if (r->begun[i] && !r->done[i] && rspb_rational_compare(
				r->pool, r->finish[i], least) < 0)
			least = r->finish[i];
	return least;
}

static int serve_rounds(struct rspb_pool *pool, struct rspb_rational capacity,
			const struct rspb_fluid *tasks, size_t n,
			struct rspb_rational *ends)
{
	struct rspb_rational zero = rspb_rational_make(pool, 0, 1), least, at;
	struct rounds r = {
		.pool = pool, .capacity = capacity, .now = zero,
		.round = zero, .sum = zero,
		.finish = rspb_pool_alloc(pool, n * sizeof(*r.finish)),
		.begun = rspb_pool_alloc(pool, n * sizeof(*r.begun)),
		.done = rspb_pool_alloc(pool, n * sizeof(*r.done)),
	};
	const struct rspb_fluid *next;

	for (size_t ended = 0; ended < n && !rspb_pool_failed(pool);
	     ended += rounds_end(&r, tasks, n, ends)) {
		next = rounds_begin(&r, tasks, n);
		least = rounds_least(&r, n);
		if (least.infinite) {
			r.now = next->access;
			continue;
		}
		at = rspb_rational_sub(pool, least, r.round);
		at = rspb_rational_div(pool, rspb_rational_mul(pool, at,
			r.sum), capacity);
		at = rspb_rational_add(pool, r.now, at);
		if (!next || rspb_rational_compare(pool, at,
						   next->access) <= 0) {
			r.round = least;
			r.now = at;
			continue;
		}
		at = rspb_rational_sub(pool, next->access, r.now);
		at = rspb_rational_div(pool, rspb_rational_mul(pool, at,
			capacity), r.sum);
		r.round = rspb_rational_add(pool, r.round, at);
		r.now = next->access;
	}
	return rspb_pool_failed(pool) ? -1 : 0;
}

int rspb_fluid_serve(struct rspb_pool *pool, rspb_fluid_rule rule,
		     struct rspb_rational capacity,
		     const struct rspb_fluid *tasks, size_t n,
		     struct rspb_rational *ends)
{
	struct flow flow = {
		.pool = rspb_pool_create(),
		.other = rspb_pool_create(),
		.tasks = tasks,
		.n = n,
		.now = rspb_rational_make(pool, 0, 1),
		.left = rspb_pool_alloc(pool, n * sizeof(*flow.left)),
		.done = rspb_pool_alloc(pool, n * sizeof(*flow.done)),
		.index = rspb_pool_alloc(pool, n * sizeof(*flow.index)),
		.active = rspb_pool_alloc(pool, n * sizeof(*flow.active)),
		.rates = rspb_pool_alloc(pool, n * sizeof(*flow.rates)),
	};
	int rc = -1;

	if (rule == rspb_fluid_round)
		rc = serve_rounds(pool, capacity, tasks, n, ends);
	else if (flow.pool && flow.other && !rspb_pool_failed(pool)) {
		for (size_t i = 0; i < n; i++)
			flow.left[i] = tasks[i].workload;
		rc = flow_run(&flow, rule, capacity, pool, ends);
	}
	rspb_pool_destroy(flow.pool);
	rspb_pool_destroy(flow.other);
	return rc;
}
