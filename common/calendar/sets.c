/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of nodes take no memory here. What is no run is a row of patches in one
 * pool; rows have room for a power of two, and given-up rows wait in a list
 * for each power. Indices, not pointers, so that a copy of the pool is a copy
 * of all sets.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/calendar/sets.h"

void rspb_gapsets_init(struct rspb_gapsets *sets, struct rspb_patch *spread)
{
	*sets = (struct rspb_gapsets){ .free_set = UINT32_MAX,
				       .spread = spread };
	for (int i = 0; i < RSPB_GAPSET_KINDS; i++)
		sets->free_patch[i] = UINT32_MAX;
}

int rspb_gapsets_clone(struct rspb_gapsets *to, const struct rspb_gapsets *from)
{
	struct rspb_patch *spread = to->spread;

	*to = *from;
	to->spread = spread;
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
			       sets->pool_used + patches, sizeof(*sets->pool));
}

/* The least power of two, as its exponent, that holds count patches. */
static uint32_t kind_for(uint32_t count)
{
	return count < 2 ? 0 : 32 - (uint32_t) __builtin_clz(count - 1);
}

static uint32_t take_row(struct rspb_gapsets *sets, uint32_t kind)
{
	uint32_t first = sets->free_patch[kind];

	if (first != UINT32_MAX) {
		sets->free_patch[kind] = sets->pool[first].word;
		return first;
	}
	first = (uint32_t) sets->pool_used;
	sets->pool_used += (size_t) 1 << kind;
	return first;
}

static void give_row(struct rspb_gapsets *sets, uint32_t first, uint32_t kind)
{
	sets->pool[first] = (struct rspb_patch){
		.word = sets->free_patch[kind],
	};
	sets->free_patch[kind] = first;
}

/* RET what names the run from `first` to `last` of so many nodes, 0: it is
 * none, or begins where it can't be named. */
static uint32_t run_named(uint32_t first, uint32_t last, uint32_t size)
{
	return last - first + 1 == size && first < RSPB_RUN ? RSPB_RUN + first
							    : 0;
}

static uint32_t first_node(struct rspb_patches nodes)
{
	return nodes.at->word * 32 + (uint32_t) __builtin_ctz(nodes.at->bits);
}

static uint32_t last_node(struct rspb_patches nodes)
{
	const struct rspb_patch *last = nodes.at + nodes.count - 1;

	return last->word * 32 + 31 - (uint32_t) __builtin_clz(last->bits);
}

/* A set with an empty row that has room for so many patches. */
static uint32_t new_set(struct rspb_gapsets *sets, uint32_t patches)
{
	uint32_t group = sets->free_set;
	struct rspb_gapset *set;

	if (group != UINT32_MAX) {
		sets->free_set = sets->sets[group].first;
		sets->frees--;
	} else {
		group = (uint32_t) sets->used++;
	}
	set = &sets->sets[group];
	set->count = 0;
	set->kind = kind_for(patches);
	set->first = take_row(sets, set->kind);
	return group;
}

uint32_t rspb_gapsets_make(struct rspb_gapsets *sets, struct rspb_patches nodes,
			   uint32_t size)
{
	uint32_t group = run_named(first_node(nodes), last_node(nodes), size);
	struct rspb_gapset *set;

	if (group)
		return group;
	group = new_set(sets, nodes.count);
	set = &sets->sets[group];
	set->count = nodes.count;
	memcpy(sets->pool + set->first, nodes.at,
	       nodes.count * sizeof(*nodes.at));
	return group;
}

void rspb_gapsets_drop(struct rspb_gapsets *sets,
		       const struct rspb_entry *entry)
{
	struct rspb_gapset *set;

	if (rspb_entry_is_run(entry))
		return;
	set = &sets->sets[entry->group];
	give_row(sets, set->first, set->kind);
	*set = (struct rspb_gapset){ .first = sets->free_set };
	sets->free_set = entry->group;
	sets->frees++;
}

/* The patches of a run. */
static struct rspb_patches spread(struct rspb_run run, struct rspb_patch *to)
{
	uint32_t word = run.first / 32, count = 0;
	uint32_t last = (run.first + run.size - 1) / 32;

	for (; word <= last; word++)
		to[count++] = (struct rspb_patch){ word, UINT32_MAX };
	to[0].bits <<= run.first % 32;
	to[count - 1].bits &= UINT32_MAX >>
			      (31 - (run.first + run.size - 1) % 32);
	return (struct rspb_patches){ to, count };
}

