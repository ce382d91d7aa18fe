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
#include "plugins/ctld/decide/suits.h"

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

#endif
