/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes an owner's changes real, by one proposal. Nothing is planned here. */
#include "plugins/ctld/serve/owners.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/observe/finish.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/request/part.h"

/* Examines other features and another size before they are planned, and applies them when the plan
 * becomes real. terms.c handles times and numbers of nodes. */

/* Refuse features that cannot be changed. Slurm sets features of pending jobs only, and a
 * heterogeneous job has them by component. */
static int check_feature(const struct rspb_change *c, struct rspb_err *err)
{
	if (c->ask.n_jobs > 1)
		return rspb_fail(err, "a heterogeneous job keeps its features");
	if (c->draft.started)
		return rspb_fail(err, "it has begun, and keeps its features");
	return 0;
}

/* Find the nodes that Slurm finds eligible while the job has the new features. Only Slurm can read
 * every constraint, and it reads that of a job. The caller holds the write lock. */
static int find_nodes(struct rspb_change *c, struct rspb_err *err)
{
	uint32_t width = c->draft.old->grants[0].nodes->width;
	const char *counted;
	struct rspb_job job;

	c->eligible = rspb_nodeset_create(width);
	if (!c->eligible || !rspb_job_find(c->ask.jobs[0], &job))
		return rspb_fail(err, "its job cannot be read");
	counted = rspb_job_bounds(&job).counted;
	if (counted)
		return rspb_fail(err,
				 "--constraint: numbers of nodes for each of several features "
				 "(%.80s) cannot be booked",
				 counted);
	return rspb_job_eligible(&job, c->eligible, err);
}

/* Remember the features that the job or reservation has now, so that they can be restored. */
static int keep(struct rspb_change *c, const char *features, struct rspb_err *err)
{
	c->features = features ? strdup(features) : NULL;
	return features && !c->features ? rspb_fail(err, "out of memory") : 0;
}

/* Find the nodes with the new features for a booking without a job. A copy of the reservation's
 * view is changed, and the reservation itself is not touched. The caller holds at least the read
 * lock. */
static int try_group(struct rspb_change *c, struct rspb_err *err)
{
	struct rspb_part *part = &c->draft.request->parts[0];
	struct rspb_resv resv;

	if (!rspb_resv_find(c->work->inquiry.reservation, c->draft.now, &resv))
		return rspb_fail(err, "its reservation no longer exists");
	if (keep(c, resv.features, err))
		return -1;
	resv.features = c->work->inquiry.features[0] ? c->work->inquiry.features : NULL;
	if (rspb_operator_refresh(&resv, part->eligible->width, part, err))
		return -1;
	c->eligible = rspb_nodeset_clone(part->eligible);
	return c->eligible ? 0 : rspb_fail(err, "out of memory");
}

/* Give the job the new features, see which nodes it could have, and give it the old ones back. All
 * of that is within one lock section, so Slurm never schedules the job with the trial's
 * features. */
static int try(struct rspb_change *c, struct rspb_err *err)
{
	struct rspb_job_wanted had = { .had_features = true };
	const char *features = c->work->inquiry.features;
	struct rspb_job job;
	int rc;

	if (!c->ask.n_jobs)
		return try_group(c, err);
	if (!rspb_job_find(c->ask.jobs[0], &job))
		return rspb_fail(err, "its job no longer exists");
	if (keep(c, job.features, err))
		return -1;
	had.features = c->features ? c->features : "";
	if (rspb_job_make_so(job.id, &(struct rspb_job_wanted){ .features = features }, err))
		return -1;
	rc = find_nodes(c, err);
	/* No node may have the old ones any more. */
	return rspb_job_make_so(job.id, &had, rc ? NULL : err) ? -1 : rc;
}

/* Limit the plan to the nodes with the new features. The ask has the features too, because the
 * journal must have them with the new terms. */
