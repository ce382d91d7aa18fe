/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The edges of the few states that could win: the latest begin and the
 * earliest end of the spans that can be used there, a few steps from the
 * state's place in either order.
 */
#include "common/base/array.h"
#include "common/calendar/states.h"

/* Spans that are examined one by one before the summaries are used, and entries that one entry of a
 * summary stands for. */
enum { SOON = 32, LEVEL = 64 };

/* Summarize LEVEL moments: for ups by the latest, for downs by the earliest. */
static int64_t latest(const int64_t *at)
{
	int64_t latest = at[0];

	for (size_t i = 1; i < LEVEL; i++)
		latest = at[i] > latest ? at[i] : latest;
	return latest;
}

static int64_t earliest(const int64_t *at)
{
	int64_t earliest = at[0];

	for (size_t i = 1; i < LEVEL; i++)
		earliest = at[i] < earliest ? at[i] : earliest;
	return earliest;
}

/* Fill both levels of the summaries: the latest out of ups, and the earliest in of downs. With them
 * no order of spans makes the way to an edge long. Most ways are a few steps, so this waits for the
 * first that is not. */
static void make_far(struct rspb_states *states)
{
	const struct rspb_spans *ups = states->ups, *downs = states->downs;
	int64_t *up = states->far_up, *down = states->far_down;
	size_t n = ups->count / LEVEL, m = downs->count / LEVEL;

	for (size_t i = 0; i < n; i++)
		up[i] = latest(ups->out + i * LEVEL);
	for (size_t i = 0; i < n / LEVEL; i++)
		up[n + i] = latest(up + i * LEVEL);
	for (size_t i = 0; i < m; i++)
		down[i] = earliest(downs->in + i * LEVEL);
	for (size_t i = 0; i < m / LEVEL; i++)
		down[m + i] = earliest(down + i * LEVEL);
	states->far = true;
}

int rspb_edges_reserve(struct rspb_states *states)
{
	struct rspb_scratch *scratch = states->profile->scratch;
	/* Both levels fit, because the second is never larger than the first. */
	size_t ups = 2 * (states->ups->count / LEVEL);
	size_t downs = 2 * (states->downs->count / LEVEL);

	if (rspb_array_grow(&scratch->stack, &scratch->stack_room, states->ups->count + 1,
			    sizeof(*scratch->stack)) ||
	    rspb_array_grow(&scratch->far, &scratch->far_room, ups + downs, sizeof(*scratch->far)))
		return -1;
	states->far_up = scratch->far;
	states->far_down = scratch->far + ups;
	return 0;
}

/* RET the latest span that has come in before i and can be used at `at`. There is one, since a
 * state that is asked about has free nodes. */
static size_t last_up(struct rspb_states *states, size_t i, int64_t at)
{
	const int64_t *out = states->ups->out, *far = states->far_up;
	size_t soon = i > SOON ? i - SOON : 0;
	size_t near = states->ups->count / LEVEL;

	while (i > soon)
		if (out[--i] > at)
			return i;
	if (!states->far)
		make_far(states);
	for (;;) {
		size_t group = i / LEVEL, wide = group / LEVEL;

		if (i == wide * LEVEL * LEVEL && far[near + wide - 1] <= at)
			i -= (size_t) LEVEL * LEVEL;
		else if (i == group * LEVEL && far[group - 1] <= at)
			i -= LEVEL;
		else if (out[--i] > at)
			return i;
	}
}

/* RET the earliest span to go out, from j on, that can be used at `at`. If there is none, RET the
 * number of downs: all usable spans go out after the last start. */
static size_t next_down(struct rspb_states *states, size_t j, int64_t at)
{
	const int64_t *in = states->downs->in, *far = states->far_down;
	size_t count = states->downs->count, near = count / LEVEL;
	size_t soon = count - j > SOON ? j + SOON : count;

	for (; j < soon; j++)
		if (in[j] <= at)
			return j;
	if (j < count && !states->far)
		make_far(states);
	while (j < count) {
		size_t group = j / LEVEL, wide = group / LEVEL;

		if (j == wide * LEVEL * LEVEL && wide < near / LEVEL && far[near + wide] > at)
			j += (size_t) LEVEL * LEVEL;
		else if (j == group * LEVEL && group < near && far[group] > at)
			j += LEVEL;
		else if (in[j] <= at)
			break;
		else
			j++;
	}
	return j;
}

/* Collect the edges that do not go out before the last start. A later edge matters when it ends
 * earlier. */
static void make_lasting(struct rspb_states *states)
{
	struct rspb_edge *stack = states->profile->scratch->stack;
	const struct rspb_spans *ups = states->ups;
	int64_t last = 2 * states->last;

	for (size_t i = 0; i < ups->count; i++) {
		if (ups->out[i] <= last ||
		    (states->lasting && stack[states->lasting - 1].end <= ups->out[i]))
			continue;
		stack[states->lasting++] = (struct rspb_edge){ ups->in[i], ups->out[i] };
	}
}

/* When the first of the lasting that have come in goes out. */
static int64_t lasting_out(struct rspb_states *states, int64_t at)
{
	const struct rspb_edge *stack = states->profile->scratch->stack;
	size_t low = 0;

	if (!states->lasting)
		make_lasting(states);
	/* On the stack begins rise and ends fall: of the spans that have come in, the last one ends
	 * first. */
	for (size_t n = states->lasting; n > 1;) {
		size_t half = n / 2;

		low += stack[low + half].begin <= at ? half : 0;
		n -= half;
	}
	return stack[low].end;
}

void rspb_edges_find(struct rspb_states *states, const struct rspb_state *state,
		     struct rspb_rect *rect)
{
	int64_t at = state->at, end;
	size_t left = last_up(states, state->up, at);
	size_t right = next_down(states, state->down, at);

	if (right < states->downs->count)
		end = states->downs->out[right];
	else
		end = lasting_out(states, at);
	/* Halving turns moments into seconds. A span goes out a duration before its gap ends. */
	rect->left = states->ups->in[left] >> 1;
	rect->right = (end >> 1) + states->query->duration;
}
