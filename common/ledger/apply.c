/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one way for changes: what each kind of record does. */
#include <inttypes.h>
#include <stdlib.h>

#include "common/ledger/internal.h"

/* --- several bookings change at once: first all of them leave, then all of them come back, so
 * that they may pass each other --- */

/* The entries of a move: those that leave (NULL: a new booking) and those that come. */
struct move {
	size_t n, left, come;
	struct rspb_held **from, **to;
};

/* Release the entries that did not get into the index; those that did are NULL. */
static void move_fini(struct move *move)
{
	for (size_t i = 0; move->to && i < move->n; i++)
		rspb_held_release(move->to[i]);
	free(move->from);
	free(move->to);
}

/* Find the entries that leave and make those that come. RET 0, or -1 with err. The ledger is not
 * changed, and move_fini() frees the rest in both cases. */
static int move_init(struct move *move, const struct rspb_ledger *l,
		     const struct rspb_record *record, struct rspb_err *err)
{
	*move = (struct move){
		.n = record->n_bookings,
		.from = calloc(record->n_bookings + 1, sizeof(*move->from)),
		.to = calloc(record->n_bookings + 1, sizeof(*move->to)),
	};
	if (!move->from || !move->to)
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < move->n; i++) {
		const struct rspb_booking *b = record->bookings[i];
		struct rspb_held *old = rspb_entries_find(&l->index, b->request->id);

		/* A second change of a booking would take out an entry that has left already. */
		for (size_t k = 0; k < i; k++)
			if (record->bookings[k]->request->id == b->request->id)
				return rspb_fail(err, "it is moved twice");
		if (rspb_ledger_check(l, b, err))
			return rspb_fail_at(err, "booking %" PRIu64, b->request->id);
		if (old && rspb_state_final(old->booking->state))
			return rspb_fail(err,
					 "booking %" PRIu64 " is %s "
					 "already",
					 b->request->id, rspb_state_name(old->booking->state));
		move->from[i] = old;
		move->to[i] = rspb_held_create(b);
		if (!move->to[i])
			return rspb_fail(err, "out of memory");
	}
	return 0;
}

/* Undo a move: the entries that came leave again, and those that left come back. Room for that was
 * reserved. If memory runs out, an entry may come back without what it occupied. */
static void turn_back(struct rspb_ledger *l, struct move *move)
{
	while (move->come) {
		struct rspb_held *entry = move->to[--move->come];

		rspb_entries_remove(&l->index, entry->booking->request->id);
		rspb_ledger_vacate(l, entry, l->now, NULL);
	}
	while (move->left) {
		struct rspb_held *entry = move->from[--move->left];

		if (!entry)
			continue;
		rspb_ledger_restore(l, entry, NULL);
		rspb_entries_insert(&l->index, entry);
	}
}

/* Take all old entries out, then put all new ones in. RET -1 with err if one does not fit. The move
 * is half done then, and its counts tell turn_back() how far. */
static int go(struct rspb_ledger *l, struct move *move, struct rspb_err *err)
{
	for (; move->left < move->n; move->left++) {
		struct rspb_held *entry = move->from[move->left];

		if (!entry)
			continue;
		rspb_entries_remove(&l->index, entry->booking->request->id);
		/* An entry must be out of the index before its time is freed, or it would cover its
		 * own time again. */
		if (!rspb_ledger_vacate(l, entry, l->now, err))
			continue;
		rspb_entries_insert(&l->index, entry);
		return -1;
	}
	for (; move->come < move->n; move->come++) {
		struct rspb_held *entry = move->to[move->come];

		if (rspb_ledger_occupy(l, entry, err))
			return rspb_fail_at(err, "booking %" PRIu64, entry->booking->request->id);
		rspb_entries_insert(&l->index, entry);
	}
	return 0;
}

