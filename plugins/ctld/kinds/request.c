/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reservations as requests: what they ask for, and how they are answered. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/submit/draft.h"
#include "plugins/compat/submit/submission.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/kinds/operator.h"
#include "plugins/ctld/request/ask.h"
#include "plugins/ctld/request/part.h"

/* The owner of a booking without a job, and the account that is charged. */

/* Requests of jobs, which have a priority, come first. */
enum { PRIORITY = 1 };

void rspb_group_account(const struct rspb_resv *resv, uint32_t owner, char *account, size_t size)
{
	/* A reservation for several accounts, or for all but some, names no account to
	 * count. */
	if (resv->accounts && !strpbrk(resv->accounts, ",-"))
		snprintf(account, size, "%s", resv->accounts);
	else
		rspb_submission_account(&(struct rspb_submission){ .user = owner }, account, size);
}

void rspb_group_sign(struct rspb_request *request, const struct rspb_resv *resv, uint32_t owner)
{
	char account[RSPB_USER_NAME];

	/* Without an owner the booking is the site's. */
	if (!owner)
		return;
	request->user = owner;
	request->priority = PRIORITY;
	rspb_group_account(resv, owner, account, sizeof(account));
	rspb_request_label(request, account, NULL, resv->partition);
}

void rspb_group_name(const struct rspb_request *request, char *account, size_t size)
{
	static const char label[] = "account=";
	const char *at = strstr(rspb_text_kept(request->labels), label);

	at = at ? at + sizeof(label) - 1 : "";
	snprintf(account, size, "%.*s", (int) strcspn(at, ","), at);
}

/* A reservation is seen so long after it was made, at most. */
enum { SEEN_LATE_S = 2 };
/* Read what a request asked for from the contract of its last answer. An operator who changes
 * the window of a declined reservation asks for the same again. RET 0, or -1 with err: its
 * text lacks something. */
static int tag_again(const char *text, struct rspb_contract *asked, int64_t *deadline,
		     struct rspb_err *err)
{
	if (rspb_contract_parse(text, asked, err))
		return -1;
	if (!asked->terms.nodes)
		return rspb_fail(err, "nodes= is missing; write the whole request again");
	/* A fixed start has none of its own. */
	*deadline = asked->terms.deadline == asked->terms.ready + asked->terms.duration
			    ? 0
			    : asked->terms.deadline;
	return 0;
}

/* Read what a reservation asks for, from its tag or its last answer. *deadline: seconds, 0:
 * none was given. RET 0, or -1 with err. */
static int read_tag(const char *text, struct rspb_contract *asked, int64_t *deadline,
		    struct rspb_err *err)
{
	char when[RSPB_TAG_TIME];

	*deadline = 0;
	if (rspb_tag_answered(text))
		return tag_again(text, asked, deadline, err);
	if (rspb_tag_parse(text, asked, when, err))
		return -1;
	if (when[0] && rspb_ctld_time(when, deadline, err))
		return rspb_fail_at(err, "deadline=");
	/* A range is worth its part; so that the contract says it, too. */
	if (asked->terms.nodes_least && !asked->terms.benefit.n_points)
		rspb_terms_benefit(&asked->terms, asked->terms.nodes_least, asked->terms.nodes,
				   &asked->terms.benefit);
	return 0;
}

bool rspb_operator_asked(const char *text, struct rspb_contract *asked)
{
	struct rspb_err err;
	int64_t deadline;

	return !read_tag(text, asked, &deadline, &err);
}

/* Refuse what a reservation can be and a booking cannot. */
static int check_kind(const struct rspb_resv *resv, struct rspb_err *err)
{
	if (resv->recurs)
		return rspb_fail(err, "a recurring reservation cannot be booked; remove DAILY, "
				      "WEEKLY and similar flags");
	if (resv->floats)
		return rspb_fail(err, "a floating reservation cannot be booked; remove TIME_FLOAT");
	if (resv->maintenance || resv->flexible)
		return rspb_fail(err, "a reservation with MAINT or FLEX cannot be booked; remove "
				      "these flags");
	return 0;
}

/* Fill in the nodes that the reservation may have. A draft is a job record that Slurm never
 * sees, so that the code for jobs judges partition, features and memory. gated: the partition
 * takes nobody without a reservation. RET 0, or -1 with err. */
static int fill_part(const struct rspb_resv *resv, const struct rspb_terms *asked, uint32_t width,
		     struct rspb_part *part, bool *gated, struct rspb_err *err)
{
	const struct rspb_draft_of of = {
		.terms = asked,
		.partition = resv->partition,
		.features = resv->features,
		.needs = asked->cores,
		.lent = rspb_book_lends(),
	};
	struct rspb_job job;
	struct rspb_draft *draft = rspb_draft_make(&of, &job, err);
	int rc;

	if (!draft)
		return -1;
	*gated = job.gated;
	rc = rspb_part_fill(&job, asked, width, part, err);
	if (rc)
		part->nodes = asked->nodes;
	else if (asked->cores)
		rc = rspb_part_ask_cores(asked->cores, &job, part, err);
	rspb_draft_destroy(draft);
	return rc;
}

int rspb_operator_refresh(const struct rspb_resv *resv, uint32_t width, struct rspb_part *part,
			  struct rspb_err *err)
{
	struct rspb_terms asked = {
		.book = true,
		.nodes = part->nodes,
		.nodes_least = part->nodes_min,
		.cores = rspb_part_cores(part, part->share),
	};
	bool gated;

