/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches, and what memory lets them do at best. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/calendar/internal.h"
#include "tests/bench/bench.h"
#include "tests/naive/rng.h"

static volatile int64_t sink;

/* Read and triad bandwidth over 256 MB, best of five. */
void bench_machine(struct bench *bench)
{
	size_t count = (bench->quick ? 64 : 256) * (size_t) 1024 * 1024 / sizeof(double) / 3;
	double *a = malloc(count * sizeof(*a));
	double *b = calloc(count, sizeof(*b)), *c = calloc(count, sizeof(*c));
	double read = 0, triad = 0, sum = 0;

	if (!a || !b || !c)
		exit(2);
	memset(a, 0, count * sizeof(*a));
	memset(b, 1, count * sizeof(*b));
	memset(c, 2, count * sizeof(*c));
	for (int i = 0; i < 5; i++) {
		double s[4] = { 0 };
		int64_t t0 = cpu_ns(), t1, t2;

		for (size_t j = 0; j + 4 <= count; j += 4)
			for (int k = 0; k < 4; k++)
				s[k] += a[j + (size_t) k];
		t1 = cpu_ns();
		for (size_t j = 0; j < count; j++)
			a[j] = b[j] + 3.0 * c[j];
		t2 = cpu_ns();
		sum += s[0] + s[1] + s[2] + s[3];
		s[0] = (double) (count * sizeof(*a)) / (double) (t1 - t0);
		s[1] = (double) (3 * count * sizeof(*a)) / (double) (t2 - t1);
		read = s[0] > read ? s[0] : read;
		triad = s[1] > triad ? s[1] : triad;
	}
	sink = (int64_t) sum;
	printf("# read %.1f GB/s, triad %.1f GB/s\n", read, triad);
	free(a);
	free(b);
	free(c);
}

/* One pass over all a search may read: both orders and the records. */
static int64_t pass_once(const struct rspb_profile *profile)
{
	const struct rspb_sorted *const orders[] = { &profile->index->begins, &profile->index->ends,
						     &profile->index->records };
	int64_t t0 = cpu_ns(), sum = 0;

	for (int i = 0; i < 3; i++) {
		struct rspb_cursor cursor = { .order = orders[i] };

		rspb_cursor_load(&cursor, 0);
		for (; cursor.stop; rspb_cursor_next(&cursor))
			sum += cursor.at->key ^ cursor.at->size;
	}
	sink = sum;
	return cpu_ns() - t0;
}

/* Searches are timed when a naive search has had the caches, so are these;
 * the first figure is for a pass right after another. */
static void passes(struct bench *bench, struct load *load)
{
	struct series warm = { .count = 0 }, cold = { .count = 0 };
	struct rspb_query query = {
		.deadline = load->horizon / 4,
		.duration = HOUR,
		.nodes = 1,
	};
	struct rspb_rect rect;

	for (int i = 0; i < 9; i++) {
		naive_list_search(load->list, &query, &rspb_when_find("pe-worst")->prefers, &rect,
				  load->other, NULL);
		series_add(&cold, pass_once(load->profile));
		series_add(&warm, pass_once(load->profile));
	}
	bench->pass_ns[load->nodes > 1024] = series_median(&cold);
	printf("# N %u: one pass over the index %.1f us warm, %.1f us after a "
	       "naive search\n",
	       load->nodes, (double) series_median(&warm) / 1e3,
	       (double) series_median(&cold) / 1e3);
}

struct search_case {
	const char *window, *request, *policy;
	int64_t share; /* of the horizon, in per cent */
	int64_t duration;
	int repeats;
	bool slow; /* seconds for the naive list at 10,240 */
	int row;   /* searches timed together */
};

/*
 * A row of searches, each of a window of its own: what one of them takes can't
 * be told from what the clock takes, and from what a processor takes that has
 * forgotten the code over the last naive search. In use many come in a row, one
 * for each request of a batch.
 */
enum { MOST_ROW = 16 };

struct row {
	int count;
	struct rspb_query queries[MOST_ROW];
	struct answer {
		int rc;
		struct rspb_rect rect;
		struct rspb_nodeset *set;
	} naive[MOST_ROW], lib[MOST_ROW];
};

static void row_init(struct row *row, const struct load *load, int count)
{
	*row = (struct row){ .count = count };
	for (int i = 0; i < count; i++) {
		row->naive[i].set = rspb_nodeset_create(load->nodes);
		row->lib[i].set = rspb_nodeset_create(load->nodes);
		if (!row->naive[i].set || !row->lib[i].set)
			exit(2);
	}
}

