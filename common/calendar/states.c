/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The quick search, for policies that look at no start. Between two gaps
 * coming in or going out the set of gaps that can be used is one and the
 * same, and so is the rectangle; only the earliest candidate of such a state
 * can win. A merge of both orders, without a branch to mispredict, walks
 * through all states, a block at a time. From the neighbours of a state in
 * both orders follows how good it can be at best; only those that could win
 * have their edges looked up, and only a winner its candidate.
 */
#include <string.h>

#include "common/base/wide.h"
#include "common/calendar/states.h"

enum { BLOCK = RSPB_STATES };

/* States side by side; wider instructions are chosen at run time. */
typedef int32_t lanes_t __attribute__((vector_size(32), aligned(4)));
enum { LANES = 8 };

/* The merge so far. */
struct merge {
	size_t up, down; /* next to come in, to go out */
	int64_t at;	 /* when the last one did */
	uint32_t free;
};

/* RET a or b, without a branch: what comes next can't be predicted. */
static inline int64_t pick(bool first, int64_t a, int64_t b)
{
	return b ^ ((a ^ b) & -(int64_t) first);
}

/* RET b + diff when sign is -1, b when it is 0. */
static inline int64_t moved(int64_t b, int64_t diff, int64_t sign)
{
	return b + (diff & sign);
}

/*
 * The next states. Moments of coming in are even, of going out odd: never
 * equal, and so small that their difference does not overflow. What happens
 * at one moment makes one state, its last; those before are not free. No
 * branch, since it could not be predicted, and each moment is loaded a step
 * ahead.
 */
RSPB_SEARCH
static void run(const struct rspb_states *states, struct merge *merge,
		struct rspb_block *block, unsigned int count)
{
	const int64_t *in = states->ups->in, *out = states->downs->out;
	const uint32_t *more = states->ups->weight;
	const uint32_t *less = states->downs->weight;
	size_t i = merge->up, j = merge->down;
	int64_t up = in[i], next_up = in[i + 1];
	int64_t down = out[j], next_down = out[j + 1];
	int64_t at = merge->at;
	uint32_t free = merge->free;

	for (unsigned int k = 0; k < count; k++) {
		int64_t diff = up - down, comes = diff >> 63;
		int64_t next = moved(down, diff, comes);

		block->at[k] = at;
		block->ups[k] = (uint32_t) i;
		block->free[k] = (int32_t) (free & -(uint32_t) (at != next));
		at = next;
		free += (uint32_t) moved(-(int64_t) less[j],
					 (int64_t) more[i] + less[j], comes);
		i -= (size_t) comes;
		j += (size_t) comes + 1;
		up = moved(up, next_up - up, comes);
		down = moved(next_down, down - next_down, comes);
		next_up = in[i + 1];
		next_down = out[j + 1];
	}
	block->at[count] = at;
	block->count = count;
	for (unsigned int k = count; k % LANES; k++)
		block->free[k] = 0;
	block->gone = (uint32_t) merge->down + (uint32_t) merge->up;
	*merge = (struct merge){ i, j, at, free };
}

/* Leave out what has not enough nodes. */
RSPB_WIDE_STATIC static void settle(struct rspb_block *block, int32_t enough)
{
	lanes_t most = { 0 }, least = most + INT32_MAX;

	for (unsigned int k = 0; k < block->count; k += LANES) {
		lanes_t free, good, higher, lower;

		memcpy(&free, block->free + k, sizeof(free));
		good = free >= enough;
		free &= good;
		memcpy(block->free + k, &free, sizeof(free));
		higher = free > most;
		most = (free & higher) | (most & ~higher);
		lower = (free < least) & good;
		least = (free & lower) | (least & ~lower);
	}
	block->most = 0;
	block->least = INT32_MAX;
	for (unsigned int k = 0; k < LANES; k++) {
		if (most[k] > block->most)
			block->most = most[k];
		if (least[k] < block->least)
			block->least = least[k];
	}
}

