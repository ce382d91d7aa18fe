/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fluids of contrib/sim/papers/fair.h in exact fractions, with what is left of every
 * task from event to event. The fractions double in length with each: for a
 * dozen tasks only.
 */
#ifndef RSPB_NAIVE_FLUID_H
#define RSPB_NAIVE_FLUID_H

#include <stddef.h>

#include "contrib/sim/papers/rational.h"

struct naive_fluid {
	struct rspb_rational access, workload, demand, weight, rate;
};

/* Max-min shares. weights NULL: all 1. RET 0, or -1: no memory. */
int naive_shares(struct rspb_pool *pool, struct rspb_rational capacity,
		 const struct rspb_rational *demands, const struct rspb_rational *weights, size_t n,
		 struct rspb_rational *rates);

/* How the capacity is divided among the tasks[n] that are active. */
typedef int (*naive_fluid_rule)(struct rspb_pool *pool, struct rspb_rational capacity,
				const struct naive_fluid *const *tasks, size_t n,
				struct rspb_rational *rates);
int naive_fluid_equal(struct rspb_pool *pool, struct rspb_rational capacity,
		      const struct naive_fluid *const *tasks, size_t n,
		      struct rspb_rational *rates);
int naive_fluid_again(struct rspb_pool *pool, struct rspb_rational capacity,
		      const struct naive_fluid *const *tasks, size_t n,
		      struct rspb_rational *rates);
int naive_fluid_round(struct rspb_pool *pool, struct rspb_rational capacity,
		      const struct naive_fluid *const *tasks, size_t n,
		      struct rspb_rational *rates);

/* When each of tasks[n] ends. RET 0, or -1: no memory. */
int naive_fluid_serve(struct rspb_pool *pool, naive_fluid_rule rule, struct rspb_rational capacity,
		      const struct naive_fluid *tasks, size_t n, struct rspb_rational *ends);

#endif
