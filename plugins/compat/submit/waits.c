/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the jobs that a job waits for, from Slurm's own list. It does not know whether they are
 * booked. */
#include "plugins/compat/job.h"
#include "plugins/compat/release/jobs.h"

/* Tasks are looked for by their numbers, up to this one. */
enum { TASK_MOST = 4096 };

/* The jobs that one waits for, as they are found. */
struct waits {
	uint32_t *ids;
	int n, max;
};

/* RET -1: there is no room. */
static int add(struct waits *waits, uint32_t id)
{
	if (waits->n == waits->max)
		return -1;
	waits->ids[waits->n++] = id;
	return 0;
}

/* RET -1: it has no number of its own, or none any more. */
static int add_task(struct waits *waits, const job_record_t *job, uint32_t task)
{
	return job && job->array_task_id == task ? add(waits, job->job_id) : -1;
}

/* Add the tasks that are not over. The number of an array is in the end that of its last task
 * (rspb_job_divide); where that alone is left, Slurm is about to see that. */
static int add_tasks(struct waits *waits, uint32_t array)
{
	const job_record_t *last = find_job_record(array), *job;
	int before = waits->n;

	if (!last || last->array_task_id > TASK_MOST)
		return -1;
	for (uint32_t task = 0; task < last->array_task_id; task++) {
		job = find_job_array_rec(array, task);
		if (job && !IS_JOB_FINISHED(job) && add_task(waits, job, task))
			return -1;
	}
	return IS_JOB_FINISHED(last) && waits->n > before ? 0 : add(waits, array);
}

static int add_row(struct waits *waits, const depend_spec_t *spec, uint32_t own)
{
	uint32_t task = spec->array_task_id;

	if (spec->depend_flags & SLURM_FLAGS_OR)
		return -1;
	switch (spec->depend_type) {
	case SLURM_DEPEND_AFTER_CORRESPOND:
		if (task == INFINITE && own != NO_VAL)
			task = own;
		break;
	case SLURM_DEPEND_AFTER_ANY:
	case SLURM_DEPEND_AFTER_OK:
	case SLURM_DEPEND_AFTER_NOT_OK:
		break;
	default:
		return -1;
	}
	if (task == NO_VAL)
		return add(waits, spec->job_id);
	if (task == INFINITE)
		return add_tasks(waits, spec->job_id);
	return add_task(waits, find_job_array_rec(spec->job_id, task), task);
}

int rspb_job_waits_for(const struct rspb_job *view, uint32_t *ids, int max)
{
	const job_record_t *job = view->handle;
	struct waits waits = { .ids = ids, .max = max };
	const depend_spec_t *spec;
	list_itr_t *iter;
	int rc = 0;

	if (job->state_reason == WAIT_DEP_INVALID)
		return RSPB_JOB_WAITS_NEVER;
	if (!view->dependent)
		return 0;
	iter = list_iterator_create(job->details->depend_list);
	while (!rc && (spec = list_next(iter)))
		if (spec->depend_state != DEPEND_FULFILLED)
			rc = add_row(&waits, spec, job->array_task_id);
	list_iterator_destroy(iter);
	return rc ? RSPB_JOB_WAITS_ELSE : waits.n;
}
