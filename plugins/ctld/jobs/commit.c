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
#include "plugins/ctld/jobs/contract.h"
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

/* What the job of a part and its reservation say of a booking. */
struct deed {
	struct rspb_contract contract;
	char text[RSPB_CONTRACT_TEXT];
	char *nodes; /* by name, too many for the text; owned, else NULL */
};

static void deed_draw(struct deed *deed, const struct rspb_ask *ask,
		      const struct rspb_booking *booking, uint32_t part)
{
	const struct rspb_part *asked = &booking->request->parts[part];
	struct rspb_flags *flags = &deed->contract.flags;

	deed->contract = ask->contracts[part];
	/* Its owner may want another share by now. */
	if (flags->share && flags->share != asked->share) {
		flags->share = asked->share;
		flags->share_min = asked->share_min < asked->share
					   ? asked->share_min
					   : 0;
	}
	if (!deed->contract.held)
		rspb_was_forget(&deed->contract);
	deed->nodes = rspb_contract_grant(booking, part, &deed->contract);
	if (!booking->grants[part].share)
		keep_size(ask->jobs[part], &deed->contract);
	rspb_contract_print(&deed->contract, deed->text, sizeof(deed->text));
}

static int size_had(uint32_t id, struct rspb_job_size *had,
		    struct rspb_err *err)
{
	struct rspb_job job;

	if (!rspb_job_find(id, &job))
		return rspb_fail(err, "job %u is gone", id);
	*had = (struct rspb_job_size){ job.nodes_min, job.nodes_max, job.tasks,
				       job.cpus };
	return 0;
}

/* The job is as large as was granted, and Slurm would start it so. RET 0, or -1
 * with err. */
static int suit(uint32_t id, const struct rspb_grant *grant,
		const struct deed *deed, struct rspb_err *err)
{
	if (!grant->share && fit(id, &deed->contract, err))
		return -1;
	return would_start(id, grant->nodes, err);
}

/* The job goes into a reservation, and is what was granted. RET 0, or -1 with
 * err and the size that it had. */
static int tie(uint32_t id, const char *reservation,
	       const struct rspb_booking *booking, uint32_t part,
	       const struct deed *deed, struct rspb_err *err)
{
	struct rspb_job_size had;
	int rc;

	if (size_had(id, &had, err))
		return -1;
	rc = rspb_job_attach(id, reservation, booking->start, err);
	if (!rc)
		rc = suit(id, &booking->grants[part], deed, err);
	if (!rc)
		rc = rspb_contract_put(id, deed->text, deed->nodes, err);
	if (rc)
		rspb_job_unshape(id, &had, NULL);
	return rc;
}

int rspb_commit_suits(const struct rspb_ask *ask,
		      const struct rspb_booking *booking, struct rspb_err *err)
{
	struct rspb_job_size had;
	struct deed deed;
	int rc = 0;

	for (uint32_t i = 0; i < ask->n_jobs && !rc; i++) {
		rc = size_had(ask->jobs[i], &had, err);
		if (rc)
			break;
		deed_draw(&deed, ask, booking, i);
		rc = suit(ask->jobs[i], &booking->grants[i], &deed, err);
		rspb_job_unshape(ask->jobs[i], &had, NULL);
		free(deed.nodes);
	}
	return rc;
}

void rspb_commit_promise(const struct rspb_ask *ask,
			 const struct rspb_booking *booking)
{
	struct deed deed;

	for (uint32_t i = 0; i < ask->n_jobs; i++) {
		deed_draw(&deed, ask, booking, i);
		rspb_contract_promise(ask->jobs[i], deed.text, deed.nodes,
				      ask->features);
		free(deed.nodes);
	}
}

void rspb_commit_withdraw(const struct rspb_ask *ask)
{
	char text[RSPB_CONTRACT_TEXT];

	for (uint32_t i = 0; i < ask->n_jobs; i++) {
		rspb_contract_print(&ask->contracts[i], text, sizeof(text));
		rspb_contract_promise(ask->jobs[i], text, NULL, NULL);
	}
}

/* Whom accounting is to charge for what lies idle, NULL: as Slurm has it. */
static const char *account_of(uint32_t id)
{
	struct rspb_job job;

	return rspb_resv_charges() && rspb_job_find(id, &job) ? job.account
							      : NULL;
}

/* Slurm does not find an account that the user has in one partition alone. */
static int make_resv(const struct rspb_resv_spec *spec, struct rspb_err *err)
{
	struct rspb_resv_spec without = *spec;

	without.accounts = NULL;
	if (!rspb_resv_create(spec, err))
		return 0;
	return spec->accounts ? rspb_resv_create(&without, err) : -1;
}

