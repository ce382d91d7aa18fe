/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks again, a slice at a time, whether what is booked could still start, and tells
 * owners. It moves nothing. */
#include "plugins/ctld/following/recheck.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/hash.h"
#include "common/plan/count.h"
#include "common/plan/offers.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/limit/members.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/book/licenses.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/holds.h"
#include "plugins/ctld/following/unfit.h"
#include "plugins/ctld/following/update.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/requests/part.h"

enum {
	LIMITS_S = 10,	 /* how often limits are read again */
	WEIGH_US = 2000, /* of each second, for counting */
	OFFERS = 20	 /* each costs some twenty searches */
};

enum cause { PARTITION, LIMIT, START, N_CAUSES };

/* Why a booking will not start, "": nothing. */
struct doubt {
	uint64_t id;
	char text[N_CAUSES][RSPB_ERR_TEXT];
};

static struct {
	size_t n, room;
	struct doubt *items;
} doubts;

/* One pass over all bookings: read and judge them, then count. */
static struct {
	uint64_t *ids;
	size_t n, next;
	bool judges;		  /* partitions have changed */
	struct rspb_ledger *plan; /* what is counted on, NULL: not yet */
	size_t left;		  /* of the plan, to be counted */
	int offers;
	uint64_t disowned; /* a number of those that accounting has lost */
} pass;

static bool unjudged;	  /* nodes or accounting have become others since */
static uint64_t disowned; /* as the last pass had it */
static int64_t judged_at; /* when partitions were looked at last */
static int64_t limits_at; /* next look at limits */

static struct doubt *doubt_find(uint64_t id)
{
	for (size_t i = 0; i < doubts.n; i++)
		if (doubts.items[i].id == id)
			return &doubts.items[i];
	return NULL;
}

const char *rspb_recheck_says(uint64_t id)
{
	const struct doubt *doubt = doubt_find(id);

	for (int i = 0; doubt && i < N_CAUSES; i++)
		if (doubt->text[i][0])
			return doubt->text[i];
	return NULL;
}

/* The owner is told what is new, or that nothing is in the way any more; wants
 * the write lock. */
static void tell_owner(uint64_t id)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	const char *text = rspb_recheck_says(id);

	if (!b)
		return;
	rspb_log_info("booking %" PRIu64 ": %s", id,
		      text ? text : "nothing keeps it from starting any more");
	rspb_kind_of(b->request)->tell(id, text ? text : "");
}

/* What is offered instead may change; that alone is no news. */
static bool same(const char *a, const char *b)
{
	size_t length = strcspn(a, ";");

	return strcspn(b, ";") == length && !strncmp(a, b, length);
}

/* RET whether that is news. */
static bool note(uint64_t id, enum cause cause, const char *text)
{
	struct doubt *doubt = doubt_find(id);

	if (!doubt && text[0] &&
	    !rspb_array_grow(&doubts.items, &doubts.room, doubts.n + 1,
			     sizeof(*doubts.items))) {
		doubt = &doubts.items[doubts.n++];
		*doubt = (struct doubt){ .id = id };
	}
	if (!doubt || same(doubt->text[cause], text))
		return false;
	snprintf(doubt->text[cause], sizeof(doubt->text[cause]), "%s", text);
	return true;
}

void rspb_recheck_refused(uint64_t id, const char *text)
{
	if (note(id, START, text))
		tell_owner(id);
}

void rspb_recheck_moved(uint64_t id)
{
	note(id, PARTITION, "");
	rspb_unfit_note(id, RSPB_UNFIT_NONE);
}

static bool looked_at(const struct rspb_booking *b)
{
	return b && b->state == RSPB_BOOKED &&
	       rspb_kind_of(b->request)->has_jobs;
}

static void forget_old(void)
{
	size_t i = 0;

	while (i < doubts.n)
		if (looked_at(rspb_ledger_find(rspb_book_ledger(),
					       doubts.items[i].id)))
			i++;
		else
			doubts.items[i] = doubts.items[--doubts.n];
}

