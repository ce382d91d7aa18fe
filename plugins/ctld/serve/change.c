/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans the changes that owners request, all or none. changes.c makes them real. */
#include "plugins/ctld/serve/owners.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/observe/following.h"

/* --- what there is --------------------------------------------------------- */

/* RET the node that a running job cannot give up: that of its script, else its first; -1: there is
 * none. */
static int64_t node_of_script(uint32_t id)
{
	struct rspb_nodeset *nodes = rspb_nodeset_create(rspb_node_width());
	struct rspb_job job;
	int64_t first = -1;
	uint32_t node;

	if (nodes && rspb_job_find(id, &job) && job.phase == RSPB_JOB_RUNNING && !job.suspended &&
	    rspb_job_nodes(&job, RSPB_JOB_HOLDS, nodes)) {
		first = rspb_nodeset_next(nodes, 0);
		node = job.script_on ? rspb_node_find(job.script_on) : nodes->width;
		if (node < nodes->width && rspb_nodeset_has(nodes, node))
			first = node;
	}
	rspb_nodeset_destroy(nodes);
	return first;
}

/* Begin the draft of one change from what is booked now. The draft holds copies only, so it stays
 * valid when the lock is released. The caller holds the read lock. RET false: it cannot be changed,
 * and the reason was given. */
static bool look_at_booking(struct rspb_change *c, const struct rspb_booking *b,
			    const struct rspb_config *config, int64_t now)
{
	struct rspb_replan *draft = &c->draft;

	if (rspb_replan_init(draft, b, config, now) || !rspb_ask_involve(&c->ask, b->request))
		return rspb_change_refuse(c, "not-now", "its job no longer exists");
	/* A running job can give up nodes, but not the one on which its script runs. A
	 * heterogeneous job keeps its nodes. */
	if (c->ask.n_jobs == 1 && b->state == RSPB_ACTIVE)
		draft->first = node_of_script(c->ask.jobs[0]);
	/* A change of the same booking that Slurm already has is decided first, and a start that is
	 * so near is not moved any more. */
	if (rspb_edit_waits(b, now) ||
	    (b->state == RSPB_BOOKED && b->start <= now + RSPB_REPLAN_TOO_LATE_S))
		return rspb_change_refuse(c, "not-now",
					  "it is about to start, or is being changed; try "
					  "again in a few seconds");
	return true;
}

