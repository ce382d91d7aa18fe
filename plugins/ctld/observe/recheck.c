/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks again, a slice at a time, whether what is booked could still start, and tells
 * owners. It moves nothing. */
#include "plugins/ctld/observe/following.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/plan/plan.h"
#include "common/plan/schedule.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/observe/state.h"
#include "plugins/ctld/request/part.h"

/* Counts, a slice at a time, whether the bookings still keep to limits and licenses. The limits
 * were read before, by look_at_booking(). */

enum {
	WEIGH_US = 2000, /* of each second */
	OFFERS = 20	 /* each costs some twenty searches */
};

/* Make the plan to count on: a copy of the ledger, with the running jobs that count against the
 * same limits. No lock is held afterwards. RET false: not now. */
static bool make_plan(int64_t now)
{
	const struct rspb_request **requests;
	size_t n;
	int rc = -1;

	rspb_recheck->plan = rspb_basis_make(rspb_settings_get(), now);
	n = rspb_recheck->plan ? rspb_ledger_count(rspb_recheck->plan) : 0;
	requests = calloc(n + 1, sizeof(*requests));
	for (size_t i = 0; requests && i < n; i++)
		requests[i] = rspb_ledger_at(rspb_recheck->plan, i)->request;
	if (requests && rspb_recheck->plan)
		rc = rspb_holds_add(rspb_recheck->plan, requests, n, now);
	free(requests);
	rspb_recheck->left = n;
	rspb_recheck->offers = OFFERS;
	return !rc;
}

/* Write what exceeds a limit, and offers. The booking is removed from the plan before offers are
 * searched, so that it does not stand in its own way. */
static void say(const struct rspb_booking *b, const struct rspb_excess *excess, int64_t now,
		char text[RSPB_ERR_TEXT])
{
	const struct rspb_config *config = rspb_settings_get();
	struct rspb_policy policy = config->policy;
	struct rspb_text out = rspb_text_over(text, RSPB_ERR_TEXT);
	struct rspb_request *request = rspb_request_clone(b->request);

	rspb_text_add(&out, "it cannot start: ");
	rspb_excess_print(excess, &out);
	if (request && !rspb_ledger_cancel(rspb_recheck->plan, b->request->id, now, NULL) &&
	    rspb_recheck->offers-- > 0) {
		policy.offer_notice = RSPB_OFFER_NOTICE_S;
		rspb_offers_add(rspb_recheck->plan, &policy, request, now, now + config->horizon,
				text, RSPB_ERR_TEXT, NULL);
	}
	rspb_request_destroy(request);
}

/* Count one booking. The write lock is taken only if its owner is to be told something new. */
static void weigh(const struct rspb_booking *b, struct rspb_counts *counts, int64_t now)
{
	uint64_t id = b->request->id;
	char text[RSPB_ERR_TEXT] = "";
	struct rspb_excess excess;
	struct rspb_section section;

	if (rspb_counts_make(counts, rspb_recheck->plan, b->request, NULL, 0))
		return;
	excess = rspb_counts_booking(counts, rspb_recheck->plan, b);
	if (excess.quota)
		say(b, &excess, now, text);
	if (!rspb_doubt_note(id, RSPB_DOUBT_LIMIT, text) ||
	    !rspb_section_enter(&section, RSPB_LOCK_WRITE, "recheck"))
		return;
	rspb_doubt_tell(id);
	rspb_section_leave(&section);
}

/* Continue to count the bookings that are looked at, for WEIGH_US, and tell their owners; takes
 * locks. The latest comes first: a booking that is too much is removed from the plan, and does not
 * count against earlier ones. RET whether all have been counted. */
static bool weigh_on(bool (*looked_at)(const struct rspb_booking *b), int64_t now)
{
	int64_t until = rspb_section_clock_us() + WEIGH_US;
	struct rspb_counts counts = { .n = 0 };

	if (!rspb_recheck->plan && !make_plan(now))
		return true;
	while (rspb_recheck->left && rspb_section_clock_us() < until) {
		const struct rspb_booking *b = rspb_ledger_at(rspb_recheck->plan,
							      --rspb_recheck->left);

		if (looked_at(b) && b->start > now)
			weigh(b, &counts, now);
	}
	rspb_counts_fini(&counts);
	return !rspb_recheck->left;
}

