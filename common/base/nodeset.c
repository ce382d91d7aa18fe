/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/nodeset.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/wide.h"

/* The bits of the last word that stand for nodes. */
static uint64_t last_mask(uint32_t width)
{
	return width % 64 ? (UINT64_C(1) << (width % 64)) - 1 : UINT64_MAX;
}

static size_t bytes_of(const struct rspb_nodeset *set)
{
	return (size_t) set->words * sizeof(set->bits[0]);
}

struct rspb_nodeset *rspb_nodeset_create(uint32_t width)
{
	uint32_t words = width / 64 + (width % 64 != 0);
	struct rspb_nodeset *set;

	set = calloc(1, sizeof(*set) + words * sizeof(set->bits[0]));
	if (!set)
		return NULL;
	set->width = width;
	set->words = words;
	atomic_init(&set->holders, 1);
	return set;
}

struct rspb_nodeset *rspb_nodeset_clone(const struct rspb_nodeset *set)
{
	struct rspb_nodeset *copy = rspb_nodeset_create(set->width);

	if (copy)
		memcpy(copy->bits, set->bits, bytes_of(set));
	return copy;
}

void rspb_nodeset_destroy(struct rspb_nodeset *set)
{
	if (set && atomic_fetch_sub(&set->holders, 1) == 1)
		free(set);
}

struct rspb_nodeset *rspb_nodeset_share(struct rspb_nodeset *set)
{
	atomic_fetch_add_explicit(&set->holders, 1, memory_order_relaxed);
	return set;
}

void rspb_nodeset_clear(struct rspb_nodeset *set)
{
	memset(set->bits, 0, bytes_of(set));
}

void rspb_nodeset_fill(struct rspb_nodeset *set)
{
	memset(set->bits, 0xff, bytes_of(set));
	if (set->words)
		set->bits[set->words - 1] = last_mask(set->width);
}

void rspb_nodeset_invert(struct rspb_nodeset *set)
{
	for (uint32_t w = 0; w < set->words; w++)
		set->bits[w] = ~set->bits[w];
	if (set->words)
		set->bits[set->words - 1] &= last_mask(set->width);
}

void rspb_nodeset_copy(struct rspb_nodeset *to, const struct rspb_nodeset *from)
{
	assert(to->width == from->width);
	memcpy(to->bits, from->bits, bytes_of(from));
}

void rspb_nodeset_add(struct rspb_nodeset *set, uint32_t node)
{
	assert(node < set->width);
	set->bits[node / 64] |= UINT64_C(1) << (node % 64);
}

void rspb_nodeset_remove(struct rspb_nodeset *set, uint32_t node)
{
	assert(node < set->width);
	set->bits[node / 64] &= ~(UINT64_C(1) << (node % 64));
}

bool rspb_nodeset_has(const struct rspb_nodeset *set, uint32_t node)
{
	return node < set->width && (set->bits[node / 64] >> (node % 64) & 1);
}

#define COMBINE(name, change)                                                  \
	void name(struct rspb_nodeset *to, const struct rspb_nodeset *with)    \
	{                                                                      \
		assert(to->width == with->width);                              \
		for (uint32_t i = 0; i < to->words; i++)                       \
			to->bits[i] change with->bits[i];                      \
	}
COMBINE(rspb_nodeset_or, |=)
COMBINE(rspb_nodeset_and, &=)
COMBINE(rspb_nodeset_minus, &= ~)

/*
 * Bits set in x, word-parallel: the plain x86-64 baseline has no instruction
 * for it, and the library call the built-in becomes there is far slower.
 */
static inline uint64_t popcount(uint64_t x)
{
	x -= x >> 1 & UINT64_C(0x5555555555555555);
	x = (x & UINT64_C(0x3333333333333333)) +
	    (x >> 2 & UINT64_C(0x3333333333333333));
	x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return x * UINT64_C(0x0101010101010101) >> 56;
}

RSPB_WIDE uint32_t rspb_nodeset_count(const struct rspb_nodeset *set)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < set->words; i++)
		n += popcount(set->bits[i]);
	return (uint32_t) n;
}

bool rspb_nodeset_empty(const struct rspb_nodeset *set)
{
	for (uint32_t i = 0; i < set->words; i++)
		if (set->bits[i])
			return false;
	return true;
}

bool rspb_nodeset_equal(const struct rspb_nodeset *a,
			const struct rspb_nodeset *b)
{
	assert(a->width == b->width);
	return !memcmp(a->bits, b->bits, bytes_of(a));
}

bool rspb_nodeset_within(const struct rspb_nodeset *inner,
			 const struct rspb_nodeset *outer)
{
	assert(inner->width == outer->width);
	for (uint32_t i = 0; i < inner->words; i++)
		if (inner->bits[i] & ~outer->bits[i])
			return false;
	return true;
}

bool rspb_nodeset_disjoint(const struct rspb_nodeset *a,
			   const struct rspb_nodeset *b)
{
	assert(a->width == b->width);
	for (uint32_t i = 0; i < a->words; i++)
		if (a->bits[i] & b->bits[i])
			return false;
	return true;
}

uint32_t rspb_nodeset_next(const struct rspb_nodeset *set, uint32_t from)
{
	uint32_t i = from / 64;
	uint64_t word;

	if (from >= set->width)
		return set->width;
	word = set->bits[i] & UINT64_MAX << (from % 64);
	while (!word) {
		if (++i >= set->words)
			return set->width;
		word = set->bits[i];
	}
	return i * 64 + (uint32_t) __builtin_ctzll(word);
}

/* The lowest n bits of word that are set. */
static uint64_t lowest_bits(uint64_t word, uint32_t n)
{
	uint64_t kept = 0;

	for (; n && word; n--) {
		kept |= word & -word;
		word &= word - 1;
	}
	return kept;
}

void rspb_nodeset_keep_lowest(struct rspb_nodeset *set, uint32_t n)
{
	for (uint32_t i = 0; i < set->words; i++) {
		uint32_t here = (uint32_t) popcount(set->bits[i]);

		if (here > n)
			set->bits[i] = lowest_bits(set->bits[i], n);
		n -= here < n ? here : n;
	}
}
