/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What scattered node sets would cost without groups: each node's gaps in a
 * sorted array of its own. Updates touch one array a node; a search has to
 * read every node's gaps, and its floor is one pass over those of its window
 * that counts the long enough ones. Measured beside the groups, to say what
 * stands in the way of having both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tests/naive/rng.h"

struct gap {
	int64_t begin, end;
};

struct node_gaps {
	struct gap *gaps; /* rising */
	uint32_t count, room;
};

struct lists {
	uint32_t nodes;
	struct node_gaps *node;
};

static void lists_init(struct lists *lists, uint32_t nodes)
{
	lists->nodes = nodes;
	lists->node = calloc(nodes, sizeof(*lists->node));
	if (!lists->node)
		exit(2);
	for (uint32_t n = 0; n < nodes; n++) {
		struct node_gaps *at = &lists->node[n];

		at->room = 64;
		at->gaps = malloc(at->room * sizeof(*at->gaps));
		if (!at->gaps)
			exit(2);
		at->gaps[at->count++] = (struct gap){ RSPB_TIME_MIN,
						      RSPB_TIME_MAX };
	}
}

static void lists_fini(struct lists *lists)
{
	for (uint32_t n = 0; n < lists->nodes; n++)
		free(lists->node[n].gaps);
	free(lists->node);
}

/* RET the index of the last gap that begins at or before time. */
static uint32_t gap_at(const struct node_gaps *node, int64_t time)
{
	uint32_t low = 0;

	for (uint32_t n = node->count; n > 1;) {
		uint32_t half = n / 2;

		low += node->gaps[low + half].begin <= time ? half : 0;
		n -= half;
	}
	return low;
}

/* The window lies within one gap; both parts that are left have a length. */
static void book(struct node_gaps *node, int64_t start, int64_t end)
{
	uint32_t i = gap_at(node, start);
	struct gap *at = &node->gaps[i];

	if (at->begin == start) {
		at->begin = end;
		if (at->end > end)
			return;
		memmove(at, at + 1, (--node->count - i) * sizeof(*at));
		return;
	}
	if (at->end > end) {
		if (node->count == node->room) {
			node->room *= 2;
			node->gaps = realloc(node->gaps,
					     node->room * sizeof(*at));
			if (!node->gaps)
				exit(2);
			at = &node->gaps[i];
		}
		memmove(at + 1, at, (node->count++ - i) * sizeof(*at));
		at[1].begin = end;
	}
	at->end = start;
}

static void release(struct node_gaps *node, int64_t start, int64_t end)
{
	uint32_t i = gap_at(node, start);
	struct gap *at = &node->gaps[i], *next = at + 1;
	bool right = i + 1 < node->count && next->begin == end;

	/* Every node here has a gap before its first booking. */
	if (at->end == start && right) {
		at->end = next->end;
		memmove(next, next + 1, (--node->count - i - 1) * sizeof(*at));
	} else if (at->end == start) {
		at->end = end;
	} else if (right) {
		next->begin = start;
	}
}

static void each(struct lists *lists, const struct job *job,
		 void (*change)(struct node_gaps *node, int64_t start,
				int64_t end))
{
	const struct rspb_nodeset *set = job->nodes;

	for (uint32_t n = rspb_nodeset_next(set, 0); n < set->width;
	     n = rspb_nodeset_next(set, n + 1))
		change(&lists->node[n], job->start, job->end);
}

static volatile size_t sink;

static int64_t pass(const struct lists *lists, int64_t least)
{
	int64_t t0 = cpu_ns();
	size_t count = 0;

	for (uint32_t n = 0; n < lists->nodes; n++)
		for (uint32_t i = 0; i < lists->node[n].count; i++)
			count += lists->node[n].gaps[i].end -
					 lists->node[n].gaps[i].begin >=
				 least;
	sink = count;
	return cpu_ns() - t0;
}

void bench_lists(const struct bench *bench, const struct load *load)
{
	struct series updates = { .count = 0 }, floors = { .count = 0 };
	uint64_t rng = bench->seed;
	struct lists lists;

	lists_init(&lists, load->nodes);
	for (size_t i = 0; i < load->bookings; i++)
		each(&lists, &load->jobs[i], book);
	for (int repeat = 0; repeat < 9; repeat++) {
		int64_t t0 = cpu_ns();

		for (int i = 0; i < 200; i++) {
			const struct job *job =
				&load->jobs[rng_below(&rng, load->bookings)];

			each(&lists, job, release);
			each(&lists, job, book);
		}
		series_add(&updates, (cpu_ns() - t0) / 200);
		series_add(&floors, pass(&lists, HOUR));
	}
	printf("# N %u R %zu %s, a gap list for each node: add+remove %lld ns,"
	       " floor of a full search %lld ns\n",
	       load->nodes, load->bookings, style_names[load->style],
	       (long long) series_median(&updates),
	       (long long) series_median(&floors));
	lists_fini(&lists);
}
