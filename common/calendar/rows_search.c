/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Candidate starts and their rectangles (Li et al., sections 4.2 and 5), over
 * rows.
 *
 * A start's window reaches from record i, in chunk a, to record j, in chunk b.
 * What is booked in it is a suffix of chunk a, the whole chunks between, and
 * a prefix of chunk b; both i and j only ever rise. Suffixes are made once a
 * chunk, the prefix grows with j, and the chunks between are a queue of two
 * stacks: so a start costs one union of three rows, however long the request.
 * Where the whole chunks between leave too few nodes, so does every start up
 * to the next chunk: they are skipped at once.
 */
#include <stdlib.h>

#include "common/base/array.h"
#include "common/calendar/rows.h"

struct scan {
	const struct rspb_profile *profile;
	const struct rspb_query *query;
	const struct rspb_when *when; /* NULL: keep every candidate */
	struct rspb_rows *rows;
	int64_t first, last;	/* earliest and latest start */
	bool stateless, edges;	/* what the policy looks at */
	int64_t start;		/* the candidate at hand */
	struct rspb_place i, j; /* first and last record of its window */
	/* Chunks from..to-1 lie between; those below `front` are in rows of
	 * rows->front, the others in BACK. MIDDLE has all, and the base. */
	size_t from, to, front;
	uint32_t middle_free;
	bool middle_known;
	size_t suffix_of, prefix_of; /* chunks, SIZE_MAX: none */
	uint32_t suffix_from, prefix_from, prefix_to; /* records within */
	/* The rectangle of the last window judged. */
	struct rspb_place at_i, at_j;
	bool judged, fits;
	struct rspb_rect rect;
	/* What was found. */
	bool found;
	struct rspb_score best;
	int64_t best_start;
	struct rspb_rect *rects;
	size_t count, room;
};

static void scan_init(struct scan *scan, const struct rspb_profile *profile,
		      const struct rspb_query *query,
		      const struct rspb_when *when)
{
	struct rspb_rows *rows = profile->rows;

	*scan = (struct scan){
		.profile = profile,
		.query = query,
		.when = when,
		.rows = rows,
		.first = rspb_query_first(profile, query),
		.last = rspb_query_last(query),
		.stateless = when && rspb_when_stateless(when, query),
		.edges = !when ||
			 (when->score && when->reads != RSPB_READS_FREE),
		.suffix_of = SIZE_MAX,
		.prefix_of = SIZE_MAX,
	};
	rspb_rows_base(profile, query->eligible,
		       rspb_rows_temp(rows, RSPB_TEMP_BASE));
	scan->start = scan->first;
	scan->i = scan->j = rspb_rows_find(rows, scan->first);
}

/* Move i and j to the chunks in which the window of scan->start begins and
 * ends. */
static void follow_chunks(struct scan *scan)
{
	const struct rspb_rows *rows = scan->rows;
	int64_t end = scan->start + scan->query->duration;

	while (scan->i.slot + 1 < rows->count &&
	       rows->entries[scan->i.slot + 1].time <= scan->start)
		scan->i = (struct rspb_place){ scan->i.slot + 1, 0 };
	while (scan->j.slot + 1 < rows->count &&
	       rows->entries[scan->j.slot + 1].time < end)
		scan->j = (struct rspb_place){ scan->j.slot + 1, 0 };
}

/* And within these to the window's first and last record. */
static void follow_records(struct scan *scan)
{
	const struct rspb_rows *rows = scan->rows;
	const struct rspb_rows_chunk *chunk = rows->entries[scan->i.slot].chunk;
	int64_t end = scan->start + scan->query->duration;

	while (scan->i.in + 1 < chunk->count &&
	       chunk->records[scan->i.in + 1].time <= scan->start)
		scan->i.in++;
	chunk = rows->entries[scan->j.slot].chunk;
	while (scan->j.in + 1 < chunk->count &&
	       chunk->records[scan->j.in + 1].time < end)
		scan->j.in++;
}

/* Chunks lie anywhere: have the union of the next one on its way. */
static inline void prefetch(const struct rspb_rows *rows, size_t slot)
{
	const uint64_t *any;

	if (slot >= rows->count)
		return;
	any = rspb_rows_any(rows, rows->entries[slot].chunk);
	for (uint32_t i = 0; i < rows->words && i < 64; i += 8)
		__builtin_prefetch(any + i);
}

