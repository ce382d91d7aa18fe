/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one way to change existing bookings: journal, a second look under the lock, the ledger,
 * Slurm. It knows neither the proposer nor any kind. Only the agent's thread runs this file, so
 * between two lock sections the ledger changes at yield points alone. */
#include "plugins/ctld/decide/proposal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/record/durable.h"

/* Fills a proposal with the standing bookings that a plan has differently from the ledger. */

static void item_fini(struct rspb_proposed *one)
{
	rspb_booking_destroy(one->was);
	rspb_booking_destroy(one->terms);
	rspb_ask_fini(&one->ask);
	*one = (struct rspb_proposed){ .was = NULL };
}

void rspb_proposal_fini(struct rspb_proposal *p)
{
	for (size_t i = 0; i < p->n; i++)
		item_fini(&p->items[i]);
	free(p->items);
	p->items = NULL;
	p->n = p->room = 0;
}

int rspb_proposal_add(struct rspb_proposal *p, struct rspb_proposed *one)
{
	if (rspb_array_grow(&p->items, &p->room, p->n + 1, sizeof(*p->items)))
		return -1;
	p->items[p->n++] = *one;
	*one = (struct rspb_proposed){ .was = NULL };
	return 0;
}

/* Fill in one change. RET false: the booking cannot change, or memory is short; it is left out
 * then. */
static bool item_fill(struct rspb_proposed *one, const struct rspb_booking *old,
		      const struct rspb_booking *new)
{
	const struct rspb_kind *kind = rspb_kind_of(old->request);
	bool lost = rspb_state_final(new->state);

	/* The booking has begun since the plan was made, which left it as it was. */
	if (old->state == RSPB_ACTIVE && new->state == RSPB_BOOKED)
		return false;
	/* A kind without lose() is never given up for others. */
	if ((lost && !kind->lose) || !rspb_ask_involve(&one->ask, old->request))
		return false;
	one->was = rspb_booking_clone(old);
	if (lost)
		return one->was;
	one->terms = rspb_booking_clone(new);
	return one->was && one->terms;
}

static void collect_all(struct rspb_proposal *p, const struct rspb_ledger *plan)
{
	const struct rspb_ledger *book = rspb_book_ledger();
	const struct rspb_booking *old, *new;
	size_t i = 0;

	while ((old = rspb_ledger_next_changed(book, plan, &i, &new))) {
		struct rspb_proposed *one = &p->items[p->n];

		if (item_fill(one, old, new))
			p->n++;
		else
			item_fini(one);
	}
}

int rspb_proposal_collect(struct rspb_proposal *p, const struct rspb_ledger *plan, int64_t now,
			  struct rspb_err *err)
{
	const struct rspb_ledger *book = rspb_book_ledger();
	struct rspb_section section;
	const struct rspb_booking *new;
	size_t i = 0, most = 0;

	p->now = now;
	p->seen = rspb_ledger_seen(plan);
	/* The list is allocated before the lock is taken. */
	while (rspb_ledger_next_changed(book, plan, &i, &new))
		most++;
	if (!most)
		return 0;
	p->items = calloc(most, sizeof(*p->items));
	if (!p->items)
		return rspb_fail(err, "out of memory");
	p->room = most;
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "look"))
		return rspb_fail(err, "slurmctld is shutting down");
	collect_all(p, plan);
	section.items = p->n;
	rspb_section_leave(&section);
	/* Names of users need no lock of Slurm. */
	for (i = 0; i < p->n; i++)
		rspb_ask_user(&p->items[i].ask);
	return 0;
}

/* For rspb_propose(): whether its place changes, and why it does. */
static void proposed_word(struct rspb_proposed *one, const char *why)
{
	one->elsewhere = one->terms && !rspb_booking_same_place(one->was, one->terms);
	if (!one->why[0])
		snprintf(one->why, sizeof(one->why), "%s", why);
	if (one->terms)
		rspb_booking_say(one->terms, one->why);
}

/* --- the journal ----------------------------------------------------------- */

/* Journal what a booking still has after its change has failed. If Slurm was asked to put it back,
 * its contract has a new text, which is that of the booking in the ledger. Else the contract as it
 * was is promised again. */
static void withdraw(struct rspb_proposed *one, bool placed)
{
	const struct rspb_kind *kind = rspb_kind_of(one->was->request);
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), one->was->request->id);

	one->ask.features = NULL;
	one->ask.needs = one->ask.needed;
	one->ask.limit = 0;
	one->ask.nodes = 0;
	if (!placed)
		kind->promise(&one->ask, NULL);
	else if (placed && b && !rspb_state_final(b->state))
		kind->promise(&one->ask, b);
}