static void row_fini(struct row *row)
{
	for (int i = 0; i < row->count; i++) {
		rspb_nodeset_destroy(row->naive[i].set);
		rspb_nodeset_destroy(row->lib[i].set);
	}
}

static struct rspb_query query_for(const struct load *load, const struct search_case *c,
				   uint64_t *rng)
{
	int64_t room = load->horizon * c->share / 100;
	struct rspb_query query = {
		.duration = c->duration,
		.nodes = (uint32_t) rng_log(rng, load->nodes / 4),
	};

	query.ready = (int64_t) rng_below(rng, (uint64_t) (load->horizon - room + 1));
	query.deadline = query.ready + room + c->duration;
	return query;
}

/* Nanoseconds of each, by both. */
static void row_run(struct row *row, const struct load *load, const struct rspb_preference *when,
		    int64_t *naive, int64_t *lib)
{
	int64_t t0 = cpu_ns(), t1;

	for (int i = 0; i < row->count; i++) {
		struct answer *a = &row->naive[i];

		a->rc = naive_list_search(load->list, &row->queries[i], when, &a->rect, a->set,
					  NULL);
	}
	t1 = cpu_ns();
	for (int i = 0; i < row->count; i++) {
		struct answer *a = &row->lib[i];

		a->rc = rspb_profile_search(load->profile, &row->queries[i], when, &a->rect, a->set,
					    NULL);
	}
	*lib = (cpu_ns() - t1) / row->count;
	*naive = (t1 - t0) / row->count;
}

static size_t row_mismatches(const struct row *row)
{
	size_t bad = 0;

	for (int i = 0; i < row->count; i++) {
		const struct answer *x = &row->naive[i], *y = &row->lib[i];

		bad += x->rc != y->rc || (x->rc == 1 && (!same_rect(&x->rect, &y->rect) ||
							 !rspb_nodeset_equal(x->set, y->set)));
	}
	return bad;
}

/* How many starts a query has. */
static double candidates_of(const struct load *load, struct rspb_query query)
{
	struct rspb_rect *all;
	int64_t count;

	query.nodes = 1;
	count = rspb_profile_candidates(load->profile, &query, &all, NULL);
	free(all);
	return (double) count;
}

static void run_case(struct bench *bench, struct load *load, const struct search_case *c)
{
	const struct rspb_preference *when = &rspb_when_find(c->policy)->prefers;
	struct series naive = { .count = 0 }, lib = { .count = 0 };
	uint64_t rng = bench->seed;
	int asked = 0;
	struct row row;
	struct result result = {
		.op = "search",
		.nodes = load->nodes,
		.bookings = load->bookings,
		.points = load->stats.points,
		.groups = load->stats.groups,
		.window = c->window,
		.request = c->request,
		.policy = c->policy,
		.style = style_names[load->style],
	};

	row_init(&row, load, c->row);
	for (int i = 0; i < c->repeats && !series_enough(&naive, &lib); i++, asked++) {
		int64_t naive_ns, lib_ns;

		for (int k = 0; k < row.count; k++)
			row.queries[k] = query_for(load, c, &rng);
		row_run(&row, load, when, &naive_ns, &lib_ns);
		series_add(&naive, naive_ns);
		series_add(&lib, lib_ns);
		result.mismatches += row_mismatches(&row);
		result.candidates += candidates_of(load, row.queries[0]);
	}
	result.candidates /= asked;
	row_fini(&row);
	result.naive_ns = series_median(&naive);
	result.lib_ns = series_median(&lib);
	result.spread = series_spread(&lib);
	bench_report(bench, &result);
}

static const struct search_case cases[] = {
	{ "1%", "1h", "ff", 1, HOUR, 15, false, MOST_ROW },
	{ "1%", "1h", "pe-worst", 1, HOUR, 15, false, MOST_ROW },
	{ "1%", "1h", "du-worst", 1, HOUR, 15, false, MOST_ROW },
	{ "1%", "1h", "pedu-worst", 1, HOUR, 15, false, MOST_ROW },
	{ "1%", "10h", "du-worst", 1, 10 * HOUR, 7, false, MOST_ROW },
	{ "1%alone", "1h", "pe-worst", 1, HOUR, 31, false, 1 },
	{ "1%alone", "1h", "du-worst", 1, HOUR, 31, false, 1 },
	{ "1%alone", "1h", "pedu-worst", 1, HOUR, 31, false, 1 },
	{ "100%", "1h", "ff", 100, HOUR, 15, false, 1 },
	{ "100%", "1h", "pe-worst", 100, HOUR, 9, false, 1 },
	{ "100%", "1h", "pe-best", 100, HOUR, 9, false, 1 },
	{ "100%", "1h", "du-worst", 100, HOUR, 9, false, 1 },
	{ "100%", "1h", "du-best", 100, HOUR, 9, false, 1 },
	{ "100%", "1h", "pedu-worst", 100, HOUR, 9, false, 1 },
	{ "100%", "10h", "pe-worst", 100, 10 * HOUR, 9, true, 1 },
	{ "100%", "10h", "du-worst", 100, 10 * HOUR, 9, true, 1 },
	{ "100%", "10h", "pedu-worst", 100, 10 * HOUR, 9, true, 1 },
};

