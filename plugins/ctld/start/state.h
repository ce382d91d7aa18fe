/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that this room keeps between two rounds of the agent: its member of struct
 * rspb_controller (controller.h). All zeros: nothing yet. Only the agent uses it, and forgets it
 * with the ledger. */
#ifndef RSPB_CTLD_START_STATE_H
#define RSPB_CTLD_START_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A job that makes way for a booking (make_way.c). */
struct rspb_victim {
	uint64_t booking;
	uint32_t victim;
	int64_t start; /* of the booking */
	int64_t at;    /* second of the next word; 0: it has to be looked at */
	bool unwanted; /* the part that was booked has room without */
};

enum { RSPB_LAUNCH_TRIES = 4096 };

/* All jobs that make way (make_way.c). */
struct rspb_ways_state {
	size_t n, room;
	struct rspb_victim *items; /* owned */
	uint64_t seen;		   /* the basis they are of */
	int64_t again;		   /* second in which it is looked at again */
};

struct rspb_start_state {
	/* The result of the last look at jobs for bookings that start soon. */
	struct {
		int64_t at;	  /* ms */
		int64_t until;	  /* second of the last of these starts */
		int64_t next;	  /* ms: the next of the jobs has used up its time then */
		uint64_t version; /* of the book */
		int64_t told;	  /* ms: bookings whose nodes are kept from them were reported */
	} looked;
	/* Up to this second, bookings that had their nodes before have begun; 0: of none it is
	 * known. The next pass then handles all active bookings, also those that an earlier
	 * slurmctld has prepared. */
	int64_t begun;
	uint64_t tried[RSPB_LAUNCH_TRIES]; /* in one round of starts; too large for the stack */
	struct rspb_ways_state ways;
};

extern struct rspb_start_state *const rspb_start;
extern struct rspb_ways_state *const rspb_ways;

#endif
