/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/steps.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"

int rspb_steps_init(struct rspb_steps *steps)
{
	*steps = (struct rspb_steps){ .n = 0 };
	if (rspb_array_grow(&steps->steps, &steps->room, 1,
			    sizeof(*steps->steps)))
		return -1;
	steps->steps[0] = (struct rspb_step){ INT64_MIN, 0 };
	steps->n = 1;
	return 0;
}

void rspb_steps_fini(struct rspb_steps *steps)
{
	free(steps->steps);
	memset(steps, 0, sizeof(*steps));
}

size_t rspb_steps_at(const struct rspb_steps *steps, int64_t time)
{
	size_t low = 0, high = steps->n;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (steps->steps[mid].time <= time)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* Make a step begin at a time. There is room. RET its place. */
static size_t cut(struct rspb_steps *steps, int64_t time)
{
	size_t at = rspb_steps_at(steps, time);

	if (steps->steps[at].time == time)
		return at;
	memmove(steps->steps + at + 2, steps->steps + at + 1,
		(steps->n - at - 1) * sizeof(*steps->steps));
	steps->steps[at + 1] = (struct rspb_step){ time,
						   steps->steps[at].level };
	steps->n++;
	return at + 1;
}

/* Drop a step that changes nothing. */
static void join(struct rspb_steps *steps, size_t at)
{
	if (at == 0 || at >= steps->n ||
	    steps->steps[at].level != steps->steps[at - 1].level)
		return;
	memmove(steps->steps + at, steps->steps + at + 1,
		(steps->n - at - 1) * sizeof(*steps->steps));
	steps->n--;
}

int rspb_steps_add(struct rspb_steps *steps, int64_t start, int64_t end,
		   int64_t amount)
{
	size_t first, last;

	if (start >= end || amount == 0)
		return 0;
	if (rspb_array_grow(&steps->steps, &steps->room, steps->n + 2,
			    sizeof(*steps->steps)))
		return -1;
	first = cut(steps, start);
	last = end == INT64_MAX ? steps->n : cut(steps, end);
	for (size_t i = first; i < last; i++)
		steps->steps[i].level += amount;
	join(steps, last);
	join(steps, first);
	return 0;
}

int64_t rspb_steps_peak(const struct rspb_steps *steps, int64_t start,
			int64_t end)
{
	size_t i = rspb_steps_at(steps, start);
	int64_t peak = steps->steps[i].level;

	for (i++; i < steps->n && steps->steps[i].time < end; i++)
		if (steps->steps[i].level > peak)
			peak = steps->steps[i].level;
	return peak;
}
