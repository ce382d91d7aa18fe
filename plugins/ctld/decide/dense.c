/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans parts once more on nodes of which they take fewer cores. It books nothing. */
#include "plugins/ctld/decide/dense.h"

#include "plugins/compat/node.h"
#include "plugins/ctld/base/breath.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/decide/decision.h"
#include "plugins/ctld/requests/cores.h"

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

/* Whether one on nodes of which it takes fewer cores may be better than that. */
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
static bool decide(const struct pass *pass, struct rspb_ask *ask, struct rspb_booking **decision,
		   struct rspb_request *request)
{
	struct rspb_booking *out;
	struct rspb_suits suits;

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
		if (!wanted(pass, request, *decision) || !decide(pass, ask, decision, request)) {
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
