/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On which switches, or in which block, a node is: Slurm tells its address, from 25.11
 * on in all topologies that it is in (topology.yaml), before in the one of all. And what
 * a submission says of them.
 */
#ifndef RSPB_PLUGINS_COMPAT_RELEASE_TOPOLOGY_H
#define RSPB_PLUGINS_COMPAT_RELEASE_TOPOLOGY_H

#include <string.h>

#include "plugins/compat/release/headers.h"

#if __has_include("src/interfaces/topology.h")
#include "src/interfaces/topology.h"
#else
#include "src/common/slurm_topology.h"
#endif

/* RET a text that nodes of one leaf have in common, to be xfree()d; NULL: there is no
 * topology. */
static inline char *rspb_release_leaf(node_record_t *node)
{
#ifdef RSPB_HAVE_TOPOLOGY_OF_NODE
	return topology_g_get_topology_str(node);
#else
	char *address = NULL, *pattern = NULL, *leaf = NULL;
	int rc;

#if __has_include("src/interfaces/topology.h")
	rc = topology_g_get_node_addr(node->name, &address, &pattern);
#else
	rc = slurm_topo_get_node_addr(node->name, &address, &pattern);
#endif
	if (rc == SLURM_SUCCESS && address && xstrcmp(pattern, "node")) {
		/* The node's name follows the last point. */
		leaf = address;
		address = NULL;
		if (strrchr(leaf, '.'))
			*strrchr(leaf, '.') = '\0';
	}
	xfree(address);
	xfree(pattern);
	return leaf;
#endif
}

/* RET the same of all jobs of a partition (ExclusiveTopo=YES). */
static inline bool rspb_release_blocks_alone(const part_record_t *part)
{
#ifdef PART_FLAG_EXCLUSIVE_TOPO
	return part->flags & PART_FLAG_EXCLUSIVE_TOPO;
#else
	(void) part;
	return false;
#endif
}

/* RET whether nobody else is to be in the blocks, or on the switches, of its nodes
 * (--exclusive=topo). */
static inline bool rspb_release_alone_there(const job_desc_msg_t *desc)
{
#ifdef JOB_SHARED_TOPO
	return desc->shared == JOB_SHARED_TOPO;
#else
	(void) desc;
	return false;
#endif
}

#endif
