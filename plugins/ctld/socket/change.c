/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/socket/change.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/conf/limits.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/book/no_show.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/edit.h"
#include "plugins/ctld/decide/revision.h"
#include "plugins/ctld/decide/since.h"
#include "plugins/ctld/jobs/commit.h"
#include "plugins/ctld/jobs/edit.h"
#include "plugins/ctld/jobs/finish.h"
#include "plugins/ctld/operators/internal.h"
#include "plugins/ctld/requests/hours.h"
#include "plugins/ctld/requests/limits.h"
#include "plugins/ctld/socket/again.h"
#include "plugins/ctld/socket/reserve.h"
#include "plugins/ctld/socket/share.h"
#include "plugins/ctld/socket/terms.h"

/* A booking that its owner wants otherwise. */
struct change {
	struct rspb_work *work;
	struct rspb_edit edit;
	struct rspb_ask ask;
	uint32_t nodes; /* of its job by now, 0: they stay */
	uint32_t size;	/* likewise: for how many it was made */
	int64_t limit;	/* of its jobs by now, s */
};

/* With at least the read lock. RET the booking that is the caller's to change,
 * NULL: there is none, which was said unless it may be one that was declined. */
static const struct rspb_booking *find(struct rspb_work *work)
{
	const struct rspb_booking *b = rspb_reserve_booking(work);

	if (!b || rspb_state_final(b->state)) {
		rspb_work_refuse(work, "unknown", "it has no booking");
		return NULL;
	}
	if (b->request->user == work->who.uid || work->who.privileged)
		return b;
	if (work->who.sees_all)
		rspb_work_refuse(work, "denied", "it is not yours");
	else
		rspb_work_refuse(work, "unknown", "it has no booking");
	return NULL;
}

/* With the read lock. RET false: it cannot be changed, which was said. */
static bool look(struct change *c, const struct rspb_booking *b,
		 const struct rspb_config *config, int64_t now)
{
	struct rspb_edit *edit = &c->edit;

	if (rspb_edit_init(edit, b, config, now) ||
	    !rspb_kind_of(b->request)->involve(&c->ask, b->request)) {
		rspb_work_refuse(c->work, "not-now",
				 "its job is not there as it should");
		return false;
	}
	if (rspb_job_edit_waits(b, now) ||
	    (b->state == RSPB_BOOKED &&
	     b->start <= now + RSPB_EDIT_TOO_LATE_S)) {
		rspb_work_refuse(
			c->work, "not-now",
			"it is about to start, or is being changed; try again "
			"in a few seconds");
		return false;
	}
	return true;
}

/* --- what there is --------------------------------------------------------- */

/* As if the old booking were not. */
static int check_grant(struct rspb_edit *edit)
{
	const uint64_t id = edit->old->request->id;
	const struct rspb_record cancel = {
		.kind = RSPB_REC_EVENT,
		.time = edit->now,
		.id = id,
		.event = edit->old->state == RSPB_ACTIVE ? RSPB_EV_TERMINATE
							 : RSPB_EV_CANCEL,
	};
	struct rspb_ledger *ledger = rspb_ledger_clone(rspb_book_ledger());
	int rc = -1;

	if (ledger && !rspb_ledger_apply(ledger, &cancel, &edit->why))
		rc = rspb_limits_grant(
			ledger, edit->new,
			rspb_no_show_held(edit->old->request->user, edit->now),
			edit->config, &edit->why);
	rspb_ledger_destroy(ledger);
	return rc;
}

/* Whether it is near enough its end to be made longer. */
static int check_length(const struct rspb_edit *edit, struct rspb_err *err)
{
	int64_t within = edit->config->extend_within;
	const struct rspb_booking *old = edit->old;

	if (!within || edit->request->duration <= old->end - old->start ||
	    old->end - edit->now <= within)
		return 0;
	return rspb_fail(err,
			 "it can be made longer in the last %" PRId64
			 " hours before its end alone (ExtendWithin)",
			 within / 3600);
}

