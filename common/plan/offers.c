/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/offers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/plan/search.h"
#include "common/policy/degrade.h"

/* A request to ask what-if questions with, and the means to answer them. */
struct question {
	struct rspb_policy policy;
	struct rspb_plan plan;
	struct rspb_request *request;
	int64_t now;
};

/* RET as rspb_search; the offer is filled when it is 1. */
static int ask(struct question *question, enum rspb_offer_kind kind,
	       struct rspb_offer *offer, struct rspb_err *err)
{
	const struct rspb_plan *plan = &question->plan;
	int rc = rspb_plan_begin(&question->plan, question->request, err);

	if (!rc)
		rc = rspb_search(&question->plan, question->now, err);
	if (rc <= 0)
		return rc;
	*offer = (struct rspb_offer){ .kind = kind,
				      .start = plan->start,
				      .end = plan->end,
				      .share = plan->pieces[0].part->share
						       ? plan->pieces[0].units
						       : 0 };
	for (uint32_t i = 0; i < plan->n; i++)
		offer->nodes += rspb_nodeset_count(plan->pieces[i].nodes);
	return 1;
}

/* All of it as soon as it fits. */
static int ask_later(struct question *question,
		     const struct rspb_request *asked, int64_t until,
		     struct rspb_offer *offer, struct rspb_err *err)
{
	question->policy.degrade = rspb_degrade_find("none");
	question->request->asap = true;
	question->request->deadline = until;
	if (until <= asked->deadline)
		return 0;
	return ask(question, RSPB_OFFER_LATER, offer, err);
}

/* As much as there is, whatever it is worth. */
static int ask_less(struct question *question, const struct rspb_request *asked,
		    struct rspb_offer *offer, struct rspb_err *err)
{
	struct rspb_request *request = question->request;

	question->policy.degrade = rspb_degrade_find("share-out");
	request->asap = asked->asap;
	request->deadline = asked->deadline;
	for (uint32_t i = 0; i < request->n_parts; i++) {
		struct rspb_part *part = &request->parts[i];

		part->has_benefit = false;
		part->nodes_min = part->share ? part->nodes : 1;
		part->share_min = 0;
	}
	if (rspb_benefit_parse("0%@0,100%@1", &request->benefit, err))
		return -1;
	return ask(question, RSPB_OFFER_LESS, offer, err);
}

/*
 * The longest time that all of it can be had for, no less than a minute. What
 * fits for a time fits for any shorter one, so halving finds it.
 */
static int ask_shorter(struct question *question,
		       const struct rspb_request *asked,
		       struct rspb_offer *offer, struct rspb_err *err)
{
	struct rspb_request *request = question->request;
	int64_t low = 59, high = asked->duration;
	bool one_start = asked->deadline == asked->ready + asked->duration;
	int found = 0;

	question->policy.degrade = rspb_degrade_find("none");
	request->asap = asked->asap;
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;
		int rc;

		request->duration = middle;
		request->deadline = one_start ? asked->ready + middle
					      : asked->deadline;
		rc = ask(question, RSPB_OFFER_SHORTER, offer, err);
		if (rc < 0)
			return -1;
		found |= rc;
		*(rc ? &low : &high) = middle;
	}
	if (!found)
		return 0;
	request->duration = low;
	request->deadline = one_start ? asked->ready + low : asked->deadline;
	return ask(question, RSPB_OFFER_SHORTER, offer, err);
}

static int ask_all(struct question *question, const struct rspb_request *asked,
		   int64_t until, struct rspb_offer *out, struct rspb_err *err)
{
	int n = 0, rc = ask_later(question, asked, until, &out[n], err);

	if (rc < 0)
		return -1;
	n += rc;
	rc = ask_shorter(question, asked, &out[n], err);
	if (rc < 0)
		return -1;
	n += rc;
	question->request->duration = asked->duration;
	rc = ask_less(question, asked, &out[n], err);
	return rc < 0 ? -1 : n + rc;
}

int rspb_offers(const struct rspb_ledger *ledger,
		const struct rspb_policy *policy,
		const struct rspb_request *request, int64_t now, int64_t until,
		struct rspb_offer *out, struct rspb_err *err)
{
	struct question question = { .policy = *policy,
				     .now = now,
				     .request = rspb_request_clone(request) };
	int rc;

	if (!question.request)
		return rspb_fail(err, "out of memory");
	rc = rspb_plan_init(&question.plan, ledger, &question.policy, err);
	if (!rc) {
		rc = ask_all(&question, request, until, out, err);
		rspb_plan_fini(&question.plan);
	}
	rspb_request_destroy(question.request);
	return rc;
}

size_t rspb_offer_print(const struct rspb_offer *offer, char *buf, size_t size)
{
	struct rspb_text text = rspb_text_over(buf, size);

	if (offer->share) {
		rspb_text_add_percent(&text, offer->share);
		rspb_text_add(&text, " of ");
	}
	rspb_text_add(&text, "%" PRId64 " node%s", offer->nodes,
		      offer->nodes == 1 ? "" : "s");
	if (offer->kind == RSPB_OFFER_SHORTER)
		rspb_text_add(&text, " for %" PRId64 " seconds",
			      offer->end - offer->start);
	rspb_text_add(&text, " from ");
	rspb_text_add_time(&text, offer->start);
	return text.len;
}

int rspb_offers_add(const struct rspb_ledger *ledger,
		    const struct rspb_policy *policy,
		    const struct rspb_request *request, int64_t now,
		    int64_t until, char *text, size_t size,
		    struct rspb_err *err)
{
	struct rspb_offer offers[RSPB_N_OFFERS];
	int n = rspb_offers(ledger, policy, request, now, until, offers, err);
	size_t at = strlen(text);

	for (int i = 0; i < n; i++) {
		char offer[128];
		int length;

		rspb_offer_print(&offers[i], offer, sizeof(offer));
		length = snprintf(text + at, size - at, "%s%s",
				  i ? ", or " : "; on offer: ", offer);
		if (length < 0 || at + (size_t) length >= size) {
			/* No offer rather than half of one. */
			text[at] = '\0';
			break;
		}
		at += (size_t) length;
	}
	return n < 0 ? -1 : 0;
}
