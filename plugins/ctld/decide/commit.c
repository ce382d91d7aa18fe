/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the decisions on a batch real, each looked at again under the write lock. Existing bookings
 * are changed by proposal.c alone. The journal comes before the lock, and the lock before owners
 * hear anything, so that a crash loses no acknowledged booking. */
#include "plugins/ctld/decide/batch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/saver.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/record/durable.h"
#include "plugins/ctld/record/replay.h"

/* Has what a batch is about to tell people on the disk first. It tells them nothing. */

enum {
	SAVE_MOST_US = 60000000,
	/* How long a failed write is tried again, so that a disk that is full for a moment declines
	 * nobody. */
	VAIN_MOST_US = 2000000,
	STEP_NS = 500000
};

/* Whether Slurm's files may lack a job or reservation that is to be booked: without it a booking is
 * of no use after a crash. A job is in the files if it came before the last save. For reservations
 * nothing is known. */
static bool wants_save(const struct rspb_asks *asks, struct rspb_booking *const *decisions)
{
	int64_t saved_at = rspb_saver_saved_at();

	for (size_t i = 0; i < asks->n; i++)
		if (rspb_decision_books(decisions[i]) &&
		    (!asks->items[i].n_jobs || asks->items[i].request->arrival >= saved_at))
			return true;
	return false;
}

/* Have Slurm save its state and wait for that, without a lock. Starts go on meanwhile. A write that
 * fails is tried again for two seconds. RET 0, or -1 with err. */
static int await_save(struct rspb_err *err)
{
	const struct timespec step = { .tv_nsec = STEP_NS };
	int64_t began = rspb_section_clock_us(), waited = 0;
	uint64_t ticket = rspb_saver_request();
	enum rspb_saved saved = rspb_saver_look(ticket);

	while (saved != RSPB_SAVED && !rspb_ctld_stopping() && waited < SAVE_MOST_US) {
		if (saved == RSPB_SAVED_IN_VAIN) {
			if (waited >= VAIN_MOST_US)
				break;
			ticket = rspb_saver_request();
		}
		nanosleep(&step, NULL);
		rspb_breathe();
		saved = rspb_saver_look(ticket);
		waited = rspb_section_clock_us() - began;
	}
	return saved == RSPB_SAVED ? 0
				   : rspb_fail(err, "Slurm's own state can't be written "
						    "(StateSaveLocation)");
}

/* Promise what is booked, or withdraw what is marked, in short sections. RET 0,
 * or -1: shutdown. */
static int note(const struct rspb_asks *asks, struct rspb_booking *const *decisions,
		const bool *marked)
{
	struct rspb_section section;
	size_t i = 0;

	while (i < asks->n) {
		if (!rspb_section_enter(&section, RSPB_LOCK_READ, "promise"))
			return -1;
		do {
			const struct rspb_ask *ask = &asks->items[i];
			const struct rspb_kind *kind = rspb_kind_of(ask->request);

			section.items++;
			if (marked && marked[i])
				kind->promise(ask, NULL);
			else if (!marked && rspb_decision_books(decisions[i]))
				kind->promise(ask, decisions[i]);
			i++;
		} while (i < asks->n && !rspb_section_spent(&section));
		rspb_section_leave(&section);
		rspb_breathe();
	}
	return 0;
}

static bool any_booked(const struct rspb_asks *asks, struct rspb_booking *const *decisions)
{
	for (size_t i = 0; i < asks->n; i++)
		if (rspb_decision_books(decisions[i]))
			return true;
	return false;
}

/*
 * decisions[i] on asks are about to be told: those that are booked go into the
 * journal, and what they are about into Slurm's own files. Waits for the disk;
 * takes the read lock. RET 0; -1 with err: nothing may be told, and nothing is
 * noted.
 */
