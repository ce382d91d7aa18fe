/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spans that a search works on: the gaps that are long enough for its request, in both orders.
 * A chunk without a long one is passed unread. */
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
	/* All three arrays are in one piece of memory, each with padding at both ends.
	 * append_wide() writes fours, the last of which may reach into the padding. */
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
	return slot < range->order->chunks && range->order->slots[slot].key <= range->key;
}

/* RET the first slot from i on that may hold some, or one behind the range. */
static size_t next_slot(const struct range *range, size_t i)
{
	const struct rspb_slot *slots = range->order->slots;
	const struct rspb_top *tops = range->order->tops;

	while (i < range->from.slot)
		if (i % RSPB_TOP == 0 && tops[i / RSPB_TOP].reach < range->reach)
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

/* The conditions for appending an entry. */
struct sieve {
	int64_t duration, floor;
	int64_t least; /* the earliest end */
	bool by_begin;
};

/* Append the gaps that are long enough. Each is written, and counted only if it is: there is no
 * branch to mispredict. */
static void append(const struct sieve *sieve, const struct rspb_entry *at, uint32_t count,
		   struct rspb_spans *spans)
{
	int64_t duration = sieve->duration, floor = sieve->floor;
	int64_t *in = spans->in, *out = spans->out;
	uint32_t *weight = spans->weight;
	size_t n = spans->count;

	for (uint32_t i = 0; i < count; i++) {
		int64_t begin = sieve->by_begin ? at[i].key : at[i].other;
		int64_t end = sieve->by_begin ? at[i].other : at[i].key;

		begin = begin > floor ? begin : floor;
		in[n] = 2 * begin;
		out[n] = 2 * (end - duration) + 1;
		weight[n] = at[i].size;
		n += (end - begin >= duration) & (end >= sieve->least);
	}
	spans->count = n;
}

#if defined(__x86_64__) && defined(__GLIBC__)
#include <immintrin.h>

/*
 * Four at a time, which halves what a search of a whole calendar takes. As they
 * come out of memory the second lies last, hence the order in which the rows
 * name the halves of those to keep.
 */
#define ROW(a, b, c, d)                                                                            \
	{                                                                                          \
		2 * (a), 2 * (a) + 1, 2 * (b), 2 * (b) + 1, 2 * (c), 2 * (c) + 1, 2 * (d),         \
			2 * (d) + 1                                                                \
	}
static const uint8_t kept[16][8] = {
	ROW(0, 0, 0, 0), ROW(0, 0, 0, 0), ROW(1, 0, 0, 0), ROW(0, 1, 0, 0),
	ROW(2, 0, 0, 0), ROW(0, 2, 0, 0), ROW(2, 1, 0, 0), ROW(0, 2, 1, 0),
	ROW(3, 0, 0, 0), ROW(0, 3, 0, 0), ROW(3, 1, 0, 0), ROW(0, 3, 1, 0),
	ROW(3, 2, 0, 0), ROW(0, 3, 2, 0), ROW(3, 2, 1, 0), ROW(0, 3, 2, 1),
};

/* RET how many were looked at. */
__attribute__((target("avx2,popcnt"))) static uint32_t append_wide(const struct sieve *sieve,
								   const struct rspb_entry *at,
								   uint32_t count,
								   struct rspb_spans *spans)
{
	__m256i duration = _mm256_set1_epi64x(sieve->duration);
	__m256i floor = _mm256_set1_epi64x(sieve->floor);
	__m256i least = _mm256_set1_epi64x(sieve->least);
	__m256i behind = _mm256_set1_epi64x(1 - 2 * sieve->duration);
	__m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
	size_t n = spans->count;
	uint32_t i = 0;

	for (; i + 4 <= count; i += 4) {
		const __m256i *from = (const __m256i *) (at + i);
		__m256i a = _mm256_loadu_si256(from);
		__m256i b = _mm256_loadu_si256(from + 1);
		__m256i c = _mm256_loadu_si256(from + 2);
		__m256i x = _mm256_blend_epi32(_mm256_blend_epi32(a, b, 0x30), c, 0x0c);
		__m256i y = _mm256_blend_epi32(_mm256_blend_epi32(b, a, 0x0c), c, 0x30);
		__m256i z = _mm256_blend_epi32(_mm256_blend_epi32(c, b, 0x0c), a, 0x30);
		__m256i other = _mm256_permute4x64_epi64(y, 0x39);
		__m256i size = _mm256_permute4x64_epi64(z, 0x4e);
		__m256i begin = sieve->by_begin ? x : other;
		__m256i end = sieve->by_begin ? other : x;
		__m256i bad, row;
		unsigned int keep;

		begin = _mm256_blendv_epi8(floor, begin, _mm256_cmpgt_epi64(begin, floor));
		bad = _mm256_cmpgt_epi64(duration, _mm256_sub_epi64(end, begin));
		bad = _mm256_or_si256(bad, _mm256_cmpgt_epi64(least, end));
		keep = 15U & ~(unsigned int) _mm256_movemask_pd(_mm256_castsi256_pd(bad));
		row = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *) kept[keep]));
		begin = _mm256_add_epi64(begin, begin);
		end = _mm256_add_epi64(_mm256_add_epi64(end, end), behind);
		size = _mm256_permutevar8x32_epi32(size, row);
		_mm256_storeu_si256((__m256i *) (spans->in + n),
				    _mm256_permutevar8x32_epi32(begin, row));
		_mm256_storeu_si256((__m256i *) (spans->out + n),
				    _mm256_permutevar8x32_epi32(end, row));
		_mm_storeu_si128((__m128i *) (spans->weight + n),
				 _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(size, even)));
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
static uint32_t append_wide(const struct sieve *sieve, const struct rspb_entry *at, uint32_t count,
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

/* Append the gaps that are long enough and have eligible nodes, which alone make their weight. */
static void append_masked(const struct rspb_gather *gather, const struct sieve *sieve,
			  const struct rspb_entry *at, uint32_t count, struct rspb_spans *spans)
{
	for (uint32_t i = 0; i < count; i++) {
		size_t n = spans->count;

		append(sieve, at + i, 1, spans);
		if (spans->count == n)
			continue;
		spans->weight[n] = rspb_gapsets_common(&gather->profile->index->sets, at + i,
						       gather->query->eligible);
		if (!spans->weight[n])
			spans->count = n;
	}
}

static void gather_range(const struct rspb_gather *gather, const struct range *range,
			 struct rspb_spans *spans)
{
	const struct rspb_sorted *order = range->order;
	const struct sieve sieve = {
		.duration = gather->query->duration,
		.floor = gather->profile->now,
		.least = gather->first + gather->query->duration,
		.by_begin = order == &gather->profile->index->begins,
	};

	for (size_t i = next_slot(range, range->low); goes_on(range, i);
	     i = next_slot(range, i + 1)) {
		const struct rspb_entry *at = rspb_sorted_chunk(order, i);
		uint32_t in = 0, end = order->slots[i].count;

		/* In the order by end, the entries before the place end too early. */
		if (!sieve.by_begin && i == range->from.slot)
			in = range->from.in;
		if (!goes_on(range, i + 1))
			end = rspb_chunk_find(at, end, range->key, range->other);
		if (in >= end)
			continue;
		if (gather->query->eligible) {
			append_masked(gather, &sieve, at + in, end - in, spans);
			continue;
		}
		if (wide())
			in += append_wide(&sieve, at + in, end - in, spans);
		append(&sieve, at + in, end - in, spans);
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
		.order = &profile->index->begins,
		.key = gather->last,
		.other = INT64_MAX,
		.reach = least,
		.longest = duration,
	};
	struct range out = {
		.order = &profile->index->ends,
		.key = gather->last + duration,
		.other = RSPB_TIME_MIN,
		.reach = INT64_MIN,
		.longest = duration,
	};

	/* Gaps that began before the first start are in use there if they reach far enough. All
	 * slots are searched for these, by their reach. */
	in.from = rspb_sorted_find(in.order, gather->first, INT64_MAX);
	out.from = rspb_sorted_find(out.order, least, RSPB_TIME_MIN);
	/* Gaps that end before the earliest end of the request can never be used. */
	out.low = out.from.slot;
	if (make_room(ups, most(&in)) || make_room(downs, most(&out)))
		return -1;
	gather_range(gather, &in, ups);
	gather_range(gather, &out, downs);
	pad(ups, 2 * profile->now, 2 * RSPB_TIME_MIN);
	pad(downs, 2 * profile->now, 2 * gather->last + 1);
	return (int64_t) inside(gather);
}
