/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans another place for bookings that cannot stay where they are. The callers have found
 * out that they cannot (threat.c, launch.c). */
#include "plugins/ctld/watch/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/plan/schedule.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/batch.h"
#include "plugins/ctld/decide/proposal.h"
#include "plugins/ctld/kinds/watch.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/request/ask.h"
#include "plugins/ctld/request/part.h"

/* Seconds before the start in which a booking is left where it is, until its
 * second has come; and the least notice of one that moves. */
enum { TOO_LATE_S = 2 };

/* Whether a booking is within the site's limits with its new terms, as it had to be when it
 * was first decided. */
static bool is_within(const struct rspb_proposed *one, const struct rspb_config *config,
		      int64_t now)
{
	struct rspb_config space;
	struct rspb_err err;

	if (!one->terms)
		return false;
	if (!rspb_limits_instead(rspb_book_ledger(), one->was, one->terms,
				 rspb_limits_settings(config, one->was->request, &space), now,
				 &err))
		return true;
	rspb_log_debug("booking %" PRIu64 " stays as it is: %s", one->was->request->id, err.text);
	return false;
}

/* Whether the booking can stay as it is, because nothing is in its way: it only wants
 * more. */
static bool can_stay(const struct rspb_rescue *rescue)
{
	return rescue->sooner || rescue->restore;
}

/* Note since when an outage has taken something of a booking, or all of it, so that it gets
 * that back. Tasks of parts of cores do not come back. */
static void note_outage(struct rspb_proposed *one, int64_t now)
{
	for (uint32_t i = 0; one->terms && i < one->terms->n_grants; i++)
		if (!one->was->request->parts[i].whole)
			rspb_grant_lose(&one->terms->grants[i], &one->was->grants[i], now);
	for (uint32_t i = 0; !one->terms && i < one->ask.n_jobs; i++)
		one->ask.contracts[i].outage = now;
}

/* Propose what the plan on basis has changed, for the booking and for those that give way.
 * outage: a node was in the way, which can be back. RET whether it was carried out: Slurm,
 * the limits or a change in the meantime may be against it. */
static bool commit(const struct rspb_ledger *basis, const struct rspb_rescue *rescue,
		   const char *what, bool outage, const struct rspb_config *config, int64_t now)
{
	char why[RSPB_ERR_TEXT];
	struct rspb_proposal all = { .config = config, .why = why };
	struct rspb_err err;
	bool done = true;

	/* The booking changes alone where nothing is in its way. */
	snprintf(why, sizeof(why), "%s booking %" PRIu64 ": %.200s",
		 rescue->sooner	   ? "moved forward"
		 : rescue->restore ? "restored"
				   : "gave way to",
		 rescue->id, what);
	if (rspb_proposal_collect(&all, basis, now, &err))
		rspb_log_error("booking %" PRIu64 ": %s", rescue->id, err.text);
	for (size_t i = 0; i < all.n; i++) {
		struct rspb_proposed *one = &all.items[i];

		if (one->was->request->id == rescue->id)
			snprintf(one->why, sizeof(one->why), "%s: %.200s",
				 rspb_rescued_text(rescue->how), what);
		if (outage)
			note_outage(one, now);
		done &= !can_stay(rescue) || is_within(one, config, now);
	}
	done = done && rspb_propose(&all) == RSPB_PROPOSAL_MADE;
	rspb_proposal_fini(&all);
	return done;
}

/* Find what the owner could have instead, as if the booking were not there. The plan stays as
 * it is, because the search works on a copy; text is "" if nothing is found. */
static void find_offers(const struct rspb_ledger *plan, const struct rspb_rescue *rescue,
			const struct rspb_config *config, struct rspb_suits *suits, int64_t now,
			char text[RSPB_RESCUE_OFFERS])
{
	struct rspb_ledger *basis = rspb_ledger_clone(plan);
	const struct rspb_booking *b = rspb_ledger_find(plan, rescue->id);
	struct rspb_policy policy;
	struct rspb_request *request = rspb_request_clone(b->request);

	rspb_settings_policy(config, &policy);
	policy.judge = suits ? &suits->judge : NULL;
	text[0] = '\0';
	if (request && request->ready < now + TOO_LATE_S)
		request->ready = now + TOO_LATE_S;
	if (basis && request && !rspb_ledger_cancel(basis, rescue->id, now, NULL))
		rspb_offers_add(basis, &policy, request, now, now + config->horizon, text,
				RSPB_RESCUE_OFFERS, NULL);
	rspb_request_destroy(request);
	rspb_ledger_destroy(basis);
}

