/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fcfs edf llf sfto afto afto1 afto_rn: one batch of tasks with deadlines. */
#include <stdlib.h>

#include "contrib/sim/alg/alg.h"
#include "contrib/sim/papers/tasks.h"

struct setup {
	struct rspb_tasks batch;
	enum rspb_waiting waiting;
	enum rspb_ect_rule rule;
	bool gaps;
};

static int read_busy(struct setup *setup, const struct sim_record *config, size_t j,
		     struct json_object *list, struct rspb_err *err)
{
	struct rspb_pool *pool = setup->batch.pool;
	struct rspb_rational zero = rspb_rational_make(pool, 0, 1);
	struct json_object *pair;
	struct rspb_span span;
	struct rspb_err why;

	if (!json_object_is_type(list, json_type_array))
		return sim_bad(config, "busy", err,
			       "entry %zu is not a list of "
			       "[start, end]",
			       j);
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		pair = json_object_array_get_idx(list, i);
		if (!json_object_is_type(pair, json_type_array) ||
		    json_object_array_length(pair) != 2)
			return sim_bad(config, "busy", err,
				       "%.60s is not "
				       "[start, end]",
				       sim_text(pair));
		if (sim_value_decimal(pool, config, "busy", json_object_array_get_idx(pair, 0),
				      &zero, &span.start, err) ||
		    sim_value_decimal(pool, config, "busy", json_object_array_get_idx(pair, 1),
				      &zero, &span.end, err))
			return -1;
		if (rspb_processor_add(&setup->batch.processors[j], span, &why))
			return sim_bad(config, "busy", err, "%.60s: %.200s", sim_text(pair),
				       why.text);
	}
	return 0;
}

static int read_processors(struct setup *setup, const struct sim_record *config,
			   struct rspb_err *err)
{
	struct rspb_tasks *batch = &setup->batch;
	struct rspb_rational *caps;
	struct json_object *busy;
	int64_t n = sim_decimals(batch->pool, config, "caps", 0, NULL, &caps, err);

	if (n < 0)
		return -1;
	if (n == 0)
		return sim_bad(config, "caps", err, "is empty");
	batch->n_processors = (size_t) n;
	batch->processors = rspb_pool_alloc(batch->pool,
					    batch->n_processors * sizeof(*batch->processors));
	for (int64_t j = 0; j < n; j++) {
		if (rspb_rational_sign(caps[j]) <= 0)
			return sim_bad(config, "caps", err, "a capacity must be above 0");
		batch->processors[j].capacity = caps[j];
	}
	if (!sim_has(config, "busy"))
		return 0;
	busy = sim_array(config, "busy", err);
	if (!busy)
		return -1;
	if (json_object_array_length(busy) != batch->n_processors)
		return sim_bad(config, "busy", err,
			       "has %zu entries, there "
			       "are %zu processors",
			       json_object_array_length(busy), batch->n_processors);
	for (size_t j = 0; j < batch->n_processors; j++)
		if (read_busy(setup, config, j, json_object_array_get_idx(busy, j), err))
			return -1;
	return 0;
}

static int read_config(struct setup *setup, const struct sim_record *config, struct rspb_err *err)
{
	static const char *const waitings[] = { "global", "release", "none", NULL };
	static const char *const assigns[] = { "ect", "est", "mptf", NULL };
	int waiting = 0, assign = 0;

	setup->gaps = true;
	if (sim_bool_or(config, "gaps", &setup->gaps, err) ||
	    sim_name_or(config, "waiting", waitings, &waiting, err) ||
	    sim_name_or(config, "assign", assigns, &assign, err))
		return -1;
	setup->rule = (enum rspb_ect_rule) assign;
	setup->waiting = (enum rspb_waiting) waiting;
	return read_processors(setup, config, err);
}

static int read_task(struct rspb_tasks *batch, struct rspb_paper_task *task,
		     const struct sim_record *record, struct rspb_err *err)
{
	struct rspb_pool *pool = batch->pool;
	struct rspb_rational zero = rspb_rational_make(pool, 0, 1), *delays;

	task->weight = rspb_rational_make(pool, 1, 1);
	if (sim_decimal(pool, record, "workload", &zero, &task->workload, err) ||
	    sim_decimal(pool, record, "deadline", &zero, &task->deadline, err) ||
	    sim_decimal_or(pool, record, "weight", &zero, &task->weight, err))
		return -1;
	if (!rspb_rational_sign(task->workload))
		return sim_bad(record, "workload", err, "must be above 0");
	if (!rspb_rational_sign(task->deadline))
		return sim_bad(record, "deadline", err, "must be above 0");
	if (!rspb_rational_sign(task->weight))
		return sim_bad(record, "weight", err, "must be above 0");
	if (sim_has(record, "delays")) {
		if (sim_decimals(pool, record, "delays", batch->n_processors, &zero, &delays, err) <
		    0)
			return -1;
	} else {
		delays = rspb_pool_alloc(pool, batch->n_processors * sizeof(*delays));
		for (size_t j = 0; j < batch->n_processors; j++)
			delays[j] = zero;
	}
	task->delays = delays;
	return 0;
}

