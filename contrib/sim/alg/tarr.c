/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tarr: tasks, their starts and releases, in order of time. */
#include <string.h>

#include "contrib/sim/alg/tarr.h"

static const int64_t forever = INT64_C(1) << 60;

/* The task that an id is, NULL: none. */
static struct tarr_task *task_of(const struct tarr_setup *setup, const char *id)
{
	struct json_object *value;

	return json_object_object_get_ex(setup->known, id, &value)
		       ? &setup->tasks[json_object_get_int64(value)]
		       : NULL;
}

/* The copy that is over last. */
static const struct rspb_tarr_answer *last_of(const struct tarr_task *task)
{
	const struct rspb_tarr_answer *last = task->copies;

	for (size_t i = 1; i < task->n; i++)
		if (task->copies[i].oet > last->oet)
			last = &task->copies[i];
	return last;
}

/* When all tasks are over that come before one ("after", an array of ids);
 * INT64_MAX: never, as far as is known. RET 0, or -1 with err. */
static int read_after(const struct tarr_setup *setup, const struct sim_record *record,
		      int64_t *ready, struct rspb_err *err)
{
	struct json_object *list = sim_has(record, "after") ? sim_need(record, "after", err) : NULL;

	*ready = 0;
	if (list && !json_object_is_type(list, json_type_array))
		return sim_bad(record, "after", err, "must be a list of ids");
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		const char *id = sim_text(json_object_array_get_idx(list, i));
		const struct tarr_task *task = task_of(setup, id);
		int64_t end;

		if (!task)
			return sim_bad(record, "after", err, "%.60s is not a task that came before",
				       id);
		end = task->n ? last_of(task)->oet : INT64_MAX;
		if (end > *ready)
			*ready = end;
	}
	return 0;
}

static void put_end(struct json_object *line, int64_t oet)
{
	if (oet == INT64_MAX)
		rspb_json_put_text(line, "oet", "inf");
	else
		rspb_json_put_int(line, "oet", oet);
}

static void put_copy(struct json_object *line, const struct rspb_tarr_answer *answer)
{
	rspb_json_put_int(line, "resource", (int64_t) answer->resource);
	rspb_json_put_int(line, "ust", answer->ust);
	sim_put_exact(line, "st", answer->st);
	put_end(line, answer->oet);
	rspb_json_put_int(line, "cpu", answer->cpu);
}

static void emit_task(struct sim_run *run, const struct sim_record *record,
		      const struct tarr_task *task, bool several, bool pulled)
{
	struct json_object *line = json_object_new_object(), *list, *entry;

	sim_put_id(line, record);
	rspb_json_put_bool(line, "accepted", task->n > 0);
	if (task->n) {
		put_copy(line, last_of(task));
		rspb_json_put_bool(line, "guaranteed", last_of(task)->guaranteed);
	}
	if (task->n && several) {
		list = json_object_new_array();
		for (size_t i = 0; i < task->n; i++) {
			entry = json_object_new_object();
			put_copy(entry, &task->copies[i]);
			json_object_array_add(list, entry);
		}
		rspb_json_put(line, "copies", list);
	}
	if (pulled)
		rspb_json_put_bool(line, "pulled", true);
	sim_emit(run, line);
}

static int task_line(struct sim_run *run, struct tarr_setup *setup, const struct sim_record *record,
		     const char *id, int64_t at, struct rspb_err *err)
{
	struct rspb_tarr_task wanted = { .at = at };
	struct tarr_task *task = &setup->tasks[setup->n];
	int64_t n = 1;

	if (task_of(setup, id))
		return sim_bad(record, "id", err, "%.60s is already used", id);
	if (sim_tarr_task(setup, record, &wanted, err) ||
	    sim_int_or(record, "replicas", 1, (int64_t) setup->n_resources, &n, err) ||
	    read_after(setup, record, &wanted.ready, err))
		return -1;
	task->copies = rspb_pool_alloc(setup->pool, (size_t) n * sizeof(*task->copies));
	if (wanted.ready < INT64_MAX &&
	    rspb_tarr_reserve_copies(setup->tarr, &wanted, (size_t) n, task->copies, err))
		return sim_at(record, err);
	task->n = task->copies[0].accepted ? (size_t) n : 0;
	task->record = record;
	task->ready = wanted.ready;
	rspb_json_put_int(setup->known, id, (int64_t) setup->n++);
	emit_task(run, record, task, n > 1, false);
	return 0;
}

