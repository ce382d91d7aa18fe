/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers whether Slurm itself would start a job, before anything is promised: by its partition,
 * its limits, and the selection plugin. */
#include "plugins/compat/job.h"

#include <stdio.h>
#include <string.h>

#include "plugins/compat/bits.h"
#include "plugins/compat/job_pick.h"
#include "plugins/compat/limit/members.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/release/licenses.h"
#include "src/common/assoc_mgr.h"

/* RET the state of a partition that starts no jobs, NULL: it starts them. A draining partition only
 * takes no new jobs. */
static const char *closed(const part_record_t *part)
{
	switch (part->state_up) {
	case PARTITION_UP:
	case PARTITION_DRAIN:
		return NULL;
	case PARTITION_DOWN:
		return "DOWN";
	default:
		return "INACTIVE";
	}
}

static int check_open(const struct rspb_job *view, struct rspb_err *err)
{
	const job_record_t *job = view->handle;
	const char *state = job->part_ptr ? closed(job->part_ptr) : NULL;

	if (!state)
		return 0;
	return rspb_fail(err, "partition %s is %s and starts no jobs until an operator opens it",
			 job->part_ptr->name, state);
}

bool rspb_job_bereft(const struct rspb_job *view, char *text, size_t size)
{
	const job_record_t *job = view->handle;

	if (!IS_JOB_NODE_FAILED(job))
		return false;
	if (!job->part_ptr)
		snprintf(text, size, "partition %.100s was deleted, and Slurm has ended its job",
			 job->partition ? job->partition : "of it");
	/* A job that names no nodes was ended for another reason. */
	else if (job->details && job->details->req_nodes)
		snprintf(text, size,
			 "its job names nodes that were deleted (%.100s), and Slurm has ended it",
			 job->details->req_nodes);
	else
		return false;
	return true;
}

int rspb_job_barred(const struct rspb_job *view, unsigned int bars, struct rspb_err *err)
{
	if (bars & RSPB_BAR_HOLD && !view->priority)
		return rspb_fail(err, "job %u is held", view->id);
	if (bars & RSPB_BAR_HOLD && view->dependent)
		return rspb_fail(err, "job %u waits for other jobs", view->id);
	if (bars & RSPB_BAR_OWNER && rspb_member_admitted(view, err))
		return -1;
	if (bars & RSPB_BAR_PARTITION && check_open(view, err))
		return -1;
	return bars & RSPB_BAR_LICENSES ? rspb_job_licenses_fixed(view, err) : 0;
}

static uint32_t qos_flags(const job_record_t *job)
{
	return job->qos_ptr ? job->qos_ptr->flags : 0;
}

static const char *counted_feature(const job_record_t *job)
{
	const char *counted = NULL;
	job_feature_t *feature;
	list_itr_t *iter;

	if (!job->details || !job->details->feature_list)
		return NULL;
	iter = list_iterator_create(job->details->feature_list);
	while (!counted && (feature = list_next(iter)))
		if (feature->count)
			counted = feature->name;
	list_iterator_destroy(iter);
	return counted;
}

/* The default of Slurm for max_switch_wait. */
enum { USUAL_SWITCH_WAIT_S = 300 };

static int64_t switch_wait(const job_record_t *job)
{
	static const char key[] = "max_switch_wait=";
	const char *set = xstrcasestr(slurm_conf.sched_params, key);
	int64_t most = set ? atol(set + sizeof(key) - 1) : USUAL_SWITCH_WAIT_S;

	return job->wait4switch < most ? job->wait4switch : 0;
}

struct rspb_job_bounds rspb_job_bounds(const struct rspb_job *view)
{
	const job_record_t *job = view->handle;
	const part_record_t *part = job->part_ptr;
	struct rspb_job_bounds bounds = {
		.most = UINT32_MAX,
		.devices = rspb_gres_devices(job),
		.counted = counted_feature(job),
		.contiguous = job->details && job->details->contiguous,
		/* Slurm looks for nodes without a gap only, whatever their switches are. */
		.leaves = job->details && job->details->contiguous ? 0 : job->req_switch,
		.leaves_for = switch_wait(job),
	};

	/* A partition that was deleted sets no bounds. A QOS may lift those of a partition
	 * (Flags=PartitionMinNodes, PartitionMaxNodes). */
	if (part && !(qos_flags(job) & QOS_FLAG_PART_MIN_NODE))
		bounds.least = part->min_nodes;
	if (part && !(qos_flags(job) & QOS_FLAG_PART_MAX_NODE))
		bounds.most = part->max_nodes;
	return bounds;
}

/* RET a reason if the partition does not accept the user, account or QOS of the job. From Slurm
 * 23.11 on job_limits_check() looks at these only where EnforcePartLimits is set, but
 * select_nodes() always does. */
