/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/move.h"

#include <inttypes.h>
#include <stdlib.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/batch.h"
#include "plugins/ctld/book.h"
#include "plugins/ctld/broker.h"
#include "plugins/ctld/commit.h"
#include "plugins/ctld/decide.h"
#include "plugins/ctld/recover.h"
#include "plugins/ctld/report.h"
#include "plugins/ctld/section.h"

/* Seconds before the start in which a booking is left where it is. */
enum { TOO_LATE_S = 2 };
/* Ids of jobs are 32 bits wide. */
#define OTHER_ID (UINT64_C(1) << 62)

static void ask_fini(struct rspb_ask *ask)
{
	rspb_request_destroy(ask->request);
	free(ask->jobs);
	free(ask->contracts);
}

/* What the ledger remembers of a request after a restart does not say which
 * nodes the job may use: look again. RET 0, -1: the job stays where it is. */
static int part_refresh(struct rspb_ask *ask, uint32_t part, uint32_t width)
{
	struct rspb_part *asked = &ask->request->parts[part];
	struct rspb_nodeset *named = rspb_nodeset_create(width);
	struct rspb_job job;
	int rc = -1;

	rspb_nodeset_destroy(asked->eligible);
	asked->eligible = rspb_nodeset_create(width);
	if (named && asked->eligible &&
	    rspb_job_find(ask->jobs[part], &job) &&
	    job.phase == RSPB_JOB_PENDING && job.contract &&
	    !rspb_job_required(&job, named) &&
	    !rspb_contract_parse(job.contract, &ask->contracts[part], NULL))
		rc = rspb_job_eligible(&job, asked->eligible, NULL);
	rspb_nodeset_destroy(named);
	return rc;
}

/* Wants the write lock. */
static int ask_fill(struct rspb_ask *ask, uint32_t width)
{
	struct rspb_job leader;
	uint32_t n = ask->request->n_parts, i;

	ask->n_jobs = n;
	ask->jobs = calloc(n, sizeof(*ask->jobs));
	ask->contracts = calloc(n, sizeof(*ask->contracts));
	if (!ask->jobs || !ask->contracts ||
	    !rspb_job_find(ask->request->id, &leader) ||
	    rspb_job_components(&leader, ask->jobs, n) != n)
		return -1;
	for (i = 0; i < n; i++)
		if (part_refresh(ask, i, width))
			return -1;
	return 0;
}

/* A job's size has been fitted to what it was granted; it can be fitted again
 * only to the same. */
static bool same_size(const struct rspb_booking *a,
		      const struct rspb_booking *b)
{
	uint32_t i;

	for (i = 0; i < a->n_grants && i < b->n_grants; i++)
		if (rspb_nodeset_count(a->grants[i].nodes) !=
		    rspb_nodeset_count(b->grants[i].nodes) ||
		    a->grants[i].share != b->grants[i].share)
			return false;
	return a->n_grants == b->n_grants;
}

static struct rspb_booking *plan(struct rspb_request *request,
				 const struct rspb_booking *old,
				 const struct rspb_config *config, int64_t now)
{
	const struct rspb_request *const one[] = { request };
	uint64_t id = request->id;
	struct rspb_ledger *basis = rspb_batch_basis(config, now);
	struct rspb_booking *new = NULL;
	struct rspb_err err = { "no snapshot of the cluster" };

	/* Its own id stays taken by what is taken back. */
	request->id |= OTHER_ID;
	if (basis && rspb_decide(basis, id, config, one, 1, now, &new, &err))
		new = NULL;
	request->id = id;
	rspb_ledger_destroy(basis);
	if (new)
		new->request->id = request->id;
	if (new && new->state == RSPB_BOOKED && same_size(new, old))
		return new;
	rspb_log_verbose("booking %" PRIu64 " cannot move: %s", request->id,
			 !new ? err.text : new->state == RSPB_BOOKED ?
			 "there is room for another size only" : new->reason);
	rspb_booking_destroy(new);
	return NULL;
}

