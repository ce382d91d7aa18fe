/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts what flags want beyond nodes and length into a request. It parses no flag. Submission and
 * decision call the same functions, so that both see the same forms. */
#include "plugins/ctld/request/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "plugins/compat/node.h"

/* Slurm counts in whole minutes. */
enum { UNIT = 60 };

/* Nodes that are farther than so many others are not told apart any more. */
enum { MOST_TIERS = 64 };

int rspb_want_forms(const struct rspb_terms *flags, struct rspb_request *request, int64_t longest,
		    struct rspb_err *err)
{
	struct rspb_part *part = &request->parts[0];
	struct rspb_form forms[RSPB_FORMS_MOST];
	const struct rspb_form_range range = {
		.least = part->tasks ? 1 : part->nodes_min,
		.most = part->tasks ? part->tasks : part->nodes,
		.on = part->tasks ? part->nodes : 0,
		.unit = UNIT,
		.longest = longest,
	};
	uint32_t n;

	if (!rspb_moldable_said(&flags->work))
		return 0;
	/* Components have one common length, and named nodes one number, so there is nothing to
	 * choose. */
	if (request->n_parts > 1 || (part->fixed && !part->tasks))
		return rspb_fail(err, "--work: not allowed for components of a heterogeneous "
				      "job, nor for whole nodes with --nodelist");
	n = rspb_moldable_forms(&flags->work, &range, forms, err);
	if (!n)
		return rspb_fail_at(err, "--work");
	if (rspb_request_set_forms(request, forms, n))
		return rspb_fail(err, "out of memory");
	/* All of the work is done on any number of nodes, so there is no benefit function. */
	rspb_benefit_keep(&part->benefit, NULL);
	rspb_request_take_form(request, &forms[0], NULL);
	return 0;
}

/* An offer that was accepted (contract->was) is one form, with its length and nodes. */
int rspb_want_fill(const struct rspb_contract *contract, struct rspb_request *request,
		   int64_t longest, struct rspb_err *err)
{
	if (rspb_terms_ask(&contract->terms, request))
		return rspb_fail(err, "out of memory");
	return rspb_contract_of_offer(contract)
		       ? 0
		       : rspb_want_forms(&contract->terms, request, longest, err);
}

/* Whether the settings name no node as slow or fast. */
static bool alike(const struct rspb_config *config)
{
	return config->speed.all == RSPB_SPEED_USUAL && !config->speed.rules[0];
}

/* The booking is as long as its nodes take, and Slurm knows lengths in whole minutes only, hence
 * the step. */
int rspb_want_speed(const struct rspb_config *config, struct rspb_request *request, bool offer,
		    struct rspb_err *err)
{
	const struct rspb_form form = { .nodes = request->parts[0].nodes,
					.duration = request->duration };

	if (alike(config))
		return 0;
	request->step = UNIT;
	if (offer) {
		request->speed = RSPB_SPEED_USUAL;
		return 0;
	}
	request->punctual = !request->n_forms &&
			    request->deadline == request->ready + request->duration;
	if (!request->n_forms && rspb_request_set_forms(request, &form, 1))
		return rspb_fail(err, "out of memory");
	return 0;
}

/* --time-min needs a form to shorten; a request without one gets its own size as the only form. */
int rspb_want_shorter(int64_t least, struct rspb_request *request, struct rspb_err *err)
{
	struct rspb_form form = { .nodes = request->parts[0].nodes, .duration = request->duration };
	int64_t room = (request->deadline - request->ready) / UNIT * UNIT;

	if (least <= 0 || least >= request->duration || request->n_parts > 1)
		return 0;
	/* A window shorter than the job has room for no more than its own length. */
	if (!request->n_forms && room < request->duration && room >= least)
		form.duration = request->duration = room;
	if (!request->n_forms) {
		request->step = UNIT;
		request->punctual = request->deadline == request->ready + request->duration;
		if (rspb_request_set_forms(request, &form, 1))
			return rspb_fail(err, "out of memory");
	}
	request->shortest = least;
	return 0;
}

/* RET 1 if the feature, of "a|b" one of them, is among these; else 0. Active ones count, or those
 * of slurm.conf if Slurm has none. */
static int64_t has(const char *features, const char *feature)
{
	char name[RSPB_PREFER_NAME];

	for (;;) {
		size_t len = strcspn(feature, "|");

		snprintf(name, sizeof(name), "%.*s", (int) len, feature);
		if (rspb_text_listed(features, name))
			return 1;
		if (!feature[len])
			break;
		feature += len + 1;
	}
	return 0;
}

/* RET how far a node is from what the request prefers (common/request/request.h). */
static uint32_t distance_of(const struct rspb_prefer *prefer, uint32_t node)
{
	int64_t offered[RSPB_PREFER_MOST];
	struct rspb_node_kind is;

	rspb_node_kind_of(node, &is);
	for (uint32_t i = 0; i < prefer->n; i++) {
		const struct rspb_liking_term *term = &prefer->terms[i];

		if (term->kind == RSPB_LIKED_MEM)
			offered[i] = (int64_t) is.all;
		else if (term->kind == RSPB_LIKED_CPUS)
			offered[i] = is.cpus;
		else
			offered[i] = has(is.features, term->feature);
	}
	return rspb_prefer_distance(prefer, offered);
}

/* Put a node into the tier of its distance; tiers are in rising order. If there are too many, the
 * farthest tier goes, and its nodes are no longer told apart. RET 0 or -1: out of memory. */
static int put(struct rspb_part *part, uint32_t node, uint32_t distance)
{
	struct rspb_tier tier = { .distance = distance };
	uint32_t at = 0;

	while (at < part->n_tiers && part->tiers[at].distance < distance)
		at++;
	if (at == part->n_tiers || part->tiers[at].distance > distance) {
		if (at == MOST_TIERS)
			return 0;
		tier.nodes = rspb_nodeset_create(part->eligible->width);
		if (!tier.nodes)
			return -1;
		if (part->n_tiers == MOST_TIERS)
			rspb_nodeset_destroy(part->tiers[--part->n_tiers].nodes);
		memmove(part->tiers + at + 1, part->tiers + at,
			(part->n_tiers++ - at) * sizeof(tier));
		part->tiers[at] = tier;
	}
	rspb_nodeset_add(part->tiers[at].nodes, node);
	return 0;
}

int rspb_want_nodes(const struct rspb_prefer *prefer, struct rspb_part *part, struct rspb_err *err)
{
	if (!prefer->n || !part->eligible)
		return 0;
	part->tiers = calloc(MOST_TIERS, sizeof(*part->tiers));
	if (!part->tiers)
		return rspb_fail(err, "out of memory");
	RSPB_NODESET_EACH (n, part->eligible)
		if (put(part, n, distance_of(prefer, n)))
			return rspb_fail(err, "out of memory");
	return 0;
}

void rspb_want_again(const struct rspb_job *job, struct rspb_part *part)
{
	struct rspb_contract contract;

	/* Nearly no job prefers nodes, and all are asked after a restart, so a search in the text
	 * comes before parsing. */
	if (!job->contract || !strstr(job->contract, " prefer") ||
	    rspb_contract_parse(job->contract, &contract, NULL))
		return;
	rspb_want_nodes(&contract.terms.prefer, part, NULL);
}
