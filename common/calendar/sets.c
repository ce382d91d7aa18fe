/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of nodes take no memory here. What is no run is a row of patches; rows have room for some
 * more, and given-up rows wait in a list for each size.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/calendar/sets.h"

/* Cells of a page, at least, as an exponent: 4 kB. */
enum { LEAST_SHIFT = 10, NO_ROW = UINT32_MAX };

/* Cells of the rows of a kind: four kinds between a power of two and the next. */
static uint32_t cells_of(uint32_t kind)
{
	return kind < 8 ? kind : (4 + kind % 4) << (kind / 4 - 1);
}

/* RET the largest kind with rows of no more than so many cells, which are not 0. */
static uint32_t kind_within(uint32_t cells)
{
	uint32_t power = 31 - (uint32_t) __builtin_clz(cells);

	return cells < 8 ? cells : 4 * (power - 1) + (cells >> (power - 2)) % 4;
}

/* RET the smallest kind with rows of at least so many cells. */
static uint32_t kind_for(uint32_t cells)
{
	uint32_t kind = kind_within(cells);

	return kind + (cells_of(kind) < cells);
}

void rspb_gapsets_init(struct rspb_gapsets *sets, uint32_t nodes)
{
	/* Any set fits into a page, with its head. */
	uint32_t shift = 32 - (uint32_t) __builtin_clz(nodes / RSPB_PATCH + 1);

	*sets = (struct rspb_gapsets){
		.shift = shift > LEAST_SHIFT ? shift : LEAST_SHIFT,
	};
	sets->pages.size = sizeof(struct rspb_page) + (sizeof(union rspb_cell) << sets->shift);
	for (int i = 0; i < RSPB_ROW_KINDS; i++)
		sets->free_row[i] = NO_ROW;
}

int rspb_gapsets_share(struct rspb_gapsets *to, const struct rspb_gapsets *from)
{
	struct rspb_gapsets copy = *from;

	copy.at = malloc(from->count * sizeof(*copy.at) + 1);
	if (!copy.at)
		return -1;
	copy.room = from->count;
	/* Each index has spare pages of its own; only pages with rows are common. */
	copy.pages = to->pages;
	*to = copy;
	for (size_t i = 0; i < to->count; i++) {
		to->at[i] = from->at[i];
		rspb_page_share(to->at[i]);
	}
	return 0;
}

void rspb_gapsets_fini(struct rspb_gapsets *sets)
{
	for (size_t i = 0; i < sets->count; i++)
		rspb_page_drop(sets->at[i]);
	rspb_pages_fini(&sets->pages);
	free(sets->at);
}

int rspb_gapsets_reserve(struct rspb_gapsets *sets, size_t patches, size_t changes)
{
	/* A set that does not fit into the rest of a page begins the next page, so half of each may
	 * stay empty. */
	size_t pages = (2 * patches >> sets->shift) + 2;

	if (changes > sets->count + pages)
		changes = sets->count + pages;
	if (rspb_array_grow(&sets->at, &sets->room, sets->count + pages, sizeof(*sets->at)))
		return -1;
	return rspb_pages_reserve(&sets->pages, pages + changes);
}

/* The head of a row in use: its patches, and its kind. */
enum { KIND_BITS = 7 };

static uint32_t head_of(uint32_t patches, uint32_t kind)
{
	return patches << KIND_BITS | kind;
}

static uint32_t kind_of(const union rspb_cell *row)
{
	return row->head % (1 << KIND_BITS);
}

static bool fits(const union rspb_cell *row, uint32_t patches)
{
	return patches < cells_of(kind_of(row));
}

static struct rspb_patches patches_of(const union rspb_cell *row)
{
	return (struct rspb_patches){ &row[1].patch, row->head >> KIND_BITS };
}

static const union rspb_cell *row_at(const struct rspb_gapsets *sets, uint32_t row)
{
	const struct rspb_page *page = sets->at[row >> sets->shift];

	return (const union rspb_cell *) (page + 1) + (row & ((UINT32_C(1) << sets->shift) - 1));
}

/* RET the row at a place, to write to. A page that another copy has is copied first, with a page
 * that was reserved. */
static union rspb_cell *edit_row(struct rspb_gapsets *sets, uint32_t row)
{
	struct rspb_page **page = &sets->at[row >> sets->shift];

	*page = rspb_pages_own(&sets->pages, *page);
	return (union rspb_cell *) (*page + 1) + (row & ((UINT32_C(1) << sets->shift) - 1));
}

