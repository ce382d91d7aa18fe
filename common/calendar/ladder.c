/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/calendar/ladder.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"

static int reserve(struct rspb_ladder *ladder, size_t n)
{
	return rspb_array_grow(&ladder->at, &ladder->room, n, sizeof(*ladder->at));
}

int rspb_ladder_begin(struct rspb_ladder *ladder, int64_t now, int64_t free)
{
	if (reserve(ladder, 1))
		return -1;
	ladder->at[0] = (struct rspb_rung){ now, free };
	ladder->n = 1;
	return 0;
}

int rspb_ladder_copy(struct rspb_ladder *to, const struct rspb_ladder *from)
{
	if (reserve(to, from->n))
		return -1;
	memcpy(to->at, from->at, from->n * sizeof(*to->at));
	to->n = from->n;
	return 0;
}

void rspb_ladder_fini(struct rspb_ladder *ladder)
{
	free(ladder->at);
	*ladder = (struct rspb_ladder){ .at = NULL };
}

size_t rspb_ladder_find(const struct rspb_ladder *ladder, int64_t time)
{
	const struct rspb_rung *at = ladder->at;
	size_t n = ladder->n;

	/* There is no branch on times, because nothing could predict it. */
	while (n > 1) {
		size_t half = n / 2;

		at = at[half].time <= time ? at + half : at;
		n -= half;
	}
	return (size_t) (at - ladder->at);
}

/* Let a step begin at time, which the step before i holds, or step i does: there
 * is room. RET i. */
static size_t cut(struct rspb_ladder *ladder, size_t i, int64_t time, int64_t free)
{
	if (i < ladder->n && ladder->at[i].time == time)
		return i;
	memmove(&ladder->at[i + 1], &ladder->at[i], (ladder->n - i) * sizeof(*ladder->at));
	ladder->at[i] = (struct rspb_rung){ time, free };
	ladder->n++;
	return i;
}

/* Two steps of one figure are one. */
static void mend(struct rspb_ladder *ladder, size_t i)
{
	if (!i || i >= ladder->n || ladder->at[i].free != ladder->at[i - 1].free)
		return;
	ladder->n--;
	memmove(&ladder->at[i], &ladder->at[i + 1], (ladder->n - i) * sizeof(*ladder->at));
}

int rspb_ladder_take(struct rspb_ladder *ladder, int64_t start, int64_t end, int64_t count)
{
	size_t first, i;
	int64_t free;

	if (start < ladder->at[0].time)
		start = ladder->at[0].time;
	if (end <= start || !count)
		return 0;
	/* A change adds two steps at most. Nothing after this line can fail. */
	if (reserve(ladder, ladder->n + 2))
		return -1;
	first = rspb_ladder_find(ladder, start);
	free = ladder->at[first].free;
	first = cut(ladder, first + (ladder->at[first].time < start), start, free);
	for (i = first; i < ladder->n && ladder->at[i].time < end; i++) {
		free = ladder->at[i].free;
		ladder->at[i].free -= count;
	}
	/* As many are free from the end on as before the change: the figure of the last step that
	 * was lowered. */
	if (end < INT64_MAX)
		mend(ladder, cut(ladder, i, end, free));
	/* The earlier step is mended last, because mending moves all steps after it. */
	mend(ladder, first);
	return 0;
}

int rspb_ladder_append(struct rspb_ladder *ladder, int64_t time, int64_t free)
{
	/* Two steps of one figure would be one. */
	if (ladder->at[ladder->n - 1].free == free)
		return 0;
	if (reserve(ladder, ladder->n + 1))
		return -1;
	ladder->at[ladder->n++] = (struct rspb_rung){ time, free };
	return 0;
}

void rspb_ladder_advance(struct rspb_ladder *ladder, int64_t now)
{
	size_t i = rspb_ladder_find(ladder, now);

	if (i) {
		ladder->n -= i;
		memmove(ladder->at, &ladder->at[i], ladder->n * sizeof(*ladder->at));
	}
	/* The step that holds now stays, and begins now. */
	if (ladder->at[0].time < now)
		ladder->at[0].time = now;
}

bool rspb_ladder_search(const struct rspb_ladder *ladder, int64_t count, int64_t ready,
			int64_t last, int64_t duration, int64_t *start)
{
	const struct rspb_rung *step = ladder->at + rspb_ladder_find(ladder, ready);
	const struct rspb_rung *top = ladder->at + ladder->n - 1;

	/* Enough is free from *start up to the begin of the current step. */
	for (*start = ready; *start <= last; step++) {
		if (step->free >= count && (step == top || step[1].time - *start >= duration))
			return true;
		if (step == top)
			return false;
		if (step->free < count)
			*start = step[1].time;
	}
	return false;
}

bool rspb_ladder_roomiest(const struct rspb_ladder *ladder, int64_t count, int64_t ready,
			  int64_t last, int64_t duration, int64_t *start)
{
	size_t i = rspb_ladder_find(ladder, ready), low;
	int64_t best = count - 1;

	/* More can be free only behind the last step with the least, or, where
	 * one has no more than the best, behind that one. */
	for (int64_t time = ready; time <= last; time = ladder->at[i].time) {
		int64_t least = ladder->at[low = i].free;

		for (size_t k = i + 1;
		     least > best && k < ladder->n && ladder->at[k].time - time < duration; k++)
			if (ladder->at[k].free <= least)
				least = ladder->at[low = k].free;
		if (least > best) {
			best = least;
			*start = time;
		}
		i = low + 1;
		if (i >= ladder->n)
			break;
	}
	return best >= count;
}

int64_t rspb_ladder_least(const struct rspb_ladder *ladder, int64_t start, int64_t end)
{
	size_t i = rspb_ladder_find(ladder, start);
	int64_t least = ladder->at[i].free;

	while (++i < ladder->n && ladder->at[i].time < end)
		if (ladder->at[i].free < least)
			least = ladder->at[i].free;
	return least;
}
