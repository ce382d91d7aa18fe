/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups of free gaps, the form of a profile for sets that keep together. */
#include <inttypes.h>
#include <string.h>

#include "common/base/array.h"
#include "common/calendar/internal.h"

void rspb_groups_blank(struct rspb_profile *profile)
{
	struct rspb_scratch *scratch = profile->scratch;

	rspb_gapsets_init(&profile->sets, scratch->spread);
	rspb_order_init(&profile->begins, &profile->sets, profile->nodes,
			&scratch->hints[0]);
	rspb_order_init(&profile->ends, NULL, profile->nodes,
			&scratch->hints[1]);
	rspb_order_init(&profile->records, NULL, profile->nodes,
			&scratch->hints[2]);
}

/* Every node has the one gap that begins and ends nowhere. */
static int groups_init(struct rspb_profile *profile)
{
	struct rspb_nodeset *rest = profile->scratch->rest;
	struct rspb_scratch *scratch = profile->scratch;
	struct rspb_patches all;

	if (!profile->nodes)
		return 0;
	if (rspb_array_grow(&scratch->patches, &scratch->patch_room,
			    (size_t) 2 * rest->words,
			    sizeof(*scratch->patches)) ||
	    rspb_index_reserve(profile, 1))
		return -1;
	rspb_nodeset_fill(rest);
	all.at = scratch->patches;
	all.count = rspb_patches_from(rest, scratch->patches);
	rspb_index_give(profile, RSPB_TIME_MIN, RSPB_TIME_MAX, all,
			profile->nodes);
	return 0;
}

/*
 * Take [start, end) out of the gaps that were collected. RET -1 without
 * memory, nothing changed.
 */
static int carve(struct rspb_profile *profile, int64_t start, int64_t end)
{
	const struct rspb_scratch *scratch = profile->scratch;
	int64_t before = 0, behind = 0;

	if (rspb_index_reserve(profile, 2 * scratch->touched_count))
		return -1;
	for (size_t i = 0; i < scratch->touched_count; i++) {
		const struct rspb_touched *gap = &scratch->touched[i];
		struct rspb_patches nodes = rspb_touched_nodes(scratch, i);

		if (gap->begin < start && start > profile->now) {
			rspb_index_shorten(profile, gap->begin, gap->end, start,
					   nodes, gap->size);
			before += gap->size;
		} else {
			rspb_index_take(profile, gap->begin, gap->end, nodes,
					gap->size);
			rspb_index_record(profile, gap->begin,
					  -(int64_t) gap->size, 0);
		}
		if (gap->end > end) {
			rspb_index_give(profile, end, gap->end, nodes,
					gap->size);
			behind += gap->size;
		} else {
			rspb_index_record(profile, gap->end, 0,
					  -(int64_t) gap->size);
		}
	}
	rspb_index_record(profile, start, 0, before);
	rspb_index_record(profile, end, behind, 0);
	return 0;
}

static int groups_add(struct rspb_profile *profile, int64_t start, int64_t end,
		      const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	int64_t found = rspb_index_collect(profile, start, end, nodes, true);

	if (found < 0)
		return rspb_profile_no_memory(err);
	if (found < rspb_nodeset_count(nodes))
		return rspb_profile_not_free(start, end, err);
	return carve(profile, start, end) ? rspb_profile_no_memory(err) : 0;
}

static int groups_cover(struct rspb_profile *profile, int64_t start,
			int64_t end, const struct rspb_nodeset *nodes,
			struct rspb_err *err)
{
	if (rspb_index_collect(profile, end - 1, start + 1, nodes, false) < 0 ||
	    carve(profile, start, end))
		return rspb_profile_no_memory(err);
	return 0;
}

/* Collect the gaps of nodes that have this key in an order. RET as collect. */
static int64_t collect_at(const struct rspb_profile *profile,
			  const struct rspb_order *order, int64_t key,
			  const struct rspb_nodeset *nodes)
{
	bool by_begin = order == &profile->begins;
	struct rspb_cursor cursor = rspb_cursor_at(
		order, rspb_order_find(order, key, RSPB_TIME_MIN));
	int64_t found = 0;

	for (; cursor.at->key == key; rspb_cursor_next(&cursor)) {
		const struct rspb_entry *at = cursor.at;
		int64_t size = rspb_index_touch(profile,
						by_begin ? key : at->other,
						by_begin ? at->other : key, at,
						nodes);

		if (size < 0)
			return -1;
		found += size;
	}
	return found;
}

