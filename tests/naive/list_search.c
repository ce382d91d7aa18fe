/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Candidate starts and their rectangles (Li et al., sections 4.2 and 5). */
#include <inttypes.h>
#include <stdlib.h>

#include "tests/naive/list.h"

static int check_query(const struct naive_list *list, const struct rspb_query *query,
		       struct rspb_err *err)
{
	if (query->duration <= 0 || query->duration >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "duration %" PRId64 " is out of range; "
				 "it must be at least 1 and under 2^61 seconds",
				 query->duration);
	if (!query->nodes)
		return rspb_fail(err, "0 nodes were asked for; at least 1 is "
				      "needed");
	if (query->ready <= RSPB_TIME_MIN || query->ready >= RSPB_TIME_MAX ||
	    query->deadline <= RSPB_TIME_MIN || query->deadline >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "ready %" PRId64 " or deadline %" PRId64
				 " is out of range; times lie within 2^61 "
				 "seconds of the epoch",
				 query->ready, query->deadline);
	if (query->eligible)
		return naive_list_check_width(list, query->eligible, err);
	return 0;
}

/* Where the rectangle of start ends when nothing is booked behind it. */
static int64_t open_end(const struct naive_list *list, const struct rspb_query *query,
			int64_t start)
{
	int64_t end = start + query->duration;
	int64_t last = naive_list_last(list);

	switch (query->open_end) {
	case RSPB_OPEN_INFINITE:
		return RSPB_TIME_MAX;
	case RSPB_OPEN_LAST:
		if (!list->count)
			last = query->deadline;
		return last > end ? last : end;
	case RSPB_OPEN_DEADLINE_ONLY:
		return query->deadline > end ? query->deadline : end;
	case RSPB_OPEN_DEADLINE:
		break;
	}
	if (query->deadline > last)
		last = query->deadline;
	return last > end ? last : end;
}

/*
 * Fill rect for a start, set with the nodes that are free. RET false when there
 * are fewer than `least`: seen at the first row, or when all are united.
 */
static bool measure(const struct naive_list *list, const struct rspb_query *query, int64_t start,
		    uint32_t least, struct rspb_rect *rect, struct rspb_nodeset *set)
{
	const struct naive_point *points = list->points;
	int64_t end = start + query->duration;
	size_t from = naive_list_point_at(list, start + 1);
	size_t i = from ? from - 1 : 0;

	if (query->eligible)
		rspb_nodeset_copy(set, query->eligible);
	else
		rspb_nodeset_fill(set);
	if (i < list->count && points[i].time < end) {
		rspb_nodeset_minus(set, points[i++].busy);
		if (rspb_nodeset_count(set) < least)
			return false;
	}
	for (; i < list->count && points[i].time < end; i++)
		rspb_nodeset_minus(set, points[i].busy);
	rect->start = start;
	rect->free = rspb_nodeset_count(set);
	if (rect->free < least)
		return false;
	while (i < list->count && rspb_nodeset_disjoint(set, points[i].busy))
		i++;
	rect->right = i < list->count ? points[i].time : open_end(list, query, start);
	while (from && rspb_nodeset_disjoint(set, points[from - 1].busy))
		from--;
	rect->left = from ? points[from].time : list->now;
	return true;
}

/*
 * All candidate times by rising time, each once: of the points within the
 * window, and of those a duration later. RET how many, -1 without memory.
 * *times is malloc'ed.
 */
static int64_t gather(const struct naive_list *list, const struct rspb_query *query,
		      int64_t **times)
{
	const struct naive_point *points = list->points;
	int64_t first = query->ready > list->now ? query->ready : list->now;
	int64_t last = query->deadline - query->duration;
	size_t a = naive_list_point_at(list, first + 1);
	size_t b = naive_list_point_at(list, first + query->duration + 1);
	size_t most = 2;
	int64_t n = 0;

	*times = NULL;
	if (first > last)
		return 0;
	most += naive_list_point_at(list, last + 1) - a;
	most += naive_list_point_at(list, query->deadline + 1) - b;
	*times = malloc(most * sizeof(**times));
	if (!*times)
		return -1;
	for (int64_t time = first; time < last;) {
		(*times)[n++] = time;
		while (a < list->count && points[a].time <= time)
			a++;
		while (b < list->count && points[b].time - query->duration <= time)
			b++;
		time = last;
		if (a < list->count && points[a].time < time)
			time = points[a].time;
		if (b < list->count && points[b].time - query->duration < time)
			time = points[b].time - query->duration;
	}
	(*times)[n++] = last;
	return n;
}

