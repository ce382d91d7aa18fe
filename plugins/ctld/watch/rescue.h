/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings that cannot stay where they are, because something came in their
 * way: common/plan/rescue.h on a live cluster. */
#ifndef RSPB_CTLD_WATCH_RESCUE_H
#define RSPB_CTLD_WATCH_RESCUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/start/launch.h"

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
