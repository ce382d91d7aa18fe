/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first of a set of nodes: by weight, as Slurm's Weight=, so that what is
 * rare or dear stays free; then by a cost; then by index.
 */
#include "common/policy/policy.h"

#include <stdlib.h>

struct costed {
	int64_t cost;
	uint32_t weight, node;
};

/* RET below 0 if a comes before b, 0 if only the index tells them apart. */
static int compare(struct costed a, struct costed b)
{
	if (a.weight != b.weight)
		return a.weight < b.weight ? -1 : 1;
	return a.cost < b.cost ? -1 : a.cost > b.cost;
}

/* The index makes all nodes different. Therefore a choice is always the same one, and
 * select_first() never meets equal entries. */
static bool before(struct costed a, struct costed b)
{
	int order = compare(a, b);

	return order ? order < 0 : a.node < b.node;
}

static void swap(struct costed *a, struct costed *b)
{
	struct costed other = *a;

	*a = *b;
	*b = other;
}

/* Bring the first `want` of list[n] to its front, in any order: Hoare's
 * quickselect; 0 < want < n, and no two entries are alike. */
static void select_first(struct costed *list, size_t n, size_t want)
{
	while (n > 1) {
		struct costed pivot = list[n / 2];
		size_t i = 0, k = n - 1;

		for (;; i++, k--) {
			/* Both loops end at the pivot, or at entries that were swapped before. */
			while (before(list[i], pivot))
				i++;
			while (before(pivot, list[k]))
				k--;
			if (i >= k)
				break;
			swap(&list[i], &list[k]);
		}
		/* The pivot is at i, or the halves meet before it. */
		k = i + !before(pivot, list[i]);
		if (want < i) {
			n = i;
		} else if (want > k) {
			list += k;
			want -= k;
			n -= k;
		} else {
			return;
		}
	}
}

static void keep_first(const struct costed *list, uint32_t n, uint32_t want, bool ties,
		       struct rspb_nodeset *out)
{
	struct costed last = list[0];

	rspb_nodeset_clear(out);
	for (uint32_t i = 0; i < want; i++) {
		rspb_nodeset_add(out, list[i].node);
		/* The first nodes are in no order, and the last of them is needed to find its
		 * equals. */
		if (before(last, list[i]))
			last = list[i];
	}
	for (uint32_t i = want; ties && i < n; i++)
		if (!compare(list[i], last))
			rspb_nodeset_add(out, list[i].node);
}

int rspb_pick(const struct rspb_nodeset *from, const uint32_t *weights, const int64_t *cost,
	      uint32_t want, bool ties, struct rspb_nodeset *out, struct rspb_err *err)
{
	uint32_t have = rspb_nodeset_count(from), n = 0;
	struct costed *list;

	if (out != from)
		rspb_nodeset_copy(out, from);
	if (want >= have)
		return 0;
	/* Nothing but the index tells the nodes apart. */
	if (!want || (!weights && !cost && !ties)) {
		rspb_nodeset_keep_lowest(out, want);
		return 0;
	}
	list = malloc(have * sizeof(*list));
	if (!list)
		return rspb_fail(err, "out of memory");
	RSPB_NODESET_EACH (i, from)
		list[n++] = (struct costed){ cost ? cost[i] : 0, weights ? weights[i] : 0, i };
	/* A set has no order, so the nodes are only parted and not sorted. */
	select_first(list, n, want);
	keep_first(list, n, want, ties, out);
	free(list);
	return 0;
}
