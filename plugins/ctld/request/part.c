/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes one part of a request of one job. window.c decides when the request may be. Whether that
 * many nodes are free is not asked here. */
#include "plugins/ctld/request/part.h"

#include <stdio.h>
#include <stdlib.h>

#include "plugins/compat/node.h"
#include "plugins/compat/submit/submission.h"

static uint32_t cpus_task(const struct rspb_job *job)
{
	return job->cpus_task ? job->cpus_task : 1;
}

/* RET how many tasks with their CPUs fit on a node of so many CPUs. Tasks that share CPUs
 * (--overcommit) all fit, unless --ntasks-per-node bounds them. */
static uint32_t tasks_on(const struct rspb_job *job, uint32_t cpus)
{
	uint32_t fit = job->overcommit ? job->tasks : cpus / cpus_task(job);

	if (job->tasks_node && fit > job->tasks_node)
		fit = job->tasks_node;
	return fit;
}

/* RET how many nodes that have `each` are needed for what is still missing of `wanted`; INT64_MAX:
 * no number of them is enough. */
static uint64_t times(uint64_t wanted, uint64_t have, uint64_t each)
{
	if (have >= wanted)
		return 0;
	return each ? (wanted - have + each - 1) / each : INT64_MAX;
}

/* RET how many of the smallest nodes hold all tasks and CPUs, at least one; 0: all of them together
 * do not. Nodes of one size are counted at once, since there are few sizes and thousands of
 * nodes. */
static uint32_t smallest(const struct rspb_job *job, const struct rspb_node_sizes *sizes)
{
	uint64_t tasks = 0, cpus = 0, nodes = 0, fit, more, most;

	for (size_t i = 0; i < sizes->n; i++) {
		const struct rspb_node_size *size = &sizes->items[i];

		fit = tasks_on(job, size->cpus);
		more = times(job->tasks, tasks, fit);
		most = times(job->cpus, cpus, size->cpus);
		more = more > most ? more : most;
		if (more <= size->nodes)
			return nodes + more ? (uint32_t) (nodes + more) : 1;
		tasks += size->nodes * fit;
		cpus += (uint64_t) size->nodes * size->cpus;
		nodes += size->nodes;
	}
	return 0;
}

/* The least number of nodes that is enough whichever eligible nodes they are: the
 * smallest ones are counted first. RET 0: all of them are not enough. */
static uint32_t nodes_needed(const struct rspb_job *job, const struct rspb_nodeset *eligible)
{
	uint32_t least = rspb_job_gres_nodes(job, eligible), enough;
	struct rspb_node_sizes sizes;

	if (rspb_node_sizes(eligible, &sizes))
		return 0;
	enough = smallest(job, &sizes);
	free(sizes.items);
	least = least > job->nodes_min ? least : job->nodes_min;
	if (!enough || least > rspb_nodeset_count(eligible))
		return 0;
	return enough > least ? enough : least;
}

/* RET why limits of account or QOS never let the job have so many of these nodes, the smallest
 * first; NULL: they do. A node counts with all CPUs that `sizes` says. */
static const char *never(const struct rspb_job *job, uint32_t nodes,
			 const struct rspb_node_sizes *sizes)
{
	uint64_t cpus = 0;
	uint32_t left = nodes;

	for (size_t i = 0; i < sizes->n && left; i++) {
		const struct rspb_node_size *size = &sizes->items[i];
		uint32_t n = left < size->nodes ? left : size->nodes;

		cpus += (uint64_t) n * size->cpus;
		left -= n;
	}
	return rspb_job_never(job, nodes, cpus);
}

/* RET the last number of nodes that limits allow, by bisection between one that they allow and one
 * that they do not. The first may also be the larger one, since limits may demand a least size. */
static uint32_t last_allowed(const struct rspb_job *job, uint32_t good, uint32_t bad,
			     const struct rspb_node_sizes *sizes)
{
	while (good + 1 < bad || bad + 1 < good) {
		uint32_t half = (uint32_t) (((uint64_t) good + bad) / 2);

		if (never(job, half, sizes))
			bad = half;
		else
			good = half;
	}
	return good;
}