/* Drop the plan; the next pass makes a new one. */
static void weigh_end(void)
{
	rspb_ledger_destroy(rspb_recheck->plan);
	rspb_recheck->plan = NULL;
}

enum {
	LIMITS_S = 10, /* how often limits are read again */
	SLICES = 10    /* sections of a second */
};

void rspb_recheck_refused(uint64_t id, const char *text)
{
	if (rspb_doubt_note(id, RSPB_DOUBT_START, text))
		rspb_doubt_tell(id);
}

void rspb_recheck_moved(uint64_t id)
{
	rspb_doubt_note(id, RSPB_DOUBT_PARTITION, "");
	rspb_doubt_unfit(id, RSPB_UNFIT_NONE);
}

static bool looked_at(const struct rspb_booking *b)
{
	return b && b->state == RSPB_BOOKED && rspb_kind_of(b->request)->has_jobs;
}

void rspb_recheck_end(void)
{
	free(rspb_recheck->pass.ids);
	weigh_end();
	memset(&rspb_recheck->pass, 0, sizeof(rspb_recheck->pass));
}

/* Without memory for the list the pass is empty and ends at once. */
static void pass_begin(bool judges)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	size_t n = rspb_ledger_count(ledger);

	rspb_doubts_tidy(looked_at);
	rspb_recheck->pass.ids = calloc(n + 1, sizeof(*rspb_recheck->pass.ids));
	rspb_recheck->pass.judges = judges;
	rspb_recheck->pass.disowned = RSPB_HASH_START;
	for (size_t i = 0; rspb_recheck->pass.ids && i < n; i++)
		if (looked_at(rspb_ledger_at(ledger, i)))
			rspb_recheck->pass.ids[rspb_recheck->pass.n++] =
				rspb_ledger_at(ledger, i)->request->id;
}

/* Take over other limits of a part, where it has others by now. Nearly none has, so
 * a copy of the booking is made then alone. */
static void take_limits(const struct rspb_booking *b, uint32_t i, const struct rspb_job *job,
			struct rspb_booking **new)
{
	/* Count in a copy of the part that shares all but the limits, because the count depends on
	 * the rest of the request. */
	struct rspb_part is = b->request->parts[i], *part;

	is.quotas = calloc(is.n_quotas + 1, sizeof(*is.quotas));
	if (!is.quotas)
		return;
	if (is.n_quotas)
		memcpy(is.quotas, b->request->parts[i].quotas, is.n_quotas * sizeof(*is.quotas));
	if (!rspb_part_count(job, &is, NULL) &&
	    !rspb_part_same_quotas(&b->request->parts[i], &is) &&
	    (*new || (*new = rspb_booking_clone(b)))) {
		part = &(*new)->request->parts[i];
		free(part->quotas);
		part->quotas = is.quotas;
		part->n_quotas = is.n_quotas;
		/* The new booking owns them now. */
		is.quotas = NULL;
	}
	free(is.quotas);
}

/* Read the limits of the jobs of a booking. If they are others by now, the ledger gets a changed
 * copy of the booking. */
static void read_limits(const struct rspb_booking *b, int64_t now)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	struct rspb_booking *new = NULL;
	struct rspb_job job;

	for (uint32_t i = 0; i < n && i < b->request->n_parts; i++)
		if (rspb_job_find(ids[i], &job))
			take_limits(b, i, &job, &new);
	if (!new)
		return;
	rspb_book_change(new, now, NULL);
	rspb_booking_destroy(new);
}

static bool limited(void)
{
	return rspb_slurm_conf().limits || rspb_licenses_any();
}

/* Hash the jobs whose user, account or QOS accounting does not admit. Slurm does not report such
 * changes, so that the sums of two passes are compared. */
static void count_disowned(uint64_t id)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(id, ids);
	struct rspb_job job;
	struct rspb_err err;

	for (uint32_t i = 0; i < n; i++)
		if (rspb_job_find(ids[i], &job) && rspb_job_barred(&job, RSPB_BAR_OWNER, &err))
			rspb_recheck->pass.disowned = rspb_hash(rspb_recheck->pass.disowned,
								&ids[i], sizeof(ids[i]));
}

