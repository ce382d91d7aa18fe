/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks back through an order, past what reaches too short unread. */
#include "common/calendar/internal.h"

static bool meets(const struct rspb_walk *walk, const uint64_t *marks)
{
	const uint64_t *bits = walk->nodes->bits;

	for (uint32_t i = walk->low; i < walk->high; i++)
		if (marks[i] & bits[i])
			return true;
	return false;
}

struct rspb_walk rspb_walk_from(const struct rspb_sorted *order, int64_t key_max, int64_t other_min,
				const struct rspb_nodeset *nodes)
{
	struct rspb_place place = rspb_sorted_find(order, key_max, INT64_MAX);
	struct rspb_walk walk = {
		.order = order,
		.other_min = other_min,
		.nodes = nodes,
		.upto = place,
		.slot = place.slot,
	};

	if (place.in)
		walk.slot++;
	if (nodes) {
		for (walk.high = nodes->words; walk.high; walk.high--)
			if (nodes->bits[walk.high - 1])
				break;
		while (walk.low < walk.high && !nodes->bits[walk.low])
			walk.low++;
	}
	return walk;
}

/* Step down to the next chunk that can hold an entry. RET false: none. */
static bool next_chunk(struct rspb_walk *walk)
{
	const struct rspb_sorted *order = walk->order;

	while (walk->slot) {
		const struct rspb_slot *slot;

		if (!(walk->slot % RSPB_TOP) &&
		    order->tops[walk->slot / RSPB_TOP - 1].reach < walk->other_min) {
			walk->slot -= RSPB_TOP;
			continue;
		}
		slot = &order->slots[--walk->slot];
		if (slot->reach < walk->other_min)
			continue;
		if (walk->nodes && !meets(walk, rspb_chunk_marks(slot->chunk)))
			continue;
		walk->chunk = rspb_sorted_chunk(order, walk->slot);
		walk->in = walk->slot == walk->upto.slot ? walk->upto.in : slot->count;
		return true;
	}
	return false;
}

const struct rspb_entry *rspb_walk_next(struct rspb_walk *walk)
{
	do {
		while (walk->in) {
			const struct rspb_entry *at = &walk->chunk[--walk->in];

			if (at->other >= walk->other_min)
				return at;
		}
	} while (next_chunk(walk));
	return NULL;
}

/* RET whether an entry's nodes are a run that lies elsewhere than the walk's. */
static inline bool elsewhere(const struct rspb_walk *walk, const struct rspb_entry *at)
{
	struct rspb_run run = rspb_entry_run(at);

	return walk->nodes && rspb_entry_is_run(at) &&
	       ((run.first / 64 >= walk->high) | (rspb_run_last_word(run) < walk->low));
}

uint32_t rspb_walk_several(struct rspb_walk *walk, struct rspb_several *several)
{
	enum { MOST = sizeof(several->at) / sizeof(several->at[0]) };
	const struct rspb_gapsets *sets = walk->order->sets;
	const struct rspb_entry *at;
	uint32_t count = 0;

	while (count < MOST && (at = rspb_walk_next(walk)))
		if (!elsewhere(walk, at))
			several->at[count++] = at;
	for (uint32_t i = 0; i < count; i++)
		rspb_gapsets_fetch(sets, several->at[i]);
	return count;
}
