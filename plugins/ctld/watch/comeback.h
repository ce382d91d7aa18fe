/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks again for jobs whose bookings were given up because of a lost node, when there is
 * room for them. */
#ifndef RSPB_CTLD_WATCH_COMEBACK_H
#define RSPB_CTLD_WATCH_COMEBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"

/* A job whose booking was given up. */
struct rspb_loser {
	int64_t outage; /* since when it is without, seconds */
	uint32_t id;
};

/* Whether there may be such jobs, and a node has changed or a booking was over early since
 * the last look. Cheap when there are none. */
bool rspb_comeback_due(void);
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
void rspb_comeback_reset(void);

#endif
