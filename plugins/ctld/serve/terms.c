/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges the requested terms into those that are booked, and finds a booking for them. No lock is
 * taken, and Slurm is not asked. */
#include "plugins/ctld/serve/owners.h"

#include <inttypes.h>

#include "plugins/ctld/book/book.h"
#include "plugins/ctld/request/part.h"

/* Judges a change by the site's limits. These functions plan nothing. */

int rspb_admit_grant(struct rspb_replan *draft, const struct rspb_ledger *among)
{
	return rspb_limits_instead(among, draft->old, draft->new, draft->config, draft->now,
				   &draft->why);
}

/* Check ExtendWithin: with it, the site allows a longer time only near the end of what is
 * booked. */
static int check_length(const struct rspb_replan *draft, struct rspb_err *err)
{
	int64_t within = draft->config->extend_within;
	const struct rspb_booking *old = draft->old;

	if (!within || draft->request->duration <= old->end - old->start ||
	    old->end - draft->now <= within)
		return 0;
	return rspb_fail(err,
			 "it can be extended only in the last %" PRId64 " hours before its end "
			 "(ExtendWithin)",
			 within / 3600);
}

void rspb_admit_ease(const struct rspb_booking *old, int64_t ready, struct rspb_config *config)
{
	/* With ExtendWithin, each extension may have up to MaxDuration beyond what is booked. */
	if (config->extend_within && config->max_duration)
		config->max_duration += old->end - old->start;
	/* MinNotice was judged when the booking was made, and must not prevent a change that does
	 * not put off its start. */
	if (ready <= old->start)
		config->min_notice = 0;
}

int rspb_admit_request(struct rspb_replan *draft)
{
	struct rspb_config config = *draft->config;

	rspb_admit_ease(draft->old, draft->request->ready, &config);
	/* The hours for starts and requests do not matter for a booking that is only made longer or
	 * larger. */
	if (draft->request->ready != draft->old->request->ready &&
	    draft->request->ready != draft->old->start &&
	    rspb_hours_judge(draft->request, &config, &draft->why))
		return -1;
	if (check_length(draft, &draft->why))
		return -1;
	return rspb_limits_request(draft->request, &config, rspb_ledger_machine(rspb_book_ledger()),
				   draft->now, &draft->why);
}

/* Keep the lowest nodes of a set, and the one that must stay (first, -1: none). The lowest are kept
 * because ties go to the lowest index everywhere. */
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

/* Set the number of nodes, and shrink the set on which the booking is first tried. A larger number
 * leaves that set alone; rspb_terms_plan() then looks for a new place. RET 0, or -1 with
 * draft->why. */
static int set_nodes(struct rspb_replan *draft, int64_t nodes)
{
	struct rspb_part *part = &draft->request->parts[0];
	struct rspb_nodeset *said = draft->said->grants[0].nodes;

	/* A number that is no change is accepted also where the number cannot change. */
	if ((part->fixed || part->whole) && nodes == part->nodes)
		return 0;
	if (draft->request->n_parts > 1)
		return rspb_fail(&draft->why, "a heterogeneous job keeps its numbers of nodes; "
					      "its time can be changed");
	if (draft->old->state == RSPB_ACTIVE && draft->first < 0)
		return rspb_fail(&draft->why, "it has begun, and keeps its "
					      "nodes; its time can be changed");
	if (draft->old->state == RSPB_ACTIVE && nodes > rspb_nodeset_count(said))
		return rspb_fail(&draft->why, "its job is running; it can have fewer nodes, and "
					      "its time can be changed");
	if (part->share)
		return rspb_fail(&draft->why,
				 !part->whole ? "it has a share of its nodes, and keeps their "
						"number"
				 : rspb_reserved_owner(draft->request)
					 ? "it has parts of nodes, and keeps their number; its "
					   "times and features can be changed"
					 : "it has parts of nodes, and keeps their number; -n, -c, "
					   "--mem and --gpus can be changed");
	if (part->fixed)
		return rspb_fail(&draft->why, "its job names its nodes, and keeps their number");
	if (nodes > said->width)
		return rspb_fail(&draft->why, "the cluster has only %u nodes", said->width);
	part->nodes = part->nodes_min = (uint32_t) nodes;
	keep(said, part->nodes, draft->first);
	return 0;
}

