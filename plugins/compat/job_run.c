/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts jobs and changes those that run: the second part of job_edit.h. */
#include "plugins/compat/job_edit.h"

#include <stdatomic.h>

#include "plugins/compat/abi.h"
#include "plugins/compat/bits.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_update.h"
#include "plugins/compat/parts/share.h"
#include "plugins/compat/release/licenses.h"

/* The schedulers of Slurm must not judge a job that could not start at its second, as they would
 * hold it. A job that is not eligible is left alone. */
enum { KEEP_OFF_S = 30 };

static void keep_off(job_record_t *job)
{
	job->details->begin_time = time(NULL) + KEEP_OFF_S;
	if (job->priority || job->state_reason != FAIL_BAD_CONSTRAINTS)
		return;
	job->state_reason = WAIT_RESERVATION;
	set_job_prio(job);
}

static void release(job_record_t *job, const char *why)
{
	info("rspb: job %u: %s", job->job_id, why);
	job->state_reason = WAIT_RESERVATION;
	xfree(job->state_desc);
	set_job_prio(job);
}

/* Let go a job that Slurm holds for want of licenses, if the site has enough again. Slurm counts
 * licenses by the list, which it forgot, and limits by the numbers, which it set to 0. */
static void lift_license_hold(job_record_t *job)
{
	list_t *list = rspb_release_licenses_parse(job->licenses, true, job->tres_req_cnt);

	if (!list)
		return;
	FREE_NULL_LIST(job->license_list);
	job->license_list = list;
	release(job, "there are enough licenses again; Slurm's hold is lifted");
}

/* Whether the job ended less than a second ago: when it was requeued, or when its last node was
 * clean. A node refuses a launch in the second of the last message that ended the job there. The
 * job would be killed for that. */
static bool just_over(const job_record_t *job)
{
	time_t now = time(NULL);

	return job->time_last_active >= now || job->details->submit_time >= now;
}

/* RET 0; with the reason in err: 3 if the job is being cleaned up after it ended or was put back, 2
 * if it cannot be started for another reason, whatever the state of its nodes. */
static int startable(job_record_t *job, uint32_t id, struct rspb_err *err)
{
	struct rspb_job view;

	if (!job || !job->details) {
		rspb_fail(err, "job %u no longer exists", id);
		return 2;
	}
	if (!IS_JOB_PENDING(job)) {
		rspb_fail(err, "job %u is not pending: it is %s", id,
			  job_state_string(job->job_state));
		return 2;
	}
	if (IS_JOB_COMPLETING(job)) {
		rspb_fail(err, "job %u is still being cleaned up", id);
		return 3;
	}
	if (just_over(job)) {
		rspb_fail(err, "job %u ended less than a second ago", id);
		return 3;
	}
	/* Three holds are by Slurm alone, and are lifted before the job is judged. */
	if (!job->priority && job->state_reason == FAIL_BAD_CONSTRAINTS)
		keep_off(job);
	rspb_job_view(job, &view);
	if (view.launch_lost)
		release(job, "its launch was not confirmed; it is started again");
	if (rspb_release_license_hold(job))
		lift_license_hold(job);
	rspb_job_view(job, &view);
	return rspb_job_barred(&view, RSPB_BARS_START, err) ? 2 : 0;
}

/* Check the licenses, which select_nodes() takes without a check. The time is the start of the
 * booked slot, however late it is: what is reserved after that slot keeps no job off. */
static int license_test(job_record_t *job, struct rspb_err *err)
{
	time_t from = job->resv_ptr ? job->resv_ptr->start_time : time(NULL);

	if (license_job_test(job, from, false) == SLURM_SUCCESS)
		return 0;
	job->state_reason = WAIT_LICENSES;
	xfree(job->state_desc);
	return rspb_fail(err, "job %u: the licenses that it requests are in use (%s)", job->job_id,
			 job->licenses);
}

/* Give a job its nodes. RET 0; 1 if licenses or limits do not allow it now; else -1. Nothing is
 * allocated unless it is 0. */
