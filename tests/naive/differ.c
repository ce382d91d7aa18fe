/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/naive/differ_pair.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/policy.h"
#include "tests/naive/rng.h"

/* Fill pair->set out of `from`: lowest, a run, or scattered nodes. */
static void choose(struct differ_pair *pair, const struct differ_op *op,
		   const struct rspb_nodeset *from)
{
	uint64_t rng = op->seed;
	uint32_t want = 1 + (uint32_t) ((uint64_t) op->size * pair->nodes >> 16);
	uint32_t at = op->style % 3 == 1 ? (uint32_t) rng_below(&rng, pair->nodes) : 0;

	rspb_nodeset_clear(pair->set);
	for (; want && at < pair->nodes; at++) {
		if (op->style % 3 == 2 && rng_next(&rng) % 3)
			continue;
		if (!rspb_nodeset_has(from, at))
			continue;
		rspb_nodeset_add(pair->set, at);
		want--;
	}
}

static void remember(struct differ_pair *pair, int64_t start, int64_t end)
{
	struct differ_booking *booking = &pair->bookings[pair->booked];

	if (pair->booked == MOST_BOOKINGS)
		return;
	*booking = (struct differ_booking){ start, end, rspb_nodeset_clone(pair->set) };
	pair->booked++;
}

static int do_add(struct differ_pair *pair, const struct differ_op *op, bool fitting)
{
	int64_t start = op->start, end;
	int rc;

	end = (int64_t) ((uint64_t) start + (uint64_t) op->length);
	rspb_nodeset_fill(pair->a);
	if (fitting && naive_list_free_over(pair->list, start, end, pair->a, NULL))
		rspb_nodeset_clear(pair->a);
	choose(pair, op, pair->a);
	rc = naive_list_add(pair->list, start, end, pair->set, NULL);
	if (differ_same_rc(pair, rspb_profile_add(pair->profile, start, end, pair->set, &pair->err),
			   rc, "add"))
		return -1;
	if (!rc)
		remember(pair, start, end);
	return 0;
}

/* Give back a booking, or a part of one. */
static int do_remove(struct differ_pair *pair, const struct differ_op *op)
{
	struct differ_booking *booking;
	int64_t start, end;
	bool whole = op->style % 4 != 3;
	int rc;

	if (!pair->booked)
		return 0;
	booking = &pair->bookings[op->seed % pair->booked];
	start = booking->start;
	end = booking->end;
	rspb_nodeset_copy(pair->set, booking->nodes);
	if (!whole) {
		start += op->length % (end - start);
		choose(pair, op, booking->nodes);
	}
	rc = naive_list_remove(pair->list, start, end, pair->set, NULL);
	if (differ_same_rc(pair,
			   rspb_profile_remove(pair->profile, start, end, pair->set, &pair->err),
			   rc, "remove"))
		return -1;
	if (rc || !whole)
		return 0;
	rspb_nodeset_destroy(booking->nodes);
	*booking = pair->bookings[--pair->booked];
	return 0;
}

static const char *const by_gap[] = { "best", "worst", "gap" };

/* The cheapest of pair->set into pair->b, one after the other. */
static void keep_each(struct differ_pair *pair, const int64_t *cost, uint32_t want)
{
	for (rspb_nodeset_clear(pair->b); want; want--) {
		uint32_t best = pair->nodes;

		RSPB_NODESET_EACH (n, pair->set)
			if (!rspb_nodeset_has(pair->b, n) &&
			    (best == pair->nodes || cost[n] < cost[best]))
				best = n;
		if (best < pair->nodes)
			rspb_nodeset_add(pair->b, best);
	}
}

static int do_keep(struct differ_pair *pair, const struct differ_op *op, int64_t start, int64_t end)
{
	int64_t *cost = pair->figures[0], *right = pair->figures[1];
	rspb_gap_cost cost_of = rspb_where_find(by_gap[op->seed % 3])->gap_cost;
	uint32_t want = op->seed / 3 % (pair->nodes + 1);
	int rc;

	rspb_nodeset_copy(pair->a, pair->set);
	rc = naive_list_gaps(pair->list, start, end, pair->set, cost, right, NULL);
	if (differ_same_rc(pair,
			   rspb_profile_keep(pair->profile, start, end, cost_of, want, pair->a,
					     &pair->err),
			   rc, "keep"))
		return -1;
	rspb_nodeset_copy(pair->b, pair->set);
	RSPB_NODESET_EACH (n, pair->set)
		cost[n] = cost_of(start - cost[n], right[n] - end);
	if (!rc)
		keep_each(pair, cost, want);
	return differ_same_set(pair);
}

