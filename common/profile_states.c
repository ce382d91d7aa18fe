/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The quick search, for policies that look at no start. Between two groups
 * coming in or going out the set of groups that can be used is one and the
 * same, and so is the rectangle; only the earliest candidate of such a state
 * can win. Groups too short for the request are left out first, chunk-wise
 * where a chunk has no long one, so that the work is two passes of reading and
 * one merge of what remains. Which candidate a state begins with is looked up
 * only when the state would win.
 */
#include "common/profile_internal.h"

struct state {
	int64_t start;		/* its first moment; with `after` one later */
	int64_t left;
	int64_t until;		/* when the next group comes in */
	uint32_t free;
	bool after;
};

struct states {
	const struct rspb_profile *profile;
	const struct rspb_query *query;
	const struct rspb_when *when;
	struct rspb_scratch *scratch;
	int64_t first, last;
	size_t ups, downs;	/* spans that come in; that go out */
	size_t inside;		/* of the ups: in at the first start */
	size_t count;		/* states kept */
	size_t depth;		/* of the stack */
	bool edges;		/* the policy looks at the rectangle's edges */
	bool found;
	struct rspb_score best;
	int64_t start;		/* of the best */
};

/* Leave out spans without an eligible node. RET how many stay. */
static size_t weigh(const struct states *states, struct rspb_span *spans,
		    size_t from, size_t count, bool first_time)
{
	const struct rspb_profile *profile = states->profile;
	uint32_t *weights = states->scratch->weights;
	size_t kept = from;

	for (size_t i = from; i < count; i++) {
		uint32_t group = spans[i].group;

		if (first_time)
			weights[group] = rspb_patches_common(
				rspb_gapsets_of(&profile->sets, group),
				states->query->eligible);
		spans[kept] = spans[i];
		spans[kept].weight = weights[group];
		kept += weights[group] != 0;
	}
	return kept;
}

/* Chunks lie anywhere: have the next one's first lines on their way. */
static inline void prefetch(const struct rspb_entry *chunk)
{
	for (int i = 0; i < 24; i += 2)
		__builtin_prefetch(&chunk[i * 4 / 3]);
}

/*
 * Append the gaps of an order from place to stop that last long enough.
 * RET how many spans there are then, -1 without memory.
 */
static int64_t gather(const struct states *states,
		      const struct rspb_order *order, struct rspb_place from,
		      struct rspb_place stop, struct rspb_spans *spans,
		      size_t count)
{
	int64_t least = states->query->duration;
	bool by_begin = order == &states->profile->begins;

	for (; from.slot < order->chunks && from.slot <= stop.slot;
	     from.slot++, from.in = 0) {
		const struct rspb_slot *slot = &order->slots[from.slot];
		const struct rspb_entry *at = rspb_order_chunk(order,
							       from.slot);
		uint32_t end = from.slot == stop.slot ? stop.in : slot->count;
		struct rspb_span *to;

		if (from.slot + 1 < order->chunks)
			prefetch(rspb_order_chunk(order, from.slot + 1));
		if (slot->longest < least)
			continue;
		if (rspb_array_grow(&spans->at, &spans->room,
				    count + RSPB_CHUNK, sizeof(*spans->at)))
			return -1;
		to = spans->at;
		for (uint32_t i = from.in; i < end; i++) {
			int64_t begin = by_begin ? at[i].key : at[i].other;
			int64_t close = by_begin ? at[i].other : at[i].key;

			to[count] = (struct rspb_span){
				begin, close, at[i].size, at[i].group,
			};
			count += close - begin >= least;
		}
	}
	return (int64_t)count;
}

/* The groups that are in at the first start, the latest begin first. */
static int64_t gather_inside(const struct states *states)
{
	struct rspb_spans *ups = &states->scratch->ups;
	struct rspb_walk walk = rspb_walk_from(
		&states->profile->begins, states->first,
		states->first + states->query->duration, NULL);
	const struct rspb_entry *at;
	size_t count = 0;

	while ((at = rspb_walk_next(&walk))) {
		if (rspb_array_grow(&ups->at, &ups->room, count + 1,
				    sizeof(*ups->at)))
			return -1;
		ups->at[count++] = (struct rspb_span){ at->key, at->other,
						       at->size, at->group };
	}
	return (int64_t)count;
}

