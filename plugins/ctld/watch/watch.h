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

#endif