void rspb_rescues_begin(struct rspb_rescues *rescues, const struct rspb_config *config, int64_t now)
{
	*rescues = (struct rspb_rescues){ .config = config, .now = now };
	rescues->looked = rspb_basis_look(&rescues->occupancy, config, now);
}

void rspb_rescues_end(struct rspb_rescues *rescues)
{
	rspb_ledger_destroy(rescues->basis);
	if (rescues->looked)
		rspb_occupancy_fini(&rescues->occupancy);
}

/* RET the ledger on which the next rescue is planned; NULL: not now. The one that the last
 * rescue left is used again while the book agrees with it. A new copy with all that is in the
 * way takes as long as the search for a place. */
static struct rspb_ledger *basis_of(struct rspb_rescues *rescues)
{
	struct rspb_err err;

	if (rescues->basis && (rescues->version == rspb_book_version() ||
			       !rspb_ledger_rebase(rescues->basis, rspb_book_ledger()))) {
		rescues->version = rspb_book_version();
		return rescues->basis;
	}
	rspb_ledger_destroy(rescues->basis);
	rescues->basis = rescues->looked ? rspb_basis_of(&rescues->occupancy) : NULL;
	rescues->version = rspb_book_version();
	rescues->asleep = false;
	/* A booking that begins soon uses nodes that are awake. */
	if (rescues->basis &&
	    rspb_resume_block(rescues->basis, rescues->now, &rescues->asleep, &err))
		rspb_log_error("%s", err.text);
	return rescues->basis;
}

/* Add the running jobs that count against the limits of a booking. RET false: not now. */
static bool add_holds(struct rspb_ledger *basis, uint64_t id, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(basis, id);
	const struct rspb_request *const one[] = { b ? b->request : NULL };

	return b && !rspb_holds_add(basis, one, 1, now);
}

/* RET the ledger for one booking; NULL: not now. A booking with limits gets a copy, which the
 * caller destroys. The jobs that count against its limits must not count against those of
 * others. */
static struct rspb_ledger *basis_for(struct rspb_ledger *all, uint64_t id, int64_t now)
{
	const struct rspb_booking *b = all ? rspb_ledger_find(all, id) : NULL;
	struct rspb_ledger *own;

	if (!b || !rspb_holds_wanted(b->request))
		return b ? all : NULL;
	own = rspb_ledger_clone(all);
	if (own && add_holds(own, id, now))
		return own;
	rspb_ledger_destroy(own);
	return NULL;
}

/* Find a place with nodes that sleep, if no other node will do: a late start is better than
 * none. RET whether it was found and the booking has it. */
static bool rescue_late(const struct rspb_rescues *rescues, struct rspb_rescue *rescue,
			struct rspb_suits *suits, const char *what)
{
	struct rspb_ledger *basis = rspb_basis_of(&rescues->occupancy);
	struct rspb_err err;
	bool done = basis && add_holds(basis, rescue->id, rescues->now) &&
		    rspb_decide_rescue(basis, rescue, rescues->config, rescues->now, suits, &err) >
			    0 &&
		    commit(basis, rescue, what, rescues->outage, rescues->config, rescues->now);

	rspb_ledger_destroy(basis);
	return done;
}

/* RET whether the booking has a job for each part, about which Slurm can be asked. free: only
 * jobs that are neither held nor wait for others. jobs: filled in by part. */
static bool jobs_of(uint64_t id, bool free, uint32_t jobs[RSPB_MAX_PARTS])
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	struct rspb_section section;
	struct rspb_job job;
	bool all;

	if (!b || !rspb_kind_of(b->request)->has_jobs ||
	    !rspb_section_enter(&section, RSPB_LOCK_READ, "rescue"))
		return false;
	all = rspb_components(id, jobs) == b->n_grants;
	for (uint32_t i = 0; all && free && i < b->n_grants; i++)
		all = rspb_job_find(jobs[i], &job) && job.priority && !job.dependent;
	rspb_section_leave(&section);
	return all;
}

/* Nodes for parts of different sizes, in place of those that they lose. */
struct others {
	struct rspb_nodeset *parts[RSPB_MAX_PARTS]; /* owned; NULL: none */
};

/* Find the nodes that may replace lost ones of parts of different sizes, under the write
 * lock. Only a rescue needs them, and no booking that can stay. */
