/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The best start. Only the earliest candidate of a state can win. From the
 * neighbours of a state in both orders follows how good it can be at best; only
 * those that could win have their edges looked up, and only a winner its
 * candidate.
 */
#include "common/calendar/states.h"

enum { BLOCK = RSPB_STATES };

/* The best that a state can offer: more of either is better. */
struct bound {
	int64_t free;
	int64_t length; /* of the rectangle beyond the duration, in moments */
};

struct search {
	struct rspb_states states;
	const struct rspb_preference *preference;
	/* 1: more is never liked less, -1: less is not, 0: it is not looked
	 * at. */
	int nodes, length;
	bool bounded;	 /* or else the rectangle can depend on the start */
	int64_t endless; /* gaps that go out then never end */
	bool found;
	struct rspb_score best;
	struct bound likes;	  /* the best's */
	struct rspb_state winner; /* likewise */
	int64_t winner_end;
	int64_t start; /* of the best, if it is located */
	bool located;  /* or else it is known to have one */
};

static bool better(struct rspb_score a, struct rspb_score b)
{
	return a.hi != b.hi ? a.hi > b.hi : a.lo > b.lo;
}

/* How a score goes from one figure to a larger one. */
static int trend(struct rspb_score small, struct rspb_score large)
{
	return better(large, small) - better(small, large);
}

/* Ask which way the score follows each figure; see rspb_score_fn. */
static void find_trends(struct search *search)
{
	const struct rspb_query *query = search->states.query;
	rspb_score_fn score = search->preference->score;
	uint64_t shortest = (uint64_t) query->duration;
	struct rspb_score least = score(query->nodes, shortest, query);

	search->nodes = trend(least, score(search->states.profile->nodes, shortest, query));
	search->length = trend(least, score(query->nodes, UINT64_MAX, query));
}

/* Convert a rectangle's length into moments, past the duration. The 1 is there because spans come
 * in at even moments and go out at odd ones. */
static int64_t length_of(const struct search *search, const struct rspb_rect *rect)
{
	if (rect->right == RSPB_TIME_MAX)
		return INT64_MAX;
	return 2 * (rect->right - rect->left - search->states.query->duration) + 1;
}

static struct rspb_score score_of(const struct search *search, const struct rspb_rect *rect)
{
	return rspb_preference_score(search->preference, rect, search->states.query);
}

/* The best so far; start INT64_MAX: the first of its state, which has one. */
static void keep(struct search *search, const struct rspb_state *state, int64_t end, int64_t start,
		 const struct rspb_rect *rect)
{
	search->found = true;
	search->best = score_of(search, rect);
	search->winner = *state;
	search->winner_end = end;
	search->start = start;
	search->likes = (struct bound){
		search->nodes * (int64_t) rect->free,
		search->length * length_of(search, rect),
	};
}

/* Judge a state whose rectangle may end later for a later start. */
static void judge_starts(struct search *search, const struct rspb_state *state, int64_t end,
			 const struct rspb_rect *open)
{
	struct rspb_states *states = &search->states;
	int64_t start = rspb_starts_first(states, state, end);

	for (; start != INT64_MAX; start = rspb_starts_next(states, start, end)) {
		struct rspb_rect rect = *open;

		rect.start = start;
		rspb_rect_close(states->profile, states->query, &rect);
		if (!search->found || better(score_of(search, &rect), search->best))
			keep(search, state, end, start, &rect);
	}
}

/* Give one state its edges, and keep it when it is liked better. */
static void judge(struct search *search, const struct rspb_state_block *block, unsigned int k)
{
	struct rspb_states *states = &search->states;
	struct rspb_state state = rspb_state_of(block, k);
	struct rspb_rect rect = { .start = state.at >> 1, .free = state.free };
	int64_t start = INT64_MAX, end = block->at[k + 1];

	if (search->length) {
		rspb_edges_find(states, &state, &rect);
		/* The end of an open rectangle depends on its start here, so each start of the
		 * state is judged. */
		if (rect.right == RSPB_TIME_MAX && !search->bounded) {
			judge_starts(search, &state, end, &rect);
			return;
		}
		rspb_rect_close(states->profile, states->query, &rect);
	}
	if (search->found && !better(score_of(search, &rect), search->best))
		return;
	/* A gap that goes out next ends at a candidate of this state. */
	if (!(state.at & end & 1)) {
		start = rspb_starts_first(states, &state, end);
		if (start == INT64_MAX)
			return;
	}
	keep(search, &state, end, start, &rect);
}