/* Chain a row that is not in use to the others of its kind. */
static void give_row(struct rspb_gapsets *sets, uint32_t row, uint32_t kind)
{
	edit_row(sets, row)->head = sets->free_row[kind];
	sets->free_row[kind] = row;
}

/* Begin a new page; what is left of the last one becomes free rows. */
static void open_page(struct rspb_gapsets *sets)
{
	uint32_t size = UINT32_C(1) << sets->shift;

	while (sets->count && sets->used < size) {
		uint32_t kind = kind_within(size - sets->used);
		uint32_t row = (uint32_t) (sets->count - 1) << sets->shift;

		give_row(sets, row + sets->used, kind);
		sets->used += cells_of(kind);
	}
	sets->at[sets->count++] = rspb_pages_take(&sets->pages);
	sets->used = 0;
}

/* RET a row with room for so many patches, of which none is in use. */
static uint32_t take_row(struct rspb_gapsets *sets, uint32_t patches)
{
	uint32_t kind = kind_for(patches + 1);
	uint32_t size = cells_of(kind);
	uint32_t row = sets->free_row[kind];

	sets->rows++;
	if (row != NO_ROW) {
		/* The head of a free row names the next one. */
		sets->free_row[kind] = row_at(sets, row)->head;
	} else {
		/* A row never spans two pages. */
		if (!sets->count || sets->used + size > UINT32_C(1) << sets->shift)
			open_page(sets);
		row = (uint32_t) (sets->count - 1) << sets->shift;
		row += sets->used;
		sets->used += size;
	}
	edit_row(sets, row)->head = head_of(0, kind);
	return row;
}

/* Let a row that has room for them hold these patches. */
static void write_row(union rspb_cell *row, struct rspb_patches nodes)
{
	row->head = head_of(nodes.count, kind_of(row));
	memcpy(row + 1, nodes.at, nodes.count * sizeof(*row));
}

static uint32_t make_row(struct rspb_gapsets *sets, struct rspb_patches nodes)
{
	uint32_t row = take_row(sets, nodes.count);

	write_row(edit_row(sets, row), nodes);
	return row;
}

/* RET what names the run from `first` to `last` of so many nodes, 0: it is
 * none, or begins where it can't be named. */
static uint32_t run_named(uint32_t first, uint32_t last, uint32_t size)
{
	return last - first + 1 == size && first < RSPB_RUN ? RSPB_RUN + first : 0;
}

uint32_t rspb_gapsets_make(struct rspb_gapsets *sets, struct rspb_patches nodes, uint32_t size)
{
	uint32_t group = run_named(rspb_patches_first(nodes), rspb_patches_last(nodes), size);

	return group ? group : make_row(sets, nodes);
}

void rspb_gapsets_drop(struct rspb_gapsets *sets, const struct rspb_entry *entry)
{
	if (rspb_entry_is_run(entry))
		return;
	give_row(sets, entry->group, kind_of(row_at(sets, entry->group)));
	sets->rows--;
}

struct rspb_patches rspb_gapsets_row(const struct rspb_gapsets *sets,
				     const struct rspb_entry *entry)
{
	return patches_of(row_at(sets, entry->group));
}

void rspb_gapsets_fetch(const struct rspb_gapsets *sets, const struct rspb_entry *entry)
{
	enum { LINE = 64 / sizeof(union rspb_cell) };
	const union rspb_cell *row;

	if (rspb_entry_is_run(entry))
		return;
	row = row_at(sets, entry->group);
	__builtin_prefetch(row);
	__builtin_prefetch(row + LINE);
	/* A row has at most as many patches as its set has nodes, so that small sets need no more
	 * lines. */
	for (uint32_t i = 2 * LINE; i <= entry->size && i < 4 * LINE; i += LINE)
		__builtin_prefetch(row + i);
}

struct rspb_patches rspb_gapsets_of(const struct rspb_gapsets *sets, const struct rspb_entry *entry,
				    struct rspb_patch *spread)
{
	if (rspb_entry_is_run(entry))
		return rspb_run_patches(rspb_entry_run(entry), spread);
	return rspb_gapsets_row(sets, entry);
}

uint32_t rspb_gapsets_join(struct rspb_gapsets *sets, const struct rspb_entry *entry,
			   struct rspb_patches nodes, uint32_t size, struct rspb_patch *spread)
{
	struct rspb_patches was = rspb_gapsets_of(sets, entry, spread);
	uint32_t first = rspb_patches_first(nodes), before;
	uint32_t last = rspb_patches_last(nodes), behind;
	struct rspb_patches all = { rspb_entry_is_run(entry) ? spread + was.count : spread, 0 };
	uint32_t group;

