/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one way to change existing bookings. A change is planned on a copy of the ledger, without
 * locks, and handed over as what each booking is to become. Its cause may be an owner, an operator,
 * a lost node, growth, a newcomer, or a job that is waited for. The journal knows the change first.
 * Then rspb_propose() looks again under the write lock, books all of them or none, and has each
 * kind make Slurm so. It knows neither the proposer nor any kind. New bookings
 * (decide/decision.h) do not come here. */
#ifndef RSPB_CTLD_DECIDE_PROPOSAL_H
#define RSPB_CTLD_DECIDE_PROPOSAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "plugins/ctld/request/ask.h"

/* --- proposal.c --- */

/* A booking that is to become another one. */
struct rspb_proposed {
	struct rspb_booking *was;   /* owned: as it was when this was planned */
	struct rspb_booking *terms; /* owned; NULL: it loses its booking */
	struct rspb_ask ask;	    /* its jobs; the request is a copy */
	char why[RSPB_ERR_TEXT];    /* for log and contract; "": as all */
	void *from;		    /* its proposer's own */
	bool elsewhere;		    /* its nodes or times change */
	bool noted;		    /* the journal has the terms */
	bool made;		    /* it has become so */
};

struct rspb_proposal {
	const char *who; /* for the log: what of it changes; NULL: it itself */
	const char *why; /* for log and contracts */
	const struct rspb_config *config;
	int64_t now;	       /* second in which it was planned */
	struct rspb_seen seen; /* by the plan */
	/* Somebody waits for an answer, and gets none that is not on the disk. Others go
	 * on where it fails: who has lost nodes needs new ones also then. */
	bool answered;
	bool apart; /* each stands for itself; else all or none */
	/* Slurm has it otherwise already. Where it can't be so, or there was no place
	 * for it (no terms, err says why), it has to be again what it was. */
	bool restores;
	/* With the write lock: what else has to be as it was seen. NULL: nothing. */
	bool (*holds)(const struct rspb_proposed *one, const struct rspb_proposal *proposal);
	/* With the write lock: make Slurm so; b: the terms, or, where that has failed,
	 * what was. RET 0, or -1 with err. NULL: as its kind does, and what Slurm
	 * refuses is lost. */
	int (*place)(struct rspb_proposed *one, const struct rspb_booking *b,
		     struct rspb_proposal *proposal, struct rspb_err *err);
	size_t n, room;
	struct rspb_proposed *items; /* owned */
	size_t refused;		     /* which could not be, where all or none */
	struct rspb_err err;	     /* and why */
};

enum rspb_proposal_end {
	RSPB_PROPOSAL_MADE,	 /* apart: of each, made says so */
	RSPB_PROPOSAL_OVERTAKEN, /* it is not any more as it was seen */
	RSPB_PROPOSAL_TAKEN,	 /* what was free when it was planned is not */
	RSPB_PROPOSAL_UNKEPT,	 /* the disk fails, and somebody was to be told */
	RSPB_PROPOSAL_REFUSED	 /* by ledger or Slurm, or there was no place */
};

/* Collect the existing bookings that a plan has differently from the ledger. Takes the read lock
 * for a look at their jobs; a booking that cannot change, because its job is gone, is left out. The
 * caller fills in the rest of the proposal. RET 0 or -1 with err. */
int rspb_proposal_collect(struct rspb_proposal *proposal, const struct rspb_ledger *plan,
			  int64_t now, struct rspb_err *err);
/* Take one, whose fields are then the proposal's; fini() is the caller's either
 * way. RET 0, or -1: out of memory. */
int rspb_proposal_add(struct rspb_proposal *proposal, struct rspb_proposed *one);
void rspb_proposal_fini(struct rspb_proposal *proposal);

/* Takes locks and waits for the disk. RET what came of it. */
enum rspb_proposal_end rspb_propose(struct rspb_proposal *proposal);

/* Make real what a batch has planned for other bookings, all or none, before the newcomers are
 * (decision.h). If that fails, the nodes of newcomers are not free, and they are decided again.
 * A booking that Slurm would not have moved stays where it is from then on. Newcomers that count
 * licenses or limits lose their decisions then. RET false: it failed. */
bool rspb_others_change(const struct rspb_ledger *basis, const struct rspb_config *config,
			int64_t now, struct rspb_asks *asks, struct rspb_booking **decisions);

/* --- replan.c --- */

/* Plans what a standing booking could be instead, for an owner or an operator, on a copy of the
 * ledger and without locks. A proposal (proposal.h) carries it out. */

/* Seconds before the start in which a booking is left where it is. */
enum { RSPB_REPLAN_TOO_LATE_S = 2 };

struct rspb_replan {
	const struct rspb_config *config; /* what counts for it (rspb_rules_for()) */
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
