/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a search works on: the gaps that are long enough for its request, in
 * both orders. A chunk without a long one is passed unread.
 */
#include <stdlib.h>

#include "common/calendar/internal.h"

/* Asked for at once: chunks, bytes of tops, spans. */
enum { AHEAD = 12, EXPECT_TOPS = 512, EXPECT_SPANS = 128 };

/* Room for `count` spans and the padding; what was there is gone. */
RSPB_SEARCH
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
	spans->group = spans->weight + spans->room;
	spans->named = count <= RSPB_SPANS_NAMED;
	spans->count = 0;
	return 0;
}

/* Ask for the first of the room for spans, to be written. */
static inline __attribute__((always_inline)) void expect_room(
	struct rspb_spans *spans)
{
	for (size_t i = 0; i < EXPECT_SPANS; i += 8) {
		__builtin_prefetch(spans->in + i, 1);
		__builtin_prefetch(spans->out + i, 1);
		if (i % 16 == 0)
			__builtin_prefetch(spans->weight + i, 1);
	}
}

/*
 * Part of an order: entries before (key, other), from a place; and those from
 * slot `low` up to the place that reach as far as that.
 */
struct range {
	const struct rspb_order *order;
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
RSPB_SEARCH
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

/* Ask for a chunk; for the slots of a top. */
static inline __attribute__((always_inline)) void expect_chunk(
	const struct rspb_order *order, size_t slot)
{
	if (slot < order->chunks)
		rspb_expect(rspb_order_chunk(order, slot),
			    order->slots[slot].count *
				    sizeof(struct rspb_entry));
}

static inline __attribute__((always_inline)) void expect_slots(
	const struct rspb_order *order, size_t top)
{
	rspb_expect(order->slots + top * RSPB_TOP,
		    RSPB_TOP * sizeof(*order->slots));
}

/*
 * Entries in these chunks; some may lie outside. The first chunks are all
 * asked for before one is read: they lie here and there.
 */
RSPB_SEARCH
static size_t most(const struct range *range)
{
	const struct rspb_slot *slots = range->order->slots;
	size_t count = 0, chunks = 0;

	for (size_t i = next_slot(range, range->low); goes_on(range, i);
	     i = next_slot(range, i + 1)) {
		count += slots[i].count;
		if (chunks++ < AHEAD)
			expect_chunk(range->order, i);
	}
	return count;
}

/* What to append of the entries of a chunk. */
struct sieve {
	int64_t duration, floor;
	int64_t least; /* the earliest end */
	bool by_begin;
	/* As much of the next chunk is had on its way: chunks lie anywhere. */
	const struct rspb_entry *ahead;
};

/* Append what is long enough. */
RSPB_SEARCH
static void append(const struct sieve *sieve, const struct rspb_entry *at,
		   uint32_t count, struct rspb_spans *spans)
{
	int64_t duration = sieve->duration, floor = sieve->floor;
	int64_t *in = spans->in, *out = spans->out;
	uint32_t *weight = spans->weight;
	size_t n = spans->count;

	for (uint32_t i = 0; i < count; i++) {
		int64_t begin = sieve->by_begin ? at[i].key : at[i].other;
		int64_t end = sieve->by_begin ? at[i].other : at[i].key;

		begin = begin > floor ? begin : floor;
		__builtin_prefetch(sieve->ahead + i);
		in[n] = 2 * begin;
		out[n] = 2 * (end - duration) + 1;
		weight[n] = at[i].size;
		if (spans->named)
			spans->group[n] = at[i].group;
		n += (end - begin >= duration) & (end >= sieve->least);
	}
	spans->count = n;
}

/* The same, where a mask says which nodes count. */
RSPB_SEARCH
static void append_masked(const struct rspb_gather *gather,
			  const struct sieve *sieve,
			  const struct rspb_entry *at, uint32_t count,
			  struct rspb_spans *spans)
{
	spans->named = false;
	for (uint32_t i = 0; i < count; i++) {
		size_t n = spans->count;

		append(sieve, at + i, 1, spans);
		if (spans->count == n)
			continue;
		spans->weight[n] = rspb_entry_weight(gather->profile,
						     gather->query, at + i,
						     sieve->by_begin);
		if (!spans->weight[n])
			spans->count = n;
	}
}

#if defined(__x86_64__) && defined(__GLIBC__)
#include <immintrin.h>

/*
 * Four at a time. As they come out of memory the second lies last, hence the
 * order in which the rows name the halves of those to keep.
 */
#define ROW(a, b, c, d)                                                        \
	{                                                                      \
		2 * (a), 2 * (a) + 1, 2 * (b), 2 * (b) + 1, 2 * (c),           \
			2 * (c) + 1, 2 * (d), 2 * (d) + 1                      \
	}
static const uint8_t kept[16][8] = {
	ROW(0, 0, 0, 0), ROW(0, 0, 0, 0), ROW(1, 0, 0, 0), ROW(0, 1, 0, 0),
	ROW(2, 0, 0, 0), ROW(0, 2, 0, 0), ROW(2, 1, 0, 0), ROW(0, 2, 1, 0),
	ROW(3, 0, 0, 0), ROW(0, 3, 0, 0), ROW(3, 1, 0, 0), ROW(0, 3, 1, 0),
	ROW(3, 2, 0, 0), ROW(0, 3, 2, 0), ROW(3, 2, 1, 0), ROW(0, 3, 2, 1),
};

__attribute__((target("avx2,popcnt"))) RSPB_SEARCH static uint32_t append_wide(
	const struct sieve *sieve, const struct rspb_entry *at, uint32_t count,
	struct rspb_spans *spans)
{
	__m256i duration = _mm256_set1_epi64x(sieve->duration);
	__m256i floor = _mm256_set1_epi64x(sieve->floor);
	__m256i least = _mm256_set1_epi64x(sieve->least);
	__m256i behind = _mm256_set1_epi64x(1 - 2 * sieve->duration);
	__m256i half = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
	int64_t *in = spans->in, *out = spans->out;
	uint32_t *weight = spans->weight;
	size_t n = spans->count;
	uint32_t i = 0;

