/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/qdd.h"

#include <stdlib.h>

/* c_j, formulas 5 and 6. */
static bool holds(const struct rspb_qdd_param *param, const struct rspb_qdd_value *asked,
		  const struct rspb_qdd_value *offered)
{
	int order;

	if (!offered->given)
		return false;
	order = rspb_rational_compare(offered->value, asked->value);
	return param->positive ? order >= 0 : order <= 0;
}

struct rspb_rational rspb_qdd_squared(struct rspb_pool *pool, const struct rspb_qdd_param *params,
				      const struct rspb_qdd_value *asked,
				      const struct rspb_qdd_value *offered, size_t n)
{
	struct rspb_rational sum = rspb_rational_make(pool, 0, 1), apart;

	for (size_t j = 0; j < n; j++) {
		if (!asked[j].given)
			continue;
		if (params[j].service) {
			if (!holds(&params[j], &asked[j], &offered[j]))
				return rspb_rational_infinity();
			continue;
		}
		apart = asked[j].value;
		if (offered[j].given)
			apart = rspb_rational_sub(pool, apart, offered[j].value);
		apart = rspb_rational_mul(pool, apart, apart);
		sum = rspb_rational_add(pool, sum,
					rspb_rational_mul(pool, apart, params[j].weight));
	}
	return sum;
}

/* The nearer first, equals by index. */
static int by_distance(const void *left, const void *right, void *arg)
{
	const size_t *a = left, *b = right;
	const struct rspb_rational *squared = arg;
	int order = rspb_rational_compare(squared[*a], squared[*b]);

	return order ? order : *a < *b ? -1 : *a > *b;
}

size_t rspb_qdd_order(struct rspb_rational *squared, size_t n, size_t *order)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		if (!squared[i].infinite)
			order[found++] = i;
	qsort_r(order, found, sizeof(*order), by_distance, squared);
	return found;
}
