/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb-sim trace: policies on the jobs of a trace, summed up. */
#ifndef RSPB_SIM_SIMULATE_H
#define RSPB_SIM_SIMULATE_H

/* argv[0] is its name. RET an exit status. */
int sim_trace_main(int argc, char **argv);

#endif
