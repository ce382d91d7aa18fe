/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds what could be booked instead of a request that does not fit as asked: the same later, the
 * same for a shorter time, less of it, or fewer nodes for so much longer that the node-seconds are
 * equal. It books nothing. */
#include "common/plan/schedule.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* A request to ask what-if questions with, and the means to answer them. */
struct question {
	const struct rspb_request *asked;
	struct rspb_policy policy;
	struct rspb_plan plan;
	struct rspb_request *request;
	int64_t now, until, longest;
};

/* RET as rspb_search. */
static int ask(struct question *question, struct rspb_err *err)
{
	int rc;

	/* Each question is a search, so the caller may see to more urgent work before it. */
	if (question->policy.breathe)
		question->policy.breathe();
	rc = rspb_plan_begin(&question->plan, question->request, err);
	return rc ? rc : rspb_search(&question->plan, question->now, err);
}

/* Make an offer of the plan as it is placed. */
static struct rspb_offer answer(const struct question *question, enum rspb_offer_kind kind)
{
	const struct rspb_plan *plan = &question->plan;
	const struct rspb_request *asked = question->asked;
	const struct rspb_part *part = &asked->parts[0];
	struct rspb_offer offer = {
		.kind = kind, .start = plan->start, .end = plan->end, .benefit = { 1, 1 }
	};

	for (uint32_t i = 0; i < plan->n; i++)
		offer.nodes += rspb_nodeset_count(plan->pieces[i].nodes);
	offer.distance = rspb_part_distance(part, plan->pieces[0].nodes);
	if (part->share && !part->whole)
		offer.share = plan->pieces[0].units;
	if (rspb_request_forms_tasks(asked))
		offer.tasks = offer.nodes * rspb_part_tasks(question->request->parts);
	/* Slurm counts a minute that is begun as a whole one. */
	if (kind == RSPB_OFFER_SHORTER) {
		offer.end -= (offer.end - offer.start) % 60;
		/* A shorter time is worth what the same fraction of the nodes would be. */
		offer.benefit = rspb_benefit_value(rspb_request_benefit(asked, 0),
						   offer.end - offer.start, asked->duration);
	}
	if (kind == RSPB_OFFER_LESS)
		offer.benefit = rspb_benefit_value(rspb_request_benefit(asked, 0),
						   plan->pieces[0].units, rspb_part_asked(part));
	offer.benefit = rspb_ratio_times(offer.benefit, rspb_request_timely(asked, offer.start));
	return offer;
}

/* Take the lowest free nodes, because an offer names a number of nodes and not which. The number
 * that is left for it is the same. With shares each machine has another room, so the choice
 * matters. */
static void take_any_nodes(struct question *question)
{
	const struct rspb_request *asked = question->asked;

	if (asked->n_parts == 1 && !asked->parts[0].share)
		question->policy.where = rspb_where_find("lowest");
}

/* All of it as soon as it fits. */
static int ask_later(struct question *question, struct rspb_err *err)
{
	question->policy.degrade = rspb_degrade_find("none");
	question->request->asap = true;
	question->request->deadline = question->until;
	/* All starts are wanted here, also those that are worth less. */
	rspb_benefit_keep(&question->request->benefit_time, NULL);
	return question->until > question->asked->deadline ? ask(question, err) : 0;
}

/* As much as there is, whatever it is worth. */
static int ask_less(struct question *question, struct rspb_err *err)
{
	const struct rspb_request *asked = question->asked;
	struct rspb_request *request = question->request;

	/* The tasks of a job need their cores, so it cannot have fewer cores. With several parts
	 * nobody could say which one gets less. */
	if (asked->parts[0].whole || asked->n_parts > 1)
		return 0;
	question->policy.degrade = rspb_degrade_find("share-out");
	request->asap = asked->asap;
	request->deadline = asked->deadline;
	request->duration = asked->duration;
	if (rspb_benefit_keep(&request->benefit_time, asked->benefit_time))
		return rspb_fail(err, "out of memory");
	for (uint32_t i = 0; i < request->n_parts; i++) {
		struct rspb_part *part = &request->parts[i];

		rspb_benefit_keep(&part->benefit, NULL);
		part->nodes_min = part->share ? part->nodes : 1;
		part->share_min = 0;
	}
	/* Any amount will do, in proportion: the user decides whether it is worth having. */
	if (rspb_benefit_read(&request->benefit, "0%@0,100%@1", err))
		return -1;
	return ask(question, err);
}

/*
 * The longest time that all of it can be had for, no less than a minute. What
 * fits for a time fits for any shorter one, so halving finds it.
 */
