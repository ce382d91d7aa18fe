/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the nodes that regular jobs have, and the licenses that they hold. */
#include <stdlib.h>

#include "plugins/compat/colocate.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/preempt/preempt.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"

/* A job past its limit: Slurm looks for those twice a minute. */
enum { OVERDUE_S = 35, CLEAN_UP_S = 2 };

/* RET the booking by which the ledger itself has the nodes of this job now; NULL: none. Such
 * nodes must not be counted twice. Components of a heterogeneous job belong to the booking of
 * the first. */
static const struct rspb_booking *booked_now(const struct rspb_job *job, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	const struct rspb_booking *b = NULL;

	if (ledger)
		b = rspb_ledger_find(ledger, job->leader);
	return b && !rspb_state_final(b->state) && b->n_grants && b->end > now ? b : NULL;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int64_t rspb_occupancy_job_end(const struct rspb_job *job, int64_t now)
{
	const struct rspb_slurm_conf conf = rspb_slurm_conf();
	int64_t end;

	/* A job that has been completing for some time is expected to need as much time again. */
	if (job->completing)
		return now +
		       most(most(CLEAN_UP_S, now - job->end), job->end + rspb_gap_whole() - now);
	/* The job may need all of the time between SIGTERM and SIGKILL. */
	end = job->end + conf.over_time + conf.kill_wait + rspb_gap_whole();
	return end > now ? end : now + OVERDUE_S;
}

/* Hold what the job has of a node that is lent, to its end. The part that its reservation has
 * is subtracted, because the reservation holds that already. RET false: it has the node as a
 * whole, and nothing is held. */
static bool hold_part(struct rspb_occupancy *occ, const struct rspb_job *job, uint32_t node,
		      int64_t end)
{
	struct rspb_quota cores = { .key = RSPB_ROOM_CPUS };
	struct rspb_quotas has = { .n = 0 }, kept = { .n = 0 };
	struct rspb_resv resv;

	cores.per_node = (int64_t) RSPB_SHARE_CORE * rspb_cores_used(job, node, &has);
	if (!cores.per_node) {
		free(has.items);
		return false;
	}
	rspb_quotas_add(&has, &cores);
	if (job->reservation_id && rspb_resv_find_id(job->reservation_id, occ->now, &resv)) {
		cores.per_node = (int64_t) RSPB_SHARE_CORE *
				 rspb_cores_reserved(&resv, node, &kept);
		rspb_quotas_add(&kept, &cores);
		rspb_quotas_less(&has, &kept);
		free(kept.items);
	}
	rspb_occupancy_hold_on(occ, occ->now, end, &has, node, job->id);
	free(has.items);
	return true;
}

/* Whether bookings may have parts or shares of a node beside a job. Cores are apart for each
 * job, but memory counts for all such jobs together: a job that exceeds the rest leaves no
 * room. */
static bool leaves_room(struct rspb_occupancy *occ, const struct rspb_job *job, uint32_t node)
{
	if (occ->lent && rspb_nodeset_has(occ->lent, node))
		return hold_part(occ, job, node, rspb_occupancy_job_end(job, occ->now));
	return occ->dedicated && occ->dedicated[node] && !job->completing &&
	       rspb_colocate_job(job, node, occ->dedicated[node], &occ->memory[node]);
}

/* Move the nodes on which the job leaves room into a block of their own. Without memory the job
 * has its nodes for itself, which is safe. The block may lie elsewhere afterwards. */
static void split(struct rspb_occupancy *occ, const struct rspb_job *job, struct rspb_block *block)
{
	struct rspb_nodeset *room = rspb_nodeset_create(occ->width);
	uint32_t n;

	for (n = rspb_nodeset_next(block->nodes, 0); room && n < occ->width;
	     n = rspb_nodeset_next(block->nodes, n + 1))
		if (leaves_room(occ, job, n))
			rspb_nodeset_add(room, n);
	if (room)
		rspb_occupancy_beside(occ, block, room);
	rspb_nodeset_destroy(room);
}

/* Hold the licenses of a job. Slurm frees them when the job begins to complete. A job past its
 * limit may keep them until Slurm next looks for such jobs, so this time is added. */
static void hold_licenses(struct rspb_occupancy *occ, const struct rspb_job *job)
{
	struct rspb_quotas quotas = { .n = 0 };

	rspb_job_licenses(job, &quotas);
	rspb_occupancy_hold(occ, occ->now, rspb_occupancy_job_end(job, occ->now) + OVERDUE_S,
			    &quotas, 0, 0);
	free(quotas.items);
}

/* Note until when a job runs on its nodes. Jobs that are suspended there, and reboots, come
 * after it. */
static void keep_until(struct rspb_occupancy *occ, const struct rspb_nodeset *nodes, int64_t end)
{
	for (uint32_t n = rspb_nodeset_next(nodes, 0); occ->until && n < occ->width;
	     n = rspb_nodeset_next(nodes, n + 1))
		if (occ->until[n] < end)
			occ->until[n] = end;
}

/* Move the ends of suspended jobs, when all jobs are there: each goes on after the last job
 * that runs on any of its nodes. */
static void queue_up(struct rspb_occupancy *occ)
{
	for (size_t i = 0; occ->until && occ->any_left && i < occ->n; i++) {
		struct rspb_block *block = &occ->blocks[i];
		int64_t end = 0;

		if (!block->left)
			continue;
		for (uint32_t n = rspb_nodeset_next(block->nodes, 0); n < occ->width;
		     n = rspb_nodeset_next(block->nodes, n + 1))
			if (occ->until[n] + block->left > end)
				end = occ->until[n] + block->left;
		if (block->end < end)
			block->end = end < occ->horizon ? end : occ->horizon;
	}
}

/* Let others have what a share does not take of its nodes, until the booking's own start.
 * Devices that no node is known to have are not held. */
static void leave_rest(struct rspb_occupancy *occ, const struct rspb_booking *b, uint32_t i,
		       struct rspb_block *block)
{
	const struct rspb_part *part = &b->request->parts[i];
	const struct rspb_grant *grant = &b->grants[i];

	RSPB_NODESET_EACH (n, grant->nodes) {
		struct rspb_quota takes = { .key = RSPB_ROOM_CPUS };
		struct rspb_quotas has = { .n = 0 };

		takes.per_node = rspb_part_on(part, grant->share, n);
		rspb_quotas_add(&has, &takes);
		for (size_t q = 0; q < part->n_quotas; q++) {
			takes = part->quotas[q];
			takes.per_node = rspb_part_takes(part, takes.key, takes.per_node, n);
			if (rspb_ledger_room(rspb_book_ledger(), takes.key))
				rspb_quotas_add(&has, &takes);
		}
		rspb_occupancy_hold_on(occ, block->start, block->end, &has, n, 0);
		free(has.items);
	}
	rspb_occupancy_beside(occ, block, grant->nodes);
}

/* Block what the ledger does not say of a booked job that runs. Its booking holds the nodes
 * from its start on, but the clock may have been set back before that. */
static void block_booked(struct rspb_occupancy *occ, const struct rspb_job *job,
			 const struct rspb_booking *b)
{
	struct rspb_block *block = NULL;

	for (uint32_t i = 0; !job->suspended && i < b->n_grants; i++)
		keep_until(occ, b->grants[i].nodes, b->end);
	if (b->state == RSPB_ACTIVE && b->start > occ->now)
		block = rspb_occupancy_add(occ, occ->now, b->start);
	if (!block)
		return;
	block->job = job->id;
	block->kind = RSPB_BLOCK_JOB;
	rspb_job_nodes(job, RSPB_JOB_HOLDS, block->nodes);
	if (job->component < b->n_grants && b->grants[job->component].share)
		leave_rest(occ, b, job->component, block);
}

/* Whether a regular job may stay within its limit on nodes that are booked from earlier on
 * (start/occupants.c). With preemption this depends on the booking. */
static bool may_stay(const struct rspb_job *job)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();

	return !job->completing && !job->suspended && !rspb_slurm_conf().preempts &&
	       !(ledger && rspb_ledger_find(ledger, job->leader));
}

