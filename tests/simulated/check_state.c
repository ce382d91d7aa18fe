/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's records of bookings agree with the promises, as soon as nothing is due. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/wire/flags.h"
#include "plugins/ctld/book/book.h"
#include "tests/simulated/world.h"

enum {
	BACK_S = 20,   /* so long may be there what an operator has deleted */
	SETTLE_S = 60, /* by then record, job and reservation agree */
	OVERRUN_S = 90 /* so long may a job run beyond what it is granted */
};

/* RET the nodes of all components of a booking, in a set that has been made for it. */
static const struct rspb_nodeset *covered(const struct rspb_booking *b, struct rspb_nodeset *set)
{
	if (b->n_grants == 1)
		return b->grants[0].nodes;
	rspb_nodeset_clear(set);
	rspb_booking_cover(b, set);
	return set;
}

/* Whether it has parts of nodes; of what those have, the promises are compared. */
static bool in_parts(const struct rspb_booking *b)
{
	return b->n_grants && b->grants[0].share;
}

/* What a reservation of ours has of a node. */
static struct sim_take reserved_of(const struct sim_resv *resv, uint32_t node)
{
	uint64_t id;
	uint32_t part;
	const struct sim_job *job = rspb_resv_of_job(resv->name, &id, &part)
					    ? sim_job_find((uint32_t) id)
					    : NULL;

	if (resv->cores[node])
		return (struct sim_take){ .cores = resv->cores[node] };
	if (!job || job->share)
		return (struct sim_take){ .share = job ? job->share : 0 };
	return sim_node_has(node);
}

/* Whether two of them cannot be beside each other on some node. */
static bool are_apart(const struct sim_resv *a, const struct sim_resv *b)
{
	for (uint64_t nodes = a->nodes & b->nodes; nodes; nodes &= nodes - 1) {
		uint32_t node = (uint32_t) __builtin_ctzll(nodes);
		struct sim_take sum = reserved_of(a, node), other = reserved_of(b, node);
		struct sim_take has = sim_node_has(node);

		sim_take_add(&sum, &other);
		if (sim_take_exceeds(&sum, &has))
			return true;
	}
	return false;
}