/* RSPB_REC_MOVE; as rspb_ledger_apply. */
static int move_bookings(struct rspb_ledger *l, const struct rspb_record *record,
			 struct rspb_err *err)
{
	struct move move;
	int rc = move_init(&move, l, record, err);

	/* All out and in, and back again. */
	if (!rc && rspb_entries_reserve(&l->index, 4 * move.n))
		rc = rspb_fail(err, "out of memory");
	/* All entries leave before the first one comes, because bookings may exchange their
	 * nodes. */
	if (!rc && go(l, &move, err)) {
		turn_back(l, &move);
		rc = -1;
	}
	for (size_t i = 0; !rc && i < move.n; i++) {
		rspb_held_release(move.from[i]);
		/* The index holds it now. */
		move.to[i] = NULL;
	}
	move_fini(&move);
	return rc;
}

int rspb_ledger_resume(struct rspb_ledger *plan, const struct rspb_ledger *ledger, uint64_t id)
{
	struct rspb_held *old = rspb_entries_find(&ledger->index, id);
	struct rspb_held *new = rspb_entries_find(&plan->index, id);

	if (old && old == new)
		return 0;
	if (!old || !new || !rspb_held_same(old, new) || rspb_entries_reserve(&plan->index, 2))
		return -1;
	atomic_fetch_add_explicit(&old->holders, 1, memory_order_relaxed);
	rspb_held_release(rspb_entries_remove(&plan->index, id));
	rspb_entries_insert(&plan->index, old);
	return 0;
}

void rspb_ledger_adopt(struct rspb_ledger *ledger, struct rspb_ledger *plan)
{
	struct rspb_ledger was = *ledger;

	ledger->whole = plan->whole;
	ledger->all = plan->all;
	ledger->shares = plan->shares;
	ledger->tables = plan->tables;
	ledger->n_tables = plan->n_tables;
	ledger->size_tables = plan->size_tables;
	ledger->index = plan->index;
	ledger->longest = plan->longest;
	plan->whole = was.whole;
	plan->all = was.all;
	plan->shares = was.shares;
	plan->tables = was.tables;
	plan->n_tables = was.n_tables;
	plan->size_tables = was.size_tables;
	plan->index = was.index;
	plan->longest = was.longest;
}

/* Whether `b` has each booking of `a`, with the same nodes at the same time. */
static bool holds_all(const struct rspb_ledger *b, const struct rspb_ledger *a)
{
	size_t n = a->index.n, i = 0;

	/* Pages that both ledgers share are passed over, since they hold the same. */
	for (; (i = rspb_entries_unshared(&a->index, &b->index, i)) < n; i++) {
		const struct rspb_held *one = rspb_entries_at(&a->index, i);
		const struct rspb_held *other = rspb_entries_find(&b->index,
								  one->booking->request->id);

		if (!other || !rspb_held_same(one, other))
			return false;
	}
	return true;
}

int rspb_ledger_rebase(struct rspb_ledger *plan, const struct rspb_ledger *ledger)
{
	struct rspb_entries index;

	if (!holds_all(plan, ledger) || !holds_all(ledger, plan) ||
	    rspb_entries_clone(&index, &ledger->index))
		return -1;
	/* The calendars of the plan stay: they hold the same bookings, and the blocks besides. */
	rspb_entries_fini(&plan->index);
	plan->index = index;
	return 0;
}

/* --- the kinds of records --- */

/* Whether a booking may be added: nothing of its id is there, or one that is over. A booking that
 * is over holds nothing any more. */
static int check_new(const struct rspb_ledger *l, const struct rspb_booking *b,
		     const struct rspb_held *old, struct rspb_err *err)
{
	if (old && !rspb_state_final(old->booking->state))
		return rspb_fail(err, "it is in the ledger already");
	return rspb_ledger_check(l, b, err);
}

/* Let the index hold a new entry (NULL: there was no memory for it) in place of an old one of its
 * id (NULL: none). The time is occupied first, so that a refusal leaves nothing to undo; then the
 * entry is the caller's. */