/* Look at one booking. A pass that judges holds the write lock, any other the read lock. */
static void look_at_booking(uint64_t id, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	struct rspb_err err = { "" };
	uint32_t unfit;

	if (!looked_at(b))
		return;
	if (limited())
		read_limits(b, now);
	count_disowned(id);
	if (!rspb_recheck->pass.judges)
		return;
	/* The booking may have been replaced by read_limits(). */
	b = rspb_ledger_find(rspb_book_ledger(), id);
	rspb_update_judge(b, &unfit, &err);
	if (rspb_doubt_unfit(id, unfit))
		rspb_update_refresh(b, unfit != RSPB_UNFIT_NONE, now);
	if (rspb_doubt_note(id, RSPB_DOUBT_PARTITION, err.text))
		rspb_doubt_tell(id);
}

/* Look at bookings in at most SLICES sections, with urgent work between them. RET whether all have
 * been looked at. */
static bool look_on(int64_t now)
{
	enum rspb_lock kind = rspb_recheck->pass.judges ? RSPB_LOCK_WRITE : RSPB_LOCK_READ;
	struct rspb_section section;

	for (int i = 0; i < SLICES && rspb_recheck->pass.next < rspb_recheck->pass.n &&
			rspb_section_enter(&section, kind, "recheck");
	     i++) {
		do {
			look_at_booking(rspb_recheck->pass.ids[rspb_recheck->pass.next++], now);
			section.items++;
		} while (rspb_recheck->pass.next < rspb_recheck->pass.n &&
			 !rspb_section_spent(&section));
		rspb_section_leave(&section);
		rspb_breathe();
	}
	return rspb_recheck->pass.next == rspb_recheck->pass.n;
}

/* Withdraw the doubts that the last slurmctld told and this one does not have. Bookings whose
 * start has come are judged by their starts. */
static void withdraw_outdated(int64_t now)
{
	struct rspb_section section = { .what = NULL };

	for (size_t i = 0; i < rspb_recheck->pass.n; i++) {
		const struct rspb_booking *b;

		if (section.what && rspb_section_spent(&section)) {
			rspb_section_leave(&section);
			rspb_breathe();
		}
		b = rspb_ledger_find(rspb_book_ledger(), rspb_recheck->pass.ids[i]);
		if (!looked_at(b) || b->start <= now || !rspb_doubt_outdated(b))
			continue;
		if (!rspb_section_next(&section, RSPB_LOCK_WRITE, "recheck"))
			return;
		rspb_doubt_withdraw(b);
	}
	rspb_section_end(&section);
}

void rspb_recheck_run(int64_t now)
{
	/* Changes are stamped in whole seconds: one that came later in the
	 * second of the last look counts as new. */
	bool parts = rspb_ctld_changed(RSPB_CHANGED_PARTS) >= rspb_recheck->judged_at ||
		     rspb_recheck->judged_at > now;
	bool limits = (limited() || rspb_slurm_conf().by_account) &&
		      (now >= rspb_recheck->limits_at || rspb_recheck->limits_at > now + LIMITS_S);

	rspb_recheck->unjudged |= rspb_update_features(now);
	parts |= rspb_recheck->unjudged;
	if (!rspb_recheck->pass.ids) {
		if (!parts && !limits)
			return;
		pass_begin(parts);
		if (parts)
			rspb_recheck->judged_at = now;
		rspb_recheck->unjudged = false;
		rspb_recheck->limits_at = now + LIMITS_S;
	}
	/* The pass continues in the next second. */
	if (!look_on(now))
		return;
	/* Accounting has lost or found somebody: the next pass judges. */
	rspb_recheck->unjudged |= rspb_recheck->pass.disowned != rspb_recheck->disowned;
	rspb_recheck->disowned = rspb_recheck->pass.disowned;
	if (limited() && rspb_recheck->pass.n && !weigh_on(looked_at, now))
		return;
	/* The first pass after a start judges all. Without a plan to count on, limits were not
	 * judged. */
	if (!limited() || (rspb_recheck->plan && !rspb_recheck->left))
		withdraw_outdated(now);
	rspb_recheck_end();
}