/* Note the new terms in the journal, or, with `still`, what stays after changes failed. Needs no
 * write lock: no record of Slurm changes. RET whether there is anything to bring to the disk. */
static bool note(struct rspb_proposal *p, bool still)
{
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "promise"))
		return false;
	for (size_t i = 0; i < p->n; i++) {
		struct rspb_proposed *one = &p->items[i];
		const struct rspb_kind *kind = rspb_kind_of(one->was->request);

		if (still ? one->made || !one->noted : !one->terms)
			continue;
		if (still)
			withdraw(one, p->place);
		else
			kind->promise(&one->ask, one->terms);
		one->noted = true;
		section.items++;
	}
	rspb_section_leave(&section);
	return section.items;
}

/* Have the journal know the terms. If nobody waits for an answer, a disk that fails does not stop
 * the change. RET 0, or -1 with p->err. */
static int promise(struct rspb_proposal *p)
{
	struct rspb_err err;

	if (!note(p, false) || !rspb_durable_sync(p->now, p->answered ? &err : NULL) ||
	    !p->answered)
		return 0;
	return rspb_fail(&p->err, "nothing can be changed now: %.250s", err.text);
}

/* --- with the write lock held ---------------------------------------------- */

struct run {
	struct rspb_proposal *p;
	struct rspb_since since;
	struct rspb_section section;
	bool inside;
};

/* RET false: slurmctld is going down, or the nodes have other numbers, so that the agent makes
 * another ledger. */
static bool enter(struct run *run)
{
	run->inside = rspb_section_enter(&run->section, RSPB_LOCK_WRITE, "change");
	if (run->inside && !rspb_book_fits()) {
		rspb_section_leave(&run->section);
		run->inside = false;
	}
	return run->inside;
}

/* Between two items. RET false: slurmctld is going down, or the nodes have other numbers. */
static bool go_on(struct run *run)
{
	if (run->inside && rspb_section_spent(&run->section)) {
		rspb_section_leave(&run->section);
		rspb_breathe();
		rspb_since_again(&run->since);
		enter(run);
	}
	return run->inside;
}

/* "1 node", "2 nodes with 35%". */
static void size_text(const struct rspb_booking *b, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);

	for (uint32_t i = 0; i < b->n_grants; i++) {
		const struct rspb_grant *grant = &b->grants[i];
		uint32_t n = rspb_nodeset_count(grant->nodes);

		rspb_text_add(&out, "%s%u node%s", i ? " : " : "", n, n == 1 ? "" : "s");
		if (!grant->share)
			continue;
		rspb_text_add(&out, " with ");
		if (b->request->parts[i].whole)
			rspb_text_add(&out, "%u cores",
				      rspb_part_cores(&b->request->parts[i], grant->share));
		else
			rspb_text_add_percent(&out, grant->share);
	}
}

static const char *name(const struct rspb_proposal *p, const struct rspb_proposed *one,
			char text[128])
{
	snprintf(text, 128, "booking %" PRIu64 "%s%s", one->was->request->id, p->who ? ": " : "",
		 p->who ? p->who : "");
	return text;
}

static void log_made(const struct rspb_proposal *p, const struct rspb_proposed *one)
{
	char before[96], after[96], window[RSPB_WINDOW_TEXT], who[128];

	size_text(one->was, before, sizeof(before));
	size_text(one->terms, after, sizeof(after));
	rspb_report_window(one->terms->start, one->terms->end, NULL, window, sizeof(window));
	rspb_log_info("%s: %s, %s now, %s before: %s", name(p, one, who), window, after, before,
		      one->why);
}

/* Whether the jobs are in the phase in which the plan saw them. A job that has begun, ended or been
 * requeued since has other needs. */
static bool jobs_as_before(const struct rspb_proposed *one)
{
	enum rspb_job_phase phase = one->was->state == RSPB_ACTIVE ? RSPB_JOB_RUNNING
								   : RSPB_JOB_PENDING;
	struct rspb_job job;

	for (uint32_t i = 0; i < one->ask.n_jobs; i++)
		if (!rspb_job_find(one->ask.jobs[i], &job) || job.phase != phase || job.completing)
			return false;
	return true;
}

/* Whether the ledger still has the very version that the plan saw; decided_at is another one after
 * each change. */
