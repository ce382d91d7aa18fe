/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gaps in, gaps out: both orders, the records and the sets kept in step. */
#include <stdlib.h>

#include "common/base/array.h"
#include "common/calendar/internal.h"

struct rspb_index *rspb_index_create(uint32_t nodes)
{
	struct rspb_index *index = calloc(1, sizeof(*index));

	if (!index)
		return NULL;
	atomic_init(&index->users, 1);
	rspb_gapsets_init(&index->sets, nodes);
	rspb_sorted_init(&index->begins, &index->sets, nodes, &index->hints[0]);
	rspb_sorted_init(&index->ends, NULL, nodes, &index->hints[1]);
	rspb_sorted_init(&index->records, NULL, nodes, &index->hints[2]);
	/* All pages share one flag, since an index has pages in common with another or has none. */
	index->sets.pages.shared = &index->shared;
	index->begins.pages.shared = &index->shared;
	index->ends.pages.shared = &index->shared;
	index->records.pages.shared = &index->shared;
	return index;
}

void rspb_index_drop(struct rspb_index *index)
{
	/* The last user frees the index, and sees what the others have done with it. */
	if (atomic_fetch_sub_explicit(&index->users, 1, memory_order_acq_rel) > 1)
		return;
	rspb_sorted_fini(&index->begins);
	rspb_sorted_fini(&index->ends);
	rspb_sorted_fini(&index->records);
	rspb_gapsets_fini(&index->sets);
	free(index);
}

int rspb_index_own(struct rspb_profile *profile)
{
	struct rspb_index *all = profile->index, *own;

	/* The count cannot rise meanwhile: only holders copy, and this one is about to change. */
	if (atomic_load_explicit(&all->users, memory_order_acquire) == 1)
		return 0;
	own = rspb_index_create(profile->nodes);
	if (!own)
		return -1;
	if (rspb_gapsets_share(&own->sets, &all->sets) ||
	    rspb_sorted_share(&own->begins, &all->begins) ||
	    rspb_sorted_share(&own->ends, &all->ends) ||
	    rspb_sorted_share(&own->records, &all->records)) {
		rspb_index_drop(own);
		return -1;
	}
	/* The flags are set before this user leaves. Another profile that is the only user then
	 * will still copy pages before it writes. */
	atomic_store(&own->shared, true);
	atomic_store(&all->shared, true);
	rspb_index_drop(all);
	profile->index = own;
	return 0;
}

int rspb_index_reserve(struct rspb_profile *profile, size_t taken, size_t cut, size_t given)
{
	struct rspb_index *index = profile->index;
	/*
	 * The nodes of all gaps that one change makes are disjoint on either
	 * side of it, so are those of the groups they join: patches are at most
	 * the nodes on each side of each, or the words of each set, rounded up
	 * to powers of two. What is left of groups that were cut may be other
	 * sets of the same nodes, one for each gap.
	 */
	size_t words = given * (profile->nodes / RSPB_PATCH + 2);
	size_t nodes = profile->nodes + given;
	size_t patches = 8 * (words < nodes ? words : nodes) + 2 * (cut + taken);
	/* A gap that is taken or given writes to two pages of an order, or of sets, at most, and to
	 * two records. */
	size_t changes = 2 * (taken + given), records = 4 * taken + 4;

	/* Pages that no other index has are changed in place, without copies. */
	if (!atomic_load(&index->shared))
		changes = records = 0;
	if (rspb_gapsets_reserve(&index->sets, patches, changes) ||
	    rspb_sorted_reserve(&index->begins, given, changes) ||
	    rspb_sorted_reserve(&index->ends, given, changes))
		return -1;
	return rspb_sorted_reserve(&index->records, 2 + 2 * taken, records);
}

/* Copy the nodes of a group that has changed into its entry by end. */
static void change_twin(struct rspb_profile *profile, struct rspb_place twin,
			const struct rspb_entry *entry)
{
	struct rspb_entry *other = rspb_sorted_edit(&profile->index->ends, twin);

	other->size = entry->size;
	other->group = entry->group;
}

void rspb_index_give(struct rspb_profile *profile, int64_t begin, int64_t end,
		     struct rspb_patches nodes, uint32_t size)
{
	struct rspb_place place = rspb_sorted_find(&profile->index->begins, begin, end);
	struct rspb_place twin = rspb_sorted_find(&profile->index->ends, end, begin);
	const struct rspb_entry *there = rspb_sorted_at(&profile->index->begins, place);
	uint32_t group;

