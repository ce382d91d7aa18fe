/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes what a waiting job asks of its nodes by Slurm's own update, or puts back
 * what it had. How much that may be is not judged. */
#include "plugins/compat/parts/needs.h"

#include <string.h>

#include "plugins/compat/job_update.h"
#include "plugins/compat/slurm.h"
#include "plugins/compat/submit/draft_internal.h"

/* Copy a text of generic resources. RET 0, or -1 with err: it is too long, or has blanks, which
 * separate the members of the text of them (record/promise.h). */
static int keep(const char *text, char out[RSPB_NEEDS_GRES], struct rspb_err *err)
{
	size_t len = text ? strlen(text) : 0;

	if (len >= RSPB_NEEDS_GRES || (len && strpbrk(text, " \t\n")))
		return rspb_fail(err,
				 "%.60s...: its generic resources are described in too much text "
				 "to be changed",
				 text);
	memcpy(out, text ? text : "", len + 1);
	return 0;
}

int rspb_needs_of(uint32_t id, struct rspb_needs *out, struct rspb_err *err)
{
	const job_record_t *job = find_job_record(id);
	const job_details_t *details = job ? job->details : NULL;

	if (!details || !IS_JOB_PENDING(job))
		return rspb_fail(err, "job %u is not pending", id);
	*out = (struct rspb_needs){
		.tasks = details->num_tasks,
		.cpus = details->min_cpus,
		.cpus_task = details->cpus_per_task,
		.cpus_node = details->pn_min_cpus,
		.memory = details->pn_min_memory,
	};
	if (keep(job->tres_per_job, out->job, err) || keep(job->tres_per_node, out->node, err) ||
	    keep(job->tres_per_task, out->task, err))
		return -1;
	return 0;
}

/* Replace the devices that are given, of the job, of each node or of each task. The other two
 * stay as they were. RET 0, or -1 with err. */
static int change_gres(struct rspb_needs *needs, const struct rspb_terms *said,
		       struct rspb_err *err)
{
	char *node = NULL, *job = NULL, *task = NULL;
	int rc = 0;

	rspb_draft_tres(&node, "", said->gres);
	rspb_draft_tres(&node, "gpu:", said->gpus_node);
	rspb_draft_tres(&job, "gpu:", said->gpus);
	rspb_draft_tres(&task, "gpu:", said->gpus_task);
	if (node)
		rc = keep(node, needs->node, err);
	if (job && !rc)
		rc = keep(job, needs->job, err);
	if (task && !rc)
		rc = keep(task, needs->task, err);
	xfree(node);
	xfree(job);
	xfree(task);
	return rc;
}

int rspb_needs_change(struct rspb_needs *needs, uint32_t nodes, const struct rspb_terms *said,
		      struct rspb_err *err)
{
	uint32_t was = needs->cpus_task, tasks;

	if (said->tasks)
		needs->tasks = said->tasks;
	if (said->cpus_task) {
		needs->cpus_task = said->cpus_task;
		/* Slurm sets the CPUs of each node to those of a task, unless the user asks for
		 * more. */
		if (needs->cpus_node == was || needs->cpus_node < said->cpus_task)
			needs->cpus_node = said->cpus_task;
	}
	tasks = needs->tasks > nodes ? needs->tasks : nodes;
	if (said->tasks || said->cpus_task)
		needs->cpus = tasks * (needs->cpus_task ? needs->cpus_task : 1);
	if (said->mem)
		needs->memory = said->mem;
	else if (said->mem_cpu)
		needs->memory = said->mem_cpu | MEM_PER_CPU;
	return change_gres(needs, said, err);
}

/* --- to be so ------------------------------------------------------------------- */

/* The device fields taken from the job, because Slurm would add to them; it counts from nothing
 * then. */
struct devices {
	char *job, *node, *task;
	void *list;
};

static bool same(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b);
}

/* RET the device fields of a job, which has none until the update, or put(), gives it some. */
static struct devices take_devices(job_record_t *job)
{
	const struct devices had = { job->tres_per_job, job->tres_per_node, job->tres_per_task,
				     job->gres_list_req };

	job->tres_per_job = job->tres_per_node = job->tres_per_task = NULL;
	job->gres_list_req = NULL;
	return had;
}

/* Give the job its old device fields again, after Slurm refused others. */
static void put(job_record_t *job, struct devices *had)
{
	FREE_NULL_LIST(job->gres_list_req);
	xfree(job->tres_per_job);
	xfree(job->tres_per_node);
	xfree(job->tres_per_task);
	job->tres_per_job = had->job;
	job->tres_per_node = had->node;
	job->tres_per_task = had->task;
	job->gres_list_req = had->list;
}

/* Free the old device fields after the update has made new ones. */
static void forget(struct devices *had)
{
	FREE_NULL_LIST(had->list);
	xfree(had->job);
	xfree(had->node);
	xfree(had->task);
}

static char *said(const char *text)
{
	return *text ? xstrdup(text) : NULL;
}

/* Fill an update with the values that differ. Slurm would check all others again for nothing. */
static void fill(job_desc_msg_t *desc, const job_record_t *job, const struct rspb_needs *to,
		 bool devices)
{
	const job_details_t *had = job->details;

	slurm_init_job_desc_msg(desc);
	if (to->tasks && to->tasks != had->num_tasks)
		desc->num_tasks = to->tasks;
	if (to->cpus_task && to->cpus_task != had->cpus_per_task)
		desc->cpus_per_task = (uint16_t) to->cpus_task;
	if (to->cpus_node && to->cpus_node != had->pn_min_cpus)
		desc->pn_min_cpus = (uint16_t) to->cpus_node;
	/* Slurm would count them from one of these alone. */
	if (to->cpus != had->min_cpus || desc->num_tasks != NO_VAL || desc->pn_min_cpus != NO_VAL16)
		desc->min_cpus = to->cpus;
	if (to->memory != had->pn_min_memory)
		desc->pn_min_memory = to->memory ? to->memory : MEM_PER_CPU;
	if (!devices)
		return;
	desc->tres_per_job = said(to->job);
	desc->tres_per_node = said(to->node);
	desc->tres_per_task = said(to->task);
	desc->cpus_per_tres = xstrdup(job->cpus_per_tres);
}

