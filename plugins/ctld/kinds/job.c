/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of the kinds of jobs, with and without a share, and the calls by which their modules
 * follow time and changes. The logic is in those modules. */
#include "plugins/ctld/kinds/job.h"

#include "plugins/compat/job.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/kinds/message.h"
#include "plugins/ctld/kinds/orphan.h"
#include "plugins/ctld/kinds/start.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/mirror.h"
#include "plugins/ctld/observe/after.h"
#include "plugins/ctld/observe/finish.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/observe/intake.h"
#include "plugins/ctld/observe/outcome.h"
#include "plugins/ctld/observe/refuse.h"

static bool is_of_jobs(const struct rspb_request *request)
{
	return request->id <= UINT32_MAX;
}

/* A request with shares is of the kind of shares, unless a part of it asks for cores. */
static bool owns(const struct rspb_request *request)
{
	return is_of_jobs(request) &&
	       (!rspb_request_has_shares(request) || rspb_request_has_cores(request));
}

static bool waits(uint32_t id)
{
	struct rspb_job job;

	return rspb_job_find(id, &job) && rspb_contract_says(job.contract, RSPB_REQUESTED);
}

/* Write a text into the contracts of jobs that are booked or wait for a decision. A booking
 * that has started or ended in the meantime no longer needs it. */
static void tell_jobs(uint64_t id, const char *text)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(id, ids), i;
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	bool booked = b && b->state == RSPB_BOOKED;

	for (i = 0; i < n; i++)
		if (booked || waits(ids[i]))
			rspb_contract_state(ids[i], waits(ids[i]) ? RSPB_REQUESTED : RSPB_BOOKED,
					    text);
}

void rspb_jobs_flush(int64_t now)
{
	rspb_late_run(rspb_settings_get(), now);
	rspb_recheck_run(now);
	rspb_held_expire(now);
	rspb_dependents_run(now);
}

void rspb_jobs_look(const struct rspb_config *config, int64_t now)
{
	rspb_lifecycle_watch(config, now);
	rspb_orphan_look(now);
	rspb_dependents_expect();
}

const struct rspb_kind rspb_kind_job = {
	.owns = owns,
	.has_jobs = true,
	.ahead = true,
	.waits = rspb_outcome_waits,
	.promise = rspb_mirror_promise,
	.commit = rspb_outcome_parts,
	.refuse = rspb_refuse_ask,
	.ready = rspb_start_ready,
	.start = rspb_start_jobs,
	.suits = rspb_mirror_suits,
	.mirror = rspb_mirror_jobs,
	.lose = rspb_outcome_lose,
	.tell = tell_jobs,
};

/* The kind of jobs with a share differs from other jobs by what their nodes are told. */

static bool owns_shares(const struct rspb_request *request)
{
	return is_of_jobs(request) && rspb_request_has_shares(request) &&
	       !rspb_request_has_cores(request);
}

/* Start the jobs, then tell their nodes. The start changes the ledger, so the booking is
 * looked up again for the message. */
static int start_and_tell(const struct rspb_booking *b, int64_t now, struct rspb_err *err)
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
static int tell_and_mirror(const struct rspb_ask *ask, const struct rspb_booking *b, bool moved,
			   const struct rspb_config *config, int64_t now, struct rspb_err *err)
{
	if (b->state == RSPB_ACTIVE)
		rspb_message_send(b, ask->jobs, ask->n_jobs, config);
	return rspb_mirror_jobs(ask, b, moved, config, now, err);
}

const struct rspb_kind rspb_kind_shares = {
	.owns = owns_shares,
	.has_jobs = true,
	.waits = rspb_outcome_waits,
	.promise = rspb_mirror_promise,
	.commit = rspb_outcome_parts,
	.refuse = rspb_refuse_ask,
	.ready = rspb_start_ready,
	.start = start_and_tell,
	.suits = rspb_mirror_suits,
	.mirror = tell_and_mirror,
	.lose = rspb_outcome_lose,
	.tell = tell_jobs,
};

/* Collect the requests of jobs. Ends come first, because the nodes of an ended booking are
 * free for the request. */
static int collect(uint32_t width, const struct rspb_config *config, int64_t now,
		   struct rspb_asks *asks, struct rspb_err *err)
{
	rspb_jobs_look(config, now);
	return rspb_intake_collect(width, config, now, asks, err);
}

const struct rspb_source rspb_source_jobs = {
	.waiting = rspb_intake_waiting,
	.collect = collect,
};
