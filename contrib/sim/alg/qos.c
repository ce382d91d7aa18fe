/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/alg/qos.h"

#include <string.h>

static int read_param(struct rspb_pool *pool, struct sim_qos *qos, size_t i,
		      const struct sim_record *config, struct json_object *value,
		      struct rspb_err *err)
{
	struct rspb_rational zero = rspb_rational_make(pool, 0, 1);
	struct sim_record param = *config;
	struct json_object *name;

	param.object = value;
	param.within = "params[].";
	if (!json_object_is_type(value, json_type_object))
		return sim_bad(config, "params", err, "has an entry that is not an object");
	name = sim_only(&param, "name service positive weight", err)
		       ? NULL
		       : sim_need(&param, "name", err);
	if (!name)
		return -1;
	if (!json_object_is_type(name, json_type_string))
		return sim_bad(&param, "name", err, "must be a text");
	qos->names[i] = json_object_get_string(name);
	qos->params[i].weight = rspb_rational_make(pool, 1, 1);
	qos->params[i].positive = true;
	if (sim_bool_or(&param, "service", &qos->params[i].service, err) ||
	    sim_bool_or(&param, "positive", &qos->params[i].positive, err) ||
	    sim_decimal_or(pool, &param, "weight", &zero, &qos->params[i].weight, err))
		return -1;
	return 0;
}

static int read_values(struct rspb_pool *pool, const struct sim_qos *qos,
		       const struct sim_record *record, const char *key, struct json_object *object,
		       struct rspb_qdd_value *values, struct rspb_err *err)
{
	struct json_object *value;

	if (!json_object_is_type(object, json_type_object))
		return sim_bad(record, key, err, "is not an object of parameters");
	json_object_object_foreach(object, name, ignored)
	{
		size_t j = 0;

		(void) ignored;
		while (j < qos->n_params && strcmp(qos->names[j], name) != 0)
			j++;
		if (j == qos->n_params)
			return sim_bad(record, key, err, "%.60s is none of config's params", name);
	}
	for (size_t j = 0; j < qos->n_params; j++) {
		value = json_object_object_get(object, qos->names[j]);
		values[j].given = value != NULL;
		if (value && sim_value_decimal(pool, record, qos->names[j], value, NULL,
					       &values[j].value, err))
			return -1;
	}
	return 0;
}

int sim_qos_read(struct rspb_pool *pool, struct sim_qos *qos, const struct sim_record *config,
		 const char *key, struct rspb_err *err)
{
	struct json_object *nodes, *params = NULL;

	memset(qos, 0, sizeof(*qos));
	if (sim_has(config, "params")) {
		params = sim_array(config, "params", err);
		if (!params)
			return -1;
		qos->n_params = json_object_array_length(params);
	}
	nodes = sim_array(config, key, err);
	if (!nodes)
		return -1;
	qos->n_nodes = json_object_array_length(nodes);
	qos->names = rspb_pool_alloc(pool, qos->n_params * sizeof(*qos->names));
	qos->params = rspb_pool_alloc(pool, qos->n_params * sizeof(*qos->params));
	qos->offered = rspb_pool_alloc(pool, qos->n_nodes * sizeof(*qos->offered));
	for (size_t j = 0; j < qos->n_params; j++)
		if (read_param(pool, qos, j, config, json_object_array_get_idx(params, j), err))
			return -1;
	for (size_t i = 0; i < qos->n_nodes; i++) {
		qos->offered[i] = rspb_pool_alloc(pool, qos->n_params * sizeof(**qos->offered));
		if (read_values(pool, qos, config, key, json_object_array_get_idx(nodes, i),
				qos->offered[i], err))
			return -1;
	}
	return 0;
}

int sim_qos_squared(struct rspb_pool *pool, const struct sim_qos *qos,
		    const struct sim_record *record, struct rspb_rational *squared,
		    struct rspb_err *err)
{
	struct rspb_qdd_value *asked;

	asked = rspb_pool_alloc(pool, qos->n_params * sizeof(*asked));
	if (sim_has(record, "qos") &&
	    read_values(pool, qos, record, "qos", sim_get(record, "qos"), asked, err))
		return -1;
	for (size_t i = 0; i < qos->n_nodes; i++)
		squared[i] = rspb_qdd_squared(pool, qos->params, asked, qos->offered[i],
					      qos->n_params);
	return 0;
}
