/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where: which nodes or machines at a given start. One row each, with one
 * function for whole nodes and one for shares; both name a cost, the lowest
 * cost is taken first, equal costs by the lowest index.
 */
#ifndef RSPB_POLICY_WHERE_H
#define RSPB_POLICY_WHERE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/calendar/profile.h"

/* The marks that tell nodes apart besides their gaps. */
struct rspb_marks {
	const uint32_t *weights; /* of node n; NULL: all alike */
	const uint32_t *leaves;	 /* see leaves.h; NULL: all on one */
	const uint32_t *speeds;	 /* 1/100 of a standard one; NULL: all are */
};

struct rspb_where {
	const char *name;   /* "best" */
	const char *alias;  /* or NULL */
	const char *help;   /* one line */
	const char *source; /* document, figure */
	/* Cost of a node that is free so many seconds before the window and
	 * behind it. */
	rspb_gap_cost gap_cost;
	/* Cost of a machine with `room` units free over the window and `load`
	 * units x seconds reserved in it. */
	int64_t (*share_cost)(int64_t room, int64_t load);
	/* share_cost looks at load; a node without gap_cost costs what is
	 * booked on it. Without all three they are alike. */
	bool wants_load;
};
extern const struct rspb_where rspb_wheres[]; /* ended by name NULL */
/* RET the row of that name or alias (case ignored), or NULL. */
const struct rspb_where *rspb_where_find(const char *name);

/*
 * Keep the `want` nodes of `set` that the row likes best: of lower weight first, then
 * on as few leaves as will do, those of `near` (NULL: none) before others; all of the
 * set is free in profile over [start, end). Fewer than `want`: all are kept.
 * RET 0, or -1 with err and the set unchanged.
 */
int rspb_where_keep(const struct rspb_where *where, struct rspb_marks marks,
		    const struct rspb_nodeset *near, const struct rspb_profile *profile,
		    int64_t start, int64_t end, uint32_t want, struct rspb_nodeset *set,
		    struct rspb_err *err);

#endif
