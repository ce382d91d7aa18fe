/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans one existing booking anew, on a copy of the ledger and without locks. A proposal makes it
 * real, and looks again whether the plan still holds. */
#include "plugins/ctld/decide/proposal.h"

#include <inttypes.h>

#include "common/plan/plan.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/decide/batch.h"

int rspb_replan_init(struct rspb_replan *draft, const struct rspb_booking *booking,
		     const struct rspb_config *config, int64_t now)
{
	*draft = (struct rspb_replan){
		.now = now,
		.old = rspb_booking_clone(booking),
		.said = rspb_booking_clone(booking),
		.started = booking->state == RSPB_ACTIVE || booking->start <= now,
		.first = -1,
	};
	draft->config = rspb_limits_settings(config, booking->request, &draft->space);
	return draft->old && draft->said ? 0 : -1;
}

void rspb_replan_fini(struct rspb_replan *draft)
{
	rspb_booking_destroy(draft->old);
	rspb_booking_destroy(draft->said);
	rspb_booking_destroy(draft->new);
	rspb_request_destroy(draft->request);
}

int rspb_replan_as_before(struct rspb_replan *draft)
{
	const struct rspb_booking *old = draft->old;
	struct rspb_request *r = rspb_request_clone(old->request);
	bool fixed = old->request->deadline == old->request->ready + old->request->duration;
	int64_t start = draft->started ? old->start : draft->said->start;

	if (!r)
		return rspb_fail(&draft->why, "out of memory");
	draft->request = r;
	/* The booking is as long as is now said, on nodes as fast as those that it has. */
	if (rspb_request_set_forms(r, NULL, 0))
		return rspb_fail(&draft->why, "out of memory");
	/* Nothing about its time was changed. */
	if (start == old->start && draft->said->end == old->end)
		return 0;
	r->duration = draft->said->end - start;
	/* A window that had no room stays as long as the booking; another start becomes the
	 * earliest one. */
	if (fixed || start != old->start)
		r->ready = start;
	if (fixed)
		r->deadline = r->ready + r->duration;
	if (r->deadline < start + r->duration)
		return rspb_fail(&draft->why, "it would end after its deadline");
	return 0;
}

/* RET the nodes of a part; empty: as before. */
static const struct rspb_nodeset *nodes_of(const struct rspb_replan *draft, uint32_t part)
{
	const struct rspb_nodeset *said = draft->said->grants[part].nodes;

	return rspb_nodeset_empty(said) ? draft->old->grants[part].nodes : said;
}

/* Grant these nodes to a part. With as many as before its promise and its claim to lost nodes stay;
 * another number is a new promise by itself. */
static void grant_set(struct rspb_booking *b, uint32_t part, const struct rspb_nodeset *nodes,
		      const struct rspb_grant *old)
{
	struct rspb_grant *grant = &b->grants[part];
	int64_t asked = b->request->parts[part].nodes;
	int64_t count = rspb_nodeset_count(nodes);

	rspb_nodeset_copy(grant->nodes, nodes);
	grant->share = old->share;
	if (count == rspb_nodeset_count(old->nodes)) {
		grant->promise = old->promise;
		rspb_grant_keep_outage(grant, old);
	}
	grant->benefit = old->benefit;
	if (!old->share)
		grant->benefit = rspb_benefit_value(rspb_request_benefit(b->request, part),
						    count < asked ? count : asked, asked);
}

/* RET the booking that is said, NULL: out of memory. */
static struct rspb_booking *make(const struct rspb_replan *draft)
{
	const struct rspb_booking *old = draft->old;
	struct rspb_booking *b = rspb_booking_create(draft->request);

	if (!b || rspb_booking_grant(b, old->grants[0].nodes->width, NULL)) {
		rspb_booking_destroy(b);
		return NULL;
	}
	b->request->id = old->request->id;
	b->state = old->state;
	b->start = draft->started ? old->start : draft->said->start;
	b->end = draft->said->end;
	b->decided_at = draft->now;
	for (uint32_t i = 0; i < b->n_grants; i++)
		grant_set(b, i, nodes_of(draft, i), &old->grants[i]);
	rspb_booking_value(b);
	return b;
}

/* Whether the change needs anything that the booking does not have: more nodes, another start, or a
 * later end. What only gets smaller is within all limits. */
static bool takes_more(const struct rspb_booking *old, const struct rspb_booking *new)
{
	for (uint32_t i = 0; i < new->n_grants; i++)
		if (rspb_nodeset_count(new->grants[i].nodes) >
		    rspb_nodeset_count(old->grants[i].nodes))
			return true;
	return new->start != old->start || new->end > old->end;
}

/* Limits and licenses count for what it takes besides as in a decision. */
static bool within_limits(struct rspb_replan *draft, const struct rspb_ledger *basis,
			  const struct rspb_booking *new)
{
	struct rspb_counts counts = { .n = 0 };
	struct rspb_excess excess = { .quota = NULL };
	struct rspb_text text = rspb_text_over(draft->why.text, sizeof(draft->why.text));
	bool counted = true;

	if (!takes_more(draft->old, new))
		return true;
	counted = !rspb_counts_make(&counts, basis, new->request, NULL, 0);
	if (counted)
		excess = rspb_counts_booking(&counts, basis, new);
	if (excess.quota)
		rspb_excess_print(&excess, &text);
	else if (!counted)
		rspb_fail(&draft->why, "out of memory");
	rspb_counts_fini(&counts);
	return counted && !excess.quota;
}

