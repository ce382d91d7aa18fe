/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings that something came in the way of after they were made: a
 * reservation of an operator, a node that went down or was drained.
 */
#ifndef RSPB_CTLD_WATCH_THREAT_H
#define RSPB_CTLD_WATCH_THREAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/request/booking.h"

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
void rspb_threat_reset(void);

struct rspb_lacks {
	struct rspb_overfull *items; /* by id */
	size_t n;
	char **nodes; /* their names, as far as they are known */
};

#endif
