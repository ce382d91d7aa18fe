/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of a profile. */
#include <inttypes.h>
#include <string.h>

#include "common/base/array.h"
#include "common/calendar/internal.h"

/* Add nodes to scratch->none. none_words notes which patches are in use, so that drain_none() does
 * not have to read the whole set. */
static void gather(const struct rspb_scratch *scratch, struct rspb_patches nodes)
{
	for (uint32_t i = 0; i < nodes.count; i++) {
		uint32_t word = nodes.at[i].word;

		scratch->none->bits[word / 4] |= rspb_patch_wide(nodes.at[i]);
		scratch->none_words[word / 64] |= UINT64_C(1) << word % 64;
	}
}

/* RET the nodes of scratch->none, which is empty then, in the scratch pool behind what was
 * touched. */
static struct rspb_patches drain_none(const struct rspb_scratch *scratch)
{
	struct rspb_patch *to = scratch->patches + scratch->patch_count;
	struct rspb_patches all = { to, 0 };

	for (uint32_t i = 0; i * 16 < scratch->none->words; i++) {
		for (uint64_t left = scratch->none_words[i]; left; left &= left - 1) {
			uint32_t word = i * 64 + (uint32_t) __builtin_ctzll(left);
			uint32_t bits = rspb_nodeset_word(scratch->none, word);

			to[all.count++] = (struct rspb_patch){ (uint16_t) word, (uint16_t) bits };
		}
		scratch->none_words[i] = 0;
	}
	/* Each patch is cleared by itself, so that the cost follows the gaps and not the
	 * machine. */
	rspb_patches_remove_from(all, scratch->none);
	return all;
}

/* Let touched gaps from..upto-1, which have one begin, end at start. */
static void shorten_gaps(struct rspb_profile *profile, size_t from, size_t upto, int64_t start,
			 const struct rspb_nodeset *nodes)
{
	const struct rspb_scratch *scratch = profile->scratch;
	const struct rspb_touched *gap = &scratch->touched[from];
	uint32_t size = 0;

	/* A single gap may keep its set and its place in the order by begin. */
	if (upto == from + 1) {
		rspb_index_shorten(profile, gap, start, nodes);
		return;
	}
	/* The list has falling ends. With rising ones, each gap is found where the last one was. */
	for (size_t i = upto; i-- > from;) {
		gap = &scratch->touched[i];
		rspb_index_take(profile, gap, nodes);
		gather(scratch, rspb_touched_nodes(scratch, gap));
		size += gap->size;
	}
	rspb_index_give(profile, gap->begin, start, drain_none(scratch), size);
}

/* Lists of touched gaps by a hash of their ends. The top six bits of the hash name the list. */
enum { CHAINS = 64, CHAIN_END = UINT32_MAX };

/* Chain the touched gaps that last longer than to `end`: equal ends have one chain. */
static void chain_by_end(struct rspb_scratch *scratch, int64_t end, uint32_t *chains)
{
	for (int i = 0; i < CHAINS; i++)
		chains[i] = CHAIN_END;
	for (size_t i = 0; i < scratch->touched_count; i++) {
		struct rspb_touched *gap = &scratch->touched[i];
		uint64_t mixed = (uint64_t) gap->end * UINT64_C(0x9e3779b97f4a7c15);

		if (gap->end <= end)
			continue;
		gap->next = chains[mixed >> 58];
		chains[mixed >> 58] = (uint32_t) i;
	}
}

/* Let the gaps of a chain that end with its first one begin at `end`, as one gap. RET the chain of
 * the others, whose ends have the same hash. */
static uint32_t begin_gaps(struct rspb_profile *profile, uint32_t chain, int64_t end)
{
	struct rspb_touched *touched = profile->scratch->touched;
	const struct rspb_touched *first = &touched[chain];
	bool alone = first->next == CHAIN_END;
	uint32_t others = CHAIN_END, size = 0;

	for (uint32_t i = chain, next; i != CHAIN_END; i = next) {
		struct rspb_touched *gap = &touched[i];

		next = gap->next;
		if (gap->end != first->end) {
			gap->next = others;
			others = i;
			continue;
		}
		/* The nodes of a single gap are in the scratch pool as they are needed; only
		 * several are united. */
		if (!alone)
			gather(profile->scratch, rspb_touched_nodes(profile->scratch, gap));
		size += gap->size;
	}
	rspb_index_give(profile, end, first->end,
			alone ? rspb_touched_nodes(profile->scratch, first)
			      : drain_none(profile->scratch),
			size);
	return others;
}