/* Do not let a change move a booking beyond the horizon if it was within it. */
static void close_window(const struct rspb_replan *draft, struct rspb_request *request)
{
	int64_t horizon = draft->now + rspb_limits_horizon(draft->config, request);

	if (!draft->started && draft->old->end <= horizon && request->deadline > horizon &&
	    request->ready + request->duration <= horizon)
		request->deadline = horizon;
}

/* Set the window that is requested. Without a deadline, a booking with a fixed start stays so, and
 * one with a window keeps it. A booking that has begun keeps its start. RET 0, or -1 with
 * draft->why. */
static int set_times(struct rspb_replan *draft, const struct rspb_inquiry *q)
{
	struct rspb_request *r = draft->request;
	bool fixed = r->deadline == r->ready + r->duration;
	int64_t begin = q->terms.ready ? q->terms.ready : r->ready;

	if (q->terms.ready && draft->started)
		return rspb_fail(&draft->why, "it has begun");
	if (rspb_window_begin(q->terms.ready, draft->now, "--begin", &draft->why))
		return -1;
	/* The running second has begun: a start in it would already be late. */
	if (q->terms.ready && begin <= draft->now)
		begin = draft->now + 1;
	if (draft->started || (fixed && !q->terms.ready))
		begin = draft->old->start;
	if (q->terms.duration)
		r->duration = q->terms.duration;
	r->ready = begin;
	if (q->terms.deadline)
		r->deadline = q->terms.deadline;
	else if (fixed || q->terms.ready || draft->started)
		r->deadline = begin + r->duration;
	close_window(draft, r);
	if (r->deadline < begin + r->duration)
		return rspb_fail(&draft->why, "it would end %" PRId64 " s after its deadline",
				 begin + r->duration - r->deadline);
	/* The present start is tried first, if it is within the new window. */
	if (!draft->started &&
	    (draft->old->start < r->ready || draft->old->start + r->duration > r->deadline))
		draft->said->start = r->ready;
	draft->said->end = draft->said->start + r->duration;
	if (draft->said->end <= draft->now)
		return rspb_fail(&draft->why, "it would be over already; cancel "
					      "it, or release it");
	return 0;
}

int rspb_terms_set(struct rspb_replan *draft, const struct rspb_inquiry *inquiry)
{
	draft->request = rspb_request_clone(draft->old->request);
	if (!draft->request)
		return rspb_fail(&draft->why, "out of memory");
	if (inquiry->hold)
		return rspb_fail(&draft->why, "it is booked, and needs no hold");
	/* A user who changes a held offer accepts it. */
	draft->request->held = 0;
	/* share_change.c handles a change of the share alone; here the share would be decided by
	 * another algorithm. */
	if (inquiry->terms.share && inquiry->terms.share != draft->old->grants[0].share)
		return rspb_fail(&draft->why, "it has whole nodes, or other terms are changed, "
					      "too: change the share by itself");
	if (inquiry->terms.nodes && set_nodes(draft, inquiry->terms.nodes))
		return -1;
	return set_times(draft, inquiry);
}

bool rspb_terms_grow(const struct rspb_replan *draft)
{
	const struct rspb_booking *old = draft->old;

	return draft->request->user != old->request->user || draft->said->start != old->start ||
	       draft->said->end > old->end ||
	       draft->request->parts[0].nodes > rspb_nodeset_count(old->grants[0].nodes);
}

/* Check whether the set to be tried has the requested number of nodes. A part with a share keeps
 * its nodes, whatever their number. */
static bool is_enough(const struct rspb_replan *draft)
{
	for (uint32_t i = 0; i < draft->request->n_parts; i++)
		if (rspb_nodeset_count(draft->said->grants[i].nodes) <
		    (draft->request->parts[i].share ? 1 : draft->request->parts[i].nodes_min))
			return false;
	return true;
}

