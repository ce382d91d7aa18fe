/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides once more what Slurm would not start where it was put, with Slurm as the judge. The same
 * is done where the site's limit on what is booked at one time is exceeded. No request is decided a
 * third time. */
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/batch.h"
#include "plugins/ctld/request/ask.h"
#include "plugins/ctld/request/part.h"

/* Plans parts once more on nodes of which they take fewer cores: a core with more threads holds
 * more tasks. A part has one size for all of its nodes, so it was planned with the size for the
 * others. It books nothing. */

/* RET the same request for those nodes alone of which it takes fewer cores; NULL: there are
 * none, or it cannot be looked at. */
static struct rspb_request *narrow(const struct rspb_round *round, const struct rspb_ask *ask)
{
	struct rspb_request *request;
	struct rspb_section section;
	struct rspb_err err;
	int rc = 0;

	rspb_breathe();
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "dense"))
		return NULL;
	/* Numbers of nodes in the request are those of the plan. */
	request = rspb_node_fingerprint() == round->table ? rspb_request_clone(ask->request) : NULL;
	if (request)
		rc = rspb_part_fewer_cores(ask->jobs[0], &request->parts[0], &err);
	section.items++;
	rspb_section_leave(&section);
	if (rc == 1)
		return request;
	rspb_request_destroy(request);
	return NULL;
}

static bool on_any(const struct rspb_booking *booking, const struct rspb_nodeset *nodes)
{
	return booking->state == RSPB_BOOKED && !booking->request->parts[0].n_tiers &&
	       !rspb_nodeset_disjoint(booking->grants[0].nodes, nodes);
}

/* Whether it has a node of more than that weight. */
static bool is_dearer(const struct rspb_round *round, const struct rspb_booking *booking,
		      uint32_t weight)
{
	uint32_t any;

	return booking->state == RSPB_BOOKED &&
	       rspb_decide_dearest(round->basis, booking->grants[0].nodes, &any) > weight;
}

/* Whether a decision on nodes of which it takes fewer cores may be better. That is so if there is
 * no booking yet, or it could begin earlier, or it is on such or dearer nodes. */
static bool wanted(const struct rspb_round *round, const struct rspb_request *request,
		   const struct rspb_booking *was)
{
	int64_t from = rspb_request_first(request, round->now);

	return was->state != RSPB_BOOKED || was->start > from ||
	       on_any(was, request->parts[0].eligible) ||
	       is_dearer(round, was,
			 rspb_decide_cheapest(round->basis, request->parts[0].eligible));
}

static bool better(const struct rspb_round *round, const struct rspb_booking *one,
		   const struct rspb_booking *than)
{
	uint32_t any;

	if (one->state != RSPB_BOOKED || than->state != RSPB_BOOKED)
		return one->state == RSPB_BOOKED;
	return one->start < than->start ||
	       (one->start == than->start &&
		(on_any(than, one->request->parts[0].eligible) ||
		 is_dearer(round, than,
			   rspb_decide_dearest(round->basis, one->grants[0].nodes, &any))));
}

/* RET the decision on a request with Slurm as the judge, which the basis has if it is a booking;
 * NULL: none. */
static struct rspb_booking *decide_judged(const struct rspb_round *round,
					  const struct rspb_ask *ask,
					  const struct rspb_request *request)
{
	struct rspb_booking *out;
	struct rspb_suits suits;

	rspb_suits_init(&suits, request->id, ask->jobs, round->table);
	out = rspb_decide_alone(round->basis, round->config, request, round->now, &suits);
	rspb_suits_fini(&suits);
	return out;
}

/* RET whether the decision is another one now. */
static bool decide_denser(const struct rspb_round *round, struct rspb_ask *ask,
			  struct rspb_booking **decision, struct rspb_request *request)
{
	struct rspb_booking *out;

	/* The decision so far leaves its nodes to the trial, and gets them back if that is no
	 * better. */
	if (!rspb_decide_forget(round->basis, *decision, round->now))
		return false;
	/* The decision so far may be on the only nodes on which Slurm starts it. */
	out = decide_judged(round, ask, request);
	if (out && better(round, out, *decision)) {
		rspb_decide_note(round->basis, round->now, out);
		rspb_booking_destroy(*decision);
		*decision = out;
		rspb_request_destroy(ask->request);
		ask->request = request;
		return true;
	}
	if (rspb_decide_forget(round->basis, out, round->now))
		rspb_decide_restore(round->basis, *decision, round->now);
	rspb_booking_destroy(out);
	return false;
}

