/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starting the jobs of a booking. All of it wants the write lock. */
#ifndef RSPB_CTLD_JOBS_START_H
#define RSPB_CTLD_JOBS_START_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/request/booking.h"
#include "plugins/ctld/book/kind.h"

/* RET how many jobs a booking has, their ids by part; 0: they are gone. At
 * least the read lock will do. */
uint32_t rspb_start_ids(const struct rspb_booking *booking,
			uint32_t ids[RSPB_MAX_PARTS]);
/* Of struct rspb_kind. */
enum rspb_readiness rspb_start_ready(const struct rspb_booking *booking,
				     int64_t now, struct rspb_err *err);
int rspb_start_jobs(const struct rspb_booking *booking, int64_t now,
		    struct rspb_err *err);
void rspb_start_done(const struct rspb_booking *booking, int64_t now);

#endif