/* Write label onto each node. */
static void label_nodes(uint32_t *labels, struct rspb_patches nodes,
			uint32_t label)
{
	for (uint32_t i = 0; i < nodes.count; i++)
		for (uint32_t bits = nodes.at[i].bits; bits; bits &= bits - 1)
			labels[nodes.at[i].word * 32 +
			       (uint32_t) __builtin_ctz(bits)] = label;
}

/*
 * Move those nodes of `from` that carry the label of its first one to `to`.
 * RET patches moved; *count is what stays.
 */
static uint32_t pull_label(const uint32_t *labels, struct rspb_patch *from,
			   uint32_t *count, struct rspb_patch *to)
{
	uint32_t label =
		labels[from->word * 32 + (uint32_t) __builtin_ctz(from->bits)];
	uint32_t moved = 0, kept = 0;

	for (uint32_t i = 0; i < *count; i++) {
		struct rspb_patch patch = from[i];
		uint32_t mine = 0;

		for (uint32_t bits = patch.bits; bits; bits &= bits - 1) {
			uint32_t n = (uint32_t) __builtin_ctz(bits);

			if (labels[patch.word * 32 + n] == label)
				mine |= UINT32_C(1) << n;
		}
		to[moved] = (struct rspb_patch){ patch.word, mine };
		moved += mine != 0;
		from[kept] = (struct rspb_patch){ patch.word,
						  patch.bits & ~mine };
		kept += from[kept].bits != 0;
	}
	*count = kept;
	return moved;
}

/*
 * The gaps that one side's group of nodes gets back: as many as there are
 * gaps on the other side to join with. Labels name these, `none` nothing.
 */
static void give_joined(struct rspb_profile *profile, int64_t begin,
			int64_t end, struct rspb_patch *nodes, uint32_t count,
			uint32_t none, struct rspb_patch *piece)
{
	const struct rspb_scratch *scratch = profile->scratch;

	while (count) {
		uint32_t label =
			scratch->labels[nodes->word * 32 +
					(uint32_t) __builtin_ctz(nodes->bits)];
		struct rspb_patches got = { piece, 0 };

		got.count = pull_label(scratch->labels, nodes, &count, piece);
		rspb_index_give(profile, begin,
				label == none ? end
					      : scratch->touched[label].end,
				got, rspb_patches_size(got));
	}
}

/*
 * Give [start, end) back to nodes. In scratch->touched are the gaps that end
 * at start (`lefts` of them), then those that begin at end.
 */
static void restore(struct rspb_profile *profile, int64_t start, int64_t end,
		    const struct rspb_nodeset *nodes, size_t lefts)
{
	struct rspb_scratch *scratch = profile->scratch;
	struct rspb_patch *piece = scratch->patches + scratch->patch_count;
	uint32_t none = (uint32_t) scratch->touched_count;
	struct rspb_patch *alone;
	uint32_t count;

	alone = piece + 2 * nodes->words;
	count = rspb_patches_from(nodes, alone);
	label_nodes(scratch->labels, (struct rspb_patches){ alone, count },
		    none);
	rspb_nodeset_copy(scratch->rest, nodes);
	for (size_t i = 0; i < scratch->touched_count; i++) {
		const struct rspb_touched *gap = &scratch->touched[i];
		struct rspb_patches got = rspb_touched_nodes(scratch, i);

		rspb_index_take(profile, gap->begin, gap->end, got, gap->size);
		if (i >= lefts)
			label_nodes(scratch->labels, got, (uint32_t) i);
		else
			rspb_patches_remove_from(got, scratch->rest);
	}
	for (size_t i = 0; i < lefts; i++) {
		const struct rspb_touched *gap = &scratch->touched[i];

		give_joined(profile, gap->begin, end,
			    scratch->patches + gap->first, gap->count, none,
			    piece);
	}
	count = rspb_patches_from(scratch->rest, alone);
	give_joined(profile, start, end, alone, count, none, piece);
}

