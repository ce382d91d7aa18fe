/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/nodeset.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/base/wide.h"

/* Return a mask of the bits in the last word that stand for nodes. Counts and comparisons rely on
 * the unused bits being 0, so fill and invert apply it. */
static uint64_t last_mask(uint32_t width)
{
	return width % 64 ? (UINT64_C(1) << (width % 64)) - 1 : UINT64_MAX;
}

/* Return how many words a set stores. A plain set stores all of them, a slim one only the words
 * with nodes. */
static inline uint32_t held(const struct rspb_nodeset *set)
{
	return set->kept ? set->kept : set->words;
}

/* Return the word numbers of a slim set, in rising order. They are stored after its words, in the
 * same allocation. */
static inline const uint32_t *numbers(const struct rspb_nodeset *slim)
{
	return (const uint32_t *) (slim->bits + slim->kept);
}

/* Return which word of the whole width the i-th stored word is. */
static inline uint32_t number(const struct rspb_nodeset *set, uint32_t i)
{
	return set->kept ? numbers(set)[i] : i;
}

/* Return the place of the first word in a slim set that is not before word w. If there is none, it
 * is `kept`, which is no valid place. */
static uint32_t place(const struct rspb_nodeset *slim, uint32_t w)
{
	uint32_t low = 0, high = slim->kept;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (numbers(slim)[middle] < w)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Return word w of either sort of set. A word that a slim set does not store has no nodes. */
static inline uint64_t word(const struct rspb_nodeset *set, uint32_t w)
{
	uint32_t i = w;

	if (set->kept) {
		i = place(set, w);
		if (i == set->kept || numbers(set)[i] != w)
			return 0;
	}
	return set->bits[i];
}

/* Return how many bytes follow the head: the words, and the word numbers of a slim set. */
static size_t bytes_of(const struct rspb_nodeset *set)
{
	return held(set) * sizeof(set->bits[0]) + set->kept * sizeof(numbers(set)[0]);
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
		rspb_nodeset_copy(copy, set);
	return copy;
}

void rspb_nodeset_destroy(struct rspb_nodeset *set)
{
	/* Copies of a booking in other threads may hold the same set. The last holder frees it, and
	 * the sequentially consistent decrement orders all earlier reads before that. */
	if (set && atomic_fetch_sub(&set->holders, 1) == 1)
		free(set);
}

struct rspb_nodeset *rspb_nodeset_share(struct rspb_nodeset *set)
{
	/* The caller holds the set already, so it cannot go away meanwhile, and nothing needs to be
	 * ordered. */
	atomic_fetch_add_explicit(&set->holders, 1, memory_order_relaxed);
	return set;
}

/* The ledger keeps bookings in this form. On a machine of 10,240 nodes a plain set takes 1.3 kB, of
 * which a booking uses a few words. */
struct rspb_nodeset *rspb_nodeset_slim(struct rspb_nodeset *set)
{
	struct rspb_nodeset *slim;
	uint32_t kept = 0, *at;
	size_t bytes;

	for (uint32_t i = 0; i < held(set); i++)
		kept += set->bits[i] != 0;
	bytes = kept * (sizeof(set->bits[0]) + sizeof(*at));
	if (set->kept)
		return rspb_nodeset_share(set);
	/* An empty set stays plain, because `kept` of 0 means that a set is not slim. A full one
	 * would grow by its word numbers. */
	if (!kept || bytes >= bytes_of(set))
		return rspb_nodeset_clone(set);
	slim = calloc(1, sizeof(*slim) + bytes);
	if (!slim)
		return NULL;
	slim->width = set->width;
	slim->words = set->words;
	slim->kept = kept;
	atomic_init(&slim->holders, 1);
	at = (uint32_t *) (slim->bits + kept);
	for (uint32_t w = 0, i = 0; i < kept; w++) {
		if (!set->bits[w])
			continue;
		slim->bits[i] = set->bits[w];
		at[i++] = w;
	}
	return slim;
}

/* The functions below change a set. Adding a node to a slim one could need a word that it does not
 * store, so the set that changes must be plain. */
void rspb_nodeset_clear(struct rspb_nodeset *set)
{
	assert(!set->kept);
	memset(set->bits, 0, bytes_of(set));
}

void rspb_nodeset_fill(struct rspb_nodeset *set)
{
	assert(!set->kept);
	memset(set->bits, 0xff, bytes_of(set));
	if (set->words)
		set->bits[set->words - 1] = last_mask(set->width);
}

void rspb_nodeset_invert(struct rspb_nodeset *set)
{
	assert(!set->kept);
	for (uint32_t w = 0; w < set->words; w++)
		set->bits[w] = ~set->bits[w];
	if (set->words)
		set->bits[set->words - 1] &= last_mask(set->width);
}

void rspb_nodeset_copy(struct rspb_nodeset *to, const struct rspb_nodeset *from)
{
	assert(to->width == from->width && !to->kept);
	if (!from->kept) {
		memcpy(to->bits, from->bits, bytes_of(from));
		return;
	}
	/* The words of a slim set are not at their own places, so they are merged into an empty
	 * set. */
	rspb_nodeset_clear(to);
	rspb_nodeset_or(to, from);
}

void rspb_nodeset_add(struct rspb_nodeset *set, uint32_t node)
{
	assert(node < set->width && !set->kept);
	set->bits[node / 64] |= UINT64_C(1) << (node % 64);
}

void rspb_nodeset_remove(struct rspb_nodeset *set, uint32_t node)
{
	assert(node < set->width && !set->kept);
	set->bits[node / 64] &= ~(UINT64_C(1) << (node % 64));
}

bool rspb_nodeset_has(const struct rspb_nodeset *set, uint32_t node)
{
	return node < set->width && (word(set, node / 64) >> (node % 64) & 1);
}

/* Both operations leave a word as it is where the other set has no nodes. For a slim `with` it
 * suffices to visit the words that it stores. */
#define COMBINE(name, change)                                                                      \
	void name(struct rspb_nodeset *to, const struct rspb_nodeset *with)                        \
	{                                                                                          \
		assert(to->width == with->width && !to->kept);                                     \
		for (uint32_t i = 0; i < with->kept; i++)                                          \
			to->bits[numbers(with)[i]] change with->bits[i];                           \
		for (uint32_t i = 0; !with->kept && i < to->words; i++)                            \
			to->bits[i] change with->bits[i];                                          \
	}
COMBINE(rspb_nodeset_or, |=)
COMBINE(rspb_nodeset_minus, &= ~)

/* The intersection differs from the two above: words that a slim `with` does not store must become
 * 0. */
void rspb_nodeset_and(struct rspb_nodeset *to, const struct rspb_nodeset *with)
{
	uint32_t w = 0;

	assert(to->width == with->width && !to->kept);
	for (uint32_t i = 0; i < with->kept; i++, w++) {
		while (w < numbers(with)[i])
			to->bits[w++] = 0;
		to->bits[w] &= with->bits[i];
	}
	for (; w < to->words; w++)
		to->bits[w] &= with->kept ? 0 : with->bits[w];
}

/*
 * Bits set in x, word-parallel: the plain x86-64 baseline has no instruction
 * for it, and the library call the built-in becomes there is far slower.
 */
static inline uint64_t popcount(uint64_t x)
{
	x -= x >> 1 & UINT64_C(0x5555555555555555);
	x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
	x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return x * UINT64_C(0x0101010101010101) >> 56;
}

RSPB_WIDE uint32_t rspb_nodeset_count(const struct rspb_nodeset *set)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < held(set); i++)
		n += popcount(set->bits[i]);
	return (uint32_t) n;
}

