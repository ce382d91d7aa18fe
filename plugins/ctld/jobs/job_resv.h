/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reservations that hold the nodes of booked jobs, by their names. */
#ifndef RSPB_CTLD_JOBS_JOB_RESV_H
#define RSPB_CTLD_JOBS_JOB_RESV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RSPB_RESV_NAME = 40 };

/* "rspb_<job>", with the component behind it when there are several. */
void rspb_job_resv_name(uint64_t id, uint32_t part, uint32_t n_parts, char *buf,
			size_t size);
/* Whether a reservation bears such a name; *id is the job's. */
bool rspb_job_resv_is(const char *name, uint64_t *id);
/* Delete a booking's reservations; wants the write lock. One that is still in
 * use stays, and is looked at again later. */
void rspb_job_resv_release(uint64_t id, uint32_t n_parts);

#endif
