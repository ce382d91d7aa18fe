/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/socket/changes.h"

#include <inttypes.h>
#include <stdio.h>

#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/base/breath.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/durable/durable.h"
#include "plugins/ctld/jobs/charge.h"
#include "plugins/ctld/jobs/edit.h"
#include "plugins/ctld/operators/internal.h"
#include "plugins/ctld/socket/feature.h"

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

bool rspb_change_refuse(const struct rspb_change *c, const char *kind,
			const char *why)
{
	rspb_change_aim(c);
	rspb_work_refuse(c->work, kind, why);
	return false;
}

/* --- with the write lock --------------------------------------------------- */

/* Its jobs are as a booking wants them. */
static int fit_jobs(struct rspb_change *c, const struct rspb_booking *b,
		    struct rspb_err *err)
{
	uint32_t nodes = b->request->parts[0].nodes;
	int64_t limit = c->limit;
	struct rspb_job job;

	/* Said first: where a later component cannot have it, all are set back. */
	c->limit = b->request->duration;
	for (uint32_t i = 0; limit != c->limit && i < c->ask.n_jobs; i++)
		if (rspb_job_set_limit(c->ask.jobs[i], c->limit, b->end, err))
			return -1;
	if (b->state == RSPB_ACTIVE && !b->grants[0].share &&
	    c->ask.n_jobs == 1)
		return rspb_job_shrink(c->ask.jobs[0], b->grants[0].nodes, err);
	if (b->state == RSPB_ACTIVE || b->grants[0].share ||
	    c->ask.n_jobs > 1 || nodes == c->size)
		return 0;
	if (!rspb_job_find(c->ask.jobs[0], &job))
		return rspb_fail(err, "its job is gone");
	if (rspb_job_shape(c->ask.jobs[0], nodes,
			   &(struct rspb_job_size){ .nodes_max = c->size,
						    .tasks = job.tasks,
						    .cpus = job.cpus },
			   err))
		return -1;
	c->size = nodes;
	/* What it was fitted from is no more. */
	c->ask.contracts[0].tasks = c->ask.contracts[0].cpus = 0;
	return 0;
}

static int place(const struct rspb_booking *b, void *arg, struct rspb_err *err)
{
	struct rspb_change *c = arg;

	if (rspb_feature_fit(c, b, err))
		return -1;
	if (!c->ask.n_jobs)
		return rspb_operator_place(c->work->inquiry.reservation, b,
					   err);
	return fit_jobs(c, b, err)
		       ? -1
		       : rspb_job_edit_place(&c->edit, &c->ask, b, err);
}

/* Whether all is still as it was looked at, and what is new to it free. */
static bool still_so(struct rspb_changes *all, const struct rspb_edit *edit)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(),
							edit->old->request->id);

	return b && b->state == edit->old->state &&
	       b->start == edit->old->start && b->end == edit->old->end &&
	       b->decided_at == edit->old->decided_at &&
	       rspb_since_leaves(&all->since, edit->new);
}

static void name_it(const struct rspb_edit *edit, char who[64])
{
	snprintf(who, 64, "booking %" PRIu64 ", changed by its owner",
		 edit->old->request->id);
}

/* RET false: it is as it was, which was said. */
static bool apply(struct rspb_changes *all, struct rspb_change *c)
{
	struct rspb_edit *edit = &c->edit;
	char who[64];

	if (!still_so(all, edit))
		return rspb_change_refuse(
			c, "not-now",
			"something has changed meanwhile; try again");
	rspb_book_advance(edit->now);
	name_it(edit, who);
	c->size = edit->old->request->parts[0].nodes;
	c->limit = edit->old->request->duration;
	if (!rspb_edit_apply(edit, who, place, c))
		return rspb_change_refuse(c, "no", edit->why.text);
	if (edit->old->state == RSPB_ACTIVE)
		rspb_charge_given_back(edit->old, edit->new, edit->now);
	return true;
}

/* The first n are as they were again: another cannot be. */
static void undo(struct rspb_changes *all, size_t n)
{
	struct rspb_section section;
	char who[64];

	while (n && rspb_section_enter(&section, RSPB_LOCK_WRITE, "undo")) {
		do {
			struct rspb_change *c = &all->items[--n];

			name_it(&c->edit, who);
			rspb_fail(&c->edit.why, "%s", all->work->err.text);
			rspb_edit_undo(&c->edit, who, place, c);
		} while (n && !rspb_section_spent(&section));
		rspb_section_leave(&section);
	}
}

static bool apply_all(struct rspb_changes *all)
{
	struct rspb_section section;
	bool good = true;
	size_t i = 0;

	while (good && i < all->n) {
		if (i)
			rspb_breathe();
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "modify")) {
			good = rspb_changes_fail(all,
						 "slurmctld is going down");
			break;
		}
		rspb_since_again(&all->since);
		do {
			good = apply(all, &all->items[i]);
			i += good;
		} while (good && i < all->n && !rspb_section_spent(&section));
		rspb_section_leave(&section);
	}
	if (!good)
		undo(all, i);
	return good;
}

/* --- as a whole ------------------------------------------------------------ */

/* Into the journal. RET false: the disk fails, which was said. */
static bool promise_all(struct rspb_changes *all)
{
	char why[RSPB_ERR_TEXT];
	struct rspb_err err;
	bool any = false;

	for (size_t i = 0; i < all->n; i++)
		any |= rspb_edit_note(&all->items[i].edit, &all->items[i].ask,
				      false);
	if (!any || !rspb_durable_sync(all->now, &err))
		return true;
	snprintf(why, sizeof(why), "nothing can be changed now: %.250s",
		 err.text);
	return rspb_change_refuse(&all->items[0], "not-now", why);
}

static void withdraw_all(struct rspb_changes *all)
{
	bool any = false;

	for (size_t i = 0; i < all->n; i++) {
		all->items[i].ask.features = NULL;
		any |= rspb_edit_note(&all->items[i].edit, &all->items[i].ask,
				      true);
	}
	if (any)
		rspb_durable_sync(all->now, NULL);
}

bool rspb_changes_make(struct rspb_changes *all)
{
	bool good;

	if (!promise_all(all))
		return false;
	rspb_since_init(&all->since, all->items[0].edit.config, all->now,
			all->items[0].edit.seen);
	good = apply_all(all);
	if (!good)
		withdraw_all(all);
	rspb_since_fini(&all->since);
	return good;
}