	before = rspb_patches_first(was);
	behind = rspb_patches_last(was);
	group = run_named(first < before ? first : before, last > behind ? last : behind,
			  entry->size + size);
	if (!group) {
		/* The patches of a run are in spread already, and the merged ones go after them:
		 * spread has room for both. */
		all.count = rspb_patches_merge(was, nodes, (struct rspb_patch *) all.at);
		if (!rspb_entry_is_run(entry) && fits(row_at(sets, entry->group), all.count)) {
			write_row(edit_row(sets, entry->group), all);
			return entry->group;
		}
		group = make_row(sets, all);
	}
	rspb_gapsets_drop(sets, entry);
	return group;
}

uint32_t rspb_gapsets_cut(struct rspb_gapsets *sets, const struct rspb_entry *entry,
			  const struct rspb_nodeset *nodes, uint32_t size,
			  struct rspb_patch *spread)
{
	struct rspb_patches rest;
	union rspb_cell *row;
	uint32_t group;

	if (rspb_entry_is_run(entry)) {
		rest = rspb_run_patches(rspb_entry_run(entry), spread);
		rest.count = rspb_patches_cut(rest, nodes, spread);
		return rspb_gapsets_make(sets, rest, entry->size - size);
	}
	row = edit_row(sets, entry->group);
	rest = patches_of(row);
	/* A cut never makes more patches, so it is done in place. */
	rest.count = rspb_patches_cut(rest, nodes, &row[1].patch);
	row->head = head_of(rest.count, kind_of(row));
	group = run_named(rspb_patches_first(rest), rspb_patches_last(rest), entry->size - size);
	if (!group) {
		/* A row that is mostly empty is worth a copy. */
		if (2 * (rest.count + 1) > cells_of(kind_of(row)))
			return entry->group;
		/* The patches are read from the old row, whose page belongs to this copy and
		 * therefore stays where it is. */
		group = make_row(sets, rest);
	}
	rspb_gapsets_drop(sets, entry);
	return group;
}

/* RET whether a node is in both: most sets have none in common, and none leaves the loop early. */
static bool meet(struct rspb_patches nodes, const struct rspb_nodeset *with)
{
	uint32_t met = 0;

	for (uint32_t i = 0; i < nodes.count; i++)
		met |= nodes.at[i].bits & rspb_nodeset_word(with, nodes.at[i].word);
	return met;
}

bool rspb_gapsets_meet(const struct rspb_gapsets *sets, const struct rspb_entry *entry,
		       const struct rspb_nodeset *with)
{
	struct rspb_run run = rspb_entry_run(entry);

	if (!rspb_entry_is_run(entry))
		return meet(rspb_gapsets_row(sets, entry), with);
	for (uint32_t w = run.first / 64; w <= rspb_run_last_word(run); w++)
		if (with->bits[w] & rspb_run_bits(run, w))
			return true;
	return false;
}

static uint32_t common(struct rspb_patches nodes, const struct rspb_nodeset *with)
{
	uint32_t size = 0;

	for (uint32_t i = 0; i < nodes.count; i++)
		size += rspb_bits_count(nodes.at[i].bits &
					rspb_nodeset_word(with, nodes.at[i].word));
	return size;
}

uint32_t rspb_gapsets_common(const struct rspb_gapsets *sets, const struct rspb_entry *entry,
			     const struct rspb_nodeset *with)
{
	struct rspb_run run = rspb_entry_run(entry);
	uint32_t size = 0;

	if (!rspb_entry_is_run(entry))
		return common(rspb_gapsets_row(sets, entry), with);
	for (uint32_t w = run.first / 64; w <= rspb_run_last_word(run); w++) {
		uint64_t both = with->bits[w] & rspb_run_bits(run, w);

		size += rspb_bits_count((uint32_t) both) + rspb_bits_count((uint32_t) (both >> 32));
	}
	return size;
}

void rspb_gapsets_add_to(const struct rspb_gapsets *sets, const struct rspb_entry *entry,
			 struct rspb_nodeset *set)
{
	if (rspb_entry_is_run(entry))
		rspb_run_add_to(rspb_entry_run(entry), set->bits);
	else
		rspb_patches_add_to(rspb_gapsets_row(sets, entry), set);
}
