/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for plugins/compat: parts of nodes, by number. Which cores of a node a job gets,
 * Slurm's selection says, which is not modelled: those that are free will do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/job_edit.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/parts/cores_call.h"
#include "plugins/compat/parts/devices.h"
#include "plugins/compat/parts/needs.h"
#include "tests/simulated/world.h"

static const char *const types[SIM_TYPES] = { "gpu:a", "gpu:b" };

/* --- what is counted on each node besides cores */
static void add_kind(struct rspb_quotas *quotas, const char *name, int64_t amount)
{
	uint64_t key = rspb_room_key(name);
	const struct rspb_quota use = { .per_node = amount };
	struct rspb_quota *quota;

	for (size_t i = 0; amount && i < quotas->n; i++)
		if (quotas->items[i].key == key) {
			quotas->items[i].per_node += amount;
			return;
		}
	quota = amount ? rspb_quotas_add(quotas, &use) : NULL;
	if (!quota)
		return;
	quota->key = key;
	quota->most = -1;
	snprintf(quota->name, sizeof(quota->name), "%s", name);
}

static void add_besides(const struct sim_take *takes, struct rspb_quotas *quotas)
{
	if (!quotas)
		return;
	add_kind(quotas, RSPB_ROOM_MEMORY, takes->memory);
	for (int i = 0; i < SIM_TYPES; i++) {
		add_kind(quotas, "gpu", takes->gpus[i]);
		add_kind(quotas, types[i], takes->gpus[i]);
	}
}

uint32_t sim_take_of(const struct sim_take *takes, uint64_t key)
{
	uint32_t gpus = 0;

	if (key == rspb_room_key(RSPB_ROOM_MEMORY))
		return takes->memory;
	for (int i = 0; i < SIM_TYPES; i++) {
		if (key == rspb_room_key(types[i]))
			return takes->gpus[i];
		gpus += takes->gpus[i];
	}
	return key == rspb_room_key("gpu") ? gpus : 0;
}

void sim_take_keys(const struct sim_take *takes, struct rspb_quotas *quotas)
{
	add_besides(takes, quotas);
}

/* Of a type only nodes with both have a bound of their own. */
static uint32_t room_at(uint64_t key, uint32_t node)
{
	struct sim_take has = sim_node_has(sim_node_at(node));

	for (int i = 0; i < SIM_TYPES; i++)
		if (key == rspb_room_key(types[i]) && !(has.gpus[0] && has.gpus[1]))
			return UINT32_MAX;
	return sim_take_of(&has, key);
}

static int read_room(struct rspb_rooms_read *rooms, uint64_t key, uint32_t width)
{
	struct rspb_room *room;

	if (rspb_array_grow(&rooms->items, &rooms->room, rooms->n + 1, sizeof(*rooms->items)))
		return -1;
	room = &rooms->items[rooms->n];
	*room = (struct rspb_room){ key, calloc(width + 1, sizeof(*room->of)) };
	if (!room->of)
		return -1;
	rooms->n++;
	for (uint32_t n = 0; n < width; n++)
		room->of[n] = key == RSPB_ROOM_CPUS ? rspb_node_cpus(n) : room_at(key, n);
	return 0;
}

int rspb_rooms_read(struct rspb_rooms_read *rooms, uint32_t width)
{
	int rc = read_room(rooms, RSPB_ROOM_CPUS, width) ||
		 read_room(rooms, rspb_room_key(RSPB_ROOM_MEMORY), width);

	if (rc || !sim_run.settings.parts)
		return rc;
	return read_room(rooms, rspb_room_key("gpu"), width) ||
	       read_room(rooms, rspb_room_key(types[0]), width) ||
	       read_room(rooms, rspb_room_key(types[1]), width);
}

uint32_t rspb_room_least(uint64_t key, const struct rspb_nodeset *nodes)
{
	uint32_t least = 0;

	RSPB_NODESET_EACH (n, nodes) {
		uint32_t has = room_at(key, n);

		if (has && (!least || has < least))
			least = has;
	}
	return least;
}

/* Of a share, of which memory is counted. */
void rspb_job_needs(const struct rspb_job *job, struct rspb_quotas *quotas)
{
	const struct sim_job *own = job->handle;

	add_kind(quotas, RSPB_ROOM_MEMORY, own->memory);
}

