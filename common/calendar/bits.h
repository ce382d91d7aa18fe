/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of bits, one a node, several words at a time. A row is as many 64-bit
 * words as is said, a multiple of RSPB_LANES; rows may lie anywhere.
 */
#ifndef RSPB_CALENDAR_BITS_H
#define RSPB_CALENDAR_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/base/wide.h"

/* Four words side by side. */
typedef uint64_t rspb_lanes __attribute__((vector_size(32), aligned(8)));
enum { RSPB_LANES = 4 };

/* Becomes part of each clone that calls it, and so uses what that may. */
#define RSPB_INLINE static inline __attribute__((always_inline))

RSPB_INLINE void rspb_lanes_load(const uint64_t *row, rspb_lanes *out)
{
	memcpy(out, row, sizeof(*out));
}

RSPB_INLINE void rspb_lanes_store(uint64_t *row, const rspb_lanes *in)
{
	memcpy(row, in, sizeof(*in));
}

/* RET whether a bit is set in both. */
RSPB_INLINE bool rspb_row_meets(const uint64_t *row, const uint64_t *with,
				size_t words)
{
	for (size_t i = 0; i < words; i += RSPB_LANES) {
		rspb_lanes a, b;

		rspb_lanes_load(row + i, &a);
		rspb_lanes_load(with + i, &b);
		a &= b;
		if (a[0] | a[1] | a[2] | a[3])
			return true;
	}
	return false;
}

void rspb_row_or(uint64_t *to, const uint64_t *with, size_t words);
void rspb_row_minus(uint64_t *to, const uint64_t *with, size_t words);
/* to = a | b */
void rspb_row_union(uint64_t *to, const uint64_t *a, const uint64_t *b,
		    size_t words);
/* RET whether all of inner is in outer. */
bool rspb_row_within(const uint64_t *inner, const uint64_t *outer,
		     size_t words);
bool rspb_row_empty(const uint64_t *row, size_t words);
uint32_t rspb_row_count(const uint64_t *row, size_t words);
/* free = neither in a nor in b nor in c. RET its bits. */
uint32_t rspb_row_neither(uint64_t *free_nodes, const uint64_t *a,
			  const uint64_t *b, const uint64_t *c, size_t words);

#endif
