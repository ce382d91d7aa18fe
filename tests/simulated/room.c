/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What nodes have, what jobs take of them, and what finds room there. Nodes are of four
 * kinds if they are lent in parts; which cores a job has is not modelled, only how many. */
#include <stdio.h>
#include <string.h>

#include "tests/simulated/world.h"

struct kind {
	struct sim_take has;
	uint32_t threads;
};

/* By number of the node: two sockets; threads; GPUs of type a; GPUs of both types. */
static const struct kind kinds[] = {
	{ { .cores = 8, .memory = 16000, .share = SIM_WHOLE }, 1 },
	{ { .cores = 8, .memory = 32000, .share = SIM_WHOLE }, 2 },
	{ { .cores = 4, .memory = 16000, .share = SIM_WHOLE, .gpus = { 2, 0 } }, 1 },
	{ { .cores = 8, .memory = 32000, .share = SIM_WHOLE, .gpus = { 2, 2 } }, 1 },
};
static const struct kind alike = { { .cores = 4, .memory = 16000, .share = SIM_WHOLE }, 1 };

static const struct kind *kind_of(uint32_t node)
{
	return sim_run.settings.parts ? &kinds[node % (sizeof(kinds) / sizeof(kinds[0]))] : &alike;
}

struct sim_take sim_node_has(uint32_t node)
{
	return kind_of(node)->has;
}

uint32_t sim_node_threads(uint32_t node)
{
	return kind_of(node)->threads;
}

uint64_t sim_small_nodes(void)
{
	return (UINT64_C(1) << sim_run.nodes / 2) - 1;
}

/* As Slurm gives each job its own cores, in all partitions of a node. */
uint64_t sim_lent_nodes(void)
{
	const struct sim_settings *s = &sim_run.settings;
	uint64_t none = s->partitions && s->small_over != SIM_NO ? sim_small_nodes() : 0;

	return s->parts ? sim_nodes_all() & ~none : 0;
}

bool sim_job_whole(const struct sim_job *job)
{
	return (!job->cpus && !job->share) ||
	       (job->small && sim_run.settings.small_over == SIM_EXCLUSIVE);
}

/* Slurm counts the threads of all cores that jobs of the partition have of a node. */
uint32_t sim_job_capped(const struct sim_job *job, uint32_t node)
{
	const struct kind *kind = kind_of(node);

	if (!job->small || !sim_run.settings.small_cpus)
		return 0;
	return sim_job_whole(job) ? kind->has.cores * kind->threads
				  : (job->cpus + kind->threads - 1) / kind->threads * kind->threads;
}

bool sim_job_before(const struct sim_job *job, const struct sim_job *other)
{
	if (sim_run.settings.small_first && job->small != other->small)
		return job->small;
	return job->id < other->id;
}

struct sim_take sim_job_takes(const struct sim_job *job, uint32_t node)
{
	const struct kind *kind = kind_of(node);
	struct sim_take takes = { .share = job->share, .memory = job->memory };

	if (sim_job_whole(job))
		takes = kind->has;
	takes.capped = sim_job_capped(job, node);
	if (sim_job_whole(job) || !job->cpus)
		return takes;
	takes.cores = (job->cpus + kind->threads - 1) / kind->threads;
	if (job->over) {
		takes.over = takes.over_most = takes.cores;
		takes.cores = 0;
	}
	if (job->gpus)
		takes.gpus[job->gpu == 'b'] = job->gpus;
	return takes;
}

void sim_take_add(struct sim_take *sum, const struct sim_take *takes)
{
	sum->cores += takes->cores;
	sum->memory += takes->memory;
	sum->share += takes->share;
	sum->capped += takes->capped;
	sum->over += takes->over;
	if (takes->over_most > sum->over_most)
		sum->over_most = takes->over_most;
	for (int i = 0; i < SIM_TYPES; i++)
		sum->gpus[i] += takes->gpus[i];
}

const char *sim_take_exceeds(const struct sim_take *sum, const struct sim_take *has)
{
	uint32_t over = (sum->over + SIM_OVER - 1) / SIM_OVER;

	if (sum->cores + (over > sum->over_most ? over : sum->over_most) > has->cores)
		return "cores";
	if (sum->capped && sum->capped > sim_run.settings.small_cpus)
		return "CPUs of its partition";
	if (sum->memory > has->memory)
		return "memory";
	if (sum->share > has->share)
		return "shares";
	for (int i = 0; i < SIM_TYPES; i++)
		if (sum->gpus[i] > has->gpus[i])
			return "GPUs";
	return NULL;
}