static int set(struct rspb_change *c)
{
	struct rspb_part *part = &c->draft.request->parts[0];
	struct rspb_nodeset *said = c->draft.said->grants[0].nodes;

	c->ask.features = c->work->inquiry.features;
	rspb_nodeset_destroy(part->eligible);
	part->eligible = rspb_nodeset_clone(c->eligible);
	if (!part->eligible)
		return rspb_fail(&c->draft.why, "out of memory");
	/* An empty set makes rspb_terms_plan() look for other nodes: the booking cannot stay on
	 * these. */
	if (!rspb_nodeset_within(said, part->eligible))
		rspb_nodeset_clear(said);
	return 0;
}

int rspb_feature_look(struct rspb_change *c)
{
	struct rspb_err *err = &c->draft.why;
	struct rspb_section section;
	int rc;

	if (!c->work->inquiry.has_features)
		return 0;
	if (check_feature(c, err))
		return -1;
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "features"))
		return rspb_fail(err, "slurmctld is shutting down");
	rc = try(c, err);
	rspb_section_leave(&section);
	return rc ? -1 : set(c);
}

/* --- another size --------------------------------------------------------------- */

bool rspb_size_said(const struct rspb_inquiry *q)
{
	return q->terms.tasks || q->terms.cpus_task || q->terms.mem || q->terms.mem_cpu ||
	       q->terms.gres[0] || q->terms.gpus[0] || q->terms.gpus_node[0] ||
	       q->terms.gpus_task[0];
}

/* Refuse another size where the booking does not depend on it. Only a booking of parts of nodes of
 * one pending job takes what that job needs. */
static int check_size(const struct rspb_change *c, struct rspb_err *err)
{
	const struct rspb_part *part = &c->draft.request->parts[0];

	if (c->ask.n_jobs > 1)
		return rspb_fail(err, "a heterogeneous job keeps its size");
	if (c->draft.started)
		return rspb_fail(err, "it has begun, and keeps its size");
	if (!c->ask.n_jobs)
		return rspb_fail(err,
				 "it has no job, and keeps what it has of each node; its %s "
				 "can be changed",
				 part->whole ? "times and features"
					     : "number of nodes, times and features");
	if (!part->whole)
		return rspb_fail(err, "it has whole nodes; change their number with -N");
	return 0;
}

/* Work out what the part would take if the job had the new needs. The job keeps its own until the
 * plan is made. The caller holds the write lock. */
static int try_size(struct rspb_change *c, struct rspb_err *err)
{
	struct rspb_part *part = &c->draft.request->parts[0];

	if (rspb_needs_of(c->ask.jobs[0], &c->had, err))
		return -1;
	c->needs = c->had;
	return rspb_needs_change(&c->needs, part->nodes, &c->work->inquiry.terms, err) ||
			       rspb_part_resize(c->ask.jobs[0], &c->needs, part, err)
		       ? -1
		       : 0;
}

int rspb_size_look(struct rspb_change *c)
{
	struct rspb_err *err = &c->draft.why;
	struct rspb_section section;
	int rc;

	if (!rspb_size_said(&c->work->inquiry))
		return 0;
	if (check_size(c, err))
		return -1;
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "size"))
		return rspb_fail(err, "slurmctld is shutting down");
	rc = try_size(c, err);
	rspb_section_leave(&section);
	if (rc)
		return -1;
	rspb_needs_print(&c->needs, c->needs_text);
	rspb_needs_print(&c->had, c->had_text);
	/* The journal gets the new needs with the new terms. If the proposal fails, it gets the
	 * earlier ones back. */
	c->ask.needs = c->needs_text;
	c->ask.needed = c->had_text;
	c->sized = c->draft.resized = true;
	return 0;
}

/* Let the job or reservation ask for what b was planned with. The caller holds the write lock. b is
 * the new terms, or, when Slurm refused these, what was booked before. RET 0, or -1 with err. */
static int feature_fit(const struct rspb_proposed *one, const struct rspb_booking *b,
		       struct rspb_err *err)
{
	const struct rspb_change *c = one->from;
	bool back = b == one->was;
	const char *features = back ? c->features : c->work->inquiry.features;
	struct rspb_job_wanted wanted = { .had_features = back };
	const struct rspb_resv_spec spec = { .name = c->work->inquiry.reservation,
					     .features = features ? features : "" };

