/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings of reservations that change, because an operator has edited the reservation or
 * because its nodes are lost. Slurm allows the edit without asking anybody. If it fits, it is
 * booked. Otherwise the reservation is put back to what was promised, and says why. */
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/kinds/operator.h"

#include <stdio.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/proposal.h"
#include "plugins/ctld/kinds/watch.h"
#include "plugins/ctld/request/ask.h"

struct change {
	struct rspb_replan draft;
	struct rspb_ask ask;
	struct rspb_resv_seen seen; /* the reservation as it is now */
	bool anew;		    /* by a new tag */
};

/* Fill in what the reservation asks for now, or why that cannot be. A new tag is a new
 * request. Otherwise only the window and the nodes can be new, and all else stays as it was
 * requested. */
static void look_at_request(struct change *c, const struct rspb_resv *resv)
{
	struct rspb_replan *draft = &c->draft;
	uint32_t width = draft->old->grants[0].nodes->width;

	c->anew = !rspb_tag_answered(resv->tag);
	if (c->anew)
		rspb_operator_request(resv, width, draft->config, draft->now, &draft->request,
				      &draft->why);
	else if (!rspb_replan_as_before(draft))
		rspb_operator_refresh(resv, width, &draft->request->parts[0], &draft->why);
}

/* Note what the reservation says now, beside what is booked; with the read lock. RET false:
 * the booking or the reservation is gone, or there is no memory. */
static bool look_at_resv(struct change *c, uint32_t reservation, const struct rspb_config *config,
			 int64_t now)
{
	const struct rspb_booking *b = rspb_reserved_find(reservation);
	struct rspb_booking *said;
	struct rspb_resv resv;

	if (!b || !rspb_resv_find_id(reservation, now, &resv) ||
	    !rspb_operator_snap(&resv, &c->seen) || rspb_replan_init(&c->draft, b, config, now) ||
	    !rspb_ask_involve(&c->ask, b->request))
		return false;
	said = c->draft.said;
	said->start = resv.start;
	said->end = resv.end;
	rspb_nodeset_clear(said->grants[0].nodes);
	if (resv.has_nodes)
		rspb_resv_nodes(&resv, said->grants[0].nodes);
	look_at_request(c, &resv);
	return true;
}

/* Another tag says how many nodes it wants. */
static bool may_stay_so(const struct change *c)
{
	const struct rspb_replan *draft = &c->draft;
	const struct rspb_nodeset *nodes = draft->said->grants[0].nodes;

	if (rspb_nodeset_empty(nodes))
		nodes = draft->old->grants[0].nodes;
	return !c->anew || rspb_nodeset_count(nodes) == draft->request->parts[0].nodes;
}

/* Plan without locks. The draft has the new terms afterwards, or why there are none. The
 * window and the nodes that the operator wrote come first. If they do not fit, the same start
 * on other nodes follows. The last try is any start up to the deadline. */
static void find_place(struct change *c, bool may_stay)
{
	struct rspb_replan *draft = &c->draft;
	struct rspb_ledger *basis = rspb_basis_make(draft->config, draft->now);
	const struct rspb_request *r = draft->request;
	int64_t start = draft->said->start, now = draft->now;

	if (!basis) {
		rspb_fail(&draft->why, "the state of the cluster is not known yet; try again in "
				       "a few seconds");
		return;
	}
	if (start < r->ready)
		start = r->ready;
	if (!(may_stay && may_stay_so(c) && rspb_replan_stay(draft, basis)) && !draft->started &&
	    start > now && !rspb_replan_go(draft, basis, start, start + r->duration) &&
	    r->deadline > start + r->duration)
		rspb_replan_go(draft, basis,
			       r->ready > now + RSPB_REPLAN_TOO_LATE_S
				       ? r->ready
				       : now + RSPB_REPLAN_TOO_LATE_S,
			       r->deadline);
	rspb_ledger_destroy(basis);
}

