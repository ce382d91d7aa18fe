/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks of each round of the agent, and the ledger after a restart. */
#ifndef RSPB_CTLD_WATCH_WATCH_H
#define RSPB_CTLD_WATCH_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/request/booking.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/start/launch.h"

/* --- recover.c --- */

/*
 * Build the ledger from what Slurm has kept, each kind of booking its own:
 * contracts of jobs, reservations. fresh: slurmctld has just begun, and may not
 * know what was started last. RET 0, or -1 with err: nothing is known then, to
 * be tried again.
 */
int rspb_recover(const struct rspb_config *config, bool fresh, int64_t now, struct rspb_err *err);

/* --- threat.c --- */

/* With the settings there are now: before the first watch, and when they change. */
void rspb_threat_configure(const struct rspb_config *config);
/* Look at all bookings that have not started, where nodes or reservations have
 * changed. One that something stands in the way of is to be moved (run), and its
 * owner is told, in the log and in the contract, once, when that cannot be; it is
 * taken back when nothing is in the way any more. */
void rspb_threat_watch(const struct rspb_config *config, int64_t now);
/* Move those that are to be, for some milliseconds; those that could not be
 * moved again after a minute, two, four ..., sooner where room may have come.
 * Cheap when nothing is to be done. RET when it is to be called again, ms since
 * the epoch; INT64_MAX: when something has changed. */
int64_t rspb_threat_run(const struct rspb_config *config, int64_t now_ms);
/* Whether another one that something is in the way of, in the time of this one, has yet
 * to be helped with what came free: it comes first. */
bool rspb_threat_comes_first(const struct rspb_booking *booking);

struct rspb_lacks {
	struct rspb_overfull *items; /* by id */
	size_t n;
	char **nodes; /* their names, as far as they are known */
};

/* --- requeued.c --- */

/* Bookings whose running job Slurm has put back into the queue because a node
 * was lost wait again, for what is left of their windows: they are started, on
 * other nodes where that can be, like any that are due. Takes locks. */
void rspb_requeued_watch(const struct rspb_config *config, int64_t now);

/* --- comeback.c --- */

/* A job whose booking was given up. */
struct rspb_loser {
	int64_t outage; /* since when it is without, seconds */
	uint32_t id;
};

/* Whether there may be such jobs, and a node has changed, a booking was over early, or a pause
 * has ended since the last look. Cheap when there are none. */
bool rspb_comeback_due(int64_t now);
/* Look for them. list: malloc'ed, in no order, the caller frees it. RET their number. */
size_t rspb_comeback_find(struct rspb_loser **list, int64_t now);
/* The result of a try. */
enum rspb_comeback {
	RSPB_COMEBACK_NOT,   /* there is no room */
	RSPB_COMEBACK_WAITS, /* for others, whom something is in the way of */
	RSPB_COMEBACK_ASKS   /* it asks again, as it would be booked */
};
enum rspb_comeback rspb_comeback_try(uint32_t id, const struct rspb_config *config, int64_t now);
/* Forget the calendar on which they were tried. */
void rspb_comeback_end(void);
/* Whether the last one that asks again is still to be decided. */
bool rspb_comeback_undecided(int64_t now);

/* --- grow.c --- */

/* Let grow what is due, when the ledger has changed or a start is near. Cheap
 * when nothing is. RET when it is to be called again, ms since the epoch;
 * INT64_MAX: when something has changed. */
int64_t rspb_grow_run(const struct rspb_config *config, int64_t now_ms);

/* --- sooner.c --- */

/*
 * Give back what outages have taken, what is missing longest first. Then move forward
 * those that can, who asked first, first. Works for some milliseconds at a
 * time, and a small part of the time. Cheap when nothing has come free. RET when it
 * is to be called again, ms since the epoch; INT64_MAX: when something has changed.
 */
int64_t rspb_sooner_run(const struct rspb_config *config, int64_t now_ms);

/* --- aside.c --- */

/* An ordinary job would begin now on so many of these nodes, for so many seconds, and some
 * of them are booked in that time. Any thread, with any of Slurm's locks; does not wait. */
void rspb_aside_ask(uint64_t job, uint32_t nodes, int64_t seconds,
		    const struct rspb_nodeset *offered);
/* See to those who have asked; takes locks. The agent's thread. */
void rspb_aside_run(const struct rspb_config *config, int64_t now);
void rspb_aside_reset(void);

/* Bookings that cannot stay where they are, because something came in their
 * way: common/plan/schedule.h on a live cluster. */

enum { RSPB_RESCUE_OFFERS = 256 };

/* Several of them, one after the other: what stands in the way is looked at once.
 * begin takes the read lock. */
struct rspb_rescues {
	const struct rspb_config *config;
	int64_t now;
	bool looked;
	struct rspb_occupancy occupancy;
	struct rspb_ledger *basis; /* NULL: to be made */
	uint64_t version;	   /* of the book it was made of */
	bool asleep;		   /* it keeps off nodes that sleep until they can be awake */
	bool outage; /* for the next: a node is in its way that can be back, and what it costs
		      * comes back then */
};
void rspb_rescues_begin(struct rspb_rescues *rescues, const struct rspb_config *config,
			int64_t now);
void rspb_rescues_end(struct rspb_rescues *rescues);

/*
 * Find a booking that has not started another place, or make room for it, as
 * far as the settings allow. what: what was in its way, for log and contracts. same:
 * nobody is to have less for it, nor it another start.
 * RET whether it has one now. If not, offers (RSPB_RESCUE_OFFERS bytes) tells
 * what its owner could have instead ("": nothing); NULL: nobody asks.
 */
bool rspb_rescue_waiting(struct rspb_rescues *rescues, uint64_t id, const char *what, bool same,
			 char *offers);
/*
 * Give one that waits with nothing in its way back what an outage has taken, as far as it
 * is free. RET as rspb_rescue_sooner().
 */
int rspb_rescue_restore(struct rspb_rescues *rescues, uint64_t id);
/*
 * Let one that waits with nothing in its way begin from `earliest` on, by `sooner`, if
 * it can so with all that it has. RET 1: it does; 0: there is no place; -1: there is,
 * and Slurm or the site's limits would not have it there.
 */
int rspb_rescue_sooner(struct rspb_rescues *rescues, uint64_t id, int64_t earliest, int64_t sooner);
/* The same for bookings that could not start. RET whether one of them can now.
 */
bool rspb_rescue_failed(const struct rspb_failed *failed, int64_t now);

#endif