	/* If other nodes have this very gap, the nodes join their group. */
	if (there && there->key == begin && there->other == end) {
		struct rspb_entry *entry = rspb_sorted_edit(&profile->index->begins, place);

		entry->group = rspb_gapsets_join(&profile->index->sets, entry, nodes, size,
						 profile->scratch->spread);
		entry->size += size;
		change_twin(profile, twin, entry);
		rspb_sorted_mark(&profile->index->begins, place, nodes);
		return;
	}
	group = rspb_gapsets_make(&profile->index->sets, nodes, size);
	rspb_sorted_insert(&profile->index->begins, place,
			   (struct rspb_entry){ begin, end, size, group });
	rspb_sorted_insert(&profile->index->ends, twin,
			   (struct rspb_entry){ end, begin, size, group });
}

void rspb_index_take(struct rspb_profile *profile, const struct rspb_touched *gap,
		     const struct rspb_nodeset *nodes)
{
	struct rspb_place place = rspb_sorted_find(&profile->index->begins, gap->begin, gap->end);
	struct rspb_place twin = rspb_sorted_find(&profile->index->ends, gap->end, gap->begin);
	struct rspb_entry *entry = rspb_sorted_edit(&profile->index->begins, place);

	/* If the whole group leaves the gap, its entries go, too. */
	if (entry->size == gap->size) {
		rspb_gapsets_drop(&profile->index->sets, entry);
		rspb_sorted_erase(&profile->index->begins, place);
		rspb_sorted_erase(&profile->index->ends, twin);
		return;
	}
	entry->group = rspb_gapsets_cut(&profile->index->sets, entry, nodes, gap->size,
					profile->scratch->spread);
	entry->size -= gap->size;
	change_twin(profile, twin, entry);
	/* The marks of the chunk still name the nodes. Superfluous marks cost time only, and are
	 * renewed after many changes. */
	rspb_sorted_fade(&profile->index->begins, place);
}

void rspb_index_shorten(struct rspb_profile *profile, const struct rspb_touched *gap, int64_t end,
			const struct rspb_nodeset *nodes)
{
	int64_t begin = gap->begin;
	struct rspb_place place = rspb_sorted_find(&profile->index->begins, begin, gap->end);
	const struct rspb_entry *entry = rspb_sorted_at(&profile->index->begins, place);
	uint32_t group = entry->group;
	struct rspb_place twin;

	/* A gap that goes as a whole keeps its set and its place by begin, unless another one with
	 * that begin lies between. The first entry of a chunk is excluded, because its slot repeats
	 * its key. */
	if (entry->size != gap->size || !place.in ||
	    (entry[-1].key == begin && entry[-1].other >= end)) {
		rspb_index_take(profile, gap, nodes);
		rspb_index_give(profile, begin, end, rspb_touched_nodes(profile->scratch, gap),
				gap->size);
		return;
	}
	rspb_sorted_shorten(&profile->index->begins, place, end);
	/* In the order by end the gap gets another place. */
	twin = rspb_sorted_find(&profile->index->ends, gap->end, begin);
	rspb_sorted_erase(&profile->index->ends, twin);
	twin = rspb_sorted_find(&profile->index->ends, end, begin);
	rspb_sorted_insert(&profile->index->ends, twin,
			   (struct rspb_entry){ end, begin, gap->size, group });
}

bool rspb_index_free_within(const struct rspb_profile *profile, int64_t start, int64_t end,
			    const struct rspb_nodeset *nodes)
{
	const struct rspb_several *gaps;
	struct rspb_stream stream;

	rspb_stream_begin(&stream,
			  rspb_walk_from(&profile->index->begins, end - 1, start + 1, nodes));
	while ((gaps = rspb_stream_next(&stream))->count)
		for (uint32_t i = 0; i < gaps->count; i++)
			if (rspb_gapsets_meet(&profile->index->sets, gaps->at[i], nodes))
				return true;
	return false;
}

