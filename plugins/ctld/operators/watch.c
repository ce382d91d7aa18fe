/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Seeing what operators have asked for, changed or deleted, and which windows
 * are over. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/operators/internal.h"
#include "plugins/ctld/operators/operator.h"

static struct {
	size_t n;
	int64_t earliest;
} waiting = { 0, INT64_MAX };

void rspb_operator_reset(void)
{
	waiting.n = 0;
	waiting.earliest = INT64_MAX;
}

int64_t rspb_operator_waiting(int64_t *earliest)
{
	if (waiting.earliest < *earliest)
		*earliest = waiting.earliest;
	return (int64_t) waiting.n;
}

static void finish(const struct rspb_booking *b, enum rspb_operator_verdict verdict, int64_t now)
{
	uint32_t reservation = rspb_reserved_number(b->request->id);
	char number[32];

	if (verdict == RSPB_OPERATOR_OVER || b->end <= now) {
		if (b->state == RSPB_BOOKED)
			rspb_book_event(b->request->id, RSPB_EV_START, now, NULL, NULL);
		b = rspb_reserved_find(reservation);
		if (b)
			rspb_operator_event(b, RSPB_EV_END, now, NULL);
		return;
	}
	rspb_log_info("reservation %u is no longer a booking", reservation);
	snprintf(number, sizeof(number), "number-%" PRIu32, reservation);
	rspb_operator_audit("cancel", number, 0, true,
			    "deleted, or its text no longer begins "
			    "with rspb:");
	rspb_operator_event(b, b->state == RSPB_BOOKED ? RSPB_EV_CANCEL : RSPB_EV_TERMINATE, now,
			    "its reservation was deleted, or its text no longer begins with rspb:");
}

static void decline(const struct rspb_resv *resv, const char *reason)
{
	struct rspb_contract contract = {
		.start = resv->start,
		.end = resv->end,
	};

	rspb_operator_decline(resv->name, &contract, reason);
}

static void adopt(const struct rspb_resv *resv, int64_t now)
{
	struct rspb_record record = { .kind = RSPB_REC_BOOK, .time = now };
	struct rspb_booking *b = rspb_operator_rebuild(resv, rspb_ledger_nodes(rspb_book_ledger()),
						       now);
	struct rspb_err err = { "its text cannot be read" };

	if (b) {
		b->request->id = rspb_reserved_new_id(rspb_book_ledger(), resv->id);
		record.id = b->request->id;
		record.booking = b;
	}
	if (!b || rspb_book_apply(&record, &err))
		decline(resv, err.text);
	rspb_booking_destroy(b);
}

/* A reservation or booking that needs an action. */
struct finding {
	uint32_t reservation;
	enum rspb_operator_verdict verdict;
};

struct look {
	int64_t now, earliest;
	size_t n, room, n_waiting;
	struct finding *items;
};

static void note(struct look *look, uint32_t reservation, enum rspb_operator_verdict verdict)
{
	if (rspb_array_grow(&look->items, &look->room, look->n + 1, sizeof(*look->items)))
		return;
	look->items[look->n++] = (struct finding){ reservation, verdict };
}

static int look_at(const struct rspb_resv *resv, void *arg)
{
	struct look *look = arg;
	enum rspb_operator_verdict verdict;

	if (!rspb_operator_meant(resv))
		return 0;
	verdict = rspb_operator_judge(resv, rspb_reserved_find(resv->id), look->now);
	if (verdict == RSPB_OPERATOR_WAITS) {
		look->n_waiting++;
		if (resv->start < look->earliest)
			look->earliest = resv->start;
	} else if (verdict != RSPB_OPERATOR_KEEP) {
		note(look, resv->id, verdict);
	}
	return 0;
}

/* Bookings whose reservation is not there any more. */
static int look_for_gone(const struct rspb_booking *b, const struct rspb_resv *resv, void *arg)
{
	if (!rspb_state_final(b->state) && (!resv || !rspb_operator_meant(resv)))
		note(arg, rspb_reserved_number(b->request->id), RSPB_OPERATOR_GONE);
	return 0;
}

/* Wants the write lock; what was found may be past already. */
static void follow(const struct finding *finding, int64_t now)
{
	const struct rspb_booking *b = rspb_reserved_find(finding->reservation);
	struct rspb_resv resv;
	bool there = rspb_resv_find_id(finding->reservation, now, &resv);

	if (rspb_operator_judge(there ? &resv : NULL, b, now) != finding->verdict)
		return;
	if (finding->verdict == RSPB_OPERATOR_ADOPT)
		adopt(&resv, now);
	else if (finding->verdict == RSPB_OPERATOR_ODD)
		decline(&resv, resv.has_nodes
				       ? "it has nodes already and stays an ordinary "
					 "reservation; a request is made with Flags=ANY_NODES, "
					 "without nodes"
				       : "its name or text is too long");
	else if (b)
		finish(b, finding->verdict, now);
}

static void follow_all(const struct look *look, const struct rspb_config *config)
{
	struct rspb_section section;

	for (size_t i = 0; i < look->n; i++) {
		if (look->items[i].verdict == RSPB_OPERATOR_CHANGED) {
			rspb_operator_change(look->items[i].reservation, config, look->now);
			continue;
		}
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "operators"))
			return;
		follow(&look->items[i], look->now);
		section.items++;
		rspb_section_leave(&section);
	}
}

void rspb_operator_watch(const struct rspb_config *config, int64_t now)
{
	struct look look = { .now = now, .earliest = INT64_MAX };
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "operators"))
		return;
	rspb_reserved_each(rspb_book_ledger(), now, look_at, look_for_gone, &look);
	section.items = look.n + look.n_waiting;
	rspb_section_leave(&section);
	waiting.n = look.n_waiting;
	waiting.earliest = look.earliest;
	follow_all(&look, config);
	free(look.items);
}
