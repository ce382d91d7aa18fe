/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Offers as people and programs read them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/base/text.h"
#include "common/plan/offers.h"

/* The most that a text may grow when its times are shown by a user's clock. */
enum { ZONES = 24 };

void rspb_offer_word(const struct rspb_offer *offer, const struct rspb_request *asked,
		     struct rspb_text *text)
{
	time_t start = offer->start;
	char time[32];
	struct tm tm;

	if (asked->n_parts == 1 && offer->share)
		rspb_text_add_percent(text, offer->share);
	else if (asked->n_parts == 1)
		rspb_text_add(text, "%" PRId64, offer->nodes);
	if (offer->tasks)
		rspb_text_add(text, "/%" PRId64, offer->tasks);
	strftime(time, sizeof(time), "%Y%m%dT%H%M%SZ", gmtime_r(&start, &tm));
	rspb_text_add(text, "@%s+%" PRId64, time, offer->end - offer->start);
}

void rspb_offer_flags(const struct rspb_offer *offer, const struct rspb_request *asked,
		      struct rspb_text *text)
{
	if (asked->n_parts == 1)
		rspb_text_add(text, " -N%" PRId64, offer->nodes);
	if (offer->tasks)
		rspb_text_add(text, " -n%" PRId64, offer->tasks);
	if (offer->share) {
		rspb_text_add(text, " --cpu-share=");
		rspb_text_add_percent(text, offer->share);
	}
	rspb_text_add(text, " --time=%" PRId64 " --begin=", (offer->end - offer->start + 59) / 60);
	rspb_text_add_time(text, offer->start);
}

/* Where flags are of no use: " for 300 seconds from 2026-11-24T09:00:00Z" */
static void add_words(const struct rspb_offer *offer, struct rspb_text *text)
{
	int64_t s = offer->end - offer->start;

	if (offer->kind == RSPB_OFFER_SHORTER && s % 60)
		rspb_text_add(text, " for %" PRId64 " seconds", s);
	else if (offer->kind == RSPB_OFFER_SHORTER)
		rspb_text_add(text, " for %" PRId64 " minute%s", s / 60, s == 60 ? "" : "s");
	rspb_text_add(text, " from ");
	rspb_text_add_time(text, offer->start);
}

static void add_offer(const struct rspb_offer *offer, const struct rspb_request *asked, bool first,
		      char *buf, size_t size)
{
	size_t at = strlen(buf);
	struct rspb_text text = rspb_text_over(buf + at, size - at);

	rspb_text_add(&text, first ? "; on offer: " : " or ");
	if (offer->share) {
		rspb_text_add_percent(&text, offer->share);
		rspb_text_add(&text, " of ");
	}
	if (offer->tasks)
		rspb_text_add(&text, "%" PRId64 " task%s on ", offer->tasks,
			      offer->tasks == 1 ? "" : "s");
	rspb_text_add(&text, "%" PRId64 " node%s", offer->nodes, offer->nodes == 1 ? "" : "s");
	if (asked->stays) {
		add_words(offer, &text);
		rspb_text_add(&text, ": rspb accept ");
		rspb_text_add_job(&text, asked->id & ~RSPB_ID_AGAIN, asked->array, asked->task);
		rspb_text_add(&text, " ");
		rspb_offer_word(offer, asked, &text);
	} else if (asked->user != RSPB_USER_NONE) {
		rspb_text_add(&text, " with");
		rspb_offer_flags(offer, asked, &text);
	} else {
		add_words(offer, &text);
	}
	/* No offer rather than half of one, and room for its times' zones. */
	if (text.len + ZONES >= text.size)
		buf[at] = '\0';
}

int rspb_offers_add(const struct rspb_ledger *ledger, const struct rspb_policy *policy,
		    const struct rspb_request *request, int64_t now, int64_t until, char *text,
		    size_t size, struct rspb_err *err)
{
	struct rspb_offer offers[RSPB_N_OFFERS];
	int n = rspb_offers_find(ledger, policy, request, now, until, 0, offers, err);

	for (int i = 0; i < n; i++)
		add_offer(&offers[i], request, !i, text, size);
	return n < 0 ? -1 : 0;
}
