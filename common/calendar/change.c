/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of a profile. */
#include <inttypes.h>
#include <string.h>

#include "common/base/array.h"
#include "common/calendar/internal.h"

/*
 * Take [start, end) out of the gaps that were collected. RET -1 without
 * memory, nothing changed.
 */
static int carve(struct rspb_profile *profile, int64_t start, int64_t end)
{
	const struct rspb_scratch *scratch = profile->scratch;
	int64_t before = 0, behind = 0;

	if (rspb_index_own(profile) ||
	    rspb_index_reserve(profile, 2 * scratch->touched_count, 4 * scratch->touched_count + 4))
		return -1;
	for (size_t i = 0; i < scratch->touched_count; i++) {
		const struct rspb_touched *gap = &scratch->touched[i];
		struct rspb_patches nodes = rspb_touched_nodes(scratch, i);

		if (gap->begin < start && start > profile->now) {
			rspb_index_shorten(profile, gap->begin, gap->end, start, nodes, gap->size);
			before += gap->size;
		} else {
			rspb_index_take(profile, gap->begin, gap->end, nodes, gap->size);
			rspb_index_record(profile, gap->begin, -(int64_t) gap->size, 0);
		}
		if (gap->end > end) {
			rspb_index_give(profile, end, gap->end, nodes, gap->size);
			behind += gap->size;
		} else {
			rspb_index_record(profile, gap->end, 0, -(int64_t) gap->size);
		}
	}
	rspb_index_record(profile, start, 0, before);
	rspb_index_record(profile, end, behind, 0);
	return 0;
}

/* The past is not kept: begin the window at now at the earliest. */
static int check_change(const struct rspb_profile *profile, int64_t *start, int64_t end,
			const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	if (rspb_profile_check_window(*start, end, err) ||
	    rspb_profile_check_width(profile, nodes, err))
		return -1;
	if (*start < profile->now)
		*start = profile->now;
	return 0;
}

int rspb_profile_add(struct rspb_profile *profile, int64_t start, int64_t end,
		     const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	int64_t found;

	if (check_change(profile, &start, end, nodes, err))
		return -1;
	if (rspb_nodeset_empty(nodes))
		return rspb_fail(err, "no nodes were given to book; name at "
				      "least one");
	if (end <= start)
		return 0;
	found = rspb_index_collect(profile, start, end, nodes, true);
	if (found < 0)
		return rspb_profile_no_memory(err);
	if (found < rspb_nodeset_count(nodes))
		return rspb_profile_not_free(start, end, "only free nodes can be booked", err);
	return carve(profile, start, end) ? rspb_profile_no_memory(err) : 0;
}

int rspb_profile_cover(struct rspb_profile *profile, int64_t start, int64_t end,
		       const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	if (check_change(profile, &start, end, nodes, err))
		return -1;
	if (end <= start || rspb_nodeset_empty(nodes))
		return 0;
	if (rspb_index_collect(profile, end - 1, start + 1, nodes, false) < 0 ||
	    carve(profile, start, end))
		return rspb_profile_no_memory(err);
	return 0;
}

/* Collect the gaps of nodes that have this key in an order. RET as collect. */
static int64_t collect_at(const struct rspb_profile *profile, const struct rspb_sorted *order,
			  int64_t key, const struct rspb_nodeset *nodes)
{
	bool by_begin = order == &profile->index->begins;
	struct rspb_cursor cursor = rspb_cursor_at(order,
						   rspb_sorted_find(order, key, RSPB_TIME_MIN));
	int64_t found = 0;

	for (; cursor.at->key == key; rspb_cursor_next(&cursor)) {
		const struct rspb_entry *at = cursor.at;
		int64_t size = rspb_index_touch(profile, by_begin ? key : at->other,
						by_begin ? at->other : key, at, nodes);

		if (size < 0)
			return -1;
		found += size;
	}
	return found;
}

/* Write label onto each node. */
static void label_nodes(uint32_t *labels, struct rspb_patches nodes, uint32_t label)
{
	for (uint32_t i = 0; i < nodes.count; i++)
		for (uint32_t bits = nodes.at[i].bits; bits; bits &= bits - 1)
			labels[nodes.at[i].word * 32 + (uint32_t) __builtin_ctz(bits)] = label;
}

/*
 * Move those nodes of `from` that carry the label of its first one to `to`.
 * RET patches moved; *count is what stays.
 */
static uint32_t pull_label(const uint32_t *labels, struct rspb_patch *from, uint32_t *count,
			   struct rspb_patch *to)
{
	uint32_t label = labels[from->word * 32 + (uint32_t) __builtin_ctz(from->bits)];
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
		from[kept] = (struct rspb_patch){ patch.word, patch.bits & ~mine };
		kept += from[kept].bits != 0;
	}
	*count = kept;
	return moved;
}

