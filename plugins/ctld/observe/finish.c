/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends bookings of jobs: charges, ledger, contracts, reservations. observe/lifecycle.c finds out
 * that a job is over. */
#include "plugins/ctld/observe/finish.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/policy/policy.h"
#include "common/wire/flags.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/base/tally.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/no_show.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/resv.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/observe/outcome.h"
#include "plugins/ctld/observe/state.h"

double rspb_charge_rate(const struct rspb_request *request, const struct rspb_config *config)
{
	double percent = (double) config->charge_percent;

	if (rspb_order_sells(config->policy.order))
		percent *= (double) rspb_request_price(request) / RSPB_PRICE_USUAL;
	return percent / 100;
}

/* RET the factor for the nodes of a part. Parts of nodes are charged as they are billed, if their
 * partition has billing weights; 1 in all other cases. */
static double factor(const struct rspb_booking *b, uint32_t part)
{
	const struct rspb_grant *grant = &b->grants[part];
	double nodes = rspb_grant_nodes(&b->request->parts[part], grant);
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	double billed;

	if (!b->request->parts[part].whole || part >= n || nodes <= 0)
		return 1;
	billed = rspb_billed_nodes(ids[part], rspb_nodeset_next(grant->nodes, 0));
	return billed > 0 ? billed / nodes : 1;
}

/* Add the charge for some nodes of a part to its contract, which may have one from before.
 * written: write the contract into the journal at once, too. Otherwise the caller writes it with
 * the final state, in the same section. */
static void charge(const struct rspb_booking *b, uint32_t part, double nodes, int64_t seconds,
		   const struct rspb_config *config, bool written)
{
	double rate = rspb_charge_rate(b->request, config);
	int64_t charged = (int64_t) (nodes * (double) seconds * rate + 0.5);
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	char text[RSPB_CONTRACT_TEXT];
	struct rspb_contract contract;
	struct rspb_job job;

	/* The count for the user is kept even if the job has left Slurm by now. */
	rspb_tally_charged(b->request->user, (double) charged);
	if (part >= n || !rspb_contract_read(ids[part], &job, &contract))
		return;
	contract.charged += charged;
	if (written) {
		rspb_contract_write(ids[part], &contract, NULL);
		return;
	}
	rspb_contract_print(&contract, text, sizeof(text));
	rspb_job_make_so(ids[part], &(struct rspb_job_wanted){ .contract = text }, NULL);
}

void rspb_charge_part(const struct rspb_booking *b, uint32_t part, int64_t used_until)
{
	int64_t used = used_until > b->start ? used_until - b->start : 0;
	int64_t window = b->end - b->start;
	struct rspb_config space;
	const struct rspb_config *config = rspb_limits_settings(rspb_settings_get(), b->request,
								&space);

	if (!config->charge_percent)
		return;
	/* A booking that ended early may be charged as a whole. A booking that overran its slot is
	 * charged for the longer time. */
	if (config->charge_unused && used < window)
		used = window;
	charge(b, part,
	       factor(b, part) * rspb_grant_nodes(&b->request->parts[part], &b->grants[part]), used,
	       config, false);
}

void rspb_charge(const struct rspb_booking *b, int64_t used_until)
{
	for (uint32_t i = 0; i < b->n_grants; i++)
		rspb_charge_part(b, i, used_until);
}

void rspb_charge_given_back(const struct rspb_booking *old, const struct rspb_booking *new,
			    int64_t now)
{
	struct rspb_config space;
	const struct rspb_config *config = rspb_limits_settings(rspb_settings_get(), old->request,
								&space);

	/* Nodes that are released before the start were not used. */
	if (!config->charge_percent || now <= old->start)
		return;
	for (uint32_t i = 0; i < old->n_grants; i++) {
		double nodes = rspb_grant_nodes(&old->request->parts[i], &old->grants[i]) -
			       rspb_grant_nodes(&new->request->parts[i], &new->grants[i]);

		if (nodes > 0)
			charge(old, i, nodes * factor(old, i), now - old->start, config, true);
	}
}

void rspb_end_look(const struct rspb_booking *b, struct rspb_end_jobs *jobs)
{
	uint64_t id = b->request->id;
	char name[RSPB_RESV_NAME];
	struct rspb_job job;
	uint32_t i;

	*jobs = (struct rspb_end_jobs){ .tied = true, .ended_by = RSPB_AUDIT_UNKNOWN };
	jobs->n = rspb_components(id, jobs->ids);
	for (i = 0; i < jobs->n; i++) {
		/* A component that Slurm has forgotten is neither pending nor running. */
		if (!rspb_job_find(jobs->ids[i], &job))
			continue;
		jobs->pending += job.phase == RSPB_JOB_PENDING;
		jobs->running += job.phase == RSPB_JOB_RUNNING;
		if (job.phase == RSPB_JOB_DONE && job.cancelled) {
			jobs->cancelled++;
			jobs->by_owner |= job.ended_by == job.uid;
			jobs->ended_by = job.ended_by;
		}
		jobs->dependent |= job.dependent;
		rspb_resv_name(id, i, b->request->n_parts, name, sizeof(name));
		if (job.phase == RSPB_JOB_PENDING && !rspb_mirror_resv_tied(&job, name))
			jobs->tied = false;
	}
}

