/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits on what runs at a time, of a user, an account or a QOS, and licenses:
 * what counts together, how much of it there may be, and what a part of a
 * request adds.
 */
#ifndef RSPB_REQUEST_QUOTA_H
#define RSPB_REQUEST_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/nodeset.h"

enum { RSPB_QUOTA_NAME = 112 };

/* The time for which a part counts. */
enum rspb_quota_span {
	RSPB_QUOTA_NOW,	   /* an amount, while its window lasts */
	RSPB_QUOTA_LENGTH, /* that times its length in seconds, as long */
	RSPB_QUOTA_EVER	   /* the same from now on for good: a budget */
};

/* A value type. */
struct rspb_quota {
	uint64_t key;	  /* what has the same one counts together */
	int64_t most;	  /* -1: it counts, and is not bound */
	int64_t use;	  /* of a part, whatever it is granted, */
	int64_t per_node; /* with each of its nodes, */
	int64_t per_cpu;  /* and with each CPU of those */
	/* For a part that will do with fewer tasks: per_node with one task there, and what each
	 * further task adds; 0 and 0: as much as with all tasks. The last is for all tasks, 0: by
	 * the same sum. */
	int64_t one, each, all;
	int64_t span;		    /* enum rspb_quota_span */
	int64_t unit;		    /* how many make one of what the name counts; 0: 1 */
	char name[RSPB_QUOTA_NAME]; /* "MaxJobsPerUser=1 of QOS normal" */
};

/* The keys of all other quotas lack this bit. */
#define RSPB_QUOTA_LICENSE (UINT64_C(1) << 62)

static inline bool rspb_quota_of_license(const struct rspb_quota *quota)
{
	return quota->key & RSPB_QUOTA_LICENSE;
}

/* RET the factor for its amounts in a window of so many seconds. */
static inline int64_t rspb_quota_times(const struct rspb_quota *quota, int64_t seconds)
{
	return quota->span == RSPB_QUOTA_NOW ? 1 : seconds;
}

/* More than this is no more than this: sums of it are to fit, too. */
#define RSPB_QUOTA_MOST (INT64_C(1) << 57)

static inline int64_t rspb_quota_product(int64_t amount, int64_t times)
{
	int64_t product;

	return __builtin_mul_overflow(amount, times, &product) || product > RSPB_QUOTA_MOST
		       ? RSPB_QUOTA_MOST
		       : product;
}

/* RET what one node of a part adds; cpus as below. */
static inline int64_t rspb_quota_on(const struct rspb_quota *quota, const uint32_t *cpus,
				    uint32_t node)
{
	return quota->per_node + quota->per_cpu * (cpus ? cpus[node] : 1);
}

/* RET what a part with these nodes adds. cpus[nodes->width]: the CPUs of each node, NULL: one
 * each. */
int64_t rspb_quota_use(const struct rspb_quota *quota, const struct rspb_nodeset *nodes,
		       const uint32_t *cpus);

/* A kind that is counted on each node by itself, and how much each has. For such a key, per_node is
 * what a share takes of each of its nodes, at most all of it. */
struct rspb_room {
	uint64_t key; /* RSPB_ROOM_CPUS, _CORES: of no quota */
	uint32_t *of; /* owned; by node */
};
enum {
	RSPB_ROOM_CPUS = 0,
	RSPB_ROOM_CORES = 2 /* in share units, RSPB_SHARE_CORE each */
};

/* A use without a booking, from start to end (seconds). */
struct rspb_hold {
	uint64_t key;
	int64_t amount, start, end;
	uint32_t on;	/* 1 + the node where it does, of what is counted on each, or of
		      * its shares (RSPB_ROOM_CPUS); 0: of what is counted in all */
	uint32_t owner; /* as that of the block beside which it is left; 0: nobody */
};

#endif
