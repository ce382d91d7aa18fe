/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings of jobs made real: reservation, tie, size and contract of each
 * component. All of it wants the write lock. */
#ifndef RSPB_CTLD_JOBS_COMMIT_H
#define RSPB_CTLD_JOBS_COMMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/request/booking.h"
#include "plugins/ctld/requests/ask.h"

/* Of struct rspb_kind. */
bool rspb_commit_waits(const struct rspb_ask *ask);
void rspb_commit_promise(const struct rspb_ask *ask,
			 const struct rspb_booking *booking);
void rspb_commit_withdraw(const struct rspb_ask *ask);
int rspb_commit_parts(const struct rspb_ask *ask,
		      const struct rspb_booking *booking,
		      const struct rspb_config *config, struct rspb_err *err);
int rspb_commit_suits(const struct rspb_ask *ask,
		      const struct rspb_booking *booking, struct rspb_err *err);

/* Make one part of a booking real, with the write lock held: reservation, tie,
 * size and contract of its job. RET 0, or -1 with err and no reservation left
 * of it. */
int rspb_commit_part(const struct rspb_ask *ask,
		     const struct rspb_booking *booking, uint32_t part,
		     const struct rspb_config *config, struct rspb_err *err);
/* The same of a booking that stands, whose reservation may be there, though not
 * as it should be: it is put right. Of one that is active, only that. RET 0, or
 * -1 with err and the job of the size that it asked for. */
int rspb_commit_again(const struct rspb_ask *ask,
		      const struct rspb_booking *booking, uint32_t part,
		      const struct rspb_config *config, struct rspb_err *err);
/* Pending, with the write lock: the job asks again for what it did before it
 * was fitted to a grant, and its contract says no more that it was. */
void rspb_commit_unfit(uint32_t job, struct rspb_contract *contract);

#endif
