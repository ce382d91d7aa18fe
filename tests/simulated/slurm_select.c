/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for the stock select plugin and for what plugins/select sees of a question to it, so
 * that plugins/select answers for regular jobs. A set of nodes is one word. */
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/colocate_call.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/parts/cores_call.h"
#include "plugins/compat/select_call.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/broker.h"
#include "plugins/select/place.h"
#include "tests/simulated/world.h"

enum {
	CLEAN_UP_S = 30, /* Slurm allows beyond a time limit */
	WINDOW_S = 86400
};

/* Cores of each node that a job leaves to bookings which have not begun. */
struct spared {
	uint32_t cores[SIM_NODES];
};

static bool by_backfill;
/* Nodes that jobs which wait longer are to have before that. */
static sim_planned_fn planned;

static struct sim_job *job_of(const struct rspb_select_call *call)
{
	return (struct sim_job *) (void *) call->job;
}

static uint64_t *bits_of(const struct rspb_select_call *call)
{
	return (uint64_t *) (void *) call->nodes;
}

/* --- the stock plugin: the lowest nodes that are free, now or at the end of some job */

/* Nodes that somebody's reservation has while a job would run, but for those of bookings of
 * parts, which leave the rest. */
static uint64_t nodes_reserved(int64_t start, int64_t end, bool whole)
{
	uint64_t nodes = 0;

	for (int i = 0; i < sim_world->resvs.top; i++) {
		const struct sim_resv *resv = &sim_world->resvs.slot[i];

		if (!resv->used || resv->start >= end || resv->end <= start)
			continue;
		for (uint64_t left = resv->nodes; left; left &= left - 1)
			if (whole || !resv->cores[__builtin_ctzll(left)])
				nodes |= left & -left;
	}
	return nodes;
}

/* Whether it leaves to the bookings of its partition, as far as their reservations are there,
 * what MaxCPUsPerNode allows them. */
static bool leaves_cap(const struct sim_job *job, uint32_t node, int64_t start)
{
	uint32_t own = sim_job_capped(job, node), used, laid;

	if (!own)
		return true;
	used = sim_capped_on(job, node, start, start + job->limit, &laid);
	return !laid || laid + used + own <= sim_run.settings.small_cpus;
}

/* The use of each node now, and the nodes that have room for a job without others. */
static const struct used_now {
	struct sim_take used[SIM_NODES];
	uint64_t empty;
} * find_used_now(void)
{
	static struct used_now now;
	static uint64_t marks;
	static int64_t us;

	/* Between two changes of jobs within one pass it is the same. */
	if (marks == sim_world->marks && us == sim_world->us)
		return &now;
	marks = sim_world->marks;
	us = sim_world->us;
	sim_used(now.used);
	now.empty = 0;
	for (uint32_t n = 0; n < sim_run.nodes; n++) {
		struct sim_take has = sim_node_has(n), sum = has;

		sim_take_add(&sum, &now.used[n]);
		if (!sim_take_exceeds(&sum, &has))
			now.empty |= UINT64_C(1) << n;
	}
	return &now;
}

/* The use of each node at a time: now as it is, later by jobs whose limit is not over. */
static uint64_t find_used(int64_t start, struct sim_take used[SIM_NODES])
{
	uint64_t busy = 0;

	if (start <= sim_now()) {
		memcpy(used, find_used_now()->used, SIM_NODES * sizeof(*used));
		return 0;
	}
	memset(used, 0, SIM_NODES * sizeof(*used));
	for (uint32_t i = 0; i < sim_world->placed.n; i++) {
		const struct sim_job *job = sim_job_find(sim_world->placed.id[i]);

		if (job->phase == RSPB_JOB_RUNNING && (job->suspended || job->end > start))
			busy |= job->nodes;
	}
	return busy;
}

/* RET as many nodes of a set as the job wants, from a time on; 0: there are too few. */
static uint64_t pick(const struct rspb_select_call *call, uint64_t among, int64_t start)
{
	const struct spared *spared = (const struct spared *) (const void *) call->exclusion;
	const struct sim_job *job = job_of(call);
	struct sim_take used[SIM_NODES];
	int64_t end = start + job->limit;
	uint64_t nodes = 0;
	uint32_t n = 0;

	/* Most jobs that wait find too few empty nodes. */
	if (start <= sim_now() && sim_job_whole(job))
		among &= find_used_now()->empty;
	if ((uint32_t) __builtin_popcountll(among) < call->min_nodes)
		return 0;
	among &= ~(find_used(start, used) | nodes_reserved(start, end, sim_job_whole(job)) |
		   planned(end));
	for (; among && n < call->min_nodes; among &= among - 1) {
		uint32_t node = (uint32_t) __builtin_ctzll(among);

		used[node].cores += spared ? spared->cores[node] : 0;
		if ((start > sim_now() || sim_fits_there(job, node)) && sim_fits(used, job, node) &&
		    leaves_cap(job, node, start)) {
			nodes |= UINT64_C(1) << node;
			n++;
		}
	}
	return n == call->min_nodes ? nodes : 0;
}