static void others_init(struct others *others, struct rspb_rescue *rescue)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), rescue->id);
	uint32_t ids[RSPB_MAX_PARTS], n;
	struct rspb_section section;
	bool wants = false;
	struct rspb_job job;

	*others = (struct others){ .parts = { NULL } };
	for (uint32_t i = 0; b && i < b->n_grants; i++)
		wants |= b->request->parts[i].whole && rspb_kind_of(b->request)->has_jobs;
	if (!wants || can_stay(rescue) ||
	    !rspb_section_enter(&section, RSPB_LOCK_WRITE, "stand-ins"))
		return;
	n = rspb_components(rescue->id, ids);
	for (uint32_t i = 0; i < n && i < b->n_grants; i++) {
		if (rspb_job_find(ids[i], &job))
			others->parts[i] = rspb_uneven_others(&job, &b->request->parts[i],
							      b->grants[i].nodes);
		if (others->parts[i])
			rescue->others = others->parts;
	}
	rspb_section_leave(&section);
}

static void others_fini(struct others *others, struct rspb_rescue *rescue)
{
	rescue->others = NULL;
	for (uint32_t i = 0; i < RSPB_MAX_PARTS; i++)
		rspb_nodeset_destroy(others->parts[i]);
}

/* Plan and propose for one booking. RET whether it has another place now; if not, offers
 * (NULL: nobody asks) has what its owner could have instead. */
static bool rescue_one(struct rspb_rescues *rescues, struct rspb_rescue *rescue,
		       struct rspb_suits *suits, const char *what, char *offers)
{
	const struct rspb_config *config = rescues->config;
	struct rspb_ledger *basis = basis_for(basis_of(rescues), rescue->id, rescues->now);
	int64_t began = rspb_section_clock_us(), now = rescues->now;
	struct rspb_err err;
	bool done = false;
	int rc;

	if (!basis)
		return false;
	/* No booking moves to a start that is nearer than the least notice. */
	if (rescue->earliest < now + TOO_LATE_S)
		rescue->earliest = now + TOO_LATE_S;
	rc = rspb_decide_rescue(basis, rescue, config, now, suits, &err);
	if (rc < 0)
		rspb_log_error("booking %" PRIu64 ": %s", rescue->id, err.text);
	else if (rc)
		done = commit(basis, rescue, what, rescues->outage, config, now);
	else if (rescues->asleep && !can_stay(rescue))
		done = rescue_late(rescues, rescue, suits, what);
	if (!rc && !done && offers)
		find_offers(basis, rescue, config, suits, now, offers);
	/* The plan was made on the common ledger and not carried out, so that this ledger is
	 * wrong for the next booking. */
	if (basis == rescues->basis && rc && !done)
		rescues->basis = NULL;
	if (basis != rescues->basis)
		rspb_ledger_destroy(basis);
	rspb_log_debug("booking %" PRIu64 ": %s, looked for in %" PRId64 " us", rescue->id,
		       rspb_rescued_text(rescue->how), rspb_section_clock_us() - began);
	return done;
}

/* Find other nodes for a booking whose job Slurm does not start beside the jobs on its own
 * ones. Its nodes are blocked in the plan, and Slurm must be ready to start it in this
 * second. */
static bool rescue_refused(struct rspb_rescues *rescues, struct rspb_rescue *rescue)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), rescue->id);
	struct rspb_ledger *basis = rspb_basis_of(&rescues->occupancy);
	uint32_t jobs[RSPB_MAX_PARTS];
	struct rspb_suits suits;
	struct others others;
	struct rspb_err err;
	bool done = b && basis && jobs_of(rescue->id, false, jobs);

	others_init(&others, rescue);
	for (uint32_t i = 0; done && i < b->n_grants; i++)
		done = !rspb_ledger_block(basis, b->start, b->end, b->grants[i].nodes, &err);
	rspb_suits_init(&suits, rescue->id, jobs, rspb_book_table());
	suits.starts_now = true;
	done = done && add_holds(basis, rescue->id, rescues->now) &&
	       rspb_decide_rescue(basis, rescue, rescues->config, rescues->now, &suits, &err) > 0 &&
	       commit(basis, rescue, "Slurm does not start its job beside the jobs on its nodes",
		      false, rescues->config, rescues->now);
	others_fini(&others, rescue);
	rspb_suits_fini(&suits);
	rspb_ledger_destroy(basis);
	return done;
}

static bool rescue(struct rspb_rescues *rescues, struct rspb_rescue *rescue, const char *what,
		   char *offers)
{
	uint32_t jobs[RSPB_MAX_PARTS];
	struct rspb_suits suits;
	struct others others;
	bool done, asked = jobs_of(rescue->id, can_stay(rescue), jobs);

	/* An earlier start is no necessity, and without Slurm's word it is not worth the
	 * risk. */
	if (!asked && rescue->sooner)
		return false;
	others_init(&others, rescue);
	rspb_suits_init(&suits, rescue->id, jobs, rspb_book_table());
	done = rescue_one(rescues, rescue, asked ? &suits : NULL, what, offers);
	rspb_suits_fini(&suits);
	others_fini(&others, rescue);
	return done;
}