static int ask_shorter(struct question *question, struct rspb_err *err)
{
	const struct rspb_request *asked = question->asked;
	struct rspb_request *request = question->request;
	int64_t low = 59, high = asked->duration;
	/* A request with a single start keeps it: its deadline moves with the end. */
	bool one_start = asked->deadline == asked->ready + asked->duration;
	bool found = false;

	question->policy.degrade = rspb_degrade_find("none");
	request->asap = asked->asap;
	rspb_benefit_keep(&request->benefit_time, NULL);
	for (;;) {
		bool last = high - low <= 1;
		int rc;

		request->duration = last ? low : low + (high - low) / 2;
		request->deadline = one_start ? asked->ready + request->duration : asked->deadline;
		if (last)
			/* The plan may have a length that does not fit, so the best one is
			 * planned again. */
			return found ? ask(question, err) : 0;
		rc = ask(question, err);
		if (rc < 0)
			return -1;
		found |= rc;
		*(rc ? &low : &high) = request->duration;
	}
}

/*
 * Capacity against duration: fewer nodes for so much longer that it is as many
 * node-seconds. Of some numbers of nodes the one that is over first, if that is
 * before all of it later would be. RET as rspb_search, with *out.
 */
static int ask_longer(struct question *question, int64_t before, struct rspb_offer *out,
		      struct rspb_err *err)
{
	const struct rspb_request *asked = question->asked;
	struct rspb_request *request = question->request;
	struct rspb_part *part = &request->parts[0];
	uint32_t all = asked->parts[0].nodes, last = all;
	int found = 0;

	if (asked->n_parts > 1 || part->share || part->fixed)
		return 0;
	question->policy.degrade = rspb_degrade_find("none");
	request->asap = true;
	request->deadline = question->until;
	rspb_benefit_keep(&request->benefit_time, NULL);
	for (uint32_t quarters = 3; quarters; quarters--) {
		uint32_t nodes = all * quarters / 4;
		int rc;

		/* Quarters of a small number may be equal, or 0. */
		if (!nodes || nodes == last)
			continue;
		last = part->nodes = part->nodes_min = nodes;
		request->duration = (asked->duration * all / nodes + 59) / 60 * 60;
		/* Fewer nodes take even longer. */
		if (request->duration > question->longest)
			break;
		rc = ask(question, err);
		if (rc < 0)
			return -1;
		/* An offer that ends no sooner than all of it would is no gain. */
		if (!rc || question->plan.end >= before)
			continue;
		before = question->plan.end;
		*out = answer(question, RSPB_OFFER_LONGER);
		found = 1;
	}
	return found;
}

/* Node-seconds, or of shares as many times more as all offers of a request have. */
static __int128 work_of(const struct rspb_offer *offer)
{
	if (offer->tasks)
		return (__int128) (offer->end - offer->start) * offer->tasks * RSPB_SHARE_WHOLE;
	return (__int128) (offer->end - offer->start) * offer->nodes *
	       (offer->share ? offer->share : RSPB_SHARE_WHOLE);
}

static bool cheaper(const struct question *question, const struct rspb_offer *one,
		    const struct rspb_offer *than)
{
	return rspb_order_sells(question->policy.order) && work_of(one) < work_of(than);
}

/* Where the start or the price counts they are in that order. RET n. */
static int rank(const struct question *question, struct rspb_offer *out, int n)
{
	if (!question->asked->benefit_time && !rspb_order_sells(question->policy.order))
		return n;
	for (int i = 1; i < n; i++) {
		struct rspb_offer offer = out[i];
		int at = i;

		for (; at; at--) {
			int rc = rspb_ratio_compare(out[at - 1].benefit, offer.benefit);

			if (rc > 0 || (!rc && !cheaper(question, &offer, &out[at - 1])))
				break;
			out[at] = out[at - 1];
		}
		out[at] = offer;
	}
	return n;
}

/* Put an offer after those that end sooner, or at the same time for less work. */
static void enter(struct rspb_offer *all, int n, struct rspb_offer offer)
{
	for (; n && (all[n - 1].end > offer.end ||
		     (all[n - 1].end == offer.end && work_of(&all[n - 1]) > work_of(&offer)));
	     n--)
		all[n] = all[n - 1];
	all[n] = offer;
}

/* Each form as soon as it fits; those stay that are over first, and those that are later
 * and take less. RET how many, or -1 with err. */
