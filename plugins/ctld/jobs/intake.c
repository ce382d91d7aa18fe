/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/intake.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/job.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/operators/operator.h"
#include "plugins/ctld/requests/limits.h"
#include "plugins/ctld/requests/part.h"

static void ask_fini(struct rspb_ask *ask)
{
	rspb_request_destroy(ask->request);
	free(ask->jobs);
	free(ask->contracts);
	free(ask->door);
}

void rspb_asks_fini(struct rspb_asks *asks)
{
	size_t i;

	for (i = 0; i < asks->n; i++)
		ask_fini(&asks->items[i]);
	free(asks->items);
	*asks = (struct rspb_asks){ 0 };
}

bool rspb_intake_waits(const struct rspb_job *job)
{
	struct rspb_contract contract;

	return job->phase == RSPB_JOB_PENDING && !job->completing &&
	       job->priority && !job->dependent && job->reservation &&
	       !strcmp(job->reservation, RSPB_WAITING_ROOM) && job->contract &&
	       !rspb_contract_parse(job->contract, &contract, NULL) &&
	       contract.state == RSPB_REQUESTED;
}

struct scan {
	uint32_t *ids;
	size_t n, room;
	int64_t earliest;
	bool short_of_memory;
};

static int scan_job(const struct rspb_job *job, void *arg)
{
	struct scan *scan = arg;

	/* Components come one after the other. */
	if (!rspb_intake_waits(job) ||
	    (scan->n && scan->ids[scan->n - 1] == job->leader))
		return 0;
	if (scan->n == scan->room) {
		size_t room = scan->room ? 2 * scan->room : 64;
		void *more = realloc(scan->ids, room * sizeof(*scan->ids));

		if (!more) {
			scan->short_of_memory = true;
			return 1;
		}
		scan->ids = more;
		scan->room = room;
	}
	scan->ids[scan->n++] = job->leader;
	if (job->begin < scan->earliest)
		scan->earliest = job->begin;
	return 0;
}

int64_t rspb_intake_scan(uint32_t **ids, int64_t *earliest)
{
	struct scan scan = { .earliest = INT64_MAX };
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "scan"))
		return -1;
	rspb_job_each(scan_job, &scan);
	section.items = scan.n;
	rspb_section_leave(&section);
	if (scan.short_of_memory) {
		free(scan.ids);
		return -1;
	}
	*ids = scan.ids;
	*earliest = scan.earliest;
	return scan.n;
}

int64_t rspb_intake_priority(const struct rspb_config *config,
			     const struct rspb_job *leader)
{
	return config->priority_source == RSPB_PRIORITY_QOS
		       ? leader->qos_priority
		       : leader->priority;
}

void rspb_intake_window(struct rspb_request *request,
			const struct rspb_job *job, bool asap,
			const struct rspb_config *config, int64_t now)
{
	if (job->begin > request->ready)
		request->ready = job->begin;
	if (job->limit > request->duration)
		request->duration = job->limit;
	if (job->deadline &&
	    (!request->deadline || job->deadline < request->deadline))
		request->deadline = job->deadline;
	if (asap)
		request->asap = true;
	/* The running second has begun: a start in it would already be late. */
	if (request->ready <= now)
		request->ready = now + 1;
	if (request->ready < job->submitted + config->min_notice &&
	    (request->asap || request->deadline))
		request->ready = job->submitted + config->min_notice;
}

void rspb_intake_window_close(struct rspb_request *request,
			      const struct rspb_config *config, int64_t now)
{
	int64_t horizon = now + config->horizon;

	if (!request->deadline)
		request->deadline = request->asap ? horizon
						  : request->ready +
							    request->duration;
	else if (request->deadline > horizon &&
		 request->ready + request->duration <= horizon)
		request->deadline = horizon;
}

/* A component without flags of its own is part of the co-reservation all the
 * same: whole nodes, all or nothing. */
static void contract_of(const struct rspb_job *job,
			struct rspb_contract *contract)
{
	if (job->contract &&
	    !rspb_contract_parse(job->contract, contract, NULL))
		return;
	*contract = (struct rspb_contract){ .state = RSPB_REQUESTED };
	contract->flags.book = true;
}

static int ask_alloc(struct rspb_ask *ask, const struct rspb_job *leader,
		     struct rspb_err *err)
{
	uint32_t n = rspb_job_components(leader, NULL, 0);

