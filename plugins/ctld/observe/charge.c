/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Works out what a booking costs its account, and writes it into contracts. It ends
 * nothing. */
#include "plugins/ctld/observe/charge.h"

#include "common/policy/order.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/base/tally.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/request/limits.h"

double rspb_charge_rate(const struct rspb_request *request, const struct rspb_config *config)
{
	double percent = (double) config->charge_percent;

	if (rspb_order_sells(config->policy.order))
		percent *= (double) rspb_request_price(request) / RSPB_PRICE_USUAL;
	return percent / 100;
}

/* RET the factor for the nodes of a part. Parts of nodes are charged as they are billed, if their
 * partition has billing weights; 1 in all other cases. */
static double factor(const struct rspb_booking *b, uint32_t part)
{
	const struct rspb_grant *grant = &b->grants[part];
	double nodes = rspb_grant_nodes(&b->request->parts[part], grant);
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	double billed;

	if (!b->request->parts[part].whole || part >= n || nodes <= 0)
		return 1;
	billed = rspb_billed_nodes(ids[part], rspb_nodeset_next(grant->nodes, 0));
	return billed > 0 ? billed / nodes : 1;
}

/* Add the charge for some nodes of a part to its contract, which may have one from before.
 * written: write the contract into the journal at once, too. Otherwise the caller writes it with
 * the final state, in the same section. */
static void charge(const struct rspb_booking *b, uint32_t part, double nodes, int64_t seconds,
		   const struct rspb_config *config, bool written)
{
	double rate = rspb_charge_rate(b->request, config);
	int64_t charged = (int64_t) (nodes * (double) seconds * rate + 0.5);
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	char text[RSPB_CONTRACT_TEXT];
	struct rspb_contract contract;
	struct rspb_job job;

	/* The count for the user is kept even if the job has left Slurm by now. */
	rspb_tally_charged(b->request->user, (double) charged);
	if (part >= n || !rspb_contract_read(ids[part], &job, &contract))
		return;
	contract.charged += charged;
	if (written) {
		rspb_contract_write(ids[part], &contract, NULL);
		return;
	}
	rspb_contract_print(&contract, text, sizeof(text));
	rspb_job_make_so(ids[part], &(struct rspb_job_wanted){ .contract = text }, NULL);
}

void rspb_charge_part(const struct rspb_booking *b, uint32_t part, int64_t used_until)
{
	int64_t used = used_until > b->start ? used_until - b->start : 0;
	int64_t window = b->end - b->start;
	struct rspb_config space;
	const struct rspb_config *config = rspb_limits_settings(rspb_settings_get(), b->request,
								&space);

	if (!config->charge_percent)
		return;
	/* A booking that ended early may be charged as a whole. A booking that overran its slot is
	 * charged for the longer time. */
	if (config->charge_unused && used < window)
		used = window;
	charge(b, part,
	       factor(b, part) * rspb_grant_nodes(&b->request->parts[part], &b->grants[part]), used,
	       config, false);
}

void rspb_charge(const struct rspb_booking *b, int64_t used_until)
{
	for (uint32_t i = 0; i < b->n_grants; i++)
		rspb_charge_part(b, i, used_until);
}

void rspb_charge_given_back(const struct rspb_booking *old, const struct rspb_booking *new,
			    int64_t now)
{
	struct rspb_config space;
	const struct rspb_config *config = rspb_limits_settings(rspb_settings_get(), old->request,
								&space);

	/* Nodes that are released before the start were not used. */
	if (!config->charge_percent || now <= old->start)
		return;
	for (uint32_t i = 0; i < old->n_grants; i++) {
		double nodes = rspb_grant_nodes(&old->request->parts[i], &old->grants[i]) -
			       rspb_grant_nodes(&new->request->parts[i], &new->grants[i]);

		if (nodes > 0)
			charge(old, i, nodes * factor(old, i), now - old->start, config, true);
	}
}