/* RET the next end of a job after that time; INT64_MAX: none. */
static int64_t next_end(int64_t start)
{
	int64_t next = INT64_MAX;

	for (uint32_t i = 0; i < sim_world->placed.n; i++) {
		const struct sim_job *job = sim_job_find(sim_world->placed.id[i]);

		if (job->phase == RSPB_JOB_RUNNING && job->end > start && job->end < next)
			next = job->end;
	}
	return next;
}

int rspb_select_ask(const struct rspb_select_ops *stock, const struct rspb_select_call *call)
{
	int64_t start = sim_now();
	uint64_t nodes = pick(call, *bits_of(call), start);

	(void) stock;
	while (!nodes && !rspb_select_call_run_now(call)) {
		start = next_end(start);
		if (start == INT64_MAX)
			break;
		nodes = pick(call, *bits_of(call), start);
	}
	if (!nodes)
		return ESLURM_NODES_BUSY;
	*bits_of(call) = nodes;
	job_of(call)->planned = start;
	return SLURM_SUCCESS;
}

int rspb_select_ask_now(const struct rspb_select_ops *stock, const struct rspb_select_call *call,
			const struct rspb_nodeset *nodes)
{
	struct rspb_select_call now = *call;

	now.mode = SELECT_MODE_RUN_NOW;
	*bits_of(call) = sim_bits(nodes);
	return rspb_select_ask(stock, &now);
}

/* --- the question */
bool rspb_select_call_run_now(const struct rspb_select_call *call)
{
	return call->mode == SELECT_MODE_RUN_NOW;
}

bool rspb_select_call_will_run(const struct rspb_select_call *call)
{
	return call->mode == SELECT_MODE_WILL_RUN;
}

bool rspb_select_call_now_only(const struct rspb_select_call *call)
{
	(void) call;
	return false;
}

bool rspb_select_call_backfill(void)
{
	return by_backfill;
}

int64_t rspb_select_call_window(void)
{
	return WINDOW_S;
}

bool rspb_select_call_free(const struct rspb_select_call *call)
{
	(void) call;
	return true;
}

uint64_t rspb_select_call_rank(uint32_t node)
{
	(void) node;
	return 0;
}

uint32_t rspb_select_call_width(const struct rspb_select_call *call)
{
	(void) call;
	return sim_width();
}

void rspb_select_call_take(const struct rspb_select_call *call, struct rspb_nodeset *out)
{
	rspb_nodeset_clear(out);
	sim_bits_add(*bits_of(call), out);
}

void rspb_select_call_put(const struct rspb_select_call *call, const struct rspb_nodeset *nodes)
{
	*bits_of(call) = sim_bits(nodes);
}

void rspb_select_call_required(const struct rspb_select_call *call, struct rspb_nodeset *out)
{
	(void) call;
	(void) out;
}

uint32_t rspb_select_call_leader(const struct rspb_select_call *call)
{
	return job_of(call)->leader;
}

const char *rspb_select_call_reservation(const struct rspb_select_call *call)
{
	return job_of(call)->resv[0] ? job_of(call)->resv : NULL;
}

int64_t rspb_select_call_seconds(const struct rspb_select_call *call)
{
	return job_of(call)->limit + CLEAN_UP_S;
}

int64_t rspb_select_call_begin(const struct rspb_select_call *call, int64_t now)
{
	return job_of(call)->begin > now ? job_of(call)->begin : now;
}

int64_t rspb_select_call_limit(const struct rspb_select_call *call)
{
	return job_of(call)->limit;
}

uint32_t rspb_select_call_priority(const struct rspb_select_call *call)
{
	return job_of(call)->held ? 0 : 1000;
}

void rspb_select_call_licenses(const struct rspb_select_call *call, struct rspb_quotas *out)
{
	struct rspb_job view;

	rspb_job_view(job_of(call), &view);
	rspb_job_licenses(&view, out);
}

int64_t rspb_select_call_start(const struct rspb_select_call *call)
{
	return job_of(call)->planned;
}

void rspb_select_call_set_start(const struct rspb_select_call *call, int64_t start)
{
	job_of(call)->planned = start;
}

/* --- beside bookings of parts of nodes; regular jobs are not beside shares */
bool rspb_cores_call_beside(const struct rspb_select_call *call)
{
	return !sim_job_whole(job_of(call));
}

void rspb_cores_call_takes(const struct rspb_select_call *call, struct rspb_quotas *out)
{
	struct sim_take takes = sim_job_takes(job_of(call), 0);

	sim_take_keys(&takes, out);
}

