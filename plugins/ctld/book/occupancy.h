/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects what is in the way of bookings and is no booking: running jobs up to their time limits,
 * jobs that are being cleaned up, nodes that cannot be counted on, and other people's reservations
 * with all their occurrences; and the licenses that these hold. */
#ifndef RSPB_CTLD_BOOK_OCCUPANCY_H
#define RSPB_CTLD_BOOK_OCCUPANCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/ledger/ledger.h"
#include "plugins/compat/job.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/ctld/base/section.h"

enum {
	RSPB_BLOCK_TEXT = 80,
	/* A silent node is expected back (or down) in so many seconds. */
	RSPB_SILENT_S = 60
};

struct rspb_block {
	int64_t start, end;
	struct rspb_nodeset *nodes; /* owned */
	uint32_t job;		    /* 0: not a job */
	enum rspb_block_kind kind;
	bool beside;		    /* leaves room for shares */
	int64_t left;		    /* s, of a job that goes on when another is over; else 0 */
	bool goes_on;		    /* a job that is suspended by what is booked there, not ended */
	int64_t stays;		    /* until then a regular job, whatever is booked; else 0 */
	char what[RSPB_BLOCK_TEXT]; /* for messages; "" for jobs */
	bool passing;		    /* likely to go away by itself */
};

struct rspb_occupancy {
	uint32_t width;
	int64_t now, horizon;  /* nothing is looked at beyond */
	struct rspb_seen seen; /* as of basis.h, when it was begun */
	size_t n, room;
	struct rspb_block *blocks;
	size_t n_holds, holds_room;
	struct rspb_hold *holds;
	const uint8_t *dedicated;	 /* see book.h, NULL: none */
	const struct rspb_nodeset *lent; /* likewise */
	uint64_t *memory;		 /* of ordinary jobs beside shares on each node */
	int64_t *until;			 /* when the last job that runs on each node ends */
	bool any_left;			 /* some block has it */
	bool short_of_memory;
};

void rspb_occupancy_init(struct rspb_occupancy *occupancy, uint32_t width, int64_t now,
			 int64_t horizon);
void rspb_occupancy_fini(struct rspb_occupancy *occupancy);
/* RET an empty block over the part of [start, end) that is examined; NULL: there is no such part,
 * or out of memory. */
struct rspb_block *rspb_occupancy_add(struct rspb_occupancy *occupancy, int64_t start, int64_t end);
/* Hold what each of these takes, over the part of [start, end) that is examined. on: the number of
 * one node + 1; 0: the whole machine. owner: the job that takes it, 0: no job that makes way. */
void rspb_occupancy_hold(struct rspb_occupancy *occupancy, int64_t start, int64_t end,
			 const struct rspb_quotas *quotas, uint32_t on, uint32_t owner);
/* Hold what each takes of a node, in per_node, likewise. */
static inline void rspb_occupancy_hold_on(struct rspb_occupancy *occupancy, int64_t start,
					  int64_t end, struct rspb_quotas *has, uint32_t node,
					  uint32_t owner)
{
	for (size_t i = 0; i < has->n; i++)
		has->items[i].use = has->items[i].per_node;
	rspb_occupancy_hold(occupancy, start, end, has, node + 1, owner);
}
/* Let nodes of a block leave room for parts, in a block of their own. The pointer to the block is
 * not valid afterwards. */
void rspb_occupancy_beside(struct rspb_occupancy *occupancy, struct rspb_block *block,
			   const struct rspb_nodeset *room);
/* Add nodes, reservations and licenses taken elsewhere; wants at least the read lock. RET 0 or -1:
 * out of memory, here or before. */
int rspb_occupancy_collect(struct rspb_occupancy *occupancy, struct rspb_err *err);
/* Likewise jobs with these numbers; those that have no nodes any more are left out. */
void rspb_occupancy_jobs(struct rspb_occupancy *occupancy, const uint32_t *ids, size_t n);
/* RET the second from which on others can count on the nodes of a job at its limit. The time for
 * its clean-up and for the next job's preparation is part of it. */
int64_t rspb_occupancy_job_end(const struct rspb_job *job, int64_t now);
/* Add such jobs from *i on, as many as a section has time for; *i: the next one. */
void rspb_occupancy_some(struct rspb_occupancy *occupancy, const uint32_t *ids, size_t n, size_t *i,
			 const struct rspb_section *section);
/* Block and hold all of it in a ledger that is planned on. */
int rspb_occupancy_block(const struct rspb_occupancy *occupancy, struct rspb_ledger *ledger,
			 struct rspb_err *err);
/* RET the first block that has a node of the set within [start, end), NULL
 * when there is none. share: a share of them is asked for. */
const struct rspb_block *rspb_occupancy_hit(const struct rspb_occupancy *occupancy, int64_t start,
					    int64_t end, const struct rspb_nodeset *nodes,
					    bool share);
/* Forget everything that is kept between two collections, because the node table is another. */
void rspb_occupancy_reset(void);

#endif
