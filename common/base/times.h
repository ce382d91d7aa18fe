/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times: int64 seconds. Those of a booking lie strictly between these. */
#ifndef RSPB_BASE_TIMES_H
#define RSPB_BASE_TIMES_H

#include <stdint.h>

#define RSPB_TIME_MIN (-(INT64_C(1) << 61))
#define RSPB_TIME_MAX (INT64_C(1) << 61)

static inline int64_t rspb_earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t rspb_later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

#endif
