/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The node sets of gap groups. Nine in ten are one run of nodes, so an entry
 * of an order names such a run itself; what is not a run is a row of patches.
 */
#ifndef RSPB_CALENDAR_SETS_H
#define RSPB_CALENDAR_SETS_H

#include <string.h>

#include "common/base/nodeset.h"
#include "common/calendar/pages.h"

/* Nodes of a patch. A scattered set has few of 32 nodes in a row, so smaller patches take less
 * memory. RSPB_PROFILE_NODES are 2^16 patches. */
enum { RSPB_PATCH = 16 };

/* 16 nodes of a sparse set; bits is never 0. */
struct rspb_patch {
	uint16_t word; /* nodes 16 word .. 16 word + 15 */
	uint16_t bits;
};

/* A place of a row, the first of which is its head. */
union rspb_cell {
	struct rspb_patch patch;
	uint32_t head; /* see sets.c */
};

/* A sparse node set: patches by rising word, owned by someone else. */
struct rspb_patches {
	const struct rspb_patch *at;
	uint32_t count;
};

enum { RSPB_ROW_KINDS = 128 };

/*
 * Sets that are no runs, each a row of patches in pages that copies share. The
 * first cell of a row says how many are in use and how many there is room for;
 * of a row that is not in use, which is the next such one.
 */
struct rspb_gapsets {
	struct rspb_page **at;
	size_t count, room;	 /* pages */
	struct rspb_pages pages; /* each of 1 << shift cells */
	uint32_t shift;
	uint32_t used;			   /* cells of the last page */
	size_t rows;			   /* in use */
	uint32_t free_row[RSPB_ROW_KINDS]; /* heads, UINT32_MAX: none */
};

/* A line of an order. In the order of begins, key is the begin and other the end; in the order of
 * ends it is the other way round. In the order of records, key is the time, size the nodes that
 * become free then, and group the nodes that cease to be free. */
struct rspb_entry {
	int64_t key;
	int64_t other;
	uint32_t size;	/* nodes of the group */
	uint32_t group; /* RSPB_RUN + the first of a run, or a row's place */
};

#define RSPB_RUN UINT32_C(0x80000000)

/* Nodes first..first + size - 1. */
struct rspb_run {
	uint32_t first, size;
};

static inline bool rspb_entry_is_run(const struct rspb_entry *entry)
{
	return entry->group & RSPB_RUN;
}

static inline struct rspb_run rspb_entry_run(const struct rspb_entry *entry)
{
	return (struct rspb_run){ entry->group & ~RSPB_RUN, entry->size };
}

/* RET the nodes 64 word .. 64 word + 63 that are in the run, which has some of them. */
static inline uint64_t rspb_run_bits(struct rspb_run run, uint32_t word)
{
	uint32_t last = run.first + run.size - 1;
	uint64_t bits = UINT64_MAX;

	if (run.first / 64 == word)
		bits <<= run.first % 64;
	if (last / 64 == word)
		bits &= UINT64_MAX >> (63 - last % 64);
	return bits;
}

static inline uint32_t rspb_run_last_word(struct rspb_run run)
{
	return (run.first + run.size - 1) / 64;
}

/* Add a run to a row of bits. */
static inline void rspb_run_add_to(struct rspb_run run, uint64_t *bits)
{
	for (uint32_t w = run.first / 64; w <= rspb_run_last_word(run); w++)
		bits[w] |= rspb_run_bits(run, w);
}

static inline uint32_t rspb_bits_count(uint32_t bits)
{
	bits -= bits >> 1 & 0x55555555;
	bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
	bits = (bits + (bits >> 4)) & 0x0f0f0f0f;
	return bits * 0x01010101 >> 24;
}

/* The nodes of a set, no slim one, that a patch's word stands for. */
static inline uint32_t rspb_nodeset_word(const struct rspb_nodeset *set, uint32_t word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint16_t bits;

	memcpy(&bits, (const char *) set->bits + word * sizeof(bits), sizeof(bits));
	return bits;
#else
	return (uint16_t) (set->bits[word / 4] >> (word % 4 * RSPB_PATCH));
#endif
}

