/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaves: the switches (topology/tree) or blocks (topology/block) that nodes are on.
 * leaves[n] is the number of node n's, below the width of the machine; it is NULL
 * where all are alike, and then nothing here is asked. Nodes are taken from as few of
 * them as will do: the smallest that has enough, else the one that has most and then
 * the same for the rest.
 *
 * Source: this project, after what Slurm's topology plugins do.
 */
#ifndef RSPB_POLICY_LEAVES_H
#define RSPB_POLICY_LEAVES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/nodeset.h"

/* RET on how many leaves a set lies; 0: out of memory, or an empty set. */
uint32_t rspb_leaves_count(const uint32_t *leaves, const struct rspb_nodeset *set);

/* room[leaf] = nodes of the set on each; room has as many entries as the set. */
void rspb_leaves_rooms(const uint32_t *leaves, const struct rspb_nodeset *set, uint32_t *room);
/* RET the leaf to take nodes from next when so many are wanted; width: all are empty. */
uint32_t rspb_leaves_next(const uint32_t *room, uint32_t width, uint32_t want);
/* Keep those of a set that are on the leaf. */
void rspb_leaves_keep(const uint32_t *leaves, uint32_t leaf, struct rspb_nodeset *set);
/* Keep those of a set that are on a leaf on which `near` has a node. RET false: out of
 * memory, the set is unchanged. */
bool rspb_leaves_near(const uint32_t *leaves, const struct rspb_nodeset *near,
		      struct rspb_nodeset *set);
/* Keep those of a set that are on the `most` leaves that suit so many wanted, which include the
 * leaves of the nodes in `with` (NULL: none). RET false: out of memory, the set is unchanged. */
bool rspb_leaves_limit(const uint32_t *leaves, uint32_t most, uint32_t want,
		       const struct rspb_nodeset *with, struct rspb_nodeset *set);

#endif
