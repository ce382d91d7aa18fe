/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes a job off its nodes, also off those that may run it although slurmctld believes that it
 * waits: the third part of job_edit.h. */
#include "plugins/compat/job_edit.h"

#include <signal.h>

#include "plugins/compat/bits.h"
#include "plugins/compat/ctld.h"
#include "src/slurmctld/agent.h"
#include "src/slurmctld/ping_nodes.h"

/* Queue a message to nodes. The threads of the agent of Slurm send it later and free it, so that
 * nothing waits here under the lock. */
static void ask(agent_arg_t *agent, slurm_msg_type_t what, const char *nodes)
{
	agent->msg_type = what;
	agent->hostlist = hostlist_create(nodes);
	agent->node_count = (uint32_t) hostlist_count(agent->hostlist);
	agent->protocol_version = SLURM_PROTOCOL_VERSION;
	set_agent_arg_r_uid(agent, SLURM_AUTH_UID_ANY);
	agent_queue_request(agent);
}

/* Kill at once what is left of the job on its nodes. The message by which Slurm ends a job would
 * let it continue for KillWait, time that its new run would lack. */
static void kill_steps(const job_record_t *job, uint16_t flags)
{
	signal_tasks_msg_t *message = xmalloc(sizeof(*message));
	agent_arg_t *agent = xmalloc(sizeof(*agent));

	message->flags = flags;
	message->signal = SIGKILL;
	message->step_id.job_id = job->job_id;
	message->step_id.step_id = NO_VAL;
	message->step_id.step_het_comp = NO_VAL;
	agent->msg_args = message;
	ask(agent, REQUEST_SIGNAL_TASKS, job->nodes);
}

/* Mark the nodes as completing, as make_node_comp() does for a job that has run. Slurm takes the
 * marks away when each node has reported its epilog. The counts of running jobs stay, as slurmctld
 * counted none here. */
static void expect_word_of(job_record_t *job)
{
	int n;

	job->cpu_cnt = 0;
	for (n = 0; n < node_record_count; n++) {
		node_record_t *node = node_record_table_ptr[n];

		if (!bit_test(job->node_bitmap, n))
			continue;
		node->comp_job_cnt++;
		node->node_state |= NODE_STATE_COMPLETING;
		bit_set(cg_node_bitmap, n);
		job->cpu_cnt += node->config_ptr->cpus;
	}
	last_node_update = time(NULL);
}

/* Slurm does not wait for the epilog of a node that is down. */
static bitstr_t *nodes_that_answer(const struct rspb_nodeset *nodes)
{
	bitstr_t *bits = rspb_bits_make(nodes);
	int n;

	for (n = 0; n < node_record_count; n++)
		if (bit_test(bits, n) &&
		    (!node_record_table_ptr[n] || IS_NODE_DOWN(node_record_table_ptr[n])))
			bit_clear(bits, n);
	return bits;
}

/* Wait no longer for nodes that do not answer. */
static void give_up_silent(job_record_t *job)
{
	bitstr_t *left;
	int n;

	if (!job->node_bitmap_cg)
		return;
	/* A copy, because Slurm frees the bitmap of the job with the last epilog. */
	left = bit_copy(job->node_bitmap_cg);
	for (n = 0; n < node_record_count; n++)
		if (bit_test(left, n) && node_record_table_ptr[n] &&
		    rspb_record_silent(node_record_table_ptr[n]))
			rspb_release_epilog_complete(job, node_record_table_ptr[n]->name);
	bit_free(left);
}

int rspb_job_clear(uint32_t id, const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	job_record_t *job = find_job_record(id);
	bitstr_t *bits;

	if (!job || !job->details || !IS_JOB_PENDING(job))
		return rspb_fail(err, "job %u is not pending", id);
	if (!nodes && IS_JOB_COMPLETING(job))
		give_up_silent(job);
	if (!nodes || IS_JOB_COMPLETING(job))
		return 0;
	bits = nodes_that_answer(nodes);
	/* No node is left that could be asked. */
	if (bit_ffs(bits) < 0) {
		bit_free(bits);
		return 0;
	}
	FREE_NULL_BITMAP(job->node_bitmap);
	xfree(job->nodes);
	xfree(job->nodes_completing);
	job->node_bitmap = bits;
	job->nodes = bitmap2node_name(bits);
	job->node_cnt = (uint32_t) bit_set_count(bits);
	job->end_time = time(NULL);
	rspb_release_state_add(job, JOB_COMPLETING);
	build_cg_bitmap(job);
	expect_word_of(job);
	/* Slurm returns the licenses of a job when its last node is clean, so they are taken
	 * first. */
	rspb_release_license_get(job);
	kill_steps(job, KILL_FULL_JOB);
	kill_steps(job, KILL_STEPS_ONLY);
	re_kill_job(job);
	last_job_update = time(NULL);
	return 0;
}

