/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When to try again what was tried in vain. */
#ifndef RSPB_CTLD_BASE_BACKOFF_H
#define RSPB_CTLD_BASE_BACKOFF_H

#include <stdint.h>

/* RET how long to wait after so many tries, of which there was at least one: `first`
 * after the first, twice as long after each, up to 32 times. In first's unit. */
static inline int64_t rspb_backoff(int64_t first, unsigned int tries)
{
	enum { DOUBLINGS = 5 };

	return first << (tries - 1 < DOUBLINGS ? tries - 1 : DOUBLINGS);
}

#endif
