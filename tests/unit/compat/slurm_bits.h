/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between check_bits.c, which has the nodes, and slurm_bits.c, which has none of Slurm's
 * headers. */
#ifndef RSPB_TESTS_COMPAT_SLURM_BITS_H
#define RSPB_TESTS_COMPAT_SLURM_BITS_H

/* How often Slurm's own way of names was gone. */
extern int slow_ways;

/* RET how many nodes there are. */
int nodes_there(void);
/* RET the record of the node of that name, or on the host of that name, and its place in
 * *at, which may be NULL; NULL: there is none. */
void *node_find(const char *name, int *at);

#endif
