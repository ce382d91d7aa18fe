/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/naive/list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct naive_list *naive_list_create(uint32_t nodes, int64_t now)
{
	struct naive_list *list = calloc(1, sizeof(*list));

	if (list) {
		list->nodes = nodes;
		list->now = now <= RSPB_TIME_MIN   ? RSPB_TIME_MIN + 1
			    : now >= RSPB_TIME_MAX ? RSPB_TIME_MAX - 1
						   : now;
	}
	return list;
}

void naive_list_destroy(struct naive_list *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->count; i++)
		rspb_nodeset_destroy(list->points[i].busy);
	free(list->points);
	free(list);
}

struct naive_list *naive_list_clone(const struct naive_list *list)
{
	struct naive_list *copy = naive_list_create(list->nodes, list->now);
	size_t n = list->count;

	if (!copy)
		return NULL;
	copy->points = malloc((n + 1) * sizeof(*copy->points));
	if (!copy->points)
		goto fail;
	copy->room = n + 1;
	for (; copy->count < n; copy->count++) {
		struct naive_point *to = &copy->points[copy->count];

		*to = list->points[copy->count];
		to->busy = rspb_nodeset_clone(to->busy);
		if (!to->busy)
			goto fail;
	}
	return copy;
fail:
	naive_list_destroy(copy);
	return NULL;
}

size_t naive_list_point_at(const struct naive_list *list, int64_t time)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (list->points[mid].time < time)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int64_t naive_list_last(const struct naive_list *list)
{
	return list->count ? list->points[list->count - 1].time : list->now;
}

int naive_list_check_window(int64_t start, int64_t end, struct rspb_err *err)
{
	if (start <= RSPB_TIME_MIN || end >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "window %" PRId64 " to %" PRId64
				 " is out of range; times lie within 2^61 "
				 "seconds of the epoch",
				 start, end);
	if (end <= start)
		return rspb_fail(err,
				 "window %" PRId64 " to %" PRId64
				 " is empty; its end must lie after its start",
				 start, end);
	return 0;
}

int naive_list_check_width(const struct naive_list *list, const struct rspb_nodeset *set,
			   struct rspb_err *err)
{
	if (set->width != list->nodes)
		return rspb_fail(err,
				 "a set of %" PRIu32 " nodes was given "
				 "for a list of %" PRIu32 "; the widths "
				 "must be equal",
				 set->width, list->nodes);
	return 0;
}

static int no_memory(struct rspb_err *err)
{
	return rspb_fail(err, "out of memory for the naive list");
}

/* Make a point at time, with the set that holds there. RET -1: no memory. */
static int split(struct naive_list *list, int64_t time)
{
	size_t i = naive_list_point_at(list, time);
	struct rspb_nodeset *busy;

	if (i < list->count && list->points[i].time == time)
		return 0;
	if (list->count == list->room) {
		size_t room = list->room ? 2 * list->room : 16;
		struct naive_point *grown = realloc(list->points, room * sizeof(*grown));

		if (!grown)
			return -1;
		list->points = grown;
		list->room = room;
	}
	busy = i ? rspb_nodeset_clone(list->points[i - 1].busy) : rspb_nodeset_create(list->nodes);
	if (!busy)
		return -1;
	memmove(&list->points[i + 1], &list->points[i],
		(list->count - i) * sizeof(list->points[0]));
	list->points[i] = (struct naive_point){ time, busy };
	list->count++;
	return 0;
}

/* Drop the point at time when the set does not change there. */
static void join(struct naive_list *list, int64_t time)
{
	size_t i = naive_list_point_at(list, time);
	struct naive_point *point = &list->points[i];

	if (i == list->count || point->time != time)
		return;
	if (i ? !rspb_nodeset_equal(point->busy, point[-1].busy) : !rspb_nodeset_empty(point->busy))
		return;
	rspb_nodeset_destroy(point->busy);
	list->count--;
	memmove(point, point + 1, (list->count - i) * sizeof(*point));
}

/* A change of the booked set over a window: book, or free. */
static int change(struct naive_list *list, int64_t start, int64_t end,
		  const struct rspb_nodeset *nodes, bool book, struct rspb_err *err)
{
	if (split(list, start) || split(list, end)) {
		join(list, start);
		return no_memory(err);
	}
	for (size_t i = naive_list_point_at(list, start); list->points[i].time < end; i++) {
		if (book)
			rspb_nodeset_or(list->points[i].busy, nodes);
		else
			rspb_nodeset_minus(list->points[i].busy, nodes);
	}
	join(list, end);
	join(list, start);
	return 0;
}

/* The points whose sets hold within [start, end) are from..to-1. */
static void span(const struct naive_list *list, int64_t start, int64_t end, size_t *from,
		 size_t *to)
{
	*from = naive_list_point_at(list, start);
	if (*from && (*from == list->count || list->points[*from].time > start))
		--*from;
	*to = naive_list_point_at(list, end);
}

static int check_change(const struct naive_list *list, int64_t *start, int64_t end,
			const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	if (naive_list_check_window(*start, end, err) || naive_list_check_width(list, nodes, err))
		return -1;
	if (*start < list->now)
		*start = list->now;
	return 0;
}

