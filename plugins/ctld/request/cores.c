/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Works out a part of a request that takes cores of its nodes. It does not pick them: Slurm does at
 * the start. Such a part has the same number of cores on each node; uneven.c makes those of
 * different sizes. */
#include "plugins/ctld/request/part.h"

#include <stdlib.h>

#include "plugins/compat/job_edit.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/parts/devices.h"
#include "plugins/compat/parts/needs.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/request/ask.h"

/* RET the cores that the job needs of each node, the most that any of the nodes needs; 0: no node
 * has them. Nodes with fewer cores are removed, and part->whole becomes the size of the smallest
 * that is left. */
static uint32_t cores_of(const struct rspb_job *job, struct rspb_part *part)
{
	uint32_t most = 0, fewest = UINT32_MAX;

	RSPB_NODESET_EACH (n, part->eligible) {
		uint32_t cores = rspb_cores_needs(job, part->nodes, n);

		if (cores > rspb_node_is(n).cores)
			rspb_nodeset_remove(part->eligible, n);
		else if (cores > most)
			most = cores;
	}
	RSPB_NODESET_EACH (n, part->eligible) {
		if (rspb_node_is(n).cores < most)
			rspb_nodeset_remove(part->eligible, n);
		else if (rspb_node_is(n).cores < fewest)
			fewest = rspb_node_is(n).cores;
	}
	part->whole = (int64_t) RSPB_SHARE_CORE * fewest;
	return most;
}

/* A job that says cores or memory expects a part of a node, so its owner is told why it is booked
 * on whole nodes. */
const char *rspb_part_why_nodes(const struct rspb_job *job, const struct rspb_terms *flags,
				const struct rspb_part *part)
{
	struct rspb_cores_asked asked;
	struct rspb_nodeset *lent;
	const char *why;

	if (!rspb_book_lends() || flags->share || !rspb_limits_parts(job))
		return NULL;
	asked = rspb_cores_asked(job);
	if (rspb_moldable_said(&flags->work) && asked.said &&
	    !rspb_cores_tasks(job, part->nodes).each)
		return "--work books whole nodes, unless -n gives each of them 2 to 128 tasks";
	why = rspb_cores_why(job);
	/* Parts of different sizes are of known types (uneven.c), and are tried after whole
	 * nodes. */
	if (why && asked.total.load && !asked.shares)
		why = "a node with several types of a resource may be booked as a whole unless "
		      "the type is named, as in --gpus=TYPE:N";
	lent = rspb_nodeset_clone(rspb_part_all_fixed(part) ? part->fixed : part->eligible);
	if (!why && lent && rspb_book_lent_of(lent) && rspb_nodeset_count(lent) < part->nodes)
		why = "whole nodes are booked, because one of their partitions shares cores "
		      "(OverSubscribe=FORCE)";
	rspb_nodeset_destroy(lent);
	return why;
}

void rspb_part_keep_lent(struct rspb_part *part)
{
	struct rspb_nodeset *lent = part->share ? rspb_nodeset_clone(part->eligible) : NULL;

	if (lent && rspb_book_lent_of(lent)) {
		if (part->whole)
			rspb_nodeset_copy(part->eligible, lent);
		else
			rspb_nodeset_minus(part->eligible, lent);
	}
	rspb_nodeset_destroy(lent);
}

/* Let a part take cores, or leave it and its eligible nodes as they are. Without memory it stays
 * one of whole nodes. */
static void take_cores(const struct rspb_job *job, const struct rspb_terms *flags,
		       struct rspb_part *part)
{
	struct rspb_nodeset *all;
	uint32_t cores = 0, tasks = 0;

	/* With a benefit function or --work a part may get fewer tasks on each of its nodes. If
	 * tasks cannot be fewer, it takes whole nodes. */
	if (flags->benefit.n_points || part->benefit || rspb_moldable_said(&flags->work)) {
		tasks = rspb_cores_tasks(job, part->nodes).each;
		if (!tasks)
			return;
	}
	if (!rspb_book_lends() || flags->share || !rspb_cores_asked(job).parts ||
	    !rspb_limits_parts(job))
		return;
	all = rspb_nodeset_clone(part->eligible);
	if (!all)
		return;
	/* If all of its nodes are named, other nodes do not matter. */
	if (rspb_part_all_fixed(part))
		rspb_nodeset_and(part->eligible, part->fixed);
	if (rspb_book_lent_of(part->eligible))
		cores = cores_of(job, part);
	/* Lent nodes may be too few, or one that -w names may not be among them. */
	if (cores && rspb_nodeset_count(part->eligible) >= part->nodes &&
	    (!part->fixed || rspb_nodeset_within(part->fixed, part->eligible))) {
		part->share = (int64_t) RSPB_SHARE_CORE * cores;
		part->tasks = tasks;
	} else {
		part->whole = 0;
		rspb_nodeset_copy(part->eligible, all);
	}
	rspb_nodeset_destroy(all);
}

