/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between two gaps coming in or going out the set of gaps that can be used is
 * one and the same, and so is the rectangle. A merge of both orders, without a
 * branch to mispredict, walks through all these states, a block at a time.
 */
#include <string.h>

#include "common/base/wide.h"
#include "common/calendar/states.h"

/* States side by side; wider instructions are chosen at run time. */
typedef int32_t lanes_t __attribute__((vector_size(32), aligned(4)));
enum { LANES = 8 };

/* RET b + diff when sign is -1, b when it is 0. */
static inline int64_t moved(int64_t b, int64_t diff, int64_t sign)
{
	return b + (diff & sign);
}

/*
 * The next states. Moments of coming in are even, of going out odd: never
 * equal, and so small that their difference does not overflow. What happens
 * at one moment makes one state, its last; those before are not free. No
 * branch, since it could not be predicted, and each moment is loaded a step
 * ahead.
 */
static void run(struct rspb_states *states, struct rspb_state_block *block, unsigned int count)
{
	const int64_t *in = states->ups->in, *out = states->downs->out;
	const uint32_t *more = states->ups->weight;
	const uint32_t *less = states->downs->weight;
	size_t i = states->up, j = states->down;
	int64_t up = in[i], next_up = in[i + 1];
	int64_t down = out[j], next_down = out[j + 1];
	int64_t at = states->at;
	uint32_t free = states->free;

	for (unsigned int k = 0; k < count; k++) {
		int64_t diff = up - down, comes = diff >> 63;
		int64_t next = moved(down, diff, comes);

		block->at[k] = at;
		block->ups[k] = (uint32_t) i;
		block->free[k] = (int32_t) (free & -(uint32_t) (at != next));
		at = next;
		free += (uint32_t) moved(-(int64_t) less[j], (int64_t) more[i] + less[j], comes);
		i -= (size_t) comes;
		j += (size_t) comes + 1;
		up = moved(up, next_up - up, comes);
		down = moved(next_down, down - next_down, comes);
		next_up = in[i + 1];
		next_down = out[j + 1];
	}
	block->at[count] = at;
	block->count = count;
	/* settle() reads whole vectors: what is beyond the last state must not count. */
	for (unsigned int k = count; k % LANES; k++)
		block->free[k] = 0;
	block->gone = (uint32_t) states->down + (uint32_t) states->up;
	states->up = i;
	states->down = j;
	states->at = at;
	states->free = free;
}

/* Set free to 0 in the states that have not enough nodes, and note the most and the fewest of the
 * others. */
RSPB_WIDE_STATIC static void settle(struct rspb_state_block *block, int32_t enough)
{
	lanes_t most = { 0 }, least = most + INT32_MAX;

	for (unsigned int k = 0; k < block->count; k += LANES) {
		lanes_t free, good, higher, lower;

		memcpy(&free, block->free + k, sizeof(free));
		good = free >= enough;
		free &= good;
		memcpy(block->free + k, &free, sizeof(free));
		higher = free > most;
		most = (free & higher) | (most & ~higher);
		lower = (free < least) & good;
		least = (free & lower) | (least & ~lower);
	}
	block->most = 0;
	block->least = INT32_MAX;
	for (unsigned int k = 0; k < LANES; k++) {
		if (most[k] > block->most)
			block->most = most[k];
		if (least[k] < block->least)
			block->least = least[k];
	}
}

int rspb_states_begin(struct rspb_states *states, const struct rspb_profile *profile,
		      const struct rspb_query *query)
{
	int64_t first = query->ready > profile->now ? query->ready : profile->now;
	int64_t last = query->deadline - query->duration, inside;

	*states = (struct rspb_states){
		.profile = profile,
		.query = query,
		.ups = &profile->scratch->ups,
		.downs = &profile->scratch->downs,
		.first = first,
		.last = last,
		.at = 2 * first,
	};
	/* More nodes than there are: without spans there is no state. Below, the number fits into
	 * 31 bits. */
	if (query->nodes > profile->nodes)
		return 0;
	inside = rspb_spans_gather(&(struct rspb_gather){ profile, query, first, last });
	if (inside < 0 || rspb_edges_reserve(states))
		return -1;
	for (; states->up < (size_t) inside; states->up++)
		states->free += states->ups->weight[states->up];
	/* Each span that is to come in or to go out begins a state, and the first start begins one
	 * more. */
	states->left = states->ups->count - states->up + states->downs->count + 1;
	return 0;
}

bool rspb_states_next(struct rspb_states *states, struct rspb_state_block *block)
{
	unsigned int count = RSPB_STATES;

	if (!states->left)
		return false;
	if (states->left < count)
		count = (unsigned int) states->left;
	states->left -= count;
	run(states, block, count);
	settle(block, (int32_t) states->query->nodes);
	return true;
}

/* RET the first record after a time, RSPB_TIME_MAX: there is none. */
static int64_t next_record(const struct rspb_states *states, int64_t time)
{
	const struct rspb_sorted *records = &states->profile->index->records;
	const struct rspb_entry *record = rspb_sorted_at(records,
							 rspb_sorted_find(records, time + 1, 0));

	return record ? record->key : RSPB_TIME_MAX;
}

int64_t rspb_starts_next(const struct rspb_states *states, int64_t start, int64_t end)
{
	int64_t duration = states->query->duration;
	int64_t next = states->last, record;

	if (start >= states->last)
		return INT64_MAX;
	/* The next candidate is a record, or a duration before one, or the last start. */
	record = next_record(states, start);
	next = record < next ? record : next;
	record = next_record(states, start + duration) - duration;
	next = record < next ? record : next;
	return 2 * next < end ? next : INT64_MAX;
}

int64_t rspb_starts_first(const struct rspb_states *states, const struct rspb_state *state,
			  int64_t end)
{
	int64_t start = state->at >> 1;

	return state->at & 1 ? rspb_starts_next(states, start, end) : start;
}
