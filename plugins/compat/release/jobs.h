/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hides the differences between releases of Slurm in jobs. */
#ifndef RSPB_PLUGINS_COMPAT_RELEASE_JOBS_H
#define RSPB_PLUGINS_COMPAT_RELEASE_JOBS_H

#include "plugins/compat/release/headers.h"
#include "src/slurmctld/acct_policy.h"
#include "src/slurmctld/licenses.h"

#ifndef RSPB_HAVE_JOB_DETAILS_T
typedef struct job_details job_details_t;
#endif
/* Between features of which all nodes of a job have the same one; the name is of
 * 23.02. */
#ifndef FEATURE_OP_MOR
#define FEATURE_OP_MOR FEATURE_OP_XOR
#endif

/* The most nodes that a job asks for, 0 where it says nothing of that: 26.05 sets
 * as many as it has tasks then, and schedules it by the least. */
static inline uint32_t rspb_release_nodes_max(const job_record_t *job)
{
#ifdef JOB_IMPLICIT_MAX_NODES
	if (job->bit_flags & JOB_IMPLICIT_MAX_NODES)
		return 0;
#endif
	return job->details->max_nodes;
}

/* Note that the job now says how many nodes it asks for. */
static inline void rspb_release_nodes_set(job_record_t *job, uint32_t least, uint32_t most)
{
#ifdef JOB_IMPLICIT_MAX_NODES
	job->bit_flags &= ~JOB_IMPLICIT_MAX_NODES;
#endif
	job->details->min_nodes = least;
	job->details->max_nodes = most;
}

/* A job's state, with its flags; from 23.11 on Slurm keeps a table of states
 * beside the jobs, which a plain assignment would not reach. */
static inline void rspb_release_state_set(job_record_t *job, uint32_t state)
{
#ifdef RSPB_HAVE_JOB_STATE_SET
	job_state_set(job, state);
#else
	job->job_state = state;
#endif
}

static inline void rspb_release_state_add(job_record_t *job, uint32_t flag)
{
#ifdef RSPB_HAVE_JOB_STATE_SET
	job_state_set_flag(job, flag);
#else
	job->job_state |= flag;
#endif
}

static inline void rspb_release_state_drop(job_record_t *job, uint32_t flag)
{
#ifdef RSPB_HAVE_JOB_STATE_SET
	job_state_unset_flag(job, flag);
#else
	job->job_state &= ~flag;
#endif
}

/* Release a job that Slurm held because it did not find the reservation. RET whether it was: from
 * 23.11 on when it begins, from 26.05 on by its priority, also one that runs, which would be held
 * once it is requeued. */
static inline bool rspb_release_resv_hold(job_record_t *job)
{
#ifdef RSPB_HAVE_JOB_STATE_SET
	if (!(job->job_state & JOB_RESV_DEL_HOLD) || job->state_reason != WAIT_RESV_INVALID)
		return false;
	rspb_release_state_set(job, job->job_state & ~JOB_RESV_DEL_HOLD);
	xfree(job->state_desc);
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 5, 0)
	set_job_prio(job);
#endif
	return true;
#else
	(void) job;
	return false;
#endif
}

/* Note that the job has a reservation again. A job that a user had held before stays held; 26.05
 * keeps nothing that would tell these apart. */
static inline void rspb_release_resv_found(job_record_t *job)
{
	if (!rspb_release_resv_hold(job))
		return;
	job->state_reason = job->priority ? WAIT_RESERVATION : WAIT_HELD;
}

/* Note that the job runs and is not held: Slurm says that it is behind a crash where it had saved
 * the job and not its reservation. */
static inline void rspb_release_not_held(job_record_t *job)
{
	if (rspb_release_resv_hold(job))
		job->state_reason = WAIT_NO_REASON;
}

/* Give it nodes now, as Slurm's main scheduler does. RET Slurm's code. */
static inline int rspb_release_select_nodes(job_record_t *job)
{
#ifdef RSPB_HAVE_JOB_NODE_SELECT
	job_node_select_t select = { .job_ptr = job };

	return select_nodes(&select, false, false, SLURMDB_JOB_FLAG_SCHED);
#else
	return select_nodes(job, false, NULL, NULL, false, SLURMDB_JOB_FLAG_SCHED);
#endif
}

/* A node has nothing left of it. */
static inline void rspb_release_epilog_complete(job_record_t *job, char *node)
{
#ifdef RSPB_HAVE_EPILOG_RECORD
	job_epilog_complete(job, node, SLURM_SUCCESS);
#else
	job_epilog_complete(job->job_id, node, SLURM_SUCCESS);
#endif
}

/* Back into the queue, as if preempted. RET Slurm's code. */
static inline int rspb_release_requeue(job_record_t *job)
{
#ifdef RSPB_HAVE_REQUEUE_INTERNAL
	return job_requeue_internal(0, job, true, 0);
#else
	return job_requeue(0, job->job_id, NULL, true, 0);
#endif
}

/* An update is of this job. */
static inline void rspb_release_desc_for(job_desc_msg_t *desc, const job_record_t *job)
{
#ifdef RSPB_HAVE_DESC_STEP_ID
	desc->step_id.job_id = job->job_id;
#else
	desc->job_id = job->job_id;
#endif
}

/* Whether its tasks share the CPUs of one of them on each node (--overcommit): until 24.05
 * for which see below. */
static inline bool rspb_release_crowds(const job_record_t *job)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	(void) job;
	return false;