/* The first key of an order behind a time; *slot is at its chunk or before. */
RSPB_SEARCH
static int64_t next_key(const struct rspb_order *order, size_t *slot,
			int64_t time)
{
	const struct rspb_entry *at;
	uint32_t count;

	while (*slot + 1 < order->chunks && order->slots[*slot + 1].key <= time)
		++*slot;
	if (*slot >= order->chunks)
		return RSPB_TIME_MAX;
	at = rspb_order_chunk(order, *slot);
	count = order->slots[*slot].count;
	if (at[count - 1].key <= time)
		return *slot + 1 < order->chunks ? order->slots[*slot + 1].key
						 : RSPB_TIME_MAX;
	for (uint32_t half; count > 1; count -= half) {
		half = count / 2;
		at += at[half - 1].key <= time ? half : 0;
	}
	return at->key;
}

/*
 * When a gap begins or ends next, which is when something is recorded. The
 * records themselves say the same, but the gaps of a window have just been
 * read and are at hand. States come by rising time: near[] is where the last
 * one was found, SIZE_MAX before the first.
 */
RSPB_SEARCH
static int64_t next_change(const struct rspb_profile *profile, size_t near[2],
			   int64_t time)
{
	const struct rspb_order *begins = &profile->begins;
	const struct rspb_order *ends = &profile->ends;
	int64_t begin, end;

	if (near[0] == SIZE_MAX) {
		near[0] = rspb_order_slot(begins, time, INT64_MAX);
		near[1] = rspb_order_slot(ends, time, INT64_MAX);
	}
	begin = next_key(begins, &near[0], time);
	end = next_key(ends, &near[1], time);
	return begin < end ? begin : end;
}

/*
 * The first candidate within a state, or INT64_MAX when there is none before
 * the next gap comes in.
 */
RSPB_SEARCH
static int64_t candidate_of(struct rspb_states *states,
			    const struct rspb_state *state)
{
	int64_t duration = states->query->duration;
	int64_t start = state->at >> 1, next = states->last, change;

	if (!(state->at & 1))
		return start;
	change = next_change(states->profile, states->near[0], start);
	next = change < next ? change : next;
	change = next_change(states->profile, states->near[1],
			     start + duration) -
		 duration;
	next = change < next ? change : next;
	return 2 * next < states->ups->in[state->up] ? next : INT64_MAX;
}

static int64_t signed_by(enum rspb_trend trend, int64_t value)
{
	return trend == RSPB_TREND_MORE	  ? value
	       : trend == RSPB_TREND_LESS ? -value
					  : 0;
}

/* A rectangle's length in moments, past the duration. */
static int64_t length_of(const struct rspb_states *states,
			 const struct rspb_rect *rect)
{
	if (rect->right == RSPB_TIME_MAX)
		return INT64_MAX;
	return 2 * (rect->right - rect->left - states->query->duration) + 1;
}

/* Put a state's edges into rect, whose right one may be RSPB_TIME_MAX. */
RSPB_SEARCH
static void find_edges(struct rspb_states *states,
		       const struct rspb_state *state, struct rspb_rect *rect)
{
	struct rspb_edge edge = rspb_edges_of(states, state);

	rect->left = edge.begin >> 1;
	rect->right = (edge.end >> 1) + states->query->duration;
}

/* Give one state its edges, and keep it when the policy likes it better. */
RSPB_SEARCH
static void judge(struct rspb_states *states, const struct rspb_block *block,
		  unsigned int k)
{
	struct rspb_state state = rspb_block_state(block, k);
	struct rspb_rect rect = { .start = state.at >> 1, .free = state.free };
	struct rspb_score score;
	int64_t start = rect.start;
	bool located;

	if (states->edges) {
		find_edges(states, &state, &rect);
		if (rect.right == RSPB_TIME_MAX)
			rect.right = rspb_profile_open_end(states->profile,
							   states->query,
							   rect.start);
	}
	score = states->when->score(&rect, states->query);
	if (states->found && !rspb_score_better(score, states->best))
		return;
	/* A gap that goes out next ends at a candidate of this state. */
	located = !(block->at[k] & block->at[k + 1] & 1);
	if (located)
		start = candidate_of(states, &state);
	if (start == INT64_MAX)
		return;
	states->found = true;
	states->best = score;
	states->winner = state;
	states->located = located;
	states->start = start;
	states->likes = (struct rspb_bound){
		signed_by(states->when->nodes, rect.free),
		signed_by(states->when->length, length_of(states, &rect)),
	};
}

