/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gaps in, gaps out: both orders, the records and the sets kept in step. */
#include <string.h>

#include "common/base/array.h"
#include "common/calendar/internal.h"

int rspb_index_reserve(struct rspb_profile *profile, size_t gaps)
{
	/*
	 * The nodes of all gaps that one change makes are disjoint on either
	 * side of it, so are those of the groups they join, and of what is
	 * left of groups that were cut: patches are at most the nodes on each
	 * side of each, rounded up to powers of two. No more groups are cut
	 * than gaps made, on either side.
	 */
	size_t patches = 8 * ((size_t) profile->nodes + gaps);

	if (rspb_gapsets_reserve(&profile->sets, 3 * gaps, patches) ||
	    rspb_sorted_reserve(&profile->begins, gaps) ||
	    rspb_sorted_reserve(&profile->ends, gaps))
		return -1;
	return rspb_sorted_reserve(&profile->records, 2 + 2 * gaps);
}

/* A group has other nodes: let its entry by end say the same. */
static void change_twin(struct rspb_profile *profile, struct rspb_place twin,
			const struct rspb_entry *entry)
{
	struct rspb_entry *other = rspb_sorted_at(&profile->ends, twin);

	other->size = entry->size;
	other->group = entry->group;
}

void rspb_index_give(struct rspb_profile *profile, int64_t begin, int64_t end,
		     struct rspb_patches nodes, uint32_t size)
{
	struct rspb_place place = rspb_sorted_find(&profile->begins, begin,
						   end);
	struct rspb_place twin = rspb_sorted_find(&profile->ends, end, begin);
	struct rspb_entry *entry = rspb_sorted_at(&profile->begins, place);
	uint32_t group;

	if (entry && entry->key == begin && entry->other == end) {
		entry->group = rspb_gapsets_join(&profile->sets, entry, nodes,
						 size);
		entry->size += size;
		change_twin(profile, twin, entry);
		rspb_sorted_mark(&profile->begins, place, nodes);
		return;
	}
	group = rspb_gapsets_make(&profile->sets, nodes, size);
	rspb_sorted_insert(&profile->begins, place,
			   (struct rspb_entry){ begin, end, size, group });
	rspb_sorted_insert(&profile->ends, twin,
			   (struct rspb_entry){ end, begin, size, group });
}

void rspb_index_take(struct rspb_profile *profile, int64_t begin, int64_t end,
		     struct rspb_patches nodes, uint32_t size)
{
	struct rspb_place place = rspb_sorted_find(&profile->begins, begin,
						   end);
	struct rspb_place twin = rspb_sorted_find(&profile->ends, end, begin);
	struct rspb_entry *entry = rspb_sorted_at(&profile->begins, place);

	if (entry->size == size) {
		rspb_gapsets_drop(&profile->sets, entry);
		rspb_sorted_erase(&profile->begins, place);
		rspb_sorted_erase(&profile->ends, twin);
		return;
	}
	entry->group = rspb_gapsets_cut(&profile->sets, entry, nodes, size);
	entry->size -= size;
	change_twin(profile, twin, entry);
	rspb_sorted_fade(&profile->begins, place);
}

void rspb_index_shorten(struct rspb_profile *profile, int64_t begin,
			int64_t old_end, int64_t end, struct rspb_patches nodes,
			uint32_t size)
{
	struct rspb_place place = rspb_sorted_find(&profile->begins, begin,
						   old_end);
	struct rspb_entry *entry = rspb_sorted_at(&profile->begins, place);
	struct rspb_place twin;

	/*
	 * A gap that goes as a whole keeps its set and its place by begin,
	 * unless another one with that begin lies between.
	 */
	if (entry->size != size || !place.in ||
	    (entry[-1].key == begin && entry[-1].other >= end)) {
		rspb_index_take(profile, begin, old_end, nodes, size);
		rspb_index_give(profile, begin, end, nodes, size);
		return;
	}
	rspb_sorted_shorten(&profile->begins, place, end);
	twin = rspb_sorted_find(&profile->ends, old_end, begin);
	rspb_sorted_erase(&profile->ends, twin);
	twin = rspb_sorted_find(&profile->ends, end, begin);
	rspb_sorted_insert(&profile->ends, twin,
			   (struct rspb_entry){ end, begin, size,
						entry->group });
}