/* What regular jobs have of a node at a time beside the job, and how many cores bookings have. */
static struct sim_take regular_on(const struct sim_job *job, uint32_t node, int64_t start,
				  uint32_t *booked)
{
	struct sim_take sum = sim_job_takes(job, node);

	*booked = 0;
	for (uint32_t i = 0; i < sim_world->placed.n; i++) {
		const struct sim_job *other = sim_job_find(sim_world->placed.id[i]);
		bool runs = other->phase == RSPB_JOB_RUNNING && other->nodes >> node & 1;
		struct sim_take takes;

		if (start > sim_now() ? !(runs && other->end > start)
				      : !(runs || other->unclean >> node & 1))
			continue;
		takes = sim_job_takes(other, node);
		if (other->booking)
			*booked += takes.cores;
		else
			sim_take_add(&sum, &takes);
	}
	return sum;
}

bitstr_t *rspb_cores_call_keep(const struct rspb_select_call *call, rspb_job_placed_fn each,
			       const struct rspb_parts *parts, const struct rspb_quotas *takes,
			       int64_t start, int64_t end, struct rspb_nodeset *full)
{
	struct spared *spared = calloc(1, sizeof(*spared));

	(void) each;
	(void) takes;
	(void) end;
	RSPB_NODESET_EACH (n, parts->nodes) {
		uint32_t node = sim_node_at(n), booked;
		struct sim_take sum = regular_on(job_of(call), node, start, &booked);

		for (size_t i = 0; i < parts->n; i++)
			if (parts->rooms[i].left[n] < sim_take_of(&sum, parts->rooms[i].key))
				rspb_nodeset_add(full, n);
		if (spared && parts->cores[n] > booked)
			spared->cores[node] = (uint32_t) parts->cores[n] - booked;
	}
	return (bitstr_t *) (void *) spared;
}

void rspb_cores_call_untold(const bitstr_t *kept, const bitstr_t *told,
			    const struct rspb_nodeset *among, struct rspb_nodeset *out)
{
	const struct spared *spares = (const struct spared *) (const void *) kept;
	const struct spared *spared = (const struct spared *) (const void *) told;

	RSPB_NODESET_EACH (n, among) {
		uint32_t node = sim_node_at(n);

		if (spares && spares->cores[node] > (spared ? spared->cores[node] : 0))
			rspb_nodeset_add(out, n);
	}
}

rspb_release_exclusion *rspb_colocate_keep(const struct rspb_select_call *call,
					   const struct rspb_nodeset *beside,
					   const uint8_t *dedicated, bitstr_t *parts, bool later)
{
	struct spared *own = parts ? malloc(sizeof(*own)) : NULL;

	(void) call;
	(void) beside;
	(void) dedicated;
	(void) later;
	if (own)
		memcpy(own, parts, sizeof(*own));
	return (rspb_release_exclusion *) (void *) own;
}

void rspb_colocate_forget(bitstr_t **cores)
{
	free(*cores);
	*cores = NULL;
}

void rspb_colocate_drop(rspb_release_exclusion *own)
{
	free(own);
}

bool rspb_colocate_asks(const struct rspb_select_call *call)
{
	(void) call;
	return false;
}

void rspb_colocate_short(const struct rspb_select_call *call, const struct rspb_nodeset *beside,
			 const uint8_t *dedicated, rspb_job_placed_fn each,
			 struct rspb_nodeset *out)
{
	(void) call;
	(void) beside;
	(void) dedicated;
	(void) each;
	(void) out;
	sim_fault("a regular job is to be beside shares");
}

/* --- plugins/select/select_cons_tres.c, which Slurm's own types are part of */
static int answer(const struct rspb_select_call *call)
{
	if (rspb_book_idle())
		return rspb_select_ask(NULL, call);
	if (rspb_select_call_will_run(call) && by_backfill && rspb_broker_imminent())
		return ESLURM_NODES_BUSY;
	return rspb_place_job(NULL, call, sim_now());
}

uint64_t sim_select(struct sim_job *job, uint64_t among, bool run_now, bool backfill,
		    sim_planned_fn taken)
{
	struct rspb_select_call call = {
		.job = (job_record_t *) (void *) job,
		.nodes = (bitstr_t *) (void *) &among,
		.min_nodes = job->nodes_min,
		.max_nodes = job->nodes_min,
		.req_nodes = job->nodes_min,
		.mode = run_now ? SELECT_MODE_RUN_NOW : SELECT_MODE_WILL_RUN,
	};

	by_backfill = backfill;
	planned = taken;
	/* No booking is in its way if there is no room without them. */
	if (run_now && !pick(&call, among, sim_now()))
		return 0;
	return rspb_bookable_ask(&call, sim_now(), answer) == SLURM_SUCCESS ? among : 0;
}
