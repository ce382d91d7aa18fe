/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the kind of jobs with a share, and what differs from other jobs. The planner
 * decides the grants. */

#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/kinds/job.h"
#include "plugins/ctld/kinds/message.h"
#include "plugins/ctld/kinds/start.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/mirror.h"
#include "plugins/ctld/observe/outcome.h"
#include "plugins/ctld/observe/refuse.h"

static bool owns(const struct rspb_request *request)
{
	return rspb_jobs_own(request) && rspb_request_has_shares(request) &&
	       !rspb_request_has_cores(request);
}

/* Start the jobs, then tell their nodes. The start changes the ledger, so the booking is
 * looked up again for the message. */
static int start(const struct rspb_booking *b, int64_t now, struct rspb_err *err)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	uint64_t id = b->request->id;

	if (rspb_start_jobs(b, now, err))
		return -1;
	b = rspb_ledger_find(rspb_book_ledger(), id);
	if (b)
		rspb_message_send(b, ids, n, rspb_settings_get());
	return 0;
}

/* Nodes of a running booking are told first: the book has the new share already. */
static int mirror(const struct rspb_ask *ask, const struct rspb_booking *b, bool moved,
		  const struct rspb_config *config, int64_t now, struct rspb_err *err)
{
	if (b->state == RSPB_ACTIVE)
		rspb_message_send(b, ask->jobs, ask->n_jobs, config);
	return rspb_mirror_jobs(ask, b, moved, config, now, err);
}

const struct rspb_kind rspb_kind_shares = {
	.owns = owns,
	.has_jobs = true,
	.waits = rspb_outcome_waits,
	.promise = rspb_mirror_promise,
	.commit = rspb_outcome_parts,
	.refuse = rspb_refuse_ask,
	.ready = rspb_start_ready,
	.start = start,
	.suits = rspb_mirror_suits,
	.mirror = mirror,
	.lose = rspb_outcome_lose,
	.tell = rspb_jobs_tell,
};