static int check_request(struct rspb_edit *edit)
{
	struct rspb_config config = *edit->config;

	/* The length of a booking, again and again. */
	if (config.extend_within && config.max_duration)
		config.max_duration += edit->old->end - edit->old->start;
	/* How long ago it was asked for is no reason to leave it as it is. */
	if (edit->request->ready <= edit->old->start)
		config.min_notice = 0;
	/* Of what is only made longer or larger the hours do not matter. */
	if (edit->request->ready != edit->old->request->ready &&
	    edit->request->ready != edit->old->start &&
	    rspb_hours_judge(edit->request, &config, &edit->why))
		return -1;
	if (check_length(edit, &edit->why))
		return -1;
	return rspb_limits_request(edit->request, &config,
				   rspb_ledger_nodes(rspb_book_ledger()),
				   edit->now, &edit->why);
}

static void plan(struct change *c)
{
	struct rspb_edit *edit = &c->edit;
	struct rspb_ledger *basis;
	bool grows;

	if (rspb_terms_set(edit, &c->work->inquiry))
		return;
	grows = rspb_terms_grow(edit);
	if (grows && check_request(edit))
		return;
	basis = rspb_basis_make(edit->config, edit->now);
	if (!basis) {
		rspb_fail(&edit->why, "there is no snapshot of the cluster");
		return;
	}
	rspb_terms_plan(edit, basis);
	rspb_ledger_destroy(basis);
	if (!edit->new)
		return;
	edit->new->decided_at = edit->now;
	if (grows && check_grant(edit)) {
		rspb_booking_destroy(edit->new);
		edit->new = NULL;
		return;
	}
	edit->new->decided_at = edit->old->decided_at;
	rspb_revision_number(edit->new, edit->now);
	snprintf(edit->new->reason, sizeof(edit->new->reason),
		 "changed by its owner");
}

/* --- with the write lock --------------------------------------------------- */

/* Its jobs are as a booking wants them. */
static int fit_jobs(struct change *c, const struct rspb_booking *b,
		    struct rspb_err *err)
{
	uint32_t nodes = b->request->parts[0].nodes;
	struct rspb_job job;

	for (uint32_t i = 0; i < c->ask.n_jobs; i++)
		if (b->request->duration != c->limit &&
		    rspb_job_set_limit(c->ask.jobs[i], b->request->duration,
				       b->end, err))
			return -1;
	c->limit = b->request->duration;
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
	struct change *c = arg;

	if (!c->ask.n_jobs)
		return rspb_operator_place(c->work->inquiry.reservation, b,
					   err);
	if (fit_jobs(c, b, err))
		return -1;
	for (uint32_t i = 0; i < b->n_grants; i++)
		if (rspb_commit_again(&c->ask, b, i, c->edit.config, err))
			return -1;
	if (b->state == RSPB_ACTIVE)
		rspb_kind_of(b->request)
			->follow(&(struct rspb_followed){
				.ask = &c->ask,
				.booking = b,
				.why = b->reason,
				.now = c->edit.now,
				.config = c->edit.config,
			});
	return 0;
}

/* Whether all is still as it was looked at, and what is new to it free. */
static bool still_so(struct change *c)
{
	struct rspb_edit *edit = &c->edit;
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(),
							edit->old->request->id);
	struct rspb_since since;
	bool good;

	if (!b || b->state != edit->old->state ||
	    b->start != edit->old->start || b->end != edit->old->end ||
	    b->decided_at != edit->old->decided_at)
		return false;
	rspb_since_init(&since, edit->config, edit->now);
	good = rspb_since_leaves(&since, edit->new);
	rspb_since_fini(&since);
	return good;
}

static void say_done(struct change *c)
{
	const struct rspb_booking *b = c->edit.new;
	uint32_t nodes = 0;
	char window[RSPB_WINDOW_TEXT];

	for (uint32_t i = 0; i < b->n_grants; i++)
		nodes += rspb_nodeset_count(b->grants[i].nodes);
	rspb_report_window(b->start, b->end, window, sizeof(window));
	snprintf(c->work->said, sizeof(c->work->said), "booked %s on %u node%s",
		 window, nodes, nodes == 1 ? "" : "s");
	c->work->done = true;
}