static void pass_end(void)
{
	free(pass.ids);
	rspb_ledger_destroy(pass.plan);
	memset(&pass, 0, sizeof(pass));
}

void rspb_recheck_reset(void)
{
	pass_end();
	free(doubts.items);
	memset(&doubts, 0, sizeof(doubts));
	rspb_unfit_reset();
	judged_at = limits_at = 0;
	unjudged = false;
	disowned = RSPB_HASH_START;
}

static void pass_begin(bool judges)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	size_t n = rspb_ledger_count(ledger);

	forget_old();
	pass.ids = calloc(n + 1, sizeof(*pass.ids));
	pass.judges = judges;
	pass.offers = OFFERS;
	pass.disowned = RSPB_HASH_START;
	for (size_t i = 0; pass.ids && i < n; i++)
		if (looked_at(rspb_ledger_at(ledger, i)))
			pass.ids[pass.n++] =
				rspb_ledger_at(ledger, i)->request->id;
}

/* Take over other limits of a part, where it has others by now. Nearly none has, so
 * a copy of the booking is made then alone. */
static void take_limits(const struct rspb_booking *b, uint32_t i,
			const struct rspb_job *job, struct rspb_booking **new)
{
	/* What counts depends on what it asks for: all of that but the limits. */
	struct rspb_part is = b->request->parts[i], *part;

	is.quotas = NULL;
	is.n_quotas = 0;
	if (!rspb_part_count(job, &is, NULL) &&
	    !rspb_part_same_quotas(&b->request->parts[i], &is) &&
	    (*new || (*new = rspb_booking_clone(b)))) {
		part = &(*new)->request->parts[i];
		free(part->quotas);
		part->quotas = is.quotas;
		part->n_quotas = is.n_quotas;
		is.quotas = NULL;
	}
	free(is.quotas);
}

/* Read the limits of a booking's jobs; another booking stands in the ledger when
 * they are others. */
static void read_limits(const struct rspb_booking *b, int64_t now)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	struct rspb_record record = { .kind = RSPB_REC_CHANGE, .time = now };
	struct rspb_booking *new = NULL;
	struct rspb_job job;

	for (uint32_t i = 0; i < n && i < b->request->n_parts; i++)
		if (rspb_job_find(ids[i], &job))
			take_limits(b, i, &job, &new);
	if (!new)
		return;
	record.booking = new;
	rspb_book_apply(&record, NULL);
	rspb_booking_destroy(new);
}

static bool limited(void)
{
	return rspb_ctld_limits() || rspb_licenses_any();
}

/* Slurm tells nobody when accounting loses whom a job is for, or finds him again; nor of
 * his QOS. */
static void count_disowned(uint64_t id)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(id, ids);
	struct rspb_job job;
	struct rspb_err err;

	for (uint32_t i = 0; i < n; i++)
		if (rspb_job_find(ids[i], &job) &&
		    rspb_member_admitted(&job, &err))
			pass.disowned = rspb_hash(pass.disowned, &ids[i],
						  sizeof(ids[i]));
}

/* With the write lock when it is judged. */
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
	if (!pass.judges)
		return;
	b = rspb_ledger_find(rspb_book_ledger(), id);
	rspb_update_judge(b, &unfit, &err);
	if (rspb_unfit_note(id, unfit))
		rspb_update_refresh(b, unfit != RSPB_UNFIT_NONE, now);
	if (note(id, PARTITION, err.text))
		tell_owner(id);
}

/* RET whether all have been looked at. */
static bool look_on(int64_t now)
{
	struct rspb_section section;

	if (pass.next == pass.n)
		return true;
	if (!rspb_section_enter(&section,
				pass.judges ? RSPB_LOCK_WRITE : RSPB_LOCK_READ,
				"recheck"))
		return false;
	do {
		look_at_booking(pass.ids[pass.next++], now);
		section.items++;
	} while (pass.next < pass.n && !rspb_section_spent(&section));
	rspb_section_leave(&section);
	return pass.next == pass.n;
}