/* A part with cores has one number of nodes, so that of a range is fixed first. The range is
 * restored if the part takes no cores after all. */
void rspb_part_take_cores(const struct rspb_job *job, const struct rspb_terms *flags,
			  uint32_t fewest, struct rspb_part *part)
{
	uint32_t most = part->nodes, least = part->nodes_min, nodes = most;
	struct rspb_job exact = *job;

	if (least < most && (part->benefit || part->share))
		return;
	/* Slurm gives tasks as few nodes of a range as hold them, else as many as there are. */
	if (least < most && rspb_cores_asked(job).counted && fewest && fewest <= most)
		nodes = fewest > least ? fewest : least;
	if (least < most)
		exact.nodes_min = exact.nodes_max = nodes;
	part->nodes = part->nodes_min = nodes;
	take_cores(&exact, flags, part);
	if (!part->share) {
		part->nodes = most;
		part->nodes_min = least;
	}
}

/* After a restart only the number of cores is known. The largest node that was granted says how
 * large a node is. */
void rspb_part_granted_cores(uint32_t cores, struct rspb_part *part, struct rspb_grant *grant)
{
	uint32_t all = cores;

	RSPB_NODESET_EACH (n, grant->nodes)
		if (all < rspb_node_is(n).cores)
			all = rspb_node_is(n).cores;
	part->whole = (int64_t) RSPB_SHARE_CORE * all;
	part->share = grant->share = (int64_t) RSPB_SHARE_CORE * cores;
}

void rspb_part_granted_tasks(const struct rspb_contract *contract, uint32_t tasks,
			     struct rspb_part *part)
{
	if (!part->benefit)
		return;
	part->tasks = part->fewer = 1;
	/* The job has the granted number of tasks by now, and the contract the number that it asked
	 * for. */
	if (contract->terms.cpus && tasks && contract->terms.tasks > tasks) {
		part->tasks = contract->terms.tasks / part->nodes;
		part->fewer = tasks / part->nodes;
	}
	part->share_one = part->share;
	part->share_each = 0;
}

/* The nodes may differ, so the most is assumed: a booking is never short of them. */
uint64_t rspb_part_cpus(const struct rspb_job *job, const struct rspb_part *part, bool memory)
{
	uint32_t cores = rspb_part_cores(part, rspb_part_units(part));
	uint32_t asked = rspb_cores_tasks(job, part->nodes).cpus;
	uint64_t most = cores, cpus;

	for (uint32_t n = 0; part->eligible && n < part->eligible->width; n++) {
		if (!rspb_nodeset_has(part->eligible, n))
			continue;
		cpus = rspb_cores_charged(job, n, cores, asked, memory);
		if (cpus > most)
			most = cpus;
	}
	return most;
}

/* --- fewer tasks --------------------------------------------------------------- */

/* RET the eligible node of which the part takes most cores: the one whose cores have the fewest
 * threads. */
static uint32_t dearest(const struct rspb_part *part)
{
	uint32_t node = rspb_nodeset_next(part->eligible, 0);

	RSPB_NODESET_EACH (n, part->eligible)
		if (rspb_node_is(n).threads < rspb_node_is(node).threads)
			node = n;
	return node;
}

/* RET the smallest step per further task that reaches the amount with so many tasks, but not less
 * than the step so far. A line that is never below any of the amounts is thus found task by
 * task. */
static int64_t slope(int64_t had, int64_t one, int64_t amount, uint32_t tasks)
{
	int64_t more = amount - one, by = tasks - 1;

	more = more > 0 ? (more + by - 1) / by : 0;
	return more > had ? more : had;
}

/* Learn what the job takes with so many tasks on each node. A copy of the view is asked, so that
 * Slurm's record stays as it is. */
