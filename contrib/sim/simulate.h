/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb-sim model, rspb-sim trace: policies on many requests, summed up. */
#ifndef RSPB_SIM_SIMULATE_H
#define RSPB_SIM_SIMULATE_H

/* The commands; argv[0] is their name. RET an exit status. */
int sim_model_main(int argc, char **argv);
int sim_trace_main(int argc, char **argv);

#endif
