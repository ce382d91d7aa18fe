/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes into a job's record: contract, comment, reservation, times, size and limit. The callers
 * decide when and why. */
#include "plugins/compat/job_edit.h"

#include <inttypes.h>
#include <string.h>

#include "plugins/compat/abi.h"
#include "plugins/compat/bits.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job_pick.h"
#include "plugins/compat/job_update.h"
#include "plugins/compat/release/jobs.h"
#include "plugins/compat/resv_internal.h"
#include "src/common/assoc_mgr.h"

static void touched(void)
{
	rspb_ctld_touched(RSPB_CHANGED_JOBS);
}

/* A record without details belongs to a job that is being deleted. */
static job_record_t *job_of(uint32_t id, struct rspb_err *err)
{
	job_record_t *job = find_job_record(id);

	if (!job || !job->details)
		rspb_fail(err, "job %u no longer exists", id);
	return job && job->details ? job : NULL;
}

/* Check that a job is in the queue. Its last run may still be completing on its old nodes. RET 0,
 * or -1 with err. */
static int check_waiting(const job_record_t *job, struct rspb_err *err)
{
	return IS_JOB_PENDING(job) ? 0
				   : rspb_fail(err, "job %u is not pending: it is %s", job->job_id,
					       job_state_string(job->job_state));
}

/* Check that a job in the queue has no nodes any more. While a run is completing, nodes and times
 * in the record are still those of that run. RET 0, or -1 with err. */
static int check_pending(const job_record_t *job, struct rspb_err *err)
{
	if (check_waiting(job, err))
		return -1;
	return !IS_JOB_COMPLETING(job)
		       ? 0
		       : rspb_fail(err, "job %u is not pending: its last run is still ending",
				   job->job_id);
}

static void set_text(char **to, const char *text)
{
	xfree(*to);
	*to = xstrdup(text);
	touched();
}

static void account(job_record_t *job)
{
	/* Accounting cannot find a job that has no number in the database. */
	if (IS_JOB_FINISHED(job) && job->end_time && job->db_index != NO_VAL64)
		jobacct_storage_g_job_complete(acct_db_conn, job);
}

/* A job that names nodes and was granted fewer keeps the names of those alone. Slurm would not
 * start it without the others. */
static void keep_named(job_record_t *job)
{
	job_details_t *details = job->details;
	slurmctld_resv_t *resv = job->resv_ptr;

	if (!details->req_node_bitmap || !resv || !resv->node_bitmap ||
	    bit_super_set(details->req_node_bitmap, resv->node_bitmap) ||
	    !bit_overlap_any(details->req_node_bitmap, resv->node_bitmap))
		return;
	bit_and(details->req_node_bitmap, resv->node_bitmap);
	xfree(details->req_nodes);
	details->req_nodes = bitmap2node_name(details->req_node_bitmap);
}

/* Clear what validate_job_resv() fills in: a pointer that is left would outlive the reservation. */
static void untie(job_record_t *job)
{
	xfree(job->resv_name);
	job->resv_ptr = NULL;
	job->resv_id = 0;
	FREE_NULL_LIST(job->resv_list);
	job->start_time = 0;
}

static int set_reservation(job_record_t *job, const char *reservation, int64_t begin,
			   struct rspb_err *err)
{
	char *old;
	int rc;