/* Log the cancellation. If several users cancelled components, the last one that was found is
 * named. */
static void audit_jobs(const struct rspb_booking *b, const struct rspb_end_jobs *jobs)
{
	if (jobs->cancelled)
		rspb_audit_log(&(struct rspb_audit){
			.action = "cancel",
			.uid = jobs->ended_by,
			.job = b->request->id,
			.done = true,
		});
}

void rspb_end_audit(const struct rspb_booking *b)
{
	struct rspb_end_jobs jobs;

	rspb_end_look(b, &jobs);
	audit_jobs(b, &jobs);
}

/* End a booking that was charged already. The event may free the booking, so that its ids are read
 * first. If the ledger refuses the event, that is logged, and Slurm is cleaned up all the same. */
static void end_charged(const struct rspb_booking *b, enum rspb_event event, enum rspb_state state,
			int64_t now, const char *reason)
{
	uint64_t id = b->request->id;
	uint32_t n_parts = b->request->n_parts, ids[RSPB_MAX_PARTS], n;
	struct rspb_err err;

	n = rspb_components(id, ids);
	rspb_log_info("booking %" PRIu64 " %s%s%s", id, rspb_state_name(state), reason ? ": " : "",
		      reason ? reason : "");
	if (rspb_book_event(id, event, now, reason, &err))
		rspb_log_error("booking %" PRIu64 ": %s", id, err.text);
	else
		rspb_tally_ended(rspb_ledger_find(rspb_book_ledger(), id), event, now);
	for (uint32_t i = 0; i < n; i++) {
		rspb_contract_state(ids[i], state, reason);
		/* Accounting was told of its end before this was known. */
		rspb_job_make_so(ids[i], &(struct rspb_job_wanted){ .accounted = true }, NULL);
	}
	rspb_mirror_resv_release(id, n_parts);
	rspb_attempt_forget(id);
}

void rspb_end_booking(const struct rspb_booking *b, enum rspb_event event, enum rspb_state state,
		      int64_t now, const char *reason)
{
	/* A cancelled booking was not used. A late cancellation was charged where it was found. */
	if (event != RSPB_EV_CANCEL)
		rspb_charge(b, now);
	end_charged(b, event, state, now, reason);
}

/* Handle a booking that its owner does not use. Within LateCancel of the start it counts as
 * unused: it is noted against the owner and charged with no use. RET the part of the text after
 * the reason. */
static const char *without_owner(const struct rspb_booking *b, const char *reason,
				 const struct rspb_config *config, int64_t now,
				 struct rspb_err *text)
{
	struct rspb_config space;
	char what[80] = "";

	config = rspb_limits_settings(config, b->request, &space);
	if (b->state != RSPB_ACTIVE && now >= b->start - config->late_cancel) {
		rspb_no_show_note(b, config, now, what, sizeof(what));
		rspb_tally_no_show(b);
		rspb_charge(b, 0);
	}
	rspb_fail(text, "%s%s", reason, what);
	return text->text + strlen(reason);
}

const char *rspb_end_given_back(const struct rspb_booking *b, bool by_owner,
				const struct rspb_config *config, int64_t now,
				struct rspb_err *text)
{
	if (by_owner)
		return without_owner(b, RSPB_END_RELEASED "its owner", config, now, text);
	/* A release by an operator is not held against the owner, however late it comes. */
	rspb_fail(text, RSPB_END_RELEASED "an operator");
	return "";
}

#define GONE "its job ended before it started"

void rspb_end_unseen(const struct rspb_job *job)
{
	/* The contract is the only record of how far the booking had come. */
	bool ran = rspb_contract_says(job->contract, RSPB_ACTIVE);
	enum rspb_state state = !ran		 ? RSPB_CANCELLED
				: job->cancelled ? RSPB_TERMINATED
						 : RSPB_COMPLETED;
	char why[RSPB_ERR_TEXT] = GONE;

	if (!ran && !rspb_contract_says(job->contract, RSPB_BOOKED) &&
	    !rspb_contract_says(job->contract, RSPB_REQUESTED))
		return;
	if (ran)
		snprintf(why, sizeof(why), "%s", job->cancelled ? RSPB_END_STOPPED : "");
	else
		/* If Slurm ended the job because something that it requested is gone, that is the
		 * reason. */
		rspb_job_bereft(job, why, sizeof(why));
	rspb_log_info("job %u is over; its booking is %s%s%s", job->id, rspb_state_name(state),
		      *why ? ": " : "", why);
	rspb_contract_state(job->id, state, why);
	rspb_job_make_so(job->id, &(struct rspb_job_wanted){ .accounted = true }, NULL);
}