/* No two bookings have a node at one time, in the book and in Slurm's reservations. */
static void check_book(void)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	static uint64_t seen;
	static struct rspb_nodeset *one, *two;

	if (!ledger || rspb_book_version() == seen)
		return;
	if (!one || one->width != rspb_ledger_nodes(ledger)) {
		rspb_nodeset_destroy(one);
		rspb_nodeset_destroy(two);
		one = rspb_nodeset_create(rspb_ledger_nodes(ledger));
		two = rspb_nodeset_create(rspb_ledger_nodes(ledger));
	}
	seen = rspb_book_version();
	for (size_t a = 0; a < rspb_ledger_count(ledger); a++) {
		const struct rspb_booking *x = rspb_ledger_at(ledger, a);

		if (rspb_state_final(x->state))
			continue;
		for (size_t b = a + 1; b < rspb_ledger_count(ledger); b++) {
			const struct rspb_booking *y = rspb_ledger_at(ledger, b);

			if (y->start >= x->end)
				break;
			if (!rspb_state_final(y->state) && !(in_parts(x) && in_parts(y)) &&
			    !rspb_nodeset_disjoint(covered(x, one), covered(y, two)))
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

	if (sim_world->changed_resvs == seen || sim_recovering())
		return;
	seen = sim_world->changed_resvs;
	for (int a = 0; a < sim_world->resvs.top; a++) {
		if (!list[a].used || !list[a].nodes || !rspb_resv_ours(list[a].name))
			continue;
		for (int b = a + 1; b < sim_world->resvs.top; b++)
			if (list[b].used && list[b].nodes & list[a].nodes &&
			    rspb_resv_ours(list[b].name) && are_apart(&list[a], &list[b]) &&
			    list[b].start < list[a].end && list[a].start < list[b].end &&
			    list[a].end > sim_now() && list[b].end > sim_now())
				sim_fault("reservations %s and %s have a node in common",
					  list[a].name, list[b].name);
	}
}

/* A reservation that an operator has deleted does not come back. */
static void check_deleted(void)
{
	for (int i = 0; i < SIM_GONE; i++) {
		struct sim_gone *gone = &sim_world->gone[i];
		const struct sim_resv *resv;

		if (!gone->name[0] || sim_recovering() || sim_world->us < gone->us + BACK_S * SIM_S)
			continue;
		resv = sim_resv_find(gone->name);
		if (resv && resv->nodes == gone->nodes && resv->start == gone->start) {
			sim_fault("reservation %s, deleted by an operator, is back", gone->name);
			gone->name[0] = '\0';
		}
	}
}

/* Nor does one without a job that its owner has released. */
static void check_released(void)
{
	for (int i = 0; i < SIM_GROUPS && !sim_recovering(); i++) {
		struct sim_group *group = &sim_world->groups[i];
		const struct sim_resv *resv = group->released ? sim_resv_find(group->name) : NULL;

		if (!resv || resv->id != group->number)
			continue;
		sim_fault("reservation %s, released by its owner, is back", group->name);
		group->released = false;
	}
}

static bool has_other_cores(const struct sim_resv *resv, const struct sim_promise *promise)
{
	for (uint64_t nodes = resv->nodes; nodes; nodes &= nodes - 1)
		if (resv->cores[__builtin_ctzll(nodes)] != promise->takes.cores)
			return true;
	return false;
}

/* The reservation of a booking is there in time, not before, and as it was promised. */
static void check_mirror(struct sim_promise *promise, const struct sim_job *job)
{
	int64_t ahead = sim_run.settings.reserve_ahead;
	int64_t now = sim_now();
	char name[RSPB_RESV_NAME];
	const struct sim_resv *resv;

	rspb_resv_name(job->leader, job->component,
		       sim_job_find(job->leader) ? sim_job_find(job->leader)->n_parts : 1, name,
		       sizeof(name));
	resv = sim_resv_find(name);
	if (!resv && (!ahead || promise->start < now + ahead - SETTLE_S) && promise->end > now)
		sim_fault("job %u, booked for %" PRId64 ", has no reservation", job->id,
			  promise->start);
	/* Parts that MaxCPUsPerNode counts are reserved from the decision on. */
	else if (resv && ahead && promise->start > now + ahead + 3600 && !promise->moved &&
		 !(promise->takes.cores && sim_job_capped(job, 0)))
		sim_fault("job %u has its reservation %" PRId64 " s ahead", job->id,
			  promise->start - now);
	else if (resv && (resv->start != promise->start || resv->end != promise->end))
		sim_fault("reservation %s is for %" PRId64 " to %" PRId64
			  ", and its job was promised %" PRId64 " to %" PRId64,
			  name, resv->start, resv->end, promise->start, promise->end);
	else if (resv && promise->on && resv->nodes != promise->on)
		sim_fault("reservation %s has nodes %016llx, and its job was promised %016llx",
			  name, (unsigned long long) resv->nodes, (unsigned long long) promise->on);
	else if (resv && resv->nodes && has_other_cores(resv, promise))
		sim_fault("reservation %s has other cores than the %u that its job was promised",
			  name, promise->takes.cores);
	else if (resv && strcmp(job->resv, name) != 0)
		sim_fault("job %u is in %s, and %s is there", job->id,
			  job->resv[0] ? job->resv : "no reservation", name);
	else
		return;
	promise->stray = true;
}

/* The reservation of a job that runs has its nodes until the promised end: Slurm ends jobs with
 * their reservations. */
static void check_running(struct sim_promise *promise, const struct sim_job *job)
{
	const struct sim_job *leader = sim_job_find(job->leader);
	char name[RSPB_RESV_NAME];
	const struct sim_resv *resv;

	rspb_resv_name(job->leader, job->component, leader ? leader->n_parts : 1, name,
		       sizeof(name));
	resv = sim_resv_find(name);
	if (!resv || (resv->end >= promise->end && !(job->nodes & ~resv->nodes)))
		return;
	promise->stray = true;
	sim_fault("reservation %s has nodes %016llx until %" PRId64
		  ", and its job runs on %016llx and was promised %" PRId64,
		  name, (unsigned long long) resv->nodes, resv->end,
		  (unsigned long long) job->nodes, promise->end);
}

/* The job of a booking has the time limit that was booked, and asks for as many nodes. */
static void check_limit(struct sim_promise *promise, const struct sim_job *job)
{
	/* What is left of the time slot of a requeued job may be less. */
	if (job->starts || job->limit == promise->end - promise->start)
		return;
	promise->stray = true;
	sim_fault("job %u has a time limit of %" PRId64 " s, and was promised %" PRId64, job->id,
		  job->limit, promise->end - promise->start);
}

static void check_record(struct sim_promise *promise)
{
	const struct sim_job *job = sim_job_find(promise->id);
	int64_t now = sim_now();

	if (job && job->phase == RSPB_JOB_RUNNING && promise->begun && !promise->over &&
	    !promise->stray && promise->end > now)
		check_running(promise, job);
	if (!job || promise->stray || !promise->booked || promise->over || promise->begun ||
	    promise->lost_since || promise->asked || job->phase != RSPB_JOB_PENDING || job->held ||
	    promise->settle_at > now)
		return;
	check_limit(promise, job);
	check_mirror(promise, job);
}

/* A booking's job does not stay on its nodes, nor its reservation behind its job. */
static void check_leftovers(void)
{
	for (int i = 0; i < sim_world->resvs.top; i++) {
		const struct sim_resv *resv = &sim_world->resvs.slot[i];
		const struct sim_job *job;
		uint64_t id;
		uint32_t part;

		if (!resv->used || !rspb_resv_of_job(resv->name, &id, &part))
			continue;
		job = sim_job_find((uint32_t) id);
		if (job && job->phase == RSPB_JOB_DONE && sim_run.settings.release_early &&
		    sim_now() > job->over_at + SETTLE_S && sim_now() < job->over_at + SETTLE_S + 3)
			sim_fault("reservation %s stays, and its job has been over for %d s",
				  resv->name, SETTLE_S);
		if (sim_now() > resv->end + SETTLE_S && sim_now() < resv->end + SETTLE_S + 3)
			sim_fault("reservation %s stays, and has ended %d s ago", resv->name,
				  SETTLE_S);
	}
	for (uint32_t i = 0; i < sim_world->placed.n; i++) {
		const struct sim_job *job = sim_job_find(sim_world->placed.id[i]);
		int64_t over = sim_now() - job->end;

		if (job->booking && job->phase == RSPB_JOB_RUNNING && over > OVERRUN_S &&
		    over < OVERRUN_S + 3)
			sim_fault("job %u runs %d s beyond its booking", job->id, OVERRUN_S);
	}
}

void sim_check_state(void)
{
	check_book();
	if (sim_recovering())
		return;
	check_reservations();
	check_deleted();
	check_released();
	check_leftovers();
	for (uint32_t i = 0; i < sim_world->n_live; i++)
		check_record(&sim_world->promises[sim_world->live[i] % SIM_JOBS]);
}
