/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/fair.h"

void rspb_fair_shares(struct rspb_reals *reals, struct rspb_real capacity,
		      const struct rspb_real *demands, const struct rspb_real *weights, size_t n,
		      struct rspb_real *rates)
{
	struct rspb_real *need = rspb_pool_alloc(reals->pool, n * sizeof(*need));
	struct rspb_real *weight = rspb_pool_alloc(reals->pool, n * sizeof(*weight));
	size_t *order = rspb_pool_alloc(reals->pool, n * sizeof(*order));
	struct rspb_real left = rspb_real_whole(reals, 0), level;

	for (size_t i = 0; i < n; i++) {
		weight[i] = weights ? weights[i] : rspb_real_whole(reals, 1);
		need[i] = demands[i].infinite ? demands[i]
					      : rspb_real_div(reals, demands[i], weight[i]);
		left = rspb_real_add(reals, left, weight[i]);
	}
	rspb_real_order(reals, need, n, order);
	for (size_t k = 0; k < n; k++) {
		size_t i = order[k];

		/* The rest is shared by the remaining weights. */
		level = rspb_real_div(reals, capacity, left);
		if (rspb_real_compare(reals, &need[i], &level) >= 0) {
			for (; k < n; k++)
				rates[order[k]] = rspb_real_mul(reals, level, weight[order[k]]);
			break;
		}
		rates[i] = demands[i];
		capacity = rspb_real_sub(reals, capacity, demands[i]);
		left = rspb_real_sub(reals, left, weight[i]);
	}
}

size_t *rspb_fluid_arrivals(struct rspb_reals *reals, const struct rspb_fluid *tasks, size_t n)
{
	struct rspb_real *keys = rspb_pool_alloc(reals->pool, n * sizeof(*keys));
	size_t *order = rspb_pool_alloc(reals->pool, n * sizeof(*order));

	for (size_t i = 0; i < n; i++)
		keys[i] = tasks[i].access;
	rspb_real_order(reals, keys, n, order);
	return order;
}
