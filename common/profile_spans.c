/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a search works on: the gaps that are long enough for its request, in
 * both orders. A chunk without a long one is passed unread.
 */
#include <stdlib.h>

#include "common/profile_internal.h"

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
	spans->in = (int64_t *)spans->at + RSPB_SPAN_PAD;
	spans->out = spans->in + spans->room;
	spans->weight = (uint32_t *)(spans->out + spans->room - RSPB_SPAN_PAD);
	spans->weight += RSPB_SPAN_PAD;
	spans->count = 0;
	return 0;
}

/* Part of an order: entries before (key, other), from a place. */
struct range {
	const struct rspb_order *order;
	struct rspb_place from;
	int64_t key, other;
};

static inline bool goes_on(const struct range *range, size_t slot)
{
	return slot < range->order->chunks &&
	       range->order->slots[slot].key <= range->key;
}

/* Entries in its chunks that hold long gaps; some may lie outside. */
static size_t most(const struct range *range, int64_t least)
{
	const struct rspb_slot *slots = range->order->slots;
	size_t count = 0;

	for (size_t i = range->from.slot; goes_on(range, i); i++)
		if (slots[i].longest >= least)
			count += slots[i].count;
	return count;
}

/* Turn the groups behind `from` into weights, leave out those of none. */
static void weigh(const struct rspb_gather *gather, struct rspb_spans *spans,
		  size_t from, bool first_time)
{
	const struct rspb_profile *profile = gather->profile;
	uint32_t *weights = profile->scratch->weights;
	size_t kept = from;

	for (size_t i = from; i < spans->count; i++) {
		uint32_t group = spans->weight[i];

		if (first_time)
			weights[group] = rspb_patches_common(
				rspb_gapsets_of(&profile->sets, group),
				gather->query->eligible);
		spans->in[kept] = spans->in[i];
		spans->out[kept] = spans->out[i];
		spans->weight[kept] = weights[group];
		kept += weights[group] != 0;
	}
	spans->count = kept;
}

/* What to append of the entries of a chunk. */
struct sieve {
	int64_t duration, floor;
	bool by_begin, masked;
	/* As much of the next chunk is had on its way: chunks lie anywhere. */
	const struct rspb_entry *ahead;
};

/* Append what is long enough. */
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
		weight[n] = sieve->masked ? at[i].group : at[i].size;
		n += end - begin >= duration;
	}
	spans->count = n;
}

#if defined(__x86_64__) && defined(__GLIBC__)
#include <immintrin.h>

/*
 * Four at a time. As they come out of memory the second lies last, hence the
 * order in which the rows name the halves of those to keep.
 */
#define ROW(a, b, c, d) \
	{ 2 * (a), 2 * (a) + 1, 2 * (b), 2 * (b) + 1, \
	  2 * (c), 2 * (c) + 1, 2 * (d), 2 * (d) + 1 }
static const uint8_t kept[16][8] = {
	ROW(0, 0, 0, 0), ROW(0, 0, 0, 0), ROW(1, 0, 0, 0), ROW(0, 1, 0, 0),
	ROW(2, 0, 0, 0), ROW(0, 2, 0, 0), ROW(2, 1, 0, 0), ROW(0, 2, 1, 0),
	ROW(3, 0, 0, 0), ROW(0, 3, 0, 0), ROW(3, 1, 0, 0), ROW(0, 3, 1, 0),
	ROW(3, 2, 0, 0), ROW(0, 3, 2, 0), ROW(3, 2, 1, 0), ROW(0, 3, 2, 1),
};

__attribute__((target("avx2,popcnt")))
static uint32_t append_wide(const struct sieve *sieve,
			    const struct rspb_entry *at, uint32_t count,
			    struct rspb_spans *spans)
{
	__m256i duration = _mm256_set1_epi64x(sieve->duration);
	__m256i floor = _mm256_set1_epi64x(sieve->floor);
	__m256i behind = _mm256_set1_epi64x(1 - 2 * sieve->duration);
	__m256i half = sieve->masked ?
		_mm256_setr_epi32(1, 3, 5, 7, 1, 3, 5, 7) :
		_mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
	int64_t *in = spans->in, *out = spans->out;
	uint32_t *weight = spans->weight;
	size_t n = spans->count;
	uint32_t i = 0;

