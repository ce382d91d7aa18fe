/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every decision of the agent is made here, so that the journal has it. */
#ifndef RSPB_CTLD_DECIDE_DECISION_H
#define RSPB_CTLD_DECIDE_DECISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/plan/rescue.h"
#include "common/request/booking.h"
#include "plugins/ctld/decide/suits.h"
#include "plugins/ctld/request/ask.h"

/*
 * rspb_schedule_batch() by the policy in force on basis (basis.h), which is
 * changed; what was booked before `now` does not count. without: the id of a
 * booking of the basis that is taken back first, 0: none. noted: the journal has it,
 * too, which knows no basis with what is only planned. suits: Slurm's word
 * on one request, NULL: it is not asked. offers: Slurm's word on what those are offered
 * that are declined, likewise. RET as that.
 */
int rspb_decide(struct rspb_ledger *basis, uint64_t without, const struct rspb_config *config,
		const struct rspb_request *const *requests, size_t n, int64_t now, bool noted,
		struct rspb_suits *suits, const struct rspb_judge *offers,
		struct rspb_booking **out, struct rspb_err *err);

/* Whether a decision gives its request nodes; NULL: there is none. */
bool rspb_decision_books(const struct rspb_booking *decision);

/*
 * Decide one request once more, for instance on other nodes: forget its decision, decide
 * it alone, and restore the decision if that was better. basis: has a decision that is booked;
 * decision: NULL is none. RET false, which is logged: the basis cannot be changed so.
 */
bool rspb_decide_forget(struct rspb_ledger *basis, const struct rspb_booking *decision,
			int64_t now);
bool rspb_decide_restore(struct rspb_ledger *basis, const struct rspb_booking *decision,
			 int64_t now);
/* RET the decision, which basis has if it is booked and the journal has not (rspb_decide_note);
 * NULL: it failed, which is logged. */
struct rspb_booking *rspb_decide_alone(struct rspb_ledger *basis, const struct rspb_config *config,
				       const struct rspb_request *request, int64_t now,
				       struct rspb_suits *suits);

/* RET the weight of the dearest of these nodes, as the ledger has them; *with_it: how many have
 * it. */
uint32_t rspb_decide_dearest(const struct rspb_ledger *basis, const struct rspb_nodeset *nodes,
			     uint32_t *with_it);
/* RET the weight of the cheapest of these nodes, UINT32_MAX: there are none, or no weights. */
uint32_t rspb_decide_cheapest(const struct rspb_ledger *basis, const struct rspb_nodeset *nodes);

/* The journal has a decision with Slurm's word on it. It is read where there is no Slurm
 * to ask: to it such a request is one for what Slurm has picked. */
void rspb_decide_note(const struct rspb_ledger *basis, int64_t now,
		      const struct rspb_booking *decision);

/* rspb_rescue_booking() so, as far as the settings allow. */
int rspb_decide_rescue(struct rspb_ledger *basis, struct rspb_rescue *rescue,
		       const struct rspb_config *config, int64_t now, struct rspb_suits *suits,
		       struct rspb_err *err);
/* rspb_refine_all() so. */
int64_t rspb_decide_growth(struct rspb_ledger *basis, int64_t before,
			   const struct rspb_config *config, int64_t now, struct rspb_err *err);

/* The steps of a batch: requests that are left out, a second decision, the commit. */

/* The decisions on a batch in the making; those on asks->items[i] are at [i]. */
struct rspb_round {
	struct rspb_ledger *basis; /* has the decisions that are booked; owned */
	const struct rspb_config *config;
	struct rspb_asks *asks;
	uint64_t table; /* of nodes, by which all of them are numbered */
	int64_t now;
	bool early; /* jobs end earlier to make way */
};

/* --- redecision.c --- */

/*
 * Decide once more what is marked (ask->misfit), each by itself, with Slurm's own
 * selection as the judge. decisions[i] is replaced, those of others are dropped. Limits
 * count beside what `booked` holds (NULL: the book). Takes locks, for one test at a
 * time. RET whether there are any.
 */
bool rspb_again_decide(const struct rspb_round *round, const struct rspb_ledger *booked,
		       struct rspb_booking **decisions);

/* Replace decisions where a part begins earlier so, is on such a node, or on nodes of more
 * weight; its ask is for these nodes from then on. */
void rspb_dense_decide(const struct rspb_round *round, struct rspb_booking **decisions);

/* --- preempt.c --- */

/*
 * Decide again on what could be better with the nodes of jobs that make way, each by itself,
 * with Slurm's selection as the judge; decisions[i] is replaced where it is, and the basis
 * by one that has it.
 */
void rspb_preempt_decide(struct rspb_round *round, struct rspb_booking **decisions);

/* --- commit.c --- */

/* Look whether the decisions of a plan will be kept before others give way for them there, as far
 * as limits and Slurm's word on whole nodes say so. An ask whose decision will not is marked
 * (ask->misfit) or refused (ask->refusal). If nobody gives way, nothing is looked at. Takes locks,
 * for one test at a time. RET NULL: there are no such asks; else the ledger as it will be with the
 * other decisions, which the caller destroys. */
struct rspb_ledger *rspb_commit_foresee(struct rspb_asks *asks,
					struct rspb_booking *const *decisions,
					const struct rspb_config *config,
					const struct rspb_ledger *plan, int64_t planned_at);

/* Commit the decisions[i] (NULL: refused before planning) on asks, in short write sections, once
 * they are in the journal. If that cannot be written nothing is booked, and the asks say why. They
 * were planned at `planned_at`, beside what was `seen`, on the node table `table`. Each is looked
 * at again under the lock; one that no longer holds stays in the waiting room for the next batch.
 * An ask that Slurm would not start there is marked (ask->misfit), and is as it was before.
 * misfits: only those that are marked, whose second decision is the last. RET how many were decided
 * for good. */
size_t rspb_commit_batch(struct rspb_asks *asks, struct rspb_booking *const *decisions,
			 const struct rspb_config *config, uint64_t table, int64_t planned_at,
			 struct rspb_seen seen, bool misfits);

/* Other numbers of nodes for jobs that leave the number to Slurm (request/numbers.h). */

/*
 * Decide the requests once more that got nothing with the number of nodes that was guessed
 * for them, or with --book=asap a later start than their first: with each number that Slurm
 * may choose, and with Slurm's selection as the judge, until one starts at once. The best
 * decision replaces decisions[i], on basis, too, and its number the one in the request.
 * Takes locks, for one number at a time.
 */
void rspb_recount_decide(const struct rspb_round *round, struct rspb_booking **decisions);

enum { RSPB_RECOUNT_MOST = 4 };

/* Try parts of different sizes for an ask that Slurm would not start as it was decided. decision:
 * the best one so far, which the basis has if it is a booking; NULL: none. RET the better one, like
 * it. */
struct rspb_booking *rspb_recount_uneven(const struct rspb_round *round, struct rspb_ask *ask,
					 struct rspb_booking *decision);
/* The requests as which a decision tries the same job, too: for other numbers of nodes, and for
 * whole nodes in place of parts. The caller destroys them. Takes the write lock for each. RET how
 * many. */
uint32_t rspb_recount_others(const struct rspb_round *round, struct rspb_ask *ask,
			     struct rspb_request *out[RSPB_RECOUNT_MOST]);

#endif