/* The numbers that an update of the needs changes in a job's record. */
struct counts {
	uint32_t tasks, cpus, orig_cpus, most_cpus, orig_most, nodes, most_nodes, node_cpus,
		orig_node;
	uint16_t task_cpus, orig_task;
	uint64_t memory, orig_memory;
};

static struct counts counts_of(const job_details_t *has)
{
	return (struct counts){
		.tasks = has->num_tasks,
		.cpus = has->min_cpus,
		.orig_cpus = has->orig_min_cpus,
		.most_cpus = has->max_cpus,
		.orig_most = has->orig_max_cpus,
		.nodes = has->min_nodes,
		.most_nodes = has->max_nodes,
		.node_cpus = has->pn_min_cpus,
		.orig_node = has->orig_pn_min_cpus,
		.task_cpus = has->cpus_per_task,
		.orig_task = has->orig_cpus_per_task,
		.memory = has->pn_min_memory,
		.orig_memory = has->orig_pn_min_memory,
	};
}

static void put_counts(job_details_t *to, const struct counts *had)
{
	to->num_tasks = had->tasks;
	to->min_cpus = had->cpus;
	to->orig_min_cpus = had->orig_cpus;
	to->max_cpus = had->most_cpus;
	to->orig_max_cpus = had->orig_most;
	to->min_nodes = had->nodes;
	to->max_nodes = had->most_nodes;
	to->pn_min_cpus = had->node_cpus;
	to->orig_pn_min_cpus = had->orig_node;
	to->cpus_per_task = had->task_cpus;
	to->orig_cpus_per_task = had->orig_task;
	to->pn_min_memory = had->memory;
	to->orig_pn_min_memory = had->orig_memory;
}

/* Slurm changes a record member by member, and keeps those that it changed before it refuses one.
 * They are put back then. */
static int update(job_record_t *job, const struct rspb_needs *to)
{
	bool devices = !same(job->tres_per_job, to->job) || !same(job->tres_per_node, to->node) ||
		       !same(job->tres_per_task, to->task);
	struct devices had = { NULL, NULL, NULL, NULL };
	struct counts before = counts_of(job->details);
	job_desc_msg_t desc;
	int rc;

	/* The job is compared while it still has its device fields. */
	fill(&desc, job, to, devices);
	if (devices)
		had = take_devices(job);
	rc = rspb_job_update(job, &desc);
	xfree(desc.tres_per_job);
	xfree(desc.tres_per_node);
	xfree(desc.tres_per_task);
	xfree(desc.cpus_per_tres);
	if (rc != SLURM_SUCCESS)
		put_counts(job->details, &before);
	if (devices && rc != SLURM_SUCCESS)
		put(job, &had);
	else
		forget(&had);
	return rc;
}

/* Tell the script how many GPUs it gets: "gres:gpu:2" of Slurm is 2 of sbatch. If there are
 * none, or other kinds follow, the script keeps what sbatch wrote. */
static void tell_gpus(job_details_t *details, const char *name, const char *text)
{
	const char *gpus = strstr(text, "gpu:");

	if (gpus && !strchr(gpus, ','))
		rspb_job_env_set(details, name, gpus + strlen("gpu:"));
	else
		rspb_job_env_drop(details, name);
}

/* Set the variables of its script that sbatch derived from values that have changed. */
static void tell_needs(job_details_t *details, const struct rspb_needs *was,
		       const struct rspb_needs *to)
{
	bool each = to->memory & MEM_PER_CPU;

	if (was->tasks != to->tasks) {
		rspb_job_env_number(details, "SLURM_NTASKS", to->tasks);
		rspb_job_env_number(details, "SLURM_NPROCS", to->tasks);
	}
	if (was->cpus_task != to->cpus_task)
		rspb_job_env_number(details, "SLURM_CPUS_PER_TASK", to->cpus_task);
	if (was->memory != to->memory) {
		rspb_job_env_number(details, each ? "SLURM_MEM_PER_CPU" : "SLURM_MEM_PER_NODE",
				    to->memory & ~MEM_PER_CPU);
		rspb_job_env_drop(details, each ? "SLURM_MEM_PER_NODE" : "SLURM_MEM_PER_CPU");
	}
	if (strcmp(was->job, to->job) != 0)
		tell_gpus(details, "SLURM_GPUS", to->job);
	if (strcmp(was->node, to->node) != 0)
		tell_gpus(details, "SLURM_GPUS_PER_NODE", to->node);
	if (strcmp(was->task, to->task) != 0)
		tell_gpus(details, "SLURM_GPUS_PER_TASK", to->task);
}

int rspb_job_set_needs(job_record_t *job, const struct rspb_needs *needs, struct rspb_err *err)
{
	struct rspb_needs was;
	int rc;

	if (rspb_needs_of(job->job_id, &was, err))
		return -1;
	/* The old values were read before: the script is told only of those that differ. */
	rc = update(job, needs);
	if (rc != SLURM_SUCCESS)
		return rspb_fail(err, "Slurm does not accept this change of its job: %s",
				 slurm_strerror(rc));
	tell_needs(job->details, &was, needs);
	return 0;
}
