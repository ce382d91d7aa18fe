/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes an owner's changes real, by one proposal. It plans none. */
#include "plugins/ctld/owners/changes.h"

#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/ending/charge.h"
#include "plugins/ctld/following/edit.h"
#include "plugins/ctld/operators/internal.h"
#include "plugins/ctld/owners/feature.h"

bool rspb_changes_fail(struct rspb_changes *all, const char *why)
{
	rspb_fail(&all->work->err, "%s", why);
	all->work->kind = "not-now";
	return false;
}

void rspb_change_aim(const struct rspb_change *c)
{
	struct rspb_inquiry *q = &c->work->inquiry;

	if (!q->jobs.n)
		return;
	q->job = (int64_t) c->id;
	q->begin = q->moved ? c->start + q->moved : 0;
}

bool rspb_change_refuse(const struct rspb_change *c, const char *kind, const char *why)
{
	rspb_change_aim(c);
	rspb_work_refuse(c->work, kind, why);
	return false;
}

/* --- with the write lock --------------------------------------------------- */

/* Its jobs are as a booking wants them. */
static int fit_jobs(struct rspb_proposed *one, const struct rspb_booking *b, struct rspb_err *err)
{
	struct rspb_change *c = one->from;
	uint32_t nodes = b->request->parts[0].nodes, size = c->size;
	int64_t limit = b->request->duration;
	bool other = one->terms->request->duration != one->was->request->duration;
	const struct rspb_ask *ask = &one->ask;
	struct rspb_job job;

	for (uint32_t i = 0; other && i < ask->n_jobs; i++)
		if (rspb_job_set_limit(ask->jobs[i], limit, b->end, err))
			return -1;
	if (b->state == RSPB_ACTIVE && !b->grants[0].share && ask->n_jobs == 1)
		return rspb_job_shrink(ask->jobs[0], b->grants[0].nodes, err);
	if (b->state == RSPB_ACTIVE || b->grants[0].share || ask->n_jobs > 1 || nodes == size)
		return 0;
	if (!rspb_job_find(ask->jobs[0], &job))
		return rspb_fail(err, "its job no longer exists");
	if (rspb_job_shape(ask->jobs[0], nodes,
			   &(struct rspb_job_size){
				   .nodes_max = size, .tasks = job.tasks, .cpus = job.cpus },
			   err))
		return -1;
	c->size = nodes;
	/* The job's size from before the fitting is gone. */
	ask->contracts[0].tasks = ask->contracts[0].cpus = 0;
	return 0;
}

static int place(struct rspb_proposed *one, const struct rspb_booking *b,
		 struct rspb_proposal *proposal, struct rspb_err *err)
{
	struct rspb_change *c = one->from;

	if (rspb_feature_fit(one, b, err))
		return -1;
	if (!one->ask.n_jobs)
		return rspb_operator_place(c->work->inquiry.reservation, b, err);
	return fit_jobs(one, b, err) ? -1 : rspb_edit_place(one, b, proposal, err);
}

/* Charge what they gave back while they ran. */
static void charge(const struct rspb_changes *all)
{
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "charge"))
		return;
	for (size_t i = 0; i < all->n; i++) {
		const struct rspb_proposed *one = &all->proposal.items[i];

		if (one->was->state == RSPB_ACTIVE)
			rspb_charge_given_back(one->was, one->terms, all->now);
	}
	rspb_section_leave(&section);
}

/* --- as a whole ------------------------------------------------------------ */

bool rspb_changes_make(struct rspb_changes *all)
{
	struct rspb_proposal *p = &all->proposal;
	enum rspb_proposal_end end;

	*p = (struct rspb_proposal){ .why = RSPB_REASON_CHANGED(all->by_owner),
				     .answered = true,
				     .place = place };
	for (size_t i = 0; i < all->n; i++) {
		struct rspb_change *c = &all->items[i];

		c->size = c->draft.old->request->parts[0].nodes;
		if (rspb_replan_propose(&c->draft, &c->ask, c, p))
			return rspb_changes_fail(all, "out of memory");
	}
	end = rspb_propose(p);
	if (end == RSPB_PROPOSAL_MADE) {
		charge(all);
		return true;
	}
	return rspb_change_refuse(&all->items[p->refused],
				  end == RSPB_PROPOSAL_REFUSED ? "no" : "not-now", p->err.text);
}