static bool as_seen(const struct rspb_proposal *p, const struct rspb_proposed *one)
{
	const struct rspb_booking *was = one->was;
	const struct rspb_booking *is = rspb_ledger_find(rspb_book_ledger(), was->request->id);

	return is && is->state == was->state && is->start == was->start && is->end == was->end &&
	       is->decided_at == was->decided_at && jobs_as_before(one) &&
	       (!p->holds || p->holds(one, p));
}

/* Give a booking that is about to change its next number, decided_at. Nodes tell newer terms from
 * older ones by it, so it grows with every change, also of several in one second. */
static void number(struct rspb_proposed *one, int64_t now)
{
	struct rspb_booking *b = one->terms;

	if (b->decided_at < one->was->decided_at)
		b->decided_at = one->was->decided_at;
	if (b->decided_at < b->start)
		b->decided_at = b->start;
	b->decided_at = now > b->decided_at ? now : b->decided_at + 1;
}

/* Whether Slurm would start the job there; if not, the booking keeps its promised place. A kind
 * with a place() of its own puts the booking back itself. */
static bool suits(struct rspb_proposal *p, const struct rspb_proposed *one)
{
	const struct rspb_kind *kind = rspb_kind_of(one->was->request);

	return p->place || !one->elsewhere || !kind->suits || one->terms->state != RSPB_BOOKED ||
	       !kind->suits(&one->ask, one->terms, &p->err);
}

/* Look once more at items [from, to) under the write lock, before any of them is changed. RET MADE
 * if all may change, else the reason, with p->refused and p->err. */
static enum rspb_proposal_end look_again(struct run *run, size_t from, size_t to)
{
	struct rspb_proposal *p = run->p;

	for (size_t i = from; i < to; i++) {
		struct rspb_proposed *one = &p->items[i];

		p->refused = i;
		if (!as_seen(p, one)) {
			rspb_fail(&p->err, "the cluster has changed in the meantime; try again");
			return RSPB_PROPOSAL_OVERTAKEN;
		}
		/* No place was found for what somebody has changed in Slurm; p->err has the
		 * reason. */
		if (!one->terms && p->restores)
			return RSPB_PROPOSAL_REFUSED;
		if (one->elsewhere && !rspb_since_leaves(&run->since, one->terms)) {
			rspb_fail(&p->err, "its nodes have just been taken");
			return RSPB_PROPOSAL_TAKEN;
		}
		if (!suits(p, one))
			return RSPB_PROPOSAL_REFUSED;
		if (one->terms)
			number(one, p->now);
	}
	return RSPB_PROPOSAL_MADE;
}

/* Book all of them in one entry, so that bookings may change places with each other; back: as they
 * were. RET 0, or -1 with err. Items without terms have lost their booking either way. */
static int book(struct rspb_proposal *p, size_t from, size_t to, bool back, struct rspb_err *err)
{
	const struct rspb_booking **list = calloc(to - from, sizeof(*list));
	struct rspb_record move = { .kind = RSPB_REC_MOVE, .time = p->now, .bookings = list };
	int rc = list ? 0 : rspb_fail(err, "out of memory");

	/* Bookings that are over free their nodes, which others may be about to get. */
	rspb_book_advance(p->now);
	for (size_t i = from; i < to && !rc; i++) {
		struct rspb_proposed *one = &p->items[i];

		if (one->terms)
			list[move.n_bookings++] = back ? one->was : one->terms;
		else if (!back)
			rc = rspb_book_event(one->was->request->id, RSPB_EV_CANCEL, p->now,
					     one->why, err);
		one->made = !rc && !one->terms;
	}
	if (!rc && move.n_bookings)
		rc = rspb_book_apply(&move, err);
	free(list);
	return rc;
}

/* Make Slurm equal to the book for one item. If Slurm refuses, the booking is lost, unless the
 * proposer has a place() of its own. RET -1 only from that. */
static int place(struct rspb_proposal *p, struct rspb_proposed *one)
{
	const struct rspb_kind *kind = rspb_kind_of(one->was->request);
	uint64_t id = one->was->request->id;
	const char *why = one->why;
	struct rspb_err err;

	if (p->place)
		return p->place(one, one->terms, p, &p->err);
	if (one->terms) {
		if (!kind->mirror(&one->ask, one->terms, true, p->config, p->now, &err))
			return 0;
		rspb_log_error("booking %" PRIu64 ": %s", id, err.text);
		if (kind->lose)
			rspb_book_event(id, RSPB_EV_CANCEL, p->now, err.text, NULL);
		why = err.text;
	}
	if (kind->lose)
		kind->lose(&one->ask, id, why);
	return 0;
}