/* Several kinds of nodes may differ: the cheaper ones are tried as long as that helps. */
static void decide_one(const struct rspb_round *round, struct rspb_ask *ask,
		       struct rspb_booking **decision)
{
	struct rspb_request *request;

	while ((request = narrow(round, ask)))
		if (!wanted(round, request, *decision) ||
		    !decide_denser(round, ask, decision, request)) {
			rspb_request_destroy(request);
			return;
		}
}

void rspb_dense_decide(const struct rspb_round *round, struct rspb_booking **decisions)
{
	for (size_t i = 0; i < round->asks->n; i++) {
		struct rspb_ask *ask = &round->asks->items[i];

		if (decisions[i] && !ask->refusal.text[0] && ask->n_jobs == 1 &&
		    ask->request->n_parts == 1 && ask->request->parts[0].whole &&
		    !ask->request->n_forms)
			decide_one(round, ask, &decisions[i]);
	}
}

/* RET whether the site's limits allow as many nodes as it needs now. */
static bool allowed(struct rspb_ask *ask, const struct rspb_config *config, uint32_t width,
		    int64_t now)
{
	struct rspb_config space;

	if (!rspb_limits_check(ask, rspb_limits_settings(config, ask->request, &space), width, now,
			       &ask->refusal))
		return true;
	ask->refused_for = RSPB_REFUSAL_LIMITS;
	return false;
}

/* Let the parts of an ask take whole nodes, because Slurm would not give its job cores on as many
 * nodes as we thought. Select says how many nodes; the job has its part of them. RET 0, -1: not
 * possible, and the request may be half changed. */
static int take_nodes(struct rspb_ask *ask)
{
	struct rspb_request *request = ask->request;
	struct rspb_section section;
	struct rspb_err err;
	struct rspb_job job;
	int rc = 0;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "again"))
		return -1;
	for (uint32_t i = 0; !rc && i < request->n_parts; i++)
		if (request->parts[i].whole)
			rc = rspb_job_find(ask->jobs[i], &job)
				     ? rspb_part_take_nodes(&job, &request->parts[i], &err)
				     : -1;
	rspb_section_leave(&section);
	return rc;
}

/* Refuse an ask with the limit's own words if too much is booked in all of its window. */
static void say_crowded(struct rspb_ask *ask, const struct rspb_suits *suits,
			const struct rspb_booking *decision)
{
	if (!decision || decision->state == RSPB_BOOKED || !suits->over.text[0] ||
	    ask->refusal.text[0])
		return;
	ask->refusal = suits->over;
	ask->refused_for = RSPB_REFUSAL_LIMITS;
}

/* Nodes, as many as select says. */
static struct rspb_booking *decide_nodes(const struct rspb_round *round, struct rspb_ask *ask,
					 const struct rspb_booking *was)
{
	struct rspb_booking *out = NULL;
	struct rspb_suits suits;

	if (take_nodes(ask))
		return NULL;
	rspb_suits_init(&suits, ask->request->id, ask->jobs, round->table);
	/* More nodes than the job asked for may be above the site's limits. */
	if (!rspb_suits_count(&suits, ask->request, round->basis, was->start, was->end) ||
	    allowed(ask, round->config, rspb_ledger_nodes(round->basis), round->now))
		out = rspb_decide_alone(round->basis, round->config, ask->request, round->now,
					&suits);
	rspb_suits_fini(&suits);
	return out;
}

/* Whether a decision is no booking, or one that begins later. */
static bool is_later(const struct rspb_booking *b, const struct rspb_booking *than)
{
	return !rspb_decision_books(b) || b->start > than->start;
}

/* Try whole nodes, too, where parts begin later than these might. RET the better one; the other is
 * destroyed. ask->request becomes the one that the decision is for. */
static struct rspb_booking *decide_either(const struct rspb_round *round, struct rspb_ask *ask,
					  const struct rspb_booking *was,
					  struct rspb_booking *parts)
{
	struct rspb_request *asked = rspb_request_clone(ask->request), *taken = ask->request;
	bool late = parts && parts->state == RSPB_BOOKED;
	struct rspb_booking *nodes = NULL;

