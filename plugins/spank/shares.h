/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPU shares inside Slurm's callbacks: what each context knows is given to
 * the node's side (plugins/spank/node.h), and what went wrong to the log.
 */
#ifndef RSPB_PLUGINS_SPANK_SHARES_H
#define RSPB_PLUGINS_SPANK_SHARES_H

#include <slurm/spank.h>

/* In slurmd: sweep, and listen for changes until rspb_shares_slurmd_end. */
void rspb_shares_slurmd_begin(int ac, char **argv);
void rspb_shares_slurmd_end(void);

void rspb_shares_step(spank_t sp, int ac, char **argv);
void rspb_shares_step_end(spank_t sp, int ac, char **argv);
void rspb_shares_task(spank_t sp, int ac, char **argv);
void rspb_shares_epilog(spank_t sp, int ac, char **argv);

#endif