static uint32_t shut_out(job_record_t *job)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	part_record_t *part = job->part_ptr;
	char *account;
	bool in;

	/* The name of the account is in the association, which may change meanwhile. */
	assoc_mgr_lock(&locks);
	account = job->assoc_ptr ? job->assoc_ptr->acct : NULL;
	in = validate_group(part, job->user_id) && !part_policy_valid_acct(part, account, NULL) &&
	     !rspb_release_qos_check(part, job);
	assoc_mgr_unlock(&locks);
	return in ? WAIT_NO_REASON : WAIT_PART_CONFIG;
}

/* Check the limits of the partition, which Slurm does before each start. A partition that is down
 * passes: what Slurm does not check then is judged when it is up again (observe/update.c). */
static int within_limits(job_record_t *job, struct rspb_err *err)
{
	/* Slurm answers with a reason to wait; WAIT_NO_REASON means none. */
	uint32_t reason = job_limits_check(&job, false);
	const part_record_t *part = job->part_ptr;

	if (reason == WAIT_NO_REASON || reason == WAIT_PART_DOWN || reason == WAIT_PART_INACTIVE)
		reason = shut_out(job);
	switch (reason) {
	case WAIT_NO_REASON:
		return 0;
	case WAIT_PART_TIME_LIMIT:
		return rspb_fail(err, "partition %s allows %u minutes, and the job requests %u",
				 part->name, part->max_time, job->time_limit);
	case WAIT_PART_CONFIG:
		return rspb_fail(err,
				 "partition %s does not accept this job because of its account, "
				 "QOS, groups or limits",
				 part->name);
	default:
		return rspb_fail(err, "the limits of partition %s do not allow the job (%s)",
				 part->name, rspb_release_reason(reason));
	}
}

/* Check that the partition still has the nodes: some may have left it since the job was
 * submitted. */
static int in_partition(const job_record_t *job, bitstr_t *bits, struct rspb_err *err)
{
	const part_record_t *part = job->part_ptr;
	bitstr_t *gone = bit_copy(bits);
	char *names;
	int rc = 0;

	if (part->node_bitmap)
		bit_and_not(gone, part->node_bitmap);
	if (bit_ffs(gone) >= 0) {
		names = bitmap2node_name(gone);
		rc = rspb_fail(err, "partition %s does not have %.200s", part->name, names);
		xfree(names);
	}
	bit_free(gone);
	return rc;
}

/* Ask the selection plugin, which is offered these nodes alone and must take all of them. RET 0, or
 * -1 with err. */
static int fits(const struct rspb_job *view, const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	int all = rspb_job_takes_all(view, nodes);
	bitstr_t *bits;
	char *names;

	if (all)
		return all > 0 ? 0 : rspb_fail(err, "out of memory");
	bits = rspb_bits_make(nodes);
	names = bitmap2node_name(bits);
	rspb_fail(err,
		  "Slurm would not start the job on %.200s: its tasks, CPUs, memory or generic "
		  "resources do not fit there",
		  names ? names : "these nodes");
	xfree(names);
	bit_free(bits);
	return -1;
}

/* RET 0; -1 with the sentence: Slurm holds the job for want of licenses, and they are still
 * missing. */
static int has_licenses(const job_record_t *job, struct rspb_err *err)
{
	list_t *list;

	if (!rspb_release_license_hold(job))
		return 0;
	list = rspb_release_licenses_read(job->licenses);
	if (!list)
		return rspb_fail(err,
				 "it cannot start: the site has fewer licenses than its job "
				 "requests (%.100s)",
				 job->licenses);
	FREE_NULL_LIST(list);
	return 0;
}

int rspb_job_would_start(const struct rspb_job *view, const struct rspb_nodeset *nodes, bool whole,
			 struct rspb_err *err)
{
	job_record_t *job = view->handle;
	const struct rspb_job_bounds may = rspb_job_bounds(view);
	uint32_t count = rspb_nodeset_count(nodes);
	bitstr_t *bits;
	int rc;

	/* The cheap checks come first: the selection plugin takes most of the time. */
	if (rspb_member_admitted(view, err) || has_licenses(job, err))
		return -1;
	/* Without an upper bound the sentence names only the lower one. */
	if (count < may.least && may.most == UINT32_MAX)
		return rspb_fail(err,
				 "partition %s requires at least %u nodes for a job, and this "
				 "would be %u",
				 job->part_ptr->name, may.least, count);
	if (count < may.least || count > may.most)
		return rspb_fail(err,
				 "partition %s allows %u to %u nodes for a job, and this would "
				 "be %u",
				 job->part_ptr->name, may.least, may.most, count);
	bits = rspb_bits_make(nodes);
	rc = in_partition(job, bits, err) || within_limits(job, err) ? -1 : 0;
	bit_free(bits);
	/* A part of such a job is asked about with its own cores (parts/layout.c). */
	return rc || (!whole && rspb_job_one_task(job)) ? rc : fits(view, nodes, err);
}

/* Whether a limit is for a single job and so keeps it out for ever, unlike limits on all that runs
 * at a time. */
