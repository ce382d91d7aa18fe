/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/slack.h"

void sim_slack_apply(struct sim_random *random, const struct sim_slack *slack, int64_t arrival,
		     int64_t duration, int64_t *ready, int64_t *deadline)
{
	double length = (double) duration;

	*ready = arrival + (int64_t) (slack->artime * sim_random_real(random) * length);
	*deadline = *ready + duration +
		    (int64_t) (slack->deadline * sim_random_real(random) * length);
}
