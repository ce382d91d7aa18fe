/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/profile_internal.h"

struct rspb_profile *rspb_profile_create(uint32_t nodes, int64_t now)
{
	struct rspb_profile *profile = calloc(1, sizeof(*profile));

	if (profile) {
		profile->nodes = nodes;
		profile->now = now <= RSPB_TIME_MIN ? RSPB_TIME_MIN + 1 :
			       now >= RSPB_TIME_MAX ? RSPB_TIME_MAX - 1 : now;
	}
	return profile;
}

void rspb_profile_destroy(struct rspb_profile *profile)
{
	if (!profile)
		return;
	for (size_t i = 0; i < profile->count; i++)
		rspb_nodeset_destroy(profile->points[i].busy);
	free(profile->points);
	free(profile);
}

struct rspb_profile *rspb_profile_clone(const struct rspb_profile *profile)
{
	struct rspb_profile *copy = rspb_profile_create(profile->nodes,
							profile->now);
	size_t n = profile->count;

	if (!copy)
		return NULL;
	copy->points = malloc((n + 1) * sizeof(*copy->points));
	if (!copy->points)
		goto fail;
	copy->room = n + 1;
	for (; copy->count < n; copy->count++) {
		struct point *to = &copy->points[copy->count];

		*to = profile->points[copy->count];
		to->busy = rspb_nodeset_clone(to->busy);
		if (!to->busy)
			goto fail;
	}
	return copy;
fail:
	rspb_profile_destroy(copy);
	return NULL;
}

uint32_t rspb_profile_nodes(const struct rspb_profile *profile)
{
	return profile->nodes;
}

int64_t rspb_profile_now(const struct rspb_profile *profile)
{
	return profile->now;
}

size_t rspb_profile_point_at(const struct rspb_profile *profile, int64_t time)
{
	size_t low = 0, high = profile->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (profile->points[mid].time < time)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int64_t rspb_profile_last(const struct rspb_profile *profile)
{
	return profile->count ? profile->points[profile->count - 1].time :
				profile->now;
}

int rspb_profile_check_window(int64_t start, int64_t end, struct rspb_err *err)
{
	if (start <= RSPB_TIME_MIN || end >= RSPB_TIME_MAX)
		return rspb_fail(err, "window %" PRId64 " to %" PRId64
				 " is out of range; times lie within 2^61 "
				 "seconds of the epoch", start, end);
	if (end <= start)
		return rspb_fail(err, "window %" PRId64 " to %" PRId64
				 " is empty; its end must lie after its start",
				 start, end);
	return 0;
}

int rspb_profile_check_width(const struct rspb_profile *profile,
			     const struct rspb_nodeset *set,
			     struct rspb_err *err)
{
	if (set->width != profile->nodes)
		return rspb_fail(err, "a set of %" PRIu32 " nodes was given "
				 "for a profile of %" PRIu32 "; the widths "
				 "must be equal", set->width, profile->nodes);
	return 0;
}

static int no_memory(struct rspb_err *err)
{
	return rspb_fail(err, "out of memory for the availability profile");
}

/* Make a point at time, with the set that holds there. RET -1: no memory. */
static int split(struct rspb_profile *profile, int64_t time)
{
	size_t i = rspb_profile_point_at(profile, time);
	struct rspb_nodeset *busy;

	if (i < profile->count && profile->points[i].time == time)
		return 0;
	if (profile->count == profile->room) {
		size_t room = profile->room ? 2 * profile->room : 16;
		struct point *grown = realloc(profile->points,
					      room * sizeof(*grown));

		if (!grown)
			return -1;
		profile->points = grown;
		profile->room = room;
	}
	busy = i ? rspb_nodeset_clone(profile->points[i - 1].busy) :
		   rspb_nodeset_create(profile->nodes);
	if (!busy)
		return -1;
	memmove(&profile->points[i + 1], &profile->points[i],
		(profile->count - i) * sizeof(profile->points[0]));
	profile->points[i] = (struct point){ time, busy };
	profile->count++;
	return 0;
}

/* Drop the point at time when the set does not change there. */
static void join(struct rspb_profile *profile, int64_t time)
{
	size_t i = rspb_profile_point_at(profile, time);
	struct point *point = &profile->points[i];

	if (i == profile->count || point->time != time)
		return;
	if (i ? !rspb_nodeset_equal(point->busy, point[-1].busy) :
		!rspb_nodeset_empty(point->busy))
		return;
	rspb_nodeset_destroy(point->busy);
	profile->count--;
	memmove(point, point + 1, (profile->count - i) * sizeof(*point));
}

/* A change of the booked set over a window: book, or free. */
static int change(struct rspb_profile *profile, int64_t start, int64_t end,
		  const struct rspb_nodeset *nodes, bool book,
		  struct rspb_err *err)
{
	if (split(profile, start) || split(profile, end)) {
		join(profile, start);
		return no_memory(err);
	}
	for (size_t i = rspb_profile_point_at(profile, start);
	     profile->points[i].time < end; i++) {
		if (book)
			rspb_nodeset_or(profile->points[i].busy, nodes);
		else
			rspb_nodeset_minus(profile->points[i].busy, nodes);
	}
	join(profile, end);
	join(profile, start);
	return 0;
}

/* The points whose sets hold within [start, end) are from..to-1. */
static void span(const struct rspb_profile *profile, int64_t start,
		 int64_t end, size_t *from, size_t *to)
{
	*from = rspb_profile_point_at(profile, start);
	if (*from && (*from == profile->count ||
		      profile->points[*from].time > start))
		--*from;
	*to = rspb_profile_point_at(profile, end);
}

static int check_change(const struct rspb_profile *profile, int64_t *start,
			int64_t end, const struct rspb_nodeset *nodes,
			struct rspb_err *err)
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
	size_t from, to;

	if (check_change(profile, &start, end, nodes, err))
		return -1;
	if (rspb_nodeset_empty(nodes))
		return rspb_fail(err, "no nodes were given to book; name at "
				 "least one");
	if (end <= start)
		return 0;
	span(profile, start, end, &from, &to);
	for (size_t i = from; i < to; i++)
		if (!rspb_nodeset_disjoint(profile->points[i].busy, nodes))
			return rspb_fail(err, "a node is already booked within "
					 "%" PRId64 " to %" PRId64 "; only free"
					 " nodes can be booked", start, end);
	return change(profile, start, end, nodes, true, err);
}