struct rspb_patches rspb_gapsets_of(const struct rspb_gapsets *sets,
				    const struct rspb_entry *entry)
{
	const struct rspb_gapset *set;

	if (rspb_entry_is_run(entry))
		return spread(rspb_entry_run(entry), sets->spread);
	set = &sets->sets[entry->group];
	return (struct rspb_patches){ sets->pool + set->first, set->count };
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

/* Add patches whose words are all there. */
static void add_here(struct rspb_patch *at, struct rspb_patches nodes)
{
	for (uint32_t i = 0; i < nodes.count; i++) {
		while (at->word != nodes.at[i].word)
			at++;
		at->bits |= nodes.at[i].bits;
	}
}

uint32_t rspb_gapsets_join(struct rspb_gapsets *sets,
			   const struct rspb_entry *entry,
			   struct rspb_patches nodes, uint32_t size)
{
	struct rspb_patches was = rspb_gapsets_of(sets, entry);
	uint32_t first = first_node(nodes), last = last_node(nodes);
	uint32_t group, count;

	first = first < first_node(was) ? first : first_node(was);
	last = last > last_node(was) ? last : last_node(was);
	group = run_named(first, last, entry->size + size);
	if (!group) {
		count = merged_count(was, nodes);
		if (count == was.count && !rspb_entry_is_run(entry)) {
			add_here(sets->pool + sets->sets[entry->group].first,
				 nodes);
			return entry->group;
		}
		group = new_set(sets, count);
		sets->sets[group].count =
			merge(was, nodes, sets->pool + sets->sets[group].first);
	}
	rspb_gapsets_drop(sets, entry);
	return group;
}

/* to = at without nodes, may be at. RET patches. */
static uint32_t cut(struct rspb_patches from, struct rspb_patches nodes,
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

uint32_t rspb_gapsets_cut(struct rspb_gapsets *sets,
			  const struct rspb_entry *entry,
			  struct rspb_patches nodes, uint32_t size)
{
	struct rspb_patches rest = rspb_gapsets_of(sets, entry);
	struct rspb_gapset *set;
	uint32_t group;

	if (rspb_entry_is_run(entry)) {
		rest.count = cut(rest, nodes, sets->spread);
		return rspb_gapsets_make(sets, rest, entry->size - size);
	}
	set = &sets->sets[entry->group];
	set->count = rest.count = cut(rest, nodes, sets->pool + set->first);
	group = run_named(first_node(rest), last_node(rest),
			  entry->size - size);
	if (!group)
		return entry->group;
	rspb_gapsets_drop(sets, entry);
	return group;
}

/* RET whether a node is in both; a loop that most sets leave at once. */
static bool meet(struct rspb_patches nodes, const struct rspb_nodeset *with)
{
	uint32_t met = 0;

	for (uint32_t i = 0; i < nodes.count && !met; i++)
		met = nodes.at[i].bits &
		      rspb_nodeset_word(with, nodes.at[i].word);
	return met;
}

bool rspb_gapsets_meet(const struct rspb_gapsets *sets,
		       const struct rspb_entry *entry,
		       const struct rspb_nodeset *with)
{
	struct rspb_run run = rspb_entry_run(entry);

	if (!rspb_entry_is_run(entry))
		return meet(rspb_gapsets_of(sets, entry), with);
	for (uint32_t w = run.first / 64; w <= rspb_run_last_word(run); w++)
		if (with->bits[w] & rspb_run_bits(run, w))
			return true;
	return false;
}

static uint32_t common(struct rspb_patches nodes,
		       const struct rspb_nodeset *with)
{
	uint32_t size = 0;

	for (uint32_t i = 0; i < nodes.count; i++)
		size += rspb_bits_count(
			nodes.at[i].bits &
			rspb_nodeset_word(with, nodes.at[i].word));
	return size;
}

uint32_t rspb_gapsets_common(const struct rspb_gapsets *sets,
			     const struct rspb_entry *entry,
			     const struct rspb_nodeset *with)
{
	struct rspb_run run = rspb_entry_run(entry);
	uint32_t size = 0;

	if (!rspb_entry_is_run(entry))
		return common(rspb_gapsets_of(sets, entry), with);
	for (uint32_t w = run.first / 64; w <= rspb_run_last_word(run); w++) {
		uint64_t both = with->bits[w] & rspb_run_bits(run, w);

		size += rspb_bits_count((uint32_t) both) +
			rspb_bits_count((uint32_t) (both >> 32));
	}
	return size;
}

void rspb_gapsets_add_to(const struct rspb_gapsets *sets,
			 const struct rspb_entry *entry,
			 struct rspb_nodeset *set)
{
	if (rspb_entry_is_run(entry))
		rspb_run_add_to(rspb_entry_run(entry), set->bits);
	else
		rspb_patches_add_to(rspb_gapsets_of(sets, entry), set);
}

uint32_t rspb_patches_size(struct rspb_patches nodes)
{
	uint32_t size = 0;

	for (uint32_t i = 0; i < nodes.count; i++)
		size += rspb_bits_count(nodes.at[i].bits);
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
		set->bits[nodes.at[i].word / 2] |= (uint64_t) nodes.at[i].bits
						   << (nodes.at[i].word % 2 *
						       32);
}

void rspb_patches_remove_from(struct rspb_patches nodes,
			      struct rspb_nodeset *set)
{
	for (uint32_t i = 0; i < nodes.count; i++)
		set->bits[nodes.at[i].word / 2] &= ~(
			(uint64_t) nodes.at[i].bits
			<< (nodes.at[i].word % 2 * 32));
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
