/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The states of a query's window: stretches of time in which no gap comes in
 * or goes out, so that all starts within one have the same rectangle. For the
 * files of the search only.
 */
#ifndef RSPB_CALENDAR_STATES_H
#define RSPB_CALENDAR_STATES_H

#include "common/calendar/internal.h"

/* States looked at together. */
enum { RSPB_STATES = 128 };

/* Some states one after the other; those without enough nodes have free 0. */
struct rspb_state_block {
	int64_t at[RSPB_STATES + 1]; /* moment of its begin */
	uint32_t ups[RSPB_STATES];   /* spans that have come in before */
	int32_t free[RSPB_STATES];
	uint32_t gone;	     /* spans that have come in or gone out before */
	int32_t most, least; /* free, of those that have enough */
	unsigned int count;
};

/* A state's place in both orders of spans. */
struct rspb_state {
	int64_t at;
	size_t up, down; /* spans that have come in, gone out before */
	uint32_t free;
};

struct rspb_states {
	const struct rspb_profile *profile;
	const struct rspb_query *query;
	const struct rspb_spans *ups, *downs;
	int64_t first, last;	    /* starts */
	size_t lasting;		    /* edges on the stack; made when needed */
	int64_t *far_up, *far_down; /* likewise */
	bool far;
	/* The merge of both orders: next to come in, to go out; when the last
	 * one did; the nodes free then; how many states are left. */
	size_t up, down;
	int64_t at;
	uint32_t free;
	size_t left;
};

/* Gather what the query needs. RET -1 without memory. */
int rspb_states_begin(struct rspb_states *states, const struct rspb_profile *profile,
		      const struct rspb_query *query);
/* The next states, or false at the end. */
bool rspb_states_next(struct rspb_states *states, struct rspb_state_block *block);

/* Spans that have gone out before state k of a block. */
static inline size_t rspb_state_downs(const struct rspb_state_block *block, unsigned int k)
{
	return block->gone + k - block->ups[k];
}

static inline struct rspb_state rspb_state_of(const struct rspb_state_block *block, unsigned int k)
{
	return (struct rspb_state){ block->at[k], block->ups[k], rspb_state_downs(block, k),
				    (uint32_t) block->free[k] };
}

/*
 * The first candidate start of a state that ends at a moment, and the next one
 * after a start, INT64_MAX when there is none: starts at which something is
 * recorded, there or a duration later, and the window's first and last (Li et
 * al., section 4.2).
 */
int64_t rspb_starts_first(const struct rspb_states *states, const struct rspb_state *state,
			  int64_t end);
int64_t rspb_starts_next(const struct rspb_states *states, int64_t start, int64_t end);

/* Memory for the edges of these spans. RET -1 without. */
int rspb_edges_reserve(struct rspb_states *states);
/* Put a state's edges into rect, whose right one may be RSPB_TIME_MAX. */
void rspb_edges_find(struct rspb_states *states, const struct rspb_state *state,
		     struct rspb_rect *rect);

/* Find the start that the preference likes best. RET 1 with rect, open where it
 * is, and set; 0 when no start has enough nodes, -1 without memory. */
int rspb_judge_search(const struct rspb_profile *profile, const struct rspb_query *query,
		      const struct rspb_preference *preference, struct rspb_rect *rect,
		      struct rspb_nodeset *set);

#endif
