/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Seeded random numbers for tests: the same on every machine. */
#ifndef RSPB_TESTS_NAIVE_RNG_H
#define RSPB_TESTS_NAIVE_RNG_H

#include <math.h>
#include <stdint.h>

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators". */
static inline uint64_t rng_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* RET a number below bound, 0 when bound is 0. */
static inline uint64_t rng_below(uint64_t *state, uint64_t bound)
{
	return bound ? rng_next(state) % bound : 0;
}

/* RET a number in [0, 1). */
static inline double rng_unit(uint64_t *state)
{
	return (double) (rng_next(state) >> 11) * 0x1p-53;
}

/* RET an integer in 1..most whose logarithm is uniform. */
static inline uint64_t rng_log(uint64_t *state, uint64_t most)
{
	uint64_t value = (uint64_t) exp(rng_unit(state) * log((double) most + 1));

	return value < 1 ? 1 : value > most ? most : value;
}

#endif