/* All spans of the query, in both orders. RET -1 without memory. */
static int gather_all(struct states *states)
{
	const struct rspb_order *begins = &states->profile->begins;
	const struct rspb_order *ends = &states->profile->ends;
	int64_t duration = states->query->duration;
	struct rspb_spans *ups = &states->scratch->ups;
	struct rspb_spans *downs = &states->scratch->downs;
	bool masked = states->query->eligible;
	int64_t n = gather_inside(states);

	if (n < 0)
		return -1;
	states->inside = masked ? weigh(states, ups->at, 0, (size_t)n, true) :
				  (size_t)n;
	n = gather(states, begins,
		   rspb_order_find(begins, states->first, INT64_MAX),
		   rspb_order_find(begins, states->last, INT64_MAX), ups,
		   states->inside);
	if (n < 0)
		return -1;
	states->ups = masked ? weigh(states, ups->at, states->inside,
				     (size_t)n, true) : (size_t)n;
	n = gather(states, ends,
		   rspb_order_find(ends, states->first + duration,
				   RSPB_TIME_MIN),
		   rspb_order_find(ends, states->last + duration,
				   RSPB_TIME_MIN), downs, 0);
	if (n < 0)
		return -1;
	states->downs = masked ? weigh(states, downs->at, 0, (size_t)n,
				       false) : (size_t)n;
	return 0;
}

/*
 * The first candidate within a state, or INT64_MAX when there is none before
 * the next group comes in.
 */
static int64_t candidate_of(const struct states *states,
			    const struct state *state)
{
	const struct rspb_order *records = &states->profile->records;
	int64_t duration = states->query->duration;
	int64_t next = states->last;
	const struct rspb_entry *at;

	if (!state->after)
		return state->start;
	at = rspb_order_at(records, rspb_order_find(records,
						    state->start + 1, 0));
	if (at && at->key < next)
		next = at->key;
	at = rspb_order_at(records, rspb_order_find(
		records, state->start + duration + 1, 0));
	if (at && at->key - duration < next)
		next = at->key - duration;
	return next < state->until ? next : INT64_MAX;
}

/* Keep the state when the policy likes it better; earlier ones win ties. */
static inline void judge(struct states *states, const struct state *state,
			 int64_t right, bool backward)
{
	struct rspb_rect rect = { state->start, state->left, right,
				  state->free };
	struct rspb_score score;
	int64_t start;

	if (right == RSPB_TIME_MAX)
		rect.right = rspb_profile_open_end(states->profile,
						   states->query,
						   state->start);
	score = states->when->score(&rect, states->query);
	if (states->found && (backward ?
			      rspb_score_better(states->best, score) :
			      !rspb_score_better(score, states->best)))
		return;
	start = candidate_of(states, state);
	if (start == INT64_MAX)
		return;
	states->found = true;
	states->best = score;
	states->start = start;
}

/* A span on top of the stack: what goes out before it is hidden for good. */
static inline void push(struct states *states, const struct rspb_span *span)
{
	struct rspb_edge *stack = states->scratch->stack;

	while (states->depth && stack[states->depth - 1].end <= span->end)
		states->depth--;
	stack[states->depth++] = (struct rspb_edge){ span->begin, span->end };
}

static inline int emit(struct states *states, struct state *state)
{
	struct rspb_scratch *scratch = states->scratch;
	const struct rspb_edge *stack = scratch->stack;
	int64_t end = state->start + states->query->duration + state->after;
	int64_t now = states->profile->now;

	if (!states->edges) {
		judge(states, state, state->start + states->query->duration,
		      false);
		return 0;
	}
	while (stack[states->depth - 1].end < end)
		states->depth--;
	state->left = stack[states->depth - 1].begin;
	state->left = state->left > now ? state->left : now;
	if (states->count == scratch->state_room &&
	    rspb_array_grow(&scratch->states, &scratch->state_room,
			    states->count + 1, sizeof(*state)))
		return -1;
	((struct state *)scratch->states)[states->count++] = *state;
	return 0;
}