static int ask_forms(struct question *question, struct rspb_offer out[RSPB_N_OFFERS],
		     struct rspb_err *err)
{
	struct rspb_request *request = question->request;
	struct rspb_offer all[RSPB_FORMS_MOST];
	int found = 0, n = 0;

	question->policy.degrade = rspb_degrade_find("none");
	request->asap = true;
	request->deadline = question->until;
	rspb_benefit_keep(&request->benefit_time, NULL);
	for (uint32_t i = 0; i < question->asked->n_forms; i++) {
		const struct rspb_form *form = &question->asked->forms[i];
		int rc;

		rspb_request_take_form(request, form, &question->asked->parts[0]);
		rc = ask(question, err);
		if (rc < 0)
			return -1;
		if (rc)
			enter(all, found++, answer(question, RSPB_OFFER_LATER));
	}
	for (int i = 0; i < found && n < RSPB_N_OFFERS; i++)
		/* A form that ends later is offered only if it takes less than the one before
		 * it. */
		if (!n || work_of(&all[i]) < work_of(&out[n - 1]))
			out[n++] = all[i];
	return rank(question, out, n);
}

static int ask_all(struct question *question, struct rspb_offer out[RSPB_N_OFFERS],
		   struct rspb_err *err)
{
	int (*const asks[])(struct question *,
			    struct rspb_err *) = { [RSPB_OFFER_LATER] = ask_later,
						   [RSPB_OFFER_SHORTER] = ask_shorter,
						   [RSPB_OFFER_LESS] = ask_less };
	int64_t before;
	int n = 0, rc;

	if (question->asked->n_forms > 1)
		return ask_forms(question, out, err);
	for (int kind = 0; kind < RSPB_OFFER_LONGER; kind++) {
		rc = asks[kind](question, err);
		if (rc < 0)
			return -1;
		if (rc)
			out[n++] = answer(question, (enum rspb_offer_kind) kind);
		/* A request that fits as asked needs no offer of less. */
		if (kind == RSPB_OFFER_LATER && n && out[0].end <= question->asked->deadline)
			return n;
	}
	/* Without an offer of all of it, any end of fewer nodes will do. */
	before = n && out[0].kind == RSPB_OFFER_LATER ? out[0].end : INT64_MAX;
	rc = question->longest ? ask_longer(question, before, &out[n], err) : 0;
	return rc < 0 ? -1 : rank(question, out, n + rc);
}

/* A user reads an offer and takes it a moment later. A request with a single start keeps that
 * start. */
static void give_notice(struct rspb_request *request, int64_t now, const struct rspb_policy *policy)
{
	int64_t soonest = (now + policy->offer_notice + 59) / 60 * 60;
	int64_t by = soonest - request->ready;

	if (!policy->offer_notice || by <= 0)
		return;
	/* A single start stays a single one. A window that is too short from the later begin on
	 * becomes as long as the request needs. */
	if (request->deadline == request->ready + request->duration ||
	    request->deadline < soonest + request->duration)
		request->deadline = soonest + request->duration;
	request->ready = soonest;
}

int rspb_offers_find(const struct rspb_ledger *ledger, const struct rspb_policy *policy,
		     const struct rspb_request *request, int64_t now, int64_t until,
		     int64_t longest, struct rspb_offer out[RSPB_N_OFFERS], struct rspb_err *err)
{
	struct rspb_request *asked = rspb_request_clone(request);
	struct question question = { .asked = asked,
				     .policy = *policy,
				     .request = rspb_request_clone(request),
				     .now = now,
				     .until = until,
				     .longest = longest };
	int n;

	if (!asked || !question.request) {
		rspb_request_destroy(asked);
		rspb_request_destroy(question.request);
		return rspb_fail(err, "out of memory");
	}
	if (!policy->judge)
		question.policy.judge = policy->offer_judge;
	give_notice(asked, now, policy);
	/* Offers are lengths of time, so they are meant for nodes that are no slower than usual. */
	if (!asked->speed && rspb_form_slower(ledger, UINT32_MAX))
		question.request->speed = RSPB_SPEED_USUAL;
	question.request->ready = asked->ready;
	question.request->deadline = asked->deadline;
	take_any_nodes(&question);
	n = rspb_plan_init(&question.plan, ledger, &question.policy, err);
	if (!n) {
		n = ask_all(&question, out, err);
		rspb_plan_fini(&question.plan);
	}
	rspb_request_destroy(question.request);
	rspb_request_destroy(asked);
	return n;
}

/* --- offers as people and programs read them --- */

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
	/* Half an offer would mislead, so it is dropped. The times grow when they are shown in a
	 * time zone. */
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
