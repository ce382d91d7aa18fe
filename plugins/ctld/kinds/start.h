/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starting the jobs of a booking. All of it wants the write lock. */
#ifndef RSPB_CTLD_KINDS_START_H
#define RSPB_CTLD_KINDS_START_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/request/booking.h"
#include "plugins/ctld/book/kind.h"

/* Members of struct rspb_kind. */
enum rspb_readiness rspb_start_ready(const struct rspb_booking *booking, int64_t now,
				     struct rspb_err *err);
int rspb_start_jobs(const struct rspb_booking *booking, int64_t now, struct rspb_err *err);

#endif
