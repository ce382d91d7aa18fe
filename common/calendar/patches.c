/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sparse node sets: what is done with rows of patches, wherever they lie. */
#include "common/calendar/sets.h"

uint32_t rspb_patches_first(struct rspb_patches nodes)
{
	return nodes.at->word * 32 + (uint32_t) __builtin_ctz(nodes.at->bits);
}

uint32_t rspb_patches_last(struct rspb_patches nodes)
{
	const struct rspb_patch *last = nodes.at + nodes.count - 1;

	return last->word * 32 + 31 - (uint32_t) __builtin_clz(last->bits);
}

struct rspb_patches rspb_run_patches(struct rspb_run run, struct rspb_patch *to)
{
	uint32_t word = run.first / 32, count = 0;
	uint32_t last = (run.first + run.size - 1) / 32;

	for (; word <= last; word++)
		to[count++] = (struct rspb_patch){ word, UINT32_MAX };
	to[0].bits <<= run.first % 32;
	to[count - 1].bits &= UINT32_MAX >> (31 - (run.first + run.size - 1) % 32);
	return (struct rspb_patches){ to, count };
}

uint32_t rspb_patches_merge(struct rspb_patches a, struct rspb_patches b, struct rspb_patch *to)
{
	uint32_t i = 0, j = 0, n = 0;

	while (i < a.count && j < b.count) {
		if (a.at[i].word == b.at[j].word) {
			to[n] = a.at[i++];
			to[n++].bits |= b.at[j++].bits;
		} else if (a.at[i].word < b.at[j].word) {
			to[n++] = a.at[i++];
		} else {
			to[n++] = b.at[j++];
		}
	}
	while (i < a.count)
		to[n++] = a.at[i++];
	while (j < b.count)
		to[n++] = b.at[j++];
	return n;
}

uint32_t rspb_patches_merged(struct rspb_patches a, struct rspb_patches b)
{
	uint32_t same = 0;

	for (uint32_t i = 0, j = 0; i < a.count && j < b.count;) {
		uint32_t x = a.at[i].word, y = b.at[j].word;

		same += x == y;
		i += x <= y;
		j += y <= x;
	}
	return a.count + b.count - same;
}

void rspb_patches_merge_here(struct rspb_patch *at, uint32_t count, struct rspb_patches nodes,
			     uint32_t merged)
{
	uint32_t j = nodes.count;

	/* Merging starts with the last one, so that no patch is overwritten before it is read. */
	while (j && merged > count) {
		uint32_t word = nodes.at[j - 1].word;

		if (count && at[count - 1].word > word) {
			at[--merged] = at[--count];
		} else if (count && at[count - 1].word == word) {
			at[--merged] = at[--count];
			at[merged].bits |= nodes.at[--j].bits;
		} else {
			at[--merged] = nodes.at[--j];
		}
	}
	/* The words of the rest are all there. */
	for (uint32_t i = 0; i < j; i++) {
		while (at->word != nodes.at[i].word)
			at++;
		at->bits |= nodes.at[i].bits;
	}
}

uint32_t rspb_patches_cut(struct rspb_patches from, struct rspb_patches nodes,
			  struct rspb_patch *to)
{
	uint32_t kept = 0, j = 0;

	for (uint32_t i = 0; i < from.count; i++) {
		struct rspb_patch patch = from.at[i];

		if (j < nodes.count && nodes.at[j].word == patch.word)
			patch.bits &= ~nodes.at[j++].bits;
		to[kept] = patch;
		kept += patch.bits != 0;
	}
	return kept;
}

uint32_t rspb_patches_size(struct rspb_patches nodes)
{
	uint32_t size = 0;

	for (uint32_t i = 0; i < nodes.count; i++)
		size += rspb_bits_count(nodes.at[i].bits);
	return size;
}

uint32_t rspb_patches_within(struct rspb_patches nodes, const struct rspb_nodeset *with,
			     struct rspb_patch *to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < nodes.count; i++) {
		struct rspb_patch patch = nodes.at[i];

		patch.bits &= rspb_nodeset_word(with, patch.word);
		to[n] = patch;
		n += patch.bits != 0;
	}
	return n;
}

void rspb_patches_add_to(struct rspb_patches nodes, struct rspb_nodeset *set)
{
	for (uint32_t i = 0; i < nodes.count; i++)
		set->bits[nodes.at[i].word / 2] |= (uint64_t) nodes.at[i].bits
						   << (nodes.at[i].word % 2 * 32);
}

void rspb_patches_remove_from(struct rspb_patches nodes, struct rspb_nodeset *set)
{
	for (uint32_t i = 0; i < nodes.count; i++)
		set->bits[nodes.at[i].word / 2] &= ~((uint64_t) nodes.at[i].bits
						     << (nodes.at[i].word % 2 * 32));
}

uint32_t rspb_patches_from(const struct rspb_nodeset *set, struct rspb_patch *to)
{
	uint32_t n = 0;

	for (uint32_t word = 0; word < set->words; word++) {
		uint64_t bits = set->bits[word];

		if (!bits)
			continue;
		to[n] = (struct rspb_patch){ 2 * word, (uint32_t) bits };
		n += (uint32_t) bits != 0;
		to[n] = (struct rspb_patch){ 2 * word + 1, (uint32_t) (bits >> 32) };
		n += bits >> 32 != 0;
	}
	return n;
}
