/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes how much of a node regular jobs may have beside shares, and which of them may be there.
 * The nodes that have shares are not known here. */
#include "plugins/compat/colocate.h"

#include "plugins/compat/colocate_call.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/parts/placed.h"
#include "plugins/compat/resv_internal.h"

static const node_record_t *node_at(uint32_t n)
{
	return n < (uint32_t) node_record_count ? node_record_table_ptr[n] : NULL;
}

/* RET how many cores are kept for a share of percent. A place without a node has none. */
static uint32_t kept_of(const node_record_t *node, uint32_t percent)
{
	return node ? rspb_colocate_kept(percent, node->tot_cores) : 0;
}

/* RET the i-th of the kept cores, by its number on the node. */
static uint32_t core_of(const node_record_t *node, uint32_t i)
{
	uint32_t sockets = node->tot_sockets ? node->tot_sockets : 1;

	/* No node like this was ever seen, but the numbers must stay within the node. */
	if (node->tot_cores % sockets)
		sockets = 1;
	return rspb_colocate_core(i, sockets, node->tot_cores / sockets);
}

/* RET an empty bitmap of the cores of all nodes: those of each node begin at its offset in the core
 * map of Slurm. The caller frees it. */
static bitstr_t *all_cores(void)
{
	return bit_alloc(cr_get_coremap_offset(node_record_count));
}

/* Mark the cores of a node that are kept, in a bitmap of the cores of all nodes. */
static void keep(const node_record_t *node, uint32_t percent, bitstr_t *cores)
{
	uint32_t n = kept_of(node, percent);
	uint32_t first = cr_get_coremap_offset(node->index);

	for (uint32_t i = 0; i < n; i++)
		bit_set(cores, first + core_of(node, i));
}

/* --- jobs that run ------------------------------------------------------ */

/* Whether a job takes neither whole nodes (--exclusive) nor nodes for its user alone (ExclusiveUser
 * of its partition). */
static bool sharing(const job_record_t *job)
{
	return job->details && !job->details->whole_node && job->part_ptr &&
	       !(job->part_ptr->flags & PART_FLAG_EXCLUSIVE_USER);
}

/* Whether Slurm would let the job of a share onto this job's nodes. The job of a share has all
 * generic resources of its nodes to itself, so this one must have none. */
static bool sociable(const job_record_t *job)
{
	return job->job_resrcs && job->job_resrcs->core_bitmap &&
	       job->job_resrcs->node_req == NODE_CR_AVAILABLE && sharing(job) &&
	       !job->gres_list_alloc;
}

/* Whether no core of a job on a node is among `cores`, a bitmap of the cores of all nodes. */
static bool clear_of(const job_record_t *job, uint32_t n, bitstr_t *cores)
{
	bitstr_t *own = rspb_placed_cores(job, n);
	int64_t size = bit_size(cores), first = cr_get_coremap_offset((int) n);
	bool clear = true;

	for (int64_t c = 0; own && clear && c < bit_size(own); c++)
		clear = !bit_test(own, c) || (first + c < size && !bit_test(cores, first + c));
	FREE_NULL_BITMAP(own);
	return clear;
}

/* RET the memory in MB that a job has on a node, 0 also where Slurm does not count memory. */
static uint64_t used_on(const job_record_t *job, uint32_t node)
{
	int place = rspb_placed_in(job, node);

	return place < 0 || !job->job_resrcs->memory_allocated
		       ? 0
		       : job->job_resrcs->memory_allocated[place];
}

/* RET the memory in MB that others than shares may have on a node. */
static uint64_t memory_beside(uint32_t n, uint32_t percent)
{
	const node_record_t *node = node_at(n);

	if (!node || node->real_memory <= node->mem_spec_limit)
		return 0;
	/* MemSpecLimit is kept from all jobs, so only the rest is divided. */
	return rspb_colocate_rest(percent, node->real_memory - node->mem_spec_limit);
}

