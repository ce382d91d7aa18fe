/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings of reservations that change: because an operator has changed the
 * reservation, which Slurm lets him do without asking anybody, or because its
 * nodes are lost. What fits is booked; otherwise the reservation is put back to
 * what was promised, and says why.
 */
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/operators/internal.h"

#include <stdio.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/edit.h"
#include "plugins/ctld/operators/group.h"
#include "plugins/ctld/requests/limits.h"

struct change {
	struct rspb_edit edit;
	struct rspb_resv_seen seen; /* the reservation as it is now */
	bool anew;		    /* by a new tag */
};

/* Fill in what is asked now, or why not. */
static void look_at_request(struct change *c, const struct rspb_resv *resv)
{
	struct rspb_edit *edit = &c->edit;
	uint32_t width = edit->old->grants[0].nodes->width;

	c->anew = !rspb_tag_answered(resv->tag);
	if (c->anew)
		rspb_operator_request(resv, width, edit->config, edit->now,
				      &edit->request, &edit->why);
	else if (!rspb_edit_as_before(edit))
		rspb_operator_refresh(resv, width, &edit->request->parts[0],
				      &edit->why);
}

/* Wants the read lock. RET false: nothing to do any more. */
static bool look(struct change *c, uint32_t reservation,
		 const struct rspb_config *config, int64_t now)
{
	const struct rspb_booking *b = rspb_operator_find(reservation);
	struct rspb_booking *said;
	struct rspb_resv resv;

	if (!b || !rspb_resv_find_id(reservation, now, &resv) ||
	    !rspb_operator_snap(&resv, &c->seen) ||
	    rspb_edit_init(&c->edit, b, config, now))
		return false;
	said = c->edit.said;
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
	const struct rspb_edit *edit = &c->edit;
	const struct rspb_nodeset *nodes = edit->said->grants[0].nodes;

	if (rspb_nodeset_empty(nodes))
		nodes = edit->old->grants[0].nodes;
	return !c->anew ||
	       rspb_nodeset_count(nodes) == edit->request->parts[0].nodes;
}

static void find_place(struct change *c, bool may_stay)
{
	struct rspb_edit *edit = &c->edit;
	struct rspb_ledger *basis = rspb_basis_make(edit->config, edit->now);
	const struct rspb_request *r = edit->request;
	int64_t start = edit->said->start, now = edit->now;

	if (!basis) {
		rspb_fail(&edit->why, "there is no snapshot of the cluster");
		return;
	}
	if (start < r->ready)
		start = r->ready;
	if (!(may_stay && may_stay_so(c) && rspb_edit_stay(edit, basis)) &&
	    !edit->started && start > now &&
	    !rspb_edit_go(edit, basis, start, start + r->duration) &&
	    r->deadline > start + r->duration)
		rspb_edit_go(edit, basis,
			     r->ready > now + RSPB_EDIT_TOO_LATE_S
				     ? r->ready
				     : now + RSPB_EDIT_TOO_LATE_S,
			     r->deadline);
	rspb_ledger_destroy(basis);
}

/* What began is not asked to begin again, and what is only moved has been
 * admitted before. */
static int check(struct rspb_edit *edit, bool asked)
{
	struct rspb_request *request = edit->request;
	struct rspb_ask ask = { .request = request };

	if (edit->why.text[0] || !request)
		return -1;
	if (edit->started || !asked)
		return 0;
	rspb_group_name(request, ask.account, sizeof(ask.account));
	/* Notice is to be given of another start. */
	request->arrival = request->ready - edit->config->min_notice;
	if (edit->said->start != edit->old->start &&
	    request->arrival < edit->now)
		request->arrival = edit->now;
	return rspb_limits_check(&ask, edit->config,
				 edit->old->grants[0].nodes->width, edit->now,
				 &edit->why);
}

static int place(const struct rspb_booking *booking, void *name,
		 struct rspb_err *err)
{
	return rspb_operator_place(name, booking, err);
}

/* With the write lock: book what is new, or put back what was. RET whether it is
 * booked. */
static bool apply(struct change *c)
{
	char who[RSPB_OPERATOR_NAME + 16];
	const struct rspb_booking *b = rspb_operator_find(c->seen.id);
	struct rspb_resv resv;

	if (!b || b->state != c->edit.old->state ||
	    !rspb_resv_find(c->seen.name, c->edit.now, &resv) ||
	    !rspb_operator_same(&c->seen, &resv))
		return false;
	snprintf(who, sizeof(who), "reservation %s", c->seen.name);
	return rspb_edit_apply(&c->edit, who, place, c->seen.name);
}

static bool change(struct change *c, uint32_t reservation,
		   const struct rspb_config *config, int64_t now, bool may_stay)
{
	struct rspb_section section;
	bool done = false;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "operators"))
		return false;
	done = !look(c, reservation, config, now);
	rspb_section_leave(&section);
	if (done)
		return false;
	if (!check(&c->edit, may_stay))
		find_place(c, may_stay);
	if (!c->edit.new && !may_stay)
		return false;
	if (c->edit.new)
		snprintf(c->edit.new->reason, sizeof(c->edit.new->reason), "%s",
			 may_stay ? RSPB_REASON_BY_OPERATOR
				  : "moved, its nodes were lost");
	rspb_edit_promise(&c->edit, NULL, may_stay);
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "operators"))
		return false;
	done = apply(c);
	rspb_section_leave(&section);
	if (!done)
		rspb_edit_withdraw(&c->edit, NULL);
	return done;
}

void rspb_operator_change(uint32_t reservation,
			  const struct rspb_config *config, int64_t now)
{
	struct change c = { .anew = false };

	change(&c, reservation, config, now, true);
	rspb_edit_fini(&c.edit);
}

bool rspb_operator_move(uint64_t id, const struct rspb_config *config,
			int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	struct change c = { .anew = false };
	bool moved;

	if (!b || b->state != RSPB_BOOKED ||
	    b->start < now + RSPB_EDIT_TOO_LATE_S)
		return false;
	moved = change(&c, rspb_operator_number(id), config, now, false);
	rspb_edit_fini(&c.edit);
	return moved;
}
