/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/socket/terms.h"

#include <inttypes.h>

/* The lowest, with the one that cannot go (-1: any can). */
static void keep(struct rspb_nodeset *set, uint32_t nodes, int64_t first)
{
	if (rspb_nodeset_count(set) <= nodes)
		return;
	if (first >= 0)
		rspb_nodeset_remove(set, (uint32_t) first);
	rspb_nodeset_keep_lowest(set, nodes - (first >= 0));
	if (first >= 0)
		rspb_nodeset_add(set, (uint32_t) first);
}

static int set_nodes(struct rspb_edit *edit, int64_t nodes)
{
	struct rspb_part *part = &edit->request->parts[0];
	struct rspb_nodeset *said = edit->said->grants[0].nodes;

	if (part->fixed && nodes == part->nodes)
		return 0;
	if (edit->request->n_parts > 1)
		return rspb_fail(&edit->why,
				 "it has components, whose nodes stay as many "
				 "as they are; its time can be changed");
	if (edit->old->state == RSPB_ACTIVE && edit->first < 0)
		return rspb_fail(&edit->why, "it has begun, and keeps its "
					     "nodes; its time can be changed");
	if (edit->old->state == RSPB_ACTIVE && nodes > rspb_nodeset_count(said))
		return rspb_fail(&edit->why,
				 "its job runs on its nodes; it can have fewer "
				 "of them, and its time can be changed");
	if (part->share)
		return rspb_fail(&edit->why, "it holds a share of its nodes, "
					     "whose number stays");
	if (part->fixed)
		return rspb_fail(&edit->why, "its job names its nodes");
	if (nodes > said->width)
		return rspb_fail(&edit->why, "there are only %u nodes",
				 said->width);
	part->nodes = part->nodes_min = (uint32_t) nodes;
	keep(said, part->nodes, edit->first);
	return 0;
}

/* The window that is asked for. One start where nothing else is said. */
static int set_times(struct rspb_edit *edit, const struct rspb_inquiry *q)
{
	struct rspb_request *r = edit->request;
	bool fixed = r->deadline == r->ready + r->duration;
	int64_t begin = q->begin ? q->begin : r->ready;

	if (q->begin && edit->started)
		return rspb_fail(&edit->why, "it has begun");
	if (edit->started || (fixed && !q->begin))
		begin = edit->old->start;
	if (q->duration)
		r->duration = q->duration;
	r->ready = begin;
	if (q->until)
		r->deadline = q->until;
	else if (fixed || q->begin || edit->started)
		r->deadline = begin + r->duration;
	if (r->deadline < begin + r->duration)
		return rspb_fail(&edit->why,
				 "it would end %" PRId64
				 " s after its deadline",
				 begin + r->duration - r->deadline);
	/* Where it stands, if that is within what is asked for now. */
	if (!edit->started && (edit->old->start < r->ready ||
			       edit->old->start + r->duration > r->deadline))
		edit->said->start = r->ready;
	edit->said->end = edit->said->start + r->duration;
	if (edit->said->end <= edit->now)
		return rspb_fail(&edit->why, "it would be over already; cancel "
					     "it, or release it");
	return 0;
}

int rspb_terms_set(struct rspb_edit *edit, const struct rspb_inquiry *inquiry)
{
	edit->request = rspb_request_clone(edit->old->request);
	if (!edit->request)
		return rspb_fail(&edit->why, "out of memory");
	if (inquiry->hold)
		return rspb_fail(&edit->why, "it is booked, and needs no hold");
	/* Who changes it wants it. */
	edit->request->held = 0;
	if (inquiry->share && inquiry->share != edit->old->grants[0].share)
		return rspb_fail(&edit->why,
				 "it holds whole nodes, or more than its share "
				 "is to change: change that by itself");
	if (inquiry->nodes && set_nodes(edit, inquiry->nodes))
		return -1;
	return set_times(edit, inquiry);
}

bool rspb_terms_grow(const struct rspb_edit *edit)
{
	const struct rspb_booking *old = edit->old;

	return edit->said->start != old->start || edit->said->end > old->end ||
	       edit->request->parts[0].nodes >
		       rspb_nodeset_count(old->grants[0].nodes);
}

/* As many nodes as are asked for now, which is all or nothing. */
static bool is_enough(const struct rspb_edit *edit)
{
	for (uint32_t i = 0; i < edit->request->n_parts; i++)
		if (rspb_nodeset_count(edit->said->grants[i].nodes) <
		    (edit->request->parts[i].share
			     ? 1
			     : edit->request->parts[i].nodes_min))
			return false;
	return true;
}

/* All of it, or what is booked stays: what less would be worth counts again when
 * it is decided. */
static bool go(struct rspb_edit *edit, const struct rspb_ledger *basis,
	       int64_t ready, int64_t deadline)
{
	struct rspb_request *asked = edit->request, *new;
	bool good;

	edit->request = rspb_request_clone(asked);
	if (!edit->request) {
		edit->request = asked;
		return false;
	}
	rspb_benefit_keep(&edit->request->benefit, NULL);
	for (uint32_t i = 0; i < asked->n_parts; i++) {
		struct rspb_part *part = &edit->request->parts[i];

		rspb_benefit_keep(&part->benefit, NULL);
		part->nodes_min = part->nodes;
		part->share_min = part->share;
	}
	good = rspb_edit_go(edit, basis, ready, deadline);
	rspb_request_destroy(edit->request);
	edit->request = asked;
	new = good ? rspb_request_clone(asked) : NULL;
	if (new) {
		rspb_request_destroy(edit->new->request);
		edit->new->request = new;
	}
	return good;
}

static bool stays_for(struct rspb_edit *edit, struct rspb_ledger *basis,
		      int64_t duration)
{
	edit->request->duration = duration;
	edit->request->deadline = edit->request->ready + duration;
	edit->said->end = edit->said->start + duration;
	return rspb_edit_stay(edit, basis);
}

/* What runs cannot go on for so long: for how long it can, to the minute. What
 * fits for a time fits for any shorter one. */
static void offer_less_time(struct rspb_edit *edit, struct rspb_ledger *basis)
{
	const struct rspb_err why = edit->why;
	int64_t high = edit->request->duration / 60;
	int64_t has = (edit->old->end - edit->old->start) / 60, low = has;

	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;
		bool fits = stays_for(edit, basis, middle * 60);

		*(fits ? &low : &high) = middle;
		rspb_booking_destroy(edit->new);
		edit->new = NULL;
	}
	if (low > has)
		rspb_fail(&edit->why, "%.200s; on offer: --time=%" PRId64,
			  why.text, low);
	else
		rspb_fail(&edit->why, "%.200s; it cannot go on for longer",
			  why.text);
}

bool rspb_terms_plan(struct rspb_edit *edit, struct rspb_ledger *basis)
{
	struct rspb_request *r = edit->request;
	int64_t start = edit->old->start;
	bool there = start >= r->ready && start + r->duration <= r->deadline;

	if (is_enough(edit) && rspb_edit_stay(edit, basis))
		return true;
	if (edit->started) {
		offer_less_time(edit, basis);
		return false;
	}
	if (there && go(edit, basis, start, start + r->duration))
		return true;
	return (!there || r->deadline > r->ready + r->duration) &&
	       go(edit, basis, r->ready, r->deadline);
}