static void learn(const struct rspb_job *job, uint32_t tasks, uint32_t node, struct rspb_part *part)
{
	struct rspb_quotas quotas = { 0 };
	struct rspb_job fewer = *job;
	int64_t units;

	fewer.tasks = tasks * part->nodes;
	fewer.cpus = fewer.tasks * (job->cpus_task ? job->cpus_task : 1);
	units = (int64_t) RSPB_SHARE_CORE * rspb_cores_needs(&fewer, part->nodes, node);
	if (tasks == 1)
		part->share_one = units;
	else
		part->share_each = slope(part->share_each, part->share_one, units, tasks);
	rspb_cores_besides(&fewer, part->nodes,
			   rspb_cores_charged(&fewer, node, (uint32_t) (units / RSPB_SHARE_CORE),
					      rspb_cores_tasks(&fewer, part->nodes).cpus, true),
			   &quotas);
	for (uint32_t i = 0; i < part->n_quotas; i++)
		for (size_t q = 0; q < quotas.n; q++) {
			struct rspb_quota *to = &part->quotas[i];

			if (quotas.items[q].key != to->key)
				continue;
			to->all = quotas.items[q].per_node;
			if (tasks == 1)
				to->one = to->all;
			else
				to->each = slope(to->each, to->one, to->all, tasks);
		}
	free(quotas.items);
}

void rspb_part_learn(const struct rspb_job *job, struct rspb_part *part)
{
	uint32_t node, tasks = part->tasks;

	if (!tasks)
		return;
	node = dearest(part);
	part->share_one = part->share_each = part->fewer = 0;
	/* rspb_cores_tasks() allows at most 128 tasks on a node. */
	for (uint32_t n = 1; n <= tasks; n++)
		learn(job, n, node, part);
	/* Fewer tasks are of no use if a single one takes more cores than the part has. */
	if (part->share_one > part->share)
		part->tasks = 0;
}

/* Set the weight of a part: with half of a node's memory it counts as half of the node against
 * limits, even with one core. The scarcest of the quotas from `first` on counts. */
static void weigh(struct rspb_part *part, size_t first)
{
	part->weight = 0;
	for (size_t i = first; part->eligible && i < part->n_quotas; i++) {
		const struct rspb_quota *quota = &part->quotas[i];
		int64_t least = rspb_room_least(quota->key, part->eligible);
		int64_t takes = quota->per_node < least ? quota->per_node : least;

		if (least && part->whole * takes / least > part->weight)
			part->weight = part->whole * takes / least;
	}
	if (part->weight <= part->share)
		part->weight = 0;
}

/* Let the kinds be counted still that only some nodes of a part give. The job's own needs may not
 * name them. had: the quotas before. RET 0, -1: out of memory. */
static int keep_odd_kinds(struct rspb_part *part, const struct rspb_quota *had, uint32_t n_had)
{
	int rc = 0;

	for (uint32_t i = 0; i < part->n_odd && !rc; i++)
		for (uint32_t q = 0; q < n_had && !rc; q++)
			if (had[q].key == part->odd[i].key &&
			    had[q].key == rspb_room_key(had[q].name))
				rc = rspb_part_add_kind(part, had[q].name);
	return rc;
}

/* RET the CPUs of all nodes of a part, for limits of Slurm; 0: it takes nodes. memory: the CPUs of
 * one node for which it has memory. */
static struct rspb_charge charge_of(const struct rspb_job *job, const struct rspb_part *part,
				    uint64_t memory)
{
	uint32_t usual = rspb_part_cores(part, rspb_part_units(part));
	struct rspb_charge charge = { .cpus = 0 };

	if (!part->whole)
		return charge;
	if (!part->n_odd)
		return (struct rspb_charge){
			.cpus = (int64_t) rspb_part_cpus(job, part, false) * part->nodes,
			.memory = (int64_t) memory * part->nodes,
		};
	/* A part of several sizes may have no other nodes than these. */
	RSPB_NODESET_EACH (n, part->eligible) {
		uint32_t cores = rspb_part_cores_on(part, usual, n);

		charge.cpus += (int64_t) rspb_cores_charged(job, n, cores, 0, false);
		charge.memory += (int64_t) rspb_cores_charged(job, n, cores, 0, true);
	}
	return charge;
}

