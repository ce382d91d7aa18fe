/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a job's record into a view, and walks over jobs. It changes none. */
#include "plugins/compat/job.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/compat/abi.h"
#include "plugins/compat/bits.h"
#include "plugins/compat/release/jobs.h"
#include "plugins/compat/resv.h"

/* Slurm has two marks for a number that is not given; views have 0. */
static uint32_t given(uint32_t value)
{
	return value == NO_VAL || value == INFINITE ? 0 : value;
}

/* RET the time limit in seconds. Slurm applies DefaultTime of the partition to a job without
 * --time, and MaxTime where that is not set. 0: no limit. */
static int64_t limit_of(const job_record_t *job)
{
	uint32_t minutes = job->time_limit;

	if (minutes == NO_VAL && job->part_ptr) {
		minutes = job->part_ptr->default_time;
		if (minutes == NO_VAL)
			minutes = job->part_ptr->max_time;
	}
	return given(minutes) * INT64_C(60);
}

/* The state of a job without its flags. A requeued job is pending while its last run is still
 * completing. */
static enum rspb_job_phase phase_of(job_record_t *job)
{
	if (IS_JOB_PENDING(job))
		return RSPB_JOB_PENDING;
	if (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job))
		return RSPB_JOB_RUNNING;
	return RSPB_JOB_DONE;
}

/* RET the end of a job. That of a suspended job is out of date: Slurm sets it again on resume, from
 * the time that the job has run (pre_sus_time). */
static int64_t end_of(job_record_t *job)
{
	int64_t left;

	if (!IS_JOB_SUSPENDED(job) || !given(job->time_limit))
		return job->end_time;
	left = job->time_limit * INT64_C(60) - (int64_t) job->pre_sus_time;
	return time(NULL) + (left > 0 ? left : 0);
}

static void view_details(const job_details_t *details, struct rspb_job *out)
{
	out->dependent = details->depend_list && list_count(details->depend_list);
	out->submitted = details->submit_time;
	out->begin = details->begin_time;
	out->requeue = details->requeue;
	out->nodes_min = details->min_nodes ? given(details->min_nodes) : 1;
	out->tasks = given(details->num_tasks);
	out->overcommit = details->overcommit;
	out->cpus = given(details->min_cpus);
	out->cpus_task = details->cpus_per_task == NO_VAL16 ? 0 : details->cpus_per_task;
	out->tasks_node = details->ntasks_per_node == NO_VAL16 ? 0 : details->ntasks_per_node;
	out->features = details->features;
}

/* A launch that fails more often has another cause. */
enum { LAUNCHES = 3 };

/* Whether the launch of a job was lost. A node asks slurmctld whether to continue a launch. If
 * slurmctld has just died, the node gives the job up, and Slurm holds it. The text tells this hold
 * from one by the owner or an operator. */
static bool launch_was_lost(const job_record_t *job)
{
	return !job->priority && job->state_desc &&
	       !strcmp(job->state_desc, "launch failed requeued held") &&
	       job->restart_cnt <= LAUNCHES;
}

/* Views point into the record and copy no text, as thousands of jobs are viewed in one section. A
 * record with a list of tasks and no task number stands for all tasks that wait. */
void rspb_job_view(void *handle, struct rspb_job *out)
{
	job_record_t *job = handle;

	*out = (struct rspb_job){
		.handle = job,
		.id = job->job_id,
		.leader = job->het_job_id ? job->het_job_id : job->job_id,
		.component = job->het_job_id ? job->het_job_offset : 0,
		.uid = job->user_id,
		.script_on = IS_JOB_RUNNING(job) ? job->batch_host : NULL,
		.launch_lost = launch_was_lost(job),
		.priority = job->priority,
		.phase = phase_of(job),
		.fewest = job->bit_flags & USE_MIN_NODES,
		.completing = IS_JOB_COMPLETING(job),
		.cancelled = IS_JOB_CANCELLED(job),
		.scriptless = IS_JOB_FAILED(job) && job->state_reason == FAIL_SYSTEM,
		.ended_by = (uint32_t) job->requid,
		.host = job->alloc_node,
		.undivided = job->array_recs && job->array_recs->task_id_bitmap &&
			     job->array_task_id == NO_VAL,
		.array = job->array_task_id == NO_VAL ? 0 : job->array_job_id,
		.task = job->array_task_id == NO_VAL ? 0 : job->array_task_id,
		.batch = job->batch_flag,
		.deadline = job->deadline == (time_t) NO_VAL ? 0 : job->deadline,
		.start = job->start_time,
		.end = end_of(job),
		.suspended = IS_JOB_SUSPENDED(job),
		.suspended_held = IS_JOB_SUSPENDED(job) && !job->priority,
		.limit = limit_of(job),
		.least = given(job->time_min) ? job->time_min * INT64_C(60) : 0,
		.contract = job->admin_comment,
		.name = job->name,
		.licenses = job->licenses,
		.remark = job->system_comment,
		.reservation = job->resv_name,
		.reservation_id = job->resv_name ? job->resv_id : 0,
		.account = job->account,
		.mail_begin = job->mail_type & MAIL_JOB_BEGIN,
		.mail_end = job->mail_type & MAIL_JOB_END,
		.mail_fail = job->mail_type & MAIL_JOB_FAIL,
		.mail_to = job->mail_user,
		.partition = job->part_ptr ? job->part_ptr->name : NULL,
		.gated = job->part_ptr && job->part_ptr->flags & PART_FLAG_REQ_RESV,
		.qos = job->qos_ptr ? job->qos_ptr->name : NULL,
		.qos_priority = job->qos_ptr ? job->qos_ptr->priority : 0,
	};
	/* A job that is being deleted has no details any more. */
	if (job->details) {
		view_details(job->details, out);
		out->nodes_max = given(rspb_release_nodes_max(job));
	}
}