	for (; i + 4 <= count; i += 4) {
		const __m256i *from = (const __m256i *) (at + i);
		__m256i a = _mm256_loadu_si256(from);
		__m256i b = _mm256_loadu_si256(from + 1);
		__m256i c = _mm256_loadu_si256(from + 2);
		__m256i begin = _mm256_blend_epi32(_mm256_blend_epi32(a, b,
								      0x30),
						   c, 0x0c);
		__m256i end = _mm256_permute4x64_epi64(
			_mm256_blend_epi32(_mm256_blend_epi32(b, a, 0x0c), c,
					   0x30),
			0x39);
		__m256i rest = _mm256_permute4x64_epi64(
			_mm256_blend_epi32(_mm256_blend_epi32(c, b, 0x0c), a,
					   0x30),
			0x4e);
		__m256i row;
		unsigned int keep;

		__builtin_prefetch(sieve->ahead + i);
		__builtin_prefetch((const char *) (sieve->ahead + i) + 64);
		if (!sieve->by_begin) {
			__m256i swap = begin;

			begin = end;
			end = swap;
		}
		begin = _mm256_blendv_epi8(floor, begin,
					   _mm256_cmpgt_epi64(begin, floor));
		keep = 15 ^
		       (unsigned int) _mm256_movemask_pd(
			       _mm256_castsi256_pd(_mm256_or_si256(
				       _mm256_cmpgt_epi64(
					       duration,
					       _mm256_sub_epi64(end, begin)),
				       _mm256_cmpgt_epi64(least, end))));
		begin = _mm256_add_epi64(begin, begin);
		end = _mm256_add_epi64(_mm256_add_epi64(end, end), behind);
		row = _mm256_cvtepu8_epi32(
			_mm_loadl_epi64((const __m128i *) kept[keep]));
		_mm256_storeu_si256((__m256i *) (in + n),
				    _mm256_permutevar8x32_epi32(begin, row));
		_mm256_storeu_si256((__m256i *) (out + n),
				    _mm256_permutevar8x32_epi32(end, row));
		rest = _mm256_permutevar8x32_epi32(
			_mm256_permutevar8x32_epi32(rest, row), half);
		_mm_storeu_si128((__m128i *) (weight + n),
				 _mm256_castsi256_si128(rest));
		if (spans->named)
			_mm_storeu_si128((__m128i *) (spans->group + n),
					 _mm256_extracti128_si256(rest, 1));
		n += (size_t) __builtin_popcount(keep);
	}
	spans->count = n;
	return i;
}

static bool wide(void)
{
	return __builtin_cpu_supports("avx2");
}
#else
static uint32_t append_wide(const struct sieve *sieve,
			    const struct rspb_entry *at, uint32_t count,
			    struct rspb_spans *spans)
{
	(void) sieve;
	(void) at;
	(void) count;
	(void) spans;
	return 0;
}

static bool wide(void)
{
	return false;
}
#endif

RSPB_SEARCH
static void gather_range(const struct rspb_gather *gather,
			 const struct range *range, struct rspb_spans *spans)
{
	const struct rspb_order *order = range->order;
	struct sieve sieve = {
		.duration = gather->query->duration,
		.floor = gather->profile->now,
		.least = gather->first + gather->query->duration,
		.by_begin = order == &gather->profile->begins,
	};
	bool four = wide();

	for (size_t i = next_slot(range, range->low), next; goes_on(range, i);
	     i = next) {
		const struct rspb_entry *at = rspb_order_chunk(order, i);
		uint32_t in = 0, end = order->slots[i].count;

		next = next_slot(range, i + 1);
		sieve.ahead = goes_on(range, next)
				      ? rspb_order_chunk(order, next)
				      : at;
		if (!sieve.by_begin && i == range->from.slot)
			in = range->from.in;
		if (!goes_on(range, i + 1))
			end = rspb_chunk_find(at, end, range->key,
					      range->other);
		if (in >= end)
			continue;
		if (gather->query->eligible) {
			append_masked(gather, &sieve, at + in, end - in, spans);
			continue;
		}
		if (four)
			in += append_wide(&sieve, at + in, end - in, spans);
		append(&sieve, at + in, end - in, spans);
	}
}

/* RET how many ups have come in at the first start. */
RSPB_SEARCH
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
RSPB_SEARCH
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

RSPB_SEARCH
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
	size_t begin, end;