	if (c->eligible && !one->ask.n_jobs)
		rspb_resv_make_so(&spec, NULL);
	else if (c->eligible)
		wanted.features = spec.features;
	if (c->sized)
		wanted.needs = back ? &c->had : &c->needs;
	return one->ask.n_jobs ? rspb_job_make_so(one->ask.jobs[0], &wanted, err) : 0;
}

/*
 * A booking without a job that is handed to another user: the plan is made for the new owner,
 * whose limits are checked as for a request for more (terms.c). The users of its reservation
 * stay as they were.
 */

static int check_handing(const struct rspb_change *c, struct rspb_err *err)
{
	if (!rspb_reserved_owner(c->draft.request))
		return rspb_fail(err, "only a booking without a job, made by a user, can be "
				      "given to another user");
	return c->work->who.privileged ? 0
				       : rspb_fail(err, "only an operator can give it to "
							"another user");
}

/* Check that the new owner may book at all, and let the settings of the new owner's Rules apply to
 * the rest of the plan. */
static int admit(struct rspb_replan *draft, struct rspb_err *err)
{
	struct rspb_ask ask = { .request = draft->request };

	draft->config = rspb_limits_settings(rspb_settings_get(), draft->request, &draft->space);
	rspb_group_name(draft->request, ask.account, sizeof(ask.account));
	return rspb_limits_who(&ask, draft->config, draft->now, err);
}

/* The reservation is read under the lock, because the new owner's account and partition are part of
 * the request's label. If it is gone, the request's user stays the old one, which the comparison
 * below notices. */
int rspb_hand_look(struct rspb_change *c)
{
	uint32_t to = (uint32_t) c->work->inquiry.uid;
	struct rspb_err *err = &c->draft.why;
	struct rspb_section section;
	struct rspb_resv resv;

	if (!to)
		return 0;
	if (check_handing(c, err))
		return -1;
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "hand"))
		return rspb_fail(err, "slurmctld is shutting down");
	if (rspb_resv_find(c->work->inquiry.reservation, c->draft.now, &resv))
		rspb_group_sign(c->draft.request, &resv, to);
	rspb_section_leave(&section);
	return c->draft.request->user == to ? admit(&c->draft, err)
					    : rspb_fail(err, "its reservation no longer exists");
}

bool rspb_changes_fail(struct rspb_changes *all, const char *why)
{
	rspb_fail(&all->work->err, "%s", why);
	all->work->kind = "not-now";
	return false;
}

/* An inquiry about several bookings is evaluated once for each. This sets the members that differ:
 * the job, and the start that "moved" makes of each booking's own. */
void rspb_change_aim(const struct rspb_change *c)
{
	struct rspb_inquiry *q = &c->work->inquiry;

	if (!q->jobs.n)
		return;
	q->job = (int64_t) c->id;
	q->terms.ready = q->moved ? c->start + q->moved : 0;
}

bool rspb_change_refuse(const struct rspb_change *c, const char *kind, const char *why)
{
	rspb_change_aim(c);
	rspb_work_refuse(c->work, kind, why);
	return false;
}

/* --- with the write lock --------------------------------------------------- */

/* Fit time limit and number of nodes of the jobs to a booking. The caller holds the write lock. If
 * Slurm refuses a step, the proposal calls this again with the old booking. RET 0, or -1 with
 * err. */