static bool better(struct rspb_score a, struct rspb_score b)
{
	return a.hi != b.hi ? a.hi > b.hi : a.lo > b.lo;
}

static struct rspb_score score_of(const struct rspb_rect *rect, const struct rspb_query *query,
				  const struct rspb_preference *prefers)
{
	uint64_t length = UINT64_MAX;

	if (rect->right < RSPB_TIME_MAX)
		length = (uint64_t) rect->right - (uint64_t) rect->left;
	return prefers->score(rect->free, length, query);
}

/* RET 1 with the best of the candidate times in rect, 0 when none fits. */
static int choose(const struct naive_list *list, const struct rspb_query *query,
		  const struct rspb_preference *prefers, const int64_t *times, int64_t count,
		  struct rspb_rect *rect, struct rspb_nodeset *set)
{
	struct rspb_score best = { 0, 0 };
	int found = 0;

	for (int64_t i = 0; i < count; i++) {
		struct rspb_rect here;
		struct rspb_score score = { 0, 0 };

		if (!measure(list, query, times[i], query->nodes, &here, set))
			continue;
		if (prefers->score)
			score = score_of(&here, query, prefers);
		if (found && !better(score, best))
			continue;
		found = 1;
		best = score;
		*rect = here;
		if (!prefers->score)
			break;
	}
	return found;
}

int naive_list_search(const struct naive_list *list, const struct rspb_query *query,
		      const struct rspb_preference *prefers, struct rspb_rect *rect,
		      struct rspb_nodeset *set, struct rspb_err *err)
{
	int64_t *times;
	int64_t count;
	int found;

	if (check_query(list, query, err) || naive_list_check_width(list, set, err))
		return -1;
	count = gather(list, query, &times);
	if (count < 0)
		return rspb_fail(err, "out of memory for a search");
	if (prefers->fixed)
		count = count && query->ready >= list->now;
	found = choose(list, query, prefers, times, count, rect, set);
	if (found)
		measure(list, query, rect->start, 0, rect, set);
	free(times);
	return found;
}

int64_t naive_list_candidates(const struct naive_list *list, const struct rspb_query *query,
			      struct rspb_rect **rects, struct rspb_err *err)
{
	struct rspb_nodeset *set;
	int64_t *times;
	int64_t count, kept = 0;

	*rects = NULL;
	if (check_query(list, query, err))
		return -1;
	count = gather(list, query, &times);
	set = rspb_nodeset_create(list->nodes);
	if (count > 0)
		*rects = malloc((size_t) count * sizeof(**rects));
	if (count < 0 || !set || (count > 0 && !*rects)) {
		kept = rspb_fail(err, "out of memory for a search");
		goto out;
	}
	for (int64_t i = 0; i < count; i++)
		kept += measure(list, query, times[i], query->nodes, &(*rects)[kept], set);
out:
	if (kept <= 0) {
		free(*rects);
		*rects = NULL;
	}
	rspb_nodeset_destroy(set);
	free(times);
	return kept;
}

int naive_list_gaps(const struct naive_list *list, int64_t start, int64_t end,
		    const struct rspb_nodeset *free_nodes, int64_t *left, int64_t *right,
		    struct rspb_err *err)
{
	const struct naive_point *points = list->points;
	const struct rspb_nodeset *set = free_nodes;
	size_t before, behind;

	if (naive_list_check_window(start, end, err) || naive_list_check_width(list, set, err))
		return -1;
	before = naive_list_point_at(list, start + 1);
	behind = naive_list_point_at(list, end);
	for (size_t i = before ? before - 1 : 0; i < behind; i++)
		if (!rspb_nodeset_disjoint(points[i].busy, set))
			return rspb_fail(err,
					 "a node is booked within %" PRId64 " to %" PRId64
					 "; gaps are "
					 "asked for free nodes only",
					 start, end);
	for (uint32_t n = rspb_nodeset_next(set, 0); n < set->width;
	     n = rspb_nodeset_next(set, n + 1)) {
		size_t i = before;

		while (i && !rspb_nodeset_has(points[i - 1].busy, n))
			i--;
		left[n] = i ? points[i].time : list->now;
		for (i = behind; i < list->count; i++)
			if (rspb_nodeset_has(points[i].busy, n))
				break;
		right[n] = i < list->count ? points[i].time : RSPB_TIME_MAX;
	}
	return 0;
}
