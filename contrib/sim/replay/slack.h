/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ready times and deadlines for jobs of a trace or model (Li et al., section
 * 6.1): later by up to these multiples of the duration. */
#ifndef RSPB_SIM_REPLAY_SLACK_H
#define RSPB_SIM_REPLAY_SLACK_H

#include <stdint.h>

#include "contrib/sim/replay/random.h"

struct sim_slack {
	double artime, deadline;
};
void sim_slack_apply(struct sim_random *random, const struct sim_slack *slack, int64_t arrival,
		     int64_t duration, int64_t *ready, int64_t *deadline);

#endif