	if (!*reservation) {
		if (check_waiting(job, err))
			return -1;
		untie(job);
		touched();
		return 0;
	}
	if (check_pending(job, err))
		return -1;
	/* The old name is kept until Slurm has accepted the new one. */
	old = job->resv_name;
	job->resv_name = xstrdup(reservation);
	job->resv_ptr = NULL;
	FREE_NULL_LIST(job->resv_list);
	/* Slurm looks the name up, checks that the user may use it, and fills in what belongs to
	 * it. */
	rc = validate_job_resv(job);
	if (rc != SLURM_SUCCESS) {
		/* The second call fills in again what belongs to the old name. */
		xfree(job->resv_name);
		job->resv_name = old;
		job->resv_ptr = NULL;
		validate_job_resv(job);
		return rspb_fail(err, "job %u cannot use reservation %s: %s", job->job_id,
				 reservation, slurm_strerror(rc));
	}
	xfree(old);
	rspb_ctld_own_counts()->returns += !strcmp(reservation, RSPB_WAITING_ROOM);
	rspb_release_resv_found(job);
	keep_named(job);
	/* squeue shows this start. The deadline of the user goes, since Slurm would cancel the job
	 * for it. */
	if (begin) {
		job->details->begin_time = begin;
		job->start_time = begin;
		job->deadline = 0;
	}
	touched();
	return 0;
}

static int reopen(job_record_t *job, int64_t ready, int64_t deadline, struct rspb_err *err)
{
	if (check_pending(job, err))
		return -1;
	job->details->begin_time = ready;
	job->start_time = 0;
	job->deadline = deadline;
	touched();
	return 0;
}

static bool is_given(uint32_t value)
{
	return value && value != NO_VAL && value != INFINITE;
}

/* Set the number of tasks, and the variables by which sbatch has told the script that number. */
static void set_tasks(job_details_t *details, uint32_t tasks)
{
	/* The variables are not written where sbatch has told the script the right number. */
	if (details->num_tasks == tasks)
		return;
	details->num_tasks = tasks;
	rspb_job_env_number(details, "SLURM_NTASKS", tasks);
	rspb_job_env_number(details, "SLURM_NPROCS", tasks);
}

/* Set the CPUs; an upper limit changes in the same ratio. Slurm returns to the members with orig_
 * when it tries another partition. */
static void set_cpus(job_details_t *details, uint32_t cpus)
{
	uint32_t before = details->min_cpus;

	if (before == cpus || !is_given(before))
		return;
	if (is_given(details->max_cpus))
		details->max_cpus = (uint64_t) details->max_cpus * cpus / before;
	if (is_given(details->orig_max_cpus))
		details->orig_max_cpus = (uint64_t) details->orig_max_cpus * cpus / before;
	details->min_cpus = cpus;
	if (is_given(details->orig_min_cpus))
		details->orig_min_cpus = cpus;
}

/* Fit tasks and CPUs to the nodes, or, if `fewer` gives a number of tasks, the CPUs to these
 * tasks. */
static void set_size(job_details_t *details, const struct rspb_job_size *asked, uint32_t nodes)
{
	uint32_t part = asked->fewer ? asked->fewer : nodes;
	uint32_t of = asked->fewer ? asked->tasks : asked->nodes_max;

	if (is_given(asked->tasks) && is_given(details->num_tasks))
		set_tasks(details, rspb_job_part_of(asked->tasks, part, of));
	if (is_given(asked->cpus))
		set_cpus(details, rspb_job_part_of(asked->cpus, part, of));
}

/* Set the size that a job asked for before it was fitted. */
static void restore_size(job_record_t *job, const struct rspb_job_size *asked)
{
	/* keep_named() may have cut the list of named nodes, which is not kept elsewhere. */
	uint32_t had = job->details->min_nodes, named = 0;

	if (job->details->req_node_bitmap)
		named = (uint32_t) bit_set_count(job->details->req_node_bitmap);
	rspb_release_nodes_set(job, asked->nodes_min, asked->nodes_max);
	/* Names that keep_named() has cut stay lost. A job that may have other nodes beside its
	 * named ones has lost none, and neither has one that asks for no more than these. */
	if (job->details->req_node_bitmap && named >= had && asked->nodes_min > named)
		job->details->min_nodes = job->details->max_nodes = named;
	if (is_given(asked->tasks) && is_given(job->details->num_tasks))
		set_tasks(job->details, asked->tasks);
	if (is_given(asked->cpus))
		set_cpus(job->details, asked->cpus);
}

