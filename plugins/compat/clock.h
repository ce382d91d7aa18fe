/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clocks, all in microseconds. */
#ifndef RSPB_PLUGINS_COMPAT_CLOCK_H
#define RSPB_PLUGINS_COMPAT_CLOCK_H

#include <stdint.h>
#include <time.h>

/* CLOCK_REALTIME: since the epoch, what people and Slurm go by, and set; CLOCK_MONOTONIC:
 * what is waited by, it only goes forward. */
static inline int64_t rspb_clock_us(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * INT64_C(1000000) + ts.tv_nsec / 1000;
}

#endif