int rspb_profile_remove(struct rspb_profile *profile, int64_t start,
			int64_t end, const struct rspb_nodeset *nodes,
			struct rspb_err *err)
{
	size_t from, to;
	bool covered;

	if (check_change(profile, &start, end, nodes, err))
		return -1;
	if (end <= start || rspb_nodeset_empty(nodes))
		return 0;
	span(profile, start, end, &from, &to);
	covered = from < to && profile->points[from].time <= start;
	for (size_t i = from; covered && i < to; i++)
		covered = rspb_nodeset_within(nodes, profile->points[i].busy);
	if (!covered)
		return rspb_fail(err, "a node is not booked all of %" PRId64
				 " to %" PRId64 "; only what was booked can be "
				 "freed", start, end);
	return change(profile, start, end, nodes, false, err);
}

int rspb_profile_cover(struct rspb_profile *profile, int64_t start,
		       int64_t end, const struct rspb_nodeset *nodes,
		       struct rspb_err *err)
{
	if (check_change(profile, &start, end, nodes, err))
		return -1;
	if (end <= start || rspb_nodeset_empty(nodes))
		return 0;
	if (change(profile, start, end, nodes, true, err))
		return -1;
	/* Points inside may have become alike. */
	for (size_t i = rspb_profile_point_at(profile, end); i-- > 0 &&
	     profile->points[i].time >= start;)
		join(profile, profile->points[i].time);
	return 0;
}

int rspb_profile_advance(struct rspb_profile *profile, int64_t now,
			 struct rspb_err *err)
{
	size_t from;