/* Let the front have all chunks between, each with those behind it. */
static int turn_over(struct scan *scan)
{
	struct rspb_rows *rows = scan->rows;
	size_t words = rows->words, n = scan->to - scan->from;

	if (rspb_array_grow(&rows->front, &rows->front_room, n * words,
			    sizeof(*rows->front)))
		return -1;
	/* The last one lies first, so that the front shrinks at its end. */
	for (size_t k = 0; k < n; k++) {
		const uint64_t *any = rspb_rows_any(
			rows, rows->entries[scan->to - 1 - k].chunk);
		uint64_t *row = rows->front + k * words;

		if (k)
			rspb_row_union(row, row - words, any, words);
		else
			memcpy(row, any, words * sizeof(*row));
	}
	scan->front = scan->to;
	memset(rspb_rows_temp(rows, RSPB_TEMP_BACK), 0,
	       words * sizeof(uint64_t));
	return 0;
}

/* Let the chunks between be from..to-1, neither lower than they were. */
static int between(struct scan *scan, size_t from, size_t to)
{
	struct rspb_rows *rows = scan->rows;
	uint64_t *back = rspb_rows_temp(rows, RSPB_TEMP_BACK);
	uint64_t *middle = rspb_rows_temp(rows, RSPB_TEMP_MIDDLE);
	const uint64_t *base = rspb_rows_temp(rows, RSPB_TEMP_BASE);
	size_t words = rows->words;

	if (to < from)
		to = from;
	if (scan->middle_known && scan->from == from && scan->to == to)
		return 0;
	if (!scan->middle_known || from >= scan->to) {
		scan->to = scan->front = from;
		memset(back, 0, words * sizeof(*back));
	}
	for (; scan->to < to; scan->to++) {
		prefetch(rows, scan->to + 2);
		rspb_row_or(back,
			    rspb_rows_any(rows, rows->entries[scan->to].chunk),
			    words);
	}
	scan->from = from;
	if (from > scan->front && turn_over(scan))
		return -1;
	rspb_row_union(middle, base, back, words);
	if (from < scan->front)
		rspb_row_or(middle,
			    rows->front + (scan->front - 1 - from) * words,
			    words);
	scan->middle_known = true;
	scan->middle_free = rspb_row_neither(rspb_rows_temp(rows,
							    RSPB_TEMP_FREE),
					     middle, middle, middle, words);
	return 0;
}

/* The union of the records of i's chunk from i on. */
static const uint64_t *suffix(struct scan *scan)
{
	struct rspb_rows *rows = scan->rows;
	const struct rspb_rows_chunk *chunk = rows->entries[scan->i.slot].chunk;
	uint64_t *rest = rspb_rows_temp(rows, RSPB_TEMP_SUFFIX);
	size_t words = rows->words;

	if (scan->suffix_of != scan->i.slot || scan->suffix_from > scan->i.in) {
		uint32_t k = chunk->count - 1;

		memcpy(rest + k * words, rspb_rows_row(rows, chunk, k),
		       words * sizeof(*rest));
		while (k-- > scan->i.in)
			rspb_row_union(rest + k * words, rest + (k + 1) * words,
				       rspb_rows_row(rows, chunk, k), words);
		scan->suffix_of = scan->i.slot;
		scan->suffix_from = scan->i.in;
	}
	return rest + scan->i.in * words;
}

/* The union of the records of j's chunk from `from` up to j. */
static const uint64_t *prefix(struct scan *scan, uint32_t from)
{
	struct rspb_rows *rows = scan->rows;
	const struct rspb_rows_chunk *chunk = rows->entries[scan->j.slot].chunk;
	uint64_t *upto = rspb_rows_temp(rows, RSPB_TEMP_PREFIX);
	size_t words = rows->words;

	if (scan->prefix_of != scan->j.slot || scan->prefix_from != from) {
		memcpy(upto, rspb_rows_row(rows, chunk, from),
		       words * sizeof(*upto));
		scan->prefix_of = scan->j.slot;
		scan->prefix_from = scan->prefix_to = from;
	}
	for (; scan->prefix_to < scan->j.in; scan->prefix_to++)
		rspb_row_or(upto,
			    rspb_rows_row(rows, chunk, scan->prefix_to + 1),
			    words);
	return upto;
}

/* The rectangle of the window at hand. RET whether it has enough nodes. */
static bool measure(struct scan *scan)
{
	struct rspb_rows *rows = scan->rows;
	uint64_t *nodes = rspb_rows_temp(rows, RSPB_TEMP_FREE);
	const uint64_t *middle = rspb_rows_temp(rows, RSPB_TEMP_MIDDLE);
	struct rspb_rect *rect = &scan->rect;

	if (scan->i.slot == scan->j.slot) {
		const uint64_t *only = prefix(scan, scan->i.in);

		rect->free = rspb_row_neither(nodes, only, only, middle,
					      rows->words);
	} else {
		const uint64_t *rest = suffix(scan);

		rect->free = rspb_row_neither(nodes, rest, prefix(scan, 0),
					      middle, rows->words);
	}
	if (rect->free < scan->query->nodes)
		return false;
	if (scan->edges) {
		rect->left = rspb_rows_left(rows, scan->i, nodes);
		rect->right = rspb_rows_right(rows,
					      rspb_rows_next(rows, scan->j),
					      nodes);
	} else {
		rect->left = 0;
		rect->right = RSPB_TIME_MAX;
	}
	return true;
}

