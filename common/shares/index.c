/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time chunks with a row for all machines; see internal.h. */
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/wide.h"
#include "common/shares/internal.h"

/* Eight machines side by side; wider instructions are chosen at run time. Rows come from malloc(),
 * which does not align them for vectors, hence the alignment of a number. */
typedef int32_t lanes_t __attribute__((vector_size(32), aligned(4)));
enum { LANES = 8 };

/* Raise each element of a row to that of another row. `count` is a whole number of vectors; the
 * lanes after the last machine stay 0 in every row. */
RSPB_WIDE_STATIC static void raise_to(int32_t *to, const int32_t *row, size_t count)
{
	for (size_t i = 0; i < count; i += LANES) {
		lanes_t a, b, higher;

		memcpy(&a, to + i, sizeof(a));
		memcpy(&b, row + i, sizeof(b));
		/* A comparison of vectors yields all ones or all zeros for each lane, so the
		 * maximum needs no branch. */
		higher = a > b;
		a = (a & higher) | (b & ~higher);
		memcpy(to + i, &a, sizeof(a));
	}
}

/* Return the bytes of a row: a number for each machine, rounded up to whole vectors. */
static size_t row_bytes(const struct rspb_share_index *index)
{
	return index->lanes * sizeof(int32_t);
}

/* Give up a chunk, which copies in other threads may still read. The last user frees it; acquire
 * and release order their reads before that. */
static void chunk_drop(struct rspb_share_chunk *chunk)
{
	if (atomic_fetch_sub_explicit(&chunk->users, 1, memory_order_acq_rel) > 1)
		return;
	free(chunk->events);
	free(chunk->level);
	free(chunk);
}

/* Make a chunk without events whose rows are zero. Both rows are in one allocation, which `level`
 * points to. RET NULL without memory. */
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

/* Have a chunk for ourselves alone: copy it if another table uses it, too. RET -1 without memory,
 * and nothing changed. */
static int own(struct rspb_share_index *index, size_t i)
{
	struct rspb_share_chunk *chunk = index->slots[i].chunk, *copy;

	/* A count of one cannot rise meanwhile, because only our own thread could copy this table.
	 * Acquire pairs with the release of the user that left last. */
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

/* Make room for one more slot. RET -1 without memory, and nothing changed. */
static int grow(struct rspb_share_index *index)
{
	return rspb_array_grow(&index->slots, &index->room, index->count + 1,
			       sizeof(*index->slots));
}

/* Return how many events a chunk may have before it splits. With more machines its two rows cost
 * more memory and time, so a chunk then has more events. */
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
	/* After a failure the caller runs fini, which finds `count` still 0 and frees only what
	 * there is. */
	if (grow(index))
		return -1;
	chunk = chunk_create(index, events_of(machines));
	if (!chunk)
		return -1;
	/* The first chunk begins before all times, so that every time is in some chunk. */
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

/* Copy the list of chunks, not the chunks. After a failure `count` is 0 and `slots` is NULL, which
 * fini accepts. */
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

/* Return the index of the chunk that contains a time. The search has no branch that depends on
 * data, because such branches are predicted badly. */
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

/* Apply events from index `at` on while their time is below end. RET the index of the first event
 * that is left. */
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
	/* Events at `start` itself take effect at once. Values before them are outside of the
	 * window, although they may be higher. */
	at = apply(chunk, 0, start + 1, row);
	if (fresh)
		memcpy(peaks, row, row_bytes(index));
	else
		raise_to(peaks, row, index->lanes);
	for (; at < chunk->count && chunk->events[at].time < end; at++) {
		/* A machine has at most one event at a time, so no value in between two events of
		 * an instant is taken for a peak. */
		uint32_t m = chunk->events[at].machine;

		row[m] += chunk->events[at].delta;
		peaks[m] = row[m] > peaks[m] ? row[m] : peaks[m];
	}
}

/* Callers provide the rows, so that several threads can read one table. The second row is
 * scratch. */
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

		/* A chunk that is wholly in the window has its maximum ready. Only the chunks at
		 * both ends are walked event by event. */
		if (rspb_share_chunk_end(index, i) <= end)
			raise_to(rows, slot->chunk->peak, index->lanes);
		else
			raise_chunk(index, slot->chunk, slot->begin, end, rows, scratch, false);
	}
}

