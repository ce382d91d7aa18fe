/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/ect.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"

/* The first busy span that ends after t. */
static size_t first_after(const struct rspb_processor *p, struct rspb_rational t)
{
	size_t low = 0, high = p->n_busy;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (rspb_rational_compare(p->busy[mid].end, t) <= 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int rspb_processor_add(struct rspb_processor *p, struct rspb_span span, struct rspb_err *err)
{
	size_t at;

	if (rspb_rational_compare(span.start, span.end) >= 0)
		return rspb_fail(err, "a busy span must end after its start");
	at = first_after(p, span.start);
	if (at < p->n_busy && rspb_rational_compare(p->busy[at].start, span.end) < 0)
		return rspb_fail(err, "busy spans of one processor overlap");
	if (rspb_array_grow(&p->busy, &p->room, p->n_busy + 1, sizeof(*p->busy)))
		return rspb_fail(err, "out of memory");
	memmove(p->busy + at + 1, p->busy + at, (p->n_busy - at) * sizeof(*p->busy));
	p->busy[at] = span;
	p->n_busy++;
	return 0;
}

struct rspb_rational rspb_processor_release(struct rspb_pool *pool, const struct rspb_processor *p)
{
	return p->n_busy ? p->busy[p->n_busy - 1].end : rspb_rational_make(pool, 0, 1);
}

void rspb_processor_fini(struct rspb_processor *processor)
{
	free(processor->busy);
	memset(processor, 0, sizeof(*processor));
}

/* Where a task of this length fits on one processor, not before ready. */
static struct rspb_span fit(struct rspb_pool *pool, const struct rspb_processor *p,
			    struct rspb_rational ready, struct rspb_rational length, bool gaps)
{
	struct rspb_span span = { .start = ready };

	if (!gaps)
		span.start = rspb_rational_max(ready, rspb_processor_release(pool, p));
	span.end = rspb_rational_add(pool, span.start, length);
	for (size_t i = first_after(p, span.start); i < p->n_busy; i++) {
		if (rspb_rational_compare(span.end, p->busy[i].start) <= 0)
			break;
		span.start = p->busy[i].end;
		span.end = rspb_rational_add(pool, span.start, length);
	}
	return span;
}

/* A span, and how long it is. */
struct offer {
	struct rspb_span span;
	struct rspb_rational length;
};

static bool better(enum rspb_ect_rule rule, const struct offer *a, const struct offer *b)
{
	int by = 0;

	if (rule == RSPB_EST)
		by = rspb_rational_compare(a->span.start, b->span.start);
	else if (rule == RSPB_MPTF)
		by = rspb_rational_compare(a->length, b->length);
	return by ? by < 0 : rspb_rational_compare(a->span.end, b->span.end) < 0;
}

size_t rspb_ect_find(struct rspb_pool *pool, const struct rspb_processor *processors, size_t n,
		     const struct rspb_ect_query *query, struct rspb_span *found)
{
	struct rspb_rational ready;
	struct offer offer, chosen;
	size_t best = n;

	for (size_t j = 0; j < n; j++) {
		if (query->taken && query->taken[j])
			continue;
		ready = rspb_rational_max(query->delays[j], query->earliest);
		offer.length = rspb_rational_div(pool, query->workload, processors[j].capacity);
		offer.span = fit(pool, &processors[j], ready, offer.length, query->gaps);
		if (best == n || better(query->rule, &offer, &chosen)) {
			chosen = offer;
			best = j;
		}
	}
	*found = chosen.span;
	return best;
}