static int keep(struct scan *scan, const struct rspb_rect *rect)
{
	if (rspb_array_grow(&scan->rects, &scan->room, scan->count + 1,
			    sizeof(*scan->rects)))
		return -1;
	scan->rects[scan->count++] = *rect;
	return 0;
}

/* Keep the candidate, or let the policy judge; of those it likes alike the
 * earliest stays. RET 1: no more are wanted, -1 without memory. */
static int judge(struct scan *scan)
{
	struct rspb_rect rect = scan->rect;
	struct rspb_score score;

	rect.start = scan->start;
	if (rect.right == RSPB_TIME_MAX)
		rect.right = rspb_profile_open_end(scan->profile, scan->query,
						   scan->start);
	if (!scan->when)
		return keep(scan, &rect);
	if (scan->when->score) {
		score = scan->when->score(&rect, scan->query);
		if (scan->found && !rspb_score_better(score, scan->best))
			return 0;
		scan->best = score;
	}
	scan->found = true;
	scan->best_start = scan->start;
	return !scan->when->score;
}

static bool same_place(struct rspb_place a, struct rspb_place b)
{
	return a.slot == b.slot && a.in == b.in;
}

/* Look at the candidate at hand. RET as judge. */
static int look(struct scan *scan)
{
	bool same = scan->judged && same_place(scan->i, scan->at_i) &&
		    same_place(scan->j, scan->at_j);

	/* All candidates of one window have one rectangle. */
	if (same && scan->stateless)
		return 0;
	if (!same) {
		scan->fits = measure(scan);
		scan->judged = true;
		scan->at_i = scan->i;
		scan->at_j = scan->j;
	}
	return scan->fits ? judge(scan) : 0;
}

/* The next candidate: the next record, or the next record - duration. */
static int64_t next_start(const struct scan *scan)
{
	const struct rspb_rows *rows = scan->rows;
	int64_t duration = scan->query->duration;
	int64_t from = rspb_rows_time(rows, rspb_rows_next(rows, scan->i));
	struct rspb_place behind = rspb_rows_next(rows, scan->j);
	int64_t upto = rspb_rows_time(rows, behind);

	if (upto == scan->start + duration)
		upto = rspb_rows_time(rows, rspb_rows_next(rows, behind));
	upto -= duration;
	from = upto < from ? upto : from;
	return from < scan->last ? from : scan->last;
}

/* RET -1 without memory. */
static int scan_all(struct scan *scan)
{
	const struct rspb_rows *rows = scan->rows;
	uint32_t wanted = scan->query->nodes;

	for (;;) {
		int rc;

		follow_chunks(scan);
		if (between(scan, scan->i.slot + 1, scan->j.slot))
			return -1;
		if (scan->middle_free >= wanted) {
			follow_records(scan);
			rc = look(scan);
			if (rc)
				return rc < 0 ? -1 : 0;
			if (scan->start == scan->last)
				return 0;
			scan->start = next_start(scan);
			continue;
		}
		/* Too few, and so for every start before the next chunk. */
		if (scan->i.slot + 1 == rows->count ||
		    rows->entries[scan->i.slot + 1].time > scan->last)
			return 0;
		scan->start = rows->entries[scan->i.slot + 1].time;
	}
}

int rspb_rows_search(const struct rspb_profile *profile,
		     const struct rspb_query *query,
		     const struct rspb_when *when, struct rspb_rect *rect,
		     struct rspb_nodeset *set)
{
	struct scan scan;

	scan_init(&scan, profile, query, when);
	if (scan_all(&scan))
		return -1;
	if (scan.found)
		rspb_rows_measure(profile, query, scan.best_start, rect, set);
	return scan.found;
}

int64_t rspb_rows_candidates(const struct rspb_profile *profile,
			     const struct rspb_query *query,
			     struct rspb_rect **rects)
{
	struct scan scan;

	scan_init(&scan, profile, query, NULL);
	if (scan_all(&scan)) {
		free(scan.rects);
		return -1;
	}
	*rects = scan.rects;
	return (int64_t) scan.count;
}
