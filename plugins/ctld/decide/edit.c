/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/decide/edit.h"

#include <stdio.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/decision.h"
#include "plugins/ctld/durable/durable.h"
#include "plugins/ctld/requests/limits.h"

/* Ids of the ledger have no such bit. */
#define OTHER_ID (UINT64_C(1) << 62)

int rspb_edit_init(struct rspb_edit *edit, const struct rspb_booking *booking,
		   const struct rspb_config *config, int64_t now)
{
	*edit = (struct rspb_edit){
		.now = now,
		.old = rspb_booking_clone(booking),
		.said = rspb_booking_clone(booking),
		.started = booking->state == RSPB_ACTIVE ||
			   booking->start <= now,
		.first = -1,
	};
	edit->config = rspb_limits_settings(config, booking->request,
					    &edit->space);
	return edit->old && edit->said ? 0 : -1;
}

void rspb_edit_fini(struct rspb_edit *edit)
{
	rspb_booking_destroy(edit->old);
	rspb_booking_destroy(edit->said);
	rspb_booking_destroy(edit->new);
	rspb_request_destroy(edit->request);
}

int rspb_edit_as_before(struct rspb_edit *edit)
{
	const struct rspb_booking *old = edit->old;
	struct rspb_request *r = rspb_request_clone(old->request);
	bool fixed = old->request->deadline ==
		     old->request->ready + old->request->duration;
	int64_t start = edit->started ? old->start : edit->said->start;

	if (!r)
		return rspb_fail(&edit->why, "out of memory");
	edit->request = r;
	if (start == old->start && edit->said->end == old->end)
		return 0;
	r->duration = edit->said->end - start;
	if (fixed || start != old->start)
		r->ready = start;
	if (fixed)
		r->deadline = r->ready + r->duration;
	if (r->deadline < start + r->duration)
		return rspb_fail(&edit->why, "it would end after its deadline");
	return 0;
}

/* What a part has, empty: as before. */
static const struct rspb_nodeset *nodes_of(const struct rspb_edit *edit,
					   uint32_t part)
{
	const struct rspb_nodeset *said = edit->said->grants[part].nodes;

	return rspb_nodeset_empty(said) ? edit->old->grants[part].nodes : said;
}

static void grant_set(struct rspb_booking *b, uint32_t part,
		      const struct rspb_nodeset *nodes,
		      const struct rspb_grant *old)
{
	struct rspb_grant *grant = &b->grants[part];
	int64_t asked = b->request->parts[part].nodes;
	int64_t count = rspb_nodeset_count(nodes);

	rspb_nodeset_copy(grant->nodes, nodes);
	if (count == rspb_nodeset_count(old->nodes))
		grant->promise = old->promise;
	grant->share = old->share;
	grant->benefit = old->benefit;
	if (!old->share)
		grant->benefit = rspb_benefit_value(
			rspb_request_benefit(b->request, part),
			count < asked ? count : asked, asked);
}

/* RET the booking that is said, NULL: out of memory. */
static struct rspb_booking *make(const struct rspb_edit *edit)
{
	const struct rspb_booking *old = edit->old;
	struct rspb_booking *b = rspb_booking_create(edit->request);

	if (!b || rspb_booking_grant(b, old->grants[0].nodes->width, NULL)) {
		rspb_booking_destroy(b);
		return NULL;
	}
	b->request->id = old->request->id;
	b->state = old->state;
	b->start = edit->started ? old->start : edit->said->start;
	b->end = edit->said->end;
	b->decided_at = edit->now;
	for (uint32_t i = 0; i < b->n_grants; i++)
		grant_set(b, i, nodes_of(edit, i), &old->grants[i]);
	rspb_booking_value(b);
	return b;
}

bool rspb_edit_stay(struct rspb_edit *edit, struct rspb_ledger *basis)
{
	struct rspb_record record = { .kind = RSPB_REC_CHANGE,
				      .time = edit->now };
	struct rspb_booking *b = make(edit);
	char window[RSPB_WINDOW_TEXT];

	record.booking = b;
	if (b && b->end > edit->now &&
	    !rspb_ledger_apply(basis, &record, NULL)) {
		edit->new = b;
		edit->seen = rspb_ledger_seen(basis);
		return true;
	}
	rspb_booking_destroy(b);
	rspb_report_times(edit->started ? edit->now : edit->said->start,
			  edit->said->end, window, sizeof(window));
	rspb_fail(&edit->why, "its nodes are not all free from %s", window);
	return false;
}