/* The booked start first, then the window. */
static struct rspb_booking *find_place(struct rspb_request *request,
				       const struct rspb_booking *old,
				       const struct rspb_config *config,
				       int64_t now)
{
	int64_t ready = request->ready, deadline = request->deadline;
	struct rspb_booking *new;

	request->ready = old->start;
	request->deadline = old->start + request->duration;
	new = plan(request, old, config, now);
	if (new) {
		new->request->ready = ready;
		new->request->deadline = deadline;
		return new;
	}
	request->ready = ready > now ? ready : now + TOO_LATE_S;
	request->deadline = deadline;
	if (deadline - request->ready <= request->duration)
		return NULL;
	return plan(request, old, config, now);
}

/* Wants the write lock. */
static bool settle(const struct rspb_ask *ask, const struct rspb_booking *new,
		   const struct rspb_config *config,
		   const struct rspb_occupancy *since)
{
	struct rspb_record record = {
		.kind = RSPB_REC_CHANGE, .time = since->now,
		.id = ask->request->id, .booking = new,
	};
	struct rspb_err err;
	uint32_t i;

	if (!rspb_commit_still_free(new, since))
		return false;
	if (rspb_book_apply(&record, &err)) {
		rspb_log_info("booking %" PRIu64 " stays: %s",
			      ask->request->id, err.text);
		return false;
	}
	for (i = 0; i < ask->n_jobs; i++)
		rspb_job_attach(ask->jobs[i], RSPB_WAITING_ROOM, 0, NULL);
	rspb_commit_release(ask->request->id, ask->n_jobs);
	for (i = 0; i < ask->n_jobs; i++) {
		if (!rspb_commit_part(ask, new, i, config, &err))
			continue;
		rspb_log_error("booking %" PRIu64 ": %s", ask->request->id,
			       err.text);
		rspb_book_event(ask->request->id, RSPB_EV_CANCEL, since->now,
				err.text, NULL);
		for (i = 0; i < ask->n_jobs; i++)
			rspb_job_attach(ask->jobs[i], RSPB_WAITING_ROOM, 0,
					NULL);
		rspb_commit_release(ask->request->id, ask->n_jobs);
		rspb_recover_send_back(ask->jobs[0]);
		return false;
	}
	return true;
}

static bool move(struct rspb_ask *ask, const struct rspb_config *config,
		 uint32_t width, int64_t now)
{
	const struct rspb_booking *old =
		rspb_ledger_find(rspb_book_ledger(), ask->request->id);
	struct rspb_occupancy since;
	struct rspb_section section;
	struct rspb_booking *new;
	bool moved = false;

	new = find_place(ask->request, old, config, now);
	if (!new)
		return false;
	rspb_occupancy_init(&since, width, now, now + config->horizon + 1);
	if (rspb_section_enter(&section, RSPB_LOCK_WRITE, "move")) {
		moved = !rspb_occupancy_collect(&since, now, NULL) &&
			settle(ask, new, config, &since);
		rspb_section_leave(&section);
	}
	rspb_occupancy_fini(&since);
	rspb_booking_destroy(new);
	return moved;
}

bool rspb_move_away(uint64_t id, const struct rspb_config *config, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(),
							id);
	uint32_t width = rspb_ledger_nodes(rspb_book_ledger());
	struct rspb_ask ask = { 0 };
	struct rspb_section section;
	bool good = false;

	if (!b || b->state != RSPB_BOOKED || b->start < now + TOO_LATE_S)
		return false;
	ask.request = rspb_request_clone(b->request);
	if (ask.request &&
	    rspb_section_enter(&section, RSPB_LOCK_WRITE, "look")) {
		good = !ask_fill(&ask, width);
		rspb_section_leave(&section);
	}
	if (good) {
		rspb_intake_user(&ask);
		good = move(&ask, config, width, now);
	}
	ask_fini(&ask);
	return good;
}