bool rspb_index_free_within(const struct rspb_profile *profile, int64_t start,
			    int64_t end, const struct rspb_nodeset *nodes)
{
	struct rspb_walk walk = rspb_walk_from(&profile->begins, end - 1,
					       start + 1, nodes);
	struct rspb_several gaps;
	uint32_t count;

	while ((count = rspb_walk_several(&walk, &gaps)))
		for (uint32_t i = 0; i < count; i++)
			if (rspb_gapsets_meet(&profile->sets, gaps.at[i],
					      nodes))
				return true;
	return false;
}

void rspb_index_record(struct rspb_profile *profile, int64_t time,
		       int64_t freed, int64_t booked)
{
	struct rspb_place place;
	struct rspb_entry *record;

	if (time <= profile->now || time >= RSPB_TIME_MAX ||
	    (!freed && !booked))
		return;
	place = rspb_sorted_find(&profile->records, time, 0);
	record = rspb_sorted_at(&profile->records, place);
	if (!record || record->key != time) {
		rspb_sorted_insert(&profile->records, place,
				   (struct rspb_entry){ time, 0,
							(uint32_t) freed,
							(uint32_t) booked });
		return;
	}
	record->size = (uint32_t) (record->size + freed);
	record->group = (uint32_t) (record->group + booked);
	if (!record->size && !record->group)
		rspb_sorted_erase(&profile->records, place);
}

struct rspb_patches rspb_touched_nodes(const struct rspb_scratch *scratch,
				       size_t i)
{
	return (struct rspb_patches){
		scratch->patches + scratch->touched[i].first,
		scratch->touched[i].count,
	};
}

int64_t rspb_index_touch(const struct rspb_profile *profile, int64_t begin,
			 int64_t end, const struct rspb_entry *group,
			 const struct rspb_nodeset *nodes)
{
	struct rspb_scratch *scratch = profile->scratch;
	struct rspb_patches all = rspb_gapsets_of(&profile->sets, group);
	struct rspb_touched *touched;
	struct rspb_patch *to;

	if (rspb_array_grow(&scratch->patches, &scratch->patch_room,
			    scratch->patch_count + all.count, sizeof(*to)) ||
	    rspb_array_grow(&scratch->touched, &scratch->touched_room,
			    scratch->touched_count + 1, sizeof(*touched)))
		return -1;
	to = scratch->patches + scratch->patch_count;
	touched = scratch->touched + scratch->touched_count;
	*touched = (struct rspb_touched){
		.begin = begin,
		.end = end,
		.first = (uint32_t) scratch->patch_count,
		.count = rspb_patches_within(all, nodes, to),
	};
	if (!touched->count)
		return 0;
	touched->size = rspb_patches_size(
		(struct rspb_patches){ to, touched->count });
	scratch->patch_count += touched->count;
	scratch->touched_count++;
	return touched->size;
}

/*
 * Touch those of some gaps that have nodes of scratch->rest; with `once` take
 * their nodes out of it, until all are found. RET as rspb_index_collect.
 */
static int64_t touch_some(const struct rspb_profile *profile,
			  const struct rspb_several *gaps, uint32_t count,
			  uint32_t wanted, bool once)
{
	struct rspb_scratch *scratch = profile->scratch;
	int64_t found = 0;

	for (uint32_t i = 0; i < count && !(once && found == wanted); i++) {
		int64_t size;

		if (!rspb_gapsets_meet(&profile->sets, gaps->at[i],
				       scratch->rest))
			continue;
		size = rspb_index_touch(profile, gaps->at[i]->key,
					gaps->at[i]->other, gaps->at[i],
					scratch->rest);
		if (size < 0)
			return -1;
		found += size;
		if (once && size)
			rspb_patches_remove_from(
				rspb_touched_nodes(scratch,
						   scratch->touched_count - 1),
				scratch->rest);
	}
	return found;
}

int64_t rspb_index_collect(const struct rspb_profile *profile,
			   int64_t begin_max, int64_t end_min,
			   const struct rspb_nodeset *nodes, bool once)
{
	struct rspb_scratch *scratch = profile->scratch;
	uint32_t wanted = rspb_nodeset_count(nodes), count;
	int64_t found = 0;
	struct rspb_several gaps;
	struct rspb_walk walk;

	scratch->patch_count = 0;
	scratch->touched_count = 0;
	rspb_nodeset_copy(scratch->rest, nodes);
	walk = rspb_walk_from(&profile->begins, begin_max, end_min,
			      scratch->rest);
	while (!(once && found == wanted) &&
	       (count = rspb_walk_several(&walk, &gaps))) {
		int64_t size = touch_some(profile, &gaps, count,
					  wanted - (uint32_t) found, once);

		if (size < 0)
			return -1;
		found += size;
	}
	return found;
}