	rspb_part_tell_besides(part, &asked);
	rspb_benefit_set(&asked.benefit, part->benefit);
	/* The partition or the nodes' features may have changed since the request was
	 * read. */
	rspb_nodeset_destroy(part->eligible);
	part->eligible = NULL;
	return fill_part(resv, &asked, width, part, &gated, err);
}

void rspb_operator_name(struct rspb_request *request, const struct rspb_resv *resv)
{
	if (resv->name && strlen(resv->name) < RSPB_REQUEST_NAME)
		rspb_text_keep(&request->name, resv->name);
}

int rspb_operator_request(const struct rspb_resv *resv, uint32_t width,
			  const struct rspb_config *config, int64_t now, struct rspb_request **out,
			  struct rspb_err *err)
{
	struct rspb_job job = {
		.submitted = now - SEEN_LATE_S,
		.begin = resv->start,
		.limit = resv->end - resv->start,
	};
	struct rspb_request *request = rspb_request_create(1);
	struct rspb_config space;
	struct rspb_contract asked;

	*out = request;
	if (!request)
		return rspb_fail(err, "out of memory");
	request->user = RSPB_USER_NONE;
	request->arrival = job.submitted;
	request->priority = RSPB_OPERATOR_PRIORITY;
	request->parts[0].nodes = 0;
	rspb_operator_name(request, resv);
	if (read_tag(resv->tag, &asked, &job.deadline, err))
		return -1;
	/* A refusal tells these, too. */
	request->parts[0].nodes = asked.terms.nodes;
	if (rspb_benefit_keep(&request->parts[0].benefit, &asked.terms.benefit) ||
	    rspb_terms_ask(&asked.terms, request))
		return rspb_fail(err, "out of memory");
	rspb_group_sign(request, resv, asked.owner);
	rspb_window_add(request, &job, asked.terms.asap, now);
	rspb_window_close(request, rspb_limits_settings(config, request, &space), now);
	/* All that a refusal repeats in its text is filled in by now. */
	if (check_kind(resv, err))
		return -1;
	if (job.deadline && job.deadline < request->ready + request->duration)
		return rspb_fail(err, "deadline= is earlier than StartTime plus Duration");
	return fill_part(resv, &asked.terms, width, &request->parts[0], &request->gated, err);
}

/* Tells what a reservation is by now: a request, a booking or neither. Its callers act on
 * that. */

static bool too_long(const struct rspb_resv *resv)
{
	return strlen(resv->name) >= RSPB_OPERATOR_NAME || strlen(resv->tag) >= RSPB_TAG_TEXT;
}

bool rspb_operator_snap(const struct rspb_resv *resv, struct rspb_resv_seen *out)
{
	if (!resv->tag || too_long(resv))
		return false;
	out->id = resv->id;
	out->start = resv->start;
	out->end = resv->end;
	strcpy(out->name, resv->name);
	strcpy(out->tag, resv->tag);
	return true;
}

bool rspb_operator_same(const struct rspb_resv_seen *seen, const struct rspb_resv *resv)
{
	return resv->tag && resv->id == seen->id && resv->start == seen->start &&
	       resv->end == seen->end && !strcmp(resv->tag, seen->tag);
}

bool rspb_operator_meant(const struct rspb_resv *resv)
{
	return rspb_tag_ours(resv->tag) && !rspb_resv_ours(resv->name);
}

/* Whether a reservation has the window and the nodes of its booking. Slurm itself moves the
 * start of a reservation that has begun when its users change. Without memory it counts as
 * unchanged. */
static bool as_booked(const struct rspb_resv *resv, const struct rspb_booking *b, int64_t now)
{
	struct rspb_nodeset *nodes;
	bool same;

	if (!rspb_tag_answered(resv->tag) || resv->end != b->end ||
	    (b->start > now && resv->start != b->start))
		return false;
	nodes = rspb_nodeset_create(b->grants[0].nodes->width);
	if (!nodes)
		return true;
	if (resv->has_nodes)
		rspb_resv_nodes(resv, nodes);
	same = rspb_nodeset_equal(nodes, b->grants[0].nodes);
	rspb_nodeset_destroy(nodes);
	return same;
}

enum rspb_operator_verdict rspb_operator_judge(const struct rspb_resv *resv,
					       const struct rspb_booking *b, int64_t now)
{
	struct rspb_contract contract;

	if (b && (!resv || !rspb_operator_meant(resv)))
		return RSPB_OPERATOR_GONE;
	if (!resv || !rspb_operator_meant(resv))
		return RSPB_OPERATOR_KEEP;
	/* The end comes before changes: an edit of a booking that is over means nothing. */
	if (b && b->end <= now)
		return RSPB_OPERATOR_OVER;
	if (b)
		return as_booked(resv, b, now) ? RSPB_OPERATOR_KEEP : RSPB_OPERATOR_CHANGED;
	/* With nodes of its own it is an operator's usual reservation and cannot wait for
	 * some. */
	if (!rspb_tag_answered(resv->tag))
		return resv->has_nodes || too_long(resv) ? RSPB_OPERATOR_ODD : RSPB_OPERATOR_WAITS;
	if (rspb_contract_parse(resv->tag, &contract, NULL) || resv->end <= now)
		return RSPB_OPERATOR_KEEP;
	if (rspb_state_final(contract.state))
		/* Another window than the one that was declined is asked. */
		return !resv->has_nodes &&
				       (resv->start != contract.start || resv->end != contract.end)
			       ? RSPB_OPERATOR_WAITS
			       : RSPB_OPERATOR_KEEP;
	return resv->has_nodes ? RSPB_OPERATOR_ADOPT : RSPB_OPERATOR_WAITS;
}
