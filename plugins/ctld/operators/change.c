/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings of reservations that change: because an operator has changed the
 * reservation, which Slurm lets him do without asking anybody, or because its
 * nodes are lost. What fits is booked; otherwise the reservation is put back to
 * what was promised, and says why.
 */
#include "plugins/ctld/operators/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/decision.h"
#include "plugins/ctld/requests/limits.h"

/* Ids of the ledger have no such bit. */
#define OTHER_ID (UINT64_C(1) << 62)
/* Seconds before the start in which a booking is left where it is. */
enum { TOO_LATE_S = 2 };

struct change {
	const struct rspb_config *config;
	int64_t now;
	struct rspb_resv_seen seen;   /* the reservation as it is now */
	struct rspb_booking *old;     /* owned */
	struct rspb_request *request; /* owned: what is asked now */
	struct rspb_nodeset *nodes;   /* owned: those it has now */
	bool started;
	bool anew;		  /* by a new tag */
	struct rspb_booking *new; /* owned; NULL: none yet */
	struct rspb_err why;	  /* why there is none */
};

static void change_fini(struct change *c)
{
	rspb_booking_destroy(c->old);
	rspb_request_destroy(c->request);
	rspb_nodeset_destroy(c->nodes);
	rspb_booking_destroy(c->new);
}

/* A request as it was, but for the window of the reservation. */
static int ask_as_before(struct change *c, const struct rspb_resv *resv)
{
	struct rspb_request *r = rspb_request_clone(c->old->request);
	bool fixed = c->old->request->deadline ==
		     c->old->request->ready + c->old->request->duration;
	int64_t start = c->started ? c->old->start : resv->start;

	if (!r)
		return rspb_fail(&c->why, "out of memory");
	c->request = r;
	r->duration = resv->end - start;
	if (fixed || start != c->old->start)
		r->ready = start;
	if (fixed)
		r->deadline = r->ready + r->duration;
	if (r->deadline < start + r->duration)
		return rspb_fail(&c->why, "it would end after its deadline");
	return 0;
}

/* Fill in what is asked now, or why not. */
static void look_at_request(struct change *c, const struct rspb_resv *resv)
{
	uint32_t width = c->nodes->width;

	c->started = c->old->state == RSPB_ACTIVE || c->old->start <= c->now;
	c->anew = !rspb_tag_answered(resv->tag);
	if (c->anew)
		rspb_operator_request(resv, width, c->config, c->now,
				      &c->request, &c->why);
	else if (!ask_as_before(c, resv))
		rspb_operator_refresh(resv, width, &c->request->parts[0],
				      &c->why);
}

/* Wants the read lock. RET false: nothing to do any more. */
static bool look(struct change *c, uint32_t reservation)
{
	const struct rspb_booking *b = rspb_operator_find(reservation);
	struct rspb_resv resv;

	if (!b || !rspb_resv_find_id(reservation, c->now, &resv) ||
	    !rspb_operator_snap(&resv, &c->seen))
		return false;
	c->old = rspb_booking_clone(b);
	c->nodes = rspb_nodeset_create(b->grants[0].nodes->width);
	if (!c->old || !c->nodes)
		return false;
	if (resv.has_nodes)
		rspb_resv_nodes(&resv, c->nodes);
	look_at_request(c, &resv);
	return true;
}

/* RET the booking of these nodes for that window, NULL: it may not be. */
static struct rspb_booking *make(const struct change *c,
				 const struct rspb_nodeset *nodes,
				 int64_t start, int64_t end)
{
	struct rspb_booking *b = rspb_booking_create(c->request);
	int64_t asked = c->request->parts[0].nodes;
	int64_t count = rspb_nodeset_count(nodes);

	if (!b || !count || rspb_booking_grant(b, nodes->width, NULL)) {
		rspb_booking_destroy(b);
		return NULL;
	}
	b->request->id = c->old->request->id;
	b->state = c->old->state;
	b->start = start;
	b->end = end;
	b->decided_at = c->now;
	rspb_nodeset_copy(b->grants[0].nodes, nodes);
	b->grants[0].benefit =
		rspb_benefit_value(rspb_request_benefit(b->request, 0),
				   count < asked ? count : asked, asked);
	rspb_booking_value(b);
	return b;
}

/* Leave it where it is, with another end, start or set of nodes. */
static bool stay(struct change *c, const struct rspb_ledger *basis)
{
	const struct rspb_nodeset *nodes = rspb_nodeset_empty(c->nodes)
						   ? c->old->grants[0].nodes
						   : c->nodes;
	struct rspb_record record = { .kind = RSPB_REC_CHANGE, .time = c->now };
	struct rspb_ledger *trial = rspb_ledger_clone(basis);
	char window[RSPB_WINDOW_TEXT];
	bool good;

	c->new = make(c, nodes, c->started ? c->old->start : c->seen.start,
		      c->seen.end);
	record.booking = c->new;
	good = trial && c->new && c->new->end > c->now &&
	       (!c->anew ||
		rspb_nodeset_count(nodes) == c->request->parts[0].nodes) &&
	       !rspb_ledger_apply(trial, &record, NULL);
	rspb_ledger_destroy(trial);
	if (good)
		return true;
	rspb_report_window(c->started ? c->now : c->seen.start, c->seen.end,
			   window, sizeof(window));
	rspb_fail(&c->why, "its nodes are not all free %s", window);
	rspb_booking_destroy(c->new);
	c->new = NULL;
	return false;
}

