/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's scheduler for regular jobs: each that waits gets the nodes that the select plugin finds
 * for it. With backfill, the main scheduler stops at the first that has to wait; each pass of
 * backfill plans some ahead, and what comes after them leaves them their nodes in time. */
#include "plugins/ctld/broker.h"
#include "tests/simulated/world.h"

enum { PLANNED = 4 };

/* The first jobs that wait, where and when they are to begin. */
static struct plan {
	uint64_t nodes;
	int64_t start;
} plans[PLANNED];
static int n_plans;
/* Nodes of a partition in which a job waits, which the main scheduler leaves alone. */
static uint64_t kept;

/* Nodes that jobs which wait longer are to have before that. */
static uint64_t nodes_planned(int64_t end)
{
	uint64_t nodes = 0;

	for (int i = 0; i < n_plans; i++)
		if (plans[i].start < end)
			nodes |= plans[i].nodes;
	return nodes;
}

/* Ask when there is room for one that waits. */
static void plan_job(struct sim_job *job)
{
	uint64_t among = sim_eligible(job) & ~(sim_nodes_unusable() | sim_world->silent), nodes;

	if (n_plans == PLANNED || job->licenses)
		return;
	nodes = sim_select(job, among, false, true, nodes_planned);
	if (!nodes)
		return;
	sim_check_regular(job, nodes, job->planned);
	plans[n_plans++] = (struct plan){ nodes, job->planned };
}

/* RET whether it has begun. */
static bool try_job(struct sim_job *job, bool backfill)
{
	uint64_t among = sim_eligible(job) & ~(kept | sim_nodes_unusable() | sim_world->silent);
	uint64_t nodes = 0;

	if (!job->licenses || sim_licenses_used() + job->licenses <= SIM_LICENSES)
		nodes = sim_select(job, among, true, backfill, nodes_planned);
	if (!nodes) {
		if (sim_run.settings.backfill)
			plan_job(job);
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
static void schedule_some(bool small, bool main, bool backfill)
{
	bool stops = sim_run.settings.backfill && !backfill;
	/* Jobs that begin leave the list. */
	const struct sim_ids list = sim_world->waiting;

	for (uint32_t i = 0; i < list.n; i++) {
		struct sim_job *job = sim_job_find(list.id[i]);
		bool begun;

		if (job->unclean || job->held || job->begin > sim_now() ||
		    !(job->small ? small : main) || (job->small && kept))
			continue;
		begun = try_job(job, backfill);
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
	bool first = sim_run.settings.small_first;

	/* The first pass comes after the broker has read what is booked. */
	if (rspb_broker_reading() || sim_now() < sim_world->closed_until)
		return;
	sim_world->look_at = 0;
	n_plans = 0;
	kept = 0;
	if (first)
		schedule_some(true, false, backfill);
	schedule_some(!first, true, backfill);
}
