/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks the nodes: those of a low rank are taken first. */
#ifndef RSPB_PLUGINS_COMPAT_NODE_RANK_H
#define RSPB_PLUGINS_COMPAT_NODE_RANK_H

#include <stdint.h>

/*
 * Rank each node by slurm.conf: by Weight; then by the part of the machine's generic
 * resources that it has; then by memory, by CPUs, and by features, of which rare ones
 * count more. A request takes the nodes of the lowest rank that have what it needs, and
 * leaves what it does not need to others. Nodes of one rank do not differ in this.
 * RET the ranks of rspb_node_width() nodes, from 0, which the caller frees; NULL: out of
 * memory. With at least the read lock.
 */
uint32_t *rspb_node_ranks(void);

#endif
