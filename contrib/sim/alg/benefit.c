/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A benefit function as a field of a record. */
#include "contrib/sim/alg/exact.h"

/* A fraction between 0 and 1 whose parts fit a ratio of the library. */
static int ratio(struct rspb_pool *pool, const struct sim_record *record, const char *key,
		 struct json_object *value, struct rspb_ratio *out, struct rspb_err *err)
{
	const int64_t limit = INT64_C(1) << 40;
	struct rspb_rational zero = rspb_rational_make(pool, 0, 1), number;

	if (sim_value_decimal(pool, record, key, value, &zero, &number, err))
		return -1;
	if (mpz_cmp_si(mpq_numref(number.value), limit) > 0 ||
	    mpz_cmp_si(mpq_denref(number.value), limit) > 0)
		return sim_bad(record, key, err, "%.60s has too many digits", sim_text(value));
	out->num = mpz_get_si(mpq_numref(number.value));
	out->den = mpz_get_si(mpq_denref(number.value));
	return 0;
}

static int points(struct rspb_pool *pool, const struct sim_record *record, const char *key,
		  struct json_object *value, struct rspb_benefit *out, struct rspb_err *err)
{
	static const char *const interps[] = { "linear", "step", NULL };
	struct sim_record shape = *record;
	struct json_object *list, *pair;
	int interp = 0;

	shape.object = value;
	if (sim_only(&shape, "interp points", err))
		return -1;
	list = sim_array(&shape, "points", err);
	if (!list || sim_name_or(&shape, "interp", interps, &interp, err))
		return -1;
	out->steps = interp;
	out->n_points = (uint32_t) json_object_array_length(list);
	if (!out->n_points || out->n_points > RSPB_BENEFIT_POINTS)
		return sim_bad(&shape, "points", err, "needs 1 to %d of them", RSPB_BENEFIT_POINTS);
	for (uint32_t i = 0; i < out->n_points; i++) {
		pair = json_object_array_get_idx(list, i);
		if (!json_object_is_type(pair, json_type_array) ||
		    json_object_array_length(pair) != 2)
			return sim_bad(&shape, "points", err,
				       "%.60s is not a "
				       "pair [fraction, benefit]",
				       sim_text(pair));
		if (ratio(pool, record, key, json_object_array_get_idx(pair, 0),
			  &out->points[i].fraction, err) ||
		    ratio(pool, record, key, json_object_array_get_idx(pair, 1),
			  &out->points[i].benefit, err))
			return -1;
	}
	return 0;
}

int sim_benefit(const struct sim_record *record, const char *key, struct rspb_benefit *out,
		struct rspb_err *err)
{
	struct json_object *value = sim_need(record, key, err);
	struct rspb_pool *pool;
	struct rspb_benefit made = { .steps = false };
	struct rspb_err why;
	int rc;

	if (!value)
		return -1;
	if (json_object_is_type(value, json_type_string)) {
		if (rspb_benefit_parse(json_object_get_string(value), &made, &why))
			return sim_bad(record, key, err, "%.250s", why.text);
		*out = made;
		return 0;
	}
	if (!json_object_is_type(value, json_type_object))
		return sim_bad(record, key, err,
			       "%.60s is neither a shape nor an object with "
			       "points",
			       sim_text(value));
	pool = rspb_pool_create();
	if (!pool)
		return rspb_fail(err, "out of memory");
	rc = points(pool, record, key, value, &made, err);
	rspb_pool_destroy(pool);
	if (rc)
		return -1;
	if (rspb_benefit_validate(&made, &why))
		return sim_bad(record, key, err, "%.250s", why.text);
	*out = made;
	return 0;
}
