/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's scheduler and the select plugin for regular jobs: each that waits gets the lowest
 * nodes with room for it that bookings leave within its limit. With backfill, the main
 * scheduler stops at the first that has to wait; each pass of backfill plans some ahead, and what
 * comes after them leaves them their nodes in time. */
#include <stdlib.h>

#include "plugins/compat/limit/quota.h"
#include "plugins/ctld/book/beside.h"
#include "plugins/ctld/broker.h"
#include "tests/simulated/world.h"

enum { CLEAN_UP_S = 30, PLANNED = 4 };

/* The first jobs that wait, where and when they are to begin. */
static struct plan {
	uint64_t nodes;
	int64_t start;
} plans[PLANNED];
static int n_plans;
/* Nodes of a partition in which a job waits, which the main scheduler leaves alone. */
static uint64_t kept;

/* What bookings leave of the nodes on which they have parts. */
struct parts {
	struct rspb_parts parts;
	struct rspb_quotas keys;
};

static void drop_parts(struct parts *p)
{
	rspb_parts_fini(&p->parts);
	free(p->keys.items);
}

/* RET whether there are any. */
static bool find_parts(struct parts *p, const struct sim_job *job, int64_t end)
{
	struct sim_take takes = sim_job_takes(job, 0);
	uint32_t width = sim_width();

	*p = (struct parts){ .keys = { .n = 0 } };
	if (sim_job_whole(job) || !rspb_broker_lends_parts())
		return false;
	sim_take_keys(&takes, &p->keys);
	return rspb_parts_init(&p->parts, width, &p->keys) &&
	       rspb_broker_parts(sim_now(), end, &p->parts);
}

/* Whether it leaves to bookings what they have of a node: of what they have not begun, or of
 * what their jobs have, which count here as well. */
static bool leaves_parts(const struct parts *p, const struct sim_job *job, uint32_t node)
{
	struct sim_take has = sim_node_has(node), sum = sim_job_takes(job, node);
	uint32_t number = sim_number_of(node);
	int64_t booked = 0;

	for (uint32_t i = 0; i < sim_world->jobs.n; i++) {
		const struct sim_job *other = sim_job_find(sim_world->jobs.ids[i]);
		struct sim_take takes = sim_job_takes(other, node);
		uint64_t nodes = other->unclean |
				 (other->phase == RSPB_JOB_RUNNING ? other->nodes : 0);

		if (!(nodes >> node & 1))
			continue;
		if (other->booking)
			booked += takes.cores;
		else
			sim_take_add(&sum, &takes);
	}
	if (p->parts.cores[number] > booked)
		booked = p->parts.cores[number];
	if (sum.cores + booked > has.cores)
		return false;
	for (size_t i = 0; i < p->parts.n; i++)
		if (p->parts.rooms[i].left[number] < sim_take_of(&sum, p->parts.rooms[i].key))
			return false;
	return true;
}

/* Whether it leaves to the bookings of its partition, as far as their reservations are there,
 * what MaxCPUsPerNode allows them. */
static bool leaves_cap(const struct sim_job *job, uint32_t node, int64_t end)
{
	uint32_t own = sim_job_capped(job, node), used, laid;

	if (!own)
		return true;
	used = sim_capped_on(job, node, sim_now(), end, &laid);
	return !laid || laid + used + own <= sim_run.settings.small_cpus;
}

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

static bool has_licenses(const struct sim_job *job, int64_t end)
{
	return !job->licenses ||
	       sim_licenses_used() + job->licenses +
			       rspb_broker_license(sim_license_key(), sim_now(), end) <=
		       SIM_LICENSES;
}

/* Nodes that jobs which wait longer are to have before that. */
static uint64_t nodes_planned(int64_t end)
{
	uint64_t nodes = 0;

	for (int i = 0; i < n_plans; i++)
		if (plans[i].start < end)
			nodes |= plans[i].nodes;
	return nodes;
}

/* Whole nodes that neither jobs nor bookings nor reservations have in that time, as far as is
 * known by now. */
static uint64_t nodes_free(const struct sim_job *job, int64_t start, struct rspb_nodeset *set)
{
	int64_t end = start + job->limit;
	uint64_t taken = sim_nodes_unusable() | sim_world->silent |
			 nodes_reserved(start, end, true) | nodes_planned(end);

	rspb_nodeset_clear(set);
	if (!rspb_broker_booked(start, end + CLEAN_UP_S, set))
		return 0;
	for (uint32_t i = 0; i < sim_world->jobs.n; i++) {
		const struct sim_job *other = sim_job_find(sim_world->jobs.ids[i]);

		if (other->phase == RSPB_JOB_RUNNING && (other->suspended || other->end > start))
			taken |= other->nodes;
	}
	return sim_eligible(job) & ~(taken | sim_bits(set));
}

