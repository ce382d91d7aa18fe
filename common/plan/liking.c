/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/liking.h"

#include "common/policy/when.h"

const struct rspb_nodeset *rspb_liking_eligible(const struct rspb_plan *plan,
						struct rspb_nodeset *set)
{
	rspb_nodeset_clear(set);
	for (uint32_t i = 0; i < plan->n; i++) {
		const struct rspb_part *part = plan->pieces[i].part;
		bool only_fixed = rspb_part_all_fixed(part);

		if (part->share)
			continue;
		if (!only_fixed && !part->eligible && !plan->bounded)
			return NULL;
		if (part->fixed)
			rspb_nodeset_or(set, part->fixed);
		if (!only_fixed && part->eligible)
			rspb_nodeset_or(set, part->eligible);
		else if (!only_fixed)
			rspb_nodeset_fill(set);
	}
	/* Named nodes are as fast, or the time is reckoned for slower ones. */
	rspb_plan_keep_fast(plan, set);
	return set;
}

/* Whether the machine is so empty that no start is worth waiting for: from ready
 * to deadline at least half of the nodes that will do are free. */
static bool is_calm(const struct rspb_plan *plan, int64_t ready, struct rspb_nodeset *set)
{
	const struct rspb_profile *profile = rspb_ledger_profile(plan->ledger);
	const struct rspb_nodeset *eligible = rspb_liking_eligible(plan, set);
	uint32_t nodes = eligible && plan->has_whole ? rspb_nodeset_count(eligible) : plan->width;
	uint32_t most, fewest;

	return !rspb_profile_peak(profile, ready, plan->request->deadline, &most, &fewest, NULL) &&
	       2 * most <= nodes;
}

const struct rspb_when *rspb_liking(const struct rspb_plan *plan, int64_t ready,
				    struct rspb_nodeset *set)
{
	const struct rspb_when *when = plan->policy->when;

	if (plan->request->asap || (when->calm_first && is_calm(plan, ready, set)))
		return rspb_when_find("ff");
	return when;
}