	rspb_expect(in.order->tops, EXPECT_TOPS);
	rspb_expect(out.order->tops, EXPECT_TOPS);
	begin = rspb_order_top(in.order, gather->first, INT64_MAX);
	end = rspb_order_top(out.order, least, RSPB_TIME_MIN);
	expect_slots(out.order, end);
	for (size_t i = 0; i <= begin; i++)
		if (i == begin || in.order->tops[i].reach >= least)
			expect_slots(in.order, i);
	begin = rspb_order_slot_under(in.order, begin, gather->first,
				      INT64_MAX);
	expect_chunk(in.order, begin);
	end = rspb_order_slot_under(out.order, end, least, RSPB_TIME_MIN);
	expect_chunk(out.order, end);
	in.from = rspb_order_within(in.order, begin, gather->first, INT64_MAX);
	out.from = rspb_order_within(out.order, end, least, RSPB_TIME_MIN);
	out.low = out.from.slot;
	if (make_room(ups, most(&in)) || make_room(downs, most(&out)))
		return -1;
	expect_room(ups);
	expect_room(downs);
	gather_range(gather, &in, ups);
	gather_range(gather, &out, downs);
	pad(ups, 2 * profile->now, 2 * RSPB_TIME_MIN);
	pad(downs, 2 * profile->now, 2 * gather->last + 1);
	return (int64_t) inside(gather);
}

RSPB_SEARCH
void rspb_spans_nodes(const struct rspb_profile *profile, size_t count,
		      int64_t moment, struct rspb_nodeset *set)
{
	const struct rspb_spans *ups = &profile->scratch->ups;
	const struct rspb_gapsets *sets = &profile->sets;
	size_t used = 0, rows = 0;

	for (size_t i = 0; i < count; i++) {
		ups->weight[used] = ups->weight[i];
		ups->group[used] = ups->group[i];
		used += ups->out[i] > moment;
	}
	rspb_nodeset_clear(set);
	for (size_t i = 0; i < used; i++) {
		struct rspb_entry entry = { .size = ups->weight[i],
					    .group = ups->group[i] };

		/* Rows are asked for before one is read. */
		if (rspb_entry_is_run(&entry))
			rspb_run_add_to(rspb_entry_run(&entry), set->bits);
		else
			rspb_expect(
				&sets->sets[ups->group[rows++] = entry.group],
				1);
	}
	for (size_t i = 0; i < rows; i++)
		rspb_expect(sets->pool + sets->sets[ups->group[i]].first, 1);
	for (size_t i = 0; i < rows; i++)
		rspb_gapsets_add_to(sets,
				    &(struct rspb_entry){
					    .group = ups->group[i] },
				    set);
}