/* With a mask of half the nodes: counted per group, not per node. */
static void masked(struct bench *bench, struct load *load)
{
	struct rspb_nodeset *mask = rspb_nodeset_create(load->nodes);
	const struct search_case hour = { .share = 100, .duration = HOUR };
	struct series naive = { .count = 0 }, lib = { .count = 0 };
	uint64_t rng = bench->seed;
	struct result result = {
		.op = "masked",
		.nodes = load->nodes,
		.bookings = load->bookings,
		.points = load->stats.points,
		.groups = load->stats.groups,
		.window = "100%",
		.request = "1h",
		.policy = "du-worst",
		.style = style_names[load->style],
	};

	for (uint32_t n = 0; n < load->nodes; n += 2)
		rspb_nodeset_add(mask, n);
	for (int i = 0; i < 5 && !series_enough(&naive, &lib); i++) {
		struct rspb_query query = query_for(load, &hour, &rng);
		struct rspb_rect x = { 0 }, y = { 0 };
		int64_t t0 = cpu_ns(), t1;
		int rc;

		query.eligible = mask;
		query.nodes = query.nodes / 2 + 1;
		rc = naive_list_search(load->list, &query, &rspb_when_find("du-worst")->prefers, &x,
				       load->other, NULL);
		t1 = cpu_ns();
		series_add(&naive, t1 - t0);
		result.mismatches += rc != rspb_profile_search(load->profile, &query,
							       &rspb_when_find("du-worst")->prefers,
							       &y, load->set, NULL);
		series_add(&lib, cpu_ns() - t1);
		result.mismatches += !same_rect(&x, &y);
	}
	result.naive_ns = series_median(&naive);
	result.lib_ns = series_median(&lib);
	result.spread = series_spread(&lib);
	bench_report(bench, &result);
	rspb_nodeset_destroy(mask);
}

static void copies(const struct load *load)
{
	struct series series = { .count = 0 }, changed = { .count = 0 };

	for (int i = 0; i < 9; i++) {
		int64_t t0 = cpu_ns();
		struct rspb_profile *clone = rspb_profile_clone(load->profile);
		int64_t t1 = cpu_ns();
		const struct job *job = &load->jobs[(size_t) i * 7919 % load->bookings];

		rspb_profile_remove(clone, job->start, job->end, job->nodes, NULL);
		series_add(&changed, cpu_ns() - t1);
		series_add(&series, t1 - t0);
		rspb_profile_destroy(clone);
	}
	printf("# N %u R %zu %s: %zu points, %zu groups (%.1f a booking), "
	       "%.0f bytes a booking, a copy %.1f us, its first change %.1f us\n",
	       load->nodes, load->bookings, style_names[load->style], load->stats.points,
	       load->stats.groups, (double) load->stats.groups / (double) load->bookings,
	       (double) load->stats.bytes / (double) load->bookings,
	       (double) series_median(&series) / 1e3, (double) series_median(&changed) / 1e3);
}

static void run_load(struct bench *bench, uint32_t nodes, enum style style)
{
	struct load load;
	struct load_spec spec = {
		.nodes = nodes, .style = style, .bookings = 10000, .naive = true
	};

	load_init(&load, &spec, bench->seed);
	copies(&load);
	if (style == LOWEST)
		passes(bench, &load);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct search_case c = cases[i];

		if (c.slow && nodes > 1024 && (bench->quick || !strcmp(c.policy, "pe-worst")))
			continue;
		run_case(bench, &load, &c);
	}
	masked(bench, &load);
	load_fini(&load);
}

void bench_search(struct bench *bench)
{
	for (int style = LOWEST; style <= SCATTERED; style++) {
		if (!bench_wants_style(bench, "search", (enum style) style))
			continue;
		run_load(bench, 1024, (enum style) style);
		run_load(bench, 10240, (enum style) style);
	}
}
