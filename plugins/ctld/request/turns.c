/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Picks the requests that are decided first if there are too many for a batch. It decides none.
 * Sorting keeps this at n log n, since a flood may have tens of thousands of requests. */
#include "plugins/ctld/request/ask.h"

#include <stdlib.h>

struct turn {
	size_t at, rank; /* rank: how many of its user's came before */
	uint32_t user;
};

/* Bring the requests of each user together, in the order in which they came, so that their ranks
 * can be counted. */
static int by_user(const void *left, const void *right)
{
	const struct turn *a = left, *b = right;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Put all first requests before all second ones; within a rank the order of arrival counts. */
static int by_rank(const void *left, const void *right)
{
	const struct turn *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static int rising(const void *left, const void *right)
{
	const size_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

int64_t rspb_turns_take(const uint32_t *users, size_t n, size_t most, size_t *taken)
{
	struct turn *turns;
	size_t i;

	if (n <= most) {
		for (i = 0; i < n; i++)
			taken[i] = i;
		return (int64_t) n;
	}
	turns = malloc(n * sizeof(*turns));
	if (!turns)
		return -1;
	for (i = 0; i < n; i++)
		turns[i] = (struct turn){ .at = i, .user = users[i] };
	qsort(turns, n, sizeof(*turns), by_user);
	for (i = 1; i < n; i++)
		if (turns[i].user == turns[i - 1].user)
			turns[i].rank = turns[i - 1].rank + 1;
	qsort(turns, n, sizeof(*turns), by_rank);
	for (i = 0; i < most; i++)
		taken[i] = turns[i].at;
	/* The caller compacts its own list in place, which needs rising numbers. */
	qsort(taken, most, sizeof(*taken), rising);
	free(turns);
	return (int64_t) most;
}
