/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of a trace on nodes that hold several of them. */
#include "contrib/sim/replay/trace.h"

static uint32_t nodes_of(const struct sim_fat *fat, const struct sim_trace *trace)
{
	return (trace->nodes - 1) / fat->cores + 1;
}

/* Where GPUs stand among the kinds: memory comes first if it counts. */
static uint32_t gpus_at(const struct sim_fat *fat)
{
	return fat->memory > 0;
}

int sim_fat_open(const struct sim_fat *fat, const struct sim_trace *trace,
		 struct sim_workload *workload, struct rspb_err *err)
{
	struct sim_size size = { .cores = fat->cores };

	size.has[0] = fat->memory;
	if (fat->gpus)
		size.has[gpus_at(fat)] = fat->gpus;
	if ((fat->memory && sim_sizes_kind(&workload->sizes, "memory", err) < 0) ||
	    (fat->gpus && sim_sizes_kind(&workload->sizes, "gpu", err) < 0) ||
	    sim_sizes_add(&workload->sizes, nodes_of(fat, trace), &size, err))
		return -1;
	return sim_workload_sized(workload, err);
}

static uint32_t each(uint32_t amount, uint32_t nodes)
{
	return amount / nodes + (amount % nodes > 0);
}

struct sim_need sim_fat_need(const struct sim_fat *fat, const struct sim_trace_job *job)
{
	uint32_t fewest = each(job->nodes, fat->cores);
	struct sim_need need = { job->least > fewest ? job->least : fewest, { .cores = 0 } };

	need.each.cores = each(job->nodes, need.nodes);
	if (need.each.cores == fat->cores)
		need.each.cores = 0;
	if (fat->memory)
		need.each.has[0] = each(job->memory, need.nodes);
	if (fat->gpus)
		need.each.has[gpus_at(fat)] = each(job->gpus, need.nodes);
	return need;
}

int sim_fat_fit(const struct sim_fat *fat, struct sim_trace *trace, const char *name,
		struct rspb_err *err)
{
	uint32_t nodes = nodes_of(fat, trace);
	bool memory = false, gpus = false;
	size_t kept = 0;

	for (size_t i = 0; i < trace->n; i++) {
		struct sim_need need = sim_fat_need(fat, &trace->jobs[i]);
		uint32_t mb = fat->memory ? need.each.has[0] : 0;
		uint32_t cards = fat->gpus ? need.each.has[gpus_at(fat)] : 0;

		memory |= mb > 0;
		gpus |= cards > 0;
		if (need.nodes > nodes || mb > fat->memory || cards > fat->gpus)
			sim_trace_skip(trace, SIM_TRACE_WIDE, 0);
		else
			trace->jobs[kept++] = trace->jobs[i];
	}
	trace->n = kept;
	if ((fat->memory && !memory) || (fat->gpus && !gpus))
		return rspb_fail(err,
				 "%s: no job states its %s; sacct prints them "
				 "in the column AllocTRES",
				 name, fat->gpus && !gpus ? "GPUs" : "GB of memory");
	return kept ? 0
		    : rspb_fail(err, "%s: no job fits on these nodes: %zu jobs are too large", name,
				trace->skipped[SIM_TRACE_WIDE]);
}
