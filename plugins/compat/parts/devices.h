/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generic resources of nodes and jobs as they are counted for parts of nodes: by kind
 * ("gpu") and, where a node has several types of a kind, by type ("gpu:a100") besides.
 * Where it has one, the kind is enough. Locks as for job.h.
 */
#ifndef RSPB_PLUGINS_COMPAT_PARTS_DEVICES_H
#define RSPB_PLUGINS_COMPAT_PARTS_DEVICES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "plugins/compat/limit/quota.h"
#include "plugins/compat/slurm.h"

enum { RSPB_DEVICE_NAME = 64 };

/* How a type of a kind is called. */
static inline void rspb_device_name(const char *kind, const char *type, char out[RSPB_DEVICE_NAME])
{
	snprintf(out, RSPB_DEVICE_NAME, "%s:%s", kind, type);
}
/* Add so much of what is called so to per_node. */
void rspb_devices_add(struct rspb_quotas *quotas, const char *name, int64_t amount);
/* Add, per_node, what is kept of each node besides cores, as contracts and tags have it:
 * MiB, 0: none, and such a text. */
void rspb_devices_kept(int64_t memory, const char *text, struct rspb_quotas *quotas);
/* Add what a job has on the place-th of its nodes, which is this one. Parts of a GPU
 * (shard, mps) take the GPUs that they are of. */
void rspb_devices_had(const job_record_t *job, int place, uint32_t node,
		      struct rspb_quotas *quotas);
/* Likewise what Slurm's selection has just chosen for a job on a node. */
void rspb_devices_given(const job_record_t *job, uint32_t node, struct rspb_quotas *quotas);
/* Likewise what a reservation of others has on a node. */
void rspb_devices_reserved(const slurmctld_resv_t *resv, uint32_t node, struct rspb_quotas *quotas);
/* RET what a node has of a kind, by its plugin_id; NULL: nothing. */
gres_node_state_t *rspb_devices_at(uint32_t node, uint32_t kind);
/* RET how many sets of cores the devices of a node that a job may take are beside. fewest: devices
 * of one line of gres.conf. */
uint32_t rspb_devices_sets(const gres_state_t *asked, uint32_t node, uint64_t *fewest);
/* RET beside how many of the so many sockets of a node that have the most devices a job may take
 * some. most: all devices of these sockets, and those that are beside any core. */
uint32_t rspb_devices_sockets(const gres_state_t *asked, uint32_t node, uint32_t sockets,
			      uint64_t *most);
/* RET the socket of a node beside which most devices of the first kind that a job asks for are free
 * now; 0: it does not matter. */
int rspb_devices_free_socket(const job_record_t *job, uint32_t node);
/* Whether it asks for parts of GPUs of each node, which lie on one of them. */
bool rspb_devices_one(const gres_state_t *asked);
/* RET how many GPUs the parts of GPUs that a job asks for take of their node: shards lie on one
 * GPU, which nobody else can then have; 0: not known for other kinds. */
int64_t rspb_devices_sharing(const gres_state_t *asked);
/* Whether no GPU of a node has as many of what is asked for, where that lies on one. */
bool rspb_devices_too_many(const gres_state_t *asked, uint32_t node);
/* Whether a job asks for parts of GPUs. */
bool rspb_devices_shares(const job_record_t *job);
/* Whether something prevents a part: the job asks for parts of devices, and it is not known how
 * many they take, or for any type of a kind of which the node has several. RET the kind of which it
 * may take any, NULL: nothing does. */
const char *rspb_devices_vague(const job_record_t *job, uint32_t node);
/* The same as a sentence, for any node at all; NULL: nothing does. */
const char *rspb_devices_why(const job_record_t *job);
/* The types of what is asked for that a node has, as "gpu:a100". RET how many are in
 * types[most]. */
uint32_t rspb_devices_types(const gres_state_t *asked, uint32_t node,
			    char (*types)[RSPB_QUOTA_NAME], uint32_t most);

#endif