	if (now < profile->now)
		return rspb_fail(err, "now cannot go back from %" PRId64
				 " to %" PRId64, profile->now, now);
	if (now >= RSPB_TIME_MAX)
		return rspb_fail(err, "now %" PRId64 " is out of range; times "
				 "lie within 2^61 seconds of the epoch", now);
	profile->now = now;
	from = rspb_profile_point_at(profile, now);
	if (from && (from == profile->count ||
		     profile->points[from].time > now))
		profile->points[--from].time = now;
	for (size_t i = 0; i < from; i++)
		rspb_nodeset_destroy(profile->points[i].busy);
	profile->count -= from;
	memmove(profile->points, profile->points + from,
		profile->count * sizeof(profile->points[0]));
	join(profile, now);
	return 0;
}

int rspb_profile_free_over(const struct rspb_profile *profile, int64_t start,
			   int64_t end, struct rspb_nodeset *out,
			   struct rspb_err *err)
{
	size_t from, to;

	if (rspb_profile_check_window(start, end, err) ||
	    rspb_profile_check_width(profile, out, err))
		return -1;
	rspb_nodeset_fill(out);
	span(profile, start, end, &from, &to);
	for (size_t i = from; i < to; i++)
		rspb_nodeset_minus(out, profile->points[i].busy);
	return 0;
}

int rspb_profile_peak(const struct rspb_profile *profile, int64_t start,
		      int64_t end, uint32_t *most, uint32_t *fewest,
		      struct rspb_err *err)
{
	size_t from, to;

	if (rspb_profile_check_window(start, end, err))
		return -1;
	span(profile, start, end, &from, &to);
	*most = 0;
	*fewest = UINT32_MAX;
	/* Before the first point nothing is booked. */
	if (from == to || profile->points[from].time > start)
		*fewest = 0;
	for (size_t i = from; i < to; i++) {
		uint32_t n = rspb_nodeset_count(profile->points[i].busy);

		*most = n > *most ? n : *most;
		*fewest = n < *fewest ? n : *fewest;
	}
	return 0;
}

int rspb_profile_load(const struct rspb_profile *profile, int64_t start,
		      int64_t end, int64_t *per_node, struct rspb_err *err)
{
	size_t from, to;

	if (rspb_profile_check_window(start, end, err))
		return -1;
	memset(per_node, 0, profile->nodes * sizeof(*per_node));
	span(profile, start, end, &from, &to);
	for (size_t i = from; i < to; i++) {
		const struct point *point = &profile->points[i];
		const struct rspb_nodeset *busy = point->busy;
		int64_t a = point->time > start ? point->time : start;
		int64_t b = i + 1 < to ? point[1].time : end;

		for (uint32_t n = rspb_nodeset_next(busy, 0);
		     n < busy->width; n = rspb_nodeset_next(busy, n + 1))
			per_node[n] += b - a;
	}
	return 0;
}

int rspb_profile_records(const struct rspb_profile *profile,
			 rspb_profile_record_fn fn, void *arg)
{
	for (size_t i = 0; i < profile->count; i++) {
		const struct point *point = &profile->points[i];
		int rc = fn(point->time, point->busy, arg);

		if (rc)
			return rc;
	}
	return 0;
}

void rspb_profile_stats(const struct rspb_profile *profile,
			struct rspb_profile_stats *stats)
{
	size_t set = sizeof(struct rspb_nodeset) + (profile->nodes + 63) / 64 *
							sizeof(uint64_t);

	stats->points = profile->count;
	stats->groups = profile->count;
	stats->bytes = sizeof(*profile) +
		       profile->room * sizeof(profile->points[0]) +
		       profile->count * set;
}

int rspb_profile_validate(const struct rspb_profile *profile,
			  struct rspb_err *err)
{
	const struct point *point = profile->points;

	for (size_t i = 0; i < profile->count; i++, point++) {
		if (i ? point->time <= point[-1].time :
			point->time < profile->now)
			return rspb_fail(err, "point %zu at %" PRId64
					 " is out of order", i, point->time);
		if (i ? rspb_nodeset_equal(point->busy, point[-1].busy) :
			rspb_nodeset_empty(point->busy))
			return rspb_fail(err, "nothing changes at point %zu "
					 "at %" PRId64, i, point->time);
	}
	if (profile->count && !rspb_nodeset_empty(point[-1].busy))
		return rspb_fail(err, "nodes are booked without an end");
	return 0;
}