void rspb_devices_kept(int64_t memory, const char *text, struct rspb_quotas *quotas)
{
	add_kind(quotas, RSPB_ROOM_MEMORY, memory);
	for (int i = 0; i < SIM_TYPES; i++) {
		const char *found = strstr(text, types[i]);
		int64_t amount = found ? strtoll(found + strlen(types[i]) + 1, NULL, 10) : 0;

		add_kind(quotas, "gpu", amount);
		add_kind(quotas, types[i], amount);
	}
}

/* --- cores */
static const struct sim_job *part_of(const struct rspb_job *job)
{
	const struct sim_job *own = job->handle;

	return sim_run.settings.parts && own->cpus && !sim_job_whole(own) ? own : NULL;
}

void rspb_cores_lent(bool unshared, struct rspb_nodeset *out)
{
	(void) unshared;
	sim_bits_add(sim_lent_nodes(), out);
}

struct rspb_cores_asked rspb_cores_asked(const struct rspb_job *job)
{
	const struct sim_job *own = part_of(job);

	return (struct rspb_cores_asked){
		.parts = own && !(own->small && sim_run.settings.small_over != SIM_NO),
		.said = own,
	};
}

const char *rspb_cores_why(const struct rspb_job *job)
{
	(void) job;
	return NULL;
}

struct rspb_cores_tasks rspb_cores_tasks(const struct rspb_job *job, uint32_t nodes)
{
	(void) job;
	(void) nodes;
	return (struct rspb_cores_tasks){ 0, 0 };
}

uint32_t rspb_cores_needs(const struct rspb_job *job, uint32_t nodes, uint32_t node)
{
	const struct sim_job *own = part_of(job);

	(void) nodes;
	return own && !own->over ? sim_job_takes(own, sim_node_at(node)).cores
				 : rspb_node_is(node).cores;
}

uint32_t rspb_cores_load(const struct rspb_job *job, uint32_t node, uint32_t tasks,
			 uint64_t devices)
{
	(void) tasks;
	(void) devices;
	return rspb_cores_needs(job, 1, node);
}

uint32_t rspb_cores_types(const struct rspb_job *job, uint32_t node,
			  char names[RSPB_TYPES_MOST][RSPB_QUOTA_NAME])
{
	(void) job;
	(void) node;
	(void) names;
	return 0;
}

uint64_t rspb_cores_charged(const struct rspb_job *job, uint32_t node, uint32_t cores,
			    uint32_t asked, bool memory)
{
	(void) job;
	(void) asked;
	(void) memory;
	return (uint64_t) cores * rspb_node_is(node).threads;
}

void rspb_cores_besides(const struct rspb_job *job, uint32_t nodes, uint64_t cpus,
			struct rspb_quotas *quotas)
{
	const struct sim_job *own = part_of(job);
	struct sim_take takes;

	(void) nodes;
	(void) cpus;
	if (!own)
		return;
	takes = sim_job_takes(own, 0);
	add_besides(&takes, quotas);
}

uint32_t rspb_cores_used(const struct rspb_job *job, uint32_t node, struct rspb_quotas *quotas)
{
	struct sim_take takes = sim_job_takes(job->handle, sim_node_at(node));

	add_besides(&takes, quotas);
	return part_of(job) ? takes.cores + takes.over : 0;
}

uint32_t rspb_cores_reserved(const struct rspb_resv *resv, uint32_t node,
			     struct rspb_quotas *quotas)
{
	const struct sim_resv *own = resv->handle;

	node = sim_node_at(node);
	if (node >= SIM_NODES || !own->cores[node])
		return 0;
	add_besides(&own->takes, quotas);
	return own->cores[node];
}