static int enter(struct rspb_ledger *l, struct rspb_held *entry, const struct rspb_held *old,
		 struct rspb_err *err)
{
	/* Both the entry and the room for it are there before anything is occupied. */
	if (!entry || rspb_entries_reserve(&l->index, 2))
		return rspb_fail(err, "out of memory");
	if (rspb_ledger_occupy(l, entry, err))
		return -1;
	if (old)
		rspb_held_release(rspb_entries_remove(&l->index, entry->booking->request->id));
	rspb_entries_insert(&l->index, entry);
	return 0;
}

/* RSPB_REC_BOOK; as rspb_ledger_apply. */
static int apply_book(struct rspb_ledger *l, const struct rspb_record *record, struct rspb_err *err)
{
	struct rspb_held *old = rspb_entries_find(&l->index, record->booking->request->id);
	struct rspb_held *entry;

	if (check_new(l, record->booking, old, err))
		return -1;
	entry = rspb_held_create(record->booking);
	if (!enter(l, entry, old, err))
		return 0;
	rspb_held_release(entry);
	return -1;
}

int rspb_ledger_enter(struct rspb_ledger *l, struct rspb_booking *booking, struct rspb_err *err)
{
	struct rspb_held *old = rspb_entries_find(&l->index, booking->request->id);
	struct rspb_held *entry;

	if (check_new(l, booking, old, err))
		return -1;
	entry = rspb_held_wrap(booking);
	if (!enter(l, entry, old, err))
		return 0;
	/* The booking stays with the caller. */
	free(entry);
	return -1;
}

/* Swap old, which is in the index, for entry, which takes its place. */
static int swap(struct rspb_ledger *l, struct rspb_held *old, struct rspb_held *entry,
		struct rspb_err *err)
{
	uint64_t id = old->booking->request->id;
	/* In a plan, blocks may overlap a booking that stays in place. The caller has to get an
	 * error then, so the booking is entered anew. */
	bool stays = !rspb_blocks_count(l->blocks) && rspb_held_same(old, entry);

	/* This is for one removal and for one insertion, of either entry. */
	if (rspb_entries_reserve(&l->index, 2))
		return rspb_fail(err, "out of memory");
	rspb_entries_remove(&l->index, id);
	if (!stays && rspb_ledger_vacate(l, old, l->now, err)) {
		rspb_entries_insert(&l->index, old);
		return -1;
	}
	if (!stays && rspb_ledger_occupy(l, entry, err)) {
		/* The old booking gets back its time even if a block overlaps it by now. */
		rspb_ledger_restore(l, old, NULL);
		rspb_entries_insert(&l->index, old);
		return -1;
	}
	rspb_entries_insert(&l->index, entry);
	rspb_held_release(old);
	return 0;
}

/* RET the entry of a booking, or NULL with err. */
static struct rspb_held *entry_of(const struct rspb_ledger *l, uint64_t id, struct rspb_err *err)
{
	struct rspb_held *entry = rspb_entries_find(&l->index, id);

	if (!entry)
		rspb_fail(err, "it is not in the ledger");
	return entry;
}

/* RSPB_REC_CHANGE; as rspb_ledger_apply. */
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

	/* An event may be refused, as an active booking is terminated and cannot be cancelled. */
	if (rspb_state_next(&state, record->event, err))
		return NULL;
	entry = rspb_held_create(old->booking);
	if (!entry) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	entry->booking->state = state;
	rspb_booking_say(entry->booking, record->reason ? record->reason : "");
	/* The entry occupies what the old one does. Its time to clean up may have been refused. */
	entry->until = old->until;
	return entry;
}

