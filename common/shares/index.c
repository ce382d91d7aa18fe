/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time chunks with a row for all machines; see internal.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/wide.h"
#include "common/shares/internal.h"

/* Eight machines side by side; wider instructions are chosen at run time. */
typedef int32_t lanes_t __attribute__((vector_size(32), aligned(4)));
enum { LANES = 8 };

RSPB_WIDE_STATIC static void raise_to(int32_t *to, const int32_t *row, size_t count)
{
	for (size_t i = 0; i < count; i += LANES) {
		lanes_t a, b, higher;

		memcpy(&a, to + i, sizeof(a));
		memcpy(&b, row + i, sizeof(b));
		higher = a > b;
		a = (a & higher) | (b & ~higher);
		memcpy(to + i, &a, sizeof(a));
	}
}

static size_t row_bytes(const struct rspb_share_index *index)
{
	return index->lanes * sizeof(int32_t);
}

static void chunk_drop(struct rspb_share_chunk *chunk)
{
	if (atomic_fetch_sub_explicit(&chunk->users, 1, memory_order_acq_rel) > 1)
		return;
	free(chunk->events);
	free(chunk->level);
	free(chunk);
}

/* Rows of zeros, no events. RET NULL without memory. */
static struct rspb_share_chunk *chunk_create(const struct rspb_share_index *index, size_t room)
{
	struct rspb_share_chunk *chunk = malloc(sizeof(*chunk));
	struct rspb_share_event *events = malloc(room * sizeof(*events));
	int32_t *rows = calloc(2, row_bytes(index) + 1);

	if (!chunk || !events || !rows) {
		free(chunk);
		free(events);
		free(rows);
		return NULL;
	}
	*chunk = (struct rspb_share_chunk){
		.room = room,
		.events = events,
		.level = rows,
		.peak = rows + index->lanes,
	};
	atomic_init(&chunk->users, 1);
	return chunk;
}

/* Have a chunk for ourselves alone. RET -1 without memory. */
static int own(struct rspb_share_index *index, size_t i)
{
	struct rspb_share_chunk *chunk = index->slots[i].chunk, *copy;

	if (atomic_load_explicit(&chunk->users, memory_order_acquire) == 1)
		return 0;
	copy = chunk_create(index, chunk->room);
	if (!copy)
		return -1;
	copy->count = chunk->count;
	memcpy(copy->events, chunk->events, chunk->count * sizeof(*copy->events));
	memcpy(copy->level, chunk->level, 2 * row_bytes(index));
	chunk_drop(chunk);
	index->slots[i].chunk = copy;
	return 0;
}

static int grow(struct rspb_share_index *index)
{
	return rspb_array_grow(&index->slots, &index->room, index->count + 1,
			       sizeof(*index->slots));
}

/* Events in a chunk before it splits. The more machines its rows have, the more of
 * them: a row costs as much to keep and to pass. */
static size_t events_of(uint32_t machines)
{
	size_t thousands = machines / 1024;

	return RSPB_SHARE_EVENTS * (thousands ? thousands : 1);
}

int rspb_share_index_init(struct rspb_share_index *index, uint32_t machines)
{
	struct rspb_share_chunk *chunk;

	*index = (struct rspb_share_index){
		.machines = machines,
		.lanes = (machines / LANES + 1) * LANES,
	};
	if (grow(index))
		return -1;
	chunk = chunk_create(index, events_of(machines));
	if (!chunk)
		return -1;
	index->slots[0] = (struct rspb_share_slot){ INT64_MIN, chunk };
	index->count = 1;
	return 0;
}

void rspb_share_index_fini(struct rspb_share_index *index)
{
	for (size_t i = 0; i < index->count; i++)
		chunk_drop(index->slots[i].chunk);
	free(index->slots);
}

int rspb_share_index_clone(struct rspb_share_index *to, const struct rspb_share_index *from)
{
	*to = *from;
	to->count = 0;
	to->room = from->count;
	to->slots = malloc(from->count * sizeof(*to->slots));
	if (!to->slots)
		return -1;
	for (; to->count < from->count; to->count++) {
		to->slots[to->count] = from->slots[to->count];
		atomic_fetch_add_explicit(&from->slots[to->count].chunk->users, 1,
					  memory_order_relaxed);
	}
	return 0;
}

/* RET the index of the chunk that time lies in. */
static size_t chunk_at(const struct rspb_share_index *index, int64_t time)
{
	size_t low = 0;

	for (size_t n = index->count; n > 1;) {
		size_t half = n / 2;

		low += -(size_t) (index->slots[low + half].begin <= time) & half;
		n -= half;
	}
	return low;
}

