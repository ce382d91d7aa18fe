/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/charge.h"

#include "plugins/compat/job.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/jobs/components.h"
#include "plugins/ctld/jobs/contract.h"
#include "plugins/ctld/requests/limits.h"
#include "plugins/ctld/stats/tally.h"

void rspb_charge(const struct rspb_booking *b, int64_t used_until)
{
	int64_t used = used_until > b->start ? used_until - b->start : 0;
	int64_t window = b->end - b->start, sum = 0;
	uint32_t ids[RSPB_MAX_PARTS], n, i;
	struct rspb_config in_force, space;
	const struct rspb_config *config;

	rspb_settings_get(&in_force);
	config = rspb_limits_settings(&in_force, b->request, &space);
	if (!config->charge_percent)
		return;
	if (config->charge_unused && used < window)
		used = window;
	n = rspb_components(b->request->id, ids);
	for (i = 0; i < b->n_grants; i++) {
		int64_t charged = (int64_t) (rspb_grant_nodes(&b->grants[i]) *
						     (double) used *
						     config->charge_percent /
						     100 +
					     0.5);
		struct rspb_contract contract;
		struct rspb_job job;

		sum += charged;
		if (i >= n || !rspb_contract_read(ids[i], &job, &contract))
			continue;
		contract.charged = charged;
		rspb_contract_write(ids[i], &contract, NULL);
	}
	rspb_tally_charged(b->request->user, (double) sum);
}
