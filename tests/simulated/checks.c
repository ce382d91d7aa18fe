/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must hold: no node is promised twice, no acknowledged booking is lost or changed
 * without notice, each begins at its second or its owner is told why, and no regular job
 * within its limit is ended. A booking is acknowledged as soon as its contract is in
 * Slurm's record of the job.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/flags.h"
#include "plugins/ctld/book/book.h"
#include "tests/simulated/world.h"

enum {
	LATE_S = 3,	 /* by then a start is late unless something was told */
	RECOVER_S = 40,	 /* after a start of slurmctld */
	CLEARING_S = 60, /* an owner need not be told sooner that nodes are being cleaned up */
	BACK_S = 20	 /* so long may be deleted what an operator has deleted */
};

static struct sim_promise *promise_of(uint32_t id)
{
	struct sim_promise *promise = &sim_world->promises[id % SIM_JOBS];

	return promise->id == id ? promise : NULL;
}

static bool recovering(void)
{
	return sim_world->us < sim_world->began + RECOVER_S * SIM_S;
}

static bool booked_state(enum rspb_state state)
{
	return state == RSPB_BOOKED || state == RSPB_BOOKED_CHANGE;
}

static void check_terms(struct sim_promise *promise, const struct rspb_contract *c)
{
	if (!promise->booked) {
		sim_world->counts.booked++;
		promise->booked = true;
	} else if (promise->start != c->start || c->nodes_granted < promise->nodes) {
		sim_world->counts.moved++;
		if (!c->reason[0] && !promise->asked)
			sim_fault("job %u is changed without notice: start %" PRId64
				  " on %u nodes is %" PRId64 " on %u",
				  promise->id, promise->start, promise->nodes, c->start,
				  c->nodes_granted);
	}
	promise->asked = false;
	promise->start = c->start;
	promise->end = c->end;
	promise->nodes = c->nodes_granted;
	promise->lost_since = 0;
}

void sim_check_contract(const struct sim_job *job)
{
	static struct rspb_contract c;
	struct sim_promise *promise = &sim_world->promises[job->id % SIM_JOBS];

	if (!job->booking || rspb_contract_parse(job->contract, &c, NULL))
		return;
	promise->id = job->id;
	promise->mark = job->mark;
	promise->said |= c.reason[0] != '\0';
	if (promise->over)
		return;
	if (booked_state(c.state)) {
		check_terms(promise, &c);
	} else if (c.state == RSPB_REQUESTED) {
		if (promise->booked && !promise->lost_since)
			promise->lost_since = sim_world->us;
	} else if (c.state == RSPB_ACTIVE || c.state == RSPB_ACTIVE_CHANGE) {
		promise->begun = true;
	} else {
		if (promise->booked && !promise->begun && !c.reason[0])
			sim_fault("job %u, booked for %" PRId64 ", is %s without a reason", job->id,
				  promise->start, rspb_state_name(c.state));
		if (promise->booked && !promise->begun)
			sim_world->counts.withdrawn++;
		else if (!promise->booked)
			sim_world->counts.declined++;
		promise->over = true;
	}
}

/* Whether something is in the way on the nodes of its reservation, or was a moment ago. */
static bool is_blocked(const struct sim_job *job)
{
	const struct sim_resv *resv = sim_resv_find(job->resv);

	for (int n = 0; resv && n < SIM_NODES; n++)
		if (resv->nodes >> n & 1 && sim_world->in_use[n] > sim_world->us - SIM_S)
			return true;
	return false;
}

void sim_check_begins(const struct sim_job *job)
{
	struct sim_promise *promise = promise_of(job->id);
	int64_t now = sim_now();

	if (!promise || !promise->booked || promise->begun)
		return;
	promise->begun = true;
	if (now < promise->start)
		sim_fault("job %u begins %" PRId64 " s before its start", job->id,
			  promise->start - now);
	else if (now > promise->start && !promise->said && !promise->late && !recovering() &&
		 !(is_blocked(job) && now <= promise->start + CLEARING_S))
		sim_fault("job %u begins %" PRId64 " s late, and nothing was told", job->id,
			  now - promise->start);
}

/* The broker ends a job: only bookings, or what is over its limit. */
void sim_check_ended_early(const struct sim_job *job, const char *how)
{
	if (!job->booking && job->phase == RSPB_JOB_RUNNING && job->end > sim_now())
		sim_fault("regular job %u is %s %" PRId64 " s before its limit", job->id, how,
			  job->end - sim_now());
}

