/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/compat/job_edit.h"

#include <signal.h>
#include <string.h>

#include "plugins/compat/bits.h"
#include "src/common/slurm_accounting_storage.h"

static void touched(void)
{
	last_job_update = time(NULL);
	schedule_job_save();
}

static job_record_t *job_of(uint32_t id, struct rspb_err *err)
{
	job_record_t *job = find_job_record(id);

	if (!job || !job->details)
		rspb_fail(err, "job %u is gone", id);
	return job && job->details ? job : NULL;
}

static job_record_t *pending_job(uint32_t id, struct rspb_err *err)
{
	job_record_t *job = job_of(id, err);

	if (!job)
		return NULL;
	if (!IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job)) {
		rspb_fail(err, "job %u does not wait: it is %s", id,
			  job_state_string(job->job_state));
		return NULL;
	}
	return job;
}

int rspb_job_set_contract(uint32_t id, const char *text, struct rspb_err *err)
{
	job_record_t *job = find_job_record(id);

	if (!job)
		return rspb_fail(err, "job %u is gone", id);
	xfree(job->admin_comment);
	job->admin_comment = xstrdup(text);
	touched();
	return 0;
}

int rspb_job_account(uint32_t id)
{
	job_record_t *job = find_job_record(id);

	if (!job || !job->details || !IS_JOB_FINISHED(job) || !job->end_time ||
	    job->db_index == NO_VAL64)
		return -1;
	return jobacct_storage_g_job_complete(acct_db_conn, job);
}

int rspb_job_attach(uint32_t id, const char *reservation, int64_t begin,
		    struct rspb_err *err)
{
	job_record_t *job = pending_job(id, err);
	char *old;
	int rc;

	if (!job)
		return -1;
	old = job->resv_name;
	job->resv_name = xstrdup(reservation);
	job->resv_ptr = NULL;
	FREE_NULL_LIST(job->resv_list);
	rc = validate_job_resv(job);
	if (rc != SLURM_SUCCESS) {
		xfree(job->resv_name);
		job->resv_name = old;
		job->resv_ptr = NULL;
		validate_job_resv(job);
		return rspb_fail(err, "job %u cannot use reservation %s: %s",
				 id, reservation, slurm_strerror(rc));
	}
	xfree(old);
	if (begin) {
		job->details->begin_time = begin;
		job->start_time = begin;
		job->deadline = 0;
	}
	touched();
	return 0;
}

static void untie(job_record_t *job)
{
	xfree(job->resv_name);
	job->resv_ptr = NULL;
	job->resv_id = 0;
	FREE_NULL_LIST(job->resv_list);
	job->start_time = 0;
}

int rspb_job_detach(uint32_t id, struct rspb_err *err)
{
	job_record_t *job = pending_job(id, err);

	if (!job)
		return -1;
	untie(job);
	touched();
	return 0;
}

/* sbatch wrote its -n into the script's environment long ago; what is
 * supplemented here takes the place of that when the script starts. */
static void env_set(struct job_details *details, const char *name,
		    uint32_t value)
{
	size_t len = strlen(name);
	uint16_t i;

	for (i = 0; i < details->env_cnt; i++)
		if (!strncmp(details->env_sup[i], name, len) &&
		    details->env_sup[i][len] == '=')
			break;
	if (i == details->env_cnt)
		xrecalloc(details->env_sup, ++details->env_cnt,
			  sizeof(details->env_sup[0]));
	else
		xfree(details->env_sup[i]);
	xstrfmtcat(details->env_sup[i], "%s=%u", name, value);
}

/* RET whether there was a number to shrink. Each node keeps one at least. */
static bool shrink(uint32_t *value, uint32_t nodes, uint32_t asked)
{
	uint64_t less;

	if (!*value || *value == NO_VAL || *value == INFINITE)
		return false;
	less = (uint64_t) *value * nodes / asked;
	*value = less < nodes ? nodes : (uint32_t) less;
	return true;
}

int rspb_job_shape(uint32_t id, uint32_t nodes, uint32_t asked,
		   struct rspb_err *err)
{
	job_record_t *job = pending_job(id, err);
	struct job_details *details;

	if (!job)
		return -1;
	details = job->details;
	details->min_nodes = nodes;
	details->max_nodes = nodes;
	if (nodes < asked) {
		shrink(&details->min_cpus, nodes, asked);
		shrink(&details->max_cpus, nodes, asked);
		/* Slurm goes back to these when it tries another partition. */
		shrink(&details->orig_min_cpus, nodes, asked);
		shrink(&details->orig_max_cpus, nodes, asked);
		if (shrink(&details->num_tasks, nodes, asked)) {
			env_set(details, "SLURM_NTASKS", details->num_tasks);
			env_set(details, "SLURM_NPROCS", details->num_tasks);
		}
	}
	touched();
	return 0;
}

int rspb_job_hold(uint32_t id, const char *reason, struct rspb_err *err)
{
	job_record_t *job = pending_job(id, err);

	if (!job)
		return -1;
	untie(job);
	job->priority = 0;
	job->state_reason = WAIT_HELD_USER;
	xfree(job->state_desc);
	job->state_desc = xstrdup(reason);
	touched();
	return 0;
}

int rspb_job_tell(uint32_t id, const char *line, struct rspb_err *err)
{
	job_record_t *job = job_of(id, err);
	char *copy;
	int rc;

	if (!job)
		return -1;
	if (job->batch_flag)
		return rspb_fail(err, "job %u is a batch job", id);
	copy = xstrdup(line);
	rc = srun_user_message(job, copy);
	xfree(copy);
	if (rc != SLURM_SUCCESS)
		return rspb_fail(err, "job %u: %s", id, slurm_strerror(rc));
	return 0;
}

int rspb_job_cancel(uint32_t id, const char *reason, struct rspb_err *err)
{
	job_record_t *job = job_of(id, err);

	if (!job)
		return -1;
	if (IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job))
		untie(job);
	job_signal(job, SIGKILL, 0, 0, false);
	xfree(job->state_desc);
	job->state_desc = xstrdup(reason);
	touched();
	return 0;
}
