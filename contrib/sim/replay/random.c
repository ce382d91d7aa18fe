/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/random.h"

#include <math.h>

static uint64_t rotate(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

void sim_random_seed(struct sim_random *random, uint64_t seed)
{
	for (int i = 0; i < 4; i++) {
		uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

		z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
		random->state[i] = z ^ (z >> 31);
	}
}

uint64_t sim_random_next(struct sim_random *random)
{
	uint64_t *s = random->state, result = rotate(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

double sim_random_real(struct sim_random *random)
{
	return (double) (sim_random_next(random) >> 11) * 0x1p-53;
}

double sim_random_uniform(struct sim_random *random, double low, double high)
{
	return low + (high - low) * sim_random_real(random);
}

int64_t sim_random_whole(struct sim_random *random, int64_t low, int64_t high)
{
	uint64_t span = (uint64_t) (high - low) + 1;

	return low + (int64_t) (((unsigned __int128) sim_random_next(random) * span) >> 64);
}

double sim_random_exponential(struct sim_random *random, double mean)
{
	return -mean * log1p(-sim_random_real(random));
}

double sim_random_normal(struct sim_random *random, double mean, double deviation)
{
	double u = 1 - sim_random_real(random), v = sim_random_real(random);

	return mean + deviation * sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

double sim_random_gamma(struct sim_random *random, double shape, double scale)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d), x, v, u;

	for (;;) {
		x = sim_random_normal(random, 0, 1);
		v = 1 + c * x;
		if (v <= 0)
			continue;
		v = v * v * v;
		u = 1 - sim_random_real(random);
		if (log(u) < 0.5 * x * x + d - d * v + d * log(v))
			return scale * d * v;
	}
}
