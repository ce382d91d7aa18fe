/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes request and grant of a contract again, as of jobs so of reservations. It looks at no record
 * of Slurm's. The nodes that a job may have, and what else only the job knows, are added by
 * rspb_intake_refresh(). */
#include "plugins/ctld/request/recall.h"

/* The contract has the length on a usual node if the request had one form, which is made of it
 * again. Of several forms only the booked one is left. */
int rspb_recall_request(const struct rspb_contract *contract, struct rspb_request *request)
{
	const struct rspb_form form = { .nodes = contract->terms.nodes,
					.duration = contract->standard };

	request->ready = contract->terms.ready;
	request->deadline = contract->terms.deadline;
	request->duration = contract->terms.duration;
	request->asap = contract->terms.asap;
	request->speed = contract->speed;
	if (form.duration && rspb_request_set_forms(request, &form, 1))
		return -1;
	/* As long as its nodes take, in Slurm's whole minutes. */
	if (form.duration) {
		request->step = 60;
		request->punctual = request->deadline == request->ready + request->duration;
	}
	return rspb_terms_ask(&contract->terms, request);
}

int rspb_recall_part(const struct rspb_contract *contract, struct rspb_part *part)
{
	part->nodes = contract->terms.nodes;
	part->nodes_min = rspb_terms_least(&contract->terms);
	part->share = contract->terms.share;
	part->share_min = contract->terms.share_min;
	return rspb_benefit_keep(&part->benefit, &contract->terms.benefit);
}

void rspb_recall_grant(const struct rspb_contract *contract, struct rspb_grant *grant)
{
	grant->share = contract->share_granted;
	grant->promise = contract->promise;
	grant->had = contract->had;
	/* An outage without `had` is of a job that has lost its booking. */
	grant->outage = contract->had ? contract->outage : 0;
	grant->benefit = contract->benefit.den ? contract->benefit : (struct rspb_ratio){ 1, 1 };
}
