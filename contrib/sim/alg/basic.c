/* SPDX-License-Identifier: GPL-2.0-or-later */
/* maxmin, mmc, qdd: one answer for each line, no state between lines. */
#include <math.h>
#include <string.h>

#include "contrib/sim/alg/alg.h"
#include "contrib/sim/alg/qos.h"
#include "contrib/sim/papers/fair.h"
#include "contrib/sim/papers/qdd.h"
#include "contrib/sim/papers/queueing.h"

struct maxmin {
	struct rspb_rational capacity, *demands, *weights;
	size_t n;
};

/* Exact numbers with the bits of reals. NULL of NULL. */
static struct rspb_real *reals_of(struct rspb_reals *reals, const struct rspb_rational *exact,
				  size_t n)
{
	struct rspb_real *out = rspb_pool_alloc(reals->pool, n * sizeof(*out));

	for (size_t i = 0; exact && i < n; i++)
		out[i] = rspb_real_of(reals, exact[i]);
	return exact ? out : NULL;
}

/* The shares as a JSON list. RET NULL with err. */
static struct json_object *maxmin_rates(struct rspb_pool *pool, const struct maxmin *in,
					struct rspb_err *err)
{
	struct rspb_real *rates = rspb_pool_alloc(pool, in->n * sizeof(*rates));
	struct rspb_reals reals = rspb_reals_first(pool);
	struct json_object *list;

	do
		rspb_fair_shares(&reals, rspb_real_of(&reals, in->capacity),
				 reals_of(&reals, in->demands, in->n),
				 reals_of(&reals, in->weights, in->n), in->n, rates);
	while (rspb_reals_again(&reals));
	if (reals.vague) {
		rspb_fail(err,
			  "the demands are so large, small or close "
			  "together that %u bits do not tell their order",
			  reals.bits);
		return NULL;
	}
	list = json_object_new_array();
	for (size_t i = 0; i < in->n; i++)
		json_object_array_add(list,
				      json_object_new_double(rspb_real_double(&reals, rates[i])));
	return list;
}

static int maxmin_line(struct sim_run *run, struct rspb_pool *pool, const struct sim_record *record,
		       struct rspb_err *err)
{
	struct rspb_rational zero = rspb_rational_make(pool, 0, 1);
	struct json_object *line, *list;
	struct maxmin in = { .n = 0 };
	int64_t n;

	if (!sim_need(record, "id", err) ||
	    sim_decimal(pool, record, "capacity", &zero, &in.capacity, err))
		return -1;
	n = sim_decimals(pool, record, "demands", 0, &zero, &in.demands, err);
	if (n < 0)
		return -1;
	in.n = (size_t) n;
	if (sim_has(record, "weights")) {
		if (sim_decimals(pool, record, "weights", in.n, &zero, &in.weights, err) < 0)
			return -1;
		for (size_t i = 0; i < in.n; i++)
			if (!rspb_rational_sign(in.weights[i]))
				return sim_bad(record, "weights", err, "a weight must be above 0");
	}
	list = maxmin_rates(pool, &in, err);
	if (!list)
		return sim_at(record, err);
	line = json_object_new_object();
	sim_put_id(line, record);
	rspb_json_put(line, "rates", list);
	sim_emit(run, line);
	return 0;
}

static int mmc_line(struct sim_run *run, struct rspb_pool *pool, const struct sim_record *record,
		    struct rspb_err *err)
{
	struct rspb_rational zero = rspb_rational_make(pool, 0, 1);
	struct rspb_rational lambda, mu, load;
	struct json_object *line;
	int64_t c;
	double a;

	if (sim_int(record, "c", 1, 10000000, &c, err) ||
	    sim_decimal(pool, record, "lambda1", &zero, &lambda, err) ||
	    sim_decimal(pool, record, "mu", &zero, &mu, err))
		return -1;
	if (!rspb_rational_sign(mu))
		return sim_bad(record, "mu", err, "must be above 0");
	/* lambda1 is the rate of one server; together they get c of it. */
	load = rspb_rational_div(pool,
				 rspb_rational_mul(pool, lambda, rspb_rational_make(pool, c, 1)),
				 mu);
	a = rspb_rational_double(load);
	line = json_object_new_object();
	sim_put_real(line, "a", a);
	sim_put_real(line, "C", rspb_queueing_wait_chance(c, a));
	sim_put_real(line, "Wq", rspb_queueing_wait(c, a, rspb_rational_double(mu)));
	if (sim_has(record, "id"))
		sim_put_id(line, record);
	sim_emit(run, line);
	return 0;
}

/* Every line by itself, with a pool that is emptied in between. */
static int each_line(struct sim_run *run,
		     int (*one)(struct sim_run *run, struct rspb_pool *pool,
				const struct sim_record *record, struct rspb_err *err),
		     struct rspb_err *err)
{
	struct rspb_pool *pool = rspb_pool_create();
	int rc = pool ? 0 : rspb_fail(err, "out of memory");

	for (size_t i = 0; !rc && i < run->in.n; i++) {
		rc = one(run, pool, &run->in.records[i], err);
		rspb_pool_reset(pool);
	}
	rspb_pool_destroy(pool);
	return rc;
}

int sim_alg_maxmin(struct sim_run *run, struct rspb_err *err)
{
	if (sim_lines_unique(&run->in, err))
		return -1;
	return each_line(run, maxmin_line, err);
}

int sim_alg_mmc(struct sim_run *run, struct rspb_err *err)
{
	return each_line(run, mmc_line, err);
}

static int qdd_line(struct sim_run *run, struct rspb_pool *pool, const struct sim_qos *qos,
		    const struct sim_record *record, struct rspb_err *err)
{
	struct json_object *line, *h, *epsilon, *order_out;
	struct rspb_rational *squared;
	size_t *order, found;

	squared = rspb_pool_alloc(pool, qos->n_nodes * sizeof(*squared));
	order = rspb_pool_alloc(pool, qos->n_nodes * sizeof(*order));
	if (sim_qos_squared(pool, qos, record, squared, err))
		return -1;
	found = rspb_qdd_order(squared, qos->n_nodes, order);
	line = json_object_new_object();
	h = json_object_new_array();
	epsilon = json_object_new_array();
	order_out = json_object_new_array();
	for (size_t i = 0; i < qos->n_nodes; i++) {
		json_object_array_add(h, json_object_new_int(!squared[i].infinite));
		json_object_array_add(epsilon, json_object_new_double(
						       sqrt(rspb_rational_double(squared[i]))));
	}
	for (size_t i = 0; i < found; i++)
		json_object_array_add(order_out, json_object_new_int64((int64_t) order[i]));
	sim_put_id(line, record);
	rspb_json_put(line, "h", h);
	rspb_json_put(line, "epsilon", epsilon);
	rspb_json_put(line, "order", order_out);
	sim_emit(run, line);
	return 0;
}

int sim_alg_qdd(struct sim_run *run, struct rspb_err *err)
{
	struct rspb_pool *kept = rspb_pool_create(), *pool = rspb_pool_create();
	struct sim_qos qos;
	int rc;

	if (!kept || !pool)
		rc = rspb_fail(err, "out of memory");
	else
		rc = sim_lines_unique(&run->in, err) ||
				     sim_qos_read(kept, &qos, &run->in.config, "resources", err)
			     ? -1
			     : 0;
	for (size_t i = 0; !rc && i < run->in.n; i++) {
		rc = qdd_line(run, pool, &qos, &run->in.records[i], err);
		rspb_pool_reset(pool);
	}
	rspb_pool_destroy(pool);
	rspb_pool_destroy(kept);
	return rc;
}