	if (asked && rspb_decide_forget(round->basis, parts, round->now))
		nodes = decide_nodes(round, ask, was);
	if (late && asked && is_later(nodes, parts) &&
	    rspb_decide_forget(round->basis, nodes, round->now) &&
	    rspb_decide_restore(round->basis, parts, round->now)) {
		ask->request = asked;
		ask->refusal.text[0] = '\0';
		asked = taken;
		rspb_booking_destroy(nodes);
		nodes = parts;
		parts = NULL;
	}
	rspb_booking_destroy(parts);
	rspb_request_destroy(asked);
	return nodes;
}

/* Decide for a start at which less is booked. booked: with what was decided here; NULL: that is not
 * looked at. */
static struct rspb_booking *decide_below(const struct rspb_round *round,
					 const struct rspb_ledger *booked, struct rspb_ask *ask)
{
	struct rspb_booking *out;
	struct rspb_suits suits;
	struct rspb_config space;

	rspb_suits_init(&suits, ask->request->id, ask->jobs, round->table);
	/* Only bookings count against the site's limit; the basis has other uses of nodes as
	 * well. */
	if (booked)
		rspb_suits_within(&suits, booked,
				  rspb_limits_settings(round->config, ask->request, &space));
	out = rspb_decide_alone(round->basis, round->config, ask->request, round->now, &suits);
	say_crowded(ask, &suits, out);
	rspb_suits_fini(&suits);
	return out;
}

/* RET the new decision, NULL: none. */
static struct rspb_booking *decide(const struct rspb_round *round, const struct rspb_ledger *booked,
				   struct rspb_ask *ask, const struct rspb_booking *was)
{
	struct rspb_booking *out = NULL;

	if (!rspb_decide_forget(round->basis, was, round->now))
		return NULL;
	if (ask->crowded) {
		out = decide_below(round, booked, ask);
	} else {
		/* Parts of nodes for which Slurm has a layout at their start, no later than
		 * planned, are kept without a look at whole nodes. */
		if (rspb_request_has_cores(ask->request))
			out = decide_judged(round, ask, ask->request);
		if (is_later(out, was))
			out = rspb_recount_uneven(round, ask, out);
		if (is_later(out, was))
			out = decide_either(round, ask, was, out);
	}
	if (out)
		rspb_decide_note(round->basis, round->now, out);
	return out;
}

/* RET a copy of what is booked if one of them needs room below the site's limit, else NULL. It may
 * be NULL for want of memory, too; the limit is then judged at the commit alone. */
static struct rspb_ledger *copy_booked(const struct rspb_ledger *booked,
				       const struct rspb_asks *asks)
{
	for (size_t i = 0; i < asks->n; i++)
		if (asks->items[i].misfit && asks->items[i].crowded)
			return rspb_ledger_clone(booked ? booked : rspb_book_ledger());
	return NULL;
}

/* Enter a decision into that copy, so that the next ones are judged beside it. */
static void book(struct rspb_ledger *booked, const struct rspb_booking *decision, int64_t now)
{
	const struct rspb_record record = {
		.kind = RSPB_REC_BOOK,
		.time = now,
		.booking = decision,
	};

	if (booked && decision && decision->state == RSPB_BOOKED)
		rspb_ledger_apply(booked, &record, NULL);
}

bool rspb_again_decide(const struct rspb_round *round, const struct rspb_ledger *booked,
		       struct rspb_booking **decisions)
{
	struct rspb_ledger *copy = copy_booked(booked, round->asks);
	bool any = false;

	for (size_t i = 0; i < round->asks->n; i++) {
		struct rspb_ask *ask = &round->asks->items[i];
		struct rspb_booking *was = decisions[i];

		/* The decisions on all others have been committed, and are not wanted any more. */
		decisions[i] = NULL;
		if (ask->misfit && was) {
			any = true;
			decisions[i] = decide(round, copy, ask, was);
			book(copy, decisions[i], round->now);
		}
		rspb_booking_destroy(was);
	}
	rspb_ledger_destroy(copy);
	return any;
}
