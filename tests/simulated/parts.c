/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for plugins/compat: parts of nodes, which are cores and GPUs. With
 * slurm.Parts=yes each node lends its cores, and every fourth has GPUs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/limit/room.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/parts/cores_call.h"
#include "tests/simulated/world.h"

#define GPU "gpu"

void sim_use_now(struct sim_use use[SIM_NODES])
{
	memset(use, 0, SIM_NODES * sizeof(*use));
	for (uint32_t i = 0; i < sim_world->jobs.n; i++) {
		const struct sim_job *job = sim_job_find(sim_world->jobs.ids[i]);
		uint64_t nodes = job->unclean | (job->phase == RSPB_JOB_RUNNING ? job->nodes : 0);

		for (int n = 0; nodes && n < SIM_NODES; n++)
			if (nodes >> n & 1) {
				use[n].cores += job->cores ? job->cores : SIM_CORES;
				use[n].gpus += job->cores ? job->gpus : sim_node_gpus(n);
			}
	}
}

uint32_t sim_node_gpus(int node)
{
	return sim_run.settings.parts && node % 4 == 0 ? SIM_GPUS : 0;
}

uint64_t sim_nodes_full(const struct sim_job *job)
{
	struct sim_use use[SIM_NODES];
	uint64_t full = 0;

	if (!job->cores)
		return sim_nodes_used();
	sim_use_now(use);
	for (int n = 0; n < SIM_NODES; n++)
		if (use[n].cores + job->cores > SIM_CORES ||
		    use[n].gpus + job->gpus > sim_node_gpus(n))
			full |= UINT64_C(1) << n;
	return full;
}

uint64_t sim_gpu_nodes(void)
{
	uint64_t nodes = 0;

	for (int n = 0; n < SIM_NODES; n++)
		if (sim_node_gpus(n))
			nodes |= UINT64_C(1) << n;
	return nodes & sim_nodes_all();
}

static const struct sim_job *job_of(const struct rspb_job *job)
{
	return job->handle;
}

void rspb_cores_lent(struct rspb_nodeset *out)
{
	if (sim_run.settings.parts)
		sim_bits_add(sim_nodes_all(), out);
}

bool rspb_cores_asks(const struct rspb_job *job, uint32_t nodes)
{
	(void) nodes;
	return sim_run.settings.parts && job_of(job)->cores;
}

bool rspb_cores_counted(const struct rspb_job *job)
{
	(void) job;
	return false;
}

const char *rspb_cores_why(const struct rspb_job *job)
{
	(void) job;
	return NULL;
}

bool rspb_cores_shares(const struct rspb_job *job)
{
	(void) job;
	return false;
}

bool rspb_cores_said(const struct rspb_job *job)
{
	return job_of(job)->cores;
}

uint32_t rspb_cores_tasks(const struct rspb_job *job, uint32_t nodes)
{
	(void) job;
	(void) nodes;
	return 0;
}

uint32_t rspb_cores_needs(const struct rspb_job *job, uint32_t nodes, uint32_t node)
{
	(void) nodes;
	return job_of(job)->cores ? job_of(job)->cores : rspb_node_cores(node);
}

static void add_gpus(uint32_t gpus, struct rspb_quotas *quotas)
{
	const struct rspb_quota use = { .per_node = gpus };
	struct rspb_quota *quota = gpus && quotas ? rspb_quotas_add(quotas, &use) : NULL;

	if (!quota)
		return;
	quota->key = rspb_room_key(GPU);
	quota->most = -1;
	snprintf(quota->name, sizeof(quota->name), GPU);
}

void rspb_cores_besides(const struct rspb_job *job, uint32_t nodes, uint64_t cpus,
			struct rspb_quotas *quotas)
{
	(void) nodes;
	(void) cpus;
	add_gpus(job_of(job)->gpus, quotas);
}

bool rspb_cores_apart(const struct rspb_job *job)
{
	return job_of(job)->cores;
}

uint32_t rspb_cores_used(const struct rspb_job *job, uint32_t node, struct rspb_quotas *quotas)
{
	const struct sim_job *own = job_of(job);

	add_gpus(own->cores ? own->gpus : sim_node_gpus((int) node), quotas);
	return own->cores ? own->cores : rspb_node_cores(node);
}

uint32_t rspb_cores_reserved(const struct rspb_resv *resv, uint32_t node,
			     struct rspb_quotas *quotas)
{
	const struct sim_resv *own = resv->handle;

	(void) node;
	(void) quotas;
	return own->cores;
}

void rspb_cores_resv(const char *name, uint32_t cores, const uint32_t *first)
{
	struct sim_resv *resv = sim_resv_find(name);

	(void) first;
	if (!sim_run.settings.parts)
		sim_fault("reservation %s is made one of cores, and no node is lent in parts",
			  name);
	if (resv)
		resv->cores = cores;
}

void rspb_cores_resv_begins(const char *name, rspb_job_placed_fn each)
{
	(void) name;
	(void) each;
}

static int add_room(struct rspb_rooms_read *rooms, uint64_t key, uint32_t width, bool gpus)
{
	struct rspb_room room = { .key = key, .of = calloc(width + 1, sizeof(*room.of)) };

	if (!room.of ||
	    rspb_array_grow(&rooms->items, &rooms->room, rooms->n + 1, sizeof(*rooms->items))) {
		free(room.of);
		return -1;
	}
	for (uint32_t n = 0; n < width; n++)
		room.of[n] = gpus ? sim_node_gpus((int) n) : SIM_CORES;
	rooms->items[rooms->n++] = room;
	return 0;
}

int rspb_rooms_read(struct rspb_rooms_read *rooms, uint32_t width)
{
	if (!sim_run.settings.parts)
		return 0;
	return add_room(rooms, RSPB_ROOM_CPUS, width, false) ||
			       add_room(rooms, rspb_room_key(GPU), width, true)
		       ? -1
		       : 0;
}

uint32_t rspb_room_least(uint64_t key, const struct rspb_nodeset *nodes)
{
	return key == rspb_room_key(GPU) && sim_bits(nodes) & sim_gpu_nodes() ? SIM_GPUS : 0;
}
