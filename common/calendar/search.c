/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Candidate starts and their rectangles (Li et al., sections 4.2 and 5). */
#include <stdlib.h>

#include "common/base/array.h"
#include "common/calendar/states.h"

/* Parts of a window that are looked at one after the other for the earliest
 * start; each is as long as all before it. */
enum { PARTS = 64 };

/* RET the first second of the window, which is not before now. */
static int64_t first_start(const struct rspb_profile *profile, const struct rspb_query *query)
{
	return query->ready > profile->now ? query->ready : profile->now;
}

/* RET the first record at or after time, which is a candidate, or last. */
static int64_t part_end(const struct rspb_profile *profile, int64_t time, int64_t last)
{
	const struct rspb_entry *record = rspb_sorted_at(&profile->index->records,
							 rspb_sorted_find(&profile->index->records,
									  time, 0));

	return record && record->key < last ? record->key : last;
}

/* Search where the first start that fits is as good as any. RET as rspb_judge_search(). */
static int search_earliest(const struct rspb_profile *profile, const struct rspb_query *query,
			   const struct rspb_preference *preference, struct rspb_rect *rect,
			   struct rspb_nodeset *set)
{
	int64_t first = first_start(profile, query);
	int64_t last = query->deadline - query->duration;
	int64_t length = (last - first) / PARTS + 1;
	int rc = 0;

	/* The last start of each part counts as a candidate, so it has to be one of the whole
	 * window. A start that is found ends the search. */
	for (bool more = true; more && !rc; length *= 2) {
		struct rspb_query part = *query;
		int64_t end = length < last - first ? part_end(profile, first + length, last)
						    : last;

		part.ready = first;
		part.deadline = end + query->duration;
		rc = rspb_judge_search(profile, &part, preference, rect, set);
		more = end < last;
		first = end;
	}
	return rc;
}

/* RET 1 when the query has a start, 0 when it has none, -1 with err. */
static int check_starts(const struct rspb_profile *profile, const struct rspb_query *query,
			struct rspb_err *err)
{
	if (rspb_profile_check_query(profile, query, err))
		return -1;
	return first_start(profile, query) <= query->deadline - query->duration;
}

int rspb_profile_search(const struct rspb_profile *profile, const struct rspb_query *query,
			const struct rspb_preference *preference, struct rspb_rect *rect,
			struct rspb_nodeset *set, struct rspb_err *err)
{
	struct rspb_rect best;
	int rc;

	if (rspb_profile_check_width(profile, set, err))
		return -1;
	rc = check_starts(profile, query, err);
	if (rc <= 0)
		return rc;
	/* A fixed start that has passed is lost, although first_start() would look from now on. */
	if (preference->fixed && query->ready < profile->now)
		return 0;
	if (preference->fixed)
		rspb_rect_measure(profile, query, query->ready, &best, set);
	else if (preference->score)
		rc = rspb_judge_search(profile, query, preference, &best, set);
	else
		rc = search_earliest(profile, query, preference, &best, set);
	if (rc < 0)
		return rspb_profile_no_memory(err);
	/* A fixed start was measured without regard to the number of nodes. */
	if (!rc || best.free < query->nodes)
		return 0;
	rspb_rect_close(profile, query, &best);
	*rect = best;
	return 1;
}

/* Rectangles as they are found. */
struct list {
	struct rspb_rect *rects;
	size_t count, room;
	struct rspb_cursor from, upto; /* records; records - duration */
};

/* RET the first candidate after start, whatever states begin between; starts
 * come by rising time. */
static int64_t next_start(const struct rspb_states *states, struct list *list, int64_t start)
{
	int64_t duration = states->query->duration;
	int64_t next = states->last;

	while (list->from.at->key <= start)
		rspb_cursor_next(&list->from);
	while (list->upto.at->key - duration <= start)
		rspb_cursor_next(&list->upto);
	if (list->from.at->key < next)
		next = list->from.at->key;
	if (list->upto.at->key - duration < next)
		next = list->upto.at->key - duration;
	/* Callers double the start: the value for none must not overflow then. */
	return next > start ? next : INT64_MAX / 2;
}

/* Append all starts of a state. RET -1 without memory. */
static int append_starts(struct rspb_states *states, const struct rspb_state *state, int64_t end,
			 struct list *list)
{
	struct rspb_rect rect = { .free = state->free };
	int64_t start = state->at >> 1;

	/* All starts of a state share the edges. Only an open end may depend on the start. */
	rspb_edges_find(states, state, &rect);
	/* A state that begins with a gap going out begins just after a second, so its first start
	 * is a later candidate. */
	if (state->at & 1)
		start = next_start(states, list, start);
	for (; 2 * start < end; start = next_start(states, list, start)) {
		if (rspb_array_grow(&list->rects, &list->room, list->count + 1,
				    sizeof(*list->rects)))
			return -1;
		list->rects[list->count] = rect;
		list->rects[list->count].start = start;
		rspb_rect_close(states->profile, states->query, &list->rects[list->count++]);
	}
	return 0;
}

static struct rspb_cursor record_after(const struct rspb_profile *profile, int64_t time)
{
	const struct rspb_sorted *records = &profile->index->records;

	return rspb_cursor_at(records, rspb_sorted_find(records, time + 1, 0));
}

/* Append the starts of all states that have enough nodes. RET 0, -1 without memory. */
static int append_all(const struct rspb_profile *profile, const struct rspb_query *query,
		      struct list *list)
{
	struct rspb_states states;
	struct rspb_state_block block;

	if (rspb_states_begin(&states, profile, query))
		return -1;
	/* Starts come by rising time, so two cursors that only move on find all candidates. */
	list->from = record_after(profile, states.first);
	list->upto = record_after(profile, states.first + query->duration);
	while (rspb_states_next(&states, &block))
		for (unsigned int k = 0; k < block.count; k++) {
			struct rspb_state state = rspb_state_of(&block, k);

			if (state.free && append_starts(&states, &state, block.at[k + 1], list))
				return -1;
		}
	return 0;
}

int64_t rspb_profile_candidates(const struct rspb_profile *profile, const struct rspb_query *query,
				struct rspb_rect **rects, struct rspb_err *err)
{
	struct list list = { .count = 0 };
	int rc = check_starts(profile, query, err);

	*rects = NULL;
	if (rc <= 0)
		return rc;
	if (append_all(profile, query, &list)) {
		free(list.rects);
		return rspb_profile_no_memory(err);
	}
	*rects = list.rects;
	return (int64_t) list.count;
}
