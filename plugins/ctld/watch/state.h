/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that this room keeps between two rounds of the agent: its member of struct
 * rspb_controller (controller.h). All zeros: nothing yet. */
#ifndef RSPB_CTLD_WATCH_STATE_H
#define RSPB_CTLD_WATCH_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/ledger/ledger.h"
#include "plugins/compat/resv.h"

/* Remembers bookings that were tried in vain, or just now, and are left alone for a while: the last
 * so many of them. For one thread. */

enum { RSPB_RESTING_MOST = 32 };

struct rspb_resting {
	struct {
		uint64_t id;   /* of a job, 0: nobody */
		int64_t until; /* ms */
	} items[RSPB_RESTING_MOST];
	size_t next;
};

static inline bool rspb_resting_has(const struct rspb_resting *resting, uint64_t id, int64_t now_ms)
{
	for (size_t i = 0; i < RSPB_RESTING_MOST; i++)
		if (resting->items[i].id == id && now_ms < resting->items[i].until)
			return true;
	return false;
}

static inline void rspb_resting_add(struct rspb_resting *resting, uint64_t id, int64_t until_ms)
{
	resting->items[resting->next].id = id;
	resting->items[resting->next].until = until_ms;
	resting->next = (resting->next + 1) % RSPB_RESTING_MOST;
}

static inline void rspb_resting_reset(struct rspb_resting *resting)
{
	memset(resting, 0, sizeof(*resting));
}

/* A regular job for which bookings are to step aside (aside.c). */
struct rspb_aside_wish {
	uint64_t job;
	uint32_t nodes;
	int64_t seconds;
	struct rspb_nodeset *offered; /* owned */
};

/* A booking that wants nodes back or an earlier start (sooner.c). */
struct rspb_sooner_wish {
	int64_t outage; /* since when something is missing; INT64_MAX: nothing is */
	int64_t arrival;
	uint64_t id;
	bool given_up; /* all of it is: a job without a booking */
};

enum { RSPB_ASIDE_WISHES = 4 }; /* are kept: the first in Slurm's order */

/* Bookings that move forward or get nodes back (sooner.c). */
struct rspb_sooner_state {
	/* The current look at all of them, which may take several turns: those hit by an outage
	 * first, then by their arrival. Owned. */
	struct rspb_sooner_wish *list;
	size_t n, room, next;
	int64_t spent;	      /* us: the last turn */
	bool moved;	      /* one has, and others could have its place */
	bool waits;	      /* one does for others, whom something is in the way of */
	bool again;	      /* what is free has changed by us */
	int64_t looked;	      /* second of the last look, 0: there was none */
	uint64_t looked_over; /* as rspb_book_freed() said */
	int64_t resume_at;    /* ms: no look before */
	struct rspb_resting refused;
};

/* Jobs whose bookings were given up for an outage (comeback.c). */
struct rspb_comeback_state {
	int64_t looked;	      /* second of the last look, 0: there was none */
	uint64_t looked_over; /* likewise, as rspb_book_freed() said */
	uint64_t given;	      /* and as rspb_outcome_given_up() did */
	bool some;	      /* the last look has found such jobs, or will soon */
	bool waits;	      /* one waits for others, whom something is in the way of */
	/* The job that asked again last, 0: none; and when. */
	struct {
		uint32_t id;
		int64_t at;
	} asks;
	/* When a job was declined again that was to be booked, and rspb_book_freed() then; 0:
	 * never. */
	struct {
		int64_t at;
		uint64_t freed;
	} vain;
	/* The calendar on which they are tried, from one version of the book; NULL: not
	 * made. */
	struct {
		struct rspb_ledger *ledger; /* owned */
		uint64_t version;
	} basis;
};

struct rspb_watch_state {
	struct {
		/* The notes of select, until the agent comes; guarded by the mutex. A holder of
		 * Slurm's locks never waits for it. */
		pthread_mutex_t mutex;
		struct rspb_aside_wish wishes[RSPB_ASIDE_WISHES];
		size_t n_wishes;
		/* Only the agent's thread uses these. */
		struct rspb_resting seen_to;
		int64_t resume_us;
	} aside;

	/* The agent alone uses all that follows. It refers to the ledger, and is forgotten with
	 * it. */
	struct rspb_comeback_state comeback;
	struct {
		uint64_t seen;	      /* the version of the ledger at the last look */
		int64_t looked_until; /* starts before this have been looked at */
		int64_t looked_at;    /* second of the last look */
	} grow;
	struct rspb_sooner_state sooner;
	struct {
		int64_t resume_at; /* ms: those tried before wait until then */
		int64_t compared;  /* when nodes and reservations were looked at, 0: not yet */
		uint64_t unfit_seen;
		int64_t gaps_at; /* when nodes that are cleaned up or prepared were looked at */
		struct rspb_resv_seen_at resvs;
	} threat;
};

extern struct rspb_watch_state *const rspb_watch;
extern struct rspb_sooner_state *const rspb_sooner;
extern struct rspb_comeback_state *const rspb_comeback;

#endif