/* Put Slurm back for items [from, to), which stay as they were, and tell their owners why. */
static void put_back(struct run *run, size_t from, size_t to)
{
	struct rspb_proposal *p = run->p;
	struct rspb_err err;
	char who[128];

	for (size_t i = from; i < to && go_on(run); i++) {
		struct rspb_proposed *one = &p->items[i];

		rspb_fail(&err, RSPB_REASON_STAYS ": %.270s", p->err.text);
		rspb_booking_say(one->was, err.text);
		rspb_log_info("%s %s", name(p, one, who), err.text);
		if (p->place(one, one->was, p, &err))
			rspb_log_error("%s: %s", who, err.text);
	}
}

/* Make Slurm agree with the ledger; only: just those that have lost their booking. RET how many
 * Slurm took, which is all unless it refuses one. If slurmctld goes down, the next one does the
 * rest. */
static size_t place_all(struct run *run, size_t from, size_t to, bool only)
{
	struct rspb_proposal *p = run->p;

	for (size_t i = from; i < to; i++) {
		struct rspb_proposed *one = &p->items[i];

		if (only && !one->made)
			continue;
		one->made = true;
		if (i > from && !go_on(run))
			continue;
		run->section.items++;
		if (place(p, one))
			return i - from;
		if (one->terms)
			log_made(p, one);
	}
	return to - from;
}

/* Take the change out of the ledger again, because Slurm has refused one of its items. */
static void unbook(struct rspb_proposal *p, size_t from, size_t to)
{
	struct rspb_err err;

	if (book(p, from, to, true, &err))
		rspb_log_error("booking %" PRIu64 ": %s", p->items[p->refused].was->request->id,
			       err.text);
}

/* Change items [from, to), all or none. Slurm may have something else than the ledger for the first
 * `tried` of them, which are then put back. */
static enum rspb_proposal_end make(struct run *run, size_t from, size_t to)
{
	struct rspb_proposal *p = run->p;
	enum rspb_proposal_end end = look_again(run, from, to);
	size_t tried = p->restores ? to - from : 0, good;

	if (end == RSPB_PROPOSAL_OVERTAKEN)
		return end;
	/* If the ledger refuses, items without terms have lost their booking by then, and Slurm has
	 * to follow. */
	if (end == RSPB_PROPOSAL_MADE && book(p, from, to, false, &p->err)) {
		place_all(run, from, to, true);
		end = RSPB_PROPOSAL_REFUSED;
	} else if (end == RSPB_PROPOSAL_MADE) {
		good = place_all(run, from, to, false);
		if (good == to - from)
			return end;
		p->refused = from + good;
		unbook(p, from, to);
		tried = good + 1;
		end = RSPB_PROPOSAL_REFUSED;
	}
	put_back(run, from, from + tried);
	return end;
}

static enum rspb_proposal_end make_all(struct rspb_proposal *p)
{
	struct run run = { .p = p };
	enum rspb_proposal_end end = RSPB_PROPOSAL_OVERTAKEN;
	size_t step = p->apart ? 1 : p->n;

	rspb_since_init(&run.since, p->config, p->now, p->seen);
	if (!enter(&run))
		rspb_fail(&p->err, "the cluster has changed in the meantime; try again");
	for (size_t i = 0; i < p->n && go_on(&run); i += step)
		end = make(&run, i, i + step);
	if (run.inside)
		rspb_section_leave(&run.section);
	rspb_since_fini(&run.since);
	return end;
}

enum rspb_proposal_end rspb_propose(struct rspb_proposal *p)
{
	enum rspb_proposal_end end = RSPB_PROPOSAL_UNKEPT;
	bool promised;

	if (!p->n)
		return RSPB_PROPOSAL_OVERTAKEN;
	for (size_t i = 0; i < p->n; i++)
		proposed_word(&p->items[i], p->why);
	promised = !promise(p);
	/* Somebody has changed Slurm already, so what was booked has to be restored even if the
	 * disk fails. */
	if (!promised && p->restores)
		for (size_t i = 0; i < p->n; i++) {
			rspb_booking_destroy(p->items[i].terms);
			p->items[i].terms = NULL;
		}
	if (promised || p->restores)
		end = make_all(p);
	if (end != RSPB_PROPOSAL_MADE)
		rspb_log_verbose("%s: %s", p->why, p->err.text);
	/* The journal still has the terms of what was not made; a restart must not bring them. */
	if ((end != RSPB_PROPOSAL_MADE || p->apart) && note(p, true))
		rspb_durable_sync(p->now, NULL);
	return end;
}