/* A booking that has begun is not asked to begin again, and one that is only moved has been
 * admitted before. */
static int check(struct rspb_replan *draft, bool asked)
{
	struct rspb_request *request = draft->request;
	struct rspb_ask ask = { .request = request };

	if (draft->why.text[0] || !request)
		return -1;
	if (draft->started || !asked)
		return 0;
	rspb_group_name(request, ask.account, sizeof(ask.account));
	/* Notice is to be given of another start. */
	request->arrival = request->ready - draft->config->min_notice;
	if (draft->said->start != draft->old->start && request->arrival < draft->now)
		request->arrival = draft->now;
	return rspb_limits_check(&ask, draft->config, draft->old->grants[0].nodes->width,
				 draft->now, &draft->why);
}

/* Write terms into the reservation itself: its number and its jobs stay. For a proposal that
 * failed, these are the old terms. */
static int place(struct rspb_proposed *one, const struct rspb_booking *b,
		 struct rspb_proposal *proposal, struct rspb_err *err)
{
	const struct change *c = one->from;

	(void) proposal;
	return rspb_operator_place(c->seen.name, b, err);
}

/* Whether the reservation is still as it was seen. */
static bool still_so(const struct rspb_proposed *one, const struct rspb_proposal *proposal)
{
	const struct change *c = one->from;
	struct rspb_resv resv;

	return rspb_resv_find(c->seen.name, proposal->now, &resv) &&
	       rspb_operator_same(&c->seen, &resv);
}

/* RET whether it is booked. */
static bool propose(struct change *c, bool may_stay)
{
	char who[RSPB_OPERATOR_NAME + 16];
	struct rspb_proposal proposal = {
		.who = who,
		.why = may_stay ? RSPB_REASON_BY_OPERATOR : "moved, because its nodes were lost",
		.answered = may_stay,
		.restores = may_stay,
		.holds = still_so,
		.place = place,
	};
	bool done;

	snprintf(who, sizeof(who), "reservation %s", c->seen.name);
	done = !rspb_replan_propose(&c->draft, &c->ask, c, &proposal) &&
	       rspb_propose(&proposal) == RSPB_PROPOSAL_MADE;
	rspb_proposal_fini(&proposal);
	return done;
}

/* Look, plan and propose. The plan needs no lock, and rspb_propose() looks again under the
 * write lock before anything changes. may_stay: an operator has changed the reservation, and
 * what it says now comes first; else its nodes are lost. */
static bool change(struct change *c, uint32_t reservation, const struct rspb_config *config,
		   int64_t now, bool may_stay)
{
	struct rspb_section section;
	bool found, done = false;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "operators"))
		return false;
	found = look_at_resv(c, reservation, config, now);
	rspb_section_leave(&section);
	if (found && !check(&c->draft, may_stay))
		find_place(c, may_stay);
	/* Without new terms the proposal puts an edited reservation back to what was
	 * promised. A booking that lost its nodes stays as it is, and is tried again
	 * later. */
	if (found && (c->draft.new || may_stay))
		done = propose(c, may_stay);
	if (found && may_stay)
		rspb_operator_audit("modify", c->seen.name, 0, done,
				    done ? RSPB_REASON_BY_OPERATOR : c->draft.why.text);
	rspb_replan_fini(&c->draft);
	rspb_ask_fini(&c->ask);
	return done;
}

void rspb_operator_change(uint32_t reservation, const struct rspb_config *config, int64_t now)
{
	struct change c = { .anew = false };

	change(&c, reservation, config, now, true);
}

bool rspb_operator_move(uint64_t id, const struct rspb_config *config, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	struct change c = { .anew = false };

	/* Another place would come too late for a start so near. */
	if (!b || b->state != RSPB_BOOKED || b->start < now + RSPB_REPLAN_TOO_LATE_S)
		return false;
	return change(&c, rspb_reserved_number(id), config, now, false);
}