/* Walk through all states by rising time. RET -1 without memory. */
static int forward(struct states *states)
{
	const struct rspb_span *ups = states->scratch->ups.at;
	const struct rspb_span *downs = states->scratch->downs.at;
	int64_t duration = states->query->duration;
	struct state state = { .start = states->first };
	size_t i = states->inside, j = 0;

	for (size_t k = states->inside; k-- > 0;) {
		state.free += ups[k].weight;
		push(states, &ups[k]);
	}
	for (;;) {
		int64_t up = i < states->ups ? ups[i].begin : INT64_MAX;
		int64_t down = j < states->downs ? downs[j].end - duration :
						   INT64_MAX;

		state.until = up;
		if (state.free >= states->query->nodes && emit(states, &state))
			return -1;
		if (up <= down) {
			if (up == INT64_MAX)
				return 0;
			state.start = up;
			state.after = false;
			for (; i < states->ups && ups[i].begin == up; i++) {
				state.free += ups[i].weight;
				if (states->edges)
					push(states, &ups[i]);
			}
		} else {
			state.start = down;
			state.after = true;
			for (; j < states->downs &&
			     downs[j].end - duration == down; j++)
				state.free -= downs[j].weight;
		}
	}
}

/* The same stack seen backwards: the earliest end on top. */
static inline void push_back(struct states *states,
			     const struct rspb_span *span)
{
	struct rspb_edge *stack = states->scratch->stack;

	while (states->depth && stack[states->depth - 1].begin >= span->begin)
		states->depth--;
	stack[states->depth++] = (struct rspb_edge){ span->begin, span->end };
}

/* Spans that do not go out before the last start, the latest end first. */
static void push_lasting(struct states *states)
{
	const struct rspb_span *ups = states->scratch->ups.at;
	struct rspb_edge *stack = states->scratch->stack;
	int64_t end = states->last + states->query->duration;

	states->depth = 0;
	/* By rising begin: a later one matters when it ends earlier. */
	for (size_t i = 0; i < states->ups; i++) {
		/* Those inside lie the other way round. */
		size_t k = i < states->inside ? states->inside - 1 - i : i;

		if (ups[k].end < end)
			continue;
		if (states->depth && stack[states->depth - 1].end <=
		    ups[k].end)
			continue;
		stack[states->depth++] = (struct rspb_edge){ ups[k].begin,
							     ups[k].end };
	}
}

/* Give each state its right edge, latest first, and let the policy judge. */
static void backward(struct states *states)
{
	const struct rspb_span *downs = states->scratch->downs.at;
	const struct state *kept = states->scratch->states;
	const struct rspb_edge *stack = states->scratch->stack;
	int64_t duration = states->query->duration;
	size_t j = states->downs;

	push_lasting(states);
	for (size_t i = states->count; i-- > 0;) {
		int64_t start = kept[i].start + kept[i].after;

		for (; j && downs[j - 1].end - duration >= start; j--)
			push_back(states, &downs[j - 1]);
		while (stack[states->depth - 1].begin > start)
			states->depth--;
		judge(states, &kept[i], stack[states->depth - 1].end, true);
	}
}

int rspb_profile_search_states(const struct rspb_profile *profile,
			       const struct rspb_query *query,
			       const struct rspb_when *when, int64_t *start)
{
	struct rspb_scratch *scratch = profile->scratch;
	struct states states = {
		.profile = profile, .query = query, .when = when,
		.scratch = scratch,
		.first = query->ready > profile->now ? query->ready :
						       profile->now,
		.last = query->deadline - query->duration,
		.edges = when->reads & RSPB_READS_EDGES,
	};

	if (gather_all(&states) ||
	    rspb_array_grow(&scratch->stack, &scratch->stack_room,
			    states.ups + 1, sizeof(*scratch->stack)) ||
	    forward(&states))
		return -1;
	if (states.count)
		backward(&states);
	*start = states.start;
	return states.found;
}
