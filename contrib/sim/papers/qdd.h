/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QoS deviation distance: how far a resource lies from what a request wants.
 *
 * Source: Wu and Luo, "Dynamic Multi-resource Advance Reservation in Grid
 * Environment", section 5.1, formulas 5 to 8. Service parameters must
 * hold; the distance counts provisional ones only.
 */
#ifndef RSPB_PAPERS_QDD_H
#define RSPB_PAPERS_QDD_H

#include <stdbool.h>
#include <stddef.h>

#include "contrib/sim/papers/rational.h"

struct rspb_qdd_param {
	bool service;		     /* must hold; else it counts in the distance */
	bool positive;		     /* more is better; else less is */
	struct rspb_rational weight; /* of the squared difference, > 0 */
};

/* A value of one parameter, or none: not asked for, not offered. */
struct rspb_qdd_value {
	bool given;
	struct rspb_rational value;
};

/*
 * The squared distance, exact; infinite when a service parameter does not hold
 * (h_i = 0), also when it is asked for and not offered. A provisional
 * parameter that is asked for and not offered counts as offered with 0.
 */
struct rspb_rational rspb_qdd_squared(struct rspb_pool *pool, const struct rspb_qdd_param *params,
				      const struct rspb_qdd_value *asked,
				      const struct rspb_qdd_value *offered, size_t n);

/* Put the finite ones of n squared distances into order: nearest first, lowest
 * index among equals. RET how many there are in order[]. */
size_t rspb_qdd_order(struct rspb_rational *squared, size_t n, size_t *order);

#endif
