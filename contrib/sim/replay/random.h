/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers of one's own, so that a seed gives the same workload on every
 * machine: xoshiro256** (Blackman and Vigna) seeded by splitmix64.
 */
#ifndef RSPB_SIM_REPLAY_RANDOM_H
#define RSPB_SIM_REPLAY_RANDOM_H

#include <stdint.h>

struct sim_random {
	uint64_t state[4];
};

void sim_random_seed(struct sim_random *random, uint64_t seed);
uint64_t sim_random_next(struct sim_random *random);
/* In [0, 1). */
double sim_random_real(struct sim_random *random);
double sim_random_uniform(struct sim_random *random, double low, double high);
/* Whole numbers low..high, each alike. */
int64_t sim_random_whole(struct sim_random *random, int64_t low, int64_t high);
double sim_random_exponential(struct sim_random *random, double mean);
double sim_random_normal(struct sim_random *random, double mean, double deviation);
/* Marsaglia and Tsang's method; shape >= 1. */
double sim_random_gamma(struct sim_random *random, double shape, double scale);

#endif
