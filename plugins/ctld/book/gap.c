/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/book/gap.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "common/conf/config.h"

enum {
	LAST = 32,	    /* so many nodes are remembered */
	FEWEST = 3,	    /* of one alone nothing can be said */
	LEAST_S = 6,	    /* a start late by less is better than windows
			     * that may not touch */
	MOST_S = 600,	    /* who takes longer hangs */
	FORGET_S = 6 * 3600 /* epilogs may be others by then */
};

/* What is learned of one of them. The first is of any thread: what holds now, in
 * seconds; the others are the agent's own. */
static struct learner {
	_Atomic int64_t in_force;
	int64_t *since; /* each node is busy with it, 0: it is not */
	size_t room;
	struct {
		int64_t at, took;
	} last[LAST];
	size_t n; /* ever; the i-th stands at i % LAST */
	int64_t setting;
} learners[RSPB_GAPS] = {
	[RSPB_GAP_CLEAN_UP] = { .setting = RSPB_GAP_AUTO },
	[RSPB_GAP_PREPARE] = { .setting = RSPB_GAP_AUTO },
};

static int compare(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static int64_t learned(const struct learner *of, int64_t now)
{
	int64_t took[LAST];
	size_t n = 0;

	for (size_t i = 0; i < LAST && i < of->n; i++)
		if (of->last[i].at > now - FORGET_S)
			took[n++] = of->last[i].took;
	if (n < FEWEST)
		return 0;
	qsort(took, n, sizeof(*took), compare);
	return took[n * 3 / 4];
}

static void note(struct learner *of, int64_t took, int64_t now)
{
	if (took < LEAST_S || took > MOST_S)
		return;
	of->last[of->n % LAST].at = now;
	of->last[of->n++ % LAST].took = took;
}

void rspb_gap_see(enum rspb_gap gap, const struct rspb_nodeset *busy,
		  int64_t now)
{
	struct learner *of = &learners[gap];
	size_t before = of->room;

	if (rspb_array_grow(&of->since, &of->room, busy->width,
			    sizeof(*of->since)))
		return;
	for (size_t i = before; i < of->room; i++)
		of->since[i] = 0;
	for (uint32_t i = 0; i < busy->width; i++) {
		bool is = rspb_nodeset_has(busy, i);

		if (is && !of->since[i])
			of->since[i] = now;
		/* It may have begun in the second before it was seen. */
		if (!is && of->since[i]) {
			note(of, now - of->since[i] + 1, now);
			of->since[i] = 0;
		}
	}
	if (of->setting == RSPB_GAP_AUTO)
		atomic_store(&of->in_force, learned(of, now));
}

void rspb_gap_use(enum rspb_gap gap, int64_t seconds)
{
	learners[gap].setting = seconds;
	if (seconds != RSPB_GAP_AUTO)
		atomic_store(&learners[gap].in_force, seconds);
}

int64_t rspb_gap(enum rspb_gap gap)
{
	return atomic_load(&learners[gap].in_force);
}

int64_t rspb_gap_whole(void)
{
	return rspb_gap(RSPB_GAP_CLEAN_UP) + rspb_gap(RSPB_GAP_PREPARE);
}

void rspb_gap_reset(void)
{
	for (size_t i = 0; i < RSPB_GAPS; i++) {
		free(learners[i].since);
		learners[i].since = NULL;
		learners[i].room = 0;
	}
}