bool rspb_rescue_waiting(struct rspb_rescues *rescues, uint64_t id, const char *what, bool same,
			 char *offers)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	struct rspb_rescue one = { .id = id, .same = same };

	if (!b || b->state != RSPB_BOOKED || b->start < rescues->now + TOO_LATE_S)
		return false;
	return rescue(rescues, &one, what, offers);
}

int rspb_rescue_sooner(struct rspb_rescues *rescues, uint64_t id, int64_t earliest, int64_t sooner)
{
	struct rspb_rescue one = { .id = id, .earliest = earliest, .sooner = sooner };

	rescues->outage = false;
	if (rescue(rescues, &one, "nodes became free", NULL))
		return 1;
	return one.how == RSPB_RESCUED_NOT ? 0 : -1;
}

int rspb_rescue_restore(struct rspb_rescues *rescues, uint64_t id)
{
	struct rspb_rescue one = { .id = id, .restore = true };

	rescues->outage = false;
	if (rescue(rescues, &one, "nodes returned or became free", NULL))
		return 1;
	return one.how == RSPB_RESCUED_NOT ? 0 : -1;
}

/* Block the nodes of a job in a plan, until its time limit or the end of the booking,
 * whichever is later. RET false: the job has no nodes, or there is no memory. */
static bool block_job(struct rspb_ledger *basis, uint32_t id, int64_t until, int64_t end)
{
	struct rspb_nodeset *nodes = rspb_nodeset_create(rspb_ledger_nodes(basis));
	struct rspb_section section;
	struct rspb_job job;
	struct rspb_err err;
	bool done = false;

	if (nodes && rspb_section_enter(&section, RSPB_LOCK_READ, "rescue")) {
		if (rspb_node_width() == nodes->width && rspb_job_find(id, &job))
			rspb_job_nodes(&job, RSPB_JOB_HOLDS, nodes);
		rspb_section_leave(&section);
		done = !rspb_nodeset_empty(nodes) &&
		       !rspb_ledger_block(basis, rspb_ledger_now(basis), until > end ? until : end,
					  nodes, &err);
	}
	rspb_nodeset_destroy(nodes);
	return done;
}

/* Move a booking off the nodes that a regular job keeps. To wait for them is better than less
 * or another start, unless the wait would last until the end of the slot. */
static bool rescue_kept(struct rspb_rescues *rescues, const struct rspb_failed_one *failed,
			int64_t end)
{
	struct rspb_rescue one = { .id = failed->id, .same = failed->until < end };
	char what[80];

	if (rspb_reserved_is(one.id))
		return rspb_operator_move(one.id, rescues->config, rescues->now);
	snprintf(what, sizeof(what), "job %u runs on its nodes within its time limit", failed->job);
	if (!basis_of(rescues) || !block_job(rescues->basis, failed->job, failed->until, end))
		return false;
	return rescue(rescues, &one, what, NULL);
}

/* Help a booking that was due and could not start, by the reason that launch.c has seen. RET
 * whether it has another place. */
static bool rescue_starting(struct rspb_rescues *rescues, const struct rspb_failed_one *failed)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), failed->id);
	struct rspb_rescue one = { .id = failed->id, .same = failed->silent };
	int64_t end = b ? b->end : 0;

	if (!b || b->state != RSPB_BOOKED || end <= rescues->now)
		return false;
	/* A booking that has to begin with less gets nothing back, but those that give way for it
	 * may. */
	rescues->outage = !failed->job && !failed->refused && !failed->silent;
	if (failed->job)
		return rescue_kept(rescues, failed, end);
	if (failed->refused)
		return rescues->looked && rescue_refused(rescues, &one);
	return rescue(rescues, &one,
		      failed->silent ? "a node does not answer" : "a node is down or drained",
		      NULL);
}

bool rspb_rescue_failed(const struct rspb_failed *failed, int64_t now)
{
	struct rspb_rescues rescues;
	bool helped = false;
	size_t i;

	if (!failed->n)
		return false;
	rspb_rescues_begin(&rescues, rspb_settings_get(), now);
	for (i = 0; i < failed->n; i++)
		helped |= rescue_starting(&rescues, &failed->items[i]);
	rspb_rescues_end(&rescues);
	return helped;
}