/* Limits of Slurm and licences come first, what is counted on each node behind them; weigh() looks
 * at the latter alone. The old quotas are freed only after the kinds among them were kept. */
int rspb_part_count(const struct rspb_job *job, struct rspb_part *part, struct rspb_err *err)
{
	struct rspb_quota *had = part->quotas;
	uint32_t n_had = part->n_quotas;
	struct rspb_quotas quotas = { 0 };
	uint64_t memory = part->whole ? rspb_part_cpus(job, part, true) : 0;
	struct rspb_charge charge = charge_of(job, part, memory);
	size_t besides;
	int rc;

	rspb_job_quotas(job, !part->whole, part->whole ? 0 : part->share, &charge, &quotas);
	rspb_job_licenses(job, &quotas);
	besides = quotas.n;
	if (part->whole)
		rspb_cores_besides(job, part->nodes, memory, &quotas);
	else if (part->share)
		rspb_job_needs(job, &quotas);
	if (quotas.short_of_memory) {
		free(quotas.items);
		return rspb_fail(err, "out of memory");
	}
	part->quotas = quotas.items;
	part->n_quotas = (uint32_t) quotas.n;
	rc = keep_odd_kinds(part, had, n_had);
	free(had);
	weigh(part, part->whole ? besides : quotas.n);
	return rc ? rspb_fail(err, "out of memory") : 0;
}

/* Bound the memory of a job that does not say how much, where no default says it: UINT32_MAX stands
 * for all of a node. The part takes the same fraction as of the cores. */
static void bound_memory(struct rspb_part *part)
{
	uint64_t key = rspb_room_key(RSPB_ROOM_MEMORY);

	for (uint32_t i = 0; i < part->n_quotas; i++) {
		struct rspb_quota *quota = &part->quotas[i];

		if (quota->key == key && quota->per_node >= UINT32_MAX)
			quota->per_node = rspb_room_least(key, part->eligible) * part->share /
					  part->whole;
	}
}

int rspb_part_ask_cores(uint32_t cores, const struct rspb_job *job, struct rspb_part *part,
			struct rspb_err *err)
{
	const char *why = rspb_cores_asked(job).shares
				  ? "parts of GPUs can be reserved only with whole nodes"
				  : rspb_cores_why(job);
	uint32_t fewest = UINT32_MAX, n_nodes;

	if (why)
		return rspb_fail(err, "gres=: %s", why);
	if (!rspb_book_lent_of(part->eligible))
		return rspb_fail(err, "cores=%u: no node can be booked in parts here", cores);
	RSPB_NODESET_EACH (n, part->eligible) {
		if (rspb_node_is(n).cores < cores)
			rspb_nodeset_remove(part->eligible, n);
		else if (rspb_node_is(n).cores < fewest)
			fewest = rspb_node_is(n).cores;
	}
	/* The operator's request names a number of nodes, so fewer are refused now and not at the
	 * start. */
	n_nodes = rspb_nodeset_count(part->eligible);
	if (!n_nodes)
		return rspb_fail(err,
				 "cores=%u: none of the possible nodes can be booked in parts and "
				 "has as many cores",
				 cores);
	if (n_nodes < part->nodes)
		return rspb_fail(err,
				 "cores=%u: only %u of the possible nodes can be booked in parts "
				 "and have as many cores",
				 cores, n_nodes);
	part->share = (int64_t) RSPB_SHARE_CORE * cores;
	part->whole = (int64_t) RSPB_SHARE_CORE * fewest;
	if (rspb_part_count(job, part, err))
		return -1;
	bound_memory(part);
	return 0;
}

void rspb_part_tell_besides(const struct rspb_part *part, struct rspb_terms *terms)
{
	const struct rspb_quota *memory = rspb_part_quota(part, rspb_room_key(RSPB_ROOM_MEMORY));

	terms->mem = 0;
	terms->gres[0] = '\0';
	if (!part->whole)
		return;
	/* A job that names no memory may use all of it. */
	if (memory && memory->per_node < UINT32_MAX)
		terms->mem = (uint32_t) memory->per_node;
	rspb_devices_print(part->quotas, part->n_quotas, terms->gres, sizeof(terms->gres));
}

/* Only what is counted on each node is in a contract. Limits and licences are added when the job is
 * looked at again (rspb_part_count). */