static int do_window(struct differ_pair *pair, const struct differ_op *op)
{
	int64_t start = op->start;
	int64_t end = (int64_t) ((uint64_t) start + (uint64_t) op->length);
	int64_t *x = pair->figures[0], *y = pair->figures[1];
	uint32_t most[2] = { 0 }, fewest[2] = { 0 };
	int rc;

	rc = naive_list_free_over(pair->list, start, end, pair->b, NULL);
	if (differ_same_rc(pair,
			   rspb_profile_free_over(pair->profile, start, end, pair->a, &pair->err),
			   rc, "free over"))
		return -1;
	if (rc)
		return 0;
	if (differ_same_set(pair))
		return -1;
	naive_list_peak(pair->list, start, end, &most[0], &fewest[0], NULL);
	rspb_profile_peak(pair->profile, start, end, &most[1], &fewest[1], NULL);
	if (most[0] != most[1] || fewest[0] != fewest[1])
		return differ_mismatch(pair, "peak");
	naive_list_load(pair->list, start, end, x, NULL);
	rspb_profile_load(pair->profile, start, end, y, NULL);
	if (memcmp(x, y, pair->nodes * sizeof(*x)))
		return differ_mismatch(pair, "load");
	if (start < rspb_profile_now(pair->profile))
		return 0;
	choose(pair, op, op->style & 64 ? pair->a : pair->b);
	return do_keep(pair, op, start, end);
}

static int do_cover(struct differ_pair *pair, const struct differ_op *op)
{
	int64_t end = (int64_t) ((uint64_t) op->start + (uint64_t) op->length);
	int rc;

	rspb_nodeset_fill(pair->a);
	choose(pair, op, pair->a);
	if (op->style & 128)
		rspb_nodeset_clear(pair->set);
	rc = naive_list_cover(pair->list, op->start, end, pair->set, NULL);
	return differ_same_rc(pair,
			      rspb_profile_cover(pair->profile, op->start, end, pair->set,
						 &pair->err),
			      rc, "cover");
}

/* The query of an op; pair->set becomes its eligible nodes. */
static struct rspb_query query_of(struct differ_pair *pair, const struct differ_op *op)
{
	struct rspb_query query = {
		.ready = op->start,
		.duration = op->length,
		.nodes = (uint32_t) ((uint64_t) op->size * (pair->nodes + 2) >> 16),
		.open_end = (enum rspb_open_end)(op->style >> 4 & 3),
	};

	query.deadline = (int64_t) ((uint64_t) op->start + (uint64_t) op->length + op->seed % 1000);
	if (op->style & 64) {
		rspb_nodeset_fill(pair->a);
		choose(pair, op, pair->a);
		query.eligible = pair->set;
		query.nodes = 1 + query.nodes / 4;
	}
	return query;
}

static int do_search(struct differ_pair *pair, const struct differ_op *op)
{
	struct rspb_query query = query_of(pair, op);
	struct rspb_rect x, y;
	const struct rspb_preference *prefers = &rspb_whens[(op->style & 15) % 9].prefers;
	int rc = naive_list_search(pair->list, &query, prefers, &x, pair->b, NULL);

	if (differ_same_rc(pair,
			   rspb_profile_search(pair->profile, &query, prefers, &y, pair->a,
					       &pair->err),
			   rc, "search"))
		return -1;
	return rc == 1 && (differ_same_rect(pair, &y, &x) || differ_same_set(pair)) ? -1 : 0;
}

static int do_candidates(struct differ_pair *pair, const struct differ_op *op)
{
	struct rspb_query query = query_of(pair, op);
	struct rspb_rect *x, *y;
	int64_t n = naive_list_candidates(pair->list, &query, &x, NULL);
	int rc = differ_same_rc(pair,
				rspb_profile_candidates(pair->profile, &query, &y, &pair->err), n,
				"number of candidates");

	for (int64_t i = 0; !rc && i < n; i++)
		rc = differ_same_rect(pair, &y[i], &x[i]);
	free(x);
	free(y);
	return rc;
}