/* Let a part with a benefit function bear fewer nodes, because it cannot have as many as it asks
 * for. RET whether it bears fewer than before. */
static bool bear_less(struct rspb_part *part)
{
	int64_t least = part->nodes_min;

	if (part->benefit && !part->share)
		least = rspb_benefit_min_units(part->benefit, part->nodes);
	if (least >= part->nodes_min)
		return false;
	part->nodes_min = least > 1 ? (uint32_t) least : 1;
	return true;
}

/* Ask for no more than the limits of QOS and association ever allow, so that the decision does not
 * book what Slurm would never start. Whole nodes count with all CPUs, parts and shares with what
 * they have of each node. RET 0, or -1 with err: even the fewest are too many, or too few. */
static int limit(const struct rspb_job *job, struct rspb_part *part, struct rspb_err *err)
{
	const struct rspb_nodeset *from = rspb_part_all_fixed(part) ? part->fixed : part->eligible;
	uint32_t cpus = part->whole ? (uint32_t) rspb_part_cpus(job, part, false) : 0;
	struct rspb_node_sizes sizes;
	uint32_t have = rspb_nodeset_count(from);
	uint32_t good = part->nodes_min;
	uint32_t bad = part->nodes < have ? part->nodes : have;
	const char *why;

	if (rspb_node_sizes(from, &sizes))
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < sizes.n; i++)
		if (part->share)
			sizes.items[i].cpus = cpus ? cpus
						   : rspb_job_share_cpus(sizes.items[i].cpus,
									 part->share);
	why = never(job, good, &sizes);
	if (why && bear_less(part)) {
		good = part->nodes_min;
		why = never(job, good, &sizes);
	}
	/* A least size (MinTRESPerJob) may forbid the fewest nodes and allow more. */
	if (why && good < bad && !never(job, bad, &sizes)) {
		part->nodes_min = last_allowed(job, bad, good, &sizes);
		why = NULL;
	} else if (why)
		rspb_fail(err,
			  "%u node%s for %lld s are more than a limit of the account or QOS ever "
			  "allows (%s)",
			  good, good == 1 ? "" : "s", (long long) job->limit, why);
	else if (good < bad && never(job, bad, &sizes))
		part->nodes = last_allowed(job, good, bad, &sizes);
	free(sizes.items);
	return why ? -1 : 0;
}

/* Say which constraint it is that too few nodes meet. */
static int lacking(const struct rspb_job *job, const struct rspb_part *part, struct rspb_err *err)
{
	uint32_t needed = part->nodes ? part->nodes_min : job->nodes_min;
	struct rspb_nodeset *scratch = rspb_nodeset_create(part->eligible->width);

	if (!scratch)
		return rspb_fail(err, "out of memory");
	rspb_job_lacks(job, needed, scratch, err);
	rspb_nodeset_destroy(scratch);
	return -1;
}

/* Name what was requested and what the partition allows, a range if both ends are bounded. */
static int out_of_bounds(const struct rspb_part *part, uint32_t least, uint32_t most,
			 struct rspb_err *err)
{
	char range[32] = "or more", asked[32] = "";

	if (most != UINT32_MAX)
		snprintf(range, sizeof(range), "to %u", most);
	if (part->nodes != part->nodes_min)
		snprintf(asked, sizeof(asked), " to %u", part->nodes);
	return rspb_fail(err,
			 "--nodes: the partition allows %u %s nodes for a job, and the job "
			 "requests %u%s",
			 least, range, part->nodes_min, asked);
}

/* Ask for no more than the partition lets a job have. */
static int bound(const struct rspb_job *job, struct rspb_part *part, struct rspb_err *err)
{
	const struct rspb_job_bounds may = rspb_job_bounds(job);

	if (part->nodes_min > may.most)
		bear_less(part);
	if (part->nodes_min > may.most || part->nodes < may.least)
		return out_of_bounds(part, may.least, may.most, err);
	if (part->nodes > may.most)
		part->nodes = may.most;
	if (part->nodes_min < may.least)
		part->nodes_min = may.least;
	return 0;
}

