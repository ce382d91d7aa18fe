/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The node sets of gap groups. Most hold few nodes or few runs of nodes, so a
 * set is a row of patches in one pool; rows have room for a power of two, and
 * given-up rows wait in a list for each power. Indices, not pointers, so that
 * a copy of the pool is a copy of all sets.
 */
#include <stdlib.h>
#include <string.h>

#include "common/profile_internal.h"

int rspb_array_grow(void *array, size_t *room, size_t count, size_t size)
{
	void **at = array;
	size_t wanted = *room + *room / 2 + 16;
	void *grown;

	if (count <= *room)
		return 0;
	if (wanted < count)
		wanted = count;
	grown = realloc(*at, wanted * size);
	if (!grown)
		return -1;
	*at = grown;
	*room = wanted;
	return 0;
}

void rspb_gapsets_init(struct rspb_gapsets *sets)
{
	*sets = (struct rspb_gapsets){ .free_set = UINT32_MAX };
	for (int i = 0; i < RSPB_GAPSET_KINDS; i++)
		sets->free_patch[i] = UINT32_MAX;
}

int rspb_gapsets_clone(struct rspb_gapsets *to, const struct rspb_gapsets *from)
{
	*to = *from;
	to->room = from->used;
	to->pool_room = from->pool_used;
	to->sets = malloc(from->used * sizeof(*to->sets) + 1);
	to->pool = malloc(from->pool_used * sizeof(*to->pool) + 1);
	if (!to->sets || !to->pool)
		return -1;
	memcpy(to->sets, from->sets, from->used * sizeof(*to->sets));
	memcpy(to->pool, from->pool, from->pool_used * sizeof(*to->pool));
	return 0;
}

void rspb_gapsets_fini(struct rspb_gapsets *sets)
{
	free(sets->sets);
	free(sets->pool);
}

size_t rspb_gapsets_bytes(const struct rspb_gapsets *sets)
{
	return sets->room * sizeof(*sets->sets) +
	       sets->pool_room * sizeof(*sets->pool);
}

int rspb_gapsets_reserve(struct rspb_gapsets *sets, size_t groups,
			 size_t patches)
{
	if (rspb_array_grow(&sets->sets, &sets->room, sets->used + groups,
			    sizeof(*sets->sets)))
		return -1;
	return rspb_array_grow(&sets->pool, &sets->pool_room,
			       sets->pool_used + patches,
			       sizeof(*sets->pool));
}

/* The least power of two, as its exponent, that holds count patches. */
static uint32_t kind_for(uint32_t count)
{
	return count < 2 ? 0 : 32 - (uint32_t)__builtin_clz(count - 1);
}

static uint32_t take_row(struct rspb_gapsets *sets, uint32_t kind)
{
	uint32_t first = sets->free_patch[kind];

	if (first != UINT32_MAX) {
		sets->free_patch[kind] = sets->pool[first].word;
		return first;
	}
	first = (uint32_t)sets->pool_used;
	sets->pool_used += (size_t)1 << kind;
	return first;
}

static void give_row(struct rspb_gapsets *sets, uint32_t first, uint32_t kind)
{
	sets->pool[first] = (struct rspb_patch){
		.word = sets->free_patch[kind],
	};
	sets->free_patch[kind] = first;
}

uint32_t rspb_gapsets_make(struct rspb_gapsets *sets, struct rspb_patches nodes)
{
	uint32_t group = sets->free_set;
	struct rspb_gapset *set;

	if (group != UINT32_MAX) {
		sets->free_set = sets->sets[group].first;
		sets->frees--;
	} else {
		group = (uint32_t)sets->used++;
	}
	set = &sets->sets[group];
	set->count = nodes.count;
	set->kind = kind_for(nodes.count);
	set->first = take_row(sets, set->kind);
	memcpy(sets->pool + set->first, nodes.at,
	       nodes.count * sizeof(*nodes.at));
	return group;
}

void rspb_gapsets_drop(struct rspb_gapsets *sets, uint32_t group)
{
	struct rspb_gapset *set = &sets->sets[group];

	give_row(sets, set->first, set->kind);
	*set = (struct rspb_gapset){ .first = sets->free_set };
	sets->free_set = group;
	sets->frees++;
}

/* Merge two rows with no node in common into one. RET its patches. */
static uint32_t merge(struct rspb_patches a, struct rspb_patches b,
		      struct rspb_patch *to)
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

/* Patches that a and b make together. */
static uint32_t merged_count(struct rspb_patches a, struct rspb_patches b)
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

void rspb_gapsets_join(struct rspb_gapsets *sets, uint32_t group,
		       struct rspb_patches nodes)
{
	struct rspb_gapset *set = &sets->sets[group];
	struct rspb_gapset old = *set;
	struct rspb_patches was = rspb_gapsets_of(sets, group);
	uint32_t count = merged_count(was, nodes);

	if (count == was.count) {
		/* All words are there already. */
		struct rspb_patch *at = sets->pool + set->first;

		for (uint32_t i = 0; i < nodes.count; i++) {
			while (at->word != nodes.at[i].word)
				at++;
			at->bits |= nodes.at[i].bits;
		}
		return;
	}
	set->kind = kind_for(count);
	set->first = take_row(sets, set->kind);
	set->count = merge(was, nodes, sets->pool + set->first);
	give_row(sets, old.first, old.kind);
}

void rspb_gapsets_cut(struct rspb_gapsets *sets, uint32_t group,
		      struct rspb_patches nodes)
{
	struct rspb_gapset *set = &sets->sets[group];
	struct rspb_patch *at = sets->pool + set->first;
	uint32_t kept = 0, j = 0;

	for (uint32_t i = 0; i < set->count; i++) {
		struct rspb_patch patch = at[i];

		if (j < nodes.count && nodes.at[j].word == patch.word)
			patch.bits &= ~nodes.at[j++].bits;
		at[kept] = patch;
		kept += patch.bits != 0;
	}
	set->count = kept;
}

uint32_t rspb_patches_size(struct rspb_patches nodes)
{
	uint32_t size = 0;

	for (uint32_t i = 0; i < nodes.count; i++)
		size += rspb_bits_count(nodes.at[i].bits);
	return size;
}

uint32_t rspb_patches_common(struct rspb_patches nodes,
			     const struct rspb_nodeset *with)
{
	uint32_t size = 0;

	for (uint32_t i = 0; i < nodes.count; i++)
		size += rspb_bits_count(nodes.at[i].bits &
					rspb_nodeset_word(with,
							  nodes.at[i].word));
	return size;
}

uint32_t rspb_patches_within(struct rspb_patches nodes,
			     const struct rspb_nodeset *with,
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
		set->bits[nodes.at[i].word / 2] |=
			(uint64_t)nodes.at[i].bits << (nodes.at[i].word % 2 *
						       32);
}

void rspb_patches_remove_from(struct rspb_patches nodes,
			      struct rspb_nodeset *set)
{
	for (uint32_t i = 0; i < nodes.count; i++)
		set->bits[nodes.at[i].word / 2] &=
			~((uint64_t)nodes.at[i].bits << (nodes.at[i].word % 2 *
							 32));
}

uint32_t rspb_patches_from(const struct rspb_nodeset *set,
			   struct rspb_patch *to)
{
	uint32_t n = 0;

	for (uint32_t word = 0; word < 2 * set->words; word++) {
		uint32_t bits = rspb_nodeset_word(set, word);

		to[n] = (struct rspb_patch){ word, bits };
		n += bits != 0;
	}
	return n;
}
