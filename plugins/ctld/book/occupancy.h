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

/* --- occupancy.c --- */

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

/* --- placed.c --- */

/*
 * Lists the numbers of Slurm's jobs that have nodes. They are listed once, and then kept
 * up to date by the starts that are noted below. The agent does that under the read lock, and
 * others read the list under the write lock, which keeps the agent out.
 */

/* See who has come; the first time all jobs are looked at, in sections of which this is the
 * first, and inside is as of rspb_walk_jobs(). RET 0, or -1: out of memory. */
int rspb_placed_see(struct rspb_section *section, bool *inside);
/* Their numbers as of then, in rising order, and some that have no nodes any more. No lock
 * is held; they are good until it is seen again. */
const uint32_t *rspb_placed_ids(size_t *n);
/* See it, in a section of its own, if so many have got nodes since that soon some would not
 * be remembered: nobody may plan for long. */
void rspb_placed_keep_up(void);
/* Call fn for each that has nodes, by number, until it returns non-zero; only where it was
 * never seen, or long ago, all of Slurm's jobs are walked over. RET that, else 0. Write lock,
 * Slurm's threads as well: the agent cannot see to it meanwhile. */
int rspb_placed_each(rspb_job_fn fn, void *arg);
/* Forget all at the end of the agent, because Slurm may read its jobs anew before the next one
 * begins. Takes the write lock itself. */
void rspb_placed_reset(void);

/* Note a job that has been given nodes, or would have been; needs the write lock. */
void rspb_starts_note(uint32_t job);
/* The same of a task of a job array, which gets its own number when it starts: others of
 * that array that wait keep the one that it had. */
void rspb_starts_note_task(uint32_t array, uint32_t task);
/* How many were noted, modulo 2^32. Any thread. */
uint32_t rspb_starts_count(void);
enum { RSPB_STARTS_MOST = 256 };
/* The numbers of those that were noted since there were so many, as they are by now, each
 * once. RET how many, or -1: more than are remembered. Any lock. */
int rspb_starts_since(uint32_t count, uint32_t ids[RSPB_STARTS_MOST]);

/* --- published.c --- */

/* Publishes the ledger of the last plan, so that any thread can plan on it. */

/* basis: the ledger and all that stands in the way from outside; book: without
 * that, by which limits on bookings are judged. As of that second. Takes over
 * both (NULL: none). */
void rspb_published_set(struct rspb_ledger *basis, struct rspb_ledger *book, int64_t at);
/* RET how often one was set. */
uint64_t rspb_published_count(void);
/* RET an own copy of the basis (NULL: none), and in *book, if that is not NULL,
 * one of the book. */
struct rspb_ledger *rspb_published_get(int64_t *at, struct rspb_ledger **book);

#endif