/* Add what a job takes, if it still has nodes. Jobs of bookings add little, because the ledger
 * has these already. */
static void job_block(const struct rspb_job *job, struct rspb_occupancy *occ)
{
	const struct rspb_booking *booked = NULL;
	struct rspb_block *block;

	if (job->phase != RSPB_JOB_RUNNING && !job->completing)
		return;
	if (!job->completing)
		booked = booked_now(job, occ->now);
	if (booked) {
		block_booked(occ, job, booked);
		return;
	}
	if (!job->completing)
		hold_licenses(occ, job);
	/* Slurm ends it with the window that its reservation has booked. */
	if (!job->completing && job->reservation_id && rspb_reserved_find(job->reservation_id))
		return;
	block = rspb_occupancy_add(occ, occ->now, rspb_occupancy_job_end(job, occ->now));
	if (block) {
		block->job = job->id;
		block->kind = RSPB_BLOCK_JOB;
		block->goes_on = !job->completing && rspb_preempt_suspends(job);
		if (may_stay(job))
			block->stays = job->end;
		rspb_job_nodes(job, RSPB_JOB_HOLDS, block->nodes);
		/* A job that was preempted needs its remaining time later. A job that a person
		 * suspended may never go on, and its CPUs may be given to others meanwhile. */
		if (job->suspended && !job->suspended_held) {
			block->left = block->end - occ->now;
			occ->any_left = true;
		} else if (!job->suspended) {
			keep_until(occ, block->nodes, block->end);
		}
		if (occ->lent ? !job->suspended : occ->memory && !job->completing)
			split(occ, job, block);
	}
}

static void add_job(struct rspb_occupancy *occ, uint32_t id)
{
	struct rspb_job job;

	if (rspb_job_find(id, &job))
		job_block(&job, occ);
}

void rspb_occupancy_jobs(struct rspb_occupancy *occ, const uint32_t *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_job(occ, ids[i]);
	queue_up(occ);
}

void rspb_occupancy_some(struct rspb_occupancy *occ, const uint32_t *ids, size_t n, size_t *i,
			 const struct rspb_section *section)
{
	do
		add_job(occ, ids[(*i)++]);
	while (*i < n && !rspb_section_spent(section));
	if (*i == n)
		/* The last section has come: all jobs are there. */
		queue_up(occ);
}
