/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vrc, static: late against early binding on nodes with local work. */
#include <string.h>

#include "contrib/sim/alg/alg.h"
#include "contrib/sim/alg/qos.h"
#include "contrib/sim/papers/binding.h"

static const int64_t forever = INT64_C(1) << 60;

struct setup {
	struct rspb_pool *pool;
	struct rspb_pool *scratch; /* for one request */
	struct sim_qos qos;
	struct rspb_binding_node *nodes; /* [qos.n_nodes] */
	struct rspb_binding_rules rules;
	struct rspb_binding_request *requests;
};

static int read_local(struct setup *setup, const struct sim_record *config, size_t j,
		      struct json_object *list, struct rspb_err *err)
{
	struct rspb_binding_node *node = &setup->nodes[j];
	int64_t last = 0;

	if (!json_object_is_type(list, json_type_array))
		return sim_bad(config, "local", err,
			       "entry %zu is not a list of "
			       "[start, end]",
			       j);
	node->n_local = json_object_array_length(list);
	node->local = rspb_pool_alloc(setup->pool, node->n_local * sizeof(*node->local));
	for (size_t i = 0; i < node->n_local; i++) {
		struct json_object *pair = json_object_array_get_idx(list, i);
		struct rspb_busy *busy = &node->local[i];

		if (!json_object_is_type(pair, json_type_array) ||
		    json_object_array_length(pair) != 2)
			return sim_bad(config, "local", err,
				       "%.60s is not "
				       "[start, end]",
				       sim_text(pair));
		if (sim_value_int(config, "local", json_object_array_get_idx(pair, 0), last,
				  forever, &busy->start, err) ||
		    sim_value_int(config, "local", json_object_array_get_idx(pair, 1), busy->start,
				  forever, &busy->end, err))
			return -1;
		last = busy->end;
	}
	return 0;
}

static int read_config(struct setup *setup, const struct sim_run *run, struct rspb_err *err)
{
	static const char *const admissions[] = { "always", "pool", NULL };
	const struct sim_record *config = &run->in.config;
	struct json_object *local;
	int admission = 0;

	setup->rules.late = !strcmp(run->algorithm->name, "vrc");
	setup->rules.kill_active = true;
	if (sim_qos_read(setup->pool, &setup->qos, config, "nodes", err) ||
	    sim_bool_or(config, "kill_active", &setup->rules.kill_active, err) ||
	    sim_bool_or(config, "strict", &setup->rules.strict, err) ||
	    sim_name_or(config, "admission", admissions, &admission, err))
		return -1;
	setup->rules.pool = admission;
	setup->nodes = rspb_pool_alloc(setup->pool, setup->qos.n_nodes * sizeof(*setup->nodes));
	if (!sim_has(config, "local"))
		return 0;
	local = sim_array(config, "local", err);
	if (!local)
		return -1;
	if (json_object_array_length(local) != setup->qos.n_nodes)
		return sim_bad(config, "local", err,
			       "has %zu entries, there "
			       "are %zu nodes",
			       json_object_array_length(local), setup->qos.n_nodes);
	for (size_t j = 0; j < setup->qos.n_nodes; j++)
		if (read_local(setup, config, j, json_object_array_get_idx(local, j), err))
			return -1;
	return 0;
}

static int read_request(struct setup *setup, const struct sim_record *record,
			struct rspb_binding_request *request, struct rspb_err *err)
{
	size_t n = setup->qos.n_nodes, *order;
	struct rspb_rational *squared;
	uint32_t *nodes;

	if (sim_int(record, "arrival", 0, forever, &request->arrival, err) ||
	    sim_int(record, "ready", request->arrival, forever, &request->ready, err) ||
	    sim_int(record, "duration", 1, forever, &request->duration, err))
		return -1;
	rspb_pool_reset(setup->scratch);
	squared = rspb_pool_alloc(setup->scratch, n * sizeof(*squared));
	order = rspb_pool_alloc(setup->scratch, n * sizeof(*order));
	nodes = rspb_pool_alloc(setup->pool, n * sizeof(*nodes));
	if (sim_qos_squared(setup->scratch, &setup->qos, record, squared, err))
		return -1;
	request->n_nodes = (uint32_t) rspb_qdd_order(squared, n, order);
	for (uint32_t i = 0; i < request->n_nodes; i++)
		nodes[i] = (uint32_t) order[i];
	request->nodes = nodes;
	return 0;
}

static void emit(struct sim_run *run, const struct sim_record *record,
		 const struct rspb_binding_request *request)
{
	struct json_object *line = json_object_new_object();
	struct json_object *log = json_object_new_array(), *entry;

	for (uint32_t i = 0; i < request->n_log; i++) {
		entry = json_object_new_array();
		json_object_array_add(entry, json_object_new_int64(request->log[i].time));
		json_object_array_add(entry, json_object_new_string(
						     rspb_state_name(request->log[i].state)));
		json_object_array_add(log, entry);
	}
	sim_put_id(line, record);
	rspb_json_put_text(line, "state", rspb_state_name(request->state));
	if (request->node >= 0)
		rspb_json_put_int(line, "node", request->node);
	else
		rspb_json_put(line, "node", NULL);
	rspb_json_put(line, "log", log);
	sim_emit(run, line);
}

static int simulate(struct sim_run *run, struct setup *setup, struct rspb_err *err)
{
	struct json_object *summary;
	int64_t completed = 0;

	setup->requests = rspb_pool_alloc(setup->pool, run->in.n * sizeof(*setup->requests));
	for (size_t i = 0; i < run->in.n; i++)
		if (read_request(setup, &run->in.records[i], &setup->requests[i], err))
			return -1;
	if (rspb_binding_run(setup->nodes, (uint32_t) setup->qos.n_nodes, &setup->rules,
			     setup->requests, run->in.n, err))
		return -1;
	for (size_t i = 0; i < run->in.n; i++) {
		emit(run, &run->in.records[i], &setup->requests[i]);
		completed += setup->requests[i].state == RSPB_COMPLETED;
	}
	summary = json_object_new_object();
	rspb_json_put_int(summary, "requests", (int64_t) run->in.n);
	rspb_json_put_int(summary, "completed", completed);
	sim_emit_summary(run, summary);
	return 0;
}

int sim_alg_vrc(struct sim_run *run, struct rspb_err *err)
{
	struct setup setup = { .pool = rspb_pool_create(), .scratch = rspb_pool_create() };
	int rc;

	if (!setup.pool || !setup.scratch)
		rc = rspb_fail(err, "out of memory");
	else
		rc = sim_lines_unique(&run->in, err) || read_config(&setup, run, err) ||
				     simulate(run, &setup, err)
			     ? -1
			     : 0;
	rspb_pool_destroy(setup.scratch);
	rspb_pool_destroy(setup.pool);
	return rc;
}