void rspb_cores_resv(const char *name, uint32_t usual, const uint32_t *first,
		     const struct rspb_part *part)
{
	struct sim_resv *resv = sim_resv_find(name);

	(void) first;
	if (!resv)
		return;
	if (!sim_run.settings.parts)
		sim_fault("reservation %s is made one of cores, and no node is lent in parts",
			  name);
	memset(resv->cores, 0, sizeof(resv->cores));
	for (uint64_t nodes = resv->nodes; nodes; nodes &= nodes - 1) {
		uint32_t node = (uint32_t) __builtin_ctzll(nodes);
		uint32_t cores = rspb_part_cores_on(part, usual, sim_number_of(node));

		resv->cores[node] = (uint16_t) cores;
		if (cores > sim_node_has(node).cores)
			sim_fault("reservation %s has %u cores of node n%u", name, cores, node + 1);
	}
	sim_log("RESV %s has %u cores of each node", name, usual);
}

uint32_t sim_capped_on(const struct sim_job *own, uint32_t node, int64_t start, int64_t end,
		       uint32_t *laid)
{
	uint32_t used = 0;

	*laid = 0;
	for (uint32_t i = 0; i < sim_world->jobs.n; i++) {
		const struct sim_job *other = sim_job_find(sim_world->jobs.ids[i]);
		const struct sim_resv *resv;
		bool runs, waits;

		if (!sim_job_capped(other, node) || other->id == own->id)
			continue;
		resv = sim_resv_find(other->resv);
		runs = other->phase == RSPB_JOB_RUNNING && other->nodes >> node & 1 &&
		       other->end > start;
		waits = other->phase == RSPB_JOB_PENDING && resv && resv->nodes >> node & 1 &&
			resv->start < end && resv->end > start;
		if (runs || waits)
			*(runs ? &used : laid) += sim_job_capped(other, node);
	}
	return used;
}

static bool is_within_cap(const struct sim_job *own, uint32_t node,
			  const struct rspb_layout *layout)
{
	uint32_t cpus = sim_job_capped(own, node), used, laid;

	if (!cpus)
		return true;
	used = sim_capped_on(own, node, layout->start, layout->end, &laid);
	return cpus + used + laid <= sim_run.settings.small_cpus;
}

bool rspb_layout_needed(const struct rspb_job *job)
{
	return sim_job_capped(job->handle, 0);
}

bool rspb_layout_pick(const struct rspb_job *job, const struct rspb_pick *pick,
		      const struct rspb_layout *layout, struct rspb_nodeset *out)
{
	struct rspb_pick within = *pick;
	struct rspb_nodeset *among;
	bool found;

	if (!layout)
		return sim_pick(job->handle, pick, out);
	among = rspb_nodeset_clone(pick->among);
	if (!layout->cores)
		sim_fault("job %u is given a layout without cores", job->id);
	RSPB_NODESET_EACH (n, pick->among)
		if (among && !is_within_cap(job->handle, sim_node_at(n), layout))
			rspb_nodeset_remove(among, n);
	within.among = among;
	found = among && sim_pick(job->handle, &within, out);
	rspb_nodeset_destroy(among);
	return found;
}

/* The simulated scheduler starts no job by itself, and says nothing beforehand. */
bool rspb_layout_give(const struct rspb_job *job, const struct rspb_nodeset *among,
		      const struct rspb_layout *layout, rspb_layout_given_fn fn, void *arg)
{
	(void) among;
	(void) fn;
	(void) arg;
	if (layout->end <= layout->start)
		sim_fault("job %u is to be given something for no time", job->id);
	return false;
}

int rspb_layout_keep(const struct rspb_job *job, const struct rspb_nodeset *nodes,
		     const struct rspb_layout *layout, const char *reservation,
		     struct rspb_err *err)
{
	const struct sim_resv *resv = reservation ? sim_resv_find(reservation) : NULL;

	if (!layout->cores || rspb_nodeset_empty(nodes))
		sim_fault("job %u is given a layout without cores", job->id);
	if (resv && (sim_bits(nodes) & ~resv->nodes))
		sim_fault("job %u is given a layout outside of %s", job->id, reservation);
	RSPB_NODESET_EACH (n, nodes)
		if (!is_within_cap(job->handle, sim_node_at(n), layout))
			return rspb_fail(err, "partition small allows %u CPUs of a node",
					 sim_run.settings.small_cpus);
	return 0;
}

void rspb_resv_begins(const char *cores, rspb_job_placed_fn each)
{
	(void) cores;
	(void) each;
	sim_world_look(1);
}