/* Anywhere from ready on, to end by the deadline. */
static bool go(struct change *c, const struct rspb_ledger *basis, int64_t ready,
	       int64_t deadline)
{
	struct rspb_request *request = c->request;
	const struct rspb_request *const one[] = { request };
	struct rspb_ledger *plan = rspb_ledger_clone(basis);
	int64_t old_ready = request->ready, old_deadline = request->deadline;
	struct rspb_booking *new = NULL;

	request->id = c->old->request->id | OTHER_ID;
	request->ready = ready;
	request->deadline = deadline;
	if (plan && rspb_decide(plan, c->old->request->id, c->config, one, 1,
				c->now, &new, &c->why))
		new = NULL;
	rspb_ledger_destroy(plan);
	request->id = c->old->request->id;
	request->ready = old_ready;
	request->deadline = old_deadline;
	if (new &&new->state == RSPB_BOOKED) {
		new->request->id = request->id;
		new->request->ready = old_ready;
		new->request->deadline = old_deadline;
		c->new = new;
		return true;
	}
	if (new)
		rspb_fail(&c->why, "%s", new->reason);
	rspb_booking_destroy(new);
	return false;
}

static void find_place(struct change *c, bool may_stay)
{
	struct rspb_ledger *basis = rspb_basis_make(c->config, c->now);
	const struct rspb_request *r = c->request;
	int64_t start = c->seen.start;

	if (!basis) {
		rspb_fail(&c->why, "there is no snapshot of the cluster");
		return;
	}
	if (start < r->ready)
		start = r->ready;
	if (!(may_stay && stay(c, basis)) && !c->started && start > c->now &&
	    !go(c, basis, start, start + r->duration) &&
	    r->deadline > start + r->duration)
		go(c, basis,
		   r->ready > c->now + TOO_LATE_S ? r->ready
						  : c->now + TOO_LATE_S,
		   r->deadline);
	rspb_ledger_destroy(basis);
}

/* What began is not asked to begin again, and what is only moved has been
 * admitted before. */
static int check(struct change *c, bool asked)
{
	struct rspb_ask ask = { .request = c->request };

	if (c->why.text[0] || !c->request)
		return -1;
	if (c->started || !asked)
		return 0;
	/* Notice is to be given of another start. */
	c->request->arrival = c->request->ready - c->config->min_notice;
	if (c->seen.start != c->old->start && c->request->arrival < c->now)
		c->request->arrival = c->now;
	return rspb_limits_check(&ask, c->config, c->nodes->width, c->now,
				 &c->why);
}

/* With the write lock: book c->new, or put back what was. RET whether it is
 * booked. */
static bool apply(struct change *c)
{
	struct rspb_record record = { .kind = RSPB_REC_CHANGE, .time = c->now };
	struct rspb_resv resv;
	struct rspb_err err;

	if (!rspb_resv_find(c->seen.name, c->now, &resv) ||
	    !rspb_operator_same(&c->seen, &resv) ||
	    rspb_operator_find(c->seen.id) == NULL)
		return false;
	record.booking = c->new;
	if (c->new && !rspb_book_apply(&record, &c->why)) {
		if (!rspb_operator_place(c->seen.name, c->new, &c->why)) {
			rspb_log_info("reservation %s: its booking has changed",
				      c->seen.name);
			return true;
		}
		record.booking = c->old;
		if (rspb_book_apply(&record, &err))
			rspb_log_error("reservation %s: %s", c->seen.name,
				       err.text);
	}
	snprintf(c->old->reason, sizeof(c->old->reason),
		 "stays as it was booked: %.270s", c->why.text);
	if (rspb_operator_place(c->seen.name, c->old, &err))
		rspb_log_error("%s", err.text);
	rspb_log_info("reservation %s %s", c->seen.name, c->old->reason);
	return false;
}

static bool change(struct change *c, uint32_t reservation, bool may_stay)
{
	struct rspb_section section;
	bool done = false;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "operators"))
		return false;
	done = !look(c, reservation);
	rspb_section_leave(&section);
	if (done)
		return false;
	if (!check(c, may_stay))
		find_place(c, may_stay);
	if (!c->new && !may_stay)
		return false;
	if (c->new)
		snprintf(c->new->reason, sizeof(c->new->reason), "%s",
			 may_stay ? "changed by an operator"
				  : "moved, its nodes were lost");
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "operators"))
		return false;
	done = apply(c);
	rspb_section_leave(&section);
	return done;
}

void rspb_operator_change(uint32_t reservation,
			  const struct rspb_config *config, int64_t now)
{
	struct change c = { .config = config, .now = now };

	change(&c, reservation, true);
	change_fini(&c);
}

bool rspb_operator_move(uint64_t id, const struct rspb_config *config,
			int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	struct change c = { .config = config, .now = now };
	bool moved;

	if (!b || b->state != RSPB_BOOKED || b->start < now + TOO_LATE_S)
		return false;
	moved = change(&c, rspb_operator_number(id), false);
	change_fini(&c);
	return moved;
}
