/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/gap.h"

#include <stdlib.h>

#include "common/policy/weight.h"

static int64_t median_of_three(int64_t a, int64_t b, int64_t c)
{
	if ((a <= b) == (b <= c))
		return b;
	if ((b <= a) == (a <= c))
		return a;
	return c;
}

/*
 * Split values into those below, equal to and above the pivot. RET through
 * lo, hi the half-open range of those equal to it.
 */
static void split(int64_t *values, size_t count, int64_t pivot, size_t *lo,
		  size_t *hi)
{
	size_t i = 0;

	*lo = 0;
	*hi = count;
	while (i < *hi) {
		int64_t value = values[i];

		if (value < pivot) {
			values[i++] = values[*lo];
			values[(*lo)++] = value;
		} else if (value > pivot) {
			values[i] = values[--*hi];
			values[*hi] = value;
		} else {
			i++;
		}
	}
}

/* RET the value that stands at `rank` when values are sorted; reorders them. */
static int64_t nth_smallest(int64_t *values, size_t count, size_t rank)
{
	for (;;) {
		size_t lo, hi;
		int64_t pivot = median_of_three(values[0], values[count / 2],
						values[count - 1]);

		split(values, count, pivot, &lo, &hi);
		if (rank < lo) {
			count = lo;
		} else if (rank < hi) {
			return pivot;
		} else {
			values += hi;
			count -= hi;
			rank -= hi;
		}
	}
}

static int tightest(const struct rspb_nodeset *from, const int64_t *gap_end,
		    uint32_t least, struct rspb_nodeset *out,
		    struct rspb_err *err)
{
	uint32_t count = rspb_nodeset_count(from);
	int64_t *values, last;
	size_t i = 0;

	if (out != from)
		rspb_nodeset_copy(out, from);
	if (least >= count)
		return 0;
	if (!least) {
		rspb_nodeset_clear(out);
		return 0;
	}
	values = malloc(count * sizeof(*values));
	if (!values)
		return rspb_fail(err, "out of memory");
	for (uint32_t n = rspb_nodeset_next(from, 0); n < from->width;
	     n = rspb_nodeset_next(from, n + 1))
		values[i++] = gap_end[n];
	last = nth_smallest(values, count, least - 1);
	free(values);
	for (uint32_t n = rspb_nodeset_next(out, 0); n < out->width;
	     n = rspb_nodeset_next(out, n + 1))
		if (gap_end[n] > last)
			rspb_nodeset_remove(out, n);
	return 0;
}

int rspb_gap_tightest(const struct rspb_nodeset *from, const uint32_t *weights,
		      const int64_t *gap_end, uint32_t least,
		      struct rspb_nodeset *out, struct rspb_err *err)
{
	struct rspb_nodeset *sure = NULL, *among;
	int rc;

	if (!weights || !least || least >= rspb_nodeset_count(from))
		return tightest(from, gap_end, least, out, err);
	among = rspb_nodeset_clone(from);
	if (!among)
		return rspb_fail(err, "out of memory");
	rc = rspb_weight_split(weights, least, among, &sure, err);
	if (!rc)
		rc = tightest(among, gap_end, least - rspb_nodeset_count(sure),
			      out, err);
	if (!rc)
		rspb_nodeset_or(out, sure);
	rspb_nodeset_destroy(sure);
	rspb_nodeset_destroy(among);
	return rc;
}
