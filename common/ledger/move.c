/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several bookings change at once: first all of them leave, then all of them
 * come back, so that they may pass each other.
 */
#include "common/ledger/internal.h"

#include <inttypes.h>
#include <stdlib.h>

/* The entries of a move: those that leave (NULL: a new booking) and those that come. */
struct move {
	size_t n, left, come;
	struct rspb_held **from, **to;
};

static void move_fini(struct move *move)
{
	for (size_t i = 0; move->to && i < move->n; i++)
		rspb_held_release(move->to[i]);
	free(move->from);
	free(move->to);
}

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

/* Undo: who has come goes, who has left comes back. */
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

static int go(struct rspb_ledger *l, struct move *move, struct rspb_err *err)
{
	for (; move->left < move->n; move->left++) {
		struct rspb_held *entry = move->from[move->left];

		if (!entry)
			continue;
		rspb_entries_remove(&l->index, entry->booking->request->id);
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

int rspb_ledger_move(struct rspb_ledger *l, const struct rspb_record *record, struct rspb_err *err)
{
	struct move move;
	int rc = move_init(&move, l, record, err);

	/* All out and in, and back again. */
	if (!rc && rspb_entries_reserve(&l->index, 4 * move.n))
		rc = rspb_fail(err, "out of memory");
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

/* Whether `b` has each booking of `a`, with the same nodes at the same time. */
static bool holds_all(const struct rspb_ledger *b, const struct rspb_ledger *a)
{
	size_t n = a->index.n, i = 0;

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
	rspb_entries_fini(&plan->index);
	plan->index = index;
	return 0;
}