/* RSPB_REC_EVENT; as rspb_ledger_apply. Only an event that ends the booking changes what it
 * occupies. */
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
		/* The nodes were held until the event, which may be before the start. */
		if (record->time < entry->until)
			entry->until = record->time;
		if (entry->until < entry->booking->start)
			entry->until = entry->booking->start;
	}
	rspb_entries_insert(&l->index, entry);
	rspb_held_release(old);
	return 0;
}

/* RSPB_REC_ADVANCE. If one calendar has no memory, others may have advanced already. They ignore
 * changes of the time before that, so the next call can go on. */
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
		/* The error names the booking that failed, which the id of the record does not. */
		return move_bookings(ledger, record, err);
	case RSPB_REC_EVENT:
		rc = apply_event(ledger, record, err);
		break;
	default:
		return rspb_fail(err, "record of unknown kind %d", (int) record->kind);
	}
	return rc ? rspb_fail_at(err, "booking %" PRIu64, id) : 0;
}

int rspb_ledger_lift(struct rspb_ledger *l, uint64_t id, struct rspb_err *err)
{
	struct rspb_held *entry = entry_of(l, id, err);

	if (!entry)
		return -1;
	if (rspb_entries_reserve(&l->index, 2))
		return rspb_fail(err, "out of memory");
	rspb_entries_remove(&l->index, id);
	if (rspb_ledger_vacate(l, entry, l->now, err)) {
		rspb_entries_insert(&l->index, entry);
		return -1;
	}
	rspb_held_release(entry);
	return 0;
}

int rspb_ledger_cancel(struct rspb_ledger *ledger, uint64_t id, int64_t time, struct rspb_err *err)
{
	const struct rspb_booking *b = rspb_ledger_find(ledger, id);
	const struct rspb_record cancel = {
		.kind = RSPB_REC_EVENT,
		.time = time,
		.id = id,
		.event = b && b->state == RSPB_ACTIVE ? RSPB_EV_TERMINATE : RSPB_EV_CANCEL,
	};

	return rspb_ledger_apply(ledger, &cancel, err);
}

/* --- the ledger on which plans are made: the bookings with other blocks --- */

/* Whether the ledger has a booking of the same request that is over. */
static bool over(const struct rspb_ledger *l, const struct rspb_booking *b)
{
	const struct rspb_booking *old = rspb_ledger_find(l, b->request->id);

	return old && rspb_state_final(old->state);
}

/* Book a request whose last booking is over: a move refuses it. */
static int book(struct rspb_ledger *l, const struct rspb_booking *b, struct rspb_err *err)
{
	const struct rspb_record record = {
		.kind = RSPB_REC_BOOK, .time = l->now, .id = b->request->id, .booking = b
	};

	return rspb_ledger_apply(l, &record, err);
}

/* Take over the bookings that the plan changes and that are not over; the moving ones come
 * first. */
static int take_over(struct rspb_ledger *l, const struct rspb_ledger *ledger,
		     const struct rspb_ledger *plan, struct rspb_err *err)
{
	const struct rspb_booking **list, *b;
	struct rspb_record move = { .kind = RSPB_REC_MOVE, .time = plan->now };
	size_t i = 0;
	int rc = 0;

	list = malloc((rspb_ledger_count(plan) + 1) * sizeof(*list));
	if (!list)
		return rspb_fail(err, "out of memory");
	/* All move in one record, because bookings may have exchanged their nodes in the plan. */
	while ((b = rspb_ledger_next_own(plan, ledger, &i)))
		if (!rspb_state_final(b->state) && !over(l, b))
			list[move.n_bookings++] = b;
	move.bookings = list;
	if (move.n_bookings)
		rc = rspb_ledger_apply(l, &move, err);
	free(list);
	for (i = 0; !rc && (b = rspb_ledger_next_own(plan, ledger, &i));)
		if (!rspb_state_final(b->state) && over(l, b))
			rc = book(l, b, err);
	return rc;
}

/* Add the blocks of another ledger, each until its entry in `ends` at the latest. A block that is
 * over before it begins is left out. RET 0, or -1 with err. */
