/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kind of a node, for programs that show nodes: size, generic resources, features.
 * Call with at least the read lock. */
#ifndef RSPB_PLUGINS_COMPAT_NODE_KIND_H
#define RSPB_PLUGINS_COMPAT_NODE_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/nodeset.h"

/* The texts are Slurm's own, and good until the lock is released. */
struct rspb_node_kind {
	uint32_t cores, threads; /* threads of each core */
	uint64_t memory;	 /* MiB that jobs can have */
	const char *features;	 /* "": none */
	const char *gres;	 /* as slurm.conf has it; "": none */
	const char *why;	 /* why an operator or Slurm has taken it out of service; NULL:
				  * it is in service */
};
/* RET false: there is no such node. */
bool rspb_node_kind_of(uint32_t node, struct rspb_node_kind *out);
/* Print the generic resources of a node as --gres takes them: "gpu:a100:4,shard:8".
 * Resources that do not fit into the text are left out. */
void rspb_node_devices(uint32_t node, char *text, size_t size);
/* The same of each node of a set, if all have the same; else "". */
void rspb_nodes_devices(const struct rspb_nodeset *nodes, char *text, size_t size);

#endif