/* Begin to load what nearly every look at a record reads. Records are scattered over the memory,
 * and a walk over thousands of them mostly waits for it. */
static void fetch(const job_record_t *job)
{
	__builtin_prefetch(&job->job_state);
	__builtin_prefetch(&job->resv_id);
	__builtin_prefetch(&job->job_id);
	__builtin_prefetch(&job->het_job_id);
}

static bool placed(const job_record_t *job)
{
	return IS_JOB_COMPLETING(job) || IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job);
}

/* Make a number that differs after a change of state or reservation. A new text may be at the
 * address of the old one; the number of the reservation differs then. */
static struct rspb_job_mark mark_of(job_record_t *job)
{
	uint64_t mark = (uint64_t) job->job_state << 32 ^ job->resv_id;

	return (struct rspb_job_mark){
		.handle = job,
		.id = job->job_id,
		.leader = job->het_job_id ? job->het_job_id : job->job_id,
		.mark = (mark ^ (uintptr_t) job->resv_name) * UINT64_C(0x9e3779b97f4a7c15),
		.placed = placed(job),
	};
}

unsigned int rspb_job_asks(const struct rspb_job_mark *mark)
{
	job_record_t *job = mark->handle;
	unsigned int asks = 0;

	if (!IS_JOB_PENDING(job))
		return IS_JOB_FINISHED(job) && job->admin_comment ? RSPB_JOB_ASKS : 0;
	if (job->resv_name && !strcmp(job->resv_name, RSPB_WAITING_ROOM))
		asks |= RSPB_JOB_ASKS;
	if (job->admin_comment && !strncmp(job->admin_comment, "rspb: ", 6))
		asks |= RSPB_JOB_HAS_ASKED;
	return asks;
}

bool rspb_job_mark_find(uint32_t id, struct rspb_job_mark *out)
{
	job_record_t *job = find_job_record(id);

	/* A record whose layout was not checked is not read any further. */
	if (!job || !rspb_abi_job_ok(job))
		return false;
	*out = mark_of(job);
	return true;
}

/* Take the next records of a walk, and begin to load them. RET how many. */
static uint32_t next_stride(list_itr_t *walk, job_record_t *jobs[RSPB_JOB_STRIDE])
{
	uint32_t n = 0;

	while (n < RSPB_JOB_STRIDE && (jobs[n] = list_next(walk)))
		fetch(jobs[n++]);
	return n;
}

int rspb_job_walk(rspb_job_mark_fn fn, bool (*rest)(void *arg), void *arg)
{
	/* Slurm's list has a lock of its own, with which the iterator is moved on. */
	list_itr_t *walk = job_list ? list_iterator_create(job_list) : NULL;
	job_record_t *jobs[RSPB_JOB_STRIDE];
	uint32_t n;
	int rc = 0;

	do {
		n = walk ? next_stride(walk, jobs) : 0;
		for (uint32_t i = 0; i < n && !rc; i++) {
			struct rspb_job_mark mark;

			if (!rspb_abi_job_ok(jobs[i])) {
				rc = 1;
				break;
			}
			mark = mark_of(jobs[i]);
			rc = fn(&mark, arg);
		}
	} while (!rc && n == RSPB_JOB_STRIDE && rest(arg));
	if (walk)
		list_iterator_destroy(walk);
	return rc;
}

/* How many numbers in a row may be of no job. */
enum { GAP = 12 };

int rspb_job_marks_behind(uint32_t id, rspb_job_mark_fn fn, void *arg, size_t *all)
{
	struct rspb_job_mark mark;
	int rc = 0;

	/* A gap of GAP numbers ends the search. The caller compares the count of jobs to see
	 * whether it has missed any. */
	for (int missing = 0; fn && missing < GAP && !rc; missing++)
		while (!rc && find_job_record(++id)) {
			rc = rspb_job_mark_find(id, &mark) ? fn(&mark, arg) : 1;
			missing = 0;
		}
	*all = job_list ? (size_t) list_count(job_list) : 0;
	return rc;
}