static int block(struct rspb_ledger *l, const struct rspb_ledger *blocks, const int64_t *ends,
		 struct rspb_err *err)
{
	for (size_t i = 0; i < rspb_blocks_count(blocks->blocks); i++) {
		const struct rspb_occupied *b = &blocks->blocks->items[i];
		int64_t end = ends && ends[i] < b->end ? ends[i] : b->end;

		if (end <= b->start)
			continue;
		if ((b->beside ? rspb_ledger_block_beside : rspb_ledger_block)(l, b->start, end,
									       b->nodes, err))
			return -1;
		rspb_ledger_block_name(l, b->kind, b->owner);
	}
	return 0;
}

/* When the blocks of one owner end. */
struct last {
	uint32_t owner;
	int64_t end;
};

static int by_owner(const void *a, const void *b)
{
	const struct last *x = a, *y = b;

	return (x->owner > y->owner) - (x->owner < y->owner);
}

/* Add what is used of nodes on which blocks leave room, to the end of its owner's block at
 * the latest. */
static int use_nodes(struct rspb_ledger *l, const struct rspb_blocks *blocks, const int64_t *ends,
		     struct rspb_err *err)
{
	/* Without other ends, or without uses, no table of owners is needed. */
	size_t n = ends && blocks && blocks->n_uses ? blocks->n : 0;
	struct last *lasts = malloc((n + 1) * sizeof(*lasts));
	int rc = lasts ? 0 : -1;

	for (size_t i = 0; !rc && i < n; i++)
		lasts[i] = (struct last){ blocks->items[i].owner, ends[i] };
	if (!rc && n)
		qsort(lasts, n, sizeof(*lasts), by_owner);
	for (size_t i = 0; !rc && blocks && i < blocks->n_uses; i++) {
		struct rspb_hold hold = blocks->uses[i];
		const struct last key = { .owner = hold.owner }, *last = NULL;

		/* All blocks of an owner are given one end, so that any of them will do. */
		if (hold.owner && n)
			last = bsearch(&key, lasts, n, sizeof(*lasts), by_owner);
		if (last && last->end < hold.end)
			hold.end = last->end;
		rc = rspb_ledger_hold(l, &hold);
	}
	free(lasts);
	return rc ? rspb_fail(err, "out of memory") : 0;
}

/* Bring a clone of the ledger to the state of the plan. Bookings come before the blocks: a block
 * may overlap a booking, but a booking is refused where a block is. RET 0, or -1 with err. */
static int fill(struct rspb_ledger *l, const struct rspb_ledger *ledger,
		const struct rspb_ledger *plan, const struct rspb_ledger *blocks,
		const int64_t *ends, struct rspb_err *err)
{
	const struct rspb_record advance = { .kind = RSPB_REC_ADVANCE, .time = plan->now };

	rspb_ledger_see(l, plan->seen);
	if ((l->now < plan->now && rspb_ledger_apply(l, &advance, err)) ||
	    take_over(l, ledger, plan, err) || block(l, blocks, ends, err))
		return -1;
	for (size_t i = 0; i < blocks->n_holds; i++)
		if (rspb_ledger_hold(l, &blocks->holds[i]))
			return rspb_fail(err, "out of memory");
	/* Uses come last: they take no more than the bookings leave, but a booking is refused where
	 * they are. */
	return use_nodes(l, blocks->blocks, ends, err);
}

struct rspb_ledger *rspb_ledger_through(const struct rspb_ledger *ledger,
					const struct rspb_ledger *plan,
					const struct rspb_ledger *blocks, const int64_t *ends,
					struct rspb_err *err)
{
	struct rspb_ledger *l = rspb_ledger_clone(ledger);

	if (!l) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	if (!fill(l, ledger, plan, blocks, ends, err))
		return l;
	rspb_ledger_destroy(l);
	return NULL;
}
