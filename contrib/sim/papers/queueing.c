/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/queueing.h"

#include <math.h>

double rspb_queueing_wait_chance(int64_t c, double a)
{
	double loss = 1;

	if (a >= (double) c)
		return 1;
	/* Erlang's loss formula by its recursion, which needs no factorial. */
	for (int64_t n = 1; n <= c; n++)
		loss = a * loss / ((double) n + a * loss);
	return loss / (1 - a / (double) c * (1 - loss));
}

double rspb_queueing_wait(int64_t c, double a, double mu)
{
	if (a >= (double) c)
		return INFINITY;
	return rspb_queueing_wait_chance(c, a) / (mu * ((double) c - a));
}
