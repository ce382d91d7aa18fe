/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes from which a slurmctld that has just started has not heard yet. */
#ifndef RSPB_CTLD_DECIDE_NODE_WAIT_H
#define RSPB_CTLD_DECIDE_NODE_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/ledger/ledger.h"
#include "common/request/booking.h"
#include "plugins/ctld/request/ask.h"

/* Whether there are such nodes, and they may still answer. Takes the read lock. */
bool rspb_silent_wait(int64_t now_ms);
/* Take away the decisions[i] on asks that might be better when these nodes answer: a request that
 * got nothing, or begins only when they are expected back, waits, and its owner is told for what.
 * Takes locks. RET how many; the rest is as good as it gets. */
size_t rspb_silent_hold(const struct rspb_asks *asks, struct rspb_booking **decisions,
			int64_t now_ms);

/* Block them in a ledger that is planned on until they can be awake; takes the
 * read lock. any: RET whether there are some; then they are blocked for so long that
 * another can take their place if they do not come up; NULL: nobody asks. RET 0, or
 * -1 with err. */
int rspb_resume_block(struct rspb_ledger *basis, int64_t now, bool *any, struct rspb_err *err);
/* Wake those of bookings that begin soon; every few seconds, takes locks. */
void rspb_resume_run(int64_t now);

#endif
