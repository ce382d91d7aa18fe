/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields that are exact numbers, or made of them, and exact numbers out. */
#ifndef RSPB_SIM_ALG_EXACT_H
#define RSPB_SIM_ALG_EXACT_H

#include "common/request/benefit.h"
#include "contrib/sim/jsonl/fields.h"
#include "contrib/sim/papers/rational.h"

/* An exact decimal: a number, or a text such as "0.5" or "1/3". least (NULL:
 * any) is allowed itself. */
int sim_decimal(struct rspb_pool *pool, const struct sim_record *record, const char *key,
		const struct rspb_rational *least, struct rspb_rational *out, struct rspb_err *err);
int sim_decimal_or(struct rspb_pool *pool, const struct sim_record *record, const char *key,
		   const struct rspb_rational *least, struct rspb_rational *out,
		   struct rspb_err *err);
/* The same for an array of them, n of them when n is not 0. RET how many, -1
 * with err; *out in pool. */
int64_t sim_decimals(struct rspb_pool *pool, const struct sim_record *record, const char *key,
		     size_t n, const struct rspb_rational *least, struct rspb_rational **out,
		     struct rspb_err *err);
/* A shape's name or text, or {"interp":"linear"|"step","points":[[f,b],..]}. */
int sim_benefit(const struct sim_record *record, const char *key, struct rspb_benefit *out,
		struct rspb_err *err);
/* A value that is not from a field of an object, for messages about `key`. */
int sim_value_decimal(struct rspb_pool *pool, const struct sim_record *record, const char *key,
		      struct json_object *value, const struct rspb_rational *least,
		      struct rspb_rational *out, struct rspb_err *err);

void sim_put_exact(struct json_object *line, const char *key, struct rspb_rational value);

#endif
