/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides once more what Slurm would not start where it was put, with Slurm as the judge. The same
 * is done where the site's limit on what is booked at one time is exceeded. No request is decided a
 * third time. */
#include "plugins/ctld/decide/batch_steps.h"

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/decision.h"
#include "plugins/ctld/decide/suits.h"
#include "plugins/ctld/request/cores.h"
#include "plugins/ctld/request/limits.h"

/* Plans parts once more on nodes of which they take fewer cores: a core with more threads holds
 * more tasks. A part has one size for all of its nodes, so it was planned with the size for the
 * others. It books nothing. */

/* The state of one pass of decisions. */
struct pass {
	struct rspb_ledger *basis;
	const struct rspb_config *config;
	uint64_t table;
	int64_t now;
};

/* RET the same request for those nodes alone of which it takes fewer cores; NULL: there are
 * none, or it cannot be looked at. */
static struct rspb_request *narrow(const struct pass *pass, const struct rspb_ask *ask)
{
	struct rspb_request *request;
	struct rspb_section section;
	struct rspb_err err;
	int rc = 0;

	rspb_breathe();
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "dense"))
		return NULL;
	/* Numbers of nodes in the request are those of the plan. */
	request = rspb_node_fingerprint() == pass->table ? rspb_request_clone(ask->request) : NULL;
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
static bool is_dearer(const struct pass *pass, const struct rspb_booking *booking, uint32_t weight)
{
	uint32_t any;

	return booking->state == RSPB_BOOKED &&
	       rspb_decide_dearest(pass->basis, booking->grants[0].nodes, &any) > weight;
}

/* Whether a decision on nodes of which it takes fewer cores may be better. That is so if there is
 * no booking yet, or it could begin earlier, or it is on such or dearer nodes. */
static bool wanted(const struct pass *pass, const struct rspb_request *request,
		   const struct rspb_booking *was)
{
	int64_t from = request->ready > pass->now ? request->ready : pass->now;

	return was->state != RSPB_BOOKED || was->start > from ||
	       on_any(was, request->parts[0].eligible) ||
	       is_dearer(pass, was, rspb_decide_cheapest(pass->basis, request->parts[0].eligible));
}

static bool better(const struct pass *pass, const struct rspb_booking *one,
		   const struct rspb_booking *than)
{
	uint32_t any;

	if (one->state != RSPB_BOOKED || than->state != RSPB_BOOKED)
		return one->state == RSPB_BOOKED;
	return one->start < than->start ||
	       (one->start == than->start &&
		(on_any(than, one->request->parts[0].eligible) ||
		 is_dearer(pass, than,
			   rspb_decide_dearest(pass->basis, one->grants[0].nodes, &any))));
}

/* RET whether the decision is another one now. */
static bool decide_denser(const struct pass *pass, struct rspb_ask *ask,
			  struct rspb_booking **decision, struct rspb_request *request)
{
	struct rspb_booking *out;
	struct rspb_suits suits;

	/* The decision so far leaves its nodes to the trial, and gets them back if that is no
	 * better. */
	if (!rspb_decide_forget(pass->basis, *decision, pass->now))
		return false;
	/* The decision so far may be on the only nodes on which Slurm starts it. */
	rspb_suits_init(&suits, request->id, ask->jobs, pass->table);
	out = rspb_decide_alone(pass->basis, pass->config, request, pass->now, &suits);
	rspb_suits_fini(&suits);
	if (out && better(pass, out, *decision)) {
		rspb_decide_note(pass->basis, pass->now, out);
		rspb_booking_destroy(*decision);
		*decision = out;
		rspb_request_destroy(ask->request);
		ask->request = request;
		return true;
	}
	if (rspb_decide_forget(pass->basis, out, pass->now))
		rspb_decide_restore(pass->basis, *decision, pass->now);
	rspb_booking_destroy(out);
	return false;
}

/* Several kinds of nodes may differ: the cheaper ones are tried as long as that helps. */
static void decide_one(const struct pass *pass, struct rspb_ask *ask,
		       struct rspb_booking **decision)
{
	struct rspb_request *request;

	while ((request = narrow(pass, ask)))
		if (!wanted(pass, request, *decision) ||
		    !decide_denser(pass, ask, decision, request)) {
			rspb_request_destroy(request);
			return;
		}
}

void rspb_dense_decide(struct rspb_ledger *basis, const struct rspb_config *config,
		       struct rspb_asks *asks, uint64_t table, int64_t now,
		       struct rspb_booking **decisions)
{
	const struct pass pass = { basis, config, table, now };

