/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what nodes have besides CPU shares, and what a job with a share takes of it: memory, where
 * it is scheduled, and generic resources. */
#ifndef RSPB_PLUGINS_COMPAT_LIMIT_ROOM_H
#define RSPB_PLUGINS_COMPAT_LIMIT_ROOM_H

#include "common/request/request.h"
#include "plugins/compat/limit/quota.h"

/* The most of a kind that is counted on a node. Slurm's own counts may be larger, such as bytes. */
enum { RSPB_ROOM_MOST = INT32_MAX };

struct rspb_rooms_read {
	size_t n, room;
	struct rspb_room *items; /* free() it, and of[] of each */
};

/* Add what there is, CPUs among it, on nodes 0 to width - 1, with at least the
 * read lock. RET 0, -1: out of memory, and what was added stays. */
int rspb_rooms_read(struct rspb_rooms_read *rooms, uint32_t width);
/* RET what a node has of a kind; with at least the read lock. */
uint32_t rspb_room_at(uint64_t key, uint32_t node);
/* RET the least that any of these nodes has of a kind, and has at all; 0: none has; with
 * at least the read lock. */
uint32_t rspb_room_least(uint64_t key, const struct rspb_nodeset *nodes);
/* Add so much of a kind. */
void rspb_room_add(struct rspb_quotas *quotas, const char *kind, const struct rspb_quota *use);
/* Add what a job with a share of time takes on each of its nodes, in their per_node;
 * with at least the read lock. */
void rspb_job_needs(const struct rspb_job *job, struct rspb_quotas *quotas);

#endif