static int allocate(job_record_t *job, int64_t end, struct rspb_err *err)
{
	uint32_t switches = job->req_switch;
	uint8_t whole = job->details->whole_node;
	int rc;

	if (license_test(job, err))
		return 1;

	/* The loop of the scheduler sets these before it calls select_nodes(). */
	job->details->features_use = job->details->features;
	job->details->feature_list_use = job->details->feature_list;
	/* The nodes are decided, and Slurm must not wait for better ones. */
	job->req_switch = 0;
	rc = rspb_release_select_nodes(job);
	job->req_switch = switches;
	/* Also after a failure: what the selection has changed in the job for its share is put
	 * back. */
	rspb_share_begun(job, whole);
	if (rc != SLURM_SUCCESS && rspb_release_limit_holds(job)) {
		rspb_fail(err,
			  "job %u: a limit of its account or QOS keeps it "
			  "from starting (%s)",
			  job->job_id, rspb_release_reason(job->state_reason));
		keep_off(job);
		return 1;
	}
	if (rc != SLURM_SUCCESS) {
		keep_off(job);
		return rspb_fail(err, "job %u: %s", job->job_id, slurm_strerror(rc));
	}
	/* A late start does not move the end of the booked slot. */
	if (job->end_time > end)
		job->end_time = end;
	return 0;
}

/* Put a component back into the queue because another one could not be started, as backfill does
 * it. It can be tried again when its nodes are clean. */
static void put_back(job_record_t *job)
{
	time_t now = time(NULL);

	job->end_time = now;
	job->time_last_active = now;
	rspb_release_state_set(job, JOB_PENDING | JOB_COMPLETING);
	build_cg_bitmap(job);
	job_completion_logger(job, false);
	deallocate_nodes(job, false, false, false);
	rspb_release_count_submitted(job);
	/* Without a node to wait for no epilog would complete the requeue. */
	if (!job->node_bitmap_cg || bit_ffs(job->node_bitmap_cg) < 0)
		batch_requeue_fini(job);
	last_job_update = now;
}

/* Slurm takes this for a script in slurmctld that has to end before the job begins. The value is
 * above those of Slurm itself, and the largest that it accepts in saved jobs. */
enum { HELD_BACK = 4 };

static bool held_back(const job_record_t *job)
{
	return job->details && job->details->prolog_running == HELD_BACK;
}

static void hold_back(job_record_t *job)
{
	job->details->prolog_running = HELD_BACK;
	rspb_release_state_add(job, JOB_CONFIGURING);
}

/* Let a job begin. Its time counts from now on, as for a job whose nodes had to be booted. */
static void let_go(job_record_t *job)
{
	job->details->prolog_running = 0;
	rspb_release_state_drop(job, JOB_CONFIGURING);
	if (!IS_JOB_RUNNING(job))
		return;
	job->start_time = time(NULL);
	/* Accounting has noted the time at which the job got its nodes. */
	jobacct_storage_g_job_start(acct_db_conn, job);
}

void rspb_job_loses_nodes(void *record)
{
	job_record_t *job = record;

	/* Slurm sends no kill message to the nodes of a job whose prolog script in slurmctld runs.
	 * On the nodes of this job the prolog may run. */
	if (rspb_abi_job_ok(job) && held_back(job))
		job->details->prolog_running = 0;
}

/* Launch a job. Slurm launches all components of a heterogeneous job with the first. */
static void launch(job_record_t *first)
{
	if (!first->batch_flag)
		srun_allocate(first);
	else if (!IS_JOB_CONFIGURING(first))
		launch_job(first);
}

static void begin(const uint32_t *ids, uint32_t n)
{
	bool any = false;

	for (uint32_t i = 0; i < n; i++) {
		job_record_t *job = find_job_record(ids[i]);

		if (!job || !held_back(job))
			continue;
		/* All components begin before the first is launched: Slurm launches none while one
		 * is configuring. */
		let_go(job);
		any = true;
	}
	if (!any || !IS_JOB_RUNNING(find_job_record(ids[0])))
		return;
	last_job_update = time(NULL);
	launch(find_job_record(ids[0]));
}

static void hold_all_back(const uint32_t *ids, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		job_record_t *job = find_job_record(ids[i]);

		/* A slurmctld that starts sets prolog_running of all jobs to 0. */
		if (job && job->details && IS_JOB_RUNNING(job) && IS_JOB_CONFIGURING(job) &&
		    !job->details->prolog_running)
			hold_back(job);
	}
}

void rspb_job_begin(const uint32_t *ids, uint32_t n, bool now)
{
	if (now)
		begin(ids, n);
	else
		hold_all_back(ids, n);
}

/* Allocate nodes before the booked start. Slurm gives out no nodes of a reservation that has not
 * begun, so its start is moved to now for the call. */
