/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans what a standing booking could be instead, for an owner or an operator, on a copy of the
 * ledger and without locks. A proposal (proposal.h) carries it out. */
#ifndef RSPB_CTLD_DECIDE_REPLAN_H
#define RSPB_CTLD_DECIDE_REPLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "plugins/ctld/decide/proposal.h"

/* Seconds before the start in which a booking is left where it is. */
enum { RSPB_REPLAN_TOO_LATE_S = 2 };

struct rspb_replan {
	const struct rspb_config *config; /* what counts for it (rules.h) */
	struct rspb_config space;
	int64_t now;
	struct rspb_booking *old;     /* owned: as it is booked */
	struct rspb_booking *said;    /* owned: with the window and nodes that its
				       * reservations have by now; a part
				       * without nodes keeps those it had */
	struct rspb_request *request; /* owned: what is asked now; NULL: not
				       * known yet */
	bool started;		      /* its start cannot change any more */
	/* The node that its job, which runs, cannot give up; -1: none of its nodes
	 * can go. */
	int64_t first;
	bool resized;		  /* what it takes of each of its nodes is another */
	bool unnoted;		  /* the journal of decisions has not the basis */
	struct rspb_seen seen;	  /* by the basis of what is new */
	struct rspb_booking *new; /* owned; NULL: there is none */
	struct rspb_err why;	  /* why there is none */
};

/* Begin with what is booked. RET 0, or -1: out of memory; fini() either way. */
int rspb_replan_init(struct rspb_replan *draft, const struct rspb_booking *booking,
		     const struct rspb_config *config, int64_t now);
void rspb_replan_fini(struct rspb_replan *draft);
/* Ask as before, but for the window that is said. RET 0, or -1 and why. */
int rspb_replan_as_before(struct rspb_replan *draft);
/* Take it as it is said, in basis (basis.h), too. RET whether it fits, with new; else
 * why, and basis is as it was. */
bool rspb_replan_stay(struct rspb_replan *draft, struct rspb_ledger *basis);
/* Decide the request anew, to begin from `ready` on and end by `deadline`. RET
 * whether there is a place, with new; else why. */
bool rspb_replan_go(struct rspb_replan *draft, const struct rspb_ledger *basis, int64_t ready,
		    int64_t deadline);
/* Put what is new (or that there is nothing) into a proposal: what was, what is and
 * the ask go over to it. `from` is of its proposer. RET 0, or -1 with why. */
int rspb_replan_propose(struct rspb_replan *draft, struct rspb_ask *ask, void *from,
			struct rspb_proposal *proposal);

#endif
