/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/plan.h"

int64_t rspb_plan_trimmed(const struct rspb_plan *plan,
			  const struct rspb_piece *piece, int64_t units)
{
	uint32_t part = (uint32_t) (piece - plan->pieces);
	int64_t less;

	if (!plan->policy->trim || units <= piece->floor)
		return units;
	less = rspb_benefit_trim(rspb_request_benefit(plan->request, part),
				 units, rspb_part_asked(piece->part));
	return less > piece->floor ? less : piece->floor;
}
