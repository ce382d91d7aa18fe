/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Candidate starts and their rectangles (Li et al., sections 4.2 and 5).
 *
 * One sweep by rising start counts the free nodes of every candidate: groups
 * come in at their begin and go out when less than the duration is left before
 * their end. The latest begin among those that are in is the rectangle's left
 * edge: a stack gives it, since a group that has gone never comes back. The
 * same sweep backwards over the candidates that have enough nodes gives the
 * right edges.
 */
#include <stdlib.h>

#include "common/base/array.h"
#include "common/calendar/internal.h"

struct sweep {
	const struct rspb_profile *profile;
	const struct rspb_query *query;
	const struct rspb_when *when; /* NULL: keep every candidate */
	struct rspb_scratch *scratch;
	int64_t first, last; /* earliest and latest start */
	bool masked;	     /* weights count, not sizes */
	bool found;
	struct rspb_cursor begin, end; /* groups to come in and to go out */
	struct rspb_cursor from, upto; /* records; records - duration */
	size_t depth;		       /* of the stack of left edges */
	uint32_t free;
	size_t count; /* candidates kept */
	struct rspb_score best;
	struct rspb_rect rect; /* of the best */
};

/* Nodes of a group that the request can use, 0 when its gap is too short. */
static inline uint32_t weight_of(const struct sweep *sweep, int64_t length,
				 const struct rspb_entry *at)
{
	if (length < sweep->query->duration)
		return 0;
	return sweep->masked ? rspb_entry_weight(sweep->profile, sweep->query,
						 at, false)
			     : at->size;
}

/* Count a group's eligible nodes once, when it comes in. */
static inline void weigh(const struct sweep *sweep, const struct rspb_entry *at)
{
	if (sweep->masked)
		rspb_entry_weight(sweep->profile, sweep->query, at, true);
}

/* A group that can be used comes in: nothing below it that goes out before
 * it can ever be the latest begin again. */
static inline void push_left(struct sweep *sweep, int64_t begin, int64_t end)
{
	struct rspb_edge *stack = sweep->scratch->stack;

	while (sweep->depth && stack[sweep->depth - 1].end <= end)
		sweep->depth--;
	stack[sweep->depth++] = (struct rspb_edge){ begin, end };
}

static void reverse(struct rspb_edge *edges, size_t count)
{
	for (size_t i = 0, j = count; i + 1 < j--; i++) {
		struct rspb_edge edge = edges[i];

		edges[i] = edges[j];
		edges[j] = edge;
	}
}

/* The groups that are in at the first start. */
static void come_in_first(struct sweep *sweep)
{
	int64_t end = sweep->first + sweep->query->duration;
	struct rspb_walk walk = rspb_walk_from(&sweep->profile->begins,
					       sweep->first, end, NULL);
	struct rspb_edge *stack = sweep->scratch->stack;
	const struct rspb_entry *at;
	int64_t reach = INT64_MIN;

	while ((at = rspb_walk_next(&walk))) {
		uint32_t weight;

		weigh(sweep, at);
		weight = weight_of(sweep, at->other - at->key, at);
		sweep->free += weight;
		if (!weight || at->other <= reach)
			continue;
		reach = at->other;
		stack[sweep->depth++] = (struct rspb_edge){ at->key, reach };
	}
	/* The walk went back in time: the latest belongs on top. */
	reverse(stack, sweep->depth);
}

static inline void come_in(struct sweep *sweep, int64_t start)
{
	for (; sweep->begin.at->key <= start; rspb_cursor_next(&sweep->begin)) {
		const struct rspb_entry *at = sweep->begin.at;
		int64_t length = at->other - at->key;
		uint32_t weight;

		if (length < sweep->query->duration)
			continue;
		weigh(sweep, at);
		weight = weight_of(sweep, length, at);
		sweep->free += weight;
		if (weight)
			push_left(sweep, at->key, at->other);
	}
}

static inline void go_out(struct sweep *sweep, int64_t end)
{
	for (; sweep->end.at->key < end; rspb_cursor_next(&sweep->end)) {
		const struct rspb_entry *at = sweep->end.at;

		sweep->free -= weight_of(sweep, at->key - at->other, at);
	}
}

