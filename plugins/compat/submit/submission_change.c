/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what an update of a job would change of its booking, and whether the job could run with
 * that. It changes no booking. */
#include "plugins/compat/submit/submission.h"

#include <stddef.h>

#include "plugins/compat/bits.h"
#include "plugins/compat/job.h"
#include "plugins/compat/node.h"
#include "plugins/compat/submit/draft.h"

/* How a setting that an update leaves alone looks like. */
enum kind {
	TEXT,	  /* NULL */
	MOMENT,	  /* 0 */
	NUMBER16, /* NO_VAL16 */
	NUMBER32, /* NO_VAL */
	NUMBER64, /* NO_VAL64 */
	RANK,	  /* NO_VAL; a hold changes nothing */
};

struct setting {
	const char *name; /* as scontrol update has it */
	enum kind kind;
	bool placing;
	size_t offset;
};

#define SETTING(name, kind, placing, member)                                                       \
	{                                                                                          \
		name, kind, placing, offsetof(job_desc_msg_t, member)                              \
	}

/* The first of these that an update changes is named to its sender. Those of place and time come
 * first. */
static const struct setting settings[] = {
	SETTING("ReservationName", TEXT, true, reservation),
	SETTING("AdminComment", TEXT, true, admin_comment),
	SETTING("StartTime", MOMENT, true, begin_time),
	SETTING("EndTime", MOMENT, true, end_time),
	SETTING("Deadline", MOMENT, true, deadline),
	SETTING("NumNodes", NUMBER32, true, min_nodes),
	SETTING("NumNodes", NUMBER32, true, max_nodes),
	SETTING("ReqNodeList", TEXT, true, req_nodes),
	SETTING("ExcNodeList", TEXT, true, exc_nodes),
	SETTING("ArrayTaskThrottle", TEXT, true, array_inx),
	SETTING("Partition", TEXT, false, partition),
	SETTING("TimeLimit", NUMBER32, false, time_limit),
	SETTING("TimeMin", NUMBER32, false, time_min),
	SETTING("Priority", RANK, false, priority),
	SETTING("Account", TEXT, false, account),
	SETTING("QOS", TEXT, false, qos),
	SETTING("Dependency", TEXT, false, dependency),
	SETTING("Features", TEXT, false, features),
	SETTING("Licenses", TEXT, false, licenses),
	SETTING("NumTasks", NUMBER32, false, num_tasks),
	SETTING("NumCPUs", NUMBER32, false, min_cpus),
	SETTING("NumCPUs", NUMBER32, false, max_cpus),
	SETTING("MinCPUsNode", NUMBER16, false, pn_min_cpus),
	SETTING("MinMemoryNode", NUMBER64, false, pn_min_memory),
	SETTING("MinTmpDiskNode", NUMBER32, false, pn_min_tmp_disk),
	SETTING("CPUsPerTask", NUMBER16, false, cpus_per_task),
	SETTING("NtasksPerNode", NUMBER16, false, ntasks_per_node),
	SETTING("ReqSockets", NUMBER16, false, sockets_per_node),
	SETTING("ReqCores", NUMBER16, false, cores_per_socket),
	SETTING("ReqThreads", NUMBER16, false, threads_per_core),
	SETTING("OverSubscribe", NUMBER16, false, shared),
	SETTING("Contiguous", NUMBER16, false, contiguous),
	SETTING("CoreSpec", NUMBER16, false, core_spec),
	SETTING("ReqSwitch", NUMBER32, false, req_switch),
	SETTING("TresPerJob", TEXT, false, tres_per_job),
	SETTING("TresPerNode", TEXT, false, tres_per_node),
	SETTING("TresPerSocket", TEXT, false, tres_per_socket),
	SETTING("TresPerTask", TEXT, false, tres_per_task),
	SETTING("CpusPerTres", TEXT, false, cpus_per_tres),
	SETTING("MemPerTres", TEXT, false, mem_per_tres),
};

bool rspb_submission_holds(const job_desc_msg_t *desc)
{
	return !desc->priority || desc->priority == INFINITE;
}

