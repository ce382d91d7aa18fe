/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of jobs that sacct(1) lists. A run that stands in two dumps counts once, and the
 * components of a heterogeneous job that start together are one job.
 */
#ifndef RSPB_SIM_REPLAY_SACCT_RUNS_H
#define RSPB_SIM_REPLAY_SACCT_RUNS_H

#include "contrib/sim/replay/trace.h"

struct sim_runs;

/* A run as its line has it. */
struct sim_sacct_run {
	int64_t start, end; /* -1: it still runs */
	size_t line;
	uint32_t guesses; /* bits of enum sim_trace_guess */
	struct sim_trace_job job;
};

/* RET an empty list, which the caller closes; NULL: out of memory. */
struct sim_runs *sim_runs_open(void);
void sim_runs_close(struct sim_runs *runs);

/* Append a run of the job whose number sacct prints so. RET 0, or -1 with err: out of
 * memory. */
int sim_runs_add(struct sim_runs *runs, const char *id, const struct sim_sacct_run *run,
		 struct rspb_err *err);

/*
 * Fill a trace with the jobs, in the order of their lines, and its machine with the most
 * that was in use at once, or with the size of the largest job. RET 0, or -1 with err.
 */
int sim_runs_finish(struct sim_runs *runs, struct sim_trace *trace, struct rspb_err *err);

#endif
