/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls the engine, so that the journal has each decision with all it depended on. It
 * adds nothing to it. */
#include "plugins/ctld/decide/batch.h"

#include <inttypes.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/record/replay.h"

/* The journal is replayed without Slurm. It therefore gets a request that allows only what was
 * decided, which leads to the same decision there. */
void rspb_decide_note(const struct rspb_ledger *basis, int64_t now,
		      const struct rspb_booking *decision)
{
	struct rspb_booking *narrow = rspb_booking_clone(decision);

	for (uint32_t i = 0; narrow && i < narrow->n_grants; i++) {
		struct rspb_part *part = &narrow->request->parts[i];

		if (part->share || part->fixed)
			continue;
		rspb_nodeset_destroy(part->eligible);
		part->eligible = rspb_nodeset_clone(narrow->grants[i].nodes);
	}
	if (narrow && narrow->n_grants) {
		narrow->request->ready = narrow->start;
		narrow->request->deadline = narrow->end;
	}
	if (decision->state != RSPB_BOOKED)
		rspb_replay_refuse(decision->request->id, rspb_booking_why(decision));
	else if (narrow)
		rspb_replay_batch(basis, 0, now, &narrow, 1);
	rspb_booking_destroy(narrow);
}

int rspb_decide(struct rspb_ledger *basis, uint64_t without, const struct rspb_config *config,
		const struct rspb_request *const *requests, size_t n, int64_t now, bool noted,
		struct rspb_suits *suits, const struct rspb_judge *offers,
		struct rspb_booking **out, struct rspb_err *err)
{
	struct rspb_record advance = { .kind = RSPB_REC_ADVANCE, .time = now };
	struct rspb_policy policy;

	rspb_settings_policy(config, &policy);
	policy.judge = suits ? &suits->judge : NULL;
	policy.offer_judge = offers;
	/* Callers with one request carry out only that decision. Moves of other bookings would be
	 * lost, so none are planned. */
	if (without || suits)
		policy.shift = 0;
	/* A decision looks ahead only: how long a node has been idle, say,
	 * must not depend on when slurmctld was started. A clock that went
	 * back leaves the basis as it is. */
	if (rspb_ledger_now(basis) < now && rspb_ledger_apply(basis, &advance, err))
		return -1;
	if ((without && rspb_ledger_cancel(basis, without, now, err)) ||
	    rspb_schedule_batch(basis, &policy, requests, n, now, out, err))
		return -1;
	/* A replay cannot ask the judge, so it gets the result as a request. */
	if (noted && suits)
		rspb_decide_note(basis, now, out[0]);
	else if (noted)
		rspb_replay_batch(basis, without, now, out, n);
	return 0;
}

uint32_t rspb_decide_dearest(const struct rspb_ledger *basis, const struct rspb_nodeset *nodes,
			     uint32_t *with_it)
{
	const uint32_t *weights = rspb_ledger_marks(basis).weights;
	uint32_t most = 0;

	*with_it = 0;
	RSPB_NODESET_EACH (n, nodes) {
		uint32_t weight = weights ? weights[n] : 0;

		if (weight > most)
			*with_it = 0;
		if (weight >= most) {
			most = weight;
			++*with_it;
		}
	}
	return most;
}

uint32_t rspb_decide_cheapest(const struct rspb_ledger *basis, const struct rspb_nodeset *nodes)
{
	const uint32_t *weights = rspb_ledger_marks(basis).weights;
	uint32_t least = UINT32_MAX;

	RSPB_NODESET_EACH (n, nodes)
		if (weights && weights[n] < least)
			least = weights[n];
	return least;
}

bool rspb_decision_books(const struct rspb_booking *decision)
{
	return decision && decision->state == RSPB_BOOKED;
}

/* A decision that is not a booking is not in the basis, so there is nothing to take out; the same
 * for restoring one. */
bool rspb_decide_forget(struct rspb_ledger *basis, const struct rspb_booking *decision, int64_t now)
{
	struct rspb_err err;

	if (!rspb_decision_books(decision) ||
	    !rspb_ledger_cancel(basis, decision->request->id, now, &err))
		return true;
	rspb_log_error("job %" PRIu64 ": %s", decision->request->id, err.text);
	return false;
}

bool rspb_decide_restore(struct rspb_ledger *basis, const struct rspb_booking *decision,
			 int64_t now)
{
	const struct rspb_record book = { .kind = RSPB_REC_BOOK, .time = now, .booking = decision };
	struct rspb_err err;

	if (!rspb_decision_books(decision) || !rspb_ledger_apply(basis, &book, &err))
		return true;
	rspb_log_error("job %" PRIu64 ": %s", decision->request->id, err.text);
	return false;
}

struct rspb_booking *rspb_decide_alone(struct rspb_ledger *basis, const struct rspb_config *config,
				       const struct rspb_request *request, int64_t now,
				       struct rspb_suits *suits)
{
	const struct rspb_request *const one[] = { request };
	struct rspb_booking *out = NULL;
	struct rspb_err err;

	if (!rspb_decide(basis, 0, config, one, 1, now, false, suits, NULL, &out, &err))
		return out;
	rspb_log_error("job %" PRIu64 ": %s", request->id, err.text);
	return NULL;
}

int rspb_decide_rescue(struct rspb_ledger *basis, struct rspb_rescue *rescue,
		       const struct rspb_config *config, int64_t now, struct rspb_suits *suits,
		       struct rspb_err *err)
{
	struct rspb_policy policy;
	int rc;

	rspb_settings_policy(config, &policy);
	policy.judge = suits ? &suits->judge : NULL;
	rescue->yield = config->yield;
	/* The clock may have been set back, and the basis has no past. */
	if (rescue->earliest < rspb_ledger_now(basis))
		rescue->earliest = rspb_ledger_now(basis);
	rc = rspb_rescue_booking(basis, &policy, rescue, err);
	/* A replay has no Slurm to ask, and it has the changes of the ledger in any case. */
	if (rc > 0 && !(suits && suits->took) && !rescue->others)
		rspb_replay_rescue(rspb_book_ledger(), basis, rescue, now);
	return rc;
}

int64_t rspb_decide_growth(struct rspb_ledger *basis, int64_t before,
			   const struct rspb_config *config, int64_t now, struct rspb_err *err)
{
	struct rspb_policy policy;
	int64_t n;

	rspb_settings_policy(config, &policy);
	n = rspb_refine_all(basis, &policy, before, err);
	if (n > 0)
		rspb_replay_growth(rspb_book_ledger(), basis, before, now);
	return n;
}
