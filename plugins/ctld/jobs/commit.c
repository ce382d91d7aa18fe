/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/commit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/conf/limits.h"
#include "plugins/compat/colocate.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/jobs/refuse.h"
#include "plugins/ctld/operators/operator.h"
#include "plugins/ctld/post/journal.h"

void rspb_commit_name(uint64_t id, uint32_t part, uint32_t n_parts, char *buf,
		      size_t size)
{
	if (n_parts > 1)
		snprintf(buf, size, RSPB_BOOKING_PREFIX "%" PRIu64 "_%u", id,
			 part);
	else
		snprintf(buf, size, RSPB_BOOKING_PREFIX "%" PRIu64, id);
}

void rspb_commit_release(uint64_t id, uint32_t n_parts)
{
	char name[RSPB_RESV_NAME];
	struct rspb_err err;
	uint32_t i;

	for (i = 0; i < n_parts; i++) {
		rspb_commit_name(id, i, n_parts, name, sizeof(name));
		if (rspb_resv_delete(name, &err))
			rspb_log_verbose("%s", err.text);
	}
}

/* Whether the jobs still wait as they did when they were asked about. */
static bool still_waits(const struct rspb_ask *ask)
{
	struct rspb_job job;
	uint32_t i;

	if (ask->door)
		return rspb_door_waits(ask);
	for (i = 0; i < ask->n_jobs; i++)
		if (!rspb_job_find(ask->jobs[i], &job) ||
		    job.phase != RSPB_JOB_PENDING || job.completing)
			return false;
	return rspb_job_find(ask->jobs[0], &job) && rspb_intake_waits(&job);
}

bool rspb_commit_still_free(const struct rspb_booking *booking,
			    const struct rspb_occupancy *since)
{
	uint32_t i;

	for (i = 0; i < booking->n_grants; i++) {
		const struct rspb_block *block = rspb_occupancy_hit(
			since, booking->start, booking->end,
			booking->grants[i].nodes, booking->grants[i].share);

		if (!block)
			continue;
		rspb_log_verbose("job %" PRIu64 ": its nodes were taken while "
				 "it was planned (job %u); trying again",
				 booking->request->id, block->job);
		return false;
	}
	return true;
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
	rspb_commit_name(booking->request->id, part, ask->n_jobs, name,
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
			rc = rspb_job_set_contract(ask->jobs[part], text, err);
		if (rc)
			rspb_resv_delete(name, NULL);
	}
	if (!rc)
		rspb_report_booked(booking, ask->user, nodes);
	free(nodes);
	return rc;
}

static void undo(const struct rspb_ask *ask, const struct rspb_booking *booking,
		 uint32_t parts, int64_t now, const char *reason)
{
	char name[RSPB_RESV_NAME];
	uint32_t i;

	for (i = 0; i < parts; i++) {
		rspb_job_attach(ask->jobs[i], RSPB_WAITING_ROOM, 0, NULL);
		rspb_commit_name(booking->request->id, i, ask->n_jobs, name,
				 sizeof(name));
		rspb_resv_delete(name, NULL);
	}
	rspb_book_event(booking->request->id, RSPB_EV_CANCEL, now, reason,
			NULL);
}

static void refuse(const struct rspb_ask *ask, const char *reason,
		   const struct rspb_config *config)
{
	if (ask->door)
		rspb_door_refuse(ask, reason);
	else
		rspb_refuse_jobs(ask->jobs, ask->n_jobs, RSPB_DECLINED, reason,
				 config->on_decline);
}

/* RET whether it is decided for good. */
static bool accept(const struct rspb_ask *ask,
		   const struct rspb_booking *booking,
		   const struct rspb_config *config,
		   const struct rspb_occupancy *since)
{
	struct rspb_record record = {
		.kind = RSPB_REC_BOOK,
		.time = since->now,
		.id = booking->request->id,
		.booking = booking,
	};
	struct rspb_err err;
	uint32_t i;

	if (!rspb_commit_still_free(booking, since))
		return false;
	if (rspb_limits_grant(rspb_book_ledger(), booking, config, &err)) {
		rspb_journal_refuse(booking->request->id, err.text);
		refuse(ask, err.text, config);
		return true;
	}
	if (rspb_book_apply(&record, &err)) {
		rspb_log_error("job %" PRIu64 ": %s", booking->request->id,
			       err.text);
		return false;
	}
	for (i = 0; i < booking->n_grants; i++) {
		if (ask->door
			    ? !rspb_door_commit(ask, booking, &err)
			    : !rspb_commit_part(ask, booking, i, config, &err))
			continue;
		undo(ask, booking, i, since->now, err.text);
		refuse(ask, err.text, config);
		return true;
	}
	return true;
}

static bool decide(const struct rspb_ask *ask,
		   const struct rspb_booking *decision,
		   const struct rspb_config *config,
		   const struct rspb_occupancy *since)
{
	if (!still_waits(ask))
		return true;
	if (!decision) {
		rspb_journal_refuse(ask->request->id, ask->refusal.text);
		refuse(ask, ask->refusal.text, config);
		return true;
	}
	if (decision->state != RSPB_BOOKED) {
		refuse(ask, decision->reason, config);
		return true;
	}
	return accept(ask, decision, config, since);
}

size_t rspb_commit_batch(const struct rspb_asks *asks,
			 struct rspb_booking *const *decisions,
			 const struct rspb_config *config, uint64_t table,
			 int64_t planned_at)
{
	uint32_t width = rspb_ledger_nodes(rspb_book_ledger());
	struct rspb_occupancy since;
	struct rspb_section section;
	size_t i = 0, done = 0;

	while (i < asks->n) {
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "commit"))
			return done;
		rspb_occupancy_init(&since, width, planned_at,
				    planned_at + config->horizon + 1);
		if (rspb_node_fingerprint() != table ||
		    rspb_occupancy_collect(&since, planned_at, NULL)) {
			rspb_occupancy_fini(&since);
			rspb_section_leave(&section);
			return done;
		}
		do {
			done += decide(&asks->items[i], decisions[i], config,
				       &since);
			i++;
			section.items++;
		} while (i < asks->n && !rspb_section_spent(&section));
		rspb_section_leave(&section);
		rspb_occupancy_fini(&since);
	}
	return done;
}
