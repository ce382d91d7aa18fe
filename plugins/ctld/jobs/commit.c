/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/commit.h"

#include <inttypes.h>
#include <stdlib.h>

#include "plugins/compat/colocate.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/jobs/intake.h"
#include "plugins/ctld/jobs/job_resv.h"

/* Whether the jobs still wait as they did when they were asked about. */
bool rspb_commit_waits(const struct rspb_ask *ask)
{
	struct rspb_job job;
	uint32_t i;

	for (i = 0; i < ask->n_jobs; i++)
		if (!rspb_job_find(ask->jobs[i], &job) ||
		    job.phase != RSPB_JOB_PENDING || job.completing)
			return false;
	return rspb_job_find(ask->jobs[0], &job) && rspb_intake_waits(&job);
}

static struct rspb_job_size size_of(const struct rspb_contract *contract)
{
	return (struct rspb_job_size){
		.nodes_min = contract->nodes_least ? contract->nodes_least
						   : contract->nodes_asked,
		.nodes_max = contract->nodes_asked,
		.tasks = contract->tasks,
		.cpus = contract->cpus,
	};
}

/* A job that is fitted to fewer nodes may grow again, also after a restart. */
static void keep_size(uint32_t id, struct rspb_contract *contract)
{
	struct rspb_job job;

	if (contract->cpus ||
	    contract->nodes_granted >= contract->nodes_asked ||
	    !rspb_job_find(id, &job))
		return;
	contract->tasks = job.tasks;
	contract->cpus = job.cpus;
}

void rspb_commit_unfit(uint32_t id, struct rspb_contract *contract)
{
	struct rspb_job_size asked = size_of(contract);

	if (contract->nodes_asked && contract->cpus)
		rspb_job_unshape(id, &asked, NULL);
	contract->tasks = 0;
	contract->cpus = 0;
}

static int fit(uint32_t id, const struct rspb_contract *contract,
	       struct rspb_err *err)
{
	struct rspb_job_size asked = size_of(contract);

	return rspb_job_shape(id, contract->nodes_granted, &asked, err);
}

/* Nothing is promised that Slurm itself would not start. */
static int would_start(uint32_t id, const struct rspb_nodeset *nodes,
		       struct rspb_err *err)
{
	struct rspb_job job;

	if (!rspb_job_find(id, &job))
		return rspb_fail(err, "job %u is gone", id);
	return rspb_job_would_start(&job, nodes, err);
}

/* The job waits as it did, and its reservation is gone. */
static void take_back(uint32_t id, const char *reservation,
		      const struct rspb_contract *contract)
{
	struct rspb_job_size asked = size_of(contract);

	rspb_job_attach(id, RSPB_WAITING_ROOM, 0, NULL);
	if (asked.nodes_max)
		rspb_job_unshape(id, &asked, NULL);
	rspb_resv_delete(reservation, NULL);
}

int rspb_commit_part(const struct rspb_ask *ask,
		     const struct rspb_booking *booking, uint32_t part,
		     const struct rspb_config *config, struct rspb_err *err)
{
	const struct rspb_grant *grant = &booking->grants[part];
	struct rspb_contract contract = ask->contracts[part];
	char name[RSPB_RESV_NAME], text[RSPB_CONTRACT_TEXT];
	struct rspb_resv_spec spec = {
		.name = name,
		.user = ask->user,
		.tag = text,
		.start = booking->start,
		.end = booking->end,
		.purge = config->release_early,
	};
	char *nodes = rspb_node_names(grant->nodes);
	int rc;

	if (!nodes)
		return rspb_fail(err, "out of memory");
	rspb_job_resv_name(booking->request->id, part, ask->n_jobs, name,
			   sizeof(name));
	rspb_report_contract(booking, part, &contract);
	if (!grant->share)
		keep_size(ask->jobs[part], &contract);
	rspb_contract_print(&contract, text, sizeof(text));
	spec.nodes = nodes;
	rc = rspb_resv_create(&spec, err);
	if (!rc) {
		if (grant->share)
			rspb_colocate_resv(name, rspb_book_dedicated(),
					   grant->nodes->width);
		rc = rspb_job_attach(ask->jobs[part], name, booking->start,
				     err);
		if (!rc && !grant->share)
			rc = fit(ask->jobs[part], &contract, err);
		if (!rc)
			rc = would_start(ask->jobs[part], grant->nodes, err);
		if (!rc)
			rc = rspb_job_set_contract(ask->jobs[part], text, err);
		if (rc)
			take_back(ask->jobs[part], name, &contract);
	}
	if (!rc)
		rspb_report_booked(booking, ask->user, nodes);
	free(nodes);
	return rc;
}

/* Back into the waiting room. */
static void undo(const struct rspb_ask *ask, const struct rspb_booking *booking,
		 uint32_t parts)
{
	char name[RSPB_RESV_NAME];
	uint32_t i;

	for (i = 0; i < parts; i++) {
		rspb_job_attach(ask->jobs[i], RSPB_WAITING_ROOM, 0, NULL);
		rspb_job_resv_name(booking->request->id, i, ask->n_jobs, name,
				   sizeof(name));
		rspb_resv_delete(name, NULL);
	}
}

int rspb_commit_parts(const struct rspb_ask *ask,
		      const struct rspb_booking *booking,
		      const struct rspb_config *config, struct rspb_err *err)
{
	uint32_t i;

	for (i = 0; i < booking->n_grants; i++) {
		if (!rspb_commit_part(ask, booking, i, config, err))
			continue;
		undo(ask, booking, i);
		return -1;
	}
	return 0;
}
