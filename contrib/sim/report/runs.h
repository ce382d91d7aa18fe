/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many independent runs on several processors: each one fills its metrics in
 * memory shared between processes, so no run can disturb another.
 */
#ifndef RSPB_SIM_REPORT_RUNS_H
#define RSPB_SIM_REPORT_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"
#include "contrib/sim/replay/metrics.h"

/* Do run number i. RET 0 or -1 with err. */
typedef int (*sim_task_fn)(size_t i, struct sim_metrics *metrics, void *arg, struct rspb_err *err);

/* The order in which runs are done: RET the i-th of n. Those done so far are spread over all, so
 * that the time left follows from the time that they took. */
size_t sim_pool_order(size_t i, size_t n);

/*
 * Do n runs in `jobs` processes (0: one per processor). Progress is shown on
 * stderr with the time left when stderr is a terminal, or when it takes longer
 * than two seconds; quiet: never. RET n metrics (sim_pool_free), or NULL with
 * the first err.
 */
struct sim_metrics *sim_pool_run(size_t n, int jobs, bool quiet, sim_task_fn fn, void *arg,
				 struct rspb_err *err);
void sim_pool_free(struct sim_metrics *metrics, size_t n);

#endif
