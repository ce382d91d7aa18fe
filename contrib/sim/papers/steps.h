/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of one resource is reserved over time: a step function, open at the
 * end. For one resource with few reservations; many machines are
 * common/shares/shares.h.
 *
 * Source: Varvarigos et al., section 3.4, figure 9 (utilization profile).
 */
#ifndef RSPB_PAPERS_STEPS_H
#define RSPB_PAPERS_STEPS_H

#include <stddef.h>
#include <stdint.h>

struct rspb_step {
	int64_t time, level; /* level from time to the next one's */
};

struct rspb_steps {
	struct rspb_step *steps; /* rising in time; steps[0].time is the
					 * beginning of time */
	size_t n, room;
};

/* RET 0, or -1: out of memory. */
int rspb_steps_init(struct rspb_steps *steps);
void rspb_steps_fini(struct rspb_steps *steps);
/* Add amount (may be negative) over [start, end), INT64_MAX: for ever. An empty
 * span changes nothing. RET 0, or -1: out of memory, nothing changed. */
int rspb_steps_add(struct rspb_steps *steps, int64_t start, int64_t end,
		   int64_t amount);
/* The place of the step in force at a time. */
size_t rspb_steps_at(const struct rspb_steps *steps, int64_t time);
/* Highest level over [start, end), which is not empty. */
int64_t rspb_steps_peak(const struct rspb_steps *steps, int64_t start,
			int64_t end);

#endif
