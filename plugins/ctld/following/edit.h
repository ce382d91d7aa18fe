/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reservations of booked jobs that operators change. */
#ifndef RSPB_CTLD_FOLLOWING_EDIT_H
#define RSPB_CTLD_FOLLOWING_EDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/request/booking.h"

struct rspb_proposal;
struct rspb_proposed;

/* With the write lock: the reservations of a booking's jobs become as it is to be
 * (proposal.h, place); jobs that run follow. RET 0, or -1 with err. */
int rspb_edit_place(struct rspb_proposed *one, const struct rspb_booking *booking,
		    const struct rspb_proposal *proposal, struct rspb_err *err);
/* Where Slurm says that reservations have changed: take over what fits, undo
 * the rest, and say so. Takes locks. */
void rspb_edit_watch(const struct rspb_config *config, int64_t now);
/* With the read lock: whether a reservation of a booking is not as it is
 * booked, which is to be seen to first. */
bool rspb_edit_waits(const struct rspb_booking *booking, int64_t now);
void rspb_edit_reset(void);

#endif