static inline int64_t left_edge(struct sweep *sweep, int64_t end)
{
	const struct rspb_edge *stack = sweep->scratch->stack;
	int64_t now = sweep->profile->now;

	while (stack[sweep->depth - 1].end < end)
		sweep->depth--;
	return stack[sweep->depth - 1].begin > now
		       ? stack[sweep->depth - 1].begin
		       : now;
}

/* The next candidate after start; both record cursors step over it. */
static inline int64_t next_start(struct sweep *sweep, int64_t start)
{
	int64_t duration = sweep->query->duration;
	int64_t next;

	while (sweep->from.at->key <= start)
		rspb_cursor_next(&sweep->from);
	while (sweep->upto.at->key - duration <= start)
		rspb_cursor_next(&sweep->upto);
	next = sweep->upto.at->key - duration;
	next = sweep->from.at->key < next ? sweep->from.at->key : next;
	return next < sweep->last ? next : sweep->last;
}

/* Keep rect unless the policy likes the best so far, a later one, better. */
static inline void judge(struct sweep *sweep, const struct rspb_rect *rect)
{
	struct rspb_score score = sweep->when->score(rect, sweep->query);

	if (sweep->found && rspb_score_better(sweep->best, score))
		return;
	sweep->found = true;
	sweep->best = score;
	sweep->rect = *rect;
}

static int keep(struct sweep *sweep, int64_t start)
{
	struct rspb_scratch *scratch = sweep->scratch;

	if (sweep->count == scratch->candidate_room &&
	    rspb_array_grow(&scratch->candidates, &scratch->candidate_room,
			    sweep->count + 1, sizeof(*scratch->candidates)))
		return -1;
	scratch->candidates[sweep->count++] = (struct rspb_candidate){
		start,
		left_edge(sweep, start + sweep->query->duration),
		sweep->free,
	};
	return 0;
}

/*
 * Count the free nodes of each candidate, earliest first. Those that have
 * enough go to scratch->candidates; a policy that likes all alike is done at
 * the first of them. RET -1 without memory.
 */
static int sweep_forward(struct sweep *sweep)
{
	int64_t duration = sweep->query->duration;
	int64_t start = sweep->first;

	come_in_first(sweep);
	for (;; start = next_start(sweep, start)) {
		come_in(sweep, start);
		go_out(sweep, start + duration);
		if (sweep->free >= sweep->query->nodes) {
			if (sweep->when && !sweep->when->score) {
				sweep->found = true;
				sweep->rect.start = start;
				return 0;
			}
			if (keep(sweep, start))
				return -1;
		}
		if (start == sweep->last)
			return 0;
	}
}

/* The same for the latest candidate, on the way back. */
static void go_out_last(struct sweep *sweep, int64_t latest)
{
	struct rspb_walk walk = rspb_walk_from(&sweep->profile->begins, latest,
					       latest + sweep->query->duration,
					       NULL);
	struct rspb_edge *stack = sweep->scratch->stack;
	const struct rspb_entry *at;

	sweep->depth = 0;
	while ((at = rspb_walk_next(&walk))) {
		if (!weight_of(sweep, at->other - at->key, at))
			continue;
		while (sweep->depth && stack[sweep->depth - 1].end >= at->other)
			sweep->depth--;
		stack[sweep->depth++] = (struct rspb_edge){ at->key,
							    at->other };
	}
	reverse(stack, sweep->depth);
}

/* Seen backwards a group comes in at its end and goes out at its begin. */
static inline void push_right(struct sweep *sweep, const struct rspb_entry *at)
{
	struct rspb_edge *stack = sweep->scratch->stack;

	if (!weight_of(sweep, at->key - at->other, at))
		return;
	while (sweep->depth && stack[sweep->depth - 1].begin >= at->other)
		sweep->depth--;
	stack[sweep->depth++] = (struct rspb_edge){ at->other, at->key };
}

/*
 * The right edge of every candidate kept, latest first: rects (as many)
 * receives the rectangles, or, when NULL, the policy's best is found.
 */