/* Calculate the peak row of a chunk from its events, after a split has changed its stretch of
 * time. */
static void remake_peak(const struct rspb_share_index *index, size_t i, int32_t *scratch)
{
	const struct rspb_share_slot *slot = &index->slots[i];

	raise_chunk(index, slot->chunk, slot->begin, INT64_MAX, slot->chunk->peak, scratch, true);
}

/* Find where a chunk can be cut in two, as near the middle as possible. A chunk contains all events
 * of the time at which it begins, so these stay together. RET 0: all are at one time. */
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

/* Move the events from `cut` on into a new, empty chunk after this one. It cannot fail; the caller
 * has made room for the slot. */
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
	/* The level of the new chunk is that of the old one after all events that stay there. */
	memcpy(right->level, chunk->level, row_bytes(index));
	apply(chunk, 0, INT64_MAX, right->level);
	remake_peak(index, i, scratch);
	remake_peak(index, i + 1, scratch);
}

/* Split a chunk of our own, or let it hold more. RET -1 without memory; the table then answers as
 * before. */
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
	/* All memory is obtained before the chunk changes, so that a failure leaves it whole. */
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
	/* After a split the time is in either half, which may still be too full. The chunk is
	 * therefore looked up again. */
	for (;;) {
		const struct rspb_share_chunk *chunk;

		*at = chunk_at(index, time);
		if (own(index, *at))
			return -1;
		chunk = index->slots[*at].chunk;
		/* Both events of a change may be in this chunk. */
		if (chunk->count + 2 <= chunk->room)
			return 0;
		if (split(index, *at))
			return -1;
	}
}

/* All that can fail happens here, so that the change itself cannot fail halfway. Splits that were
 * made for nothing do no harm. */
int rspb_share_index_reserve(struct rspb_share_index *index, int64_t start, int64_t end,
			     size_t *first)
{
	size_t last;

	if (make_room(index, start, first))
		return -1;
	/* Both events are in the first chunk, whose room suffices for two. */
	if (end < rspb_share_chunk_end(index, *first))
		return 0;
	/* This may split only later chunks, so *first remains right. */
	if (make_room(index, end, &last))
		return -1;
	/* The rows of the chunks in between change, too, so they must not be shared. */
	for (size_t i = *first + 1; i < last; i++)
		if (own(index, i))
			return -1;
	return 0;
}

/* Add a change to the events of a chunk. Changes of a machine at one time are merged, and a sum of
 * 0 is dropped. Equal bookings that follow each other therefore leave no event between them. */
static void add_event(struct rspb_share_chunk *chunk, int64_t time, uint32_t machine, int32_t delta)
{
	struct rspb_share_event *at = chunk->events;

	/* The search has no branch that depends on data, because such branches are predicted
	 * badly. */
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

		/* A level is the value just before a chunk begins. A chunk that begins at `start`
		 * itself has the change among its events instead. */
		if (slot->begin > start)
			slot->chunk->level[at] += (int32_t) share;
		/* In a chunk that is wholly in the window, the machine has `share` more at every
		 * instant, and so has its peak. Elsewhere the peak may be outside of the window,
		 * and the steps of the machine tell. */
		if (slot->begin >= start && close <= end)
			slot->chunk->peak[at] += (int32_t) share;
		else
			slot->chunk->peak[at] = (int32_t) rspb_share_machine_peak(machine,
										  slot->begin,
										  close);
		/* The chunk that contains `end` holds the second event, even if it begins at that
		 * time. */
		if (end < close)
			break;
	}
	add_event(index->slots[first].chunk, start, at, (int32_t) share);
	add_event(index->slots[i].chunk, end, at, -(int32_t) share);
}

/* Forget the past. The first remaining chunk takes over all earlier times; its level stays that of
 * its former begin, since nobody asks about times before now. */
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

/* Copy the steps of one machine into a new page. RET -1 without memory; the page can be dropped
 * then. */
static int copy_steps(struct rspb_share_machine *to, const struct rspb_share_machine *from)
{
	size_t size = from->count * sizeof(*from->steps);

	to->capacity = from->capacity;
	/* A machine without steps needs no memory, and malloc(0) may return NULL. */
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

/* A failed copy is dropped, and the shared page stays as it is. */
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
