/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the constraints that a job puts on its nodes in turn, to find suitable nodes or the
 * constraint that leaves too few. */
#include "plugins/compat/job.h"
#include "plugins/compat/job_update.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/wire/texts.h"
#include "plugins/compat/bits.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"

/* A kind of constraint: whether a node meets it, and how it was written. */
struct constraint {
	bool (*meets)(const struct rspb_job *view, uint32_t node);
	/* Used instead of meets: keep only the nodes that meet it. */
	void (*keep)(const job_record_t *job, struct rspb_nodeset *nodes);
	void (*tell)(const job_record_t *job, char *text, size_t size);
	/* Whether the job requests any of it. NULL: the constraint applies to every job, as a node
	 * may lack what all jobs need. */
	bool (*asked)(const job_record_t *job);
};

/* Every job needs a CPU, which also drops places without a node. */
static void keep_cpus(const job_record_t *job, struct rspb_nodeset *nodes)
{
	uint32_t least = job->details->pn_min_cpus;

	rspb_node_drop_smaller(nodes, least ? least : 1);
}

static void tell_cpus(const job_record_t *job, char *text, size_t size)
{
	snprintf(text, size,
		 "--cpus-per-task, --ntasks-per-node or --mincpus "
		 "(%u CPUs on a node)",
		 job->details->pn_min_cpus);
}

static bool meets_memory(const struct rspb_job *view, uint32_t n)
{
	const job_details_t *details = ((const job_record_t *) view->handle)->details;
	const node_record_t *node = node_record_table_ptr[n];
	uint64_t memory = details->pn_min_memory;

	/* The number is MB of each CPU if the flag is set. pn_min_cpus is the fewest CPUs of a node
	 * that the job accepts. */
	if (memory & MEM_PER_CPU)
		memory = (memory & ~MEM_PER_CPU) *
			 (details->pn_min_cpus ? details->pn_min_cpus : 1);
	/* MemSpecLimit is kept for the system. */
	return memory <= node->real_memory - node->mem_spec_limit;
}

static bool asked_memory(const job_record_t *job)
{
	return job->details->pn_min_memory & ~MEM_PER_CPU;
}

static void tell_memory(const job_record_t *job, char *text, size_t size)
{
	uint64_t memory = job->details->pn_min_memory;

	snprintf(text, size, "--mem%s=%" PRIu64 "M", memory & MEM_PER_CPU ? "-per-cpu" : "",
		 memory & ~MEM_PER_CPU);
}

/* Compare --tmp with TmpDisk of the node, both in MB. Slurm does not count what is in use there. */
static bool meets_disk(const struct rspb_job *view, uint32_t n)
{
	const job_record_t *job = view->handle;

	return job->details->pn_min_tmp_disk <= node_record_table_ptr[n]->tmp_disk;
}

static bool asked_disk(const job_record_t *job)
{
	return job->details->pn_min_tmp_disk;
}

static void tell_disk(const job_record_t *job, char *text, size_t size)
{
	snprintf(text, size, "--tmp=%uM", job->details->pn_min_tmp_disk);
}

static bool asked_gres(const job_record_t *job)
{
	return job->gres_list_req;
}

/* Quote one of the options by which a job can request generic resources, in the order of
 * preference. */
static void tell_gres(const job_record_t *job, char *text, size_t size)
{
	/* The first text that is there is quoted; 80 characters are enough to recognise it. */
	const char *what = job->tres_per_node	  ? job->tres_per_node
			   : job->tres_per_job	  ? job->tres_per_job
			   : job->tres_per_task	  ? job->tres_per_task
			   : job->tres_per_socket ? job->tres_per_socket
						  : "...";

	snprintf(text, size, "--gres or --gpus (%.80s)", what);
}

/* The order is that of the blame: rspb_job_lacks() names the first that leaves too few nodes. */
static const struct constraint constraints[] = {
	{ NULL, keep_cpus, tell_cpus, NULL },
	{ meets_memory, NULL, tell_memory, asked_memory },
	{ meets_disk, NULL, tell_disk, asked_disk },
	{ rspb_job_gres_fit, NULL, tell_gres, asked_gres },
};
enum { N_CONSTRAINTS = sizeof(constraints) / sizeof(constraints[0]) };

/* Remove the nodes that do not meet a constraint. */
static void narrow(const struct rspb_job *view, const struct constraint *constraint,
		   struct rspb_nodeset *nodes)
{
	const job_record_t *job = view->handle;

	if (constraint->asked && !constraint->asked(job))
		return;
	if (constraint->keep) {
		constraint->keep(job, nodes);
		return;
	}
	for (uint32_t n = rspb_nodeset_next(nodes, 0); n < nodes->width;
	     n = rspb_nodeset_next(nodes, n + 1)) {
		const node_record_t *node = node_record_table_ptr[n];

		if (!rspb_record_there(node) || !constraint->meets(view, n))
			rspb_nodeset_remove(nodes, n);
	}
}

/* RET the nodes of the partition that --exclude leaves; the caller frees them. */
static bitstr_t *open_nodes(const job_record_t *job)
{
	bitstr_t *bits = rspb_node_those_there(job->part_ptr->node_bitmap);

	if (job->details->exc_node_bitmap)
		bit_and_not(bits, job->details->exc_node_bitmap);
	return bits;
}

