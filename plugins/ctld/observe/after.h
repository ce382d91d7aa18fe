/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When what a job waits for (--dependency) is over, by what is booked. */
#ifndef RSPB_CTLD_OBSERVE_AFTER_H
#define RSPB_CTLD_OBSERVE_AFTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/request/booking.h"
#include "plugins/compat/job.h"

/* With at least the read lock: whether all that a job waits for are ends of jobs
 * that are booked; *end: of the last of these windows, 0: it waits for nothing. */
bool rspb_after_booked(const struct rspb_job *job, int64_t *end);

/* Likewise: whether it can never begin, as one of them has ended otherwise. */
bool rspb_after_never(const struct rspb_job *job);
#define RSPB_AFTER_NEVER "a job on which it depends ended in another way (DependencyNeverSatisfied)"

/* Jobs with a booking, or a request for one, that wait for others. The agent's. */
struct rspb_after {
	uint32_t id;
	bool told; /* that it may start late */
	/* Tries in vain to place it behind that second, and when the last was. */
	unsigned int tries;
	int64_t behind, tried;
};
/* Note that the booking could not be placed after that second. */
void rspb_after_failed(struct rspb_after *after, int64_t behind, int64_t now);
/* Whether that is not to be tried yet: each try looks at all that is booked, and
 * neither that second nor its booking has changed since the last. */
bool rspb_after_rests(const struct rspb_after *after, const struct rspb_booking *booking,
		      int64_t behind, int64_t now);
void rspb_after_note(uint32_t id);
/* RET those noted, *n of them; good until the next note() or forget(). */
struct rspb_after *rspb_after_noted(size_t *n);
void rspb_after_forget(uint32_t id);

#endif