bool rspb_colocate_job(const struct rspb_job *view, uint32_t n, uint32_t percent, uint64_t *memory)
{
	const job_record_t *job = view->handle;
	const node_record_t *node = node_at(n);
	bool clear = true;
	bitstr_t *own;

	if (!node || !sociable(job) || *memory + used_on(job, n) > memory_beside(n, percent))
		return false;
	/* The kept cores of a node are the same for every look, so only a job that has one of them
	 * is in the way. */
	own = rspb_placed_cores(job, n);
	for (uint32_t i = 0; own && clear && i < kept_of(node, percent); i++)
		clear = !bit_test(own, core_of(node, i));
	FREE_NULL_BITMAP(own);
	if (clear)
		*memory += used_on(job, n);
	return clear;
}

/* --- reservations --------------------------------------------------------- */

static bool any_kept(bitstr_t *nodes, const uint8_t *dedicated, uint32_t width)
{
	for (uint32_t n = 0; n < width; n++)
		if (dedicated[n] && node_at(n) && bit_test(nodes, n))
			return true;
	return false;
}

void rspb_colocate_resv(const char *name, const uint8_t *dedicated, uint32_t width)
{
	slurmctld_resv_t *resv = rspb_resv_named(name);
	bitstr_t *cores;

	if (!dedicated || !resv || !resv->node_bitmap ||
	    !any_kept(resv->node_bitmap, dedicated, width))
		return;
	/* On a node without dedicated shares the booking has the whole node, hence all cores of
	 * it. */
	cores = all_cores();
	for (uint32_t n = 0; n < (uint32_t) node_record_count; n++)
		if (node_at(n) && bit_test(resv->node_bitmap, n))
			keep(node_at(n), n < width && dedicated[n] ? dedicated[n] : 100, cores);
	/* The bitmap belongs to the reservation from here on. */
	rspb_release_resv_cores(resv, cores);
	rspb_ctld_touched(RSPB_CHANGED_RESVS);
}

bool rspb_colocate_spares(const char *name, const struct rspb_job *view)
{
	const slurmctld_resv_t *resv = rspb_resv_named(name);
	const job_record_t *job = view->handle;
	bool clear = true;

	/* A reservation of whole nodes leaves no core to anybody, also where it has a bitmap of
	 * cores. */
	if (!resv || !resv->node_bitmap || !resv->core_bitmap ||
	    (resv->ctld_flags & RESV_CTLD_FULL_NODE) || !sociable(job))
		return false;
	for (uint32_t n = 0; clear && n < (uint32_t) node_record_count; n++)
		clear = !bit_test(resv->node_bitmap, n) || clear_of(job, n, resv->core_bitmap);
	return clear;
}

/* --- questions -------------------------------------------------------------- */

bool rspb_colocate_asks(const struct rspb_select_call *call)
{
	const job_record_t *job = call->job;
	uint16_t share = job->part_ptr ? job->part_ptr->max_share : 0;

	if (!sharing(job) || job->details->core_spec != NO_VAL16 || job->gres_list_req)
		return false;
	/* OverSubscribe=FORCE applies to every job, OverSubscribe=YES only to those that ask for it
	 * (--oversubscribe). */
	return (share & SHARED_FORCE) || (share > 1 && job->details->share_res == 1);
}

static bool memory_counts(const job_record_t *job)
{
	uint16_t type = slurm_conf.select_type_param;

	/* A partition may have a SelectTypeParameters of its own. */
	if (job->part_ptr && job->part_ptr->cr_type)
		type = job->part_ptr->cr_type;
	return type & RSPB_RELEASE_MEMORY;
}

/* RET the MB that the job needs on a node. Its part on this node is not known yet, so the whole of
 * it is counted. */
static uint64_t needs(const job_record_t *job, const node_record_t *node)
{
	uint64_t memory = job->details->pn_min_memory, cpus;

	/* Half of the range is returned for all memory, since the caller adds to the result. */
	if (!memory)
		return UINT64_MAX / 2; /* --mem=0: all there is */
	if (!(memory & MEM_PER_CPU))
		return memory;
	cpus = job->details->min_cpus;
	if (cpus < job->details->pn_min_cpus)
		cpus = job->details->pn_min_cpus;
	if (cpus > node->cpus)
		cpus = node->cpus;
	return (memory & ~MEM_PER_CPU) * (cpus ? cpus : 1);
}