/* Find the first end of a job from when on there is room for one that waits. */
static void plan_job(struct sim_job *job, struct rspb_nodeset *set)
{
	int64_t start = sim_now(), next;
	uint64_t nodes = 0;

	if (n_plans == PLANNED || job->licenses)
		return;
	for (;; start = next) {
		next = INT64_MAX;
		for (uint32_t i = 0; i < sim_world->jobs.n; i++) {
			const struct sim_job *other = sim_job_find(sim_world->jobs.ids[i]);

			if (other->phase == RSPB_JOB_RUNNING && other->end > start &&
			    other->end < next)
				next = other->end;
		}
		if (next == INT64_MAX)
			return;
		nodes = nodes_free(job, next, set);
		if ((uint32_t) __builtin_popcountll(nodes) >= job->nodes_min)
			break;
	}
	while ((uint32_t) __builtin_popcountll(nodes) > job->nodes_min)
		nodes &= nodes - 1;
	sim_check_regular(job, nodes, next);
	plans[n_plans++] = (struct plan){ nodes, next };
}

/* RET whether it has begun. */
static bool try_job(struct sim_job *job, struct rspb_nodeset *set)
{
	int64_t end = sim_now() + job->limit;
	struct sim_take used[SIM_NODES];
	uint64_t open, nodes = 0, partly = 0;
	struct parts parts;
	uint32_t n = 0;

	if (!has_licenses(job, end))
		return false;
	rspb_nodeset_clear(set);
	if (!rspb_broker_booked(sim_now(), end + CLEAN_UP_S, set) && rspb_broker_reading())
		return false;
	if (find_parts(&parts, job, end + CLEAN_UP_S))
		partly = sim_bits(parts.parts.nodes);
	open = ~(kept | (sim_bits(set) & ~partly) | sim_nodes_unusable() | sim_world->silent |
		 nodes_reserved(sim_now(), end, sim_job_whole(job)) | nodes_planned(end)) &
	       sim_eligible(job);
	sim_used(used);
	for (uint32_t k = 0; k < sim_run.nodes && n < job->nodes_min; k++)
		if (open >> k & 1 && sim_fits_there(job, k) && sim_fits(used, job, k) &&
		    leaves_cap(job, k, end) &&
		    (!(partly >> k & 1) || leaves_parts(&parts, job, k))) {
			nodes |= UINT64_C(1) << k;
			n++;
		}
	drop_parts(&parts);
	if (n != job->nodes_min) {
		if (sim_run.settings.backfill)
			plan_job(job, set);
		return false;
	}
	job->nodes = nodes;
	sim_check_regular(job, nodes, sim_now());
	sim_job_begin(job, nodes, 0);
	sim_world->counts.regular++;
	return true;
}

/* Look at the jobs of one partition, or of both. With backfill, the main scheduler looks at no
 * more jobs of a partition in which one has to wait, nor at others for its nodes. */
static void schedule_some(struct rspb_nodeset *set, bool small, bool main, bool backfill)
{
	bool stops = sim_run.settings.backfill && !backfill;

	for (uint32_t i = 0; i < sim_world->jobs.n; i++) {
		struct sim_job *job = sim_job_find(sim_world->jobs.ids[i]);
		bool begun;

		if (job->resv[0] || job->phase != RSPB_JOB_PENDING || job->unclean || job->held ||
		    job->begin > sim_now() || !(job->small ? small : main) || (job->small && kept))
			continue;
		begun = try_job(job, set);
		sim_check_waits(job);
		if (begun || !stops)
			continue;
		if (!job->small)
			break;
		kept = sim_small_nodes();
	}
}

void sim_world_schedule(bool backfill)
{
	struct rspb_nodeset *set = rspb_nodeset_create(sim_width());
	bool first = sim_run.settings.small_first;

	sim_world->look_at = 0;
	n_plans = 0;
	kept = 0;
	if (set && first)
		schedule_some(set, true, false, backfill);
	if (set)
		schedule_some(set, !first, true, backfill);
	rspb_nodeset_destroy(set);
}
