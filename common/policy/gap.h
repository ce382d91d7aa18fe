/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle gaps: which of the nodes that are free now will be needed soonest.
 * Work of no fixed place goes there, so that nodes which stay free for long
 * remain together as large rectangles for bookings to come.
 */
#ifndef RSPB_POLICY_GAP_H
#define RSPB_POLICY_GAP_H

#include "common/base/err.h"
#include "common/base/nodeset.h"

/*
 * out = the nodes of `from` whose gap ends soonest, of lower weight first: at
 * least `least` of them (all, when there are fewer), with all that tie with
 * the last. gap_end[n]: the end of node n's gap, weights[n] its weight (NULL:
 * all alike), as arrays of from->width. out has from's width and may be
 * `from`. RET 0, or -1 with err: out of memory.
 */
int rspb_gap_tightest(const struct rspb_nodeset *from, const uint32_t *weights,
		      const int64_t *gap_end, uint32_t least,
		      struct rspb_nodeset *out, struct rspb_err *err);

#endif
