/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/give.h"

#include <stdio.h>

/* RET the units that a part has left when it gives way. */
static int64_t left_of(const struct rspb_booking *b, uint32_t part, enum rspb_yield level)
{
	const struct rspb_grant *grant = &b->grants[part];
	int64_t units = rspb_grant_units(grant);
	int64_t left = rspb_grant_promised(grant);

	/* A job that runs keeps its nodes; one that names them, too. */
	if (!grant->share && (b->state != RSPB_BOOKED || b->request->parts[part].fixed))
		return units;
	if (level >= RSPB_YIELD_PART && rspb_part_least(b->request, part) < left)
		left = rspb_part_least(b->request, part);
	return left;
}

bool rspb_give_possible(const struct rspb_booking *b, enum rspb_yield level)
{
	for (uint32_t i = 0; i < b->n_grants; i++)
		if (left_of(b, i, level) < rspb_grant_units(&b->grants[i]))
			return true;
	return false;
}

/* Keep `units` of the nodes, as few of those that are wanted as can be. */
static int keep_nodes(struct rspb_nodeset *nodes, uint32_t units, const struct rspb_nodeset *wanted)
{
	struct rspb_nodeset *keep = rspb_nodeset_clone(nodes);
	uint32_t count;

	if (!keep)
		return -1;
	if (wanted)
		rspb_nodeset_minus(keep, wanted);
	count = rspb_nodeset_count(keep);
	if (count < units) {
		rspb_nodeset_minus(nodes, keep);
		rspb_nodeset_keep_lowest(nodes, units - count);
		rspb_nodeset_or(nodes, keep);
	} else {
		rspb_nodeset_copy(nodes, keep);
		rspb_nodeset_keep_lowest(nodes, units);
	}
	rspb_nodeset_destroy(keep);
	return 0;
}

/* Leave a part so many units of what it has. RET 0, -1: out of memory. */
static int resize(struct rspb_grant *grant, int64_t units, const struct rspb_nodeset *wanted)
{
	int64_t promised = rspb_grant_promised(grant);

	if (grant->share)
		grant->share = units;
	else if (keep_nodes(grant->nodes, (uint32_t) units, wanted))
		return -1;
	grant->promise = promised < units ? promised : 0;
	return 0;
}

static int apply(struct rspb_ledger *ledger, struct rspb_booking *booking, struct rspb_err *err)
{
	struct rspb_record record = { .kind = RSPB_REC_CHANGE,
				      .time = rspb_ledger_now(ledger),
				      .booking = booking };

	rspb_booking_value(booking);
	return rspb_ledger_apply(ledger, &record, err);
}

int rspb_give(struct rspb_ledger *ledger, uint64_t id, enum rspb_yield level,
	      const struct rspb_nodeset *wanted, struct rspb_err *err)
{
	const struct rspb_booking *b = rspb_ledger_find(ledger, id);
	struct rspb_record cancel = { .kind = RSPB_REC_EVENT,
				      .time = rspb_ledger_now(ledger),
				      .id = id,
				      .event = RSPB_EV_CANCEL };
	struct rspb_booking *less;
	int rc = 0;

	if (level == RSPB_YIELD_WHOLE)
		return rspb_ledger_apply(ledger, &cancel, err) ? -1 : 1;
	if (!rspb_give_possible(b, level))
		return 0;
	less = rspb_booking_clone(b);
	if (!less)
		return rspb_fail(err, "out of memory");
	for (uint32_t i = 0; i < less->n_grants && !rc; i++) {
		int64_t left = left_of(b, i, level);

		if (left < rspb_grant_units(&b->grants[i]))
			rc = resize(&less->grants[i], left, wanted);
	}
	/* Refused where something from outside lies on it: that room would be
	 * of no use to others either. */
	if (!rc)
		rc = apply(ledger, less, NULL) ? 0 : 1;
	else
		rspb_fail(err, "out of memory");
	rspb_booking_destroy(less);
	return rc;
}

/* The share that it had, as far as nobody has it on any of its machines now. */
static int regrow_share(const struct rspb_ledger *ledger, struct rspb_booking *b, uint32_t part,
			const struct rspb_grant *was, struct rspb_err *err)
{
	const struct rspb_shares *shares = rspb_ledger_shares(ledger);
	struct rspb_grant *grant = &b->grants[part];
	int64_t now = rspb_ledger_now(ledger);
	int64_t start = b->start > now ? b->start : now;
	int64_t more = was->share - grant->share;

	RSPB_NODESET_EACH (m, grant->nodes) {
		int64_t peak, room;

		if (rspb_shares_peak(shares, m, start, b->end, &peak, err))
			return -1;
		room = rspb_shares_capacity(shares, m) - peak;
		if (room < more)
			more = room;
	}
	if (more > 0)
		grant->share += more;
	return 0;
}

/* The nodes that it had and nobody has now. */
static int regrow_nodes(const struct rspb_ledger *ledger, struct rspb_booking *b, uint32_t part,
			const struct rspb_grant *was, struct rspb_err *err)
{
	struct rspb_grant *grant = &b->grants[part];
	struct rspb_nodeset *open = rspb_nodeset_create(was->nodes->width);
	int rc;

	if (!open)
		return rspb_fail(err, "out of memory");
	rc = rspb_profile_free_over(rspb_ledger_profile(ledger), b->start, b->end, open, err);
	if (!rc) {
		rspb_nodeset_and(open, was->nodes);
		rspb_nodeset_or(grant->nodes, open);
	}
	rspb_nodeset_destroy(open);
	return rc;
}

int rspb_give_back(struct rspb_ledger *ledger, const struct rspb_booking *was, struct rspb_err *err)
{
	const struct rspb_booking *is = rspb_ledger_find(ledger, was->request->id);
	struct rspb_booking *more;
	int rc = 0;

	if (is == was || rspb_state_final(is->state))
		return 0;
	more = rspb_booking_clone(is);
	if (!more)
		return rspb_fail(err, "out of memory");
	for (uint32_t i = 0; i < more->n_grants && !rc; i++) {
		const struct rspb_grant *old = &was->grants[i];

		if (rspb_grant_units(old) == rspb_grant_units(&more->grants[i]))
			continue;
		rc = old->share ? regrow_share(ledger, more, i, old, err)
				: regrow_nodes(ledger, more, i, old, err);
		more->grants[i].promise = rspb_grant_promised(old);
	}
	if (!rc)
		rc = apply(ledger, more, NULL) ? 0 : 1;
	rspb_booking_destroy(more);
	return rc;
}
