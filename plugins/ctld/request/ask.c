/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests that wait for a decision, with what they carry. The source of a request (struct
 * rspb_source) makes it. An ask is kept over several lock sections, so it has ids of jobs and no
 * pointers into Slurm's records. */
#include "plugins/ctld/request/ask.h"

#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/book/book.h"

void rspb_ask_fini(struct rspb_ask *ask)
{
	rspb_request_destroy(ask->request);
	free(ask->jobs);
	free(ask->contracts);
	free(ask->source);
	*ask = (struct rspb_ask){ 0 };
}

void rspb_asks_fini(struct rspb_asks *asks)
{
	size_t i;

	for (i = 0; i < asks->n; i++)
		rspb_ask_fini(&asks->items[i]);
	free(asks->items);
	*asks = (struct rspb_asks){ 0 };
}

struct rspb_ask *rspb_asks_add(struct rspb_asks *asks)
{
	if (rspb_array_grow(&asks->items, &asks->room, asks->n + 1, sizeof(*asks->items)))
		return NULL;
	asks->items[asks->n] = (struct rspb_ask){ 0 };
	return &asks->items[asks->n];
}

bool rspb_ask_involve(struct rspb_ask *ask, const struct rspb_request *request)
{
	uint32_t n = request->n_parts, i;
	struct rspb_job job;

	/* A reservation has no jobs, so the request is all that there is. */
	ask->request = rspb_request_clone(request);
	if (!ask->request || rspb_reserved_is(request->id))
		return ask->request;
	ask->n_jobs = n;
	ask->jobs = calloc(n, sizeof(*ask->jobs));
	ask->contracts = calloc(n, sizeof(*ask->contracts));
	/* A heterogeneous job may have lost a component meanwhile. The ask is incomplete then, and
	 * rspb_ask_fini() frees what it has. */
	if (!ask->jobs || !ask->contracts || !rspb_job_find((uint32_t) request->id, &job) ||
	    rspb_job_components(&job, ask->jobs, n) != n)
		return false;
	for (i = 0; i < n; i++)
		if (!rspb_job_find(ask->jobs[i], &job) || !job.contract ||
		    rspb_contract_parse(job.contract, &ask->contracts[i], NULL))
			return false;
	return true;
}

void rspb_ask_user(struct rspb_ask *ask)
{
	rspb_users_name(ask->request->user, ask->user);
}

void rspb_ask_audit(const struct rspb_ask *ask, bool done, const char *text)
{
	struct rspb_job job;

	/* Reservations have an audit line of their own kind. A job that is gone by now has nobody
	 * to be named. */
	if (ask->n_jobs && rspb_job_find(ask->jobs[0], &job))
		rspb_audit_log(&(struct rspb_audit){
			.action = "book",
			.uid = job.uid,
			.from = job.host,
			.job = job.id,
			.done = done,
			.text = text,
		});
}