/* --- counting ----------------------------------------------------------- */

/* A copy of the ledger, with what runs besides. RET false: not now. */
static bool make_plan(int64_t now)
{
	const struct rspb_request **requests;
	size_t n;
	int rc = -1;

	pass.plan = rspb_basis_make(rspb_settings_get(), now);
	n = pass.plan ? rspb_ledger_count(pass.plan) : 0;
	requests = calloc(n + 1, sizeof(*requests));
	for (size_t i = 0; requests && i < n; i++)
		requests[i] = rspb_ledger_at(pass.plan, i)->request;
	if (requests && pass.plan)
		rc = rspb_holds_add(pass.plan, requests, n, now);
	free(requests);
	pass.left = n;
	return !rc;
}

/* Offers are of the plan, where the booking is no more. */
static void say(const struct rspb_booking *b, const struct rspb_excess *excess,
		int64_t now, char text[RSPB_ERR_TEXT])
{
	const struct rspb_config *config = rspb_settings_get();
	struct rspb_policy policy = config->policy;
	struct rspb_text out = rspb_text_over(text, RSPB_ERR_TEXT);
	struct rspb_request *request = rspb_request_clone(b->request);
	struct rspb_record cancel = { .kind = RSPB_REC_EVENT,
				      .time = now,
				      .id = b->request->id,
				      .event = RSPB_EV_CANCEL };

	rspb_text_add(&out, "it cannot start: ");
	rspb_excess_print(excess, &out);
	if (request && !rspb_ledger_apply(pass.plan, &cancel, NULL) &&
	    pass.offers-- > 0) {
		policy.offer_notice = RSPB_OFFER_NOTICE_S;
		rspb_offers_add(pass.plan, &policy, request, now,
				now + config->horizon, text, RSPB_ERR_TEXT,
				NULL);
	}
	rspb_request_destroy(request);
}

static void weigh(const struct rspb_booking *b, struct rspb_counts *counts,
		  int64_t now)
{
	uint64_t id = b->request->id;
	char text[RSPB_ERR_TEXT] = "";
	struct rspb_excess excess;
	struct rspb_section section;

	if (rspb_counts_make(counts, pass.plan, b->request, NULL, 0))
		return;
	excess = rspb_counts_booking(counts, pass.plan, b);
	if (excess.quota)
		say(b, &excess, now, text);
	if (!note(id, LIMIT, text) ||
	    !rspb_section_enter(&section, RSPB_LOCK_WRITE, "recheck"))
		return;
	tell_owner(id);
	rspb_section_leave(&section);
}

/* The latest first: what is too much then counts no more for those before it. RET
 * whether all have been counted. */
static bool weigh_on(int64_t now)
{
	int64_t until = rspb_section_clock_us() + WEIGH_US;
	struct rspb_counts counts = { .n = 0 };

	while (pass.left && rspb_section_clock_us() < until) {
		const struct rspb_booking *b = rspb_ledger_at(pass.plan,
							      --pass.left);

		if (looked_at(b) && b->start > now)
			weigh(b, &counts, now);
	}
	rspb_counts_fini(&counts);
	return !pass.left;
}

void rspb_recheck_run(int64_t now)
{
	/* Changes are stamped in whole seconds: one that came later in the
	 * second of the last look counts as new. */
	bool parts = rspb_ctld_parts_changed() >= judged_at || judged_at > now;
	bool limits = (limited() || rspb_resv_by_account()) &&
		      (now >= limits_at || limits_at > now + LIMITS_S);

	unjudged |= rspb_update_features(now);
	parts |= unjudged;
	if (!pass.ids) {
		if (!parts && !limits)
			return;
		pass_begin(parts);
		if (parts)
			judged_at = now;
		unjudged = false;
		limits_at = now + LIMITS_S;
	}
	if (!look_on(now))
		return;
	unjudged |= pass.disowned != disowned;
	disowned = pass.disowned;
	if (!limited() || !pass.n || (!pass.plan && !make_plan(now)) ||
	    weigh_on(now))
		pass_end();
}
