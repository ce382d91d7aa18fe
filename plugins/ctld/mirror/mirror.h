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

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/request/booking.h"
#include "common/wire/flags.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/request/ask.h"

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
/* Pending: the job asks again for what it did before it was fitted to a grant, and its contract
 * says no more that it was. also: the other changes that are made with that. */
void rspb_mirror_unfit(uint32_t job, struct rspb_contract *contract,
		       const struct rspb_job_wanted *also);

/* Make it, unless it is there; wants the write lock. */
void rspb_room_make(int64_t now);
/* The same, taking locks when it is not. */
void rspb_room_keep(int64_t now);
/* Remove it if nobody waits in it. */
void rspb_room_close(void);
/* A job (of a heterogeneous one, the leader) that lost its booking waits for a
 * decision again, with all that it asked for at first. Wants the write lock.
 * why: for its contract, NULL: leave that. */
void rspb_room_send_back(uint32_t id, const char *why);

#endif
