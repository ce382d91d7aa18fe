/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RSPB_SIM_CHECK_H
#define RSPB_SIM_CHECK_H

/* rspb-sim check FILE: is what --schedule wrote possible, and is what was
 * promised kept? RET 0, 1: no, 2: bad input. */
int sim_check_main(int argc, char **argv);

#endif
