/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a job of what a request says, for Slurm's own tests. It gets no number, and no
 * place in Slurm's table. */
#include "plugins/compat/submit/draft_internal.h"

#include <string.h>

#include "common/wire/texts.h"
#include "plugins/compat/abi.h"
#include "plugins/compat/bits.h"
#include "plugins/compat/release/licenses.h"

part_record_t *rspb_draft_part(const char *name, struct rspb_err *err)
{
	part_record_t *part;

	if (!name) {
		if (!default_part_loc)
			rspb_fail(err, "--partition: no partition was given, and the site has no "
				       "default partition");
		return default_part_loc;
	}
	if (strchr(name, ',')) {
		rspb_fail(err, "--partition=%s: a booking has one partition; name one", name);
		return NULL;
	}
	part = find_part_record((char *) name);
	if (!part || !part->node_bitmap)
		rspb_fail(err, "--partition=%s: there is no such partition, or it has no nodes",
			  name);
	return part && part->node_bitmap ? part : NULL;
}

struct rspb_draft *rspb_draft_create(const char *partition, struct rspb_err *err)
{
	part_record_t *part = rspb_draft_part(partition, err);
	struct rspb_draft *draft;

	if (!part)
		return NULL;
	draft = xmalloc(sizeof(*draft));
	draft->job.magic = JOB_MAGIC;
	draft->details.magic = DETAILS_MAGIC;
	draft->job.details = &draft->details;
	draft->job.part_ptr = part;
	/* These values say "not given" in the records that Slurm makes itself. */
	draft->job.array_task_id = NO_VAL;
	draft->job.time_limit = NO_VAL;
	draft->job.deadline = (time_t) NO_VAL;
	draft->details.min_nodes = 1;
	draft->details.pn_min_cpus = 1;
	draft->details.cpus_per_task = 1;
	draft->details.ntasks_per_node = NO_VAL16;
	draft->details.max_cpus = NO_VAL;
	draft->details.core_spec = NO_VAL16;
	/* Whole nodes are assumed unless the partition never gives a job all CPUs of one. */
	draft->details.whole_node = part->max_cpus_per_node == INFINITE;
	return draft;
}

void rspb_draft_destroy(struct rspb_draft *draft)
{
	if (!draft)
		return;
	xfree(draft->details.features);
	xfree(draft->details.mc_ptr);
	FREE_NULL_LIST(draft->details.feature_list);
	FREE_NULL_BITMAP(draft->details.exc_node_bitmap);
	FREE_NULL_BITMAP(draft->details.req_node_bitmap);
	FREE_NULL_LIST(draft->job.gres_list_req);
	FREE_NULL_LIST(draft->job.gres_list_req_accum); /* Slurm's test of the job makes it */
	FREE_NULL_LIST(draft->job.license_list);
	FREE_NULL_BITMAP(draft->qos.preempt_bitstr);
	/* The record's own pointers to such texts are these, or those of a submission. */
	xfree(draft->tres_node);
	xfree(draft->tres_job);
	xfree(draft->tres_task);
	xfree(draft);
}

int rspb_draft_features(struct rspb_draft *draft, const char *features, struct rspb_err *err)
{
	int rc;

	/* Slurm's function writes into the record. It may be called only after the layout of a
	 * real job was compared with that of this build. */
	if (!rspb_abi_job_known())
		return rspb_fail(
			err,
			"--constraint=%s: features can be checked only after slurmctld has had a "
			"job, which shows that the plugin was built for it; submit any job first",
			features);
	if (rspb_unfold_features_check("--constraint", features, err))
		return -1;
	draft->details.features = xstrdup(features);
	/* Slurm's reader accepts features of any node, not only of those in the partition. */
	rc = rspb_release_features(&draft->job);
	if (rc == SLURM_SUCCESS)
		return 0;
	return rspb_fail(err,
			 "--constraint=%s: no node has these features, or the constraint "
			 "cannot be read",
			 features);
}

int rspb_draft_nodes(const char *flag, const char *names, bitstr_t **out, struct rspb_err *err)
{
	return names && *names ? rspb_bits_named(flag, names, out, err) : 0;
}

/* Fill in what the request says. Each task has a CPU, and so has each node, at least. RET 0, or
 * -1 with err; the caller destroys the draft then. */
static int fill(struct rspb_draft *draft, const struct rspb_terms *terms, const char *features,
		struct rspb_err *err)
{
	job_details_t *details = &draft->details;
	uint32_t each = terms->cpus_task ? terms->cpus_task : 1;
	uint32_t cpus = terms->tasks * each;
	/* A job that names no number of nodes asks for one at least, as in Slurm. */
	uint32_t least = rspb_terms_least(terms) ? rspb_terms_least(terms) : 1;

	if (rspb_draft_nodes("--nodelist", terms->nodelist, &details->req_node_bitmap, err) ||
	    rspb_draft_nodes("--exclude", terms->exclude, &details->exc_node_bitmap, err))
		return -1;
	draft->job.bit_flags |= (terms->tasks ? JOB_NTASKS_SET : 0) |
				(terms->cpus_task ? JOB_CPUS_SET : 0);
	details->min_nodes = least;
	details->max_nodes = terms->nodes;
	details->num_tasks = terms->tasks;
	details->cpus_per_task = (uint16_t) each;
	details->pn_min_cpus = (uint16_t) each;
	details->min_cpus = cpus > least ? cpus : least;
	if (features && rspb_draft_features(draft, features, err))
		return -1;
	if (!terms->licenses[0])
		return 0;
	draft->job.license_list = rspb_release_licenses_read((char *) terms->licenses);
	return draft->job.license_list ? 0
				       : rspb_fail(err,
						   "--licenses=%s: the site has no such license, "
						   "or not as many, or the option cannot be read",
						   terms->licenses);
}

struct rspb_draft *rspb_draft_of_nodes(const struct rspb_terms *terms, const char *partition,
				       const char *features, struct rspb_err *err)
{
	struct rspb_draft *draft = rspb_draft_create(partition, err);

	if (!draft || !fill(draft, terms, features, err))
		return draft;
	rspb_draft_destroy(draft);
	return NULL;
}

void rspb_draft_view(const struct rspb_draft *draft, struct rspb_job *out)
{
	rspb_job_view((void *) &draft->job, out);
}