/* A reservation with the job in it. */
static int make(const struct rspb_ask *ask, const struct rspb_booking *booking,
		uint32_t part, const struct rspb_resv_spec *spec,
		const struct deed *deed, struct rspb_err *err)
{
	const struct rspb_grant *grant = &booking->grants[part];

	if (make_resv(spec, err))
		return -1;
	if (grant->share)
		rspb_colocate_resv(spec->name, rspb_book_dedicated(),
				   grant->nodes->width);
	if (!tie(ask->jobs[part], spec->name, booking, part, deed, err))
		return 0;
	rspb_job_attach(ask->jobs[part], RSPB_WAITING_ROOM, 0, NULL);
	rspb_resv_delete(spec->name, NULL);
	return -1;
}

int rspb_commit_part(const struct rspb_ask *ask,
		     const struct rspb_booking *booking, uint32_t part,
		     const struct rspb_config *config, struct rspb_err *err)
{
	char name[RSPB_RESV_NAME];
	struct deed deed;
	struct rspb_resv_spec spec = {
		.name = name,
		.user = ask->user,
		.accounts = account_of(ask->jobs[part]),
		.tag = deed.text,
		.start = booking->start,
		.end = booking->end,
		.purge = config->release_early,
	};
	char *nodes = rspb_node_names(booking->grants[part].nodes);
	int rc;

	if (!nodes)
		return rspb_fail(err, "out of memory");
	rspb_job_resv_name(booking->request->id, part, ask->n_jobs, name,
			   sizeof(name));
	deed_draw(&deed, ask, booking, part);
	spec.nodes = nodes;
	rc = make(ask, booking, part, &spec, &deed, err);
	if (!rc)
		rspb_report_booked(booking, ask->user, nodes);
	free(deed.nodes);
	free(nodes);
	return rc;
}

/* A reservation that is there becomes what a booking says. */
static int place(const struct rspb_ask *ask, const struct rspb_booking *booking,
		 uint32_t part, const struct rspb_resv *resv,
		 struct rspb_err *err)
{
	const struct rspb_nodeset *nodes = booking->grants[part].nodes;
	struct rspb_nodeset *has = rspb_nodeset_create(nodes->width);
	bool active = booking->state == RSPB_ACTIVE;
	struct rspb_resv_spec spec = {
		.name = resv->name,
		.user = ask->user,
		.accounts = resv->accounts ? account_of(ask->jobs[part]) : NULL,
		.start = active ? resv->start : booking->start,
		.end = booking->end,
	};
	char *names = NULL;
	int rc;

	if (!has)
		return rspb_fail(err, "out of memory");
	rspb_resv_nodes(resv, has);
	if (!rspb_nodeset_equal(has, nodes))
		names = rspb_node_names(nodes);
	rspb_nodeset_destroy(has);
	spec.nodes = names;
	rc = rspb_resv_place(&spec, err);
	free(names);
	return rc;
}

int rspb_commit_again(const struct rspb_ask *ask,
		      const struct rspb_booking *booking, uint32_t part,
		      const struct rspb_config *config, struct rspb_err *err)
{
	char name[RSPB_RESV_NAME];
	struct rspb_resv resv;
	struct deed deed;
	int rc;

	rspb_job_resv_name(booking->request->id, part, ask->n_jobs, name,
			   sizeof(name));
	if (!rspb_resv_find(name, 0, &resv)) {
		if (booking->state != RSPB_ACTIVE)
			return rspb_commit_part(ask, booking, part, config,
						err);
		return rspb_fail(err, "its reservation is gone");
	}
	if (place(ask, booking, part, &resv, err))
		return -1;
	if (booking->state == RSPB_ACTIVE)
		return 0;
	deed_draw(&deed, ask, booking, part);
	rc = tie(ask->jobs[part], name, booking, part, &deed, err);
	free(deed.nodes);
	if (!rc)
		rspb_resv_set_tag(name, deed.text);
	return rc;
}

/* Back into the waiting room, as if nothing had been granted: all parts are booked
 * or none is. */
static void undo(const struct rspb_ask *ask, const struct rspb_booking *booking,
		 uint32_t parts)
{
	char name[RSPB_RESV_NAME];
	uint32_t i;

	for (i = 0; i < parts; i++) {
		struct rspb_contract granted;
		struct rspb_job_size asked;
		struct rspb_job job;

		rspb_job_attach(ask->jobs[i], RSPB_WAITING_ROOM, 0, NULL);
		rspb_job_resv_name(booking->request->id, i, ask->n_jobs, name,
				   sizeof(name));
		rspb_resv_delete(name, NULL);
		if (!rspb_contract_read(ask->jobs[i], &job, &granted))
			continue;
		asked = size_of(&granted);
		if (asked.nodes_max)
			rspb_job_unshape(ask->jobs[i], &asked, NULL);
		rspb_contract_write(ask->jobs[i], &ask->contracts[i], NULL);
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