uint32_t rspb_job_of_task(uint32_t array, uint32_t task)
{
	const job_record_t *job = find_job_array_rec(array, task);

	return job ? job->job_id : array;
}

bool rspb_job_find(uint32_t id, struct rspb_job *out)
{
	job_record_t *job = find_job_record(id);

	if (!job || !rspb_abi_job_ok(job))
		return false;
	rspb_job_view(job, out);
	return true;
}

uint32_t rspb_job_components(const struct rspb_job *job, uint32_t *ids, uint32_t max)
{
	job_record_t *leader = find_job_record(job->leader), *part;
	list_itr_t *iter;
	uint32_t n = 0;

	/* The first component alone has the list of components. */
	if (!leader || !leader->het_job_list) {
		if (max)
			ids[0] = job->id;
		return 1;
	}
	iter = list_iterator_create(leader->het_job_list);
	while ((part = list_next(iter))) {
		if (part->het_job_offset < max)
			ids[part->het_job_offset] = part->job_id;
		/* All components are counted, also beyond max: a caller with max 0 wants the number
		 * only. */
		n++;
	}
	list_iterator_destroy(iter);
	return n;
}

static bitstr_t *nodes_of(job_record_t *job, enum rspb_job_nodes which)
{
	if (which == RSPB_JOB_NAMES)
		return job->details ? job->details->req_node_bitmap : NULL;
	/* node_bitmap_pr has the nodes whose prolog has not ended yet. */
	if (which == RSPB_JOB_PREPARES)
		return IS_JOB_RUNNING(job) && job->state_reason == WAIT_PROLOG ? job->node_bitmap_pr
									       : NULL;
	/* The nodes of a completing job that are clean already are no longer its own. */
	return IS_JOB_COMPLETING(job) && job->node_bitmap_cg ? job->node_bitmap_cg
							     : job->node_bitmap;
}

bool rspb_job_nodes(const struct rspb_job *view, enum rspb_job_nodes which,
		    struct rspb_nodeset *out)
{
	bitstr_t *nodes = nodes_of(view->handle, which);

	rspb_bits_add(nodes, out);
	return nodes && bit_ffs(nodes) >= 0;
}

static bool has_bit(const bitstr_t *bits, uint32_t n)
{
	return bits && (int64_t) n < bit_size((bitstr_t *) bits) && bit_test((bitstr_t *) bits, n);
}

bool rspb_job_has_node(const struct rspb_job *view, uint32_t node, const char *name)
{
	const job_record_t *job = view->handle;
	struct hostlist *names;
	bool found;

	if (has_bit(job->node_bitmap, node) || has_bit(job->node_bitmap_cg, node))
		return true;
	/* A job that was over when slurmctld was started has only the names of its nodes left. */
	if (!job->nodes || !IS_JOB_FINISHED(job))
		return false;
	names = hostlist_create(job->nodes);
	found = names && hostlist_find(names, name) >= 0;
	if (names)
		hostlist_destroy(names);
	return found;
}

/* Finds the jobs that a job waits for, from Slurm's own list. It does not know whether they are
 * booked. */

/* Tasks are looked up one by one, under the lock, up to this number. */
enum { TASK_MOST = 4096 };

/* The jobs that a job waits for, as they are found. */
struct waits {
	uint32_t *ids;
	int n, max;
};

/* RET -1: the list of the caller is full. */
static int add(struct waits *waits, uint32_t id)
{
	if (waits->n == waits->max)
		return -1;
	waits->ids[waits->n++] = id;
	return 0;
}

/* RET -1: the task has no record of its own yet, or its record is gone, so its job number is
 * unknown. */
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
	/* The last task keeps the number of the array, so the others have lower task numbers. */
	for (uint32_t task = 0; task < last->array_task_id; task++) {
		job = find_job_array_rec(array, task);
		if (job && !IS_JOB_FINISHED(job) && add_task(waits, job, task))
			return -1;
	}
	return IS_JOB_FINISHED(last) && waits->n > before ? 0 : add(waits, array);
}

/* Add the jobs of one condition of --dependency. RET -1: the start does not depend on ends of known
 * jobs alone. */
static int add_row(struct waits *waits, const depend_spec_t *spec, uint32_t own)
{
	uint32_t task = spec->array_task_id;

	/* Where one of several conditions is enough (?), no single job has to end. */
	if (spec->depend_flags & SLURM_FLAGS_OR)
		return -1;
	switch (spec->depend_type) {
	case SLURM_DEPEND_AFTER_CORRESPOND:
		/* aftercorr makes each task wait for the task of the same number. */
		if (task == INFINITE && own != NO_VAL)
			task = own;
		break;
	case SLURM_DEPEND_AFTER_ANY:
	case SLURM_DEPEND_AFTER_OK:
	case SLURM_DEPEND_AFTER_NOT_OK:
		break;
	/* The others (after, singleton) do not wait for the ends of named jobs. */
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

	/* Slurm sets this reason when a condition can no longer be met. */
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