/* RET the CPUs of so many tasks. A user may ask for any number of them, so the product is
 * capped. */
static uint32_t cpus_for(const struct rspb_job *job, uint32_t tasks)
{
	uint64_t cpus = (uint64_t) tasks * cpus_task(job);

	return cpus < UINT32_MAX ? (uint32_t) cpus : UINT32_MAX;
}

/*
 * Leave out nodes too small for an even part of the tasks, where the smallest
 * of them would not hold all: whichever nodes it gets, it can start.
 */
static void even_tasks(const struct rspb_job *job, struct rspb_part *part)
{
	uint32_t needed = nodes_needed(job, part->eligible), each;

	if (!job->tasks || job->overcommit || (needed && needed <= part->nodes))
		return;
	each = (job->tasks + part->nodes - 1) / part->nodes;
	/* --ntasks-per-node allows fewer tasks on a node than an even part of them, so no node will
	 * do. */
	if (job->tasks_node && job->tasks_node < each)
		rspb_nodeset_clear(part->eligible);
	else
		rspb_node_drop_smaller(part->eligible, cpus_for(job, each));
}

/* RET how many nodes it wants at most; 0: it does not say. If Slurm gives a range as few nodes as
 * possible, these are all that it gets. */
static uint32_t most_wanted(const struct rspb_job *job, const struct rspb_nodeset *eligible)
{
	uint32_t needed = job->fewest ? nodes_needed(job, eligible) : 0;

	return needed && needed < job->nodes_max ? needed : job->nodes_max;
}

/* Find out how many nodes the part asks for. A job that names no number gets what it needs on the
 * smallest eligible nodes, so that it can start on any of them. */
static int count_fill(const struct rspb_job *job, struct rspb_part *part, struct rspb_err *err)
{
	uint32_t have;

	part->nodes_min = job->nodes_min;
	if (part->fixed && part->nodes_min < rspb_nodeset_count(part->fixed))
		part->nodes_min = rspb_nodeset_count(part->fixed);
	part->nodes = most_wanted(job, part->eligible);
	if (part->nodes) {
		even_tasks(job, part);
	} else {
		/* More than Slurm gives the job would never start. */
		part->nodes = rspb_job_most_nodes(job, nodes_needed(job, part->eligible));
		part->nodes_min = part->nodes;
	}
	have = rspb_nodeset_count(part->eligible);
	if (part->nodes_min > have)
		bear_less(part);
	if (!part->nodes || part->nodes_min > have)
		return lacking(job, part, err);
	if (bound(job, part, err))
		return -1;
	/* With a benefit function all that is there is a part of what is asked
	 * for; the end of a range means "as many as there are". */
	if (part->nodes > have && !part->benefit)
		part->nodes = have;
	if (part->nodes_min > part->nodes)
		part->nodes_min = part->nodes;
	return 0;
}

/* Refuse with the names of the nodes that are wrong, which are all that the set has. */
static int ill_named(const struct rspb_nodeset *nodes, const char *why, struct rspb_err *err)
{
	char *names = rspb_node_names(NULL, nodes);

	rspb_fail(err, "--nodelist: %s %s", names ? names : "?", why);
	free(names);
	return -1;
}

/* Fill in a part that names nodes (-w). `named` belongs to the part once part->fixed has it; before
 * that the caller destroys it. */
static int fixed_fill(const struct rspb_job *job, struct rspb_part *part,
		      struct rspb_nodeset *named, struct rspb_err *err)
{
	uint32_t count = rspb_nodeset_count(named);
	bool more;

	if (!rspb_nodeset_within(named, part->eligible)) {
		rspb_nodeset_minus(named, part->eligible);
		return ill_named(named,
				 "cannot run this job (partition, features, "
				 "memory, CPUs or --gres)",
				 err);
	}
	more = job->nodes_max ? job->nodes_max > count : job->nodes_min > count;
	/* Slurm's own selection judges whole nodes later (decide/suits.c), so the CPUs are checked
	 * for shares alone. */
	if (part->share && !more && !nodes_needed(job, named))
		return ill_named(named, "has too few CPUs for its tasks", err);
	part->fixed = named;
	/* Others come to those that are named. */
	if (more)
		return count_fill(job, part, err);
	part->nodes = part->nodes_min = count;
	return 0;
}

