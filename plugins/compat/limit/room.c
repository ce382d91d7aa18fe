/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the memory and devices of nodes that shares take from. What is booked of them
 * it does not know. */
#include "plugins/compat/limit/quota.h"

#include <stdio.h>
#include <stdlib.h>

#include "plugins/compat/node.h"
#include "plugins/compat/parts/devices.h"
#include "plugins/compat/slurm.h"

/* The words of messages for them, too. */
#define DEVICES "generic resources, of which a share that asks for some takes all,"

static bool counts_memory(void)
{
	return slurm_conf.select_type_param & RSPB_RELEASE_MEMORY;
}

static const node_record_t *node_at(uint32_t n)
{
	return n < (uint32_t) node_record_count ? node_record_table_ptr[n] : NULL;
}

/* RET the numbers of a new room, all 0; the one there is, if it is of that key;
 * NULL: out of memory. */
static uint32_t *room_of(struct rspb_rooms_read *rooms, uint64_t key, uint32_t width)
{
	struct rspb_room *room;

	for (size_t i = 0; i < rooms->n; i++)
		if (rooms->items[i].key == key)
			return rooms->items[i].of;
	if (rspb_array_grow(&rooms->items, &rooms->room, rooms->n + 1, sizeof(*rooms->items)))
		return NULL;
	room = &rooms->items[rooms->n];
	*room = (struct rspb_room){ key, calloc(width + 1, sizeof(*room->of)) };
	if (room->of)
		rooms->n++;
	return room->of;
}

/* RET a number as rooms hold it: larger ones are cut, as are the amounts that jobs take. */
static uint32_t bounded(uint64_t number)
{
	return number < RSPB_ROOM_MOST ? (uint32_t) number : RSPB_ROOM_MOST;
}

/* Slurm gives a job that has its node whole all of that node's generic
 * resources, and jobs with shares have their nodes' CPUs so: of those that ask for any
 * there is room for one. Others have none (parts/share.h). */
static uint32_t room_for_devices(const node_record_t *node)
{
	uint32_t room = UINT32_MAX;
	gres_state_t *kind;
	list_itr_t *iter;

	if (!node->gres_list)
		return room;
	iter = list_iterator_create(node->gres_list);
	while ((kind = list_next(iter)))
		if (((gres_node_state_t *) kind->gres_data)->gres_cnt_avail)
			room = 1;
	list_iterator_destroy(iter);
	return room;
}

/* Count each type by itself where a node has several. Nodes with one type have no such bound. */
static int read_types(struct rspb_rooms_read *rooms, const gres_state_t *kind, uint32_t n,
		      uint32_t width)
{
	const gres_node_state_t *at = kind->gres_data;
	char name[RSPB_DEVICE_NAME];

	for (int i = 0; at->type_cnt > 1 && i < at->type_cnt; i++) {
		size_t had = rooms->n;
		uint32_t *of;

		rspb_device_name(kind->gres_name, at->type_name[i], name);
		of = room_of(rooms, rspb_room_key(name), width);
		if (!of)
			return -1;
		/* A type that is met for the first time bounds no other node. */
		for (uint32_t m = 0; rooms->n > had && m < width; m++)
			of[m] = UINT32_MAX;
		of[n] = bounded(at->type_cnt_avail[i]);
	}
	return 0;
}

/* Each kind by itself, of those that have cores of their own. */
static int read_devices(struct rspb_rooms_read *rooms, uint32_t n, uint32_t width)
{
	const node_record_t *node = node_at(n);
	gres_state_t *kind;
	list_itr_t *iter;
	int rc = 0;

	if (!node->gres_list)
		return 0;
	iter = list_iterator_create(node->gres_list);
	while (!rc && (kind = list_next(iter))) {
		uint32_t *of = room_of(rooms, rspb_room_key(kind->gres_name), width);

		if (of)
			of[n] = bounded(((gres_node_state_t *) kind->gres_data)->gres_cnt_avail);
		rc = of ? read_types(rooms, kind, n, width) : -1;
	}
	list_iterator_destroy(iter);
	return rc;
}

