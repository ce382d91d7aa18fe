/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Failures of nodes: from a file, or drawn at a rate. */
#ifndef RSPB_SIM_REPLAY_FAILURES_H
#define RSPB_SIM_REPLAY_FAILURES_H

#include "contrib/sim/replay/workload.h"

/* Read lines "NODE FROM UNTIL" of a file, times in seconds of the trace; '#' begins a comment.
 * RET 0, or -1 with err. */
int sim_failures_read(const char *path, struct sim_workload *workload, struct rspb_err *err);
/* Draw failures until the last submission: each node fails after a time of mean `mtbf`, and is
 * back after one of mean `repair`, seconds, both exponential. RET as above. */
int sim_failures_draw(uint64_t seed, double mtbf, double repair, struct sim_workload *workload,
		      struct rspb_err *err);

#endif
