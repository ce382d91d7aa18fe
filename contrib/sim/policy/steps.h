/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps of the simulator's own policies, with their parameters. */
#ifndef RSPB_SIM_POLICY_STEPS_H
#define RSPB_SIM_POLICY_STEPS_H

#include "common/plan/schedule.h"
#include "common/policy/policy.h"

struct sim_steps {
	struct rspb_steps steps;
	/* The delay that others may suffer, and the place of jobs of all nodes, follow the
	 * stream of requests (contrib/sim/policy/tide.h). */
	bool tidal;
	int64_t foresight; /* rounds of a search that knows every request; 0: none */
	int64_t price;	   /* of a share, in 1/100 (contrib/sim/policy/price.h); 0: nothing */
};

/* RET the parameters of a policy; zeros if it is one of the library. */
static inline const struct sim_steps *sim_steps_of(const struct rspb_policy *policy)
{
	static const struct sim_steps none;

	return policy->steps ? (const struct sim_steps *) policy->steps : &none;
}

#endif