int rspb_part_granted_besides(const struct rspb_contract *contract, struct rspb_part *part)
{
	struct rspb_quotas quotas = { 0 };

	rspb_devices_kept(contract->terms.mem, contract->terms.gres, &quotas);
	if (quotas.short_of_memory) {
		free(quotas.items);
		return -1;
	}
	free(part->quotas);
	part->quotas = quotas.items;
	part->n_quotas = (uint32_t) quotas.n;
	return 0;
}

/* Quotas are counted anew, since memory and devices count only for parts. */
int rspb_part_take_nodes(const struct rspb_job *job, struct rspb_part *part, struct rspb_err *err)
{
	part->share = part->share_min = part->whole = 0;
	part->tasks = part->fewer = 0;
	rspb_part_even(part);
	return rspb_part_count(job, part, err);
}

/* Remove the nodes on which the job takes so many cores or more. RET whether enough nodes are left
 * for the part. */
static bool leave_dear(const struct rspb_job *job, uint32_t cores, struct rspb_part *part)
{
	RSPB_NODESET_EACH (n, part->eligible)
		if (rspb_cores_needs(job, part->nodes, n) >= cores)
			rspb_nodeset_remove(part->eligible, n);
	return rspb_nodeset_count(part->eligible) >= part->nodes;
}

void rspb_part_keep_cores(const struct rspb_job *job, struct rspb_part *part)
{
	if (part->whole)
		leave_dear(job, (uint32_t) (part->share / RSPB_SHARE_CORE) + 1, part);
}

/* Fill the part anew with the job as it is now, on nodes of which it takes fewer cores than
 * `below`. RET 1; 0: too few nodes are left; -1 with err. The part is half filled unless this
 * returns 1. */
static int take_again(uint32_t id, uint32_t below, struct rspb_part *part, struct rspb_err *err)
{
	const struct rspb_terms plain = { .book = true };
	struct rspb_nodeset *eligible;
	struct rspb_job job;

	if (!rspb_job_find(id, &job))
		return rspb_fail(err, "its job no longer exists");
	eligible = rspb_nodeset_create(part->eligible->width);
	if (!eligible)
		return rspb_fail(err, "out of memory");
	rspb_nodeset_destroy(part->eligible);
	part->eligible = eligible;
	if (rspb_job_eligible(&job, eligible, err))
		return -1;
	if (below < UINT32_MAX && !leave_dear(&job, below, part))
		return 0;
	part->share = part->share_min = part->whole = 0;
	part->tasks = part->fewer = 0;
	rspb_part_even(part);
	/* A benefit function needs tasks that can be fewer; without them the part is all or
	 * nothing. */
	if (!rspb_cores_tasks(&job, part->nodes).each && rspb_benefit_keep(&part->benefit, NULL))
		return rspb_fail(err, "out of memory");
	rspb_part_take_cores(&job, &plain, 0, part);
	if (!part->share)
		return rspb_fail(err,
				 "no %u node%s ha%s that many cores and GPUs and that much memory",
				 part->nodes, part->nodes == 1 ? "" : "s",
				 part->nodes == 1 ? "s" : "ve");
	if (rspb_part_count(&job, part, err))
		return -1;
	rspb_part_learn(&job, part);
	return 1;
}

int rspb_part_fewer_cores(uint32_t job, struct rspb_part *part, struct rspb_err *err)
{
	return part->whole && !part->fixed
		       ? take_again(job, (uint32_t) (part->share / RSPB_SHARE_CORE), part, err)
		       : 0;
}

/* Slurm itself says what the job takes, so the job gets the new needs for a moment. The write lock
 * keeps others from seeing that. The first error is the one to be told, also if the old needs
 * cannot be restored. */
int rspb_part_resize(uint32_t job, const struct rspb_needs *to, struct rspb_part *part,
		     struct rspb_err *err)
{
	struct rspb_needs had;
	int rc;

	if (rspb_needs_of(job, &had, err) ||
	    rspb_job_make_so(job, &(struct rspb_job_wanted){ .needs = to }, err))
		return -1;
	rc = take_again(job, UINT32_MAX, part, err) < 0 ? -1 : 0;
	return rspb_job_make_so(job, &(struct rspb_job_wanted){ .needs = &had }, rc ? NULL : err)
		       ? -1
		       : rc;
}