/*
 * Take [start, end) out of the gaps that were collected. What is left of gaps that have one begin,
 * or one end, is given back at once. RET -1 without memory, nothing changed.
 */
static int carve(struct rspb_profile *profile, int64_t start, int64_t end,
		 const struct rspb_nodeset *nodes)
{
	struct rspb_scratch *scratch = profile->scratch;
	size_t n = scratch->touched_count;
	int64_t before = 0, behind = 0;
	uint32_t chains[CHAINS];

	/* All memory is reserved before the first change, because the changes below cannot be
	 * undone. */
	if (rspb_array_grow(&scratch->patches, &scratch->patch_room,
			    scratch->patch_count + (size_t) 4 * scratch->none->words,
			    sizeof(*scratch->patches)) ||
	    rspb_index_own(profile) || rspb_index_reserve(profile, n, scratch->met_count, 2 * n))
		return -1;
	for (size_t i = 0, next; i < n; i = next) {
		const struct rspb_touched *gap = &scratch->touched[i];
		/* A gap that begins before the window keeps that part, unless the part is in the
		 * past. */
		bool stays = gap->begin < start && start > profile->now;

		for (next = i; next < n && scratch->touched[next].begin == gap->begin; next++) {
			const struct rspb_touched *at = &scratch->touched[next];

			if (stays) {
				before += at->size;
			} else {
				rspb_index_take(profile, at, nodes);
				/* These nodes were to become free at the begin of the gap, and do
				 * not any more. */
				rspb_index_record(profile, at->begin, -(int64_t) at->size, 0);
			}
			/* A gap that ends within the window ends in a booking already recorded: at
			 * that time its nodes do not become booked any more. */
			if (at->end > end)
				behind += at->size;
			else
				rspb_index_record(profile, at->end, 0, -(int64_t) at->size);
		}
		if (stays)
			shorten_gaps(profile, i, next, start, nodes);
	}
	/* The parts after the window come last. Gaps that have one end become one gap there. */
	chain_by_end(scratch, end, chains);
	for (int i = 0; i < CHAINS; i++)
		while (chains[i] != CHAIN_END)
			chains[i] = begin_gaps(profile, chains[i], end);
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
	/* A node is free all the time if one of its gaps holds the window. There is at most one
	 * such gap. */
	found = rspb_index_collect(profile, start, end, nodes, true);
	if (found < 0)
		return rspb_profile_no_memory(err);
	if (found < rspb_nodeset_count(nodes))
		return rspb_profile_not_free(start, end, "only free nodes can be booked", err);
	return carve(profile, start, end, nodes) ? rspb_profile_no_memory(err) : 0;
}

int rspb_profile_cover(struct rspb_profile *profile, int64_t start, int64_t end,
		       const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	if (check_change(profile, &start, end, nodes, err))
		return -1;
	if (end <= start || rspb_nodeset_empty(nodes))
		return 0;
	/* Every gap that meets the window counts here, and a node may have several of them. */
	if (rspb_index_collect(profile, end - 1, start + 1, nodes, false) < 0 ||
	    carve(profile, start, end, nodes))
		return rspb_profile_no_memory(err);
	return 0;
}

/* Prefetch what is read when the gaps with this key are collected and changed. */
static void fetch_at(const struct rspb_profile *profile, const struct rspb_sorted *order,
		     int64_t key)
{
	const struct rspb_index *index = profile->index;
	const struct rspb_sorted *twins = order == &index->begins ? &index->ends : &index->begins;
	struct rspb_cursor cursor = rspb_cursor_at(order,
						   rspb_sorted_find(order, key, RSPB_TIME_MIN));

	for (; cursor.at->key == key; rspb_cursor_next(&cursor)) {
		rspb_gapsets_fetch(&index->sets, cursor.at);
		rspb_sorted_fetch(twins, cursor.at->other, key);
	}
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
			labels[nodes.at[i].word * RSPB_PATCH + (uint32_t) __builtin_ctz(bits)] =
				label;
}

