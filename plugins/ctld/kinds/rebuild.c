/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rebuilds the booking of a job from its contracts. Whether it fits into a ledger is for the
 * caller to find out. */
#include "plugins/ctld/kinds/recover.h"

#include <string.h>

#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/observe/intake.h"
#include "plugins/ctld/request/cores.h"
#include "plugins/ctld/request/uneven.h"

/* The functions below make request and grant of a contract again, as of jobs so of reservations.
 * They look at no record of Slurm's. The nodes that a job may have, and what else only the job
 * knows, are added by rspb_intake_refresh(). */

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

/* Fill in what a component asked for and what it was granted. Its nodes come from the
 * contract or the journal, then from its reservation, and last from the running job. RET 0,
 * or -1 if the contract cannot be read or nodes are missing. */
static int part_rebuild(const struct rspb_rebuilding *to, struct rspb_booking *booking,
			uint32_t part, const struct rspb_job *job,
			const struct rspb_contract *contract)
{
	struct rspb_part *asked = &booking->request->parts[part];
	struct rspb_grant *grant = &booking->grants[part];
	char name[RSPB_RESV_NAME];
	const char *nodes = rspb_contract_nodes(job, contract);
	struct rspb_resv resv;

	if (rspb_recall_part(contract, asked))
		return -1;
	rspb_recall_grant(contract, grant);
	/* Reservations are saved apart from jobs, and may be older or lost. */
	rspb_resv_name(booking->request->id, part, booking->n_grants, name, sizeof(name));
	if (nodes[0] && !rspb_node_parse(nodes, grant->nodes, NULL))
		;
	else if (rspb_resv_find(name, to->now, &resv) && resv.has_nodes)
		rspb_resv_nodes(&resv, grant->nodes);
	else if (job->phase == RSPB_JOB_RUNNING)
		rspb_job_nodes(job, RSPB_JOB_HOLDS, grant->nodes);
	/* Slurm keeps a reservation with fewer nodes if the others were removed from
	 * slurm.conf. A pending job needs all nodes that it was granted. */
	if (rspb_nodeset_empty(grant->nodes) ||
	    (job->phase == RSPB_JOB_PENDING &&
	     rspb_nodeset_count(grant->nodes) < contract->nodes_granted))
		return -1;
	if (contract->terms.cores) {
		rspb_part_granted_cores(contract->terms.cores, asked, grant);
		rspb_part_granted_tasks(contract, job->tasks, asked);
		if (rspb_uneven_recall(contract->odd, asked))
			return -1;
	}
	return 0;
}

struct rspb_booking *rspb_job_rebuild(const struct rspb_rebuilding *to,
				      const struct rspb_job *leader,
				      const struct rspb_contract *contract)
{
	uint32_t ids[RSPB_MAX_PARTS], i;
	uint32_t n = rspb_job_components(leader, ids, RSPB_MAX_PARTS);
	struct rspb_request *request = rspb_request_create(n);
	struct rspb_booking *booking;
	/* A booking may outlast the job: other components run, or ReleaseEarly=no. */
	bool running = leader->phase == RSPB_JOB_RUNNING ||
		       (leader->phase == RSPB_JOB_DONE && contract->state == RSPB_ACTIVE);

	if (!request)
		return NULL;
	request->id = leader->id;
	request->user = leader->uid;
	request->arrival = leader->submitted;
	request->priority = rspb_intake_priority(to->config, leader);
	rspb_intake_label(request, leader, contract);
	booking = rspb_recall_request(contract, request) ? NULL : rspb_booking_create(request);
	rspb_request_destroy(request);
	if (!booking || !n || n > RSPB_MAX_PARTS || rspb_booking_grant(booking, to->width, NULL) ||
	    part_rebuild(to, booking, 0, leader, contract))
		goto fail;
	booking->state = running ? RSPB_ACTIVE : RSPB_BOOKED;
	booking->start = contract->start;
	booking->end = contract->end;
	rspb_booking_say(booking, contract->reason);
	/* The time of the last change is not recorded. Nodes ignore a share message that
	 * seems older than the last one. Therefore a running booking counts as decided
	 * now. */
	booking->decided_at = running ? to->now : leader->submitted;
	for (i = 1; i < n; i++) {
		struct rspb_contract own;
		struct rspb_job job;

		if (!rspb_contract_read(ids[i], &job, &own) ||
		    part_rebuild(to, booking, i, &job, &own))
			goto fail;
		/* The components run together, so the booking is as long as the longest
		 * needs. */
		if (booking->request->n_forms && own.standard > booking->request->forms[0].duration)
			booking->request->forms[0].duration = own.standard;
	}
	rspb_booking_value(booking);
	return booking;
fail:
	rspb_booking_destroy(booking);
	return NULL;
}
