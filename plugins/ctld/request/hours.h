/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When bookings may start, and be asked for: StartHours and RequestHours, by the
 * clock of slurmctld's time zone. */
#ifndef RSPB_CTLD_REQUEST_HOURS_H
#define RSPB_CTLD_REQUEST_HOURS_H

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/request/request.h"

/* Cut a window with several possible starts down to the first hours that allow the booking; where
 * none do, it stays. */
void rspb_hours_fit(struct rspb_request *request, const struct rspb_config *config);
/* Whether it may be asked for when it was, and start then. RET 0, or -1 with a
 * sentence for the user. */
int rspb_hours_judge(const struct rspb_request *request, const struct rspb_config *config,
		     struct rspb_err *err);

#endif