/* RET the least number of nodes of a job that gets a number of them. Slurm divides its CPUs by it
 * to find out how many sockets of each node may give devices that have to be beside them, so that a
 * job that names no number keeps its own. A job that names a range, or whose owner has changed the
 * number, has to get all: with devices in total Slurm takes no more nodes than the least number as
 * soon as they have enough of them. */
static uint32_t least_of(const job_record_t *job, const struct rspb_job_size *asked)
{
	const gres_state_t *devices = job->gres_list_req ? list_peek(job->gres_list_req) : NULL;
	const gres_job_state_t *at = devices ? devices->gres_data : NULL;
	uint32_t least = job->details->min_nodes;
	bool named = asked->nodes_min != asked->nodes_max || job->bit_flags & USE_MIN_NODES;

	return at && at->gres_per_job && rspb_job_binds(job) && !named && least &&
			       least < asked->nodes
		       ? least
		       : asked->nodes;
}

static int shape(job_record_t *job, const struct rspb_job_size *asked, struct rspb_err *err)
{
	if (check_pending(job, err))
		return -1;
	if (asked->nodes) {
		rspb_release_nodes_set(job, least_of(job, asked), asked->nodes);
		set_size(job->details, asked, asked->nodes);
	} else {
		restore_size(job, asked);
	}
	/* Generic resources by task depend on the tasks and nodes that were just set. */
	rspb_job_gres_again(job);
	/* The limit of the record is in minutes. */
	if (asked->limit)
		job->time_limit = (uint32_t) (asked->limit / 60);
	touched();
	return 0;
}

/* RET the lower limit. NO_VAL means that b is not set; INFINITE is the largest number and needs no
 * case of its own. */
static uint32_t lesser(uint32_t a, uint32_t b)
{
	return b == NO_VAL || b > a ? a : b;
}

/* RET the most minutes that a job may have, INFINITE: any number. */
static uint32_t most_minutes(const job_record_t *job)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	uint32_t most = INFINITE;

	if (job->part_ptr)
		most = lesser(most, job->part_ptr->max_time);
	if (!(slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_LIMITS))
		return most;
	/* Limits of associations and QOS can change while we hold the locks of slurmctld. */
	assoc_mgr_lock(&locks);
	if (job->assoc_ptr)
		most = lesser(most, job->assoc_ptr->max_wall_pj);
	if (job->qos_ptr)
		most = lesser(most, job->qos_ptr->max_wall_pj);
	if (job->part_ptr && job->part_ptr->qos_ptr)
		most = lesser(most, job->part_ptr->qos_ptr->max_wall_pj);
	assoc_mgr_unlock(&locks);
	return most;
}

static int check_limit(const job_record_t *job, uint32_t minutes, struct rspb_err *err)
{
	uint32_t most = most_minutes(job);

	/* An operator may have granted more than the limits allow, so only a longer time is
	 * checked. */
	if (minutes <= job->time_limit || minutes <= most)
		return 0;
	return rspb_fail(err,
			 "%u minutes are more than the %u that its partition, QOS or association "
			 "allows",
			 minutes, most);
}

static int set_limit(job_record_t *job, int64_t seconds, int64_t end, struct rspb_err *err)
{
	uint32_t minutes = (uint32_t) (seconds / 60);

	if (check_limit(job, minutes, err))
		return -1;
	job->time_limit = minutes;
	if (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) {
		job->end_time = job->start_time + seconds;
		if (job->end_time > end)
			job->end_time = end;
		/* Slurm sets both alike when the limit of a running job changes. */
		job->end_time_exp = job->end_time;
	}
	touched();
	return 0;
}

/* Whether an operator holds a job, whatever else holds it. Only an operator may release it. */
static bool is_held_by_operator(const job_record_t *job)
{
	return !job->priority && job->state_reason == WAIT_HELD;
}

