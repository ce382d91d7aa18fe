/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes Slurm agree with a job's booking: a reservation of each component, its tie to the job, the
 * job's size, its contract and the reservation's text. The book says what is booked; only this code
 * makes Slurm agree, whatever Slurm has by then: nothing, as with a new booking, or after a crash;
 * another window or other nodes, as with a change; or all but a text. Doing it twice does no harm.
 * The caller decides what happens to a booking that Slurm refuses. All functions need the write
 * lock unless they say otherwise. */
#ifndef RSPB_CTLD_MIRROR_MIRROR_H
#define RSPB_CTLD_MIRROR_MIRROR_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/request/booking.h"
#include "plugins/ctld/requests/ask.h"

/* Members of struct rspb_kind; the read lock is enough for the first. */
void rspb_mirror_promise(const struct rspb_ask *ask, const struct rspb_booking *booking);
int rspb_mirror_suits(const struct rspb_ask *ask, const struct rspb_booking *booking,
		      struct rspb_err *err);
int rspb_mirror_jobs(const struct rspb_ask *ask, const struct rspb_booking *booking, bool moved,
		     const struct rspb_config *config, int64_t now, struct rspb_err *err);

/* Make one part of a booking of which Slurm has nothing yet; its reservations are not looked
 * for. RET 0, or -1 with err (may be NULL), its job of the size that it asked for, and no
 * reservation. */
int rspb_mirror_new(const struct rspb_ask *ask, const struct rspb_booking *booking, uint32_t part,
		    const struct rspb_config *config, struct rspb_err *err);
/* Keep the cores for a part of a node, whose job has its reservation, or waits for one,
 * with which Slurm starts it. RET 0, also for other parts; -1 with err: there are none. Write
 * lock. */
int rspb_mirror_lay(const struct rspb_ask *ask, const struct rspb_booking *booking, uint32_t part,
		    struct rspb_err *err);
/* Pending: the job asks again for what it did before it was fitted to a grant, and
 * its contract says no more that it was. */
void rspb_mirror_unfit(uint32_t job, struct rspb_contract *contract);

#endif
