/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tarr: its config, and what a task asks for. */
#include "contrib/sim/alg/tarr.h"

int sim_tarr_config(struct tarr_setup *setup, const struct sim_record *config, struct rspb_err *err)
{
	static const char *const assigns[] = { "ect", "first", NULL };
	struct rspb_pool *pool = setup->pool;
	struct rspb_rational zero = rspb_rational_make(pool, 0, 1);
	struct rspb_tarr_options options = { .k = rspb_rational_make(pool, 3, 1),
					     .negotiate = true };
	struct json_object *list = sim_array(config, "capacities", err);
	int64_t *capacities;
	int assign = 0;

	if (!list || sim_decimal_or(pool, config, "k", &zero, &options.k, err) ||
	    sim_bool_or(config, "negotiate", &options.negotiate, err) ||
	    sim_bool_or(config, "late_data", &options.late_data, err) ||
	    sim_bool_or(config, "pull", &setup->pull, err) ||
	    sim_name_or(config, "assign", assigns, &assign, err))
		return -1;
	options.first = assign;
	setup->n_resources = json_object_array_length(list);
	capacities = rspb_pool_alloc(pool, setup->n_resources * sizeof(*capacities));
	for (size_t j = 0; j < setup->n_resources; j++)
		if (sim_value_int(config, "capacities", json_object_array_get_idx(list, j), 1,
				  INT32_MAX, &capacities[j], err))
			return -1;
	setup->tarr = rspb_tarr_create(pool, capacities, setup->n_resources, &options);
	setup->known = json_object_new_object();
	return setup->tarr && setup->known ? 0 : rspb_fail(err, "out of memory");
}

static int read_deadline(struct tarr_setup *setup, const struct sim_record *record,
			 int64_t *deadline, struct rspb_err *err)
{
	struct rspb_rational limit = rspb_rational_infinity(), zero;
	struct rspb_err why;

	zero = rspb_rational_make(setup->pool, 0, 1);
	*deadline = INT64_MAX;
	if (!sim_has(record, "deadline"))
		return 0;
	if (sim_decimal(setup->pool, record, "deadline", &zero, &limit, err))
		return -1;
	/* Ends are whole, so what is behind the last whole unit is idle. */
	if (rspb_rational_whole(limit, false, deadline, &why))
		return sim_bad(record, "deadline", err, "%.100s", why.text);
	return 0;
}

int sim_tarr_task(struct tarr_setup *setup, const struct sim_record *record,
		  struct rspb_tarr_task *task, struct rspb_err *err)
{
	struct rspb_pool *pool = setup->pool;
	struct rspb_rational zero = rspb_rational_make(pool, 0, 1), *delays;

	task->workload_known = true;
	task->sigma_delay = task->sigma_workload = task->x = zero;
	if (sim_int(record, "cpu", 1, INT32_MAX, &task->cpu, err))
		return -1;
	task->min_cpu = task->cpu;
	if (sim_int_or(record, "min_cpu", 1, task->cpu, &task->min_cpu, err) ||
	    sim_bool_or(record, "workload_known", &task->workload_known, err) ||
	    sim_decimal_or(pool, record, "sigma_delay", &zero, &task->sigma_delay, err) ||
	    sim_decimal_or(pool, record, "sigma_wl", &zero, &task->sigma_workload, err) ||
	    read_deadline(setup, record, &task->deadline, err))
		return -1;
	if (task->workload_known) {
		if (sim_decimal(pool, record, "x", &zero, &task->x, err))
			return -1;
		if (!rspb_rational_sign(task->x))
			return sim_bad(record, "x", err, "must be above 0");
	}
	if (sim_has(record, "delay")) {
		if (sim_decimals(pool, record, "delay", setup->n_resources, &zero, &delays, err) <
		    0)
			return -1;
		task->delays = delays;
	}
	return 0;
}
