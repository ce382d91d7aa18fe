/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one way to change what stands: journal, a second look under the lock, the
 * ledger, Slurm. It knows neither who wants it nor any kind. */
#include "plugins/ctld/decide/proposal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/base/breath.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/since.h"
#include "plugins/ctld/durable/durable.h"

/* --- the journal ----------------------------------------------------------- */

/* Tell the job what it still has. Slurm may have been asked to put it back; that has a text of its
 * own. */
static void withdraw(struct rspb_proposed *one, bool placed)
{
	const struct rspb_kind *kind = rspb_kind_of(one->was->request);
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), one->was->request->id);

	one->ask.features = NULL;
	one->ask.needs = one->ask.needed;
	if (!placed)
		kind->promise(&one->ask, NULL);
	else if (placed && b && !rspb_state_final(b->state))
		kind->promise(&one->ask, b);
}

/* RET whether there is anything to bring to the disk. */
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

/* RET 0, or -1 with err. */
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

/* Whether that very version stands. */
static bool as_seen(const struct rspb_proposal *p, const struct rspb_proposed *one)
{
	const struct rspb_booking *was = one->was;
	const struct rspb_booking *is = rspb_ledger_find(rspb_book_ledger(), was->request->id);

	return is && is->state == was->state && is->start == was->start && is->end == was->end &&
	       is->decided_at == was->decided_at && jobs_as_before(one) &&
	       (!p->holds || p->holds(one, p));
}

/* The next number of a booking that is about to change: what its nodes go by grows
 * with every change, also of several in one second. */
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

/* Items [from, to). */
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

/* Book all of them in one entry; back: as they were. RET 0, or -1 with err; those without terms
 * have lost their booking either way. */
static int book(struct rspb_proposal *p, size_t from, size_t to, bool back, struct rspb_err *err)
{
	const struct rspb_booking **list = calloc(to - from, sizeof(*list));
	struct rspb_record move = { .kind = RSPB_REC_MOVE, .time = p->now, .bookings = list };
	int rc = list ? 0 : rspb_fail(err, "out of memory");

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

/* Slurm becomes what the book says. What it refuses is lost, but for those who have
 * a place() for that. */
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

/* Items [from, to) stay as they were, and say why. */
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

/* The ledger says so, and Slurm refuses one of them. */
static void unbook(struct rspb_proposal *p, size_t from, size_t to)
{
	struct rspb_err err;

	if (book(p, from, to, true, &err))
		rspb_log_error("booking %" PRIu64 ": %s", p->items[p->refused].was->request->id,
			       err.text);
}

/* Items [from, to), all or none. */
static enum rspb_proposal_end make(struct run *run, size_t from, size_t to)
{
	struct rspb_proposal *p = run->p;
	enum rspb_proposal_end end = look_again(run, from, to);
	size_t tried = p->restores ? to - from : 0, good;

	if (end == RSPB_PROPOSAL_OVERTAKEN)
		return end;
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
		rspb_proposed_word(&p->items[i], p->why);
	promised = !promise(p);
	if (!promised && p->restores)
		for (size_t i = 0; i < p->n; i++) {
			rspb_booking_destroy(p->items[i].terms);
			p->items[i].terms = NULL;
		}
	if (promised || p->restores)
		end = make_all(p);
	if (end != RSPB_PROPOSAL_MADE)
		rspb_log_verbose("%s: %s", p->why, p->err.text);
	if ((end != RSPB_PROPOSAL_MADE || p->apart) && note(p, true))
		rspb_durable_sync(p->now, NULL);
	return end;
}