static int allocate_ahead(job_record_t *job, int64_t start, int64_t end, struct rspb_err *err)
{
	slurmctld_resv_t *resv = job->resv_ptr;
	time_t now = time(NULL), begins = resv ? resv->start_time : now;
	int rc;

	if (resv && begins > now)
		resv->start_time = now;
	rc = allocate(job, end, err);
	if (resv && begins > now)
		resv->start_time = begins;
	if (rc || start <= now)
		return rc;
	/* The limit counts from the booked start. */
	job->end_time += start - now;
	if (job->end_time > end)
		job->end_time = end;
	/* A configuring job has nodes that must boot, and Slurm begins it when they are up. */
	if (!IS_JOB_CONFIGURING(job))
		hold_back(job);
	return 0;
}

int rspb_job_start(const uint32_t *ids, uint32_t n, int64_t start, int64_t end,
		   struct rspb_err *err)
{
	job_record_t *first = find_job_record(ids[0]);
	uint32_t i;
	int rc;

	for (i = 0; i < n; i++) {
		/* All are judged before any gets nodes: a refusal here leaves nothing to undo. */
		rc = startable(find_job_record(ids[i]), ids[i], err);
		if (rc)
			return rc;
	}
	for (i = 0; i < n; i++) {
		rc = allocate_ahead(find_job_record(ids[i]), start, end, err);
		if (!rc)
			continue;
		/* All or none: those that have nodes already give them up. */
		while (i-- > 0)
			put_back(find_job_record(ids[i]));
		return rc;
	}
	last_job_update = time(NULL);
	if (!held_back(first))
		launch(first);
	for (i = 0; i < n; i++)
		rebuild_job_part_list(find_job_record(ids[i]));
	return 0;
}

/* Set while Slurm makes an update of ours: its job_submit hook, which runs in the same thread, lets
 * it pass. */
static atomic_bool updating;

bool rspb_job_updates(void)
{
	return atomic_load(&updating);
}

int rspb_job_update(job_record_t *job, job_desc_msg_t *desc)
{
	slurm_msg_t message;
	int rc;

	rspb_release_desc_for(desc, job);
	slurm_msg_t_init(&message);
	message.protocol_version = SLURM_PROTOCOL_VERSION;
	message.data = desc;
	atomic_store(&updating, true);
	rc = update_job(&message, 0, false);
	atomic_store(&updating, false);
	return rc;
}

int rspb_job_set_partition(job_record_t *job, const char *partition, struct rspb_err *err)
{
	job_desc_msg_t desc;
	int rc;

	if (!IS_JOB_PENDING(job))
		return rspb_fail(err, "job %u is not pending", job->job_id);
	slurm_init_job_desc_msg(&desc);
	desc.partition = xstrdup(partition);
	rc = rspb_job_update(job, &desc);
	xfree(desc.partition);
	return rc == SLURM_SUCCESS ? 0
				   : rspb_fail(err, "job %u cannot be in partition %s: %s",
					       job->job_id, partition, slurm_strerror(rc));
}

/* Release all but these nodes, as scontrol update NodeList= does; Slurm ends the steps on the
 * others. */
static int give_up_nodes(job_record_t *job, bitstr_t *keep, struct rspb_err *err)
{
	uint64_t record = job->db_index;
	job_desc_msg_t desc;
	int rc;

	if (!IS_JOB_RUNNING(job))
		return rspb_fail(err, "job %u is not running", job->job_id);
	if (!permit_job_shrink())
		return rspb_fail(err,
				 "job %u: slurm.conf does not let jobs release nodes "
				 "(SchedulerParameters=disable_job_shrink)",
				 job->job_id);
	slurm_init_job_desc_msg(&desc);
	desc.req_nodes = bitmap2node_name(keep);
	rc = rspb_job_update(job, &desc);
	xfree(desc.req_nodes);
	rspb_job_keep_record(job, record);
	return rc == SLURM_SUCCESS ? 0
				   : rspb_fail(err, "job %u cannot release nodes: %s", job->job_id,
					       slurm_strerror(rc));
}

int rspb_job_shrink(uint32_t id, const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	job_record_t *job = find_job_record(id);
	bitstr_t *keep;
	int rc = 0;

	if (!job)
		return rspb_fail(err, "job %u no longer exists", id);
	if (!job->node_bitmap)
		return 0;
	keep = rspb_bits_make(nodes);
	if (!bit_super_set(job->node_bitmap, keep)) {
		/* The job may have lost some of the nodes to keep. */
		bit_and(keep, job->node_bitmap);
		rc = give_up_nodes(job, keep, err);
	}
	bit_free(keep);
	return rc;
}