	for (size_t i = 0; i < asks->n; i++) {
		struct rspb_ask *ask = &asks->items[i];

		if (decisions[i] && !ask->refusal.text[0] && ask->n_jobs == 1 &&
		    ask->request->n_parts == 1 && ask->request->parts[0].whole &&
		    !ask->request->n_forms)
			decide_one(&pass, ask, &decisions[i]);
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

/* The basis on which an ask is decided once more. */
struct second {
	struct rspb_ledger *basis;
	struct rspb_ledger *booked; /* with what was decided here; NULL: that is not looked at */
	const struct rspb_config *config;
	uint64_t table;
	int64_t now;
};

/* RET the new decision, which the basis has if it is a booking; NULL: none. */
static struct rspb_booking *decide_with(const struct second *second, struct rspb_ask *ask,
					struct rspb_suits *suits)
{
	return rspb_decide_alone(second->basis, second->config, ask->request, second->now, suits);
}

/* Parts of nodes for which Slurm has a layout at their start. */
static struct rspb_booking *decide_parts(const struct second *second, struct rspb_ask *ask)
{
	struct rspb_booking *out = NULL;
	struct rspb_suits suits;

	if (!rspb_request_has_cores(ask->request))
		return NULL;
	rspb_suits_init(&suits, ask->request->id, ask->jobs, second->table);
	out = decide_with(second, ask, &suits);
	rspb_suits_fini(&suits);
	return out;
}

/* Nodes, as many as select says. */
static struct rspb_booking *decide_nodes(const struct second *second, struct rspb_ask *ask,
					 const struct rspb_booking *was)
{
	struct rspb_booking *out = NULL;
	struct rspb_suits suits;

	if (take_nodes(ask))
		return NULL;
	rspb_suits_init(&suits, ask->request->id, ask->jobs, second->table);
	/* More nodes than the job asked for may be above the site's limits. */
	if (!rspb_suits_count(&suits, ask->request, second->basis, was->start, was->end) ||
	    allowed(ask, second->config, rspb_ledger_nodes(second->basis), second->now))
		out = decide_with(second, ask, &suits);
	rspb_suits_fini(&suits);
	return out;
}

/* Try whole nodes, too, where parts begin later than these might. RET the better one; the other is
 * destroyed. ask->request becomes the one that the decision is for. */
static struct rspb_booking *decide_either(const struct second *second, struct rspb_ask *ask,
					  const struct rspb_booking *was,
					  struct rspb_booking *parts)
{
	struct rspb_request *asked = rspb_request_clone(ask->request), *taken = ask->request;
	bool late = parts && parts->state == RSPB_BOOKED;
	struct rspb_booking *nodes = NULL;

	if (asked && rspb_decide_forget(second->basis, parts, second->now))
		nodes = decide_nodes(second, ask, was);
	if (late && asked &&
	    (!nodes || nodes->state != RSPB_BOOKED || nodes->start > parts->start) &&
	    rspb_decide_forget(second->basis, nodes, second->now) &&
	    rspb_decide_restore(second->basis, parts, second->now)) {
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

/* Decide for a start at which less is booked. */
static struct rspb_booking *decide_below(const struct second *second, struct rspb_ask *ask)
{
	struct rspb_booking *out;
	struct rspb_suits suits;
	struct rspb_config space;

	rspb_suits_init(&suits, ask->request->id, ask->jobs, second->table);
	/* Only bookings count against the site's limit; the basis has other uses of nodes as
	 * well. */
	if (second->booked)
		rspb_suits_within(&suits, second->booked,
				  rspb_limits_settings(second->config, ask->request, &space));
	out = decide_with(second, ask, &suits);
	say_crowded(ask, &suits, out);
	rspb_suits_fini(&suits);
	return out;
}

/* RET the new decision, NULL: none. */
static struct rspb_booking *decide(const struct second *second, struct rspb_ask *ask,
				   const struct rspb_booking *was)
{
	struct rspb_booking *out;

	if (!rspb_decide_forget(second->basis, was, second->now))
		return NULL;
	if (ask->crowded) {
		out = decide_below(second, ask);
	} else {
		/* Parts that begin no later than planned are kept without a look at whole nodes. */
		out = decide_parts(second, ask);
		if (!out || out->state != RSPB_BOOKED || out->start > was->start)
			out = rspb_recount_uneven(second->basis, second->config, ask, second->table,
						  second->now, out);
		if (!out || out->state != RSPB_BOOKED || out->start > was->start)
			out = decide_either(second, ask, was, out);
	}
	if (out)
		rspb_decide_note(second->basis, second->now, out);
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

bool rspb_again_decide(struct rspb_ledger *basis, const struct rspb_ledger *booked,
		       const struct rspb_config *config, struct rspb_asks *asks, uint64_t table,
		       int64_t now, struct rspb_booking **decisions)
{
	const struct second second = { basis, copy_booked(booked, asks), config, table, now };
	bool any = false;

	for (size_t i = 0; i < asks->n; i++) {
		struct rspb_ask *ask = &asks->items[i];
		struct rspb_booking *was = decisions[i];

		/* The decisions on all others have been committed, and are not wanted any more. */
		decisions[i] = NULL;
		if (ask->misfit && was) {
			any = true;
			decisions[i] = decide(&second, ask, was);
			book(second.booked, decisions[i], now);
		}
		rspb_booking_destroy(was);
	}
	rspb_ledger_destroy(second.booked);
	return any;
}