static int unhold(job_record_t *job, struct rspb_err *err)
{
	if (IS_JOB_RUNNING(job)) {
		rspb_release_not_held(job);
		return 0;
	}
	if (check_waiting(job, err))
		return -1;
	if (!job->priority && !is_held_by_operator(job)) {
		/* Slurm releases a held job in the same way: the priority is computed again. */
		job->direct_set_prio = 0;
		set_job_prio(job);
		rspb_release_state_drop(job, JOB_RESV_DEL_HOLD);
		job->state_reason = WAIT_NO_REASON;
		xfree(job->state_desc);
	}
	touched();
	return 0;
}

static int hold(job_record_t *job, const char *reason, struct rspb_err *err)
{
	if (check_waiting(job, err))
		return -1;
	untie(job);
	/* With this reason the owner may release the job. */
	if (!is_held_by_operator(job))
		job->state_reason = WAIT_HELD_USER;
	job->priority = 0;
	xfree(job->state_desc);
	job->state_desc = xstrdup(reason);
	touched();
	return 0;
}

int rspb_job_make_so(uint32_t id, const struct rspb_job_wanted *wanted, struct rspb_err *err)
{
	job_record_t *job = job_of(id, err);
	int rc = 0;

	if (!job)
		return -1;
	if (wanted->limit_checked)
		return check_limit(job, (uint32_t) (wanted->limit / 60), err);
	if (wanted->released && unhold(job, err))
		rc = -1;
	if (wanted->held && hold(job, wanted->held, rc ? NULL : err))
		rc = -1;
	if (wanted->partition && rspb_job_set_partition(job, wanted->partition, rc ? NULL : err))
		rc = -1;
	if (wanted->reservation &&
	    set_reservation(job, wanted->reservation, wanted->begin, rc ? NULL : err))
		rc = -1;
	if (wanted->features &&
	    rspb_job_set_features(job, wanted->features, wanted->had_features, rc ? NULL : err))
		rc = -1;
	if (wanted->size && shape(job, wanted->size, rc ? NULL : err))
		rc = -1;
	if (wanted->needs && rspb_job_set_needs(job, wanted->needs, rc ? NULL : err))
		rc = -1;
	if (wanted->limit && set_limit(job, wanted->limit, wanted->limit_end, rc ? NULL : err))
		rc = -1;
	if (wanted->reopened && reopen(job, wanted->ready, wanted->deadline, rc ? NULL : err))
		rc = -1;
	if (wanted->contract)
		set_text(&job->admin_comment, wanted->contract);
	if (wanted->comment)
		set_text(&job->comment, wanted->comment);
	if (wanted->share)
		rspb_job_set_share(job, wanted->share);
	if (wanted->accounted)
		account(job);
	return rc;
}

/* The function below gives each task of an array a record of its own, as Slurm does when it starts
 * one. The caller knows which tasks are booked. */

int rspb_job_divide(uint32_t id, struct rspb_err *err)
{
	job_record_t *job = find_job_record(id), *rest;
	int64_t task;

	if (!job || !rspb_abi_job_ok(job) || !IS_JOB_PENDING(job) || !job->array_recs ||
	    !job->array_recs->task_id_bitmap || job->array_task_id != NO_VAL)
		return rspb_fail(err, "job %" PRIu32 " is not a pending array", id);
	task = bit_ffs(job->array_recs->task_id_bitmap);
	if (task < 0)
		return rspb_fail(err, "array %" PRIu32 " has no task left", id);
	/* Slurm's functions below read from the record which task leaves. */
	job->array_task_id = (uint32_t) task;
	if (job->array_recs->task_cnt <= 1) {
		rspb_release_array_last(job);
		return 0;
	}
	/* The task gets a new number. The record that is returned has the remaining tasks and the
	 * number of the array. */
	rest = rspb_release_array_split(job);
	if (!rest)
		return rspb_fail(err, "out of memory");
	rspb_release_state_set(rest, JOB_PENDING);
	rest->start_time = 0;
	/* If two tasks were left, the split has also given the last one its own number. */
	return rest->array_task_id == NO_VAL;
}
