/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What groups of free gaps answer about one window or one start. */
#include <string.h>

#include "common/calendar/internal.h"

void rspb_groups_free_over(const struct rspb_profile *profile, int64_t start,
			   int64_t end, struct rspb_nodeset *out)
{
	struct rspb_walk walk = rspb_walk_from(&profile->begins, start, end,
					       NULL);
	const struct rspb_entry *at;

	rspb_nodeset_clear(out);
	while ((at = rspb_walk_next(&walk)))
		rspb_gapsets_add_to(&profile->sets, at, out);
}

/* Nodes that are free at one instant, not before now. */
static uint32_t free_at(const struct rspb_profile *profile, int64_t time)
{
	struct rspb_walk walk = rspb_walk_from(&profile->begins, time, time + 1,
					       NULL);
	const struct rspb_entry *at;
	uint32_t count = 0;

	while ((at = rspb_walk_next(&walk)))
		count += at->size;
	return count;
}

void rspb_groups_peak(const struct rspb_profile *profile, int64_t start,
		      int64_t end, uint32_t *most, uint32_t *fewest)
{
	uint32_t booked = profile->nodes - free_at(profile, start);
	struct rspb_cursor record = rspb_cursor_at(
		&profile->records,
		rspb_order_find(&profile->records, start + 1, 0));

	*most = booked;
	*fewest = booked;
	for (; record.at->key < end; rspb_cursor_next(&record)) {
		booked = booked - record.at->size + record.at->group;
		*most = booked > *most ? booked : *most;
		*fewest = booked < *fewest ? booked : *fewest;
	}
}

/* Add to each of nodes; with `replace` write instead. */
static void each_node(struct rspb_patches nodes, int64_t *values, int64_t value,
		      bool replace)
{
	for (uint32_t i = 0; i < nodes.count; i++) {
		int64_t *at = values + (size_t) nodes.at[i].word * 32;

		for (uint32_t bits = nodes.at[i].bits; bits; bits &= bits - 1) {
			int n = __builtin_ctz(bits);

			at[n] = value + (replace ? 0 : at[n]);
		}
	}
}

void rspb_groups_load(const struct rspb_profile *profile, int64_t start,
		      int64_t end, int64_t *per_node)
{
	struct rspb_walk walk = rspb_walk_from(&profile->begins, end - 1,
					       start + 1, NULL);
	const struct rspb_entry *at;

	for (uint32_t n = 0; n < profile->nodes; n++)
		per_node[n] = end - start;
	while ((at = rspb_walk_next(&walk))) {
		int64_t a = at->key > start ? at->key : start;
		int64_t b = at->other < end ? at->other : end;

		each_node(rspb_gapsets_of(&profile->sets, at), per_node, a - b,
			  false);
	}
}

int rspb_groups_gaps(const struct rspb_profile *profile, int64_t start,
		     int64_t end, const struct rspb_nodeset *free_nodes,
		     int64_t *left, int64_t *right, struct rspb_err *err)
{
	const struct rspb_scratch *scratch = profile->scratch;
	int64_t found = rspb_index_collect(profile, start, end, free_nodes,
					   true);

	if (found < 0)
		return rspb_profile_no_memory(err);
	if (found < rspb_nodeset_count(free_nodes))
		return rspb_profile_no_gap(start, end, err);
	for (size_t i = 0; i < scratch->touched_count; i++) {
		const struct rspb_touched *gap = &scratch->touched[i];
		struct rspb_patches nodes = rspb_touched_nodes(scratch, i);

		each_node(nodes, left,
			  gap->begin > profile->now ? gap->begin : profile->now,
			  true);
		each_node(nodes, right, gap->end, true);
	}
	return 0;
}

/* Put the nodes of a gap into set (unless NULL), its figures into rect. */
static void measure_gap(const struct rspb_profile *profile,
			const struct rspb_query *query,
			const struct rspb_entry *at, struct rspb_rect *rect,
			struct rspb_nodeset *set)
{
	uint32_t size = at->size;

	if (query->eligible)
		size = rspb_gapsets_common(&profile->sets, at, query->eligible);
	if (!size)
		return;
	rect->free += size;
	rect->left = at->key > rect->left ? at->key : rect->left;
	rect->right = at->other < rect->right ? at->other : rect->right;
	if (set)
		rspb_gapsets_add_to(&profile->sets, at, set);
}

void rspb_groups_measure(const struct rspb_profile *profile,
			 const struct rspb_query *query, int64_t start,
			 struct rspb_rect *rect, struct rspb_nodeset *set)
{
	struct rspb_walk walk = rspb_walk_from(&profile->begins, start,
					       start + query->duration,
					       query->eligible);
	struct rspb_several gaps;
	uint32_t count;

	*rect = (struct rspb_rect){ start, profile->now, RSPB_TIME_MAX, 0 };
	if (set)
		rspb_nodeset_clear(set);
	while ((count = rspb_walk_several(&walk, &gaps)))
		for (uint32_t i = 0; i < count; i++)
			measure_gap(profile, query, gaps.at[i], rect, set);
	if (set && query->eligible)
		rspb_nodeset_and(set, query->eligible);
}

int rspb_groups_records_from(const struct rspb_profile *profile, int64_t time,
			     rspb_profile_record_fn fn, void *arg)
{
	const struct rspb_order *begins = &profile->begins;
	const struct rspb_order *ends = &profile->ends;
	struct rspb_cursor record =
		rspb_cursor_at(&profile->records,
			       rspb_order_find(&profile->records, time + 1, 0));
	struct rspb_cursor begin = rspb_cursor_at(
		begins, rspb_order_find(begins, time + 1, RSPB_TIME_MIN));
	struct rspb_cursor end = rspb_cursor_at(ends,
						rspb_order_find(ends, time + 1,
								RSPB_TIME_MIN));
	struct rspb_nodeset *booked = profile->scratch->rest;
	struct rspb_walk walk = rspb_walk_from(begins, time, time + 1, NULL);
	const struct rspb_entry *at;
	int rc = 0;

	rspb_nodeset_fill(booked);
	while ((at = rspb_walk_next(&walk)))
		rspb_patches_remove_from(rspb_gapsets_of(&profile->sets, at),
					 booked);
	if (!rspb_nodeset_empty(booked))
		rc = fn(time, booked, arg);
	for (; !rc && record.stop; rspb_cursor_next(&record)) {
		for (time = record.at->key; end.at->key <= time;
		     rspb_cursor_next(&end))
			rspb_gapsets_add_to(&profile->sets, end.at, booked);
		for (; begin.at->key <= time; rspb_cursor_next(&begin))
			rspb_patches_remove_from(rspb_gapsets_of(&profile->sets,
								 begin.at),
						 booked);
		rc = fn(time, booked, arg);
	}
	return rc;
}

int rspb_groups_records(const struct rspb_profile *profile,
			rspb_profile_record_fn fn, void *arg)
{
	return rspb_groups_records_from(profile, profile->now, fn, arg);
}
