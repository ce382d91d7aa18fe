/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Telling the nodes which share of their CPUs a job was granted, in the text
 * of common/share_env.h: with the job at its start, or to their sockets while
 * it runs.
 */
#ifndef RSPB_PLUGINS_CTLD_GRANT_H
#define RSPB_PLUGINS_CTLD_GRANT_H

#include <stdint.h>

#include "common/booking.h"
#include "common/config.h"
#include "common/share_env.h"

/* What the site's settings make of the share that part `part` was granted.
 * RET whether there is one. */
bool rspb_grant_of(const struct rspb_booking *booking, uint32_t part,
		   const struct rspb_config *config,
		   struct rspb_share_env *env);

/* Just before the start of the jobs of a booking, with the write lock: put
 * into each what it was granted, over anything that may be there. RET 0, or -1
 * with err: a job is gone. */
int rspb_grant_give(const struct rspb_booking *booking, const uint32_t *ids,
		    uint32_t n, const struct rspb_config *config,
		    struct rspb_err *err);

#endif