static int by_start(const void *a, const void *b)
{
	const struct rspb_change *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static int backwards(const void *a, const void *b)
{
	return by_start(b, a);
}

/* Find the i-th booking and check the requester's right to it. by_owner becomes that of the last
 * one looked at; it only chooses the reason that contracts show. RET NULL: it is not the caller's,
 * and the reason was given. */
static const struct rspb_booking *aim_at(struct rspb_changes *all, size_t i)
{
	const struct rspb_booking *b;

	rspb_change_aim(&all->items[i]);
	b = rspb_reserve_own(all->work);
	all->by_owner = b && b->request->user == all->work->who.uid;
	return b;
}

/* Begin the drafts of all bookings, in the order in which they are planned. Bookings that are moved
 * later are planned from the last one on, so that each finds the place of the next one already
 * empty. Two passes are needed, since sorting needs the start of each. The read lock is held. */
static bool look_all(struct rspb_changes *all)
{
	const struct rspb_booking *b;

	for (size_t i = 0; i < all->n; i++) {
		b = aim_at(all, i);
		if (!b)
			return false;
		all->items[i].start = b->start;
	}
	qsort(all->items, all->n, sizeof(*all->items),
	      all->work->inquiry.moved > 0 ? backwards : by_start);
	for (size_t i = 0; i < all->n; i++) {
		b = aim_at(all, i);
		if (!b || !look_at_booking(&all->items[i], b, all->config, all->now))
			return false;
	}
	return true;
}

/* --- what is to be --------------------------------------------------------- */

static void drop_new(struct rspb_replan *draft)
{
	rspb_booking_destroy(draft->new);
	draft->new = NULL;
}

/* Make the ledger to plan on: the book, other uses of nodes, and jobs that count against the limits
 * of these requests. The caller destroys it. RET NULL: the cluster's state is not known now. */
static struct rspb_ledger *basis_of(const struct rspb_changes *all)
{
	const struct rspb_request **requests = calloc(all->n, sizeof(*requests));
	struct rspb_ledger *basis = rspb_basis_make(all->config, all->now);

	for (size_t i = 0; requests && i < all->n; i++)
		requests[i] = all->items[i].draft.old->request;
	if (!requests || !basis || rspb_holds_add(basis, requests, all->n, all->now)) {
		rspb_ledger_destroy(basis);
		basis = NULL;
	}
	free(requests);
	return basis;
}

/* Make the ledgers when the first plan needs them. Inquiries that are refused before do not pay for
 * a copy. The copy of the book alone is for limits: the basis has other uses of nodes, which are
 * not bookings and must not count. */
static bool have_ledgers(struct rspb_changes *all, struct rspb_replan *draft)
{
	if (!all->basis)
		all->basis = basis_of(all);
	if (!all->book && all->n > 1)
		all->book = rspb_ledger_clone(rspb_book_ledger());
	if (all->basis && (all->book || all->n == 1))
		return true;
	rspb_fail(&draft->why, "the state of the cluster is not known yet; try again in a few "
			       "seconds");
	return false;
}

/* Enter a planned change into both copies, so that the next one is planned beside it. The bookings
 * of one inquiry cannot take each other's nodes or exceed the limits together. */
static void keep(struct rspb_changes *all, struct rspb_replan *draft)
{
	const struct rspb_record record = { .kind = RSPB_REC_CHANGE,
					    .time = draft->now,
					    .booking = draft->new };

	if (rspb_ledger_apply(all->basis, &record, &draft->why) ||
	    rspb_ledger_apply(all->book, &record, &draft->why))
		drop_new(draft);
}

/* Plan one change. The terms come first, since the size and features are checked against the new
 * number of nodes. If nothing is planned, draft->new stays NULL and draft->why has the reason. No
 * lock is held; the steps take those that they need. */
static void plan(struct rspb_changes *all, struct rspb_change *c)
{
	struct rspb_replan *draft = &c->draft;
	bool grows;

	if (rspb_terms_set(draft, &c->work->inquiry) || rspb_feature_look(c) || rspb_size_look(c) ||
	    rspb_hand_look(c))
		return;
	/* A change to less needs no permission: a user beyond today's limits may still reduce a
	 * booking. */
	grows = c->eligible || c->sized || rspb_terms_grow(draft);
	if ((grows && rspb_admit_request(draft)) || !have_ledgers(all, draft))
		return;
	/* The basis of a later one of several contains plans that nobody has recorded. Such a
	 * decision could not be repeated from the journal of decisions. */
	draft->unnoted = all->n > 1;
	rspb_terms_plan(draft, all->basis);
	if (!draft->new)
		return;
	if (grows && rspb_admit_grant(draft, all->n > 1 ? all->book : rspb_book_ledger())) {
		drop_new(draft);
		return;
	}
	if (all->n > 1)
		keep(all, draft);
}

/* Plan all changes in order. RET false: one of them is not possible, and the reason was given. */
static bool plan_all(struct rspb_changes *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct rspb_change *c = &all->items[i];

		/* A plan may take long, and starts must not wait. No pointer into the ledger is
		 * kept: drafts are copies, and rspb_propose() compares them with the book again. */
		if (i)
			rspb_breathe();
		rspb_change_aim(c);
		rspb_ask_user(&c->ask);
		/* An owner who changes a held offer accepts it; the contract must not let it
		 * expire. */
		for (uint32_t j = 0; j < c->ask.n_jobs; j++)
			c->ask.contracts[j].held = 0;
		plan(all, c);
		if (!c->draft.new)
			return rspb_change_refuse(c, "no", c->draft.why.text);
	}
	return true;
}

/* Tell the requester what is booked now. What is taken of each node is told, too, because a changed
 * size can change it on the same nodes. */