void rspb_end_gone(const struct rspb_booking *b, const struct rspb_config *config, int64_t now)
{
	char why[RSPB_ERR_TEXT] = GONE;
	const char *reason = why;
	struct rspb_end_jobs jobs;
	struct rspb_err text;
	struct rspb_job job;

	rspb_end_look(b, &jobs);
	audit_jobs(b, &jobs);
	if (jobs.cancelled)
		snprintf(why, sizeof(why), "%s",
			 jobs.by_owner ? "its owner cancelled its job before it started"
				       : "its job was cancelled before it started");
	for (uint32_t i = 0; i < jobs.n; i++)
		if (rspb_job_find(jobs.ids[i], &job) && rspb_job_bereft(&job, why, sizeof(why)))
			break;
	/* A cancellation by an operator is not held against the owner. */
	if (jobs.by_owner) {
		without_owner(b, reason, config, now, &text);
		reason = text.text;
	}
	rspb_end_booking(b, RSPB_EV_CANCEL, RSPB_CANCELLED, now, reason);
}

void rspb_end_released(const struct rspb_booking *b, const char *reason,
		       const struct rspb_config *config, int64_t now)
{
	bool active = b->state == RSPB_ACTIVE;
	enum rspb_state state = active ? RSPB_TERMINATED : RSPB_CANCELLED;
	struct rspb_end_jobs jobs;
	struct rspb_config space;

	rspb_end_look(b, &jobs);
	/* The charge goes into the contracts before rspb_refuse_jobs() writes them. */
	if (active)
		rspb_charge(b, now);
	/* Jobs that still wait are held, cancelled or made regular ones, as the site says. */
	if (jobs.pending)
		rspb_refuse_jobs(jobs.ids, jobs.n, state, reason,
				 rspb_limits_settings(config, b->request, &space)->on_decline);
	end_charged(b, active ? RSPB_EV_TERMINATE : RSPB_EV_CANCEL, state, now, reason);
}

void rspb_end_give_up(const struct rspb_booking *b, const char *reason,
		      const struct rspb_config *config, int64_t now)
{
	struct rspb_end_jobs jobs;
	struct rspb_err text;

	rspb_end_look(b, &jobs);
	/* A dependency on another job is the choice of the owner. */
	if (jobs.dependent) {
		without_owner(b, reason, config, now, &text);
		reason = text.text;
	}
	rspb_end_released(b, reason, config, now);
}

/* Offers that were held and not accepted are given up below. */

/* AT_ONCE is the number of offers that are given up in one section; the others follow at the next
 * call. */
enum { AT_ONCE = 64, HELD_AT_MOST = 2 /* of one user */ };

static bool is_held(const struct rspb_booking *b)
{
	return b->state == RSPB_BOOKED && b->request->held;
}

int rspb_held_allow(const struct rspb_ask *ask, const struct rspb_asks *asks, int64_t now,
		    struct rspb_err *err)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	uint32_t user = ask->request->user, has = 0;

	if (!ask->request->held)
		return 0;
	/* A job that waited for another one was not decided until then. */
	if (ask->request->held <= now)
		return rspb_fail(err, "the time for which its offer was to be held passed before "
				      "the request could be decided");
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		has += is_held(b) && b->request->user == user;
	}
	/* Offers of this batch are not in the ledger yet. */
	for (size_t i = 0; i < asks->n; i++)
		has += asks->items[i].request->held && asks->items[i].request->user == user;
	if (has < HELD_AT_MOST)
		return 0;
	return rspb_fail(err,
			 "%u offers are already held for you, and at most %u can be; accept "
			 "one, or cancel it with rspb cancel",
			 has, HELD_AT_MOST);
}

/* RET how many of them there are, at most AT_ONCE. */
static int find_over(int64_t now, uint64_t ids[AT_ONCE])
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	int n = 0;

	if (rspb_observe->held.at > now && rspb_observe->held.version == rspb_book_version())
		return 0;
	rspb_observe->held.at = INT64_MAX;
	rspb_observe->held.version = rspb_book_version();
	/* If the list becomes full, the next end is in the past, and the next call looks for the
	 * rest. */
	for (size_t i = 0; i < rspb_ledger_count(ledger) && n < AT_ONCE; i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (!is_held(b))
			continue;
		if (b->request->held <= now)
			ids[n++] = b->request->id;
		if (b->request->held < rspb_observe->held.at)
			rspb_observe->held.at = b->request->held;
	}
	return n;
}

void rspb_held_expire(int64_t now)
{
	struct rspb_section section;
	struct rspb_config config;
	uint64_t ids[AT_ONCE];
	/* A hold ends at least RSPB_HELD_BEFORE_S before the start, so that a look every two
	 * seconds is in time. */
	int n = now % 2 && rspb_book_ledger() ? find_over(now, ids) : 0;

	if (!n || !rspb_section_enter(&section, RSPB_LOCK_WRITE, "held"))
		return;
	config = *rspb_settings_get();
	/* Hold the job, whatever the site says in OnDecline: the offer can still be accepted if it
	 * still fits. */
	config.on_decline = RSPB_DECLINE_HOLD;
	for (int i = 0; i < n && !rspb_section_spent(&section); i++) {
		const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), ids[i]);

		if (b && is_held(b))
			rspb_end_give_up(b, "the held offer was not accepted in time", &config,
					 now);
	}
	rspb_section_leave(&section);
}
