/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rectangle of one start, and how much it is liked. */
#include "common/calendar/internal.h"

#include "common/base/times.h"

/* Put the nodes of a gap into set, its figures into rect. */
static void measure_gap(const struct rspb_profile *profile, const struct rspb_query *query,
			const struct rspb_entry *at, struct rspb_rect *rect,
			struct rspb_nodeset *set)
{
	uint32_t size = at->size;

	if (query->eligible)
		size = rspb_gapsets_common(&profile->index->sets, at, query->eligible);
	/* A gap without eligible nodes does not bound the rectangle. */
	if (!size)
		return;
	rect->free += size;
	rect->left = at->key > rect->left ? at->key : rect->left;
	rect->right = at->other < rect->right ? at->other : rect->right;
	rspb_gapsets_add_to(&profile->index->sets, at, set);
}

void rspb_rect_measure(const struct rspb_profile *profile, const struct rspb_query *query,
		       int64_t start, struct rspb_rect *rect, struct rspb_nodeset *set)
{
	const struct rspb_several *gaps;
	struct rspb_stream stream;

	/* Each gap with nodes narrows the rectangle and adds its whole group to the set. Nodes that
	 * are not eligible leave the set at the end. */
	*rect = (struct rspb_rect){ start, profile->now, RSPB_TIME_MAX, 0 };
	rspb_nodeset_clear(set);
	rspb_stream_begin(&stream, rspb_walk_from(&profile->index->begins, start,
						  start + query->duration, query->eligible));
	while ((gaps = rspb_stream_next(&stream))->count)
		for (uint32_t i = 0; i < gaps->count; i++)
			measure_gap(profile, query, gaps->at[i], rect, set);
	if (query->eligible)
		rspb_nodeset_and(set, query->eligible);
}

/* Time of the last record, now without any. */
static int64_t last_record(const struct rspb_profile *profile)
{
	const struct rspb_sorted *records = &profile->index->records;
	size_t slots = records->chunks;

	if (!slots)
		return profile->now;
	return rspb_sorted_chunk(records, slots - 1)[records->slots[slots - 1].count - 1].key;
}

/* RET where a rectangle ends that no booking ends, never before the end of the request itself. */
static int64_t open_end(const struct rspb_profile *profile, const struct rspb_query *query,
			int64_t start)
{
	int64_t end = start + query->duration;

	switch (query->open_end) {
	case RSPB_OPEN_INFINITE:
		return RSPB_TIME_MAX;
	case RSPB_OPEN_LAST:
		/* Without a record every start has the same end. */
		return rspb_later(profile->index->records.chunks ? last_record(profile)
								 : query->deadline,
				  end);
	case RSPB_OPEN_DEADLINE_ONLY:
		return rspb_later(query->deadline, end);
	case RSPB_OPEN_DEADLINE:
		break;
	}
	return rspb_later(rspb_later(query->deadline, last_record(profile)), end);
}

void rspb_rect_close(const struct rspb_profile *profile, const struct rspb_query *query,
		     struct rspb_rect *rect)
{
	if (rect->right == RSPB_TIME_MAX)
		rect->right = open_end(profile, query, rect->start);
}

struct rspb_score rspb_preference_score(const struct rspb_preference *preference,
					const struct rspb_rect *rect,
					const struct rspb_query *query)
{
	uint64_t length = UINT64_MAX;

	/* A rectangle without an end is longer than all others. */
	if (rect->right < RSPB_TIME_MAX)
		length = (uint64_t) rect->right - (uint64_t) rect->left;
	return preference->score(rect->free, length, query);
}
