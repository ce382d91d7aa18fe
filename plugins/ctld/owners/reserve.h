/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings without a job, for a group: asked for, asked for again, given back. For
 * the agent; all take locks. */
#ifndef RSPB_CTLD_OWNERS_RESERVE_H
#define RSPB_CTLD_OWNERS_RESERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "plugins/ctld/owners/work.h"

/* With at least the read lock: the booking that is asked about, whether by its job or its
 * name, where it has not ended and is the caller's to change; NULL: that was said. */
const struct rspb_booking *rspb_reserve_own(struct rspb_work *work);
void rspb_reserve_ask(struct rspb_work *work, const struct rspb_config *config, int64_t now);
/* With the read lock: whether it is about one that has no booking, and that the
 * caller may change. */
bool rspb_reserve_again_is(const struct rspb_work *work, int64_t now);
/* With other terms. */
void rspb_reserve_again(struct rspb_work *work, const struct rspb_config *config, int64_t now);

/* Take back what is left of a booking; its job, where it waits, goes on as an ordinary one. Takes
 * locks. */
void rspb_release_booking(struct rspb_work *work, const struct rspb_config *config, int64_t now);

#endif
