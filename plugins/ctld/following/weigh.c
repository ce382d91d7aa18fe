/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts, a slice at a time, whether what is booked keeps to limits and licences still.
 * Which these are recheck.c has read. */
#include "plugins/ctld/following/weigh.h"

#include <stdlib.h>

#include "common/plan/count.h"
#include "common/plan/offers.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/holds.h"
#include "plugins/ctld/following/doubts.h"

enum {
	WEIGH_US = 2000, /* of each second */
	OFFERS = 20	 /* each costs some twenty searches */
};

static struct rspb_ledger *plan; /* what is counted on, NULL: not yet */
static size_t left;		 /* of it */
static int offers;

/* A copy of the ledger, with what runs besides. RET false: not now. */
static bool make_plan(int64_t now)
{
	const struct rspb_request **requests;
	size_t n;
	int rc = -1;

	plan = rspb_basis_make(rspb_settings_get(), now);
	n = plan ? rspb_ledger_count(plan) : 0;
	requests = calloc(n + 1, sizeof(*requests));
	for (size_t i = 0; requests && i < n; i++)
		requests[i] = rspb_ledger_at(plan, i)->request;
	if (requests && plan)
		rc = rspb_holds_add(plan, requests, n, now);
	free(requests);
	left = n;
	offers = OFFERS;
	return !rc;
}

/* Offers are of the plan, where the booking is no more. */
static void say(const struct rspb_booking *b, const struct rspb_excess *excess, int64_t now,
		char text[RSPB_ERR_TEXT])
{
	const struct rspb_config *config = rspb_settings_get();
	struct rspb_policy policy = config->policy;
	struct rspb_text out = rspb_text_over(text, RSPB_ERR_TEXT);
	struct rspb_request *request = rspb_request_clone(b->request);

	rspb_text_add(&out, "it cannot start: ");
	rspb_excess_print(excess, &out);
	if (request && !rspb_ledger_cancel(plan, b->request->id, now, NULL) && offers-- > 0) {
		policy.offer_notice = RSPB_OFFER_NOTICE_S;
		rspb_offers_add(plan, &policy, request, now, now + config->horizon, text,
				RSPB_ERR_TEXT, NULL);
	}
	rspb_request_destroy(request);
}

static void weigh(const struct rspb_booking *b, struct rspb_counts *counts, int64_t now)
{
	uint64_t id = b->request->id;
	char text[RSPB_ERR_TEXT] = "";
	struct rspb_excess excess;
	struct rspb_section section;

	if (rspb_counts_make(counts, plan, b->request, NULL, 0))
		return;
	excess = rspb_counts_booking(counts, plan, b);
	if (excess.quota)
		say(b, &excess, now, text);
	if (!rspb_doubt_note(id, RSPB_DOUBT_LIMIT, text) ||
	    !rspb_section_enter(&section, RSPB_LOCK_WRITE, "recheck"))
		return;
	rspb_doubt_tell(id);
	rspb_section_leave(&section);
}

/* The latest first: what is too much then counts no more for those before it. RET
 * whether all have been counted. */
bool rspb_weigh_on(bool (*looked_at)(const struct rspb_booking *b), int64_t now)
{
	int64_t until = rspb_section_clock_us() + WEIGH_US;
	struct rspb_counts counts = { .n = 0 };

	if (!plan && !make_plan(now))
		return true;
	while (left && rspb_section_clock_us() < until) {
		const struct rspb_booking *b = rspb_ledger_at(plan, --left);

		if (looked_at(b) && b->start > now)
			weigh(b, &counts, now);
	}
	rspb_counts_fini(&counts);
	return !left;
}

void rspb_weigh_end(void)
{
	rspb_ledger_destroy(plan);
	plan = NULL;
}