/* Keep the nodes with the features that a job wants. Slurm writes the nodes of each feature into
 * the list of the job, so that the write lock is needed. RET 0, or an error of Slurm. */
static int keep_featured(job_record_t *job, bitstr_t *bits)
{
	bool has_xor;

	if (!job->details->features)
		return SLURM_SUCCESS;
	return valid_feature_counts(job, false, bits, &has_xor);
}

static void take_bits(bitstr_t *bits, struct rspb_nodeset *out)
{
	rspb_nodeset_clear(out);
	rspb_bits_add(bits, out);
}

int rspb_job_eligible(const struct rspb_job *view, struct rspb_nodeset *out, struct rspb_err *err)
{
	job_record_t *job = view->handle;
	bitstr_t *bits;

	if (!job->details || !job->part_ptr || !job->part_ptr->node_bitmap)
		return rspb_fail(err, "job %u has no partition", job->job_id);
	bits = open_nodes(job);
	if (keep_featured(job, bits)) {
		bit_free(bits);
		return rspb_fail(err, "--constraint=%s: no node has these features",
				 job->details->features ? job->details->features : "");
	}
	take_bits(bits, out);
	bit_free(bits);
	/* Whole bitmaps have been combined up to here; these look at each node that is left. */
	for (int i = 0; i < N_CONSTRAINTS; i++)
		narrow(view, &constraints[i], out);
	return 0;
}

/* RET whether `have` nodes are too few, with the sentence in err. */
static bool too_few(const char *what, const job_record_t *job, uint32_t have, uint32_t before,
		    uint32_t needed, struct rspb_err *err)
{
	if (have >= needed)
		return false;
	if (!have) {
		rspb_fail(err, "%s: none of the %u nodes of partition %s has that", what, before,
			  job->part_ptr->name);
		return true;
	}
	rspb_fail(err, "%s: only %u of the %u nodes of partition %s %s that, and %u %s needed",
		  what, have, before, job->part_ptr->name, have == 1 ? "has" : "have", needed,
		  needed == 1 ? "is" : "are");
	return true;
}

int rspb_job_lacks(const struct rspb_job *view, uint32_t needed, struct rspb_nodeset *scratch,
		   struct rspb_err *err)
{
	job_record_t *job = view->handle;
	/* The steps are those of rspb_job_eligible(), with a count after each. */
	bitstr_t *bits = open_nodes(job);
	uint32_t have = bit_set_count(bits);
	bool excluded = job->details->exc_node_bitmap &&
			bit_overlap_any(job->details->exc_node_bitmap, job->part_ptr->node_bitmap);
	char what[192];

	if (have < needed) {
		bit_free(bits);
		if (!have)
			return rspb_fail(err, "--nodes=%u: partition %s has no node%s", needed,
					 job->part_ptr->name,
					 excluded ? " that is not excluded" : "");
		return rspb_fail(err, "--nodes=%u: partition %s has only %u node%s%s", needed,
				 job->part_ptr->name, have, have == 1 ? "" : "s",
				 excluded ? " that are not excluded" : "");
	}
	keep_featured(job, bits);
	take_bits(bits, scratch);
	bit_free(bits);
	snprintf(what, sizeof(what), "--constraint=%.128s",
		 job->details->features ? job->details->features : "");
	if (too_few(what, job, rspb_nodeset_count(scratch), have, needed, err))
		return -1;
	for (int i = 0; i < N_CONSTRAINTS; i++) {
		have = rspb_nodeset_count(scratch);
		narrow(view, &constraints[i], scratch);
		constraints[i].tell(job, what, sizeof(what));
		if (too_few(what, job, rspb_nodeset_count(scratch), have, needed, err))
			return -1;
	}
	return rspb_fail(err,
			 "only %u nodes of partition %s fit this request, and its tasks, CPUs or "
			 "GPUs need more",
			 rspb_nodeset_count(scratch), job->part_ptr->name);
}

/* A refused call changes nothing. */
int rspb_job_set_features(job_record_t *job, const char *features, bool had, struct rspb_err *err)
{
	job_details_t *details = job->details;
	job_details_t old = *details;
	bool used;

	if (!IS_JOB_PENDING(job))
		return rspb_fail(err, "job %u is not pending", job->job_id);
	if (rspb_unfold_features_check("--constraint", features, err))
		return -1;
	/* features_use points to these features or to those of --prefer. In the first case it must
	 * follow, since the old text is freed. */
	used = old.features_use == old.features;
	details->features = *features ? xstrdup(features) : NULL;
	details->feature_list = NULL;
	/* Slurm reads the text into feature_list, also if no node has the features. */
	if (details->features && rspb_release_features(job) != SLURM_SUCCESS &&
	    (!had || !details->feature_list)) {
		xfree(details->features);
		FREE_NULL_LIST(details->feature_list);
		details->features = old.features;
		details->feature_list = old.feature_list;
		return rspb_fail(err,
				 "--constraint=%.80s: no node has these features, or the "
				 "constraint cannot be read",
				 features);
	}
	if (used) {
		details->features_use = details->features;
		details->feature_list_use = details->feature_list;
	}
	/* The old ones were kept up to here, so that they could be put back. */
	xfree(old.features);
	FREE_NULL_LIST(old.feature_list);
	rspb_ctld_touched(RSPB_CHANGED_JOBS);
	return 0;
}
