/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges the state of a booking by Slurm's records of its jobs and its reservation. All functions
 * need at least the read lock. */
#ifndef RSPB_CTLD_FOLLOWING_VERDICT_H
#define RSPB_CTLD_FOLLOWING_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/request/booking.h"
#include "plugins/compat/resv.h"

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

/* Whether a job of the booking cannot start, with the reason in err. */
bool rspb_booked_stuck(const struct rspb_booking *booking, struct rspb_err *err);
/* Whether it has its reservations. keys: of all there are, taken before; NULL:
 * Slurm is asked for each, which is dear for many. */
bool rspb_verdict_resv_there(const struct rspb_booking *booking, const struct rspb_resv_keys *keys,
			     int64_t now);
/* keys: as above. */
enum rspb_verdict rspb_verdict_of(const struct rspb_booking *booking,
				  const struct rspb_resv_keys *keys,
				  const struct rspb_config *config, int64_t now);

#endif
