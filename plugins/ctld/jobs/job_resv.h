/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reservations that hold the nodes of booked jobs: their names, and whether
 * they are as booked. */
#ifndef RSPB_CTLD_JOBS_JOB_RESV_H
#define RSPB_CTLD_JOBS_JOB_RESV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/request/booking.h"
#include "plugins/compat/resv.h"

enum { RSPB_RESV_NAME = 40 };

/* "rspb_<job>", with the component behind it when there are several. */
void rspb_job_resv_name(uint64_t id, uint32_t part, uint32_t n_parts, char *buf,
			size_t size);
/* Whether a reservation bears such a name; *id is the job's. */
bool rspb_job_resv_is(const char *name, uint64_t *id);
/* With the read lock: the reservation of a part. RET whether it is there. */
bool rspb_job_resv_find(const struct rspb_booking *booking, uint32_t part,
			int64_t now, struct rspb_resv *resv);
/* Whether it was made with as many cores as a part takes, if it takes cores. */
bool rspb_job_resv_has_cores(const struct rspb_resv *resv,
			     const struct rspb_booking *booking, uint32_t part);
/* Whether it is as it was made for that part; scratch: of as many nodes. */
bool rspb_job_resv_as_booked(const struct rspb_resv *resv,
			     const struct rspb_booking *booking, uint32_t part,
			     int64_t now, struct rspb_nodeset *scratch);
/* Fill said, a copy, with the window and the nodes that the reservations of a
 * booking have by now; stray: what else is other than it was made, NULL:
 * nothing. RET whether all of them are there. */
bool rspb_job_resv_read(const struct rspb_booking *booking, int64_t now,
			struct rspb_booking *said, const char **stray);
/* Delete a booking's reservations; wants the write lock. One that is still in
 * use stays, and is looked at again later. */
void rspb_job_resv_release(uint64_t id, uint32_t n_parts);

/* The reservation of a part, just made of whole nodes, becomes one of its cores: behind
 * those that others have there in the meantime, as far as there are so many. Wants the
 * write lock. */
void rspb_job_resv_cores(const struct rspb_booking *booking, uint32_t part,
			 const char *reservation);

#endif