/* Put the nodes of each label that there is into the room of its piece. RET labels, which
 * scratch->found lists as they are met. */
static uint32_t split_nodes(const struct rspb_scratch *scratch, struct rspb_patches nodes,
			    struct rspb_patch *to)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < nodes.count; i++)
		for (uint32_t word = nodes.at[i].word, bits = nodes.at[i].bits; bits;
		     bits &= bits - 1) {
			uint32_t n = (uint32_t) __builtin_ctz(bits);
			uint32_t label = scratch->labels[word * RSPB_PATCH + n];
			struct rspb_labelled *piece = &scratch->pieces[label];
			struct rspb_patch *next = to + piece->first + piece->count;

			piece->size++;
			/* Nodes come in rising order, so only the last patch of a piece can be of
			 * this word. */
			if (piece->count && next[-1].word == word) {
				next[-1].bits |= (uint16_t) (1 << n);
				continue;
			}
			/* A label that is not new is overwritten by the next one. Therefore `found`
			 * has one entry more than there are labels. */
			scratch->found[found] = label;
			found += !piece->count++;
			*next = (struct rspb_patch){ (uint16_t) word, (uint16_t) (1 << n) };
		}
	return found;
}

enum { FEW_LABELS = 64 }; /* that are sorted */

/* Give back to nodes with a gap that begins at `begin` one gap for each label. A label names the
 * touched gap after the window that continues it. The label `none` means that the gap ends at
 * `end`. */
static void give_joined(struct rspb_profile *profile, int64_t begin, int64_t end,
			struct rspb_patches nodes, uint32_t none, struct rspb_patch *to)
{
	const struct rspb_scratch *scratch = profile->scratch;
	uint32_t found = split_nodes(scratch, nodes, to);

	/* Rising ends put the place of each gap just behind that of the gap before. */
	for (uint32_t i = 1; i < found && found <= FEW_LABELS; i++) {
		uint32_t label = scratch->found[i], k = i;

		for (; k && scratch->found[k - 1] > label; k--)
			scratch->found[k] = scratch->found[k - 1];
		scratch->found[k] = label;
	}
	for (uint32_t i = 0; i < found; i++) {
		uint32_t label = scratch->found[i];
		struct rspb_labelled *piece = &scratch->pieces[label];
		struct rspb_patches got = { to + piece->first, piece->count };

		rspb_index_give(profile, begin, label == none ? end : scratch->touched[label].end,
				got, piece->size);
		/* The next call of split_nodes() expects empty pieces. */
		piece->count = 0;
		piece->size = 0;
	}
}

/*
 * Give [start, end) back to nodes. In scratch->touched are the gaps that end
 * at start (`lefts` of them), then those that begin at end.
 */
static void restore(struct rspb_profile *profile, int64_t start, int64_t end,
		    const struct rspb_nodeset *nodes, uint32_t size, size_t lefts)
{
	struct rspb_scratch *scratch = profile->scratch;
	struct rspb_patch *piece = scratch->patches + scratch->patch_count;
	uint32_t none = (uint32_t) scratch->touched_count, room = 0;
	struct rspb_patch *rest = piece + size;
	struct rspb_patches alone = { rest, 0 };

	alone.count = rspb_patches_from(nodes, rest);
	/* At first every node is labelled as one without a gap after the window, and is in
	 * scratch->rest as one without a gap before it. */
	label_nodes(scratch->labels, alone, none);
	rspb_nodeset_copy(scratch->rest, nodes);
	for (size_t i = 0; i < scratch->touched_count; i++) {
		const struct rspb_touched *gap = &scratch->touched[i];
		struct rspb_patches got = rspb_touched_nodes(scratch, gap);

		rspb_index_take(profile, gap, nodes);
		if (i < lefts) {
			rspb_patches_remove_from(got, scratch->rest);
			continue;
		}
		label_nodes(scratch->labels, got, (uint32_t) i);
		/* A piece has no more patches than the gap that it is joined with. */
		scratch->pieces[i].first = room;
		room += got.count;
	}
	/* The piece of `none` is the last one, so it has room for all nodes that are left. */
	scratch->pieces[none].first = room;
	/* For these nodes the gap before the window continues through it. */
	for (size_t i = 0; i < lefts; i++) {
		const struct rspb_touched *gap = &scratch->touched[i];

		give_joined(profile, gap->begin, end, rspb_touched_nodes(scratch, gap), none,
			    piece);
	}
	/* For all other nodes the gap begins with the window. */
	alone.count = rspb_patches_from(scratch->rest, rest);
	give_joined(profile, start, end, alone, none, piece);
}