/* --- kinds of nodes */
static void print_devices(const struct sim_take *has, char *text, size_t size)
{
	size_t len = 0;

	snprintf(text, size, "%s", "");
	for (int i = 0; i < SIM_TYPES; i++)
		if (has->gpus[i] && len < size)
			len += (size_t) snprintf(text + len, size - len, "%s%s:%u", len ? "," : "",
						 types[i], has->gpus[i]);
}

/* Slurm expects it back once its jobs are over, and it was away as long as that takes. */
static void note_reboot(uint32_t node, struct rspb_node_kind *out)
{
	int64_t from = sim_now();

	if (node >= sim_run.nodes || !sim_world->reboots[node])
		return;
	if (sim_world->back_at[node]) {
		out->back = (sim_world->back_at[node] + sim_world->offset) / SIM_S + 1;
		return;
	}
	for (uint32_t i = 0; i < sim_world->placed.n; i++) {
		const struct sim_job *job = sim_job_find(sim_world->placed.id[i]);

		if (job->phase == RSPB_JOB_RUNNING && job->nodes >> node & 1 && job->end > from)
			from = job->end;
	}
	out->away = from - sim_now() + sim_world->reboots[node] + SIM_KILL_WAIT;
}

bool rspb_node_kind_of(uint32_t node, struct rspb_node_kind *out)
{
	static char gres[SIM_NODES][32], names[SIM_NODES][8];
	struct sim_take has = sim_node_has(sim_node_at(node));

	*out = (struct rspb_node_kind){ .name = "", .threads = 1, .features = "", .gres = "" };
	if (node >= rspb_node_width())
		return false;
	print_devices(&has, gres[node], sizeof(gres[node]));
	snprintf(names[node], sizeof(names[node]), "n%u", sim_node_at(node) + 1);
	*out = (struct rspb_node_kind){
		.name = names[node],
		.cores = has.cores,
		.threads = sim_node_threads(sim_node_at(node)),
		.cpus = has.cores * sim_node_threads(sim_node_at(node)),
		.memory = has.memory,
		.all = has.memory,
		.features = sim_node_at(node) % 2 ? "b" : "a",
		.gres = gres[node],
	};
	note_reboot(sim_node_at(node), out);
	return true;
}

void rspb_node_devices(uint32_t node, char *text, size_t size)
{
	struct sim_take has = sim_node_has(sim_node_at(node));

	print_devices(&has, text, size);
}

/* --- changes of what a job needs: nothing of the workload asks for them */
int rspb_needs_of(uint32_t id, struct rspb_needs *out, struct rspb_err *err)
{
	const struct sim_job *job = sim_job_find(id);

	if (!job || job->phase != RSPB_JOB_PENDING)
		return rspb_fail(err, "job %u is not pending", id);
	*out = (struct rspb_needs){ .cpus = job->nodes_min * (job->cpus ? job->cpus : 1) };
	return 0;
}

int rspb_needs_change(struct rspb_needs *needs, uint32_t nodes, const struct rspb_terms *said,
		      struct rspb_err *err)
{
	(void) needs;
	(void) nodes;
	(void) said;
	(void) err;
	return 0;
}

/* --- arrays: the tasks that wait are one record, until each becomes one of its own */
int rspb_job_divide(uint32_t id, struct rspb_err *err)
{
	struct sim_job *job = sim_job_find(id), *task;

	if (!job || job->phase != RSPB_JOB_PENDING || job->undivided < 1)
		return rspb_fail(err, "job %u is no array", id);
	if (job->undivided == 1) {
		job->undivided = 0;
		sim_job_changed(job);
		return 0;
	}
	task = sim_job_add();
	if (!task)
		return rspb_fail(err, "there is no room for another task of job %u", id);
	id = task->id;
	*task = *job;
	task->id = task->leader = id;
	task->label = 0;
	task->task = job->task;
	task->undivided = 0;
	job->task++;
	job->undivided--;
	sim_log("TASK %u of job %u is job %u", task->task, job->id, id);
	sim_job_changed(task);
	sim_job_changed(job);
	if (job->undivided > 1)
		return 1;
	job->undivided = 0;
	return 0;
}
