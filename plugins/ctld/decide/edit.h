/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm lets operators change the reservation of a booking without asking
 * anybody. What it says then is a proposal: a booking that fits, or none.
 */
#ifndef RSPB_CTLD_DECIDE_EDIT_H
#define RSPB_CTLD_DECIDE_EDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "plugins/ctld/requests/ask.h"

/* Seconds before the start in which a booking is left where it is. */
enum { RSPB_EDIT_TOO_LATE_S = 2 };

struct rspb_edit {
	const struct rspb_config *config; /* what counts for it (rules.h) */
	struct rspb_config space;
	int64_t now;
	struct rspb_booking *old;  /* owned: as it is booked */
	struct rspb_booking *said; /* owned: with the window and nodes that its
				       * reservations have by now; a part
				       * without nodes keeps those it had */
	struct rspb_request *request; /* owned: what is asked now; NULL: not
				       * known yet */
	bool started;		      /* its start cannot change any more */
	/* The node that its job, which runs, cannot give up; -1: none of its nodes
	 * can go. */
	int64_t first;
	bool unnoted;	       /* the journal of decisions has not the basis */
	struct rspb_seen seen; /* by the basis of what is new */
	struct rspb_booking *new; /* owned; NULL: there is none */
	struct rspb_err why;	  /* why there is none */
};

/* Begin with what is booked. RET 0, or -1: out of memory; fini() either way. */
int rspb_edit_init(struct rspb_edit *edit, const struct rspb_booking *booking,
		   const struct rspb_config *config, int64_t now);
void rspb_edit_fini(struct rspb_edit *edit);
/* Ask as before, but for the window that is said. RET 0, or -1 and why. */
int rspb_edit_as_before(struct rspb_edit *edit);
/* Take it as it is said, in basis (basis.h), too. RET whether it fits, with new; else
 * why, and basis is as it was. */
bool rspb_edit_stay(struct rspb_edit *edit, struct rspb_ledger *basis);
/* Decide the request anew, to begin from `ready` on and end by `deadline`. RET
 * whether there is a place, with new; else why. */
bool rspb_edit_go(struct rspb_edit *edit, const struct rspb_ledger *basis,
		  int64_t ready, int64_t deadline);
/*
 * With the write lock: book what is new and place() it in Slurm, or, where there
 * is nothing new or it cannot be placed, place() what was, with a reason that
 * says why. place: RET 0, or -1 with err. who: for the log. RET whether it is
 * the new one.
 */
typedef int (*rspb_edit_place_fn)(const struct rspb_booking *booking, void *arg,
				  struct rspb_err *err);
bool rspb_edit_apply(struct rspb_edit *edit, const char *who,
		     rspb_edit_place_fn place, void *arg);

/* With the write lock: what apply() has made so becomes again what it was, for
 * what `why` says by now. */
void rspb_edit_undo(struct rspb_edit *edit, const char *who,
		    rspb_edit_place_fn place, void *arg);

/* Note for the journal what the booking is about to become; still: what it is.
 * Takes the read lock; the caller brings it to the disk. RET whether there is
 * anything to bring. */
bool rspb_edit_note(const struct rspb_edit *edit, const struct rspb_ask *ask,
		    bool still);
/* Into the journal, before apply(), what the booking is about to become. wanted:
 * by somebody who will be told; where the disk fails there is nothing new then,
 * and why. Else it goes on without. ask: of it, NULL: its kind needs none. Takes
 * the read lock and waits for the disk. */
void rspb_edit_promise(struct rspb_edit *edit, const struct rspb_ask *ask,
		       bool wanted);
/* Behind apply(), which has not made it so: what it is still. Likewise. */
void rspb_edit_withdraw(const struct rspb_edit *edit,
			const struct rspb_ask *ask);

#endif