/* The task that was named before. RET NULL with err. */
static struct tarr_task *named(const struct tarr_setup *setup, const struct sim_record *record,
			       const char *id, struct rspb_err *err)
{
	struct tarr_task *task = task_of(setup, id);

	if (!task)
		sim_bad(record, "id", err, "%.60s is not a task that came before", id);
	return task;
}

/* The copy that a line is about; *copy NULL: the task was declined. */
static int which(const struct tarr_setup *setup, const struct sim_record *record,
		 struct tarr_task *task, struct rspb_tarr_answer **copy, struct rspb_err *err)
{
	int64_t resource;

	*copy = task->n ? task->copies : NULL;
	if (task->n < 2)
		return 0;
	if (sim_int(record, "resource", 0, (int64_t) setup->n_resources - 1, &resource, err))
		return -1;
	for (size_t i = 0; i < task->n; i++) {
		*copy = &task->copies[i];
		if ((*copy)->resource == (size_t) resource)
			return 0;
	}
	return sim_bad(record, "resource", err, "%lld has no copy of that task",
		       (long long) resource);
}

static int started_line(struct sim_run *run, struct tarr_setup *setup,
			const struct sim_record *record, const char *id, int64_t at,
			struct rspb_err *err)
{
	struct tarr_task *task = named(setup, record, id, err);
	struct json_object *line;
	struct rspb_tarr_answer *copy;
	int64_t oet = 0;
	int rc = 0;

	if (!task || which(setup, record, task, &copy, err))
		return -1;
	task->begun = true;
	if (copy)
		rc = rspb_tarr_started(setup->tarr, copy->handle, at, &oet, err);
	if (rc < 0)
		return -1;
	if (rc)
		copy->oet = oet;
	line = json_object_new_object();
	sim_put_id(line, record);
	if (rc)
		rspb_json_put_int(line, "oet", oet);
	else
		rspb_json_put(line, "oet", NULL);
	sim_emit(run, line);
	return 0;
}

static bool waits(const struct tarr_task *task, int64_t at)
{
	for (size_t i = 0; i < task->n; i++)
		if (task->copies[i].ust <= at)
			return false;
	return task->n && task->ready && !task->begun;
}

/* Let go of copies, or have them again. */
static int set_copies(struct tarr_setup *setup, const struct rspb_tarr_answer *copies, size_t n,
		      bool again, int64_t at, struct rspb_err *err)
{
	for (size_t i = 0; i < n; i++)
		if (again ? rspb_tarr_again(setup->tarr, copies[i].handle, err)
			  : rspb_tarr_release(setup->tarr, copies[i].handle, at, err))
			return -1;
	return 0;
}

/* Pull a waiting task forward, if it may begin sooner by now and is over sooner then. */
static int pull_one(struct sim_run *run, struct tarr_setup *setup, struct tarr_task *task,
		    int64_t at, struct rspb_err *err)
{
	struct rspb_tarr_task wanted = { .at = at };
	struct tarr_task sooner = *task;

	if (sim_tarr_task(setup, task->record, &wanted, err) ||
	    read_after(setup, task->record, &wanted.ready, err))
		return -1;
	if (wanted.ready >= task->ready)
		return 0;
	sooner.ready = wanted.ready;
	sooner.copies = rspb_pool_alloc(setup->pool, task->n * sizeof(*sooner.copies));
	if (set_copies(setup, task->copies, task->n, false, at, err) ||
	    rspb_tarr_reserve_copies(setup->tarr, &wanted, task->n, sooner.copies, err))
		return sim_at(task->record, err);
	if (!sooner.copies[0].accepted || last_of(&sooner)->oet >= last_of(task)->oet) {
		if (sooner.copies[0].accepted &&
		    set_copies(setup, sooner.copies, task->n, false, at, err))
			return -1;
		return set_copies(setup, task->copies, task->n, true, at, err);
	}
	*task = sooner;
	emit_task(run, task->record, task, task->n > 1, true);
	return 0;
}

