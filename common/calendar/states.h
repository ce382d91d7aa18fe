/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two files of the quick search share. */
#ifndef RSPB_CALENDAR_STATES_H
#define RSPB_CALENDAR_STATES_H

#include "common/calendar/internal.h"

/* States looked at together. */
enum { RSPB_STATES = 128 };

/* Some states one after the other; those without enough nodes have free 0. */
struct rspb_block {
	int64_t at[RSPB_STATES + 1]; /* moment of its begin */
	uint32_t ups[RSPB_STATES];   /* spans that have come in before */
	int32_t free[RSPB_STATES];
	uint32_t gone;	     /* spans that have come in or gone out before */
	int32_t most, least; /* free, of those that have enough */
	/* Where rectangles are longest, or shortest, and both ends: from one
	 * to the next they fall and rise, or rise and fall. */
	uint8_t turns[RSPB_STATES + 2];
	unsigned int count, turn_count;
};

/* What a policy likes of a state, at best: more of either is better. */
struct rspb_bound {
	int64_t free;
	int64_t length; /* of the rectangle beyond the duration, in moments */
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
	const struct rspb_when *when;
	const struct rspb_spans *ups, *downs;
	int64_t first, last;
	int64_t endless;	    /* gaps that go out then never end */
	size_t inside;		    /* of the ups: in at the first start */
	size_t lasting;		    /* edges on the stack; made when needed */
	int64_t *far_up, *far_down; /* likewise */
	bool far;
	bool edges;   /* the policy looks at the edges */
	bool bounded; /* it says what it likes at best */
	bool found;
	struct rspb_score best;
	struct rspb_bound likes;  /* the best's */
	struct rspb_state winner; /* likewise */
	int64_t start;		  /* of the best, if it is located */
	bool located;		  /* or else it is known to have one */
	size_t near[2][2];	  /* see next_change */
};

/* Spans that have gone out before state k of a block. */
static inline size_t rspb_block_downs(const struct rspb_block *block,
				      unsigned int k)
{
	return block->gone + k - block->ups[k];
}

static inline struct rspb_state rspb_block_state(const struct rspb_block *block,
						 unsigned int k)
{
	return (struct rspb_state){ block->at[k], block->ups[k],
				    rspb_block_downs(block, k),
				    (uint32_t) block->free[k] };
}

/* Memory for the edges of these spans. RET -1 without. */
int rspb_edges_reserve(struct rspb_states *states);
/* RET the edges of a state's rectangle, in moments. */
struct rspb_edge rspb_edges_of(struct rspb_states *states,
			       const struct rspb_state *state);

#endif
