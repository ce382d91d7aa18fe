/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/naive/fluid.h"

#include <stdbool.h>

/* Indices by rising demand per weight; stable, and short lists only. */
static void sort_by_need(const struct rspb_rational *need, size_t n, size_t *order)
{
	for (size_t i = 0; i < n; i++) {
		size_t at = i;

		while (at > 0 && rspb_rational_compare(need[i], need[order[at - 1]]) < 0) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = i;
	}
}

int naive_shares(struct rspb_pool *pool, struct rspb_rational capacity,
		 const struct rspb_rational *demands, const struct rspb_rational *weights, size_t n,
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
	sort_by_need(need, n, order);
	for (size_t k = 0; k < n; k++) {
		size_t i = order[k];
		struct rspb_rational weight = weights ? weights[i] : one;

		/* What is left, shared by the weights that are left. */
		level = rspb_rational_div(pool, capacity, left);
		if (rspb_rational_compare(need[i], level) >= 0) {
			for (; k < n; k++)
				rates[order[k]] = rspb_rational_mul(pool, level,
								    weights ? weights[order[k]]
									    : one);
			break;
		}
		rates[i] = demands[i];
		capacity = rspb_rational_sub(pool, capacity, demands[i]);
		left = rspb_rational_sub(pool, left, weight);
	}
	return 0;
}

static struct rspb_rational sum_of_rates(struct rspb_pool *pool,
					 const struct naive_fluid *const *tasks, size_t n)
{
	struct rspb_rational sum = rspb_rational_make(pool, 0, 1);

	for (size_t i = 0; i < n; i++)
		sum = rspb_rational_add(pool, sum, tasks[i]->rate);
	return sum;
}

int naive_fluid_equal(struct rspb_pool *pool, struct rspb_rational capacity,
		      const struct naive_fluid *const *tasks, size_t n, struct rspb_rational *rates)
{
	struct rspb_rational spare = rspb_rational_sub(pool, capacity,
						       sum_of_rates(pool, tasks, n));

	spare = rspb_rational_div(pool, spare, rspb_rational_make(pool, (int64_t) n, 1));
	for (size_t i = 0; i < n; i++)
		rates[i] = rspb_rational_add(pool, tasks[i]->rate, spare);
	return 0;
}

int naive_fluid_again(struct rspb_pool *pool, struct rspb_rational capacity,
		      const struct naive_fluid *const *tasks, size_t n, struct rspb_rational *rates)
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
	return naive_shares(pool, capacity, demands, weights, n, rates);
}

int naive_fluid_round(struct rspb_pool *pool, struct rspb_rational capacity,
		      const struct naive_fluid *const *tasks, size_t n, struct rspb_rational *rates)
{
	struct rspb_rational scale = rspb_rational_div(pool, capacity,
						       sum_of_rates(pool, tasks, n));

	for (size_t i = 0; i < n; i++)
		rates[i] = rspb_rational_mul(pool, tasks[i]->rate, scale);
	return 0;
}

/* Rates of who is active now; RET how many. *next: when the next one comes. */
static size_t gather(const struct naive_fluid *tasks, const bool *done, size_t n,
		     struct rspb_rational now, size_t *index, struct rspb_rational *next)
{
	size_t active = 0;

	*next = rspb_rational_infinity();
	for (size_t i = 0; i < n; i++) {
		if (done[i])
			continue;
		if (rspb_rational_compare(tasks[i].access, now) <= 0)
			index[active++] = i;
		else if (rspb_rational_compare(tasks[i].access, *next) < 0)
			*next = tasks[i].access;
	}
	return active;
}

/* Serve the active tasks until one ends or the next comes. RET how many end. */
static size_t step(struct rspb_pool *pool, const struct rspb_rational *rates, const size_t *index,
		   size_t active, struct rspb_rational *left, bool *done, struct rspb_rational *now,
		   struct rspb_rational next, struct rspb_rational *ends)
{
	struct rspb_rational span = next.infinite ? next : rspb_rational_sub(pool, next, *now);
	size_t ended = 0;

	for (size_t k = 0; k < active; k++) {
		struct rspb_rational need = rspb_rational_div(pool, left[index[k]], rates[k]);

		if (rspb_rational_compare(need, span) < 0)
			span = need;
	}
	*now = rspb_rational_add(pool, *now, span);
	for (size_t k = 0; k < active; k++) {
		size_t i = index[k];

		left[i] = rspb_rational_sub(pool, left[i], rspb_rational_mul(pool, span, rates[k]));
		if (rspb_rational_sign(left[i]) > 0)
			continue;
		done[i] = true;
		ends[i] = *now;
		ended++;
	}
	return ended;
}

int naive_fluid_serve(struct rspb_pool *pool, naive_fluid_rule rule, struct rspb_rational capacity,
		      const struct naive_fluid *tasks, size_t n, struct rspb_rational *ends)
{
	struct rspb_rational now = rspb_rational_make(pool, 0, 1), next;
	size_t bytes = n * sizeof(struct rspb_rational), active;
	struct rspb_rational *left = rspb_pool_alloc(pool, bytes);
	struct rspb_rational *rates = rspb_pool_alloc(pool, bytes);
	size_t *index = rspb_pool_alloc(pool, n * sizeof(*index));
	bool *done = rspb_pool_alloc(pool, n * sizeof(*done));
	const struct naive_fluid **who = rspb_pool_alloc(pool, n * sizeof(struct naive_fluid *));

	if (!left || !rates || !index || !done || !who)
		return -1;
	for (size_t i = 0; i < n; i++)
		left[i] = tasks[i].workload;
	for (size_t ended = 0; ended < n;) {
		active = gather(tasks, done, n, now, index, &next);
		if (!active) {
			now = next;
			continue;
		}
		for (size_t k = 0; k < active; k++)
			who[k] = &tasks[index[k]];
		if (rule(pool, capacity, who, active, rates))
			return -1;
		ended += step(pool, rates, index, active, left, done, &now, next, ends);
	}
	return 0;
}
