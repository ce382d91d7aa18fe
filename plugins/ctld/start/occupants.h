/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs on the nodes of bookings that are about to start, and their end. */
#ifndef RSPB_CTLD_START_OCCUPANTS_H
#define RSPB_CTLD_START_OCCUPANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/nodeset.h"
#include "common/request/booking.h"

/* A job on the nodes of a booking that is not its own. */
struct rspb_occupant {
	uint32_t id;
	int64_t end;
	bool completing, booked;
	bool suspended;		    /* and goes on when who has its nodes is over */
	bool beside;		    /* suspended by somebody: what it had others may have */
	bool in_window;		    /* of an operator's reservation, which ends it */
	bool regular;		    /* neither booked nor in a window */
	struct rspb_nodeset *nodes; /* owned */
};

struct rspb_occupants {
	int64_t now;		     /* seconds */
	int64_t over_time;	     /* that jobs get beyond their limit */
	struct rspb_nodeset *wanted; /* nodes of all that is due */
	struct rspb_nodeset *scratch;
	size_t n, room;
	struct rspb_occupant *items;
	/* The last of those that rspb_occupants_clear() has left on the nodes, as their
	 * time limits are not over when the booking begins; NULL: none. */
	const struct rspb_occupant *stays;
};

/* Whether a booking is to start by now + ahead. */
bool rspb_occupants_due(const struct rspb_booking *booking, int64_t now_ms, int64_t ahead_ms);
/* Whether a booking has one of these nodes. */
bool rspb_occupants_meet(const struct rspb_booking *booking, const struct rspb_nodeset *nodes);

/* For all bookings that are due. RET false: there is none, or no memory. */
bool rspb_occupants_init(struct rspb_occupants *on, int64_t now_ms, int64_t ahead_ms);
void rspb_occupants_fini(struct rspb_occupants *on);
/* Look which jobs are there; needs at least the read lock. */
void rspb_occupants_look(struct rspb_occupants *on);
/*
 * End jobs in the way of a booking, with SIGTERM and KillWait: those that have used up
 * their time, and from its start on those that Slurm's rules or an earlier booking
 * allow to stop. Regular jobs within their limits stay. Wants the write lock. RET whether
 * anything is (or just was) there.
 */
bool rspb_occupants_clear(struct rspb_occupants *on, const struct rspb_booking *booking,
			  bool started);
/* RET the next second in which one of them will have used up its time,
 * INT64_MAX: none. */
int64_t rspb_occupants_next(const struct rspb_occupants *on);

#endif