bool rspb_edit_go(struct rspb_edit *edit, const struct rspb_ledger *basis,
		  int64_t ready, int64_t deadline)
{
	struct rspb_request *request = edit->request;
	const struct rspb_request *const one[] = { request };
	uint64_t id = edit->old->request->id;
	struct rspb_ledger *plan = rspb_ledger_clone(basis);
	int64_t old_ready = request->ready, old_deadline = request->deadline;
	struct rspb_booking *new = NULL;

	request->id = id | OTHER_ID;
	request->ready = ready;
	request->deadline = deadline;
	if (plan && rspb_decide(plan, id, edit->config, one, 1, edit->now,
				!edit->unnoted, NULL, &new, &edit->why))
		new = NULL;
	rspb_ledger_destroy(plan);
	request->id = id;
	request->ready = old_ready;
	request->deadline = old_deadline;
	if (new &&new->state == RSPB_BOOKED) {
		new->request->id = id;
		new->request->ready = old_ready;
		new->request->deadline = old_deadline;
		edit->new = new;
		edit->seen = rspb_ledger_seen(basis);
		return true;
	}
	if (new)
		rspb_fail(&edit->why, "%s", new->reason);
	rspb_booking_destroy(new);
	return false;
}

static void unbook(struct rspb_edit *edit, const char *who)
{
	const struct rspb_record record = { .kind = RSPB_REC_CHANGE,
					    .time = edit->now,
					    .booking = edit->old };
	struct rspb_err err;

	if (rspb_book_apply(&record, &err))
		rspb_log_error("%s: %s", who, err.text);
}

static bool book(struct rspb_edit *edit, const char *who,
		 rspb_edit_place_fn place, void *arg)
{
	const struct rspb_record record = { .kind = RSPB_REC_CHANGE,
					    .time = edit->now,
					    .booking = edit->new };

	if (!edit->new || rspb_book_apply(&record, &edit->why))
		return false;
	if (!place(edit->new, arg, &edit->why))
		return true;
	unbook(edit, who);
	return false;
}

/* As it is in the ledger. */
static void stay(struct rspb_edit *edit, const char *who,
		 rspb_edit_place_fn place, void *arg)
{
	struct rspb_booking *old = edit->old;
	struct rspb_err err;

	snprintf(old->reason, sizeof(old->reason), RSPB_REASON_STAYS ": %.270s",
		 edit->why.text);
	rspb_log_info("%s %s", who, old->reason);
	if (place(old, arg, &err))
		rspb_log_error("%s: %s", who, err.text);
}

bool rspb_edit_apply(struct rspb_edit *edit, const char *who,
		     rspb_edit_place_fn place, void *arg)
{
	char window[RSPB_WINDOW_TEXT];

	if (!book(edit, who, place, arg)) {
		stay(edit, who, place, arg);
		return false;
	}
	rspb_report_window(edit->new->start, edit->new->end, NULL, window,
			   sizeof(window));
	rspb_log_info("%s: %s: %s on %u nodes", who, edit->new->reason, window,
		      rspb_booking_nodes(edit->new));
	return true;
}

void rspb_edit_undo(struct rspb_edit *edit, const char *who,
		    rspb_edit_place_fn place, void *arg)
{
	unbook(edit, who);
	stay(edit, who, place, arg);
}

bool rspb_edit_note(const struct rspb_edit *edit, const struct rspb_ask *ask,
		    bool still)
{
	const struct rspb_kind *kind = rspb_kind_of(edit->old->request);
	const struct rspb_booking *b = edit->new;
	struct rspb_section section;

	if (still)
		b = rspb_ledger_find(rspb_book_ledger(),
				     edit->old->request->id);
	if (!b || rspb_state_final(b->state) || !kind->promise ||
	    !rspb_section_enter(&section, RSPB_LOCK_READ, "promise"))
		return false;
	kind->promise(ask, b);
	rspb_section_leave(&section);
	return true;
}

void rspb_edit_promise(struct rspb_edit *edit, const struct rspb_ask *ask,
		       bool wanted)
{
	struct rspb_err err;

	if (!rspb_edit_note(edit, ask, false) ||
	    !rspb_durable_sync(edit->now, wanted ? &err : NULL) || !wanted)
		return;
	rspb_fail(&edit->why, "nothing can be changed now: %.250s", err.text);
	rspb_booking_destroy(edit->new);
	edit->new = NULL;
}

void rspb_edit_withdraw(const struct rspb_edit *edit,
			const struct rspb_ask *ask)
{
	if (rspb_edit_note(edit, ask, true))
		rspb_durable_sync(edit->now, NULL);
}
