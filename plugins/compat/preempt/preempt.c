/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks Slurm's preempt plugin who makes way for whom, and has one make way. Who is to
 * is decided elsewhere (decide/preempt). */
#include "plugins/compat/preempt/preempt.h"

#include "plugins/compat/release/preempt.h"
#include "plugins/compat/slurm.h"
#include "src/common/assoc_mgr.h"

/* Make the record that preempt plugins compare: the scheduler has one for each job in its queue. */
static job_queue_rec_t as_queued(job_record_t *job)
{
	return (job_queue_rec_t){
		.array_task_id = job->array_task_id,
		.job_id = job->job_id,
		.job_ptr = job,
		.part_ptr = job->part_ptr,
		.priority = job->priority,
	};
}

/* As Slurm's plugins have it: preempt/qos goes by QOS, all else by partition. */
static int64_t grace_of(const job_record_t *job)
{
	if (!xstrcmp(slurm_conf.preempt_type, "preempt/qos"))
		return job->qos_ptr ? job->qos_ptr->grace_time : 0;
	return job->part_ptr->grace_time;
}

/* RET until when nobody may preempt the job (PreemptExemptTime). Slurm reads it from the QOS of
 * the job and its partition, under their lock, or from slurm.conf. */
static int64_t exempt_until(job_record_t *job)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	time_t until;

	assoc_mgr_lock(&locks);
	until = acct_policy_get_preemptable_time(job);
	assoc_mgr_unlock(&locks);
	return until;
}

/* Whether a job is heterogeneous. Each component would have to be asked, and Slurm keeps notes
 * in the first one. */
static bool heterogeneous(const job_record_t *job)
{
	return job->het_job_id || job->het_job_list;
}

/* Slurm's gang scheduler suspends for partitions that stand higher alone: by QOS both may
 * be on a level, and then they run at once, or take turns. */
static bool stands_higher(const job_record_t *by, const job_record_t *victim)
{
	return by->part_ptr->priority_tier > victim->part_ptr->priority_tier;
}

static bool suspended_by(uint16_t mode)
{
	return mode == PREEMPT_MODE_SUSPEND && (slurm_conf.preempt_mode & PREEMPT_MODE_GANG);
}

bool rspb_preempt_suspends(const struct rspb_job *view)
{
	job_record_t *job = view->handle;

	return slurm_preemption_enabled() && job->part_ptr && !heterogeneous(job) &&
	       suspended_by(slurm_job_preempt_mode(job));
}

bool rspb_preempt_way(const struct rspb_job *by_view, const struct rspb_job *victim_view,
		      struct rspb_way *way)
{
	job_record_t *by = by_view->handle, *victim = victim_view->handle;
	job_queue_rec_t first, second;
	uint16_t mode;
	bool suspends;

	if (!by->part_ptr || !victim->part_ptr || heterogeneous(victim) ||
	    !by->part_ptr->node_bitmap || !victim->part_ptr->node_bitmap ||
	    !(IS_JOB_RUNNING(victim) || IS_JOB_SUSPENDED(victim)))
		return false;
	mode = slurm_job_preempt_mode(victim);
	first = as_queued(by);
	second = as_queued(victim);
	if (mode == PREEMPT_MODE_OFF || rspb_release_exempt(victim->priority) ||
	    !preempt_g_job_preempt_check(&first, &second))
		return false;
	suspends = suspended_by(mode);
	if (suspends && !stands_higher(by, victim))
		return false;
	*way = (struct rspb_way){
		.from = exempt_until(victim),
		.grace = grace_of(victim),
		.suspends = suspends,
		.told = victim->preempt_time,
	};
	return true;
}

void rspb_preempt(uint32_t victim_id, uint32_t by_id)
{
	job_record_t *victim = find_job_record(victim_id);
	job_record_t *by = find_job_record(by_id);

	/* The jobs were chosen before, and may have ended since. */
	if (victim && by && IS_JOB_RUNNING(victim))
		slurm_job_preempt(victim, by, slurm_job_preempt_mode(victim), true);
}

bool rspb_preempt_end(uint32_t victim_id)
{
	job_record_t *victim = find_job_record(victim_id);
	uint16_t mode;

	if (!victim || !victim->preempt_time || !IS_JOB_RUNNING(victim))
		return false;
	/* Slurm kills a job of any other mode here. */
	mode = slurm_job_preempt_mode(victim);
	return (mode == PREEMPT_MODE_REQUEUE || mode == PREEMPT_MODE_CANCEL) &&
	       slurm_job_preempt(victim, NULL, mode, false) == SLURM_SUCCESS;
}
