/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starting bookings on their second. */
#ifndef RSPB_CTLD_START_LAUNCH_H
#define RSPB_CTLD_START_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/nodeset.h"
#include "common/request/booking.h"

/* Bookings that could not start at their scheduled time, or later, because of a node. silent: the
 * node may answer again, so another place is better only if the booking loses nothing by that.
 * refused: its nodes are well, but Slurm does not start its job beside what runs there; silent as
 * long as that may pass. job: a regular job that may stay on its nodes until that second, also of a
 * booking that begins soon. */
enum { RSPB_FAILED_MOST = 16 };
struct rspb_failed {
	size_t n;
	struct rspb_failed_one {
		uint64_t id;
		bool silent, refused;
		uint32_t job;
		int64_t until;
	} items[RSPB_FAILED_MOST];
};

/* Start the bookings that are due, and end jobs in their way that may be ended. Some of those that
 * fail because of their nodes are put into *failed. Takes locks. */
void rspb_launch_start(int64_t now_ms, struct rspb_failed *failed);
/* End jobs that are over on the nodes of bookings that start soon. Bookings whose nodes a regular
 * job will keep are added to *failed. RET the next moment (milliseconds since the epoch) to start
 * something, INT64_MAX: none. Takes locks. */
int64_t rspb_launch_next(int64_t now_ms, struct rspb_failed *failed);

/* Jobs on the nodes of bookings that may preempt them are told in time, in Slurm's own way. The
 * word comes GraceTime, and what their nodes take to be free, before the start. Until then they run
 * there. Jobs that Slurm suspends stop with the start itself. */

/* Look which jobs make way, if there is a newer basis (book/occupancy.h), and tell those that are
 * due. Takes locks in short sections, and looks at no more jobs than are under bookings. RET when
 * to do so again, ms; INT64_MAX: when there is something new. */
int64_t rspb_make_way(int64_t now_ms);
/* Whether that job makes way for that booking, and so is not to be ended before the
 * start by anybody else. */
bool rspb_makes_way(uint32_t victim, uint64_t booking);

/* Jobs on the nodes of bookings that are about to start, and their end. */

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