/* The ledger knows the cores of a part of a node; this examines what else it takes there. */
static bool has_room(struct rspb_replan *draft, const struct rspb_ledger *basis,
		     const struct rspb_booking *new)
{
	struct rspb_ledger *empty;
	struct rspb_booking *rest;
	struct rspb_policy policy;
	int rc = -1;

	if (!rspb_request_has_cores(new->request) || !takes_more(draft->old, new))
		return true;
	rspb_settings_policy(draft->config, &policy);
	/* The booking itself must not count against its own change. What has passed of one that
	 * runs stays its own, so that only the rest is examined. */
	empty = rspb_ledger_clone(basis);
	rest = rspb_booking_clone(new);
	if (rest && draft->started && rest->start < draft->now)
		rest->start = rest->request->ready = draft->now;
	if (!empty || !rest)
		rspb_fail(&draft->why, "out of memory");
	else if (!rspb_ledger_cancel(empty, new->request->id, draft->now, &draft->why))
		rc = rspb_plan_there(empty, &policy, rest, &draft->why);
	rspb_booking_destroy(rest);
	if (!rc)
		rspb_fail(&draft->why, "its nodes do not have enough left of what it needs");
	rspb_ledger_destroy(empty);
	return rc == 1;
}

bool rspb_replan_stay(struct rspb_replan *draft, struct rspb_ledger *basis)
{
	struct rspb_record record = { .kind = RSPB_REC_CHANGE, .time = draft->now };
	struct rspb_booking *b = make(draft);
	char window[RSPB_WINDOW_TEXT];

	record.booking = b;
	if (b && (!within_limits(draft, basis, b) || !has_room(draft, basis, b))) {
		rspb_booking_destroy(b);
		return false;
	}
	/* A booking that would be over by now cannot be applied. */
	if (b && b->end > draft->now && !rspb_ledger_apply(basis, &record, NULL)) {
		draft->new = b;
		draft->seen = rspb_ledger_seen(basis);
		return true;
	}
	rspb_booking_destroy(b);
	rspb_report_times(draft->started ? draft->now : draft->said->start, draft->said->end,
			  window, sizeof(window));
	rspb_fail(&draft->why, "its nodes are not all free from %s", window);
	return false;
}

/* Whether a part has as many nodes as it needs. A request that lacks them cannot be planned. */
static bool has_nodes(struct rspb_replan *draft)
{
	const struct rspb_request *request = draft->request;

	for (uint32_t p = 0; p < request->n_parts; p++) {
		const struct rspb_part *part = &request->parts[p];
		uint32_t n = part->eligible ? rspb_nodeset_count(part->eligible)
					    : draft->said->grants[0].nodes->width;

		if (n < part->nodes_min) {
			rspb_fail(&draft->why,
				  "%" PRIu32 " nodes of the cluster have what it would need, "
				  "and it needs %" PRIu32,
				  n, part->nodes_min);
			return false;
		}
	}
	return true;
}

bool rspb_replan_go(struct rspb_replan *draft, const struct rspb_ledger *basis, int64_t ready,
		    int64_t deadline)
{
	struct rspb_request *request = draft->request;
	const struct rspb_request *const one[] = { request };
	uint64_t id = draft->old->request->id;
	struct rspb_ledger *plan;
	int64_t old_ready = request->ready, old_deadline = request->deadline;
	struct rspb_booking *new = NULL;

	if (!has_nodes(draft))
		return false;
	plan = rspb_ledger_clone(basis);
	/* The clone is thrown away afterwards; its cancelled booking and the new one have different
	 * ids there. */
	request->id = id | RSPB_ID_AGAIN;
	request->ready = ready;
	request->deadline = deadline;
	if (plan && rspb_decide(plan, id, draft->config, one, 1, draft->now, !draft->unnoted, NULL,
				NULL, &new, &draft->why))
		new = NULL;
	rspb_ledger_destroy(plan);
	/* The request is restored whatever came of it: the caller may try another window. */
	request->id = id;
	request->ready = old_ready;
	request->deadline = old_deadline;
	if (new &&new->state == RSPB_BOOKED) {
		new->request->id = id;
		new->request->ready = old_ready;
		new->request->deadline = old_deadline;
		draft->new = new;
		draft->seen = rspb_ledger_seen(basis);
		return true;
	}
	if (new)
		rspb_fail(&draft->why, "%s", rspb_booking_why(new));
	rspb_booking_destroy(new);
	return false;
}

int rspb_replan_propose(struct rspb_replan *draft, struct rspb_ask *ask, void *from,
			struct rspb_proposal *proposal)
{
	struct rspb_proposed one = {
		.was = draft->old, .terms = draft->new, .ask = *ask, .from = from
	};

	if (rspb_proposal_add(proposal, &one))
		return rspb_fail(&draft->why, "out of memory");
	proposal->config = draft->config;
	proposal->now = draft->now;
	proposal->seen = draft->seen;
	proposal->err = draft->why;
	draft->old = draft->new = NULL;
	*ask = (struct rspb_ask){ .n_jobs = 0 };
	return 0;
}