void rspb_index_record(struct rspb_profile *profile, int64_t time, int64_t freed, int64_t booked)
{
	const struct rspb_entry *there;
	struct rspb_place place;
	struct rspb_entry *record;

	/* The past has no records, and an endless gap never becomes booked. */
	if (time <= profile->now || time >= RSPB_TIME_MAX || (!freed && !booked))
		return;
	place = rspb_sorted_find(&profile->index->records, time, 0);
	there = rspb_sorted_at(&profile->index->records, place);
	if (!there || there->key != time) {
		rspb_sorted_insert(&profile->index->records, place,
				   (struct rspb_entry){ time, 0, (uint32_t) freed,
							(uint32_t) booked });
		return;
	}
	record = rspb_sorted_edit(&profile->index->records, place);
	record->size = (uint32_t) (record->size + freed);
	record->group = (uint32_t) (record->group + booked);
	/* Nothing changes at this time any more. It has to go, because records are candidate
	 * starts. */
	if (!record->size && !record->group)
		rspb_sorted_erase(&profile->index->records, place);
}

struct rspb_patches rspb_touched_nodes(const struct rspb_scratch *scratch,
				       const struct rspb_touched *gap)
{
	return (struct rspb_patches){ scratch->patches + gap->first, gap->count };
}

int64_t rspb_index_touch(const struct rspb_profile *profile, int64_t begin, int64_t end,
			 const struct rspb_entry *group, const struct rspb_nodeset *nodes)
{
	struct rspb_scratch *scratch = profile->scratch;
	struct rspb_patches all = rspb_gapsets_of(&profile->index->sets, group, scratch->spread);
	struct rspb_patches met;
	struct rspb_touched *touched;
	struct rspb_patch *to;

	if (rspb_array_grow(&scratch->patches, &scratch->patch_room,
			    scratch->patch_count + all.count, sizeof(*to)) ||
	    rspb_array_grow(&scratch->touched, &scratch->touched_room, scratch->touched_count + 1,
			    sizeof(*touched)))
		return -1;
	to = scratch->patches + scratch->patch_count;
	met.count = rspb_patches_within(all, nodes, to);
	/* A gap without such nodes takes no room: the next one is written over it. */
	if (!met.count)
		return 0;
	met.at = to;
	touched = scratch->touched + scratch->touched_count++;
	*touched = (struct rspb_touched){
		.begin = begin,
		.end = end,
		.first = (uint32_t) scratch->patch_count,
		.count = met.count,
		.size = rspb_patches_size(met),
	};
	scratch->patch_count += met.count;
	scratch->met_count += all.count;
	return touched->size;
}

/*
 * Touch those of some gaps that have nodes of scratch->rest; with `once` take
 * their nodes out of it, until all are found. RET as rspb_index_collect.
 */
static int64_t touch_some(const struct rspb_profile *profile, const struct rspb_several *gaps,
			  uint32_t wanted, bool once)
{
	struct rspb_scratch *scratch = profile->scratch;
	int64_t found = 0;

	for (uint32_t i = 0; i < gaps->count && !(once && found == wanted); i++) {
		int64_t size;

		size = rspb_index_touch(profile, gaps->at[i]->key, gaps->at[i]->other, gaps->at[i],
					scratch->rest);
		if (size < 0)
			return -1;
		found += size;
		if (once && size)
			rspb_patches_remove_from(
				rspb_touched_nodes(scratch,
						   scratch->touched + scratch->touched_count - 1),
				scratch->rest);
	}
	return found;
}

int64_t rspb_index_collect(const struct rspb_profile *profile, int64_t begin_max, int64_t end_min,
			   const struct rspb_nodeset *nodes, bool once)
{
	struct rspb_scratch *scratch = profile->scratch;
	uint32_t wanted = rspb_nodeset_count(nodes);
	const struct rspb_several *gaps;
	struct rspb_stream stream;
	int64_t found = 0;

	scratch->patch_count = 0;
	scratch->touched_count = scratch->met_count = 0;
	/* With `once`, nodes that were found leave the copy, and so the walk passes over more
	 * chunks. */
	rspb_nodeset_copy(scratch->rest, nodes);
	rspb_stream_begin(&stream, rspb_walk_from(&profile->index->begins, begin_max, end_min,
						  scratch->rest));
	while (!(once && found == wanted) && (gaps = rspb_stream_next(&stream))->count) {
		int64_t size = touch_some(profile, gaps, wanted - (uint32_t) found, once);

		if (size < 0)
			return -1;
		found += size;
	}
	return found;
}