/* Look for a place with all that is requested. The benefit function is left out during the search,
 * so that a change never ends with less than was requested. The new booking has it again, for later
 * decisions. RET whether there is a place, with draft->new. */
static bool go(struct rspb_replan *draft, const struct rspb_ledger *basis, int64_t ready,
	       int64_t deadline)
{
	struct rspb_request *asked = draft->request, *new;
	bool good;

	draft->request = rspb_request_clone(asked);
	if (!draft->request) {
		draft->request = asked;
		return false;
	}
	rspb_benefit_keep(&draft->request->benefit, NULL);
	for (uint32_t i = 0; i < asked->n_parts; i++) {
		struct rspb_part *part = &draft->request->parts[i];

		rspb_benefit_keep(&part->benefit, NULL);
		part->nodes_min = part->nodes;
		part->share_min = part->share;
	}
	good = rspb_replan_go(draft, basis, ready, deadline);
	rspb_request_destroy(draft->request);
	draft->request = asked;
	new = good ? rspb_request_clone(asked) : NULL;
	if (new) {
		rspb_request_destroy(draft->new->request);
		draft->new->request = new;
	}
	return good;
}

/* Try the same nodes for another duration, s. The draft is refused afterwards, so its request may
 * be overwritten. */
static bool stays_for(struct rspb_replan *draft, struct rspb_ledger *basis, int64_t duration)
{
	draft->request->duration = duration;
	draft->request->deadline = draft->request->ready + duration;
	draft->said->end = draft->said->start + duration;
	return rspb_replan_stay(draft, basis);
}

/* Find how long a running job can go on instead, to the minute, and add that to the reason. The
 * search halves the range, because a booking that fits for a time fits for any shorter one. Slurm's
 * limits are whole minutes. */
static void offer_less_time(struct rspb_replan *draft, struct rspb_ledger *basis)
{
	const struct rspb_err why = draft->why;
	int64_t high = draft->request->duration / 60;
	int64_t has = (draft->old->end - draft->old->start) / 60, low = has;

	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;
		bool fits = stays_for(draft, basis, middle * 60);

		*(fits ? &low : &high) = middle;
		rspb_booking_destroy(draft->new);
		draft->new = NULL;
	}
	if (low > has)
		rspb_fail(&draft->why, "%.200s; on offer: --time=%" PRId64, why.text, low);
	else
		rspb_fail(&draft->why, "%.200s; it cannot be extended", why.text);
}

/* Try to stay on the same nodes with another size. Only a decision examines memory, generic
 * resources and the layout of cores, so a decision is made with these nodes as the only eligible
 * ones. */
static bool stay_resized(struct rspb_replan *draft, const struct rspb_ledger *basis)
{
	struct rspb_part *part = &draft->request->parts[0];
	struct rspb_nodeset *all = rspb_nodeset_clone(part->eligible);
	int64_t start = draft->said->start;
	bool good;

	if (!all)
		return false;
	rspb_nodeset_and(part->eligible, draft->old->grants[0].nodes);
	good = rspb_nodeset_count(part->eligible) >= part->nodes &&
	       go(draft, basis, start, start + draft->request->duration);
	rspb_nodeset_copy(part->eligible, all);
	if (good)
		rspb_nodeset_copy(draft->new->request->parts[0].eligible, all);
	rspb_nodeset_destroy(all);
	return good;
}

/* The order keeps as much as possible for the owner. The same nodes come first, then other nodes at
 * the same start, then any start within the window. */
bool rspb_terms_plan(struct rspb_replan *draft, struct rspb_ledger *basis)
{
	struct rspb_request *r = draft->request;
	int64_t start = draft->old->start;
	bool there = start >= r->ready && start + r->duration <= r->deadline;

	if (draft->resized ? stay_resized(draft, basis)
			   : is_enough(draft) && rspb_replan_stay(draft, basis))
		return true;
	if (draft->started) {
		offer_less_time(draft, basis);
		return false;
	}
	if (there && go(draft, basis, start, start + r->duration))
		return true;
	return (!there || r->deadline > r->ready + r->duration) &&
	       go(draft, basis, r->ready, r->deadline);
}
