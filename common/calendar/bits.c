/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/calendar/bits.h"

RSPB_WIDE void rspb_row_or(uint64_t *to, const uint64_t *with, size_t words)
{
	for (size_t i = 0; i < words; i += RSPB_LANES) {
		rspb_lanes a, b;

		rspb_lanes_load(to + i, &a);
		rspb_lanes_load(with + i, &b);
		a |= b;
		rspb_lanes_store(to + i, &a);
	}
}

RSPB_WIDE void rspb_row_minus(uint64_t *to, const uint64_t *with, size_t words)
{
	for (size_t i = 0; i < words; i += RSPB_LANES) {
		rspb_lanes a, b;

		rspb_lanes_load(to + i, &a);
		rspb_lanes_load(with + i, &b);
		a &= ~b;
		rspb_lanes_store(to + i, &a);
	}
}

RSPB_WIDE void rspb_row_union(uint64_t *to, const uint64_t *a,
			      const uint64_t *b, size_t words)
{
	for (size_t i = 0; i < words; i += RSPB_LANES) {
		rspb_lanes x, y;

		rspb_lanes_load(a + i, &x);
		rspb_lanes_load(b + i, &y);
		x |= y;
		rspb_lanes_store(to + i, &x);
	}
}

RSPB_WIDE bool rspb_row_within(const uint64_t *inner, const uint64_t *outer,
			       size_t words)
{
	rspb_lanes lacking = { 0, 0, 0, 0 };

	for (size_t i = 0; i < words; i += RSPB_LANES) {
		rspb_lanes a, b;

		rspb_lanes_load(inner + i, &a);
		rspb_lanes_load(outer + i, &b);
		lacking |= a & ~b;
	}
	return !(lacking[0] | lacking[1] | lacking[2] | lacking[3]);
}

RSPB_WIDE bool rspb_row_empty(const uint64_t *row, size_t words)
{
	return !rspb_row_meets(row, row, words);
}

/* How many bits each byte has; at most 8, so 31 of these can be added up. */
RSPB_INLINE void count_bytes(rspb_lanes *x)
{
	rspb_lanes v = *x;

	v -= v >> 1 & UINT64_C(0x5555555555555555);
	v = (v & UINT64_C(0x3333333333333333)) +
	    (v >> 2 & UINT64_C(0x3333333333333333));
	*x = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

/* The sum of all bytes. */
RSPB_INLINE uint32_t sum_bytes(const rspb_lanes *x)
{
	rspb_lanes v = *x;

	v = (v & UINT64_C(0x00ff00ff00ff00ff)) +
	    (v >> 8 & UINT64_C(0x00ff00ff00ff00ff));
	v = (v & UINT64_C(0x0000ffff0000ffff)) +
	    (v >> 16 & UINT64_C(0x0000ffff0000ffff));
	v += v >> 32;
	return (uint32_t) v[0] + (uint32_t) v[1] + (uint32_t) v[2] +
	       (uint32_t) v[3];
}

enum { BYTES_HOLD = 31 * RSPB_LANES };

RSPB_WIDE uint32_t rspb_row_count(const uint64_t *row, size_t words)
{
	uint32_t count = 0;

	for (size_t i = 0; i < words;) {
		size_t stop = words - i < BYTES_HOLD ? words : i + BYTES_HOLD;
		rspb_lanes bytes = { 0, 0, 0, 0 }, x;

		for (; i < stop; i += RSPB_LANES) {
			rspb_lanes_load(row + i, &x);
			count_bytes(&x);
			bytes += x;
		}
		count += sum_bytes(&bytes);
	}
	return count;
}

RSPB_WIDE uint32_t rspb_row_neither(uint64_t *free_nodes, const uint64_t *a,
				    const uint64_t *b, const uint64_t *c,
				    size_t words)
{
	uint32_t count = 0;

	for (size_t i = 0; i < words;) {
		size_t stop = words - i < BYTES_HOLD ? words : i + BYTES_HOLD;
		rspb_lanes bytes = { 0, 0, 0, 0 }, x, y, z;

		for (; i < stop; i += RSPB_LANES) {
			rspb_lanes_load(a + i, &x);
			rspb_lanes_load(b + i, &y);
			rspb_lanes_load(c + i, &z);
			x = ~(x | y | z);
			rspb_lanes_store(free_nodes + i, &x);
			count_bytes(&x);
			bytes += x;
		}
		count += sum_bytes(&bytes);
	}
	return count;
}
