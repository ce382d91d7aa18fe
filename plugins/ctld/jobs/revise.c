/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/revise.h"

#include <inttypes.h>
#include <stdlib.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/jobs/commit.h"
#include "plugins/ctld/jobs/contract.h"
#include "plugins/ctld/jobs/job_resv.h"
#include "plugins/ctld/jobs/room.h"

bool rspb_revise_involve(struct rspb_ask *ask,
			 const struct rspb_request *request)
{
	uint32_t n = request->n_parts, i;
	struct rspb_job job;

	ask->request = rspb_request_clone(request);
	ask->n_jobs = n;
	ask->jobs = calloc(n, sizeof(*ask->jobs));
	ask->contracts = calloc(n, sizeof(*ask->contracts));
	if (!ask->request || !ask->jobs || !ask->contracts ||
	    !rspb_job_find(request->id, &job) ||
	    rspb_job_components(&job, ask->jobs, n) != n)
		return false;
	for (i = 0; i < n; i++)
		if (!rspb_contract_read(ask->jobs[i], &job, &ask->contracts[i]))
			return false;
	return true;
}

static void tell_one(const struct rspb_booking *booking, uint32_t part,
		     uint32_t id)
{
	char text[RSPB_CONTRACT_TEXT], name[RSPB_RESV_NAME];
	struct rspb_contract contract;
	struct rspb_job job;
	char *nodes;

	if (!rspb_contract_read(id, &job, &contract))
		return;
	if (contract.flags.share) {
		const struct rspb_part *asked = &booking->request->parts[part];

		contract.flags.share = asked->share;
		contract.flags.share_min = asked->share_min < asked->share
						   ? asked->share_min
						   : 0;
	}
	nodes = rspb_contract_grant(booking, part, &contract);
	rspb_contract_print(&contract, text, sizeof(text));
	rspb_contract_put(id, text, nodes, NULL);
	free(nodes);
	rspb_job_resv_name(booking->request->id, part,
			   booking->request->n_parts, name, sizeof(name));
	rspb_resv_set_tag(name, text);
}

static void to_waiting_room(const struct rspb_ask *ask)
{
	uint32_t i;

	for (i = 0; i < ask->n_jobs; i++)
		rspb_job_attach(ask->jobs[i], RSPB_WAITING_ROOM, 0, NULL);
	rspb_job_resv_release(ask->request->id, ask->n_jobs);
}

/* It waits for a decision again. */
static void lose(const struct rspb_ask *ask, const char *why)
{
	rspb_log_info("booking %" PRIu64 " is given up: %s", ask->request->id,
		      why);
	to_waiting_room(ask);
	rspb_room_send_back(ask->jobs[0], why);
	rspb_wake_up(RSPB_WAKE_SUBMIT);
}

/* New reservations in place of the old ones. */
static void remake(const struct rspb_followed *to)
{
	const struct rspb_ask *ask = to->ask;
	struct rspb_err err;
	uint32_t i;

	to_waiting_room(ask);
	for (i = 0; i < ask->n_jobs; i++) {
		if (!rspb_commit_part(ask, to->booking, i, to->config, &err))
			continue;
		rspb_log_error("booking %" PRIu64 ": %s", ask->request->id,
			       err.text);
		rspb_book_event(ask->request->id, RSPB_EV_CANCEL, to->now,
				err.text, NULL);
		lose(ask, err.text);
		return;
	}
}

void rspb_revise_tell(const struct rspb_booking *booking, const uint32_t *ids,
		      uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		tell_one(booking, i, ids[i]);
}

void rspb_revise_follow(const struct rspb_followed *followed)
{
	const struct rspb_ask *ask = followed->ask;

	if (!followed->booking)
		lose(ask, followed->why);
	else if (followed->elsewhere)
		remake(followed);
	else
		rspb_revise_tell(followed->booking, ask->jobs, ask->n_jobs);
}
