/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cuts a plan down to what the limits on simultaneous use leave, and to what still earns
 * benefit. */
#include "common/plan/plan.h"

static struct rspb_excess excess_of(const struct rspb_plan *plan)
{
	struct rspb_nodeset *nodes[RSPB_MAX_PARTS];

	for (uint32_t i = 0; i < plan->n; i++)
		nodes[i] = plan->pieces[i].nodes;
	return rspb_counts_over(&plan->counts, plan->ledger, plan->request, nodes, plan->start,
				plan->end);
}

/* Let go nodes of a piece, the last ones, until so much less counts, or the
 * piece is at its floor. RET what is still too much. */
static int64_t shrink(const struct rspb_plan *plan, struct rspb_piece *piece,
		      const struct rspb_quota *quota, int64_t over)
{
	const uint32_t *cpus = rspb_ledger_room(plan->ledger, RSPB_ROOM_CPUS);

	for (uint32_t n = plan->width; n-- && over > 0 && piece->units > piece->floor;) {
		int64_t less = rspb_quota_product(rspb_quota_on(quota, cpus, n),
						  rspb_quota_times(quota, plan->end - plan->start));

		if (!rspb_nodeset_has(piece->nodes, n) || less <= 0)
			continue;
		rspb_nodeset_remove(piece->nodes, n);
		piece->units--;
		over -= less;
	}
	return over;
}

/* RET whether it is within this one limit now. */
static bool let_go(struct rspb_plan *plan, const struct rspb_excess *excess)
{
	int64_t over = excess->held + excess->own - excess->quota->most;

	for (uint32_t k = plan->n; k-- && over > 0;) {
		struct rspb_piece *piece = &plan->pieces[plan->sequence[k]];
		const struct rspb_quota *quota = rspb_part_quota(piece->part, excess->quota->key);

		if (quota && !piece->part->share && !piece->part->fixed)
			over = shrink(plan, piece, quota, over);
	}
	return over <= 0;
}

bool rspb_plan_within(struct rspb_plan *plan)
{
	struct rspb_excess excess = excess_of(plan);

	while (excess.quota) {
		plan->excess = excess;
		if (!let_go(plan, &excess))
			return false;
		excess = excess_of(plan);
	}
	return true;
}

int64_t rspb_plan_trimmed(const struct rspb_plan *plan, const struct rspb_piece *piece,
			  int64_t units)
{
	uint32_t part = (uint32_t) (piece - plan->pieces);
	int64_t less;

	if (!plan->policy->trim || units <= piece->floor)
		return units;
	less = rspb_benefit_trim(rspb_request_benefit(plan->request, part), units,
				 rspb_part_asked(piece->part));
	return less > piece->floor ? less : piece->floor;
}