static int pledge_batch(const struct rspb_asks *asks, struct rspb_booking *const *decisions,
			int64_t now, struct rspb_err *err)
{
	bool *all;
	int rc = -1;

	if (!rspb_settings_get()->journal || !any_booked(asks, decisions))
		return 0;
	if (wants_save(asks, decisions) && await_save(err))
		return -1;
	all = calloc(asks->n, sizeof(*all));
	if (!all)
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < asks->n; i++)
		all[i] = rspb_decision_books(decisions[i]);
	if (note(asks, decisions, NULL))
		rspb_fail(err, "slurmctld is shutting down");
	else
		rc = rspb_durable_sync(now, err);
	/* The notes would reach the disk with a later write, so they are taken back. */
	if (rc)
		note(asks, NULL, all);
	free(all);
	return rc;
}

/* Note that the marked asks got no booking; this is on the disk before their owners hear of it.
 * Takes the read lock. */
static void pledge_withdraw(const struct rspb_asks *asks, const bool *marked, int64_t now)
{
	if (!rspb_settings_get()->journal)
		return;
	note(asks, NULL, marked);
	rspb_durable_sync(now, NULL);
}

/* The outcome of an ask, as the write lock shows it. */
enum outcome {
	DECIDED,
	GONE,	/* nobody waits for it any more */
	LATER,	/* it stays for the next batch */
	MISFIT, /* it is looked at once more */
	DENIED	/* there is no booking for it after all: ask->refusal says why */
};

/* Whether other nodes, or more cores of these, may do where Slurm would not start it on these.
 * Nodes that a job names may be fewer than it gets, if it leaves the number to Slurm. */
static bool floats(const struct rspb_ask *ask)
{
	const struct rspb_request *request = ask->request;
	struct rspb_job job;

	for (uint32_t i = 0; i < request->n_parts; i++)
		if (request->parts[i].whole ||
		    (!rspb_part_all_fixed(&request->parts[i]) && !request->parts[i].share))
			return true;
	return ask->n_jobs == 1 && rspb_job_find(ask->jobs[0], &job) &&
	       job.nodes_max != job.nodes_min;
}

/* Whether another start of its window may do where too much would be booked at this one. */
static bool crowded(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		    const struct rspb_config *config)
{
	const struct rspb_request *request = booking->request;

	return request->ready < rspb_request_last(request) &&
	       rspb_limits_growth(ledger, booking, config, NULL);
}

/* Whether the limits allow a decision beside what the ledger holds. The journal has no word of a
 * decision that is only foreseen: a replay would judge it beside what is booked by then. */
static enum outcome limit(struct rspb_ask *ask, const struct rspb_ledger *ledger,
			  const struct rspb_booking *booking, const struct rspb_config *config,
			  int64_t planned_at, bool foreseen)
{
	struct rspb_config space;

	if (!rspb_limits_decision(ledger, booking, config, planned_at, &ask->refusal))
		return DECIDED;
	if (!foreseen)
		rspb_replay_refuse(booking->request->id, ask->refusal.text);
	if (!ask->misfit &&
	    crowded(ledger, booking, rspb_limits_settings(config, booking->request, &space))) {
		ask->misfit = ask->crowded = true;
		ask->refusal.text[0] = '\0';
		return MISFIT;
	}
	ask->refused_for = RSPB_REFUSAL_LIMITS;
	return DENIED;
}

/* Slurm would not start it there, for the reason in ask->refusal. It may on other nodes, so it is
 * decided once more. A second refusal is final. */
static enum outcome refuse_start(struct rspb_ask *ask)
{
	if (!ask->misfit && rspb_kind_of(ask->request)->has_jobs && floats(ask)) {
		ask->misfit = true;
		ask->refusal.text[0] = '\0';
		return MISFIT;
	}
	ask->refused_for = RSPB_REFUSAL_SLURM;
	return DENIED;
}

/* Book one decision under the write lock: first in the ledger, which refuses what overlaps, then in
 * Slurm. If Slurm refuses, the booking leaves the ledger again and Slurm keeps nothing of it. */
