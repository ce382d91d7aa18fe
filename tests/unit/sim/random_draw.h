/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Seeded random numbers for tests that compare with a naive twin. */
#ifndef RSPB_TESTS_UNIT_RANDOM_DRAW_H
#define RSPB_TESTS_UNIT_RANDOM_DRAW_H

#include <stdint.h>

/* low..high, both included; *state is the seed. */
static inline int64_t draw(uint64_t *state, int64_t low, int64_t high)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return low + (int64_t) ((*state >> 33) % (uint64_t) (high - low + 1));
}

#endif