#else
	return job->details->overcommit;
#endif
}

/* Whether it can't have all of its nodes, as it may have more tasks than CPUs: from 24.05
 * on Slurm counts a CPU for each task of such a job, whatever --overcommit says. */
static inline bool rspb_release_overcrowds(const job_desc_msg_t *desc)
{
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 5, 0)
	return desc->overcommit == 1;
#else
	(void) desc;
	return false;
#endif
}

/* Count the job as a waiting one again. */
static inline void rspb_release_count_submitted(job_record_t *job)
{
#ifdef RSPB_HAVE_SUBMIT_LOCK
	acct_policy_add_job_submit(job, false);
#else
	acct_policy_add_job_submit(job);
#endif
}

/* The first task that waits of an array leaves its record, which is the returned one
 * then. */
static inline job_record_t *rspb_release_array_split(job_record_t *job)
{
#ifdef RSPB_HAVE_ARRAY_LIST_ADD
	return job_array_split(job, true);
#else
	return job_array_split(job);
#endif
}

/* The only one that is left of it has the record for itself. */
static inline void rspb_release_array_last(job_record_t *job)
{
#ifdef RSPB_HAVE_ARRAY_LIST_ADD
	(void) job_array_post_sched(job, true);
#else
	(void) job_array_post_sched(job);
#endif
}

static inline int rspb_release_license_get(job_record_t *job)
{
#ifdef RSPB_HAVE_LICENSE_RESTORE
	return license_job_get(job, false);
#else
	return license_job_get(job);
#endif
}

/* Its features as a list, from their text. RET Slurm's code. */
static inline int rspb_release_features(job_record_t *job)
{
#ifdef RSPB_HAVE_FEATURES_OF_RESV
	return build_feature_list(job, false, false);
#else
	return build_feature_list(job, false);
#endif
}

static inline const char *rspb_release_reason(enum job_state_reason reason)
{
#ifdef RSPB_HAVE_STATE_REASON
	return job_state_reason_string(reason);
#else
	return job_reason_string(reason);
#endif
}

/* Whether what a job waits for, by the look at it last, is a limit of its account
 * or QOS. */
static inline bool rspb_release_limit_holds(job_record_t *job)
{
#ifdef RSPB_HAVE_REASON_CHECK
	return job_state_reason_check(job->state_reason, JSR_QOS_GRP | JSR_QOS_ASSOC);
#else
	return !acct_policy_job_runnable_state(job);
#endif
}

/* RET Slurm's code: whether the partition takes jobs of its QOS. */
static inline int rspb_release_qos_check(part_record_t *part, const job_record_t *job)
{
#ifdef RSPB_HAVE_QOS_SUBMITTER
	return part_policy_valid_qos(part, job->qos_ptr, job->user_id, NULL);
#else
	return part_policy_valid_qos(part, job->qos_ptr, NULL);
#endif
}

/* Take over how many nodes of a job are to be in one block each time (--segment). */
static inline void rspb_release_segments(const job_desc_msg_t *desc, job_details_t *details)
{
#ifdef RSPB_HAVE_SEGMENTS
	if (desc->segment_size != NO_VAL16)
		details->segment_size = desc->segment_size;
#else
	(void) desc;
	(void) details;
#endif
}

/* --- generic resources --- */

/* The prefix of a kind in a submission. */
#ifdef RSPB_HAVE_RESV_EXC
#define RSPB_RELEASE_GRES "gres/"
#else
#define RSPB_RELEASE_GRES "gres:"
#endif

/* Make the list of what a submission asks for (out, in Slurm's memory). Slurm
 * corrects the numbers that it is given: copies will do. RET Slurm's code. */
static inline int rspb_release_gres(const job_desc_msg_t *desc, list_t **out)
{
	uint32_t tasks = desc->num_tasks, min = desc->min_nodes, max = desc->max_nodes;
	uint16_t per_node = desc->ntasks_per_node, per_socket = desc->ntasks_per_socket,
		 sockets = desc->sockets_per_node, cpus = desc->cpus_per_task,
		 per_tres = desc->ntasks_per_tres;
#ifdef RSPB_HAVE_GRES_VALIDATE_T
	uint32_t least = desc->min_cpus;
	gres_job_state_validate_t asked = {
		.cpus_per_tres = desc->cpus_per_tres,
		.mem_per_tres = desc->mem_per_tres,
		.tres_freq = desc->tres_freq,
		.tres_per_job = desc->tres_per_job,
		.tres_per_node = desc->tres_per_node,
		.tres_per_socket = desc->tres_per_socket,
		.tres_per_task = desc->tres_per_task,
		.cpus_per_task = &cpus,
		.max_nodes = &max,
		.min_cpus = &least,
		.min_nodes = &min,
		.ntasks_per_node = &per_node,
		.ntasks_per_socket = &per_socket,
		.ntasks_per_tres = &per_tres,
		.num_tasks = &tasks,
		.sockets_per_node = &sockets,
		.gres_list = out,
	};

	return gres_job_state_validate(&asked);
#else
	return gres_job_state_validate(desc->cpus_per_tres, desc->tres_freq, desc->tres_per_job,
				       desc->tres_per_node, desc->tres_per_socket,
				       desc->tres_per_task, desc->mem_per_tres, &tasks, &min, &max,
				       &per_node, &per_socket, &sockets, &cpus, &per_tres, out);
#endif
}

#endif