static void say_done(struct rspb_changes *all)
{
	const struct rspb_booking *b = all->proposal.items[0].terms;
	struct rspb_work *work = all->work;
	struct rspb_text said = rspb_text_over(work->said, sizeof(work->said));
	struct rspb_section section;
	char window[RSPB_WINDOW_TEXT];

	work->done = true;
	if (all->n > 1) {
		rspb_text_add(&said, "%zu bookings are changed", all->n);
		return;
	}
	rspb_report_times(b->start, b->end, window, sizeof(window));
	rspb_text_add(&said, "booked from %s", window);
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "modified"))
		return;
	rspb_text_add(&said, " on ");
	rspb_report_granted(b, &said);
	rspb_section_leave(&section);
}

static void modify_bookings(struct rspb_changes *all)
{
	if (plan_all(all) && rspb_changes_make(all))
		say_done(all);
}

/* Add to the error that no booking was changed. Without it, the requester would have to look at
 * each of a series. */
static void say_none(struct rspb_work *work)
{
	const struct rspb_err why = work->err;

	rspb_fail(&work->err, "%.240s; none of the %u bookings is changed", why.text,
		  work->inquiry.jobs.n);
}

/* Allocate an entry for each booking, empty until look_all(). */
static bool make_items(struct rspb_changes *all)
{
	const struct rspb_inquiry *q = &all->work->inquiry;

	all->n = q->jobs.n ? q->jobs.n : 1;
	all->items = calloc(all->n, sizeof(*all->items));
	for (size_t i = 0; all->items && i < all->n; i++) {
		all->items[i].work = all->work;
		all->items[i].id = q->jobs.n ? q->jobs.ids[i] : (uint64_t) q->job;
	}
	return all->items || rspb_changes_fail(all, "out of memory");
}

static void fini(struct rspb_changes *all)
{
	for (size_t i = 0; all->items && i < all->n; i++) {
		rspb_replan_fini(&all->items[i].draft);
		rspb_ask_fini(&all->items[i].ask);
		rspb_nodeset_destroy(all->items[i].eligible);
		free(all->items[i].features);
	}
	free(all->items);
	rspb_proposal_fini(&all->proposal);
	rspb_ledger_destroy(all->basis);
	rspb_ledger_destroy(all->book);
}

/* Check whether only another share is requested. A share can change while its job runs, which
 * share_change.c plans; with any other member the booking is planned as a whole. */
static bool share_alone(const struct rspb_inquiry *inquiry, const struct rspb_booking *booking)
{
	return inquiry->terms.share && !inquiry->terms.nodes && !inquiry->terms.duration &&
	       !inquiry->terms.ready && !inquiry->terms.deadline && !inquiry->has_features &&
	       !inquiry->uid && !rspb_size_said(inquiry) && booking->n_grants &&
	       booking->grants[0].share;
}

/* Change the share of the requester's bookings, all or none, and answer. Running bookings can be
 * changed, too. No lock is held. */
static void modify_share(const struct rspb_changes *all)
{
	struct rspb_work *work = all->work;
	struct rspb_inquiry *q = &work->inquiry;
	const uint32_t one = (uint32_t) q->job, *jobs = q->jobs.n ? q->jobs.ids : &one;
	size_t n = q->jobs.n ? q->jobs.n : 1, done;
	struct rspb_err err;

	done = rspb_share_change_make(jobs, n, q->terms.share, all->by_owner, all->config, all->now,
				      &err);
	/* Name the job that cannot have the share in the answer. */
	if (done < n) {
		q->job = jobs[done];
		rspb_work_refuse(work, "no", err.text);
		return;
	}
	if (n > 1)
		snprintf(work->said, sizeof(work->said), "%zu bookings are changed", n);
	else
		snprintf(work->said, sizeof(work->said), "booked with %g%% of each node",
			 (double) q->terms.share / 100);
	work->done = true;
}

/* The action for one job or reservation. */
enum way { REFUSED, AGAIN, RESERVE_AGAIN, SHARE, BOOKED };

/* Check whether only another share is requested, of bookings that all have one. The caller holds
 * the read lock. */
static bool are_shares(struct rspb_changes *all)
{
	const struct rspb_booking *b;

	for (size_t i = 0; i < all->n; i++) {
		b = aim_at(all, i);
		if (!b || !share_alone(&all->work->inquiry, b))
			return false;
	}
	return true;
}

/* Refuse to change a booking that is not as the requester has seen it. A page may have shown it
 * minutes ago, and another user or a failed node may have changed it since. The caller holds the
 * read lock. RET false: it was refused. */
