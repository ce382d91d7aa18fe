/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one way for changes: what each kind of record does. */
#include "common/ledger/internal.h"

#include <inttypes.h>
#include <stdio.h>

static int apply_book(struct rspb_ledger *l, const struct rspb_record *record, struct rspb_err *err)
{
	const struct rspb_booking *b = record->booking;
	struct rspb_held *old = rspb_entries_find(&l->index, b->request->id);
	struct rspb_held *entry;

	/* A booking that is over holds nothing any more, and may be booked anew. */
	if (old && !rspb_state_final(old->booking->state))
		return rspb_fail(err, "it is in the ledger already");
	if (rspb_ledger_check(l, b, err))
		return -1;
	entry = rspb_held_create(b);
	if (!entry || rspb_entries_reserve(&l->index, 2)) {
		rspb_held_release(entry);
		return rspb_fail(err, "out of memory");
	}
	if (rspb_ledger_occupy(l, entry, err)) {
		rspb_held_release(entry);
		return -1;
	}
	if (old)
		rspb_held_release(rspb_entries_remove(&l->index, b->request->id));
	rspb_entries_insert(&l->index, entry);
	return 0;
}

/* Swap old, which is in the index, for entry, which takes its place. */
static int swap(struct rspb_ledger *l, struct rspb_held *old, struct rspb_held *entry,
		struct rspb_err *err)
{
	uint64_t id = old->booking->request->id;
	/* Blocks may lie over it, and who asks learns of that. */
	bool stays = !rspb_blocks_count(l->blocks) && rspb_held_same(old, entry);

	/* Out, and in again, whichever of them. */
	if (rspb_entries_reserve(&l->index, 2))
		return rspb_fail(err, "out of memory");
	rspb_entries_remove(&l->index, id);
	if (!stays && rspb_ledger_vacate(l, old, l->now, err)) {
		rspb_entries_insert(&l->index, old);
		return -1;
	}
	if (!stays && rspb_ledger_occupy(l, entry, err)) {
		rspb_ledger_restore(l, old, NULL);
		rspb_entries_insert(&l->index, old);
		return -1;
	}
	rspb_entries_insert(&l->index, entry);
	rspb_held_release(old);
	return 0;
}

static struct rspb_held *entry_of(const struct rspb_ledger *l, uint64_t id, struct rspb_err *err)
{
	struct rspb_held *entry = rspb_entries_find(&l->index, id);

	if (!entry)
		rspb_fail(err, "it is not in the ledger");
	return entry;
}

static int apply_change(struct rspb_ledger *l, const struct rspb_record *record,
			struct rspb_err *err)
{
	struct rspb_held *old = entry_of(l, record->booking->request->id, err);
	struct rspb_held *entry;

	if (!old || rspb_ledger_check(l, record->booking, err))
		return -1;
	if (rspb_state_final(old->booking->state))
		return rspb_fail(err, "it is %s already", rspb_state_name(old->booking->state));
	entry = rspb_held_create(record->booking);
	if (!entry)
		return rspb_fail(err, "out of memory");
	if (swap(l, old, entry, err)) {
		rspb_held_release(entry);
		return -1;
	}
	return 0;
}

/* The entry as it is after the event, or NULL with err. */
static struct rspb_held *after_event(const struct rspb_held *old, const struct rspb_record *record,
				     struct rspb_err *err)
{
	enum rspb_state state = old->booking->state;
	struct rspb_held *entry;

	if (rspb_state_next(&state, record->event, err))
		return NULL;
	entry = rspb_held_create(old->booking);
	if (!entry) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	entry->booking->state = state;
	rspb_booking_say(entry->booking, record->reason ? record->reason : "");
	entry->until = old->until;
	return entry;
}

static int apply_event(struct rspb_ledger *l, const struct rspb_record *record,
		       struct rspb_err *err)
{
	struct rspb_held *old = entry_of(l, record->id, err), *entry;

	if (!old)
		return -1;
	entry = after_event(old, record, err);
	if (!entry)
		return -1;
	if (rspb_entries_reserve(&l->index, 2)) {
		rspb_held_release(entry);
		return rspb_fail(err, "out of memory");
	}
	rspb_entries_remove(&l->index, record->id);
	if (rspb_state_final(entry->booking->state) && !rspb_state_final(old->booking->state)) {
		if (rspb_ledger_vacate(l, old, record->time, err)) {
			rspb_entries_insert(&l->index, old);
			rspb_held_release(entry);
			return -1;
		}
		if (record->time < entry->until)
			entry->until = record->time;
		if (entry->until < entry->booking->start)
			entry->until = entry->booking->start;
	}
	rspb_entries_insert(&l->index, entry);
	rspb_held_release(old);
	return 0;
}

static int apply_advance(struct rspb_ledger *l, int64_t now, struct rspb_err *err)
{
	if (now < l->now)
		return rspb_fail(err, "time can't go back from %" PRId64 " to %" PRId64, l->now,
				 now);
	if (rspb_profile_advance(l->whole, now, err) ||
	    (l->all && rspb_profile_advance(l->all, now, err)) ||
	    (l->shares && rspb_shares_advance(l->shares, now, err)) ||
	    rspb_tables_advance(l, now, err))
		return -1;
	l->now = now;
	return 0;
}

int rspb_ledger_apply(struct rspb_ledger *ledger, const struct rspb_record *record,
		      struct rspb_err *err)
{
	uint64_t id = record->id;
	int rc;

	switch (record->kind) {
	case RSPB_REC_ADVANCE:
		return apply_advance(ledger, record->time, err);
	case RSPB_REC_BOOK:
		id = record->booking->request->id;
		rc = apply_book(ledger, record, err);
		break;
	case RSPB_REC_CHANGE:
		id = record->booking->request->id;
		rc = apply_change(ledger, record, err);
		break;
	case RSPB_REC_MOVE:
		return rspb_ledger_move(ledger, record, err);
	case RSPB_REC_EVENT:
		rc = apply_event(ledger, record, err);
		break;
	default:
		return rspb_fail(err, "record of unknown kind %d", (int) record->kind);
	}
	return rc ? rspb_fail_at(err, "booking %" PRIu64, id) : 0;
}

int rspb_ledger_cancel(struct rspb_ledger *ledger, uint64_t id, int64_t time, struct rspb_err *err)
{
	const struct rspb_record cancel = {
		.kind = RSPB_REC_EVENT, .time = time, .id = id, .event = RSPB_EV_CANCEL
	};

	return rspb_ledger_apply(ledger, &cancel, err);
}