/* A patch's nodes within the 64 of bits[patch.word / 4]. */
static inline uint64_t rspb_patch_wide(struct rspb_patch patch)
{
	return (uint64_t) patch.bits << (patch.word % 4 * RSPB_PATCH);
}

/* Rows for sets of so many nodes. */
void rspb_gapsets_init(struct rspb_gapsets *sets, uint32_t nodes);
/* Let sets that were just made have the same pages. RET -1 without memory. */
int rspb_gapsets_share(struct rspb_gapsets *to, const struct rspb_gapsets *from);
void rspb_gapsets_fini(struct rspb_gapsets *sets);
/* Room for rows of so many patches more, and for copies of so many pages. RET
 * -1 without memory. */
int rspb_gapsets_reserve(struct rspb_gapsets *sets, size_t patches, size_t changes);
/* Make the number by which an entry names its set: from nodes, from an entry's set with more nodes,
 * or from one with fewer, which then has `size` nodes. The entry's own set is gone after that.
 * These never fail within what was reserved. Spread is the caller's: eight
 * patches for each word of a node set. */
uint32_t rspb_gapsets_make(struct rspb_gapsets *sets, struct rspb_patches nodes, uint32_t size);
uint32_t rspb_gapsets_join(struct rspb_gapsets *sets, const struct rspb_entry *entry,
			   struct rspb_patches nodes, uint32_t size, struct rspb_patch *spread);
uint32_t rspb_gapsets_cut(struct rspb_gapsets *sets, const struct rspb_entry *entry,
			  const struct rspb_nodeset *nodes, uint32_t size,
			  struct rspb_patch *spread);
void rspb_gapsets_drop(struct rspb_gapsets *sets, const struct rspb_entry *entry);

/* RET an entry's nodes, of a run in spread; of one that is no run. They hold
 * until sets are changed. */
struct rspb_patches rspb_gapsets_of(const struct rspb_gapsets *sets, const struct rspb_entry *entry,
				    struct rspb_patch *spread);
struct rspb_patches rspb_gapsets_row(const struct rspb_gapsets *sets,
				     const struct rspb_entry *entry);
/* Have an entry's row, if it is one, come from memory. */
void rspb_gapsets_fetch(const struct rspb_gapsets *sets, const struct rspb_entry *entry);
/* RET whether a node of an entry is in `with`, and how many are. */
bool rspb_gapsets_meet(const struct rspb_gapsets *sets, const struct rspb_entry *entry,
		       const struct rspb_nodeset *with);
uint32_t rspb_gapsets_common(const struct rspb_gapsets *sets, const struct rspb_entry *entry,
			     const struct rspb_nodeset *with);
void rspb_gapsets_add_to(const struct rspb_gapsets *sets, const struct rspb_entry *entry,
			 struct rspb_nodeset *set);

/* --- patches (patches.c) --- */

uint32_t rspb_patches_first(struct rspb_patches nodes);
uint32_t rspb_patches_last(struct rspb_patches nodes);
struct rspb_patches rspb_run_patches(struct rspb_run run, struct rspb_patch *to);
/* Put the patches that two sets make together into `to`, which has room for all. RET how many. */
uint32_t rspb_patches_merge(struct rspb_patches a, struct rspb_patches b, struct rspb_patch *to);
/* to, which may be from, = from without nodes. RET patches. */
uint32_t rspb_patches_cut(struct rspb_patches from, const struct rspb_nodeset *nodes,
			  struct rspb_patch *to);
uint32_t rspb_patches_size(struct rspb_patches nodes);
/* to = nodes within `with`; to has room for nodes.count. RET patches. */
uint32_t rspb_patches_within(struct rspb_patches nodes, const struct rspb_nodeset *with,
			     struct rspb_patch *to);
void rspb_patches_add_to(struct rspb_patches nodes, struct rspb_nodeset *set);
void rspb_patches_remove_from(struct rspb_patches nodes, struct rspb_nodeset *set);
/* RET the patches of set; to has room for all its words. */
uint32_t rspb_patches_from(const struct rspb_nodeset *set, struct rspb_patch *to);

#endif