void sim_check_cancelled(uint32_t id)
{
	struct sim_promise *promise = promise_of(id);

	if (promise)
		promise->over = true;
}

void sim_check_asked(uint32_t id)
{
	struct sim_promise *promise = promise_of(id);

	if (promise)
		promise->asked = true;
}

/* The record of a job that was booked is gone. */
static void check_gone(struct sim_promise *promise)
{
	char name[32];

	if (recovering())
		return;
	promise->over = true;
	snprintf(name, sizeof(name), "kept_%u", promise->id);
	if (sim_resv_find(name))
		sim_world->counts.kept++;
	else if (promise->end > sim_now())
		sim_fault("job %u, booked for %" PRId64 ", is lost", promise->id, promise->start);
}

static void check_promise(struct sim_promise *promise)
{
	const struct sim_job *job = sim_job_find(promise->id);

	if (!job) {
		if (promise->booked && !promise->begun)
			check_gone(promise);
		return;
	}
	/* Slurm's record may be older than what was told until the broker has read it. */
	if (recovering())
		return;
	if (job->mark != promise->mark)
		sim_check_contract(job);
	if (promise->over || !promise->booked || promise->begun)
		return;
	if (promise->lost_since && sim_world->us > promise->lost_since + RECOVER_S * SIM_S) {
		promise->over = true;
		sim_fault("job %u, booked for %" PRId64 ", is only a request now", job->id,
			  promise->start);
		return;
	}
	if (sim_now() <= promise->start + LATE_S || job->phase != RSPB_JOB_PENDING ||
	    promise->late || recovering() ||
	    (is_blocked(job) && sim_now() <= promise->start + CLEARING_S))
		return;
	promise->late = true;
	if (!promise->said)
		sim_fault("job %u is late for %" PRId64
			  ", and its owner is not told why; it is in %s",
			  job->id, promise->start, job->resv[0] ? job->resv : "no reservation");
}

/* No two bookings have a node at one time, in the book and in Slurm's reservations. */
static void check_book(void)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	static uint64_t seen;

	if (!ledger || rspb_book_version() == seen)
		return;
	seen = rspb_book_version();
	for (size_t a = 0; a < rspb_ledger_count(ledger); a++) {
		const struct rspb_booking *x = rspb_ledger_at(ledger, a);

		if (rspb_state_final(x->state))
			continue;
		for (size_t b = a + 1; b < rspb_ledger_count(ledger); b++) {
			const struct rspb_booking *y = rspb_ledger_at(ledger, b);

			if (y->start >= x->end)
				break;
			if (!rspb_state_final(y->state) &&
			    !rspb_nodeset_disjoint(x->grants[0].nodes, y->grants[0].nodes))
				sim_fault("bookings %" PRIu64 " and %" PRIu64
					  " have a node in common at %" PRId64,
					  x->request->id, y->request->id, y->start);
		}
	}
}

static void check_reservations(void)
{
	static int64_t seen;
	const struct sim_resv *list = sim_world->resvs.slot;

	if (sim_world->changed_resvs == seen || recovering())
		return;
	seen = sim_world->changed_resvs;
	for (int a = 0; a < SIM_RESVS; a++) {
		if (!list[a].used || !list[a].nodes || !rspb_resv_ours(list[a].name))
			continue;
		for (int b = a + 1; b < SIM_RESVS; b++)
			if (list[b].used && list[b].nodes & list[a].nodes &&
			    rspb_resv_ours(list[b].name) && list[b].start < list[a].end &&
			    list[a].start < list[b].end && list[a].end > sim_now() &&
			    list[b].end > sim_now())
				sim_fault("reservations %s and %s have a node in common",
					  list[a].name, list[b].name);
	}
}

/* What an operator has deleted does not come back. */
static void check_deleted(void)
{
	for (int i = 0; i < SIM_GONE; i++) {
		struct sim_gone *gone = &sim_world->gone[i];
		const struct sim_resv *resv;

		if (!gone->name[0] || recovering() || sim_world->us < gone->us + BACK_S * SIM_S)
			continue;
		resv = sim_resv_find(gone->name);
		if (resv && resv->nodes == gone->nodes && resv->start == gone->start) {
			sim_fault("reservation %s, deleted by an operator, is back", gone->name);
			gone->name[0] = '\0';
		}
	}
}

void sim_check_all(void)
{
	for (int i = 0; i < SIM_JOBS; i++) {
		struct sim_promise *promise = &sim_world->promises[i];

		if (promise->id && !promise->over)
			check_promise(promise);
	}
	check_book();
	check_reservations();
	check_deleted();
}