bool rspb_nodeset_empty(const struct rspb_nodeset *set)
{
	for (uint32_t i = 0; i < held(set); i++)
		if (set->bits[i])
			return false;
	return true;
}

bool rspb_nodeset_equal(const struct rspb_nodeset *a, const struct rspb_nodeset *b)
{
	assert(a->width == b->width);
	/* Two sets of one sort are equal byte by byte, since unused bits are 0 and word numbers
	 * rise. The comparison includes the word numbers, because slim sets of equal size may have
	 * other words. */
	if (a->kept == b->kept)
		return !memcmp(a->bits, b->bits, bytes_of(a));
	/* Sets of different sorts, or slim sets with different numbers of words, are compared by
	 * their nodes. The inner one should be slim, so that few words are visited. */
	return rspb_nodeset_count(a) == rspb_nodeset_count(b) &&
	       (a->kept ? rspb_nodeset_within(a, b) : rspb_nodeset_within(b, a));
}

bool rspb_nodeset_within(const struct rspb_nodeset *inner, const struct rspb_nodeset *outer)
{
	assert(inner->width == outer->width);
	for (uint32_t i = 0; i < held(inner); i++)
		if (inner->bits[i] & ~word(outer, number(inner, i)))
			return false;
	return true;
}

bool rspb_nodeset_disjoint(const struct rspb_nodeset *a, const struct rspb_nodeset *b)
{
	/* The words of the slim set are visited and looked up in the other one, in whichever order
	 * the caller named them. */
	const struct rspb_nodeset *few = b->kept ? b : a;
	const struct rspb_nodeset *other = b->kept ? a : b;

	assert(a->width == b->width);
	for (uint32_t i = 0; i < held(few); i++)
		if (few->bits[i] & word(other, number(few, i)))
			return false;
	return true;
}