	if (n > RSPB_MAX_PARTS)
		return rspb_fail(err,
				 "job %u has %u components, at most %d "
				 "can be booked together",
				 leader->id, n, RSPB_MAX_PARTS);
	ask->n_jobs = n;
	ask->request = rspb_request_create(n);
	ask->jobs = calloc(n, sizeof(*ask->jobs));
	ask->contracts = calloc(n, sizeof(*ask->contracts));
	if (!ask->request || !ask->jobs || !ask->contracts)
		return rspb_fail(err, "out of memory");
	rspb_job_components(leader, ask->jobs, n);
	return 0;
}

/* RET 0, 1: not now (a component is still missing), -1 with err. */
static int ask_fill(struct rspb_ask *ask, const struct rspb_job *leader,
		    uint32_t width, const struct rspb_config *config,
		    int64_t now, struct rspb_err *err)
{
	struct rspb_request *request;
	uint32_t i;

	if (ask_alloc(ask, leader, err))
		return -1;
	request = ask->request;
	request->id = leader->id;
	request->user = leader->uid;
	request->arrival = leader->submitted;
	request->priority = rspb_intake_priority(config, leader);
	snprintf(ask->account, sizeof(ask->account), "%s",
		 leader->account ? leader->account : "");
	snprintf(ask->qos, sizeof(ask->qos), "%s",
		 leader->qos ? leader->qos : "");
	for (i = 0; i < ask->n_jobs; i++) {
		struct rspb_job job;

		if (!rspb_job_find(ask->jobs[i], &job) ||
		    job.phase != RSPB_JOB_PENDING)
			return 1;
		contract_of(&job, &ask->contracts[i]);
		rspb_intake_window(request, &job, ask->contracts[i].flags.asap,
				   config, now);
		if (ask->refusal.text[0])
			continue;
		rspb_part_fill(&job, &ask->contracts[i].flags, width,
			       &request->parts[i], &ask->refusal);
		/* So that the contract says what a range is worth, too. */
		ask->contracts[i].flags.has_benefit =
			request->parts[i].has_benefit;
		ask->contracts[i].flags.benefit = request->parts[i].benefit;
	}
	rspb_intake_window_close(request, config, now);
	return 0;
}

struct rspb_ask *rspb_asks_add(struct rspb_asks *asks)
{
	if (asks->n == asks->room) {
		size_t room = asks->room ? 2 * asks->room : 64;
		void *more = realloc(asks->items, room * sizeof(*asks->items));

		if (!more)
			return NULL;
		asks->items = more;
		asks->room = room;
	}
	asks->items[asks->n] = (struct rspb_ask){ 0 };
	return &asks->items[asks->n];
}

static int collect_one(uint32_t id, uint32_t width,
		       const struct rspb_config *config, int64_t now,
		       struct rspb_asks *asks, struct rspb_err *err)
{
	struct rspb_ask *ask = rspb_asks_add(asks);
	struct rspb_job leader;
	int rc;

	if (!ask)
		return rspb_fail(err, "out of memory");
	if (!rspb_job_find(id, &leader) || !rspb_intake_waits(&leader))
		return 0;
	rc = ask_fill(ask, &leader, width, config, now, err);
	if (rc) {
		ask_fini(ask);
		return rc < 0 ? -1 : 0;
	}
	asks->n++;
	return 0;
}

void rspb_intake_user(struct rspb_ask *ask)
{
	char buf[4096];
	struct passwd pw, *found = NULL;

	if (!getpwuid_r(ask->request->user, &pw, buf, sizeof(buf), &found) &&
	    found && strlen(found->pw_name) < sizeof(ask->user))
		snprintf(ask->user, sizeof(ask->user), "%s", found->pw_name);
	else
		snprintf(ask->user, sizeof(ask->user), "%u",
			 ask->request->user);
}

int rspb_intake_collect(const uint32_t *ids, size_t n, uint32_t width,
			const struct rspb_config *config, int64_t now,
			struct rspb_asks *asks, struct rspb_err *err)
{
	struct rspb_section section;
	size_t i = 0;
	int rc = 0;

	while (i < n && !rc) {
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "collect"))
			return rspb_fail(err, "slurmctld is going down");
		do {
			rc = collect_one(ids[i++], width, config, now, asks,
					 err);
			section.items++;
		} while (i < n && !rc && !rspb_section_spent(&section));
		rspb_section_leave(&section);
	}
	if (!rc)
		rc = rspb_door_collect(width, config, now, asks, err);
	for (i = 0; i < asks->n && !rc; i++) {
		struct rspb_ask *ask = &asks->items[i];

		if (!ask->door)
			rspb_intake_user(ask);
		if (!ask->refusal.text[0])
			rspb_limits_check(ask, config, width, now,
					  &ask->refusal);
	}
	return rc;
}