void sim_used(struct sim_take used[SIM_NODES])
{
	memset(used, 0, SIM_NODES * sizeof(*used));
	for (uint32_t i = 0; i < sim_world->placed.n; i++) {
		const struct sim_job *job = sim_job_find(sim_world->placed.id[i]);
		uint64_t nodes = job->unclean;

		if (job->phase == RSPB_JOB_RUNNING && !job->suspended)
			nodes |= job->nodes;
		for (; nodes; nodes &= nodes - 1) {
			uint32_t node = (uint32_t) __builtin_ctzll(nodes);
			struct sim_take takes = sim_job_takes(job, node);

			sim_take_add(&used[node], &takes);
		}
	}
}

bool sim_fits(const struct sim_take used[SIM_NODES], const struct sim_job *job, uint32_t node)
{
	struct sim_take sum = sim_job_takes(job, node), has = sim_node_has(node);

	sim_take_add(&sum, &used[node]);
	return !sim_take_exceeds(&sum, &has);
}

bool sim_there(uint32_t job, uint32_t node)
{
	for (int i = 0; sim_world->n_there[node] && i < SIM_BESIDE; i++)
		if (sim_world->there[node][i].job == job)
			return true;
	return false;
}

bool sim_there_any(uint32_t node)
{
	return sim_world->n_there[node];
}

void sim_there_drop(uint32_t job, uint32_t node)
{
	for (int i = 0; i < SIM_BESIDE; i++)
		if (sim_world->there[node][i].job == job) {
			sim_world->there[node][i].job = 0;
			sim_world->n_there[node]--;
		}
}

/* Whether the program of a regular job has been there since before a kill, and neither Slurm nor
 * the broker knows of it until its node registers. */
static bool is_lost(const struct sim_there *there, uint32_t node)
{
	const struct sim_job *job = sim_job_find(there->job);

	return sim_world->registers[node] && !(job && job->resv[0]) &&
	       !(job && job->phase == RSPB_JOB_RUNNING && job->nodes >> node & 1) &&
	       !(job && job->unclean >> node & 1);
}

/* Whether a job runs without a booking: a request that was declined can run as a regular job. */
static bool is_regular(const struct sim_job *job)
{
	return !job->booking || !job->resv[0];
}

/* RET the sum of what the programs on a node and this job take. *other: one of these programs;
 * lost: those that nobody knows of count, too. */
static struct sim_take sum_there(const struct sim_job *job, uint32_t node, bool lost,
				 uint32_t *other)
{
	struct sim_take sum = sim_job_takes(job, node);

	for (int i = 0; sim_world->n_there[node] && i < SIM_BESIDE; i++) {
		const struct sim_there *there = &sim_world->there[node][i];
		const struct sim_job *is = sim_job_find(there->job);

		/* A regular job whose start was not saved is started again where it is. */
		if (!there->job || (there->job == job->id && is_regular(job)) ||
		    (!lost && is_lost(there, node)))
			continue;
		*other = there->job;
		if (!(is && is->suspended))
			sim_take_add(&sum, &there->takes);
	}
	return sum;
}

bool sim_fits_there(const struct sim_job *job, uint32_t node)
{
	uint32_t other;
	struct sim_take sum = sum_there(job, node, true, &other), has = sim_node_has(node);

	return sim_world->n_there[node] < SIM_BESIDE && !sim_take_exceeds(&sum, &has);
}

void sim_there_add(struct sim_job *job, uint32_t node)
{
	uint32_t other = 0;
	struct sim_take sum = sum_there(job, node, false, &other), has = sim_node_has(node);
	const char *what = sim_take_exceeds(&sum, &has);
	int place = 0;

	if (what && other)
		sim_fault("job %u begins on node n%u, where job %u still is", job->id, node + 1,
			  other);
	else if (what)
		sim_fault("job %u begins on node n%u, which has too few %s", job->id, node + 1,
			  what);
	if (is_regular(job))
		sim_there_drop(job->id, node);
	while (place < SIM_BESIDE && sim_world->there[node][place].job)
		place++;
	if (place == SIM_BESIDE)
		return;
	sim_world->there[node][place] = (struct sim_there){ job->id, sim_job_takes(job, node) };
	sim_world->n_there[node]++;
}