/* Apply events from *at on while their time is below end; RET the next. */
static uint32_t apply(const struct rspb_share_chunk *chunk, uint32_t at, int64_t end, int32_t *row)
{
	for (; at < chunk->count && chunk->events[at].time < end; at++)
		row[chunk->events[at].machine] += chunk->events[at].delta;
	return at;
}

/*
 * Raise peaks to what a chunk, which begins at or before start, holds within
 * [start, end). `row` is scratch.
 */
static void raise_chunk(const struct rspb_share_index *index, const struct rspb_share_chunk *chunk,
			int64_t start, int64_t end, int32_t *peaks, int32_t *row, bool fresh)
{
	uint32_t at;

	memcpy(row, chunk->level, row_bytes(index));
	at = apply(chunk, 0, start + 1, row);
	if (fresh)
		memcpy(peaks, row, row_bytes(index));
	else
		raise_to(peaks, row, index->lanes);
	for (; at < chunk->count && chunk->events[at].time < end; at++) {
		uint32_t m = chunk->events[at].machine;

		row[m] += chunk->events[at].delta;
		peaks[m] = row[m] > peaks[m] ? row[m] : peaks[m];
	}
}

int32_t *rspb_share_index_rows(const struct rspb_share_index *index)
{
	return malloc(2 * row_bytes(index));
}

void rspb_share_index_peaks(const struct rspb_share_index *index, int64_t start, int64_t end,
			    int32_t *rows)
{
	int32_t *scratch = rows + index->lanes;
	size_t i = chunk_at(index, start);

	raise_chunk(index, index->slots[i].chunk, start, end, rows, scratch, true);
	while (rspb_share_chunk_end(index, i) < end) {
		const struct rspb_share_slot *slot = &index->slots[++i];

		if (rspb_share_chunk_end(index, i) <= end)
			raise_to(rows, slot->chunk->peak, index->lanes);
		else
			raise_chunk(index, slot->chunk, slot->begin, end, rows, scratch, false);
	}
}

/* Make the peak row of a chunk anew. */
static void remake_peak(const struct rspb_share_index *index, size_t i, int32_t *scratch)
{
	const struct rspb_share_slot *slot = &index->slots[i];

	raise_chunk(index, slot->chunk, slot->begin, INT64_MAX, slot->chunk->peak, scratch, true);
}

/* Where a chunk can be cut in two: as near the middle as times change. */
static uint32_t cut_of(const struct rspb_share_chunk *chunk)
{
	uint32_t half = chunk->count / 2;

	for (uint32_t d = 0; d < half; d++) {
		const struct rspb_share_event *low = &chunk->events[half - d];
		const struct rspb_share_event *high = &chunk->events[half + d];

		if (low[-1].time != low->time)
			return half - d;
		if (half + d < chunk->count && high[-1].time != high->time)
			return half + d;
	}
	return 0;
}

/* Put the events from cut on into a chunk of their own, which is empty. */
static void part(struct rspb_share_index *index, size_t i, uint32_t cut,
		 struct rspb_share_chunk *right, int32_t *scratch)
{
	struct rspb_share_slot *slot = &index->slots[i];
	struct rspb_share_chunk *chunk = slot->chunk;

	memmove(slot + 2, slot + 1, (index->count - i - 1) * sizeof(*slot));
	slot[1] = (struct rspb_share_slot){ chunk->events[cut].time, right };
	index->count++;
	right->count = chunk->count - cut;
	memcpy(right->events, chunk->events + cut, right->count * sizeof(*right->events));
	chunk->count = cut;
	memcpy(right->level, chunk->level, row_bytes(index));
	apply(chunk, 0, INT64_MAX, right->level);
	remake_peak(index, i, scratch);
	remake_peak(index, i + 1, scratch);
}

/* Split a chunk of our own. */
static int split(struct rspb_share_index *index, size_t i)
{
	struct rspb_share_chunk *chunk = index->slots[i].chunk, *right;
	uint32_t cut = cut_of(chunk);
	int32_t *scratch;

	if (!cut)
		/* All at one time: it has to hold more. */
		return rspb_array_grow(&chunk->events, &chunk->room, chunk->room + 1,
				       sizeof(*chunk->events));
	if (grow(index))
		return -1;
	scratch = rspb_share_index_rows(index);
	right = scratch ? chunk_create(index, chunk->room) : NULL;
	if (right)
		part(index, i, cut, right, scratch);
	free(scratch);
	return right ? 0 : -1;
}

/* Have the chunk of a time for ourselves, and split it until it has room for one
 * change; *at: which one that is then. RET -1 without memory. */
