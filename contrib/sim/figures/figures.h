/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RSPB_SIM_FIGURES_FIGURES_H
#define RSPB_SIM_FIGURES_FIGURES_H

/* rspb-sim figures; argv[0] is its name. RET an exit status. */
int sim_figures_main(int argc, char **argv);

#endif