static int fit_jobs(struct rspb_proposed *one, const struct rspb_booking *b, struct rspb_err *err)
{
	struct rspb_change *c = one->from;
	uint32_t nodes = b->request->parts[0].nodes, size = c->size;
	const struct rspb_job_wanted limit = { .limit = b->request->duration, .limit_end = b->end };
	bool other = one->terms->request->duration != one->was->request->duration;
	const struct rspb_ask *ask = &one->ask;
	const struct rspb_terms *had = &ask->contracts[0].terms;
	struct rspb_job_size shape;
	struct rspb_job job;

	for (uint32_t i = 0; other && i < ask->n_jobs; i++)
		if (rspb_job_make_so(ask->jobs[i], &limit, err))
			return -1;
	/* A running job gives up nodes through Slurm, which ends its steps there. */
	if (b->state == RSPB_ACTIVE && !b->grants[0].share && ask->n_jobs == 1)
		return rspb_job_shrink(ask->jobs[0], b->grants[0].nodes, err);
	/* The number of nodes can change only for one pending job of whole nodes. */
	if (b->state == RSPB_ACTIVE || b->grants[0].share || ask->n_jobs > 1 || nodes == size)
		return 0;
	if (!rspb_job_find(ask->jobs[0], &job))
		return rspb_fail(err, "its job no longer exists");
	/* The contract has what a job asks for that is fitted to fewer nodes. */
	shape = (struct rspb_job_size){ .nodes = nodes,
					.nodes_max = size,
					.tasks = had->cpus ? had->tasks : job.tasks,
					.cpus = had->cpus ? had->cpus : job.cpus };
	if (rspb_job_make_so(ask->jobs[0], &(struct rspb_job_wanted){ .size = &shape }, err))
		return -1;
	c->size = nodes;
	/* The size in Slurm is the requested one now, so there is no size to return to. */
	ask->contracts[0].terms.tasks = ask->contracts[0].terms.cpus = 0;
	return 0;
}

/* Make Slurm agree with b, as rspb_propose() requires: with the terms, or, if that failed, with
 * what was booked. The features and needs come first, because Slurm judges the other steps by
 * them. */
static int place(struct rspb_proposed *one, const struct rspb_booking *b,
		 struct rspb_proposal *proposal, struct rspb_err *err)
{
	struct rspb_change *c = one->from;

	if (feature_fit(one, b, err))
		return -1;
	if (!one->ask.n_jobs)
		return rspb_operator_place(c->work->inquiry.reservation, b, err);
	return fit_jobs(one, b, err) ? -1 : rspb_edit_place(one, b, proposal, err);
}

/* Charge running bookings for the time with more nodes. The number of nodes that is charged at the
 * end is the last one. The section is a new one, since rspb_propose() has left its own. */
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

/* Tell the ask what the jobs get with the new terms (fit_jobs()), because the journal has that
 * before Slurm does. */
static void announce(struct rspb_change *c)
{
	const struct rspb_booking *old = c->draft.old, *is = c->draft.new;

	/* Reshaping starts from the size that the job has in Slurm, which is that of the old
	 * booking. */
	c->size = old->request->parts[0].nodes;
	if (is->request->duration != old->request->duration)
		c->ask.limit = is->request->duration;
	if (c->ask.n_jobs == 1 && is->state == RSPB_BOOKED && !is->grants[0].share &&
	    is->request->parts[0].nodes != c->size) {
		c->ask.nodes = is->request->parts[0].nodes;
		c->ask.nodes_had = c->size;
	}
}

bool rspb_changes_make(struct rspb_changes *all)
{
	struct rspb_proposal *p = &all->proposal;
	enum rspb_proposal_end end;

	/* The requester waits for the answer, so the proposal fails if the journal cannot be
	 * written (answered). */
	*p = (struct rspb_proposal){ .why = RSPB_REASON_CHANGED(all->by_owner),
				     .answered = true,
				     .place = place };
	for (size_t i = 0; i < all->n; i++) {
		struct rspb_change *c = &all->items[i];

		announce(c);
		/* The bookings and the ask go over to the proposal, so the drafts have none any
		 * more. */
		if (rspb_replan_propose(&c->draft, &c->ask, c, p))
			return rspb_changes_fail(all, "out of memory");
	}
	end = rspb_propose(p);
	/* A running booking is charged for the given back nodes only when the change is certain. */
	if (end == RSPB_PROPOSAL_MADE) {
		charge(all);
		return true;
	}
	return rspb_change_refuse(&all->items[p->refused],
				  end == RSPB_PROPOSAL_REFUSED ? "no" : "not-now", p->err.text);
}
