/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits on what runs at a time, of a user, an account or a QOS: what counts
 * together, how much of it there may be, and what a part of a request adds.
 */
#ifndef RSPB_REQUEST_QUOTA_H
#define RSPB_REQUEST_QUOTA_H

#include <stdint.h>

#include "common/base/nodeset.h"

enum { RSPB_QUOTA_NAME = 112 };

/* A value type. */
struct rspb_quota {
	uint64_t key;		    /* what has the same one counts together */
	int64_t most;		    /* -1: it counts, and is not bound */
	int64_t use;		    /* of a part, whatever it is granted, */
	int64_t per_node;	    /* with each of its nodes, */
	int64_t per_cpu;	    /* and with each CPU of those */
	char name[RSPB_QUOTA_NAME]; /* "MaxJobsPerUser=1 of QOS normal" */
};

/* What one node of a part adds; cpus as below. */
static inline int64_t rspb_quota_on(const struct rspb_quota *quota,
				    const uint32_t *cpus, uint32_t node)
{
	return quota->per_node + quota->per_cpu * (cpus ? cpus[node] : 1);
}

/* What a part with these nodes adds. cpus[nodes->width]: of each node, NULL:
 * one each. */
int64_t rspb_quota_use(const struct rspb_quota *quota,
		       const struct rspb_nodeset *nodes, const uint32_t *cpus);

/* What is counted on each node by itself, and how much there is of it: of such a
 * key, per_node is what a share takes of each of its nodes, all of it at most. */
struct rspb_room {
	uint64_t key; /* RSPB_ROOM_CPUS: of no quota */
	uint32_t *of; /* owned; by node */
};
enum { RSPB_ROOM_CPUS = 0 };

/* What runs without a booking, from start to end (seconds). */
struct rspb_hold {
	uint64_t key;
	int64_t amount, start, end;
};

#endif