/*
 * The gaps that one side's group of nodes gets back: as many as there are
 * gaps on the other side to join with. Labels name these, `none` nothing.
 */
static void give_joined(struct rspb_profile *profile, int64_t begin, int64_t end,
			struct rspb_patch *nodes, uint32_t count, uint32_t none,
			struct rspb_patch *piece)
{
	const struct rspb_scratch *scratch = profile->scratch;

	while (count) {
		uint32_t label =
			scratch->labels[nodes->word * 32 + (uint32_t) __builtin_ctz(nodes->bits)];
		struct rspb_patches got = { piece, 0 };

		got.count = pull_label(scratch->labels, nodes, &count, piece);
		rspb_index_give(profile, begin, label == none ? end : scratch->touched[label].end,
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
	label_nodes(scratch->labels, (struct rspb_patches){ alone, count }, none);
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

		give_joined(profile, gap->begin, end, scratch->patches + gap->first, gap->count,
			    none, piece);
	}
	count = rspb_patches_from(scratch->rest, alone);
	give_joined(profile, start, end, alone, count, none, piece);
}

/* The window is booked throughout. */
static int give_back(struct rspb_profile *profile, int64_t start, int64_t end,
		     const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	struct rspb_scratch *scratch = profile->scratch;
	int64_t size = rspb_nodeset_count(nodes);
	int64_t left = 0, right;
	size_t lefts, gaps;

	scratch->patch_count = 0;
	scratch->touched_count = 0;
	if (start > profile->now)
		left = collect_at(profile, &profile->index->ends, start, nodes);
	lefts = scratch->touched_count;
	right = collect_at(profile, &profile->index->begins, end, nodes);
	/* A node's gap is joined with one of these, or none, on either side. */
	gaps = (lefts + 1) * (scratch->touched_count - lefts + 1);
	if (gaps > (size_t) size)
		gaps = (size_t) size;
	if (left < 0 || right < 0 ||
	    rspb_array_grow(&scratch->patches, &scratch->patch_room,
			    scratch->patch_count + (size_t) 4 * nodes->words,
			    sizeof(*scratch->patches)) ||
	    rspb_index_own(profile) || rspb_index_reserve(profile, gaps, 4 * gaps + 4))
		return rspb_profile_no_memory(err);
	restore(profile, start, end, nodes, lefts);
	rspb_index_record(profile, start, size - left, -left);
	rspb_index_record(profile, end, -right, size - right);
	return 0;
}

int rspb_profile_remove(struct rspb_profile *profile, int64_t start, int64_t end,
			const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	if (check_change(profile, &start, end, nodes, err))
		return -1;
	if (end <= start || rspb_nodeset_empty(nodes))
		return 0;
	if (rspb_index_free_within(profile, start, end, nodes))
		return rspb_fail(err,
				 "a node is not booked all of %" PRId64 " to %" PRId64
				 "; only what was booked can be freed",
				 start, end);
	return give_back(profile, start, end, nodes, err);
}

/* RET how many entries of an order have a key up to time. */
static size_t count_until(const struct rspb_sorted *order, int64_t time)
{
	struct rspb_cursor cursor = { .order = order };
	size_t count = 0;

	for (rspb_cursor_load(&cursor, 0); cursor.at->key <= time; rspb_cursor_next(&cursor))
		count++;
	return count;
}

/* Drop the gaps that end by now and what was recorded. */
static int forget(struct rspb_profile *profile, int64_t now)
{
	size_t gaps = count_until(&profile->index->ends, now);
	size_t records = count_until(&profile->index->records, now);
	struct rspb_place first = { 0, 0 };

	if (!records && !gaps)
		return 0;
	if (rspb_index_own(profile) || rspb_index_reserve(profile, 0, gaps + records))
		return -1;
	for (; gaps; gaps--) {
		struct rspb_entry at = *rspb_sorted_at(&profile->index->ends, first);

		rspb_sorted_erase(&profile->index->begins,
				  rspb_sorted_find(&profile->index->begins, at.other, at.key));
		rspb_gapsets_drop(&profile->index->sets, &at);
		rspb_sorted_erase(&profile->index->ends, first);
	}
	for (; records; records--)
		rspb_sorted_erase(&profile->index->records, first);
	return 0;
}

int rspb_profile_advance(struct rspb_profile *profile, int64_t now, struct rspb_err *err)
{
	if (now < profile->now)
		return rspb_fail(err, "now cannot go back from %" PRId64 " to %" PRId64,
				 profile->now, now);
	if (now >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "now %" PRId64 " is out of range; times "
				 "lie within 2^61 seconds of the epoch",
				 now);
	if (forget(profile, now))
		return rspb_profile_no_memory(err);
	profile->now = now;
	return 0;
}