static int groups_remove(struct rspb_profile *profile, int64_t start,
			 int64_t end, const struct rspb_nodeset *nodes,
			 struct rspb_err *err)
{
	struct rspb_scratch *scratch = profile->scratch;
	int64_t size = rspb_nodeset_count(nodes);
	int64_t left = 0, right;
	size_t lefts;

	if (rspb_index_free_within(profile, start, end, nodes))
		return rspb_profile_not_booked(start, end, err);
	scratch->patch_count = 0;
	scratch->touched_count = 0;
	if (start > profile->now)
		left = collect_at(profile, &profile->ends, start, nodes);
	lefts = scratch->touched_count;
	right = collect_at(profile, &profile->begins, end, nodes);
	if (left < 0 || right < 0 ||
	    rspb_array_grow(&scratch->patches, &scratch->patch_room,
			    scratch->patch_count + (size_t) 4 * nodes->words,
			    sizeof(*scratch->patches)) ||
	    rspb_index_reserve(profile, (size_t) size + 1))
		return rspb_profile_no_memory(err);
	restore(profile, start, end, nodes, lefts);
	rspb_index_record(profile, start, size - left, -left);
	rspb_index_record(profile, end, -right, size - right);
	return 0;
}

static int groups_advance(struct rspb_profile *profile, int64_t now,
			  struct rspb_err *err)
{
	struct rspb_place first = { 0, 0 };
	const struct rspb_entry *at;

	(void) err;
	while ((at = rspb_order_at(&profile->ends, first)) && at->key <= now) {
		rspb_order_erase(&profile->begins,
				 rspb_order_find(&profile->begins, at->other,
						 at->key));
		rspb_gapsets_drop(&profile->sets, at);
		rspb_order_erase(&profile->ends, first);
	}
	while ((at = rspb_order_at(&profile->records, first)) && at->key <= now)
		rspb_order_erase(&profile->records, first);
	return 0;
}

static void groups_stats(const struct rspb_profile *profile,
			 struct rspb_profile_stats *stats)
{
	const struct rspb_order *records = &profile->records;

	stats->points = records->entries;
	stats->groups = profile->begins.entries;
	stats->bytes += rspb_gapsets_bytes(&profile->sets) +
			rspb_order_bytes(&profile->begins) +
			rspb_order_bytes(&profile->ends) +
			rspb_order_bytes(records);
}

static int64_t groups_last(const struct rspb_profile *profile)
{
	const struct rspb_order *records = &profile->records;
	size_t slots = records->chunks;

	if (!slots)
		return profile->now;
	return rspb_order_chunk(records,
				slots - 1)[records->slots[slots - 1].count - 1]
		.key;
}

static int groups_clone(struct rspb_profile *to,
			const struct rspb_profile *from)
{
	return rspb_gapsets_clone(&to->sets, &from->sets) ||
			       rspb_order_clone(&to->begins, &from->begins) ||
			       rspb_order_clone(&to->ends, &from->ends) ||
			       rspb_order_clone(&to->records, &from->records)
		       ? -1
		       : 0;
}

static void groups_fini(struct rspb_profile *profile)
{
	rspb_order_fini(&profile->begins);
	rspb_order_fini(&profile->ends);
	rspb_order_fini(&profile->records);
	rspb_gapsets_fini(&profile->sets);
	rspb_groups_blank(profile);
}

const struct rspb_profile_form rspb_profile_groups = {
	.init = groups_init,
	.clone = groups_clone,
	.fini = groups_fini,
	.add = groups_add,
	.remove = groups_remove,
	.cover = groups_cover,
	.advance = groups_advance,
	.last = groups_last,
	.free_over = rspb_groups_free_over,
	.peak = rspb_groups_peak,
	.load = rspb_groups_load,
	.gaps = rspb_groups_gaps,
	.measure = rspb_groups_measure,
	.search = rspb_groups_search,
	.candidates = rspb_groups_candidates,
	.records = rspb_groups_records,
	.stats = groups_stats,
	.validate = rspb_groups_validate,
};