/* Read one node into all rooms. RET -1: out of memory; the rooms that were made before stay. */
static int read_node(struct rspb_rooms_read *rooms, uint32_t n, uint32_t width)
{
	const node_record_t *node = node_at(n);
	uint32_t *cpus = room_of(rooms, RSPB_ROOM_CPUS, width);
	uint32_t *devices = room_of(rooms, rspb_room_key(DEVICES), width);
	uint32_t *memory = NULL;

	if (counts_memory())
		memory = room_of(rooms, rspb_room_key(RSPB_ROOM_MEMORY), width);
	if (!cpus || !devices || (counts_memory() && !memory))
		return -1;
	/* The slot has no node: its rooms stay empty. */
	if (!node || !node->name)
		return 0;
	cpus[n] = rspb_node_cpus(n);
	devices[n] = room_for_devices(node);
	if (memory && node->real_memory > node->mem_spec_limit)
		memory[n] = bounded(node->real_memory - node->mem_spec_limit);
	return read_devices(rooms, n, width);
}

static int is_of_kind(void *kind, void *key)
{
	return rspb_room_key(((gres_state_t *) kind)->gres_name) == *(uint64_t *) key;
}

/* RET what a node has of a kind, without the memory that is kept for the system (MemSpecLimit).
 * Types of devices are not known here: 0. */
static uint32_t room_of_node(uint64_t key, bool memory, uint32_t n)
{
	const node_record_t *node = node_at(n);
	const gres_state_t *kind;

	if (!node || !node->name)
		return 0;
	if (memory)
		return node->real_memory > node->mem_spec_limit
			       ? bounded(node->real_memory - node->mem_spec_limit)
			       : 0;
	kind = node->gres_list ? list_find_first(node->gres_list, is_of_kind, &key) : NULL;
	return kind ? bounded(((gres_node_state_t *) kind->gres_data)->gres_cnt_avail) : 0;
}

uint32_t rspb_room_at(uint64_t key, uint32_t n)
{
	return room_of_node(key, key == rspb_room_key(RSPB_ROOM_MEMORY), n);
}

uint32_t rspb_room_least(uint64_t key, const struct rspb_nodeset *nodes)
{
	bool memory = key == rspb_room_key(RSPB_ROOM_MEMORY);
	uint32_t least = 0;

	RSPB_NODESET_EACH (n, nodes) {
		uint32_t has = room_of_node(key, memory, n);

		/* Nodes that have none are not asked for any. */
		if (has && (!least || has < least))
			least = has;
	}
	return least;
}

int rspb_rooms_read(struct rspb_rooms_read *rooms, uint32_t width)
{
	int rc = 0;

	for (uint32_t n = 0; n < width && !rc; n++)
		rc = read_node(rooms, n, width);
	return rc;
}

/* --- jobs --------------------------------------------------------------- */

void rspb_room_add(struct rspb_quotas *quotas, const char *name, const struct rspb_quota *use)
{
	struct rspb_quota *quota = rspb_quotas_add(quotas, use);

	if (!quota)
		return;
	quota->key = rspb_room_key(name);
	quota->most = -1;
	snprintf(quota->name, sizeof(quota->name), "%s", name);
}

/* On each node, all CPUs of which it has; without a number it takes all there
 * is. */
static struct rspb_quota memory_of(const job_record_t *job)
{
	uint64_t memory = job->details->pn_min_memory;

	if (memory & MEM_PER_CPU)
		return (struct rspb_quota){
			.per_cpu = bounded(memory & ~MEM_PER_CPU),
		};
	return (struct rspb_quota){
		.per_node = memory ? bounded(memory) : UINT32_MAX,
	};
}

void rspb_job_needs(const struct rspb_job *view, struct rspb_quotas *quotas)
{
	const struct rspb_quota one = { .per_node = 1 };
	const job_record_t *job = view->handle;
	struct rspb_quota memory;

	if (!job->details)
		return;
	/* Only one of the shares on a node has devices, and it has all of them
	 * (room_for_devices). */
	if (job->gres_list_req)
		rspb_room_add(quotas, DEVICES, &one);
	memory = memory_of(job);
	if (counts_memory())
		rspb_room_add(quotas, RSPB_ROOM_MEMORY, &memory);
}
