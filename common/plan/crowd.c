/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/crowd.h"

#include <stdlib.h>

#include "common/policy/leaves.h"

/* A kind of resource that is counted on each node. */
struct crowd {
	const struct rspb_plan *plan;
	const uint32_t *room;
	int64_t *most; /* taken of each node within the window */
};

/* Add or subtract (by sign) what a part with these nodes takes. */
static void add_part(struct crowd *crowd, uint64_t key, int sign, const struct rspb_part *part,
		     const struct rspb_nodeset *nodes)
{
	for (uint32_t q = 0; q < part->n_quotas; q++)
		if (part->quotas[q].key == key)
			RSPB_NODESET_EACH (n, nodes)
				crowd->most[n] += sign * rspb_ledger_takes(crowd->plan->ledger,
									   part, &part->quotas[q],
									   crowd->room, n);
}

/* Without what it has itself, which it may grow from, and with the plan's other
 * pieces. */
static void add_own(struct crowd *crowd, uint64_t key, const struct rspb_piece *piece)
{
	const struct rspb_plan *plan = crowd->plan;
	const struct rspb_booking *own = rspb_ledger_find(plan->ledger, plan->request->id);

	for (uint32_t i = 0; own && !rspb_state_final(own->state) && own->start <= plan->start &&
			     own->end >= plan->end && i < own->n_grants;
	     i++)
		if (own->grants[i].share)
			add_part(crowd, key, -1, &own->request->parts[i], own->grants[i].nodes);
	for (uint32_t i = 0; i < plan->n; i++) {
		const struct rspb_piece *other = &plan->pieces[i];

		if (other != piece && other->part->share && other->units)
			add_part(crowd, key, 1, other->part, other->nodes);
	}
}

static bool mark_full(const struct crowd *crowd, const struct rspb_quota *quota,
		      const struct rspb_piece *piece, struct rspb_nodeset *out)
{
	const struct rspb_nodeset *fixed = piece->part->fixed;
	bool any = false;

	for (uint32_t n = 0; n < crowd->plan->width; n++) {
		if (crowd->most[n] + rspb_ledger_takes(crowd->plan->ledger, piece->part, quota,
						       crowd->room, n) <=
			    crowd->room[n] ||
		    !(rspb_nodeset_has(piece->may, n) || (fixed && rspb_nodeset_has(fixed, n))))
			continue;
		rspb_nodeset_add(out, n);
		any = true;
	}
	return any;
}

int rspb_crowd_full(const struct rspb_plan *plan, const struct rspb_piece *piece,
		    struct rspb_nodeset *out, const struct rspb_quota **quota)
{
	struct crowd crowd = { .plan = plan };
	int rc = 0;

	for (uint32_t q = 0; q < piece->part->n_quotas && !rc; q++) {
		const struct rspb_quota *one = &piece->part->quotas[q];

		crowd.room = rspb_ledger_room(plan->ledger, one->key);
		if (!crowd.room)
			continue;
		if (!crowd.most)
			crowd.most = malloc((plan->width + 1) * sizeof(*crowd.most));
		rc = !crowd.most || rspb_ledger_taken(plan->ledger, one->key, plan->start,
						      plan->end, crowd.most, NULL)
			     ? -1
			     : 0;
		if (rc)
			continue;
		add_own(&crowd, one->key, piece);
		if (mark_full(&crowd, one, piece, out))
			*quota = one;
	}
	free(crowd.most);
	return rc;
}

bool rspb_crowd_near(struct rspb_plan *plan, struct rspb_piece *piece)
{
	const struct rspb_part *part = piece->part;
	const uint32_t *leaves = rspb_plan_leaves(plan, part);
	const int64_t units[] = { piece->aim, piece->floor };
	struct rspb_nodeset *some = plan->scratch;
	uint32_t want = part->nodes;

	if (!leaves || part->nodes <= part->leaves)
		return true;
	if (part->fixed) {
		if (rspb_leaves_count(leaves, part->fixed) > part->leaves) {
			plan->spread = true;
			return false;
		}
		want -= rspb_nodeset_count(part->fixed);
	}
	for (size_t i = 0; i < 2 && want; i++) {
		rspb_nodeset_copy(some, piece->may);
		RSPB_NODESET_EACH (n, some)
			if (plan->room[n] < rspb_part_on(part, units[i], n))
				rspb_nodeset_remove(some, n);
		if (rspb_nodeset_count(some) < want)
			continue;
		if (!rspb_leaves_limit(leaves, part->leaves, want, some))
			return false;
		if (rspb_nodeset_count(some) >= want) {
			rspb_nodeset_copy(piece->may, some);
			return true;
		}
		plan->spread = true;
	}
	return !want;
}
