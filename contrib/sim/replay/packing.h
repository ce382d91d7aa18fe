/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of a load a machine with sizes holds, worked out without the engine: hours
 * of cores that jobs ask for. Who takes whole nodes counts as those of the smallest
 * that would do.
 */
#ifndef RSPB_SIM_REPLAY_PACKING_H
#define RSPB_SIM_REPLAY_PACKING_H

#include "contrib/sim/replay/workload.h"

/* Compute what first fit packs on paper: in order of arrival each job at its earliest start, on the
 * first nodes that have room, parts of nodes for all who need no more. RET 0 or -1 with err. */
int sim_packing_first_fit(const struct sim_workload *workload, double *hours, struct rspb_err *err);
/* Compute a bound on what can be packed: as if the machine were one heap of each kind in each
 * stretch of time, and jobs could be cut into pieces, of which the scarcest kind there decides;
 * what a job may do at another time costs nothing at any. RET likewise. */
int sim_packing_bound(const struct sim_workload *workload, double *hours, struct rspb_err *err);

#endif
