/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RSPB_SIM_CONF_H
#define RSPB_SIM_CONF_H

/* rspb-sim conf FILE [PARAMETERS]: would slurmctld start with these settings? Then
 * all of them are printed. RET 0, 2: it would not. */
int sim_conf_main(int argc, char **argv);

#endif
