/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers questions about one window of a profile. */
#include <inttypes.h>
#include <stdlib.h>

#include "common/calendar/internal.h"

#include "common/base/array.h"
#include "common/calendar/ladder.h"

int rspb_profile_free_over(const struct rspb_profile *profile, int64_t start, int64_t end,
			   struct rspb_nodeset *out, struct rspb_err *err)
{
	struct rspb_walk walk;
	const struct rspb_entry *at;

	if (rspb_profile_check_window(start, end, err) ||
	    rspb_profile_check_width(profile, out, err))
		return -1;
	if (start < profile->now)
		start = profile->now;
	/* Nothing is kept of the past, where all nodes count as free. */
	if (end <= start) {
		rspb_nodeset_fill(out);
		return 0;
	}
	rspb_nodeset_clear(out);
	/* A node is free all the time if one gap holds the whole window. */
	walk = rspb_walk_from(&profile->index->begins, start, end, NULL);
	while ((at = rspb_walk_next(&walk)))
		rspb_gapsets_add_to(&profile->index->sets, at, out);
	return 0;
}

/* Nodes that are free at one instant, not before now. */
static uint32_t free_at(const struct rspb_profile *profile, int64_t time)
{
	struct rspb_walk walk = rspb_walk_from(&profile->index->begins, time, time + 1, NULL);
	const struct rspb_entry *at;
	uint32_t count = 0;

	while ((at = rspb_walk_next(&walk)))
		count += at->size;
	return count;
}

/* Count the booked nodes at the start, and follow them from record to record up to the end. */
static void peak_of(const struct rspb_profile *profile, int64_t start, int64_t end, uint32_t *most,
		    uint32_t *fewest)
{
	uint32_t booked = profile->nodes - free_at(profile, start);
	struct rspb_cursor record = rspb_cursor_at(&profile->index->records,
						   rspb_sorted_find(&profile->index->records,
								    start + 1, 0));

	*most = booked;
	*fewest = booked;
	for (; record.at->key < end; rspb_cursor_next(&record)) {
		booked = booked - record.at->size + record.at->group;
		*most = booked > *most ? booked : *most;
		*fewest = booked < *fewest ? booked : *fewest;
	}
}

int rspb_profile_peak(const struct rspb_profile *profile, int64_t start, int64_t end,
		      uint32_t *most, uint32_t *fewest, struct rspb_err *err)
{
	bool past = start < profile->now;

	if (rspb_profile_check_window(start, end, err))
		return -1;
	if (past)
		start = profile->now;
	*most = 0;
	if (end > start)
		peak_of(profile, start, end, most, fewest);
	/* Nothing is known of bookings in the past. */
	if (past)
		*fewest = 0;
	return 0;
}

int rspb_profile_ladder(const struct rspb_profile *profile, int64_t from, int64_t until,
			struct rspb_ladder *ladder)
{
	struct rspb_cursor record;
	int64_t free;

	if (from < profile->now)
		from = profile->now;
	free = from < until ? free_at(profile, from) : 0;
	if (rspb_ladder_begin(ladder, from, free))
		return -1;
	record = rspb_cursor_at(&profile->index->records,
				rspb_sorted_find(&profile->index->records, from + 1, 0));
	for (; record.at->key < until; rspb_cursor_next(&record)) {
		/* A record says how many become free then, and how many become booked. */
		free += (int64_t) record.at->size - record.at->group;
		if (rspb_ladder_append(ladder, record.at->key, free))
			return -1;
	}
	return 0;
}

static void add_to_each(struct rspb_patches nodes, int64_t *values, int64_t value)
{
	for (uint32_t i = 0; i < nodes.count; i++) {
		int64_t *at = values + (size_t) nodes.at[i].word * RSPB_PATCH;

		for (uint32_t bits = nodes.at[i].bits; bits; bits &= bits - 1)
			at[__builtin_ctz(bits)] += value;
	}
}

int rspb_profile_load(const struct rspb_profile *profile, int64_t start, int64_t end,
		      int64_t *per_node, struct rspb_err *err)
{
	struct rspb_walk walk;
	const struct rspb_entry *at;

	if (rspb_profile_check_window(start, end, err))
		return -1;
	if (start < profile->now)
		start = profile->now;
	/* Take every node as booked all the time, and subtract its gaps afterwards. */
	for (uint32_t n = 0; n < profile->nodes; n++)
		per_node[n] = end > start ? end - start : 0;
	if (end <= start)
		return 0;
	walk = rspb_walk_from(&profile->index->begins, end - 1, start + 1, NULL);
	while ((at = rspb_walk_next(&walk))) {
		int64_t a = at->key > start ? at->key : start;
		int64_t b = at->other < end ? at->other : end;

		add_to_each(rspb_gapsets_of(&profile->index->sets, at, profile->scratch->spread),
			    per_node, a - b);
	}
	return 0;
}