/* RET whether a state that is no better than this can win. */
static bool hopeful(const struct search *search, struct bound bound)
{
	const struct rspb_query *query = search->states.query;
	int64_t length = search->length * bound.length;
	uint32_t nodes = query->nodes;
	uint64_t seconds = UINT64_MAX;

	/* Without more of either figure the score cannot be higher, as it follows each in one
	 * direction. */
	if (bound.free <= search->likes.free && bound.length <= search->likes.length)
		return false;
	/* Moments become seconds. An endless length stays the largest one. */
	if (length != INT64_MAX)
		seconds = (uint64_t) ((length >> 1) + query->duration);
	if (search->nodes)
		nodes = (uint32_t) (search->nodes * bound.free);
	return better(search->preference->score(nodes, seconds, query), search->best);
}

/* RET a or b, without a branch: what comes next can't be predicted. */
static inline int64_t pick(bool first, int64_t a, int64_t b)
{
	return b ^ ((a ^ b) & -(int64_t) first);
}

/*
 * The rectangle lies within each gap that can be used: those that came in
 * last and those that go out next bind it most.
 */
static inline int64_t longest(const struct search *search, const struct rspb_state_block *block,
			      unsigned int k)
{
	int64_t at = block->at[k];
	size_t i = block->ups[k], j = rspb_state_downs(block, k);
	const int64_t *in = search->states.ups->in + i, *out = search->states.ups->out + i;
	const int64_t *to = search->states.downs->out + j;
	const int64_t *from = search->states.downs->in + j;
	bool up1 = out[-1] > at, up2 = out[-2] > at;
	bool down1 = from[0] <= at, down2 = from[1] <= at;
	int64_t begin, end;

	begin = pick(up1, in[-1], pick(up2, in[-2], pick(down1, from[0], from[1])));
	end = pick(down1, to[0], pick(down2, to[1], pick(up1, out[-1], out[-2])));
	return pick((up1 | up2 | down1 | down2) & (end < search->endless), end - begin, INT64_MAX);
}

/* RET the least length of the rectangle. It holds all time from the last gap that came in to the
 * next one that goes out. */
static inline int64_t shortest(const struct search *search, const struct rspb_state_block *block,
			       unsigned int k)
{
	return search->states.downs->out[rspb_state_downs(block, k)] -
	       search->states.ups->in[(ptrdiff_t) block->ups[k] - 1];
}

/* The better of a length's bounds: longer, or shorter, is better. */
static inline int64_t length_bound(const struct search *search,
				   const struct rspb_state_block *block, unsigned int k)
{
	if (search->length > 0)
		return longest(search, block, k);
	if (search->length < 0)
		return -shortest(search, block, k);
	return 0;
}

static int64_t nodes_bound(const struct search *search, const struct rspb_state_block *block)
{
	if (search->nodes > 0)
		return block->most;
	if (search->nodes < 0)
		return -block->least;
	return 0;
}

/*
 * A rectangle grows when a gap goes out and shrinks when one comes in: find
 * the states that begin with the one and end with the other.
 */
static unsigned int find_turns(const struct search *search, const struct rspb_state_block *block,
			       uint8_t *turns)
{
	int64_t odd = search->length > 0;
	unsigned int count = 1;

	/* The first and the last state of a block are turns, whatever they begin and end with. */
	turns[0] = 0;
	for (unsigned int k = 0; k < block->count; k++) {
		int64_t begins = block->at[k], ends = block->at[k + 1];

		turns[count] = (uint8_t) k;
		count += (begins ^ ends) & ~(begins ^ odd) & 1;
	}
	turns[count++] = (uint8_t) (block->count - 1);
	return count;
}