/* Which task of those before the i-th has that id; i: none. */
static size_t task_of(const struct sim_run *run, size_t i, struct json_object *id)
{
	for (size_t k = 0; id && k < i; k++)
		if (json_object_equal(sim_get(&run->in.records[k], "id"), id))
			return k;
	return i;
}

static int read_after(const struct sim_run *run, struct rspb_paper_task *task, size_t i,
		      struct rspb_pool *pool, struct rspb_err *err)
{
	const struct sim_record *record = &run->in.records[i];
	struct json_object *list;
	size_t *after;

	if (!sim_has(record, "after"))
		return 0;
	list = sim_array(record, "after", err);
	if (!list)
		return -1;
	task->n_after = json_object_array_length(list);
	task->after = after = rspb_pool_alloc(pool, (task->n_after + 1) * sizeof(*after));
	for (size_t k = 0; k < task->n_after; k++) {
		struct json_object *id = json_object_array_get_idx(list, k);

		after[k] = task_of(run, i, id);
		if (after[k] == i)
			return sim_bad(record, "after", err,
				       "%.60s is not a task of a line before this", sim_text(id));
	}
	return 0;
}

static int read_order(const struct sim_run *run, struct rspb_tasks *batch, size_t i,
		      struct rspb_err *err)
{
	struct rspb_paper_task *task = &batch->tasks[i];
	int64_t replicas = 1;

	task->n_after = 0;
	if (sim_int_or(&run->in.records[i], "replicas", 1, (int64_t) batch->n_processors, &replicas,
		       err))
		return -1;
	task->more = (size_t) replicas - 1;
	return read_after(run, task, i, batch->pool, err);
}

/* All of it, where there are several. */
static void put_copies(struct json_object *line, const struct rspb_paper_task *task)
{
	struct json_object *list;

	if (!task->more)
		return;
	list = json_object_new_array();
	for (size_t i = 0; i <= task->more && task->placed; i++) {
		const struct rspb_task_copy *copy = &task->copies[i];
		struct json_object *one = json_object_new_object();

		rspb_json_put_int(one, "proc", (int64_t) copy->processor);
		sim_put_exact(one, "start", copy->span.start);
		sim_put_exact(one, "end", copy->span.end);
		json_object_array_add(list, one);
	}
	rspb_json_put(line, "copies", list);
}

static void emit_task(struct sim_run *run, const struct rspb_tasks *batch, size_t i, bool fair)
{
	const struct rspb_paper_task *task = &batch->tasks[i];
	struct json_object *line = json_object_new_object();

	sim_put_id(line, &run->in.records[i]);
	rspb_json_put_int(line, "rank", (int64_t) task->rank);
	sim_put_exact(line, "demand", task->demand);
	sim_put_real(line, "key", rspb_real_double(&batch->reals, task->key));
	rspb_json_put_bool(line, "accepted", task->accepted);
	if (fair)
		sim_put_real(line, "fair_rate", rspb_real_double(&batch->reals, task->rate));
	else
		rspb_json_put(line, "fair_rate", NULL);
	if (task->placed) {
		rspb_json_put_int(line, "proc", (int64_t) task->processor);
		sim_put_exact(line, "start", task->span.start);
		sim_put_exact(line, "end", task->span.end);
	} else {
		rspb_json_put(line, "proc", NULL);
		rspb_json_put(line, "start", NULL);
		rspb_json_put(line, "end", NULL);
	}
	put_copies(line, task);
	sim_emit(run, line);
}

static int schedule(struct sim_run *run, struct setup *setup, struct rspb_err *err)
{
	const struct rspb_task_order *order = rspb_task_order_find(run->algorithm->name);
	struct rspb_tasks *batch = &setup->batch;
	struct rspb_criteria criteria;
	struct json_object *summary;

	batch->n = run->in.n;
	batch->tasks = rspb_pool_alloc(batch->pool, batch->n * sizeof(*batch->tasks));
	for (size_t i = 0; i < batch->n; i++)
		if (read_task(batch, &batch->tasks[i], &run->in.records[i], err) ||
		    read_order(run, batch, i, err))
			return -1;
	if (rspb_tasks_prepare(batch, order, err) ||
	    rspb_tasks_place(batch, order, setup->rule, setup->waiting, setup->gaps, err))
		return -1;
	for (size_t i = 0; i < batch->n; i++)
		emit_task(run, batch, i, order->fair);
	rspb_tasks_criteria(batch, order, &criteria);
	summary = json_object_new_object();
	sim_put_real(summary, "E1", criteria.e1);
	sim_put_real(summary, "E2", criteria.e2);
	sim_put_real(summary, "E3", criteria.e3);
	sim_emit_summary(run, summary);
	return 0;
}

int sim_alg_tasks(struct sim_run *run, struct rspb_err *err)
{
	struct setup setup = { .batch.pool = rspb_pool_create() };
	int rc;

	if (!setup.batch.pool)
		return rspb_fail(err, "out of memory");
	rc = sim_lines_unique(&run->in, err) || read_config(&setup, &run->in.config, err) ||
			     schedule(run, &setup, err)
		     ? -1
		     : 0;
	for (size_t j = 0; setup.batch.processors && j < setup.batch.n_processors; j++)
		rspb_processor_fini(&setup.batch.processors[j]);
	rspb_pool_destroy(setup.batch.pool);
	return rc;
}
