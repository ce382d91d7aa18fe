/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that this room keeps between two rounds of the agent: its member of struct
 * rspb_controller (controller.h). All zeros: nothing yet. */
#ifndef RSPB_CTLD_OBSERVE_STATE_H
#define RSPB_CTLD_OBSERVE_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/ledger/ledger.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/observe/following.h"

/* A job as it was when it was last compared (changed.c). */
struct rspb_changed_known {
	uint32_t id, leader;
	uint64_t mark;
	bool asks;
};

struct rspb_changed_list {
	struct rspb_changed_known *items; /* in Slurm's order */
	size_t n, room;
};

/* All that is known of a booking that is to start (doubts.c). */
struct rspb_doubts_row {
	uint64_t id;
	uint32_t node;		      /* that does not suit it, or RSPB_UNFIT_NONE */
	char *text[RSPB_N_DOUBTS];    /* owned; NULL: nothing */
	struct rspb_trouble *trouble; /* the obstacle of which its owner was told; owned, or NULL */
	struct rspb_attempt attempt;
};

/* Whether bookings could still start (recheck.c). */
struct rspb_recheck_state {
	struct rspb_ledger *plan; /* what is counted on, NULL: not yet */
	size_t left;		  /* of it */
	int offers;
	/* A pass over all bookings: read and judge them, then count. Ids are kept instead
	 * of pointers, because a pass lasts for several sections and seconds. */
	struct {
		uint64_t *ids; /* owned */
		size_t n, next;
		bool judges;	   /* partitions have changed */
		uint64_t disowned; /* a number of those that accounting has lost */
	} pass;
	bool unjudged;	   /* nodes or accounting have become others since */
	uint64_t disowned; /* as the last pass had it */
	int64_t judged_at; /* when partitions were looked at last */
	int64_t limits_at; /* next look at limits */
};

/* Jobs that have changed (changed.c). */
struct rspb_changed_state {
	struct rspb_changed_list jobs;
	int64_t looked;	   /* second of the last comparison of all, 0: none */
	int64_t looked_us; /* the same by the clock that only goes forward */
	uint64_t returns;  /* how many jobs we had given back then */
	uint64_t told;	   /* likewise, of what Slurm tells */
	uint64_t *ids;	   /* of those that have changed */
	size_t n, room;
	bool listed; /* these are all that have; false: all may have */
};

/* All that is known of bookings that are to start (doubts.c). */
struct rspb_doubts_state {
	struct rspb_doubts_row *rows; /* by id */
	size_t n, room;
	size_t unfit, troubles; /* rows that have a node, or an obstacle */
	uint64_t mark;
};

struct rspb_observe_state {
	/* Any thread: how often somebody has updated a job; how many of these are on their way to
	 * the agent. The agent alone uses all that follows. */
	atomic_uint_fast64_t updates;
	atomic_uint under_way;

	/* Booked jobs that wait for others. */
	struct {
		struct rspb_after *items; /* owned */
		size_t n, room;
	} after;
	/* Whether the next run looks at these: jobs may have changed, or the last run stopped
	 * early. */
	bool dependents_expected;
	struct rspb_changed_state changed;
	struct rspb_doubts_state doubts;
	struct {
		int64_t looked_at; /* second of the last look */
		struct rspb_resv_seen_at seen;
	} edit;
	/* The next end of a hold in this version of the book. It saves the walk over all bookings
	 * until one of the two changes. */
	struct {
		uint64_t version;
		int64_t at;
	} held;
	/* The last look for bookings that are to get a reservation, and the version of the book
	 * then. */
	struct {
		int64_t at; /* seconds, 0: not yet */
		uint64_t version;
	} late;
	/* The bookings that are looked at in turn: when some had theirs, 0: all have; the next in
	 * the order of the ledger. */
	struct {
		int64_t at;
		size_t next;
	} turn;
	int64_t others; /* reservations of others, as compat/resv.h counts them */
	/* Time slots that ended up to this second were already allowed to be outlasted by their
	 * jobs. */
	int64_t outlasted;
	uint64_t given_up; /* jobs whose bookings an outage has cost, so far */
	struct rspb_recheck_state recheck;
	/* The features of the nodes at the last look: the second, and a number that changes with
	 * them. */
	struct {
		int64_t at;
		uint64_t mark;
	} features;
};

extern struct rspb_observe_state *const rspb_observe;
extern struct rspb_recheck_state *const rspb_recheck;
extern struct rspb_changed_state *const rspb_changed;
extern struct rspb_doubts_state *const rspb_doubts;

#endif