static bool is_as_expected(struct rspb_changes *all)
{
	const struct rspb_inquiry_expect *expect = &all->work->inquiry.expect;
	char window[RSPB_WINDOW_TEXT], why[RSPB_ERR_TEXT];
	const struct rspb_booking *b;

	if (!expect->said)
		return true;
	if (rspb_anew_is(all->work) || rspb_reserve_again_is(all->work, all->now))
		return rspb_change_refuse(&all->items[0], "changed", "it no longer has a booking");
	b = aim_at(all, 0);
	if (!b)
		return false;
	if ((!expect->start || b->start == expect->start) &&
	    (!expect->end || b->end == expect->end) &&
	    (!expect->nodes || rspb_booking_nodes(b) == expect->nodes))
		return true;
	rspb_report_times(b->start, b->end, window, sizeof(window));
	snprintf(why, sizeof(why),
		 "it was changed in the meantime and is now booked from %s on %u node%s", window,
		 rspb_booking_nodes(b), rspb_booking_nodes(b) == 1 ? "" : "s");
	return rspb_change_refuse(&all->items[0], "changed", why);
}

/* Choose the action for the inquiry. The caller holds the read lock. Each action takes locks of its
 * own later, and looks again. */
static enum way look_at(struct rspb_changes *all)
{
	bool one = !all->work->inquiry.jobs.n;

	if (!is_as_expected(all))
		return REFUSED;
	if (one && rspb_anew_is(all->work))
		return AGAIN;
	if (one && rspb_reserve_again_is(all->work, all->now))
		return RESERVE_AGAIN;
	if (are_shares(all))
		return SHARE;
	return look_all(all) ? BOOKED : REFUSED;
}

/* Refuse an accepted offer whose start has passed. Without this check, the start would become the
 * next second, which is not what was offered. */
static bool is_past(struct rspb_changes *all)
{
	const struct rspb_inquiry *q = &all->work->inquiry;
	char began[32];
	struct rspb_text text = rspb_text_over(began, sizeof(began));

	if (!q->exact || !q->terms.ready || q->terms.ready > all->now)
		return false;
	rspb_text_add_time(&text, q->terms.ready);
	all->work->kind = "no";
	rspb_fail(&all->work->err,
		  "that offer was for %s, which has passed; rspb offers lists what is available "
		  "now",
		  began);
	return true;
}

/* Look at the bookings under the read lock, and act without it. Planning takes milliseconds per
 * booking, and the actions need the write lock only for short steps. */
static void modify(struct rspb_changes *all)
{
	struct rspb_section section;
	enum way way;

	if (is_past(all))
		return;
	if (!rspb_book_ledger() || !rspb_section_enter(&section, RSPB_LOCK_READ, "modify")) {
		rspb_changes_fail(all, "slurmctld is starting or shutting down; try again in a "
				       "few seconds");
		all->work->kind = "not-ready";
		return;
	}
	way = look_at(all);
	rspb_section_leave(&section);
	if ((way == AGAIN || way == RESERVE_AGAIN) && all->work->inquiry.uid)
		rspb_work_refuse(all->work, "no",
				 "it has no booking that can be given to another user");
	/* An offer may name fewer tasks, which is not a change of the job's size. */
	else if ((way == AGAIN || way == RESERVE_AGAIN) && rspb_size_said(&all->work->inquiry) &&
		 !all->work->inquiry.exact)
		rspb_work_refuse(all->work, "no",
				 "it has no booking; scontrol update changes "
				 "what its job needs");
	else if (way == AGAIN)
		rspb_anew_ask(all->work, all->config, all->now);
	else if (way == RESERVE_AGAIN)
		rspb_reserve_again(all->work, all->config, all->now);
	else if (way == SHARE)
		modify_share(all);
	else if (way == BOOKED)
		modify_bookings(all);
}

void rspb_change_modify(struct rspb_work *work, const struct rspb_config *config, int64_t now)
{
	struct rspb_changes all = { .work = work, .config = config, .now = now };

	if (make_items(&all))
		modify(&all);
	if (!work->done && work->inquiry.jobs.n > 1)
		say_none(work);
	fini(&all);
}
