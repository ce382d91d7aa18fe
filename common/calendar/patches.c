/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sparse node sets: what is done with rows of patches, wherever they lie. */
#include "common/calendar/sets.h"

uint32_t rspb_patches_first(struct rspb_patches nodes)
{
	return nodes.at->word * RSPB_PATCH + (uint32_t) __builtin_ctz(nodes.at->bits);
}

uint32_t rspb_patches_last(struct rspb_patches nodes)
{
	const struct rspb_patch *last = nodes.at + nodes.count - 1;

	return last->word * RSPB_PATCH + 31 - (uint32_t) __builtin_clz(last->bits);
}

struct rspb_patches rspb_run_patches(struct rspb_run run, struct rspb_patch *to)
{
	uint32_t word = run.first / RSPB_PATCH, count = 0;
	uint32_t upto = run.first + run.size - 1, last = upto / RSPB_PATCH;

	for (; word <= last; word++)
		to[count++] = (struct rspb_patch){ (uint16_t) word, UINT16_MAX };
	/* All patches are full but the first and the last, which may be the same one. */
	to[0].bits = (uint16_t) (to[0].bits << run.first % RSPB_PATCH);
	to[count - 1].bits &= (uint16_t) (UINT16_MAX >> (RSPB_PATCH - 1 - upto % RSPB_PATCH));
	return (struct rspb_patches){ to, count };
}

uint32_t rspb_patches_merge(struct rspb_patches a, struct rspb_patches b, struct rspb_patch *to)
{
	uint32_t i = 0, j = 0, n = 0;

	/* No branch on which comes first, since nothing predicts it. */
	while (i < a.count && j < b.count) {
		struct rspb_patch x = a.at[i], y = b.at[j];
		bool from_a = x.word <= y.word, from_b = y.word <= x.word;

		to[n].word = from_a ? x.word : y.word;
		to[n++].bits = (uint16_t) ((x.bits & -from_a) | (y.bits & -from_b));
		i += from_a;
		j += from_b;
	}
	for (; i < a.count; i++)
		to[n++] = a.at[i];
	for (; j < b.count; j++)
		to[n++] = b.at[j];
	return n;
}

uint32_t rspb_patches_cut(struct rspb_patches from, const struct rspb_nodeset *nodes,
			  struct rspb_patch *to)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < from.count; i++) {
		struct rspb_patch patch = from.at[i];

		/* An empty patch is written, too, and overwritten by the next one: that needs no
		 * branch. */
		patch.bits &= (uint16_t) ~rspb_nodeset_word(nodes, patch.word);
		to[kept] = patch;
		kept += patch.bits != 0;
	}
	return kept;
}

uint32_t rspb_patches_size(struct rspb_patches nodes)
{
	/* Two patches are counted as one number of 32 bits. The odd one comes first. */
	uint32_t size = 0, i = nodes.count % 2;

	if (i)
		size = rspb_bits_count(nodes.at[0].bits);
	for (; i < nodes.count; i += 2)
		size += rspb_bits_count(nodes.at[i].bits | (uint32_t) nodes.at[i + 1].bits << 16);
	return size;
}

uint32_t rspb_patches_within(struct rspb_patches nodes, const struct rspb_nodeset *with,
			     struct rspb_patch *to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < nodes.count; i++) {
		struct rspb_patch patch = nodes.at[i];

		patch.bits &= (uint16_t) rspb_nodeset_word(with, patch.word);
		to[n] = patch;
		n += patch.bits != 0;
	}
	return n;
}

void rspb_patches_add_to(struct rspb_patches nodes, struct rspb_nodeset *set)
{
	for (uint32_t i = 0; i < nodes.count; i++)
		set->bits[nodes.at[i].word / 4] |= rspb_patch_wide(nodes.at[i]);
}

void rspb_patches_remove_from(struct rspb_patches nodes, struct rspb_nodeset *set)
{
	for (uint32_t i = 0; i < nodes.count; i++)
		set->bits[nodes.at[i].word / 4] &= ~rspb_patch_wide(nodes.at[i]);
}

/* Put the patches of word's nodes to `to`, which has room for four. RET how many. */
static uint32_t word_patches(uint32_t word, uint64_t bits, struct rspb_patch *to)
{
	uint32_t n = 0;

	for (uint32_t i = 4 * word; i < 4 * word + 4; i++, bits >>= RSPB_PATCH) {
		to[n] = (struct rspb_patch){ (uint16_t) i, (uint16_t) bits };
		n += (uint16_t) bits != 0;
	}
	return n;
}

uint32_t rspb_patches_from(const struct rspb_nodeset *set, struct rspb_patch *to)
{
	uint32_t n = 0;

	/* Words without nodes make no patches, since the bits of a patch are never 0. */
	for (uint32_t word = 0; word < set->words; word++)
		if (set->bits[word])
			n += word_patches(word, set->bits[word], to + n);
	return n;
}