	for (; i + 4 <= count; i += 4) {
		const __m256i *from = (const __m256i *)(at + i);
		__m256i a = _mm256_loadu_si256(from);
		__m256i b = _mm256_loadu_si256(from + 1);
		__m256i c = _mm256_loadu_si256(from + 2);
		__m256i begin = _mm256_blend_epi32(
			_mm256_blend_epi32(a, b, 0x30), c, 0x0c);
		__m256i end = _mm256_permute4x64_epi64(_mm256_blend_epi32(
			_mm256_blend_epi32(b, a, 0x0c), c, 0x30), 0x39);
		__m256i rest = _mm256_permute4x64_epi64(_mm256_blend_epi32(
			_mm256_blend_epi32(c, b, 0x0c), a, 0x30), 0x4e);
		__m256i row;
		unsigned int keep;

		__builtin_prefetch(sieve->ahead + i);
		__builtin_prefetch((const char *)(sieve->ahead + i) + 64);
		if (!sieve->by_begin) {
			__m256i swap = begin;

			begin = end;
			end = swap;
		}
		begin = _mm256_blendv_epi8(floor, begin,
					   _mm256_cmpgt_epi64(begin, floor));
		keep = 15 ^ (unsigned int)_mm256_movemask_pd(
			_mm256_castsi256_pd(_mm256_cmpgt_epi64(
				duration, _mm256_sub_epi64(end, begin))));
		begin = _mm256_add_epi64(begin, begin);
		end = _mm256_add_epi64(_mm256_add_epi64(end, end), behind);
		row = _mm256_cvtepu8_epi32(
			_mm_loadl_epi64((const __m128i *)kept[keep]));
		_mm256_storeu_si256((__m256i *)(in + n),
				    _mm256_permutevar8x32_epi32(begin, row));
		_mm256_storeu_si256((__m256i *)(out + n),
				    _mm256_permutevar8x32_epi32(end, row));
		rest = _mm256_permutevar8x32_epi32(
			_mm256_permutevar8x32_epi32(rest, row), half);
		_mm_storeu_si128((__m128i *)(weight + n),
				 _mm256_castsi256_si128(rest));
		n += (size_t)__builtin_popcount(keep);
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
	(void)sieve;
	(void)at;
	(void)count;
	(void)spans;
	return 0;
}

static bool wide(void)
{
	return false;
}
#endif

static void gather_range(const struct rspb_gather *gather,
			 const struct range *range, struct rspb_spans *spans)
{
	const struct rspb_order *order = range->order;
	struct sieve sieve = {
		.duration = gather->query->duration,
		.floor = gather->profile->now,
		.by_begin = order == &gather->profile->begins,
		.masked = gather->query->eligible,
	};
	uint32_t in = range->from.in;
	bool four = wide();

	for (size_t i = range->from.slot; goes_on(range, i); i++, in = 0) {
		const struct rspb_entry *at = rspb_order_chunk(order, i);
		bool more = goes_on(range, i + 1);
		uint32_t end = order->slots[i].count;
		size_t before = spans->count;

		if (order->slots[i].longest < sieve.duration)
			continue;
		sieve.ahead = more ? rspb_order_chunk(order, i + 1) : at;
		if (!more)
			end = rspb_chunk_find(at, end, range->key,
					      range->other);
		if (in >= end)
			continue;
		if (four)
			in += append_wide(&sieve, at + in, end - in, spans);
		append(&sieve, at + in, end - in, spans);
		if (sieve.masked)
			weigh(gather, spans, before, sieve.by_begin);
	}
}

static void reverse(struct rspb_spans *spans)
{
	for (size_t i = 0, j = spans->count; i + 1 < j--; i++) {
		int64_t in = spans->in[i], out = spans->out[i];
		uint32_t weight = spans->weight[i];

		spans->in[i] = spans->in[j];
		spans->out[i] = spans->out[j];
		spans->weight[i] = spans->weight[j];
		spans->in[j] = in;
		spans->out[j] = out;
		spans->weight[j] = weight;
	}
}

/* The gaps that can be used at the first start; room for `behind` more. */
static int gather_inside(const struct rspb_gather *gather,
			 struct rspb_place stop, size_t behind)
{
	const struct rspb_order *begins = &gather->profile->begins;
	int64_t end = gather->first + gather->query->duration;
	struct rspb_spans *ups = &gather->profile->scratch->ups;
	struct rspb_walk walk = rspb_walk_from(begins, gather->first, end,
					       NULL);
	const struct rspb_entry *at;
	struct sieve sieve = {
		.duration = gather->query->duration,
		.floor = gather->profile->now,
		.by_begin = true,
		.masked = gather->query->eligible,
		.ahead = &rspb_order_sentinel,
	};
	size_t count = behind;

	for (size_t i = 0; i < begins->chunks && i <= stop.slot; i++)
		if (begins->slots[i].reach >= end)
			count += begins->slots[i].count;
	if (make_room(ups, count))
		return -1;
	while ((at = rspb_walk_next(&walk)))
		append(&sieve, at, 1, ups);
	reverse(ups);
	if (sieve.masked)
		weigh(gather, ups, 0, true);
	return 0;
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

/* The first lines of a range, long before they are read. */
static void expect(const struct range *range)
{
	const struct rspb_entry *at = rspb_order_at(range->order,
						    range->from);

	if (at)
		for (int i = 0; i < RSPB_CHUNK; i += 8)
			for (int j = 0; j < 3; j++)
				__builtin_prefetch((const char *)(at + i) +
						   64 * j);
}

int64_t rspb_spans_gather(const struct rspb_gather *gather)
{
	const struct rspb_profile *profile = gather->profile;
	int64_t duration = gather->query->duration;
	struct rspb_spans *ups = &profile->scratch->ups;
	struct rspb_spans *downs = &profile->scratch->downs;
	struct range in = { &profile->begins, { 0 }, gather->last,
			    INT64_MAX };
	struct range out = { &profile->ends, { 0 }, gather->last + duration,
			     RSPB_TIME_MIN };
	size_t inside;

	in.from = rspb_order_find(in.order, gather->first, INT64_MAX);
	out.from = rspb_order_find(out.order, gather->first + duration,
				   RSPB_TIME_MIN);
	expect(&in);
	expect(&out);
	if (gather_inside(gather, in.from, most(&in, duration)) ||
	    make_room(downs, most(&out, duration)))
		return -1;
	inside = ups->count;
	gather_range(gather, &in, ups);
	gather_range(gather, &out, downs);
	pad(ups, 2 * profile->now, 2 * RSPB_TIME_MIN);
	pad(downs, 2 * profile->now, 2 * gather->last + 1);
	return (int64_t)inside;
}