int naive_list_add(struct naive_list *list, int64_t start, int64_t end,
		   const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	size_t from, to;

	if (check_change(list, &start, end, nodes, err))
		return -1;
	if (rspb_nodeset_empty(nodes))
		return rspb_fail(err, "no nodes were given to book; name at "
				      "least one");
	if (end <= start)
		return 0;
	span(list, start, end, &from, &to);
	for (size_t i = from; i < to; i++)
		if (!rspb_nodeset_disjoint(list->points[i].busy, nodes))
			return rspb_fail(err,
					 "a node is already booked within "
					 "%" PRId64 " to %" PRId64 "; only free"
					 " nodes can be booked",
					 start, end);
	return change(list, start, end, nodes, true, err);
}

int naive_list_remove(struct naive_list *list, int64_t start, int64_t end,
		      const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	size_t from, to;
	bool covered;

	if (check_change(list, &start, end, nodes, err))
		return -1;
	if (end <= start || rspb_nodeset_empty(nodes))
		return 0;
	span(list, start, end, &from, &to);
	covered = from < to && list->points[from].time <= start;
	for (size_t i = from; covered && i < to; i++)
		covered = rspb_nodeset_within(nodes, list->points[i].busy);
	if (!covered)
		return rspb_fail(err,
				 "a node is not booked all of %" PRId64 " to %" PRId64
				 "; only what was booked can be "
				 "freed",
				 start, end);
	return change(list, start, end, nodes, false, err);
}

int naive_list_cover(struct naive_list *list, int64_t start, int64_t end,
		     const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	if (check_change(list, &start, end, nodes, err))
		return -1;
	if (end <= start || rspb_nodeset_empty(nodes))
		return 0;
	if (change(list, start, end, nodes, true, err))
		return -1;
	/* Points inside may have become alike. */
	for (size_t i = naive_list_point_at(list, end); i-- > 0 && list->points[i].time >= start;)
		join(list, list->points[i].time);
	return 0;
}

int naive_list_advance(struct naive_list *list, int64_t now, struct rspb_err *err)
{
	size_t from;

	if (now < list->now)
		return rspb_fail(err, "now cannot go back from %" PRId64 " to %" PRId64, list->now,
				 now);
	if (now >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "now %" PRId64 " is out of range; times "
				 "lie within 2^61 seconds of the epoch",
				 now);
	list->now = now;
	from = naive_list_point_at(list, now);
	if (from && (from == list->count || list->points[from].time > now))
		list->points[--from].time = now;
	for (size_t i = 0; i < from; i++)
		rspb_nodeset_destroy(list->points[i].busy);
	list->count -= from;
	if (from)
		memmove(list->points, list->points + from, list->count * sizeof(list->points[0]));
	join(list, now);
	return 0;
}

int naive_list_free_over(const struct naive_list *list, int64_t start, int64_t end,
			 struct rspb_nodeset *out, struct rspb_err *err)
{
	size_t from, to;

	if (naive_list_check_window(start, end, err) || naive_list_check_width(list, out, err))
		return -1;
	rspb_nodeset_fill(out);
	span(list, start, end, &from, &to);
	for (size_t i = from; i < to; i++)
		rspb_nodeset_minus(out, list->points[i].busy);
	return 0;
}

int naive_list_peak(const struct naive_list *list, int64_t start, int64_t end, uint32_t *most,
		    uint32_t *fewest, struct rspb_err *err)
{
	size_t from, to;

	if (naive_list_check_window(start, end, err))
		return -1;
	span(list, start, end, &from, &to);
	*most = 0;
	*fewest = UINT32_MAX;
	/* Before the first point nothing is booked. */
	if (from == to || list->points[from].time > start)
		*fewest = 0;
	for (size_t i = from; i < to; i++) {
		uint32_t n = rspb_nodeset_count(list->points[i].busy);

		*most = n > *most ? n : *most;
		*fewest = n < *fewest ? n : *fewest;
	}
	return 0;
}

int naive_list_load(const struct naive_list *list, int64_t start, int64_t end, int64_t *per_node,
		    struct rspb_err *err)
{
	size_t from, to;

	if (naive_list_check_window(start, end, err))
		return -1;
	memset(per_node, 0, list->nodes * sizeof(*per_node));
	span(list, start, end, &from, &to);
	for (size_t i = from; i < to; i++) {
		const struct naive_point *point = &list->points[i];
		const struct rspb_nodeset *busy = point->busy;
		int64_t a = point->time > start ? point->time : start;
		int64_t b = i + 1 < to ? point[1].time : end;

		for (uint32_t n = rspb_nodeset_next(busy, 0); n < busy->width;
		     n = rspb_nodeset_next(busy, n + 1))
			per_node[n] += b - a;
	}
	return 0;
}

int naive_list_records(const struct naive_list *list, rspb_profile_record_fn fn, void *arg)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct naive_point *point = &list->points[i];
		int rc = fn(point->time, point->busy, arg);

		if (rc)
			return rc;
	}
	return 0;
}

int naive_list_validate(const struct naive_list *list, struct rspb_err *err)
{
	const struct naive_point *point = list->points;

	for (size_t i = 0; i < list->count; i++, point++) {
		if (i ? point->time <= point[-1].time : point->time < list->now)
			return rspb_fail(err, "point %zu at %" PRId64 " is out of order", i,
					 point->time);
		if (i ? rspb_nodeset_equal(point->busy, point[-1].busy)
		      : rspb_nodeset_empty(point->busy))
			return rspb_fail(err,
					 "nothing changes at point %zu "
					 "at %" PRId64,
					 i, point->time);
	}
	if (list->count && !rspb_nodeset_empty(point[-1].busy))
		return rspb_fail(err, "nodes are booked without an end");
	return 0;
}