/* RET whether a state that is no better than this can win. */
RSPB_SEARCH
static bool hopeful(const struct rspb_states *states, struct rspb_bound bound)
{
	const struct rspb_when *when = states->when;
	struct rspb_rect rect = { .left = RSPB_TIME_MIN,
				  .right = RSPB_TIME_MAX };
	struct rspb_score score;
	int64_t length = signed_by(when->length, bound.length);

	if (bound.free <= states->likes.free &&
	    bound.length <= states->likes.length)
		return false;
	rect.free = (uint32_t) signed_by(when->nodes, bound.free);
	if (length != INT64_MAX)
		rect.right = rect.left + (length >> 1) +
			     states->query->duration;
	score = when->score(&rect, states->query);
	return rspb_score_better(score, states->best);
}

/*
 * The rectangle lies within each gap that can be used: those that came in
 * last and those that go out next bind it most.
 */
static inline int64_t longest(const struct rspb_states *states,
			      const struct rspb_block *block, unsigned int k)
{
	int64_t at = block->at[k];
	size_t i = block->ups[k], j = rspb_block_downs(block, k);
	const int64_t *in = states->ups->in + i, *out = states->ups->out + i;
	const int64_t *to = states->downs->out + j;
	const int64_t *from = states->downs->in + j;
	bool up1 = out[-1] > at, up2 = out[-2] > at;
	bool down1 = from[0] <= at, down2 = from[1] <= at;
	int64_t begin, end;

	begin = pick(up1, in[-1],
		     pick(up2, in[-2], pick(down1, from[0], from[1])));
	end = pick(down1, to[0],
		   pick(down2, to[1], pick(up1, out[-1], out[-2])));
	return pick((up1 | up2 | down1 | down2) & (end < states->endless),
		    end - begin, INT64_MAX);
}

/* And it holds all between the last that came in and the next to go out. */
static inline int64_t shortest(const struct rspb_states *states,
			       const struct rspb_block *block, unsigned int k)
{
	return states->downs->out[rspb_block_downs(block, k)] -
	       states->ups->in[(ptrdiff_t) block->ups[k] - 1];
}

/* The better of a length's bounds: longer, or shorter, is better. */
static inline int64_t length_bound(const struct rspb_states *states,
				   const struct rspb_block *block,
				   unsigned int k)
{
	if (states->when->length == RSPB_TREND_MORE)
		return longest(states, block, k);
	if (states->when->length == RSPB_TREND_LESS)
		return -shortest(states, block, k);
	return 0;
}

static int64_t nodes_bound(const struct rspb_states *states,
			   const struct rspb_block *block)
{
	if (states->when->nodes == RSPB_TREND_MORE)
		return block->most;
	if (states->when->nodes == RSPB_TREND_LESS)
		return -block->least;
	return 0;
}

/*
 * A rectangle grows when a gap goes out and shrinks when one comes in: find
 * the states that begin with the one and end with the other.
 */
RSPB_SEARCH
static void find_turns(const struct rspb_states *states,
		       struct rspb_block *block)
{
	int64_t odd = states->when->length == RSPB_TREND_MORE;
	unsigned int count = 1;

	block->turns[0] = 0;
	for (unsigned int k = 0; k < block->count; k++) {
		int64_t begins = block->at[k], ends = block->at[k + 1];

		block->turns[count] = (uint8_t) k;
		count += (begins ^ ends) & ~(begins ^ odd) & 1;
	}
	block->turns[count++] = (uint8_t) (block->count - 1);
	block->turn_count = count;
}

/* Judge some states of a block. */
RSPB_SEARCH
static void judge_some(struct rspb_states *states,
		       const struct rspb_block *block, unsigned int from,
		       unsigned int to)
{
	for (unsigned int k = from; k <= to; k++) {
		struct rspb_bound bound = {
			.free = signed_by(states->when->nodes, block->free[k]),
		};

		if (!block->free[k])
			continue;
		if (states->found && states->bounded) {
			bound.length = length_bound(states, block, k);
			if (!hopeful(states, bound))
				continue;
		}
		judge(states, block, k);
	}
}