static bool changed(const job_desc_msg_t *desc, const struct setting *setting)
{
	const void *at = (const char *) desc + setting->offset;

	switch (setting->kind) {
	case TEXT:
		return *(char *const *) at != NULL;
	case MOMENT:
		return *(const time_t *) at != 0;
	case NUMBER16:
		return *(const uint16_t *) at != NO_VAL16;
	case NUMBER32:
		return *(const uint32_t *) at != NO_VAL;
	case RANK:
		/* scontrol hold and release set the priority, too, and are allowed. */
		return *(const uint32_t *) at != NO_VAL && !rspb_submission_holds(desc);
	case NUMBER64:
		return *(const uint64_t *) at != NO_VAL64;
	}
	return true;
}

const char *rspb_submission_changes(const job_desc_msg_t *desc, bool placing)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if ((settings[i].placing || !placing) && changed(desc, &settings[i]))
			return settings[i].name;
	return NULL;
}

/* Set the terms to the values by which an update leaves them alone. */
static void forget_terms(job_desc_msg_t *desc)
{
	desc->min_nodes = desc->max_nodes = desc->time_limit = NO_VAL;
	desc->begin_time = desc->deadline = 0;
}

/* Undo forget_terms(). */
static void restore_terms(job_desc_msg_t *desc, const job_desc_msg_t *from)
{
	desc->min_nodes = from->min_nodes;
	desc->max_nodes = from->max_nodes;
	desc->time_limit = from->time_limit;
	desc->begin_time = from->begin_time;
	desc->deadline = from->deadline;
}

/* Read the terms of an update. RET 0, or -1 with err: no booking can have such ones. */
static int read_terms(const job_desc_msg_t *desc, struct rspb_terms *out, struct rspb_err *err)
{
	uint32_t most = desc->max_nodes;

	if (desc->time_limit == INFINITE || !desc->time_limit)
		return rspb_fail(err, "TimeLimit: a booking has a length of "
				      "whole minutes");
	if (desc->min_nodes != NO_VAL && most && most != NO_VAL && most != desc->min_nodes)
		return rspb_fail(err, "NumNodes: a booking can be changed to one number of "
				      "nodes, not to a range");
	if (desc->min_nodes != NO_VAL && (!desc->min_nodes || desc->min_nodes > INT32_MAX))
		return rspb_fail(err, "NumNodes: %u is not allowed; give 1 or more",
				 desc->min_nodes);
	*out = (struct rspb_terms){
		.nodes = desc->min_nodes == NO_VAL ? 0 : desc->min_nodes,
		.duration = desc->time_limit == NO_VAL ? 0 : (int64_t) desc->time_limit * 60,
		.ready = desc->begin_time,
		.deadline = desc->deadline == (time_t) NO_VAL ? 0 : desc->deadline,
	};
	return 0;
}

int rspb_submission_terms(job_desc_msg_t *desc, struct rspb_terms *out, struct rspb_err *err)
{
	const job_desc_msg_t was = *desc;

	if (was.min_nodes == NO_VAL && was.max_nodes == NO_VAL && was.time_limit == NO_VAL &&
	    !was.begin_time && !was.deadline)
		return 0;
	/* An update is taken as a whole: if it changes anything else of the booking as well, the
	 * caller judges all of it. */
	forget_terms(desc);
	if (rspb_submission_changes(desc, false)) {
		restore_terms(desc, &was);
		return 0;
	}
	if (!read_terms(&was, out, err))
		return 1;
	restore_terms(desc, &was);
	return -1;
}

/* The job's own value where the update leaves it alone. */
#define KEPT(value, none, kept) ((value) == (none) ? (kept) : (value))

/* The submission of a job that would be as an update makes this one. Its texts
 * are those of the two. */
