/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/charge.h"

#include "common/conf/rules.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/jobs/components.h"
#include "plugins/ctld/jobs/contract.h"
#include "plugins/ctld/stats/tally.h"

/* RET node-seconds, a share as its part. */
static int64_t charge_of(const struct rspb_grant *grant, int64_t seconds,
			 uint32_t percent)
{
	double nodes = rspb_nodeset_count(grant->nodes);

	if (grant->share)
		nodes *= (double) grant->share / RSPB_SHARE_WHOLE;
	return (int64_t) (nodes * (double) seconds * percent / 100 + 0.5);
}

void rspb_charge(const struct rspb_booking *b, int64_t used_until)
{
	int64_t used = used_until > b->start ? used_until - b->start : 0;
	int64_t window = b->end - b->start, sum = 0;
	uint32_t ids[RSPB_MAX_PARTS], n, i;
	struct rspb_config in_force, space;
	const struct rspb_config *config;

	rspb_settings_get(&in_force);
	config = rspb_rules_for(&in_force, b->request,
				rspb_ledger_nodes(rspb_book_ledger()), &space);
	if (!config->charge_percent)
		return;
	if (config->charge_unused && used < window)
		used = window;
	n = rspb_components(b->request->id, ids);
	for (i = 0; i < n && i < b->n_grants; i++) {
		struct rspb_contract contract;
		struct rspb_job job;

		if (!rspb_contract_read(ids[i], &job, &contract))
			continue;
		contract.charged = charge_of(&b->grants[i], used,
					     config->charge_percent);
		rspb_contract_write(ids[i], &contract, NULL);
		sum += contract.charged;
	}
	rspb_tally_charged(b->request->user, (double) sum);
}
