/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what a reservation is by now: a request, a booking, neither. It does nothing
 * about it. */
#include <string.h>

#include "plugins/ctld/operators/internal.h"

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

/* Slurm itself moves the start of one that has begun when its users change. */
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
	if (b && b->end <= now)
		return RSPB_OPERATOR_OVER;
	if (b)
		return as_booked(resv, b, now) ? RSPB_OPERATOR_KEEP : RSPB_OPERATOR_CHANGED;
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