/* Room for a piece of each label. RET -1 without memory. */
static int reserve_pieces(struct rspb_scratch *scratch)
{
	size_t labels = scratch->touched_count + 1, room = scratch->piece_room;

	if (rspb_array_grow(&scratch->found, &scratch->found_room, labels + 1,
			    sizeof(*scratch->found)) ||
	    rspb_array_grow(&scratch->pieces, &scratch->piece_room, labels,
			    sizeof(*scratch->pieces)))
		return -1;
	/* New pieces have to be empty, as the old ones are between two changes. */
	memset(scratch->pieces + room, 0, (scratch->piece_room - room) * sizeof(*scratch->pieces));
	return 0;
}

/* Free a window of nodes that are booked all the time. RET 0, or -1 with err and nothing changed.
 * The gaps that touch the window at either side are joined with it. */
static int give_back(struct rspb_profile *profile, int64_t start, int64_t end,
		     const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	struct rspb_scratch *scratch = profile->scratch;
	uint32_t size = rspb_nodeset_count(nodes);
	int64_t left = 0, right;
	size_t lefts, gaps;

	scratch->patch_count = 0;
	scratch->touched_count = scratch->met_count = 0;
	/* Before a window that begins now there is only the past, which is not kept. */
	if (start > profile->now)
		left = collect_at(profile, &profile->index->ends, start, nodes);
	lefts = scratch->touched_count;
	right = collect_at(profile, &profile->index->begins, end, nodes);
	/* A node's gap is joined with one of these, or none, on either side. */
	gaps = (lefts + 1) * (scratch->touched_count - lefts + 1);
	if (gaps > size)
		gaps = size;
	if (left < 0 || right < 0 ||
	    rspb_array_grow(&scratch->patches, &scratch->patch_room,
			    scratch->patch_count + size + (size_t) 4 * nodes->words,
			    sizeof(*scratch->patches)) ||
	    reserve_pieces(scratch) || rspb_index_own(profile) ||
	    rspb_index_reserve(profile, scratch->touched_count, scratch->met_count, gaps))
		return rspb_profile_no_memory(err);
	restore(profile, start, end, nodes, size, lefts);
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
	/* The gaps that give_back() will read are known by now. Their memory is fetched while the
	 * window is checked. */
	fetch_at(profile, &profile->index->ends, start);
	fetch_at(profile, &profile->index->begins, end);
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

/* Drop the gaps that end by now and the records up to now. RET 0, or -1 without memory and nothing
 * changed. */
static int forget(struct rspb_profile *profile, int64_t now)
{
	size_t gaps = count_until(&profile->index->ends, now);
	size_t records = count_until(&profile->index->records, now);
	struct rspb_place first = { 0, 0 };

	if (!records && !gaps)
		return 0;
	if (rspb_index_own(profile) || rspb_index_reserve(profile, gaps + records, 0, 0))
		return -1;
	/* Both orders hold each gap. In the order by end the oldest gaps are in front. */
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
	/* The new time holds only if all of the past is gone, so that a failed call can be
	 * repeated. */
	if (forget(profile, now))
		return rspb_profile_no_memory(err);
	profile->now = now;
	return 0;
}