static void apply(struct change *c)
{
	struct rspb_edit *edit = &c->edit;
	char who[64];

	if (!still_so(c)) {
		rspb_work_refuse(c->work, "not-now",
				 "something has changed meanwhile; try again");
		return;
	}
	rspb_book_advance(edit->now);
	snprintf(who, sizeof(who), "booking %" PRIu64 ", changed by its owner",
		 edit->old->request->id);
	c->size = edit->old->request->parts[0].nodes;
	c->limit = edit->old->request->duration;
	if (rspb_edit_apply(edit, who, place, c))
		say_done(c);
	else
		rspb_work_refuse(c->work, "no", edit->why.text);
}

static void modify_booking(struct change *c)
{
	struct rspb_section section;

	rspb_ask_user(&c->ask);
	for (uint32_t i = 0; i < c->ask.n_jobs; i++)
		c->ask.contracts[i].held = 0;
	plan(c);
	if (!c->edit.new) {
		rspb_work_refuse(c->work, "no", c->edit.why.text);
		return;
	}
	rspb_edit_promise(&c->edit, &c->ask, true);
	if (!c->edit.new) {
		rspb_work_refuse(c->work, "not-now", c->edit.why.text);
	} else if (rspb_section_enter(&section, RSPB_LOCK_WRITE, "modify")) {
		apply(c);
		rspb_section_leave(&section);
	} else {
		rspb_work_refuse(c->work, "not-now", "slurmctld is going down");
	}
	if (!c->work->done)
		rspb_edit_withdraw(&c->edit, &c->ask);
}

void rspb_change_modify(struct rspb_work *work,
			const struct rspb_config *config, int64_t now)
{
	struct change c = { .work = work };
	struct rspb_section section;
	const struct rspb_booking *b;
	bool found = false, again, asks, share = false;

	if (!rspb_book_ledger() ||
	    !rspb_section_enter(&section, RSPB_LOCK_READ, "modify")) {
		rspb_work_refuse(work, "not-ready",
				 "slurmctld has just begun, or ends");
		return;
	}
	again = rspb_again_is(work);
	asks = rspb_reserve_again_is(work, now);
	b = again || asks ? NULL : find(work);
	share = b && rspb_share_alone(&work->inquiry, b);
	if (b && !share)
		found = look(&c, b, config, now);
	rspb_section_leave(&section);
	if (again)
		rspb_again_ask(work, config, now);
	else if (asks)
		rspb_reserve_again(work, config, now);
	else if (share)
		rspb_share_modify(work, config, now);
	else if (found)
		modify_booking(&c);
	rspb_edit_fini(&c.edit);
	rspb_ask_fini(&c.ask);
}

/* --- giving back ------------------------------------------------------------ */

static void release(struct rspb_work *work, const struct rspb_booking *b,
		    const struct rspb_config *config, int64_t now)
{
	struct rspb_config ordinary = *config;
	struct rspb_jobs_now jobs;
	struct rspb_err why;
	const char *what;

	rspb_jobs_look(b, &jobs);
	if (jobs.running) {
		rspb_work_refuse(work, "no",
				 "its job runs; cancel it, or shorten it with "
				 "modify --time");
		return;
	}
	ordinary.on_decline = RSPB_DECLINE_ORDINARY;
	what = rspb_jobs_late(b, RSPB_GIVEN_BACK, config, now, &why);
	snprintf(work->said, sizeof(work->said), "%s%s",
		 jobs.pending ? "its job goes on as an ordinary one"
			      : "what is left of its window is free",
		 what);
	if (jobs.pending)
		rspb_jobs_give_up(b, why.text, &ordinary, now);
	else
		rspb_jobs_finish(b, RSPB_EV_TERMINATE, RSPB_TERMINATED, now,
				 why.text);
	work->done = true;
}

void rspb_change_release(struct rspb_work *work,
			 const struct rspb_config *config, int64_t now)
{
	struct rspb_section section;
	const struct rspb_booking *b;

	if (work->inquiry.reservation[0]) {
		rspb_reserve_release(work, config, now);
		return;
	}
	if (!rspb_book_ledger() ||
	    !rspb_section_enter(&section, RSPB_LOCK_WRITE, "release")) {
		rspb_work_refuse(work, "not-ready",
				 "slurmctld has just begun, or ends");
		return;
	}
	b = find(work);
	if (b)
		release(work, b, config, now);
	rspb_section_leave(&section);
}