/* Judge some states of a block. */
static void judge_some(struct search *search, const struct rspb_state_block *block,
		       unsigned int from, unsigned int to)
{
	for (unsigned int k = from; k <= to; k++) {
		struct bound bound = {
			.free = search->nodes * (int64_t) block->free[k],
		};

		/* There are not enough nodes in this state. */
		if (!block->free[k])
			continue;
		if (search->found && search->bounded) {
			bound.length = length_bound(search, block, k);
			if (!hopeful(search, bound))
				continue;
		}
		judge(search, block, k);
	}
}

/* The better bound of two neighbours holds for all states between them. */
static inline int64_t between(const int64_t *lengths, unsigned int t)
{
	return lengths[t] > lengths[t - 1] ? lengths[t] : lengths[t - 1];
}

/* Judge only states between turns that are good enough. A length that can't
 * win rules out all that are no better. */
static void judge_turns(struct search *search, const struct rspb_state_block *block)
{
	struct bound bound = { .free = nodes_bound(search, block) };
	int64_t lengths[BLOCK + 2], poor = INT64_MIN;
	uint8_t turns[BLOCK + 2];
	unsigned int count = find_turns(search, block, turns);

	for (unsigned int t = 0; t < count; t++)
		lengths[t] = length_bound(search, block, turns[t]);
	for (unsigned int t = 1; t < count; t++) {
		bound.length = between(lengths, t);
		/* A score that did not win with a better bound does not win with this one. */
		if (bound.length <= poor)
			continue;
		if (!search->found || hopeful(search, bound))
			judge_some(search, block, turns[t - 1] + (t > 1), turns[t]);
		else
			poor = bound.length;
	}
}

/* Where all are liked alike the first that has a candidate is the best. */
static void take_earliest(struct search *search, const struct rspb_state_block *block)
{
	for (unsigned int k = 0; k < block->count && !search->found; k++) {
		struct rspb_state state = rspb_state_of(block, k);

		if (!state.free)
			continue;
		search->start = rspb_starts_first(&search->states, &state, block->at[k + 1]);
		search->found = search->start != INT64_MAX;
	}
}

/* Judge the states of a block in the cheapest way that the preference allows. */
static void judge_block(struct search *search, const struct rspb_state_block *block)
{
	struct bound bound = { .free = nodes_bound(search, block) };

	if (!search->preference->score)
		take_earliest(search, block);
	else if (!search->bounded)
		judge_some(search, block, 0, block->count - 1);
	else if (search->length)
		judge_turns(search, block);
	else if (!search->found || hopeful(search, bound))
		judge_some(search, block, 0, block->count - 1);
}

int rspb_judge_search(const struct rspb_profile *profile, const struct rspb_query *query,
		      const struct rspb_preference *preference, struct rspb_rect *rect,
		      struct rspb_nodeset *set)
{
	struct search search = {
		.preference = preference,
		.bounded = query->open_end != RSPB_OPEN_LAST,
		.endless = 2 * (RSPB_TIME_MAX - query->duration) + 1,
	};
	struct rspb_states *states = &search.states;
	struct rspb_state_block block;

	if (rspb_states_begin(states, profile, query))
		return -1;
	if (preference->score)
		find_trends(&search);
	while (!(search.found && !preference->score) && rspb_states_next(states, &block))
		if (block.most)
			judge_block(&search, &block);
	if (!search.found)
		return 0;
	/* Perhaps only the state of the winner is known so far. Its first candidate is the
	 * earliest. */
	if (search.start == INT64_MAX)
		search.start = rspb_starts_first(states, &search.winner, search.winner_end);
	/* Nodes are gathered for this one start; all states before were judged by their numbers. */
	rspb_rect_measure(profile, query, search.start, rect, set);
	return 1;
}