/* Without --benefit a range, of nodes or of a share, is worth its part. */
static int value_range(const struct rspb_terms *flags, struct rspb_part *part, struct rspb_err *err)
{
	struct rspb_benefit made;
	int64_t asked = rspb_part_asked(part);
	int64_t least = part->share ? part->share_min : part->nodes_min;

	if (part->benefit || !least || least >= asked)
		return 0;
	rspb_terms_benefit(flags, least, asked, &made);
	return rspb_benefit_keep(&part->benefit, &made) ? rspb_fail(err, "out of memory") : 0;
}

int rspb_part_fill(const struct rspb_job *job, const struct rspb_terms *flags, uint32_t width,
		   struct rspb_part *part, struct rspb_err *err)
{
	const struct rspb_job_bounds may = rspb_job_bounds(job);
	struct rspb_nodeset *named;
	int rc;

	if (may.counted)
		return rspb_fail(err,
				 "--constraint: numbers of nodes for each of several features "
				 "(%s) cannot be booked; book a heterogeneous job, with a "
				 "component for each (-N1 -C a : -N1 -C b)",
				 may.counted);
	/* Licenses that cannot be booked refuse a request whatever is free. */
	if (rspb_job_barred(job, RSPB_BAR_LICENSES, err))
		return -1;
	if (rspb_benefit_keep(&part->benefit, &flags->benefit))
		return rspb_fail(err, "out of memory");
	part->share = flags->share;
	part->share_min = flags->share_min;
	part->leaves = may.leaves;
	part->leaves_for = may.leaves_for;
	part->eligible = rspb_nodeset_create(width);
	named = rspb_nodeset_create(width);
	if (!part->eligible || !named) {
		rspb_nodeset_destroy(named);
		return rspb_fail(err, "out of memory");
	}
	rc = rspb_job_eligible(job, part->eligible, err);
	rspb_part_keep_lent(part);
	if (!rc && part->share && rspb_nodeset_empty(part->eligible))
		rc = rspb_fail(err, "--cpu-share: parts of nodes are booked here instead of shares "
				    "(Unit=part)");
	if (!rc)
		rc = rspb_job_nodes(job, RSPB_JOB_NAMES, named) ? fixed_fill(job, part, named, err)
								: count_fill(job, part, err);
	/* fixed_fill() takes the set over only if it comes that far. */
	if (part->fixed != named)
		rspb_nodeset_destroy(named);
	if (!rc)
		rspb_part_take_cores(job, flags,
				     part->nodes_min < part->nodes
					     ? nodes_needed(job, part->eligible)
					     : 0,
				     part);
	/* Limits are asked once it is known whether the part takes cores, and the benefit of a
	 * range follows from what they leave. Quotas are counted after that, by the final size. */
	if (rc || limit(job, part, err) || value_range(flags, part, err) ||
	    rspb_want_nodes(&flags->prefer, part, err) || rspb_part_count(job, part, err))
		return -1;
	rspb_part_learn(job, part);
	return 0;
}

/* Shares of several users are on the same CPUs, which takes OverSubscribe=FORCE and no
 * ExclusiveUser. */
int rspb_part_beside(const struct rspb_submission_part *part, struct rspb_err *err)
{
	if (part->one_user)
		return rspb_fail(
			err,
			"--cpu-share: partition %s gives nodes to one user at a time "
			"(ExclusiveUser), but shares of several users are on one node; use "
			"another partition",
			part->name);
	if (!part->beside)
		return rspb_fail(
			err,
			"--cpu-share: partition %s does not let jobs share nodes; allowed are "
			"partitions with OverSubscribe=FORCE:2 or more",
			part->name);
	return 0;
}
