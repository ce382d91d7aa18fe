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
	const struct rspb_request *asked;
	struct rspb_policy policy;
	struct rspb_plan plan;
	struct rspb_request *request;
	int64_t now, until;
	char *text; /* the answers go here */
	size_t size;
	bool answered;
};

/* RET as rspb_search. */
static int ask(struct question *question, struct rspb_err *err)
{
	int rc;

	if (question->policy.breathe)
		question->policy.breathe();
	rc = rspb_plan_begin(&question->plan, question->request, err);
	return rc ? rc : rspb_search(&question->plan, question->now, err);
}

enum kind { LATER, SHORTER, LESS };

/* What a user adds to the command that asked, or changes of it. */
static void add_flags(const struct question *question, enum kind kind,
		      int64_t nodes, struct rspb_text *text)
{
	const struct rspb_request *asked = question->asked;
	const struct rspb_plan *plan = &question->plan;

	rspb_text_add(text, " with");
	if (kind == LESS && plan->pieces[0].part->share) {
		rspb_text_add(text, " --cpu-share=");
		rspb_text_add_percent(text, plan->pieces[0].units);
	} else if (kind == LESS && plan->n == 1) {
		rspb_text_add(text, " -N%" PRId64, nodes);
	} else if (kind == SHORTER) {
		/* Slurm counts a minute that is begun as a whole one. */
		rspb_text_add(text, " --time=%" PRId64,
			      (plan->end - plan->start) / 60);
	}
	rspb_text_add(text, " --begin=");
	rspb_text_add_time(text, plan->start);
	if (plan->end > asked->deadline &&
	    asked->deadline > asked->ready + asked->duration) {
		rspb_text_add(text, " --deadline=");
		rspb_text_add_time(text, plan->end);
	}
}

/* The same for an operator, whose request has no flags. */
static void add_words(const struct question *question, enum kind kind,
		      struct rspb_text *text)
{
	const struct rspb_plan *plan = &question->plan;

	if (kind == SHORTER)
		rspb_text_add(text, " for %" PRId64 " seconds",
			      plan->end - plan->start);
	rspb_text_add(text, " from ");
	rspb_text_add_time(text, plan->start);
}

/* "6 nodes with --begin=2026-11-24T09:00:00Z", as the plan is placed. */
static void answer(struct question *question, enum kind kind)
{
	const struct rspb_plan *plan = &question->plan;
	size_t at = strlen(question->text);
	struct rspb_text text = rspb_text_over(question->text + at,
					       question->size - at);
	int64_t nodes = 0;

	for (uint32_t i = 0; i < plan->n; i++)
		nodes += rspb_nodeset_count(plan->pieces[i].nodes);
	rspb_text_add(&text, question->answered ? ", or " : "; on offer: ");
	if (plan->pieces[0].part->share) {
		rspb_text_add_percent(&text, plan->pieces[0].units);
		rspb_text_add(&text, " of ");
	}
	rspb_text_add(&text, "%" PRId64 " node%s", nodes,
		      nodes == 1 ? "" : "s");
	if (question->asked->user != RSPB_USER_NONE)
		add_flags(question, kind, nodes, &text);
	else
		add_words(question, kind, &text);
	/* No offer rather than half of one. */
	if (text.len >= text.size)
		question->text[at] = '\0';
	else
		question->answered = true;
}

/* All of it as soon as it fits. */
static int ask_later(struct question *question, struct rspb_err *err)
{
	question->policy.degrade = rspb_degrade_find("none");
	question->request->asap = true;
	question->request->deadline = question->until;
	return question->until > question->asked->deadline ? ask(question, err)
							   : 0;
}

/* As much as there is, whatever it is worth. */
static int ask_less(struct question *question, struct rspb_err *err)
{
	const struct rspb_request *asked = question->asked;
	struct rspb_request *request = question->request;

	question->policy.degrade = rspb_degrade_find("share-out");
	request->asap = asked->asap;
	request->deadline = asked->deadline;
	request->duration = asked->duration;
	for (uint32_t i = 0; i < request->n_parts; i++) {
		struct rspb_part *part = &request->parts[i];

		part->has_benefit = false;
		part->nodes_min = part->share ? part->nodes : 1;
		part->share_min = 0;
	}
	if (rspb_benefit_parse("0%@0,100%@1", &request->benefit, err))
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
	bool one_start = asked->deadline == asked->ready + asked->duration;
	bool found = false;

	question->policy.degrade = rspb_degrade_find("none");
	request->asap = asked->asap;
	for (;;) {
		bool last = high - low <= 1;
		int rc;

		request->duration = last ? low : low + (high - low) / 2;
		request->deadline = one_start ? asked->ready + request->duration
					      : asked->deadline;
		if (last)
			return found ? ask(question, err) : 0;
		rc = ask(question, err);
		if (rc < 0)
			return -1;
		found |= rc;
		*(rc ? &low : &high) = request->duration;
	}
}

static int ask_all(struct question *question, struct rspb_err *err)
{
	int (*const asks[])(struct question *, struct rspb_err *) = {
		[LATER] = ask_later, [SHORTER] = ask_shorter, [LESS] = ask_less
	};

	for (enum kind kind = LATER; kind <= LESS; kind++) {
		int rc = asks[kind](question, err);

		if (rc < 0)
			return -1;
		if (rc)
			answer(question, kind);
	}
	return 0;
}

int rspb_offers_add(const struct rspb_ledger *ledger,
		    const struct rspb_policy *policy,
		    const struct rspb_request *request, int64_t now,
		    int64_t until, char *text, size_t size,
		    struct rspb_err *err)
{
	struct question question = { .asked = request,
				     .policy = *policy,
				     .request = rspb_request_clone(request),
				     .now = now,
				     .until = until,
				     .text = text,
				     .size = size };
	int rc;

	if (!question.request)
		return rspb_fail(err, "out of memory");
	rc = rspb_plan_init(&question.plan, ledger, &question.policy, err);
	if (!rc) {
		rc = ask_all(&question, err);
		rspb_plan_fini(&question.plan);
	}
	rspb_request_destroy(question.request);
	return rc;
}