static bool for_ever(uint32_t reason)
{
	static const uint32_t reasons[] = {
		WAIT_ASSOC_MAX_CPU_PER_JOB,	     WAIT_QOS_MAX_CPU_PER_JOB,
		WAIT_ASSOC_MAX_CPU_MINS_PER_JOB,     WAIT_QOS_MAX_CPU_MINS_PER_JOB,
		WAIT_ASSOC_MAX_NODE_PER_JOB,	     WAIT_QOS_MAX_NODE_PER_JOB,
		WAIT_ASSOC_MAX_NODE_MINS_PER_JOB,    WAIT_QOS_MAX_NODE_MINS_PER_JOB,
		WAIT_ASSOC_MAX_WALL_PER_JOB,	     WAIT_QOS_MAX_WALL_PER_JOB,
		WAIT_ASSOC_MAX_MEM_PER_JOB,	     WAIT_QOS_MAX_MEM_PER_JOB,
		WAIT_ASSOC_MAX_MEM_MINS_PER_JOB,     WAIT_QOS_MAX_MEM_MINS_PER_JOB,
		WAIT_ASSOC_MAX_GRES_PER_JOB,	     WAIT_QOS_MAX_GRES_PER_JOB,
		WAIT_ASSOC_MAX_GRES_MINS_PER_JOB,    WAIT_QOS_MAX_GRES_MINS_PER_JOB,
		WAIT_ASSOC_MAX_BILLING_PER_JOB,	     WAIT_QOS_MAX_BILLING_PER_JOB,
		WAIT_ASSOC_MAX_UNK_PER_JOB,	     WAIT_QOS_MAX_UNK_PER_JOB,
		WAIT_ASSOC_MAX_UNK_MINS_PER_JOB,     WAIT_QOS_MAX_UNK_MINS_PER_JOB,
		WAIT_ASSOC_MAX_LIC_PER_JOB,	     WAIT_QOS_MAX_LIC_PER_JOB,
		WAIT_ASSOC_MAX_LIC_MINS_PER_JOB,     WAIT_QOS_MAX_LIC_MINS_PER_JOB,
		WAIT_ASSOC_MAX_BILLING_MINS_PER_JOB, WAIT_QOS_MAX_BILLING_MINS_PER_JOB,
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i] == reason)
			return true;
	return false;
}

/* RET the limit that never lets the job run. Slurm stops at the first limit that keeps it waiting,
 * which may be one that passes. Therefore the second check is asked whatever the first answers. */
static const char *refused(job_record_t *job, uint64_t *tres)
{
	if (!acct_policy_job_runnable_pre_select(job, false) && for_ever(job->state_reason))
		return rspb_release_reason(job->state_reason);
	if (!acct_policy_job_runnable_post_select(job, tres, false) && for_ever(job->state_reason))
		return rspb_release_reason(job->state_reason);
	return NULL;
}

/* Fill in the TRES that the job would have with so many nodes and CPUs, as Slurm computes them. It
 * multiplies --mem-per-cpu by the CPUs, and --mem by the nodes. */
static void fill_tres(const job_record_t *job, uint32_t nodes, uint64_t cpus, uint64_t *tres)
{
	uint64_t memory = job->details ? job->details->pn_min_memory : 0;
	const part_record_t *part = job->part_ptr;

	tres[TRES_ARRAY_NODE] = nodes;
	if (cpus > tres[TRES_ARRAY_CPU])
		tres[TRES_ARRAY_CPU] = cpus;
	/* Without a request for memory the count of the request stays. */
	if (memory & MEM_PER_CPU)
		tres[TRES_ARRAY_MEM] = (memory & ~MEM_PER_CPU) * tres[TRES_ARRAY_CPU];
	else if (memory)
		tres[TRES_ARRAY_MEM] = memory * nodes;
	tres[TRES_ARRAY_BILLING] = (uint64_t) assoc_mgr_tres_weighted(
		tres, part ? part->billing_weights : NULL, slurm_conf.priority_flags, false);
}

const char *rspb_job_never(const struct rspb_job *view, uint32_t nodes, uint64_t cpus)
{
	job_record_t *job = view->handle;
	size_t size = slurmctld_tres_cnt * sizeof(*job->tres_req_cnt);
	uint64_t *tres;
	uint32_t reason = job->state_reason;
	char *text = job->state_desc;
	const char *why = NULL;

	/* Without enforcement Slurm checks no limits of associations and QOS. */
	if (!slurm_conf.accounting_storage_enforce || !job->tres_req_cnt)
		return NULL;
	tres = xmalloc(size);
	/* The counts of the job itself are for what it requested, not for what it would be
	 * granted. */
	memcpy(tres, job->tres_req_cnt, size);
	fill_tres(job, nodes, cpus, tres);
	/* Slurm writes the limit into the reason of the job. Its old reason and text are put back,
	 * as the job was not tried. */
	job->state_desc = NULL;
	why = refused(job, tres);
	if (!why)
		why = rspb_job_fixed_limit(job, tres);
	xfree(tres);
	xfree(job->state_desc);
	job->state_desc = text;
	job->state_reason = reason;
	return why;
}
