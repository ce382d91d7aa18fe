/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/stand_in.h"

#include <stdlib.h>

enum { STAND_INS_MOST = 32 }; /* nodes among which the planner chooses */

/* RET the most that a part takes of something on any of these nodes. */
static int64_t most_of(const struct rspb_part *part, uint64_t key, int64_t usual,
		       const struct rspb_nodeset *nodes)
{
	int64_t most = 0;

	RSPB_NODESET_EACH (n, nodes) {
		int64_t amount = rspb_part_takes(part, key, usual, n);

		if (amount > most)
			most = amount;
	}
	return most;
}

/* Let a part take of every node the most that it takes of any of these. Kinds that most nodes do
 * not give, which are types of a node with several, are not asked of others. */
static void take_most(struct rspb_part *part, const struct rspb_nodeset *nodes)
{
	part->share = most_of(part, RSPB_ROOM_CORES, part->share, nodes);
	for (uint32_t q = 0; q < part->n_quotas; q++) {
		struct rspb_quota *quota = &part->quotas[q];

		if (quota->per_node)
			quota->per_node = most_of(part, quota->key, quota->per_node, nodes);
	}
	rspb_part_even(part);
}

/* Leave of a set the nodes that can give what a part takes, over all of the window of a booking.
 * RET 0, -1: out of memory. */
static int leave_able(const struct rspb_ledger *ledger, const struct rspb_part *part,
		      const struct rspb_booking *was, struct rspb_nodeset *set)
{
	struct rspb_nodeset *able = rspb_nodeset_create(set->width);
	struct rspb_profile *calendar = rspb_ledger_for_part(ledger, part, set);
	int64_t now = rspb_ledger_now(ledger), start = was->start > now ? was->start : now;
	int rc = able && calendar && !rspb_profile_free_over(calendar, start, was->end, able, NULL)
			 ? 0
			 : -1;

	if (!rc)
		rspb_nodeset_and(set, able);
	rspb_profile_destroy(calendar);
	rspb_nodeset_destroy(able);
	return rc;
}

/* Leave the lightest nodes of a set. */
static void leave_lightest(const struct rspb_ledger *ledger, struct rspb_nodeset *set)
{
	const uint32_t *weights = rspb_ledger_marks(ledger).weights;

	for (uint32_t count = rspb_nodeset_count(set); count > STAND_INS_MOST; count--) {
		uint32_t heaviest = UINT32_MAX;

		RSPB_NODESET_EACH (n, set)
			if (heaviest == UINT32_MAX || (weights && weights[n] > weights[heaviest]))
				heaviest = n;
		rspb_nodeset_remove(set, heaviest);
	}
}

/* Add what a part takes of one node as another one does, where that is not the usual amount. */
static int add_node(struct rspb_part *part, const struct rspb_part *from, uint32_t n)
{
	const struct rspb_odd cores = { n, RSPB_ROOM_CORES, from->share };
	int rc = rspb_part_add_odd(part, cores, part->share);

	for (uint32_t q = 0; q < part->n_quotas && !rc; q++) {
		const struct rspb_odd odd = { n, part->quotas[q].key, from->quotas[q].per_node };

		if (odd.amount > 0)
			rc = rspb_part_add_odd(part, odd, part->quotas[q].per_node);
	}
	return rc;
}

/* Let a part have these of its nodes, and these others, which give what `most` takes. */
static int widen(struct rspb_part *part, const struct rspb_part *most,
		 const struct rspb_nodeset *kept, const struct rspb_nodeset *others)
{
	struct rspb_odd *odd = part->odd;
	uint32_t n_odd = part->n_odd, i = 0;
	int rc = 0;

	part->odd = NULL;
	part->n_odd = 0;
	for (uint32_t n = 0; n < kept->width && !rc; n++) {
		if (rspb_nodeset_has(others, n))
			rc = add_node(part, most, n);
		for (; i < n_odd && odd[i].node == n; i++)
			if (rspb_nodeset_has(kept, n) && !rc)
				rc = rspb_part_add_odd(part, odd[i], 0);
	}
	free(odd);
	rspb_nodeset_copy(part->eligible, kept);
	rspb_nodeset_or(part->eligible, others);
	if (rc || rspb_nodeset_empty(kept))
		return rc;
	rspb_nodeset_destroy(part->fixed);
	part->fixed = rspb_nodeset_clone(kept);
	return part->fixed ? 0 : -1;
}

/* The same for those that it cannot keep, if there are any and it names none of them. */
static int replace(const struct rspb_ledger *ledger, const struct rspb_booking *was, uint32_t i,
		   const struct rspb_nodeset *may, struct rspb_request *request)
{
	struct rspb_request *probe = rspb_request_clone(request);
	struct rspb_nodeset *kept = rspb_nodeset_clone(was->grants[i].nodes);
	struct rspb_nodeset *lost = rspb_nodeset_clone(was->grants[i].nodes);
	struct rspb_nodeset *others = rspb_nodeset_clone(may);
	struct rspb_part *part = &request->parts[i];
	int rc = probe && kept && lost && others && part->eligible
			 ? leave_able(ledger, part, was, kept)
			 : -1;

	if (!rc)
		rspb_nodeset_minus(lost, kept);
	if (!rc && !rspb_nodeset_empty(lost) &&
	    (!part->fixed || rspb_nodeset_within(part->fixed, kept))) {
		take_most(&probe->parts[i], lost);
		rspb_nodeset_minus(others, was->grants[i].nodes);
		rc = leave_able(ledger, &probe->parts[i], was, others);
		if (!rc)
			leave_lightest(ledger, others);
		if (!rc)
			rc = widen(part, &probe->parts[i], kept, others);
	}
	rspb_request_destroy(probe);
	rspb_nodeset_destroy(kept);
	rspb_nodeset_destroy(lost);
	rspb_nodeset_destroy(others);
	return rc;
}

int rspb_stand_in_offer(const struct rspb_ledger *ledger, const struct rspb_booking *was,
			struct rspb_nodeset *const *others, struct rspb_request *request,
			struct rspb_err *err)
{
	int rc = 0;

	for (uint32_t i = 0; i < request->n_parts && i < was->n_grants && !rc; i++)
		if (others[i])
			rc = replace(ledger, was, i, others[i], request);
	return rc ? rspb_fail(err, "out of memory") : 0;
}

int rspb_stand_in_settle(struct rspb_part *part, const struct rspb_part *offered,
			 const struct rspb_nodeset *granted)
{
	int rc = 0;

	rspb_part_even(part);
	for (uint32_t i = 0; i < offered->n_odd && !rc; i++)
		if (rspb_nodeset_has(granted, offered->odd[i].node))
			rc = rspb_part_add_odd(part, offered->odd[i], 0);
	if (part->eligible)
		rspb_nodeset_copy(part->eligible, granted);
	return rc;
}