static enum outcome accept(struct rspb_ask *ask, const struct rspb_booking *booking,
			   const struct rspb_config *config, struct rspb_since *since)
{
	enum outcome allowed;
	struct rspb_err err;

	if (!rspb_since_leaves(since, booking))
		return LATER;
	/* The sums of users and accounts include what this batch has booked so far. */
	allowed = limit(ask, rspb_book_ledger(), booking, config, since->planned_at, false);
	if (allowed != DECIDED)
		return allowed;
	/* The bookings that were to make way may still be where they were. */
	if (rspb_book_enter(booking, since->planned_at, &err)) {
		rspb_log_verbose("job %" PRIu64 ": its nodes are not free after all (%s); "
				 "trying again",
				 booking->request->id, err.text);
		return LATER;
	}
	if (!rspb_kind_of(ask->request)->commit(ask, booking, config, &ask->refusal)) {
		rspb_tally_booked(booking);
		return DECIDED;
	}
	rspb_book_event(booking->request->id, RSPB_EV_CANCEL, since->planned_at, ask->refusal.text,
			NULL);
	return refuse_start(ask);
}

/* Tell that there is no booking for an ask. why: RSPB_N_REFUSALS counts as none. RET GONE: it asks
 * otherwise now and is decided anew, or is not there any more. */
static enum outcome turn_away(const struct rspb_ask *ask, const char *reason, enum rspb_refusal why,
			      const struct rspb_config *config)
{
	if (!rspb_kind_of(ask->request)->refuse(ask, reason, config))
		return GONE;
	if (why < RSPB_N_REFUSALS)
		rspb_tally_refused(ask->request, why);
	return DECIDED;
}

static enum outcome decide(struct rspb_ask *ask, const struct rspb_booking *decision,
			   const struct rspb_config *config, struct rspb_since *since)
{
	/* Planning and the disk take time: the job may have been cancelled or changed. */
	if (!rspb_kind_of(ask->request)->waits(ask))
		return GONE;
	if (ask->refusal.text[0]) {
		rspb_replay_refuse(ask->request->id, ask->refusal.text);
		/* A request for offers is not refused. */
		return turn_away(ask, ask->refusal.text, ask->refused_for, config);
	}
	if (!decision)
		return LATER;
	if (decision->state != RSPB_BOOKED)
		return turn_away(ask, rspb_booking_why(decision), RSPB_REFUSAL_ROOM, config);
	return accept(ask, decision, config, since);
}

/* RET the ledger as it is when others have given way; NULL: nobody gives way, or out of memory. */
static struct rspb_ledger *after_others(const struct rspb_ledger *plan, int64_t now)
{
	const struct rspb_booking **list;
	int64_t n = rspb_ledger_changes(rspb_book_ledger(), plan, &list);
	const struct rspb_record move = { .kind = RSPB_REC_MOVE,
					  .time = now,
					  .bookings = list,
					  .n_bookings = n > 0 ? (size_t) n : 0 };
	struct rspb_ledger *after = n > 0 ? rspb_ledger_clone(rspb_book_ledger()) : NULL;

	if (after && rspb_ledger_apply(after, &move, NULL)) {
		rspb_ledger_destroy(after);
		after = NULL;
	}
	free(list);
	return after;
}

/* Whether Slurm would start the job of a decision. Parts of nodes are not asked about, because the
 * bookings that are to give way would still be in their layout. Takes the write lock. */
static enum outcome foresee_start(struct rspb_ask *ask, const struct rspb_booking *decision)
{
	const struct rspb_kind *kind = rspb_kind_of(ask->request);
	struct rspb_section section;
	enum outcome outcome = DECIDED;

	if (!kind->suits || rspb_request_has_cores(ask->request))
		return DECIDED;
	rspb_breathe();
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "foresee"))
		return DECIDED;
	if (rspb_book_fits() && kind->waits(ask) && kind->suits(ask, decision, &ask->refusal))
		outcome = refuse_start(ask);
	section.items++;
	rspb_section_leave(&section);
	return outcome;
}

struct rspb_ledger *rspb_commit_foresee(struct rspb_asks *asks,
					struct rspb_booking *const *decisions,
					const struct rspb_config *config,
					const struct rspb_ledger *plan, int64_t planned_at)
{
	struct rspb_ledger *after = after_others(plan, planned_at);
	bool any = false;

	for (size_t i = 0; after && i < asks->n; i++) {
		struct rspb_ask *ask = &asks->items[i];
		const struct rspb_record book = { .kind = RSPB_REC_BOOK,
						  .time = planned_at,
						  .booking = decisions[i] };
		enum outcome outcome;

		if (!rspb_decision_books(decisions[i]) || ask->refusal.text[0])
			continue;
		outcome = limit(ask, after, decisions[i], config, planned_at, true);
		if (outcome == DECIDED)
			outcome = foresee_start(ask, decisions[i]);
		any |= outcome != DECIDED;
		if (outcome == DECIDED)
			rspb_ledger_apply(after, &book, NULL);
	}
	if (any)
		return after;
	rspb_ledger_destroy(after);
	return NULL;
}