static int make_room(struct rspb_share_index *index, int64_t time, size_t *at)
{
	for (;;) {
		const struct rspb_share_chunk *chunk;

		*at = chunk_at(index, time);
		if (own(index, *at))
			return -1;
		chunk = index->slots[*at].chunk;
		if (chunk->count + 2 <= chunk->room)
			return 0;
		if (split(index, *at))
			return -1;
	}
}

int rspb_share_index_reserve(struct rspb_share_index *index, int64_t start, int64_t end,
			     size_t *first)
{
	size_t last;

	if (make_room(index, start, first))
		return -1;
	if (end < rspb_share_chunk_end(index, *first))
		return 0;
	if (make_room(index, end, &last))
		return -1;
	for (size_t i = *first + 1; i < last; i++)
		if (own(index, i))
			return -1;
	return 0;
}

static void add_event(struct rspb_share_chunk *chunk, int64_t time, uint32_t machine, int32_t delta)
{
	struct rspb_share_event *at = chunk->events;

	/* Without a branch that can't be foreseen. */
	for (uint32_t n = chunk->count; n;) {
		uint32_t half = n / 2;
		const struct rspb_share_event *mid = &at[half];
		bool before = (mid->time < time) | ((mid->time == time) & (mid->machine < machine));

		at += -(size_t) before & (n - half);
		n = half;
	}
	if (at < chunk->events + chunk->count && at->time == time && at->machine == machine) {
		at->delta += delta;
		if (at->delta)
			return;
		chunk->count--;
		memmove(at, at + 1, (size_t) (chunk->events + chunk->count - at) * sizeof(*at));
		return;
	}
	memmove(at + 1, at, (size_t) (chunk->events + chunk->count - at) * sizeof(*at));
	*at = (struct rspb_share_event){ time, machine, delta };
	chunk->count++;
}

void rspb_share_index_change(struct rspb_share_index *index, size_t first,
			     const struct rspb_share_machine *machine, uint32_t at, int64_t start,
			     int64_t end, int64_t share)
{
	size_t i = first;

	for (;; i++) {
		const struct rspb_share_slot *slot = &index->slots[i];
		int64_t close = rspb_share_chunk_end(index, i);

		if (slot->begin > start)
			slot->chunk->level[at] += (int32_t) share;
		if (slot->begin >= start && close <= end)
			slot->chunk->peak[at] += (int32_t) share;
		else
			slot->chunk->peak[at] = (int32_t) rspb_share_machine_peak(machine,
										  slot->begin,
										  close);
		if (end < close)
			break;
	}
	add_event(index->slots[first].chunk, start, at, (int32_t) share);
	add_event(index->slots[i].chunk, end, at, -(int32_t) share);
}

void rspb_share_index_advance(struct rspb_share_index *index, int64_t now)
{
	size_t gone = 0;

	while (rspb_share_chunk_end(index, gone) <= now)
		chunk_drop(index->slots[gone++].chunk);
	if (gone) {
		index->count -= gone;
		memmove(index->slots, index->slots + gone, index->count * sizeof(*index->slots));
		index->slots[0].begin = INT64_MIN;
	}
}

/* --- pages of machines that copies of a table share --- */

struct rspb_share_page *rspb_share_page_create(void)
{
	struct rspb_share_page *page = calloc(1, sizeof(*page));

	if (page)
		atomic_init(&page->users, 1);
	return page;
}

static int copy_steps(struct rspb_share_machine *to, const struct rspb_share_machine *from)
{
	size_t size = from->count * sizeof(*from->steps);

	to->capacity = from->capacity;
	if (!size)
		return 0;
	to->steps = malloc(size);
	if (!to->steps)
		return -1;
	memcpy(to->steps, from->steps, size);
	to->count = from->count;
	to->room = from->count;
	return 0;
}

int rspb_share_page_own(struct rspb_share_page **page)
{
	struct rspb_share_page *own;

	if (atomic_load_explicit(&(*page)->users, memory_order_acquire) == 1)
		return 0;
	own = rspb_share_page_create();
	for (int m = 0; own && m < RSPB_SHARE_PAGE; m++)
		if (copy_steps(&own->machine[m], &(*page)->machine[m])) {
			rspb_share_page_drop(own);
			own = NULL;
		}
	if (!own)
		return -1;
	rspb_share_page_drop(*page);
	*page = own;
	return 0;
}

struct rspb_share_page *rspb_share_page_use(struct rspb_share_page *page)
{
	atomic_fetch_add_explicit(&page->users, 1, memory_order_relaxed);
	return page;
}

void rspb_share_page_drop(struct rspb_share_page *page)
{
	if (!page || atomic_fetch_sub_explicit(&page->users, 1, memory_order_acq_rel) > 1)
		return;
	for (int m = 0; m < RSPB_SHARE_PAGE; m++)
		free(page->machine[m].steps);
	free(page);
}
