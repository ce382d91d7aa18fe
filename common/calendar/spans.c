/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a search works on: the gaps that are long enough for its request, in
 * both orders. A chunk without a long one is passed unread.
 */
#include <stdlib.h>

#include "common/calendar/internal.h"

/* Room for `count` spans and the padding; what was there is gone. */
static int make_room(struct rspb_spans *spans, size_t count)
{
	size_t room = count + 2 * RSPB_SPAN_PAD;

	if (spans->room < room) {
		free(spans->at);
		spans->room = room + room / 4;
		spans->at = malloc(spans->room * RSPB_SPAN_BYTES);
		if (!spans->at) {
			spans->room = 0;
			return -1;
		}
	}
	spans->in = (int64_t *) spans->at + RSPB_SPAN_PAD;
	spans->out = spans->in + spans->room;
	spans->weight = (uint32_t *) (spans->out + spans->room - RSPB_SPAN_PAD);
	spans->weight += RSPB_SPAN_PAD;
	spans->count = 0;
	return 0;
}

/*
 * Part of an order: entries before (key, other), from a place; and those from
 * slot `low` up to the place that reach as far as that.
 */
struct range {
	const struct rspb_sorted *order;
	size_t low;
	struct rspb_place from;
	int64_t key, other;
	int64_t reach, longest; /* what a chunk must have */
};

static inline bool goes_on(const struct range *range, size_t slot)
{
	return slot < range->order->chunks &&
	       range->order->slots[slot].key <= range->key;
}

/* RET the first slot from i on that may hold some, or one behind the range. */
static size_t next_slot(const struct range *range, size_t i)
{
	const struct rspb_slot *slots = range->order->slots;
	const struct rspb_top *tops = range->order->tops;

	while (i < range->from.slot)
		if (i % RSPB_TOP == 0 &&
		    tops[i / RSPB_TOP].reach < range->reach)
			i += RSPB_TOP;
		else if (slots[i].reach < range->reach)
			i++;
		else
			return i;
	for (i = i > range->from.slot ? i : range->from.slot;
	     goes_on(range, i) && slots[i].longest < range->longest;)
		i++;
	return i;
}

/* Entries in these chunks; some may lie outside. */
static size_t most(const struct range *range)
{
	size_t count = 0;

	for (size_t i = next_slot(range, range->low); goes_on(range, i);
	     i = next_slot(range, i + 1))
		count += range->order->slots[i].count;
	return count;
}

/* Append what is long enough of some entries. */
static void append(const struct rspb_gather *gather,
		   const struct rspb_entry *at, uint32_t count, bool by_begin,
		   struct rspb_spans *spans)
{
	int64_t duration = gather->query->duration;
	int64_t floor = gather->profile->now;
	int64_t least = gather->first + duration;
	int64_t *in = spans->in, *out = spans->out;
	uint32_t *weight = spans->weight;
	size_t n = spans->count;

	for (uint32_t i = 0; i < count; i++) {
		int64_t begin = by_begin ? at[i].key : at[i].other;
		int64_t end = by_begin ? at[i].other : at[i].key;

		begin = begin > floor ? begin : floor;
		in[n] = 2 * begin;
		out[n] = 2 * (end - duration) + 1;
		weight[n] = at[i].size;
		n += (end - begin >= duration) & (end >= least);
	}
	spans->count = n;
}

/* The same, where a mask says which nodes count. */
static void append_masked(const struct rspb_gather *gather,
			  const struct rspb_entry *at, uint32_t count,
			  bool by_begin, struct rspb_spans *spans)
{
	for (uint32_t i = 0; i < count; i++) {
		size_t n = spans->count;

		append(gather, at + i, 1, by_begin, spans);
		if (spans->count == n)
			continue;
		spans->weight[n] = rspb_gapsets_common(&gather->profile->sets,
						       at + i,
						       gather->query->eligible);
		if (!spans->weight[n])
			spans->count = n;
	}
}

static void gather_range(const struct rspb_gather *gather,
			 const struct range *range, struct rspb_spans *spans)
{
	const struct rspb_sorted *order = range->order;
	bool by_begin = order == &gather->profile->begins;

	for (size_t i = next_slot(range, range->low); goes_on(range, i);
	     i = next_slot(range, i + 1)) {
		const struct rspb_entry *at = rspb_sorted_chunk(order, i);
		uint32_t in = 0, end = order->slots[i].count;

		if (!by_begin && i == range->from.slot)
			in = range->from.in;
		if (!goes_on(range, i + 1))
			end = rspb_chunk_find(at, end, range->key,
					      range->other);
		if (in >= end)
			continue;
		if (gather->query->eligible)
			append_masked(gather, at + in, end - in, by_begin,
				      spans);
		else
			append(gather, at + in, end - in, by_begin, spans);
	}
}

/* RET how many ups have come in at the first start. */
static size_t inside(const struct rspb_gather *gather)
{
	const struct rspb_spans *ups = &gather->profile->scratch->ups;
	size_t low = 0;

	for (size_t n = ups->count; n;) {
		size_t half = n / 2;

		if (ups->in[low + half] > 2 * gather->first) {
			n = half;
		} else {
			low += half + 1;
			n -= half + 1;
		}
	}
	return low;
}

/* Spans that are never in: gone before all others, or after them. */
static void pad(struct rspb_spans *spans, int64_t in, int64_t behind)
{
	for (size_t i = 0; i < RSPB_SPAN_PAD; i++) {
		int64_t *before = spans->in - RSPB_SPAN_PAD;

		before[i] = in;
		spans->in[spans->count + i] = 2 * RSPB_TIME_MAX;
		before = spans->out - RSPB_SPAN_PAD;
		before[i] = 2 * RSPB_TIME_MIN;
		spans->out[spans->count + i] = behind;
		spans->weight[spans->count + i] = 0;
	}
}

int64_t rspb_spans_gather(const struct rspb_gather *gather)
{
	const struct rspb_profile *profile = gather->profile;
	int64_t duration = gather->query->duration;
	int64_t least = gather->first + duration;
	struct rspb_spans *ups = &profile->scratch->ups;
	struct rspb_spans *downs = &profile->scratch->downs;
	struct range in = {
		.order = &profile->begins,
		.key = gather->last,
		.other = INT64_MAX,
		.reach = least,
		.longest = duration,
	};
	struct range out = {
		.order = &profile->ends,
		.key = gather->last + duration,
		.other = RSPB_TIME_MIN,
		.reach = INT64_MIN,
		.longest = duration,
	};

	in.from = rspb_sorted_find(in.order, gather->first, INT64_MAX);
	out.from = rspb_sorted_find(out.order, least, RSPB_TIME_MIN);
	out.low = out.from.slot;
	if (make_room(ups, most(&in)) || make_room(downs, most(&out)))
		return -1;
	gather_range(gather, &in, ups);
	gather_range(gather, &out, downs);
	pad(ups, 2 * profile->now, 2 * RSPB_TIME_MIN);
	pad(downs, 2 * profile->now, 2 * gather->last + 1);
	return (int64_t) inside(gather);
}
