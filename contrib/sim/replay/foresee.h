/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searches for what could be had by somebody who knows every request beforehand. This is no
 * policy, but the reference for a policy's figures. The optimum lies between what this search
 * finds and what no schedule can have (lp.h).
 *
 * As many requests as possible with at least the work that first fit accepts:
 * of the jobs of more than half of the machine as many as that work needs, then
 * the smallest first, then rounds in which some of the jobs of a stretch of time
 * are taken out and all of that stretch put in anew, which stands if it is no
 * worse.
 */
#ifndef RSPB_SIM_REPLAY_FORESEE_H
#define RSPB_SIM_REPLAY_FORESEE_H

#include "contrib/sim/replay/workload.h"

/* Tell fn of every request of a workload of jobs on whole nodes, as sim_replay()
 * does. RET 0, or -1 with err: shares or parts are asked for, out of memory. */
int sim_foresee(const struct sim_workload *workload, int64_t rounds, sim_decided_fn fn, void *arg,
		struct rspb_err *err);

#endif