static void sweep_backward(struct sweep *sweep, struct rspb_rect *rects)
{
	const struct rspb_order *ends = &sweep->profile->ends;
	const struct rspb_candidate *kept = sweep->scratch->candidates;
	const struct rspb_edge *stack = sweep->scratch->stack;
	int64_t duration = sweep->query->duration;
	int64_t latest = kept[sweep->count - 1].start;
	struct rspb_cursor end = rspb_cursor_before(
		ends, rspb_order_find(ends, latest + duration, RSPB_TIME_MIN));

	go_out_last(sweep, latest);
	for (size_t i = sweep->count; i-- > 0;) {
		struct rspb_rect rect = { kept[i].start, kept[i].left, 0,
					  kept[i].free };

		for (; end.at->key >= rect.start + duration;
		     rspb_cursor_prev(&end))
			push_right(sweep, end.at);
		while (stack[sweep->depth - 1].begin > rect.start)
			sweep->depth--;
		rect.right = stack[sweep->depth - 1].end;
		if (rect.right == RSPB_TIME_MAX)
			rect.right = rspb_profile_open_end(sweep->profile,
							   sweep->query,
							   rect.start);
		if (rects)
			rects[i] = rect;
		else
			judge(sweep, &rect);
	}
}

/* RET 1 when the policy found a start, 0 when none fits, -1: no memory. */
static int sweep_all(struct sweep *sweep)
{
	if (sweep_forward(sweep))
		return -1;
	if (sweep->count)
		sweep_backward(sweep, NULL);
	return sweep->found;
}

/* Memory that a search may need for any number of groups. RET -1 without. */
RSPB_SEARCH
static int reserve(const struct rspb_profile *profile)
{
	struct rspb_scratch *scratch = profile->scratch;

	if (rspb_array_grow(&scratch->stack, &scratch->stack_room,
			    profile->begins.entries + 1,
			    sizeof(*scratch->stack)))
		return -1;
	return rspb_array_grow(&scratch->weights, &scratch->weight_room,
			       profile->sets.used, sizeof(*scratch->weights));
}

/* Ready a sweep over the query's starts. RET -1 without memory. */
static int sweep_init(struct sweep *sweep, const struct rspb_profile *profile,
		      const struct rspb_query *query,
		      const struct rspb_when *when)
{
	struct rspb_scratch *scratch = profile->scratch;
	int64_t duration = query->duration;

	*sweep = (struct sweep){
		.profile = profile,
		.query = query,
		.when = when,
		.scratch = scratch,
		.masked = query->eligible,
		.first = rspb_query_first(profile, query),
		.last = rspb_query_last(query),
	};
	if (reserve(profile))
		return -1;
	sweep->begin = rspb_cursor_at(&profile->begins,
				      rspb_order_find(&profile->begins,
						      sweep->first, INT64_MAX));
	sweep->end = rspb_cursor_at(&profile->ends,
				    rspb_order_find(&profile->ends,
						    sweep->first + duration,
						    RSPB_TIME_MIN));
	sweep->from = rspb_cursor_at(&profile->records,
				     rspb_order_find(&profile->records,
						     sweep->first + 1, 0));
	sweep->upto =
		rspb_cursor_at(&profile->records,
			       rspb_order_find(&profile->records,
					       sweep->first + duration + 1, 0));
	return 0;
}

RSPB_SEARCH
int rspb_groups_search(const struct rspb_profile *profile,
		       const struct rspb_query *query,
		       const struct rspb_when *when, struct rspb_rect *rect,
		       struct rspb_nodeset *set)
{
	struct sweep sweep;
	int rc;

	if (when->score && rspb_when_stateless(when, query))
		return reserve(profile)
			       ? -1
			       : rspb_profile_search_states(profile, query,
							    when, rect, set);
	if (sweep_init(&sweep, profile, query, when))
		return -1;
	rc = sweep_all(&sweep);
	if (rc > 0)
		rspb_groups_measure(profile, query, sweep.rect.start, rect,
				    set);
	return rc;
}

int64_t rspb_groups_candidates(const struct rspb_profile *profile,
			       const struct rspb_query *query,
			       struct rspb_rect **rects)
{
	struct sweep sweep;

	if (sweep_init(&sweep, profile, query, NULL) || sweep_forward(&sweep))
		return -1;
	if (!sweep.count)
		return 0;
	*rects = malloc(sweep.count * sizeof(**rects));
	if (!*rects)
		return -1;
	sweep_backward(&sweep, *rects);
	return (int64_t) sweep.count;
}
