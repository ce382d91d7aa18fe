/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload as a linear program whose optimum no policy can beat, in the LP
 * format that GLPK, HiGHS and CPLEX read (doc/policies.md).
 *
 * Time is cut into buckets. How long a job runs within each bucket is, as a
 * function of its start, linear between the starts at which it begins or ends
 * on a bucket's border; so every start is a mixture of those, and those alone
 * get a variable: z<job>_<start>, the part of the job that begins then. Rows
 * j<job> let it run once at most, rows t<bucket> give it no more node seconds
 * than there are. What is relaxed: jobs may be taken in part, nodes may be
 * overdrawn within a bucket as long as its sum holds, and all is known
 * beforehand. Nothing is restricted, so every schedule is a solution.
 */
#ifndef RSPB_SIM_REPLAY_LP_H
#define RSPB_SIM_REPLAY_LP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/err.h"
#include "contrib/sim/replay/workload.h"

struct sim_lp_options {
	bool work;	/* maximize node seconds instead of jobs */
	int64_t bucket; /* seconds, > 0; shorter is tighter and larger */
};

/*
 * Write the program of a workload of jobs on whole nodes. Its first lines are
 * comments that tell the sums of jobs and node seconds. RET 0, or -1 with err:
 * a request with shares or several parts, a time beyond what a bucket can
 * count, out of memory.
 */
int sim_lp_write(const struct sim_workload *workload, const struct sim_lp_options *options,
		 FILE *out, struct rspb_err *err);

#endif