bool rspb_job_ask_node(uint32_t id, bool doubt)
{
	job_record_t *job = find_job_record(id);
	node_record_t *node = job && job->batch_host ? find_node_record(job->batch_host) : NULL;

	if (!node || !job->batch_flag || !IS_JOB_RUNNING(job) || IS_JOB_CONFIGURING(job) ||
	    (!doubt && node->slurmd_start_time < job->start_time))
		return false;
	/* When slurmctld reads a job at its start, it notes that it has just heard of it. */
	if (doubt && job->time_last_active > job->start_time)
		job->time_last_active = job->start_time;
	ping_begin(); /* which the answer ends */
	ask(xmalloc(sizeof(agent_arg_t)), REQUEST_NODE_REGISTRATION_STATUS, node->name);
	return true;
}

/* With these flags job_signal() only sends signals. Without them it would end the job as cancelled,
 * but its state is to be TIMEOUT. */
static void kill_at_once(job_record_t *job)
{
	job_signal(job, SIGKILL, KILL_STEPS_ONLY, 0, false);
	if (job->batch_flag)
		job_signal(job, SIGKILL, KILL_JOB_BATCH | KILL_FULL_JOB, 0, false);
}

static int time_out(job_record_t *job, bool at_once, struct rspb_err *err)
{
	time_t now = time(NULL);

	if (!(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)))
		return rspb_fail(err, "job %u is not running", job->job_id);
	/* Processes that are stopped, or that do not run yet, cannot react to SIGTERM. */
	if (IS_JOB_SUSPENDED(job) || IS_JOB_CONFIGURING(job))
		return job_signal(job, SIGKILL, 0, 0, false)
			       ? rspb_fail(err, "job %u cannot be ended", job->job_id)
			       : 0;
	if (at_once)
		kill_at_once(job);
	srun_timeout(job);
	job->end_time = now;
	job->time_last_active = now;
	rspb_release_state_set(job, JOB_TIMEOUT | JOB_COMPLETING);
	job->state_reason = FAIL_TIMEOUT;
	xfree(job->state_desc);
	build_cg_bitmap(job);
	job_completion_logger(job, false);
	/* The nodes send SIGTERM, and SIGKILL after KillWait. */
	deallocate_nodes(job, true, false, false);
	last_job_update = now;
	return 0;
}

/* Show the reason to a user who waits at a terminal. */
static void show(job_record_t *job, const char *why)
{
	/* Slurm takes a text that is not constant. */
	char *line = job->batch_flag ? NULL : xstrdup(why);

	if (line)
		srun_user_message(job, line);
	xfree(line);
}

static int evict(job_record_t *job, const char *why, struct rspb_err *err)
{
	/* The owner finds the reason there, also in accounting; users cannot write there. */
	xstrfmtcat(job->system_comment, "%s%s", job->system_comment ? "; " : "", why);
	show(job, why);
	if (job->batch_flag && job->details->requeue && !job->het_job_id &&
	    rspb_release_requeue(job) == SLURM_SUCCESS)
		return 0;
	return time_out(job, false, err);
}

static int cancel(job_record_t *job, const char *reason)
{
	if (IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job))
		rspb_job_make_so(job->job_id, &(struct rspb_job_wanted){ .reservation = "" }, NULL);
	job_signal(job, SIGKILL, 0, 0, false);
	xfree(job->state_desc);
	job->state_desc = xstrdup(reason);
	rspb_ctld_touched(RSPB_CHANGED_JOBS);
	return 0;
}

int rspb_job_end(uint32_t id, enum rspb_job_end how, const char *reason, struct rspb_err *err)
{
	job_record_t *job = find_job_record(id);

	if (!job || !job->details)
		return rspb_fail(err, "job %u no longer exists", id);
	if (how == RSPB_JOB_DISMISS)
		show(job, reason);
	if (how == RSPB_JOB_CANCEL || how == RSPB_JOB_DISMISS)
		return cancel(job, reason);
	if (how == RSPB_JOB_EVICT)
		return evict(job, reason, err);
	return time_out(job, how == RSPB_JOB_TIME_OUT_NOW, err);
}
