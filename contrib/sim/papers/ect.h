/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On which processor a task goes that takes a whole one, behind everything placed
 * or in the gaps between: where it ends first, starts first, or is processed for
 * the least time.
 *
 * Source: Varvarigos et al., section 4.3, equation 6, figures 11 and 12 (earliest
 * completion time), section 1 (the others).
 */
#ifndef RSPB_PAPERS_ECT_H
#define RSPB_PAPERS_ECT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"
#include "contrib/sim/papers/rational.h"

struct rspb_span {
	struct rspb_rational start, end; /* half-open */
};

struct rspb_processor {
	struct rspb_rational capacity; /* c_j > 0, workload per time unit */
	struct rspb_span *busy;	       /* by start, disjoint; malloc'ed */
	size_t n_busy, room;
};

/* Mark a span busy. RET 0, or -1 with err when it overlaps one that is, when
 * it is empty, or for lack of memory. */
int rspb_processor_add(struct rspb_processor *processor, struct rspb_span span,
		       struct rspb_err *err);
/* When everything placed has ended (gamma_j); 0 when nothing was. */
struct rspb_rational rspb_processor_release(struct rspb_pool *pool,
					    const struct rspb_processor *processor);
/* Free what add allocated. */
void rspb_processor_fini(struct rspb_processor *processor);

enum rspb_ect_rule {
	RSPB_ECT, /* earliest completion time */
	RSPB_EST, /* earliest start time */
	RSPB_MPTF /* minimum processing time first */
};

struct rspb_ect_query {
	enum rspb_ect_rule rule;
	struct rspb_rational workload;	    /* > 0 */
	const struct rspb_rational *delays; /* d_ij, one per processor */
	struct rspb_rational earliest;	    /* not before this anywhere */
	const bool *taken;		    /* processors that are not to be had; NULL: none */
	bool gaps;			    /* false: only behind everything placed */
};

/* The processor that is not taken and span by the rule, then of earliest completion, then of the
 * lowest index. One of n at least is not taken. */
size_t rspb_ect_find(struct rspb_pool *pool, const struct rspb_processor *processors, size_t n,
		     const struct rspb_ect_query *query, struct rspb_span *found);

#endif