struct commit {
	struct rspb_asks *asks;
	struct rspb_booking *const *decisions;
	const struct rspb_config *config;
	uint64_t table;
	struct rspb_since since;
	bool *open;	/* of each: it is still to be decided */
	bool *not_kept; /* and what was promised it has not got */
	size_t done;
};

static void commit_one(struct commit *c, size_t i)
{
	enum outcome outcome = decide(&c->asks->items[i], c->decisions[i], c->config, &c->since);

	c->open[i] = outcome == DENIED;
	c->not_kept[i] = outcome != DECIDED;
	c->done += outcome == DECIDED || outcome == GONE;
}

/* Decide all that are open, in short write sections. If slurmctld goes down, or the node numbers of
 * the plan are not valid any more, the rest stays undecided. */
static void commit_open(struct commit *c)
{
	struct rspb_section section;
	size_t i = 0;

	while (i < c->asks->n) {
		if (!c->open[i]) {
			i++;
			continue;
		}
		rspb_breathe();
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "commit"))
			break;
		/* Jobs may have started while the lock was released. */
		rspb_since_again(&c->since);
		if (rspb_node_fingerprint() != c->table) {
			rspb_section_leave(&section);
			break;
		}
		do {
			if (c->open[i])
				commit_one(c, i);
			i++;
			section.items++;
		} while (i < c->asks->n && !rspb_section_spent(&section));
		rspb_section_leave(&section);
	}
}

/* Deny all asks, because the decisions cannot be kept. */
static void deny_all(struct commit *c, const struct rspb_err *why)
{
	for (size_t i = 0; i < c->asks->n; i++) {
		struct rspb_ask *ask = &c->asks->items[i];

		if (!c->decisions[i] || c->decisions[i]->state != RSPB_BOOKED)
			continue;
		ask->refused_for = RSPB_REFUSAL_JOURNAL;
		rspb_fail(&ask->refusal, "nothing can be booked now: %.250s", why->text);
	}
}

/* Decide all asks, or only the misfits. Nobody hears of a booking that the journal does not have,
 * nor that there is none while the journal has one. */
static void commit_all(struct commit *c, bool misfits)
{
	struct rspb_asks *asks = c->asks;
	int64_t now = c->since.planned_at;
	struct rspb_err err;
	bool any = false;

	if (pledge_batch(asks, c->decisions, now, &err))
		deny_all(c, &err);
	for (size_t i = 0; i < asks->n; i++)
		c->open[i] = c->not_kept[i] = !misfits || asks->items[i].misfit;
	commit_open(c);
	for (size_t i = 0; i < asks->n; i++) {
		c->not_kept[i] &= rspb_decision_books(c->decisions[i]);
		any |= c->not_kept[i];
	}
	if (!any)
		return;
	/* The withdrawal goes to the disk before the owners hear of it in the second pass. */
	pledge_withdraw(asks, c->not_kept, now);
	commit_open(c);
}

size_t rspb_commit_batch(struct rspb_asks *asks, struct rspb_booking *const *decisions,
			 const struct rspb_config *config, uint64_t table, int64_t planned_at,
			 struct rspb_seen seen, bool misfits)
{
	struct commit c = {
		.asks = asks,
		.decisions = decisions,
		.config = config,
		.table = table,
		.open = calloc(asks->n, sizeof(bool)),
		.not_kept = calloc(asks->n, sizeof(bool)),
	};

	rspb_since_init(&c.since, config, planned_at, seen);
	if (c.open && c.not_kept)
		commit_all(&c, misfits);
	rspb_since_fini(&c.since);
	free(c.open);
	free(c.not_kept);
	return c.done;
}
