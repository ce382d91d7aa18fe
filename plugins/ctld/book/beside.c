/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds nodes on which others may run beside bookings. The ledger is only read. */
#include "plugins/ctld/book/book.h"

#include <stdlib.h>

bool rspb_booking_held(const struct rspb_booking *booking)
{
	return booking->state >= RSPB_BOOKED && booking->n_grants &&
	       !rspb_state_final(booking->state);
}

/* Bookings are in the order of their starts, so the walk ends with the first that begins too
 * late. Bookings that ended long ago are purged by the agent. */
void rspb_beside_sort(const struct rspb_ledger *ledger, int64_t start, int64_t end,
		      const struct rspb_beside *to)
{
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start >= end)
			break;
		if (b->end <= start || !rspb_booking_held(b))
			continue;
		for (uint32_t g = 0; g < b->n_grants; g++) {
			struct rspb_nodeset *set = to->whole;

			if (b->request->parts[g].whole)
				set = to->parts;
			else if (b->grants[g].share)
				set = to->shares;
			rspb_nodeset_or(set, b->grants[g].nodes);
		}
	}
}

bool rspb_parts_init(struct rspb_parts *parts, uint32_t width, const struct rspb_quotas *takes)
{
	*parts = (struct rspb_parts){
		.nodes = rspb_nodeset_create(width),
		.cores = calloc(width + 1, sizeof(*parts->cores)),
		.next = calloc(width + 1, sizeof(*parts->next)),
		.rooms = calloc(takes->n + 1, sizeof(*parts->rooms)),
	};
	for (; parts->rooms && parts->n < takes->n; parts->n++) {
		struct rspb_parts_room *room = &parts->rooms[parts->n];

		room->key = takes->items[parts->n].key;
		room->left = calloc(width + 1, sizeof(*room->left));
		if (!room->left)
			return false;
	}
	return parts->nodes && parts->cores && parts->next && parts->rooms;
}

void rspb_parts_fini(struct rspb_parts *parts)
{
	rspb_nodeset_destroy(parts->nodes);
	free(parts->cores);
	free(parts->next);
	for (size_t i = 0; i < parts->n; i++)
		free(parts->rooms[i].left);
	free(parts->rooms);
}

/* Find the most that parts take of each node at any time of the window, and what they leave.
 * Regular jobs get whole cores, so used cores are rounded up. RET 0; -1: out of memory, or no
 * shares at all. */
static int measure(const struct rspb_ledger *ledger, int64_t start, int64_t end,
		   struct rspb_parts *parts)
{
	if (!rspb_ledger_shares(ledger) ||
	    rspb_shares_peaks(rspb_ledger_shares(ledger), start, end, parts->cores, NULL))
		return -1;
	RSPB_NODESET_EACH (n, parts->nodes)
		parts->cores[n] = (parts->cores[n] + RSPB_SHARE_CORE - 1) / RSPB_SHARE_CORE;
	for (size_t r = 0; r < parts->n; r++) {
		const uint32_t *room = rspb_ledger_room(ledger, parts->rooms[r].key);
		int64_t *left = parts->rooms[r].left;

		if (rspb_ledger_taken(ledger, parts->rooms[r].key, start, end, left, NULL))
			return -1;
		RSPB_NODESET_EACH (n, parts->nodes)
			/* A kind that no node is known to have is not counted, and limits
			 * nobody. */
			left[n] = room ? room[n] - left[n] : INT64_MAX;
	}
	return 0;
}

bool rspb_beside_parts(const struct rspb_ledger *ledger, int64_t start, int64_t end,
		       struct rspb_parts *parts)
{
	struct rspb_nodeset *whole = rspb_nodeset_create(parts->nodes->width);
	/* Nodes with a whole booking or a share of CPU time are no place for parts, so both go
	 * into one set. */
	const struct rspb_beside to = { whole, whole, parts->nodes };

	rspb_nodeset_clear(parts->nodes);
	if (!whole)
		return false;
	rspb_beside_sort(ledger, start, end, &to);
	rspb_nodeset_minus(parts->nodes, whole);
	rspb_nodeset_destroy(whole);
	return !rspb_nodeset_empty(parts->nodes) && !measure(ledger, start, end, parts);
}

/* A booking whose start has come, but whose job does not run yet, still needs its nodes now. A
 * regular job must not slip in between. */
void rspb_beside_due(const struct rspb_ledger *ledger, int64_t start, int64_t *next)
{
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start > start)
			break;
		if (b->end <= start || !rspb_booking_held(b) || b->state == RSPB_ACTIVE)
			continue;
		for (uint32_t g = 0; g < b->n_grants; g++)
			RSPB_NODESET_EACH (n, b->grants[g].nodes)
				next[n] = start;
	}
}
