/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weights of nodes, as Slurm's Weight=: among nodes that would all do, those of
 * lower weight are taken first, so that what is rare or dear stays free.
 */
#ifndef RSPB_POLICY_WEIGHT_H
#define RSPB_POLICY_WEIGHT_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"

/*
 * Of the `want` nodes that are to be taken out of `set`, 0 < want <= its count:
 * *sure (a new set, the caller's) = those that come in by their weight alone;
 * set = the nodes of one weight among which the rest of them is to be chosen,
 * at least one. weights[n]: that of node n. RET 0, or -1 with err: out of
 * memory, set unchanged.
 */
int rspb_weight_split(const uint32_t *weights, uint32_t want,
		      struct rspb_nodeset *set, struct rspb_nodeset **sure,
		      struct rspb_err *err);

#endif
