/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/alg/exact.h"

#include <stdio.h>

#include "contrib/sim/jsonl/out.h"

int sim_value_decimal(struct rspb_pool *pool, const struct sim_record *record, const char *key,
		      struct json_object *value, const struct rspb_rational *least,
		      struct rspb_rational *out, struct rspb_err *err)
{
	struct rspb_err why;
	struct rspb_rational number;

	switch (json_object_get_type(value)) {
	case json_type_int:
		/* A number beyond 64 bits was cut when it was read. */
		if (json_object_get_int64(value) == INT64_MIN ||
		    json_object_get_int64(value) == INT64_MAX)
			return sim_bad(record, key, err,
				       "is out of range, "
				       "whole numbers have 63 bits");
		break;
	case json_type_double:
	case json_type_string:
		break;
	default:
		return sim_bad(record, key, err, "%.60s is not a number", sim_text(value));
	}
	/* A double keeps the digits it was read from. */
	if (rspb_rational_parse(pool, json_object_get_string(value), &number, &why))
		return sim_bad(record, key, err, "%.200s", why.text);
	if (least && rspb_rational_compare(number, *least) < 0)
		return sim_bad(record, key, err,
			       "%.60s is too small, the "
			       "least allowed is %g",
			       sim_text(value), rspb_rational_double(*least));
	*out = number;
	return 0;
}

int sim_decimal(struct rspb_pool *pool, const struct sim_record *record, const char *key,
		const struct rspb_rational *least, struct rspb_rational *out, struct rspb_err *err)
{
	struct json_object *value = sim_need(record, key, err);

	if (!value)
		return -1;
	return sim_value_decimal(pool, record, key, value, least, out, err);
}

int sim_decimal_or(struct rspb_pool *pool, const struct sim_record *record, const char *key,
		   const struct rspb_rational *least, struct rspb_rational *out,
		   struct rspb_err *err)
{
	if (!sim_has(record, key))
		return 0;
	return sim_decimal(pool, record, key, least, out, err);
}

int64_t sim_decimals(struct rspb_pool *pool, const struct sim_record *record, const char *key,
		     size_t n, const struct rspb_rational *least, struct rspb_rational **out,
		     struct rspb_err *err)
{
	struct json_object *array = sim_array(record, key, err);
	char name[64];
	size_t length;

	if (!array)
		return -1;
	length = json_object_array_length(array);
	if (n && length != n)
		return sim_bad(record, key, err, "has %zu entries, must have %zu", length, n);
	*out = rspb_pool_alloc(pool, length * sizeof(**out));
	for (size_t i = 0; i < length; i++) {
		snprintf(name, sizeof(name), "%.40s[%zu]", key, i);
		if (sim_value_decimal(pool, record, name, json_object_array_get_idx(array, i),
				      least, &(*out)[i], err))
			return -1;
	}
	return (int64_t) length;
}

void sim_put_exact(struct json_object *line, const char *key, struct rspb_rational value)
{
	sim_put_real(line, key, rspb_rational_double(value));
}
