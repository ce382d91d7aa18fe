/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reservations that hold the nodes of booked jobs: their names, and whether
 * they are as booked. */
#ifndef RSPB_CTLD_MIRROR_RESV_H
#define RSPB_CTLD_MIRROR_RESV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/request/booking.h"
#include "plugins/compat/job.h"
#include "plugins/compat/resv.h"

/* With the read lock: the reservation of a part. RET whether it is there. */
bool rspb_mirror_resv_find(const struct rspb_booking *booking, uint32_t part, int64_t now,
			   struct rspb_resv *resv);
/* Whether it was made with as many cores as a part takes, if it takes cores. */
bool rspb_mirror_resv_has_cores(const struct rspb_resv *resv, const struct rspb_booking *booking,
				uint32_t part);
/* Whether it is as it was made for that part; scratch: of as many nodes. */
bool rspb_mirror_resv_as_booked(const struct rspb_resv *resv, const struct rspb_booking *booking,
				uint32_t part, int64_t now, struct rspb_nodeset *scratch);
/* Fill said, a copy, with the window and the nodes that the reservations of a
 * booking have by now; stray: what else is other than it was made, NULL:
 * nothing. RET whether all of them are there. */
bool rspb_mirror_resv_read(const struct rspb_booking *booking, int64_t now,
			   struct rspb_booking *said, const char **stray);
/* Delete a booking's reservations; wants the write lock. One that is still in
 * use stays, and is looked at again later. */
void rspb_mirror_resv_release(uint64_t id, uint32_t n_parts);

/* The reservation of a part, just made of whole nodes, becomes one of its cores: behind
 * those that others have there in the meantime, as far as there are so many. Wants the
 * write lock. */
void rspb_mirror_resv_cores(const struct rspb_booking *booking, uint32_t part,
			    const char *reservation);

/* A reservation without nodes that begins in 2037, in which jobs wait, of that name.
 * Write lock. */
void rspb_mirror_resv_room(const char *name, int64_t now);
enum rspb_room_state {
	RSPB_ROOM_GOOD,
	RSPB_ROOM_GONE,
	RSPB_ROOM_CHANGED /* not as it was made */
};
/* Call with the read lock. */
enum rspb_room_state rspb_mirror_resv_room_state(const char *name, int64_t now);
/* RET the account that accounting charges for the idle part of a job's booking, NULL: as
 * Slurm has it. Good as long as a view of the job is. */
const char *rspb_mirror_resv_account(uint32_t job);
/* Create one, also where Slurm does not find the account. Write lock. */
int rspb_mirror_resv_make(const struct rspb_resv_spec *spec, struct rspb_err *err);

/*
 * Bookings by jobs that wait have a reservation when their start is
 * near (ReserveAhead=): Slurm walks all of its reservations for each start that its
 * schedulers try, and ordinary jobs are kept off what is booked by select. Until then
 * their jobs are in RSPB_LATER_ROOM; late.c makes the reservations.
 */
void rspb_mirror_resv_set_now(const struct rspb_config *config, int64_t now);
/* Whether a booking can do without one while it waits; whether its turn has come. */
bool rspb_mirror_resv_can_wait(const struct rspb_booking *booking);
bool rspb_mirror_resv_due(const struct rspb_booking *booking);
/* Whether the job of a part waits in the room for it (also when somebody has just
 * deleted that), having none yet. Read lock. */
bool rspb_mirror_resv_without(const struct rspb_booking *booking, uint32_t part);
/* Whether a pending job of a booking is where it should be: in the reservation of that
 * name, or in that room. Read lock. */
bool rspb_mirror_resv_tied(const struct rspb_job *job, const char *name);
/* Whether any may be without; said by who leaves one so, and by late.c. */
bool rspb_mirror_resv_any_later(void);
void rspb_mirror_resv_set_later(bool any);

#endif
