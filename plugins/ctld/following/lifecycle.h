/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows bookings after they are made: windows that end, jobs that end early, are cancelled,
 * requeued or taken out of their reservation, and reservations that operators remove. */
#ifndef RSPB_CTLD_FOLLOWING_LIFECYCLE_H
#define RSPB_CTLD_FOLLOWING_LIFECYCLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/request/booking.h"
#include "plugins/compat/resv.h"

/* Close windows that are over, by the site's Overrun rule. RET the next
 * second in which one ends, or has waited StartWithin for its start; INT64_MAX:
 * none. Cheap when nothing is due. */
int64_t rspb_lifecycle_ends(const struct rspb_config *config, int64_t now);
/* Compare all bookings with their jobs and reservations, and follow. */
void rspb_lifecycle_watch(const struct rspb_config *config, int64_t now);
/* Forget what was seen of jobs. */
void rspb_lifecycle_reset(void);

enum rspb_verdict {
	RSPB_VERDICT_KEEP,
	RSPB_VERDICT_STARTED, /* Slurm's own scheduler was quicker */
	RSPB_VERDICT_GONE,    /* its job ended before it started */
	RSPB_VERDICT_DONE,    /* its job has ended */
	RSPB_VERDICT_STOPPED, /* its job was cancelled while it ran */
	RSPB_VERDICT_STUCK,   /* its job cannot start, and had time enough */
	RSPB_VERDICT_MISSED,  /* the window is over and the job did not start */
	RSPB_VERDICT_MOVED,   /* the job was taken out of its reservation */
	RSPB_VERDICT_DELETED  /* the reservation was deleted */
};

/* Whether it has its reservations. keys: of all there are, taken before; NULL:
 * Slurm is asked for each, which is dear for many. */
bool rspb_verdict_resv_there(const struct rspb_booking *booking, const struct rspb_resv_keys *keys,
			     int64_t now);

#endif