static int do_advance(struct differ_pair *pair, const struct differ_op *op)
{
	int64_t now = op->style & 1 ? op->start : rspb_profile_now(pair->profile) + op->length / 16;
	int rc = naive_list_advance(pair->list, now, NULL);

	return differ_same_rc(pair, rspb_profile_advance(pair->profile, now, &pair->err), rc,
			      "advance");
}

/* Go on with a copy, or keep it: what is done to one must not be seen in the
 * other. */
static int do_clone(struct differ_pair *pair, const struct differ_op *op)
{
	struct rspb_profile *clone = rspb_profile_clone(pair->profile);
	bool swap = op->style & 16;

	rspb_profile_destroy(pair->kept);
	naive_list_destroy(pair->kept_list);
	pair->kept = swap ? pair->profile : clone;
	pair->profile = swap ? clone : pair->profile;
	pair->kept_list = naive_list_clone(pair->list);
	return clone && pair->kept_list ? 0 : differ_mismatch(pair, "clone");
}

static int step(struct differ_pair *pair, struct differ_op op)
{
	/* Every sixteenth kind takes times as they come. */
	if (op.kind < 240 &&
	    !__builtin_add_overflow(op.start, rspb_profile_now(pair->profile), &op.start) &&
	    op.length <= 0)
		op.length = 1 - op.length % 64;
	switch (op.kind % 16) {
	case 0:
	case 1:
	case 2:
	case 3:
		return do_add(pair, &op, true);
	case 4:
		return do_add(pair, &op, false);
	case 5:
	case 6:
		return do_remove(pair, &op);
	case 7:
		return op.style & 1 ? do_cover(pair, &op) : do_remove(pair, &op);
	case 8:
		return op.seed % 8 ? do_add(pair, &op, true) : do_advance(pair, &op);
	case 9:
		return do_candidates(pair, &op);
	case 10:
		return do_window(pair, &op);
	case 12:
		return op.style % 16 ? do_search(pair, &op) : do_clone(pair, &op);
	default:
		return do_search(pair, &op);
	}
}

static bool pair_init(struct differ_pair *pair, uint32_t nodes)
{
	*pair = (struct differ_pair){
		.nodes = nodes,
		.profile = rspb_profile_create(nodes, 0),
		.list = naive_list_create(nodes, 0),
		.set = rspb_nodeset_create(nodes),
		.a = rspb_nodeset_create(nodes),
		.b = rspb_nodeset_create(nodes),
	};
	for (int i = 0; i < 2; i++)
		pair->figures[i] = calloc(nodes + 1, sizeof(int64_t));
	return pair->profile && pair->list && pair->set && pair->a && pair->b && pair->figures[0] &&
	       pair->figures[1];
}

static void pair_fini(struct differ_pair *pair)
{
	while (pair->booked)
		rspb_nodeset_destroy(pair->bookings[--pair->booked].nodes);
	for (int i = 0; i < 2; i++)
		free(pair->figures[i]);
	rspb_nodeset_destroy(pair->set);
	rspb_nodeset_destroy(pair->a);
	rspb_nodeset_destroy(pair->b);
	naive_list_destroy(pair->list);
	naive_list_destroy(pair->kept_list);
	rspb_profile_destroy(pair->profile);
	rspb_profile_destroy(pair->kept);
}

int64_t differ_run(const struct differ_program *program, bool validate, char *text, size_t size)
{
	struct differ_pair *pair = malloc(sizeof(*pair));
	int64_t failed = -1;

	if (!pair)
		return 0;
	if (!pair_init(pair, program->nodes))
		failed = 0;
	for (size_t i = 0; failed < 0 && i < program->count; i++) {
		const struct differ_op *op = &program->ops[i];

		if (!step(pair, *op) && !(validate && differ_check_state(pair)))
			continue;
		failed = (int64_t) i;
		snprintf(text, size, "op %zu (kind %u): %s", i, op->kind, pair->wrong);
	}
	if (failed < 0 && differ_check_state(pair)) {
		failed = (int64_t) program->count;
		snprintf(text, size, "at the end: %s", pair->wrong);
	}
	pair_fini(pair);
	free(pair);
	return failed;
}