/* The memory that regular jobs have, in MB, of each node. */
struct taken {
	uint64_t *of;
	uint32_t width;
};

/* Add the memory of a regular job to that of each of its nodes. Jobs of bookings are left out:
 * their memory is in the part that is kept. */
static int add_taken(const struct rspb_job *view, void *arg)
{
	const job_record_t *job = view->handle;
	const job_resources_t *has = job->job_resrcs;
	const struct taken *taken = arg;

	if (!(IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) || !has || !has->node_bitmap ||
	    !has->memory_allocated || rspb_resv_ours(job->resv_name))
		return 0;
	/* memory_allocated has a member for each node of the job, in the order of the node
	 * table. */
	for (int64_t n = bit_ffs(has->node_bitmap), place = 0;
	     n >= 0 && n < taken->width && place < has->nhosts; n++)
		if (bit_test(has->node_bitmap, n))
			taken->of[n] += has->memory_allocated[place++];
	return 0;
}

void rspb_colocate_short(const struct rspb_select_call *call, const struct rspb_nodeset *beside,
			 const uint8_t *dedicated, rspb_job_placed_fn each,
			 struct rspb_nodeset *out)
{
	struct taken taken = { .width = beside->width };

	rspb_nodeset_clear(out);
	/* Where Slurm does not count memory, no node can lack it. */
	if (!memory_counts(call->job))
		return;
	taken.of = xcalloc(beside->width, sizeof(*taken.of));
	if (each)
		each(add_taken, &taken);
	for (uint32_t n = rspb_nodeset_next(beside, 0); n < beside->width;
	     n = rspb_nodeset_next(beside, n + 1))
		if (!node_at(n) ||
		    needs(call->job, node_at(n)) + taken.of[n] > memory_beside(n, dedicated[n]))
			rspb_nodeset_add(out, n);
	xfree(taken.of);
}

/* Take the cores out of `cores`, a copy of `all`, that only our reservations keep from the job.
 * Slurm has put the cores of all reservations into one bitmap, so ours are removed and those of
 * others are added again. */
static void forget_ours(bitstr_t *all, bitstr_t *cores)
{
	list_itr_t *iter = list_iterator_create(resv_list);
	slurmctld_resv_t *resv;
	bitstr_t *part;

	while ((resv = list_next(iter)))
		if (resv->core_bitmap && rspb_resv_ours(resv->name))
			bit_and_not(cores, resv->core_bitmap);
	list_iterator_reset(iter);
	while ((resv = list_next(iter))) {
		if (!resv->core_bitmap || rspb_resv_ours(resv->name))
			continue;
		part = bit_copy(all);
		bit_and(part, resv->core_bitmap);
		bit_or(cores, part);
		bit_free(part);
	}
	list_iterator_destroy(iter);
}

rspb_release_exclusion *rspb_colocate_keep(const struct rspb_select_call *call,
					   const struct rspb_nodeset *beside,
					   const uint8_t *dedicated, bitstr_t *parts, bool later)
{
	bitstr_t *asked = rspb_select_call_cores(call);
	bitstr_t *cores = asked ? bit_copy(asked) : all_cores();

	if ((later || parts) && asked)
		forget_ours(asked, cores);
	if (parts)
		bit_or(cores, parts);
	for (uint32_t n = rspb_nodeset_next(beside, 0); n < beside->width;
	     n = rspb_nodeset_next(beside, n + 1))
		if (node_at(n))
			keep(node_at(n), dedicated[n], cores);
	return rspb_release_exclude(call->exclusion, cores);
}

void rspb_colocate_forget(bitstr_t **cores)
{
	FREE_NULL_BITMAP(*cores);
}

void rspb_colocate_drop(rspb_release_exclusion *own)
{
	rspb_release_exclusion_free(own);
}