/* The better bound of two neighbours holds for all states between them. */
static inline int64_t between(const int64_t *lengths, unsigned int t)
{
	return lengths[t] > lengths[t - 1] ? lengths[t] : lengths[t - 1];
}

/* Judge only states between turns that are good enough. A length that can't
 * win rules out all that are no better. */
RSPB_SEARCH
static void judge_turns(struct rspb_states *states, struct rspb_block *block)
{
	struct rspb_bound bound = { .free = nodes_bound(states, block) };
	int64_t lengths[BLOCK + 2], poor = INT64_MIN;
	const uint8_t *turns = block->turns;

	find_turns(states, block);
	for (unsigned int t = 0; t < block->turn_count; t++)
		lengths[t] = length_bound(states, block, turns[t]);
	for (unsigned int t = 1; t < block->turn_count; t++) {
		bound.length = between(lengths, t);
		if (bound.length <= poor)
			continue;
		if (!states->found || hopeful(states, bound))
			judge_some(states, block, turns[t - 1] + (t > 1),
				   turns[t]);
		else
			poor = bound.length;
	}
}

RSPB_SEARCH
static void judge_block(struct rspb_states *states, struct rspb_block *block)
{
	struct rspb_bound bound = { .free = nodes_bound(states, block) };

	if (!states->bounded)
		judge_some(states, block, 0, block->count - 1);
	else if (states->edges)
		judge_turns(states, block);
	else if (!states->found || hopeful(states, bound))
		judge_some(states, block, 0, block->count - 1);
}

/* The best state's rectangle and nodes. */
RSPB_SEARCH
static void take_winner(struct rspb_states *states, struct rspb_rect *rect,
			struct rspb_nodeset *set)
{
	const struct rspb_state *winner = &states->winner;

	if (!states->located) {
		states->near[0][0] = states->near[1][0] = SIZE_MAX;
		states->start = candidate_of(states, winner);
	}
	if (!states->ups->named) {
		rspb_groups_measure(states->profile, states->query,
				    states->start, rect, set);
		return;
	}
	*rect = (struct rspb_rect){ .start = states->start,
				    .free = winner->free };
	find_edges(states, winner, rect);
	rspb_spans_nodes(states->profile, winner->up, winner->at, set);
}

RSPB_SEARCH
int rspb_profile_search_states(const struct rspb_profile *profile,
			       const struct rspb_query *query,
			       const struct rspb_when *when,
			       struct rspb_rect *rect, struct rspb_nodeset *set)
{
	struct rspb_scratch *scratch = profile->scratch;
	struct rspb_states states = {
		.profile = profile,
		.query = query,
		.when = when,
		.ups = &scratch->ups,
		.downs = &scratch->downs,
		.first = query->ready > profile->now ? query->ready
						     : profile->now,
		.last = query->deadline - query->duration,
		.endless = 2 * (RSPB_TIME_MAX - query->duration) + 1,
		.edges = when->reads & RSPB_READS_EDGES,
		.near = { { SIZE_MAX }, { SIZE_MAX } },
	};
	struct merge merge = { .at = 2 * states.first };
	struct rspb_block block;
	int64_t inside;
	size_t left;

	if (query->nodes > profile->nodes)
		return 0;
	inside = rspb_spans_gather(&(struct rspb_gather){
		profile, query, states.first, states.last });
	if (inside < 0)
		return -1;
	states.inside = (size_t) inside;
	if (rspb_edges_reserve(&states))
		return -1;
	states.bounded = (when->nodes || !(when->reads & RSPB_READS_FREE)) &&
			 (when->length || !states.edges);
	for (; merge.up < states.inside; merge.up++)
		merge.free += states.ups->weight[merge.up];
	left = states.ups->count - states.inside + states.downs->count + 1;
	for (unsigned int count; left; left -= count) {
		count = left < BLOCK ? (unsigned int) left : BLOCK;
		run(&states, &merge, &block, count);
		settle(&block, (int32_t) query->nodes);
		if (block.most)
			judge_block(&states, &block);
	}
	if (states.found)
		take_winner(&states, rect, set);
	return states.found;
}