static void merge(const job_desc_msg_t *desc, const job_record_t *job, job_desc_msg_t *out)
{
	const job_details_t *has = job->details;

	slurm_init_job_desc_msg(out);
	out->partition = KEPT(desc->partition, NULL, job->partition);
	out->features = KEPT(desc->features, NULL, has->features);
	out->min_nodes = has->min_nodes;
	out->max_nodes = has->max_nodes;
	out->num_tasks = KEPT(desc->num_tasks, NO_VAL, has->num_tasks);
	out->min_cpus = KEPT(desc->min_cpus, NO_VAL, has->min_cpus);
	out->pn_min_cpus = KEPT(desc->pn_min_cpus, NO_VAL16, has->pn_min_cpus);
	out->pn_min_memory = KEPT(desc->pn_min_memory, NO_VAL64, has->pn_min_memory);
	out->pn_min_tmp_disk = KEPT(desc->pn_min_tmp_disk, NO_VAL, has->pn_min_tmp_disk);
	out->cpus_per_task = KEPT(desc->cpus_per_task, NO_VAL16, has->cpus_per_task);
	out->ntasks_per_node = KEPT(desc->ntasks_per_node, NO_VAL16, has->ntasks_per_node);
	out->tres_per_job = KEPT(desc->tres_per_job, NULL, job->tres_per_job);
	out->tres_per_node = KEPT(desc->tres_per_node, NULL, job->tres_per_node);
	out->tres_per_socket = KEPT(desc->tres_per_socket, NULL, job->tres_per_socket);
	out->tres_per_task = KEPT(desc->tres_per_task, NULL, job->tres_per_task);
}

/* RET the CPUs of these nodes. A job cannot have more. */
static uint64_t cpus_of(const struct rspb_nodeset *nodes)
{
	uint64_t cpus = 0;

	RSPB_NODESET_EACH (n, nodes)
		cpus += rspb_node_cpus(n);
	return cpus;
}

/* RET 0, or -1 with the sentence why a job like this cannot have the nodes,
 * which are lost. */
static int can_have(const struct rspb_job *job, struct rspb_nodeset *nodes,
		    struct rspb_nodeset *eligible, struct rspb_err *err)
{
	const struct rspb_job_bounds may = rspb_job_bounds(job);
	uint32_t n = rspb_nodeset_count(nodes);
	uint64_t cpus = cpus_of(nodes);

	if (n < may.least || n > may.most)
		return rspb_fail(err, "the partition allows %u to %u nodes for a job", may.least,
				 may.most);
	if (cpus < job->cpus)
		return rspb_fail(err,
				 "its nodes have %llu CPUs, and it would need "
				 "%u",
				 (unsigned long long) cpus, job->cpus);
	if (rspb_job_eligible(job, eligible, err))
		return -1;
	/* The nodes that remain are those that the job could not have. */
	rspb_nodeset_minus(nodes, eligible);
	if (rspb_nodeset_empty(nodes))
		return 0;
	return rspb_fail(err,
			 "%u of its %u nodes do not have what it would need "
			 "(partition, features, memory, CPUs, --gres)",
			 rspb_nodeset_count(nodes), n);
}

int rspb_submission_fits(const job_desc_msg_t *desc, const job_record_t *job, bool lent,
			 struct rspb_err *err)
{
	const slurmctld_resv_t *resv = job->resv_ptr;
	struct rspb_nodeset *nodes, *eligible;
	struct rspb_draft *draft;
	struct rspb_job view;
	job_desc_msg_t merged;
	int rc = -1;

	/* A job that runs has its nodes. A booking whose reservation does not exist yet has none
	 * to compare with here. */
	if (!resv || !resv->node_bitmap || !IS_JOB_PENDING(job))
		return 0;
	merge(desc, job, &merged);
	/* The job as it would be passes the tests of a new submission. */
	draft = rspb_draft_of_submission(&merged, lent, err);
	if (!draft)
		return -1;
	rspb_draft_view(draft, &view);
	nodes = rspb_nodeset_create(rspb_node_width());
	eligible = rspb_nodeset_create(rspb_node_width());
	if (nodes && eligible) {
		rspb_bits_add(resv->node_bitmap, nodes);
		rc = can_have(&view, nodes, eligible, err);
	} else {
		rspb_fail(err, "out of memory");
	}
	rspb_nodeset_destroy(nodes);
	rspb_nodeset_destroy(eligible);
	rspb_draft_destroy(draft);
	return rc;
}
