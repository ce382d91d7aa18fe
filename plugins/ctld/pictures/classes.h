/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classes of nodes, for programs that draw them: nodes of one class are in the same
 * partitions and have the same size, generic resources and features. */
#ifndef RSPB_CTLD_PICTURES_CLASSES_H
#define RSPB_CTLD_PICTURES_CLASSES_H

#include <stdint.h>

#include "common/base/nodeset.h"

struct rspb_node_class {
	uint32_t cores, threads;
	uint64_t memory;     /* MiB */
	uint64_t partitions; /* a bit for each of the first 64 */
	char *features;	     /* owned; "": none */
	char *said;	     /* owned: generic resources as slurm.conf has them */
	char *gres;	     /* owned: the same as --gres takes them */
	uint32_t gpus;
};

/* Nodes that are out of service for the same reason. */
struct rspb_out_of_service {
	char *reason;		    /* owned; "": none is known */
	struct rspb_nodeset *nodes; /* owned */
};

struct rspb_node_classes {
	uint32_t width;
	uint16_t *of; /* owned: the class of each node; RSPB_NO_CLASS: no node is there */
	struct rspb_node_class *items; /* owned */
	size_t n, room;
	struct rspb_out_of_service *out; /* owned */
	size_t n_out, room_out;
};
enum { RSPB_NO_CLASS = UINT16_MAX };

/* Read the node table, of which member[i] are the partitions of node i; with at least the
 * read lock. RET 0, -1: out of memory; what was read is freed by fini. */
int rspb_node_classes_read(struct rspb_node_classes *classes, const uint64_t *member,
			   uint32_t width);
void rspb_node_classes_fini(struct rspb_node_classes *classes);
/* RET NULL: there is no such node. */
const struct rspb_node_class *rspb_node_class_of(const struct rspb_node_classes *classes,
						 uint32_t node);
/* RET the generic resources that each of these nodes has, if all have the same; else "". */
const char *rspb_node_classes_gres(const struct rspb_node_classes *classes,
				   const struct rspb_nodeset *nodes);
/* RET how many GPUs these nodes have together. */
uint64_t rspb_node_classes_gpus(const struct rspb_node_classes *classes,
				const struct rspb_nodeset *nodes);

#endif