/* Proposes what a batch wants of other bookings. common/plan plans which of them move or shrink. */

static bool moves(const struct rspb_proposed *one)
{
	return one->terms && one->terms->start != one->was->start;
}

/* Whether it has as much as it had, on other nodes. */
static bool as_much(const struct rspb_proposed *one)
{
	const struct rspb_booking *was = one->was, *is = one->terms;

	if (!is || is->n_grants != was->n_grants)
		return false;
	for (uint32_t i = 0; i < is->n_grants; i++)
		if (rspb_grant_units(&is->grants[i]) != rspb_grant_units(&was->grants[i]))
			return false;
	return true;
}

/* RET what happens to a booking, and why: its owner reads it. */
static const char *why_moved(const struct rspb_proposed *one)
{
	if (!moves(one))
		return "on other nodes, to make room for another request";
	return one->terms->start < one->was->start
		       ? "moved within its window, to begin earlier"
		       : "moved within its window, to make room for another request";
}

/* Give each booking that moves its own reason. If the disk fails the newcomer is not booked, and no
 * booking is to move for it. */
static void name_moves(struct rspb_proposal *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct rspb_proposed *one = &all->items[i];

		if (!moves(one) && !as_much(one))
			continue;
		snprintf(one->why, sizeof(one->why), "%s", why_moved(one));
		all->answered = true;
	}
}

/* Fix the start of a booking, as of now, that Slurm would not have at another one, for a reason
 * that will be the same next time. Its owner is told by post/reminders.c. */
static void settle(const struct rspb_proposed *one, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), one->was->request->id);
	struct rspb_booking *firm = b ? rspb_booking_clone(b) : NULL;
	struct rspb_err err;

	if (!firm)
		return;
	firm->request->moves = firm->start > now ? firm->start - now : 0;
	if (rspb_book_change(firm, now, &err))
		rspb_log_error("%s", err.text);
	rspb_booking_destroy(firm);
}

/* Licenses, limits and devices of the newcomers were counted as if all had changed, and the ledger,
 * which refuses what would overlap, does not check them. */
static void drop_counted(const struct rspb_proposal *all, bool unkept, struct rspb_asks *asks,
			 struct rspb_booking **decisions)
{
	for (size_t i = 0; i < asks->n; i++) {
		struct rspb_ask *ask = &asks->items[i];

		if (!decisions[i] || decisions[i]->state != RSPB_BOOKED ||
		    !rspb_request_counted(ask->request))
			continue;
		rspb_booking_destroy(decisions[i]);
		decisions[i] = NULL;
		if (!unkept)
			continue;
		ask->refused_for = RSPB_REFUSAL_JOURNAL;
		ask->refusal = all->err;
	}
}

/* Leave out bookings that the plan has as they are: those of this batch that are booked by now, and
 * those that have taken back what they gave up. */
static void drop_unchanged(struct rspb_proposal *all)
{
	size_t kept = 0;

	for (size_t i = 0; i < all->n; i++) {
		struct rspb_proposed *one = &all->items[i];

		if (as_much(one) && rspb_booking_same_place(one->was, one->terms))
			item_fini(one);
		else
			all->items[kept++] = *one;
	}
	all->n = kept;
}

bool rspb_others_change(const struct rspb_ledger *basis, const struct rspb_config *config,
			int64_t now, struct rspb_asks *asks, struct rspb_booking **decisions)
{
	struct rspb_proposal all = { .config = config,
				     .why = "reduced to its promise, to make "
					    "room for another request" };
	enum rspb_proposal_end end;
	struct rspb_err err;

	if (rspb_proposal_collect(&all, basis, now, &err))
		rspb_log_error("%s", err.text);
	drop_unchanged(&all);
	name_moves(&all);
	end = all.n ? rspb_propose(&all) : RSPB_PROPOSAL_MADE;
	if (end != RSPB_PROPOSAL_MADE)
		drop_counted(&all, end == RSPB_PROPOSAL_UNKEPT, asks, decisions);
	/* Otherwise the same would be planned each time, and the newcomers never answered. */
	if (end == RSPB_PROPOSAL_REFUSED && all.refused < all.n &&
	    (moves(&all.items[all.refused]) || as_much(&all.items[all.refused])))
		settle(&all.items[all.refused], now);
	rspb_proposal_fini(&all);
	return end == RSPB_PROPOSAL_MADE;
}