/* Touch the gaps around a window, one of each node. RET 0, or -1 with err, also if a node is not
 * free all the time. */
static int collect_gaps(const struct rspb_profile *profile, int64_t start, int64_t end,
			const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	int64_t found;

	if (rspb_profile_check_window(start, end, err) ||
	    rspb_profile_check_width(profile, nodes, err))
		return -1;
	if (start < profile->now)
		return rspb_fail(err,
				 "window %" PRId64 " to %" PRId64 " begins before now (%" PRId64
				 "); what has "
				 "passed is not known",
				 start, end, profile->now);
	found = rspb_index_collect(profile, start, end, nodes, true);
	if (found < 0)
		return rspb_profile_no_memory(err);
	if (found < rspb_nodeset_count(nodes))
		return rspb_profile_not_free(start, end, "gaps are asked for free nodes only", err);
	return 0;
}

/* Add the lowest `want` of the nodes of these gaps. */
static void add_lowest(const struct rspb_scratch *scratch, size_t from, size_t to, uint32_t want,
		       struct rspb_nodeset *set)
{
	struct rspb_nodeset *some = scratch->none;

	for (size_t i = from; i < to; i++)
		rspb_patches_add_to(rspb_touched_nodes(scratch, &scratch->touched[i]), some);
	/* The set is empty between two calls, hence the clear at the end. */
	rspb_nodeset_keep_lowest(some, want);
	rspb_nodeset_or(set, some);
	rspb_nodeset_clear(some);
}

int rspb_profile_keep(const struct rspb_profile *profile, int64_t start, int64_t end,
		      rspb_gap_cost cost_of, uint32_t want, struct rspb_nodeset *set,
		      struct rspb_err *err)
{
	const struct rspb_scratch *scratch = profile->scratch;
	size_t n, from, to = 0;

	if (collect_gaps(profile, start, end, set, err))
		return -1;
	n = scratch->touched_count;
	for (size_t i = 0; i < n; i++) {
		struct rspb_touched *gap = &scratch->touched[i];
		/* The free time before the window counts from now on. The cost takes the place of
		 * the begin, which is not needed any more. */
		bool begun = gap->begin < profile->now;

		gap->begin = cost_of(start - (begun ? profile->now : gap->begin), gap->end - end);
	}
	/* Sort by begin, which is a cost here. */
	if (n)
		qsort(scratch->touched, n, sizeof(*scratch->touched), rspb_array_by_i64);
	rspb_nodeset_clear(set);
	for (from = 0; from < n && want; from = to) {
		uint32_t size = 0;

		while (to < n && scratch->touched[to].begin == scratch->touched[from].begin)
			size += scratch->touched[to++].size;
		size = size < want ? size : want;
		add_lowest(scratch, from, to, size, set);
		want -= size;
	}
	return 0;
}

int rspb_profile_records(const struct rspb_profile *profile, rspb_profile_record_fn fn, void *arg)
{
	const struct rspb_sorted *begins = &profile->index->begins;
	int64_t time = profile->now;
	struct rspb_cursor record = { .order = &profile->index->records };
	struct rspb_cursor begin = rspb_cursor_at(begins, rspb_sorted_find(begins, time + 1,
									   RSPB_TIME_MIN));
	struct rspb_cursor end = { .order = &profile->index->ends };
	/* The callback is given scratch memory, which rspb_profile_keep() and each change of this
	 * profile overwrite. */
	struct rspb_nodeset *booked = profile->scratch->rest;
	struct rspb_walk walk = rspb_walk_from(begins, time, time + 1, NULL);
	const struct rspb_entry *at;
	int rc = 0;

	rspb_cursor_load(&record, 0);
	rspb_cursor_load(&end, 0);
	rspb_nodeset_fill(booked);
	while ((at = rspb_walk_next(&walk)))
		rspb_patches_remove_from(rspb_gapsets_of(&profile->index->sets, at,
							 profile->scratch->spread),
					 booked);
	if (!rspb_nodeset_empty(booked))
		rc = fn(time, booked, arg);
	for (; !rc && record.stop; rspb_cursor_next(&record)) {
		for (time = record.at->key; end.at->key <= time; rspb_cursor_next(&end))
			rspb_gapsets_add_to(&profile->index->sets, end.at, booked);
		for (; begin.at->key <= time; rspb_cursor_next(&begin))
			rspb_patches_remove_from(rspb_gapsets_of(&profile->index->sets, begin.at,
								 profile->scratch->spread),
						 booked);
		rc = fn(time, booked, arg);
	}
	return rc;
}