/* Callers walk a set with this function, so it skips empty words and returns the width as the end.
 * For a slim set each call finds its place again by a binary search. */
uint32_t rspb_nodeset_next(const struct rspb_nodeset *set, uint32_t from)
{
	uint32_t w = from / 64, i;
	uint64_t here;

	if (from >= set->width)
		return set->width;
	i = set->kept ? place(set, w) : w;
	if (i == held(set))
		return set->width;
	here = set->bits[i];
	/* In a slim set the word found may be a later one, whose nodes all count. */
	if (number(set, i) == w)
		here &= UINT64_MAX << (from % 64);
	while (!here) {
		if (++i >= held(set))
			return set->width;
		here = set->bits[i];
	}
	return number(set, i) * 64 + (uint32_t) __builtin_ctzll(here);
}

/* Return the lowest n bits of a word that are set. All are kept if there are fewer. */
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
	assert(!set->kept);
	for (uint32_t i = 0; i < set->words; i++) {
		uint32_t here = (uint32_t) popcount(set->bits[i]);

		/* Once n is 0, this clears each following word. */
		if (here > n)
			set->bits[i] = lowest_bits(set->bits[i], n);
		n -= here < n ? here : n;
	}
}

/* --- node sets as text: ranges such as "0-3,7" --- */

/* Read a decimal node number at *at and step past it. RET -1 if there is no number or it exceeds 32
 * bits; *at is unchanged then. */
static int read_number(const char **at, uint32_t *number)
{
	size_t len = strspn(*at, "0123456789");
	int64_t value;

	if (rspb_text_whole(*at, len, 0, UINT32_MAX, &value, NULL) < 0)
		return -1;
	*at += len;
	*number = (uint32_t) value;
	return 0;
}

/*
 * Walk the ranges of text, into set when there is one. Called first without
 * a set, so that a fault further on leaves the caller's set as it was.
 */
static int walk(const char *text, uint32_t width, struct rspb_nodeset *set, struct rspb_err *err)
{
	const char *p = text;

	while (*p) {
		uint32_t first, last;

		if (read_number(&p, &first))
			goto malformed;
		last = first;
		if (*p == '-') {
			p++;
			if (read_number(&p, &last))
				goto malformed;
		}
		if (last < first)
			return rspb_fail(err,
					 "node range %" PRIu32 "-%" PRIu32
					 " runs backwards; give the lower "
					 "number first",
					 first, last);
		/* This check comes before the loop below, which would otherwise run over billions
		 * of numbers or overflow. */
		if (last >= width)
			return rspb_fail(err,
					 "node %" PRIu32 " does not exist;"
					 " there are %" PRIu32 " nodes, "
					 "numbered from 0",
					 last, width);
		for (uint32_t n = first; set && n <= last; n++)
			rspb_nodeset_add(set, n);
		/* A comma needs a range after it. Without this, "0-3," would be accepted. */
		if (*p == ',' && p[1])
			p++;
		else if (*p)
			goto malformed;
	}
	return 0;
malformed:
	return rspb_fail(err,
			 "node list \"%.60s\" is not made of numbers and "
			 "ranges such as 0-3,7 (at \"%.20s\")",
			 text, p);
}

int rspb_nodeset_parse(struct rspb_nodeset *set, const char *text, struct rspb_err *err)
{
	if (walk(text, set->width, NULL, err))
		return -1;
	rspb_nodeset_clear(set);
	return walk(text, set->width, set, err);
}

size_t rspb_nodeset_print(const struct rspb_nodeset *set, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);
	uint32_t n = rspb_nodeset_next(set, 0), last;

	for (; n < set->width; n = rspb_nodeset_next(set, last + 1)) {
		/* Asking for a node past the width is allowed and ends the range. */
		for (last = n; rspb_nodeset_has(set, last + 1);)
			last++;
		rspb_text_add(&out, "%s%" PRIu32, out.len ? "," : "", n);
		if (last > n)
			rspb_text_add(&out, "-%" PRIu32, last);
	}
	return out.len;
}