/* In the order of their lines, so that who waits for one that comes forward does, too. */
static int pull_all(struct sim_run *run, struct tarr_setup *setup, int64_t at, struct rspb_err *err)
{
	for (size_t i = 0; setup->pull && i < setup->n; i++)
		if (waits(&setup->tasks[i], at) && pull_one(run, setup, &setup->tasks[i], at, err))
			return -1;
	return 0;
}

/* A task is done as soon as one of its copies is. */
static int release_line(struct sim_run *run, struct tarr_setup *setup,
			const struct sim_record *record, const char *id, int64_t at,
			struct rspb_err *err)
{
	struct tarr_task *task = named(setup, record, id, err);
	struct json_object *line;

	if (!task)
		return -1;
	for (size_t i = 0; i < task->n; i++) {
		if (rspb_tarr_release(setup->tarr, task->copies[i].handle, at, err))
			return -1;
		task->copies[i].oet = at;
	}
	task->begun = true;
	line = json_object_new_object();
	sim_put_id(line, record);
	rspb_json_put_int(line, "released", at);
	sim_emit(run, line);
	return pull_all(run, setup, at, err);
}

static void add_pair(int64_t reserved, int64_t after, void *arg)
{
	struct json_object *pair = json_object_new_array();

	json_object_array_add(pair, json_object_new_int64(reserved));
	json_object_array_add(pair, json_object_new_int64(after));
	json_object_array_add(arg, pair);
}

static int profile_line(struct sim_run *run, struct tarr_setup *setup,
			const struct sim_record *record, int64_t at, struct rspb_err *err)
{
	struct json_object *line, *pairs;
	int64_t resource;

	if (sim_int(record, "resource", 0, (int64_t) setup->n_resources - 1, &resource, err))
		return -1;
	line = json_object_new_object();
	pairs = json_object_new_array();
	rspb_tarr_profile(setup->tarr, (size_t) resource, at, add_pair, pairs);
	rspb_json_put_int(line, "resource", resource);
	rspb_json_put(line, "pairs", pairs);
	sim_emit(run, line);
	return 0;
}

static int any_line(struct sim_run *run, struct tarr_setup *setup, const struct sim_record *record,
		    struct rspb_err *err)
{
	static const char *const types[] = { "task", "started", "release", "profile", NULL };
	struct json_object *id;
	int type = 0;
	int64_t at;
	const char *text;

	if (sim_name_or(record, "type", types, &type, err) ||
	    sim_int(record, "at", 0, forever, &at, err))
		return -1;
	if (at < setup->last)
		return sim_bad(
			record, "at", err,
			"%lld is earlier than the line before; lines must be in order of time",
			(long long) at);
	setup->last = at;
	if (type == 3)
		return profile_line(run, setup, record, at, err);
	id = sim_need(record, "id", err);
	if (!id)
		return -1;
	text = sim_text(id);
	switch (type) {
	case 1:
		return started_line(run, setup, record, text, at, err);
	case 2:
		return release_line(run, setup, record, text, at, err);
	default:
		return task_line(run, setup, record, text, at, err);
	}
}

int sim_alg_tarr(struct sim_run *run, struct rspb_err *err)
{
	struct tarr_setup setup = { .pool = rspb_pool_create(), .pull = true };
	int rc;

	if (!setup.pool)
		return rspb_fail(err, "out of memory");
	rc = sim_tarr_config(&setup, &run->in.config, err);
	setup.tasks = rspb_pool_alloc(setup.pool, run->in.n * sizeof(*setup.tasks));
	for (size_t i = 0; !rc && i < run->in.n; i++)
		rc = any_line(run, &setup, &run->in.records[i], err);
	json_object_put(setup.known);
	rspb_tarr_destroy(setup.tarr);
	rspb_pool_destroy(setup.pool);
	return rc;
}
