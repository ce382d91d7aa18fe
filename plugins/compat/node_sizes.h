/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds of nodes: by how many CPUs a job can have on each, kept while no node changes
 * (a request asks about thousands of nodes, of which there are few sizes), and by where
 * they are. Call with at least the read lock.
 */
#ifndef RSPB_PLUGINS_COMPAT_NODE_SIZES_H
#define RSPB_PLUGINS_COMPAT_NODE_SIZES_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/nodeset.h"
#include "plugins/compat/slurm.h"

struct rspb_node_sizes {
	struct rspb_node_size {
		uint32_t cpus;
		uint32_t nodes; /* how many have so many */
	} * items;		/* smallest first; free() it */
	size_t n;
};

/* Read the sizes of the nodes of a set. RET 0, or -1 without memory, nothing to free. */
int rspb_node_sizes(const struct rspb_nodeset *set, struct rspb_node_sizes *out);
/* Take those with fewer CPUs out of a set; also slots without a node, where cpus
 * is not 0. */
void rspb_node_drop_smaller(struct rspb_nodeset *set, uint32_t cpus);

/* As rspb_bits_there() (bits.h), which looks at each node of the cluster: for those who
 * ask once a job. The caller frees it with bit_free; NULL: bits is. */
bitstr_t *rspb_node_those_there(bitstr_t *bits);

/* The leaves of struct rspb_node_order (node.h). */
uint32_t *rspb_node_leaves(void);

#endif
