/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adding and removing, alone and with a search between. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tests/naive/rng.h"

static struct result result_for(const struct load *load, const char *op)
{
	return (struct result){
		.op = op,
		.nodes = load->nodes,
		.bookings = load->bookings,
		.points = load->stats.points,
		.groups = load->stats.groups,
		.window = "-",
		.request = "-",
		.policy = "-",
		.style = style_names[load->style],
	};
}

static int compare_record(int64_t time, const struct rspb_nodeset *booked, void *arg)
{
	const struct naive_point **at = arg;

	if ((*at)->time != time || !rspb_nodeset_equal((*at)->busy, booked))
		return 1;
	++*at;
	return 0;
}

/* RET 1 when the two do not hold the same. */
static size_t differs(const struct load *load)
{
	const struct naive_point *at = load->list->points;

	return rspb_profile_records(load->profile, compare_record, &at) ||
	       at != load->list->points + load->list->count;
}

enum { BATCH = 200 };

/* Take out and put back the same bookings; ns of a pair. */
static int64_t naive_pairs(struct load *load, uint64_t seed)
{
	int64_t t0 = cpu_ns();

	for (int i = 0; i < BATCH; i++) {
		struct job *job = &load->jobs[rng_below(&seed, load->bookings)];

		naive_list_remove(load->list, job->start, job->end, job->nodes, NULL);
		naive_list_add(load->list, job->start, job->end, job->nodes, NULL);
	}
	return (cpu_ns() - t0) / BATCH;
}

static int64_t lib_pairs(struct load *load, uint64_t seed, size_t *failed)
{
	int64_t t0 = cpu_ns();

	for (int i = 0; i < BATCH; i++) {
		struct job *job = &load->jobs[rng_below(&seed, load->bookings)];

		*failed += rspb_profile_remove(load->profile, job->start, job->end, job->nodes,
					       NULL) ||
			   rspb_profile_add(load->profile, job->start, job->end, job->nodes, NULL);
	}
	return (cpu_ns() - t0) / BATCH;
}

static void pairs(struct bench *bench, struct load *load)
{
	struct result result = result_for(load, "add+remove");
	struct series naive = { .count = 0 }, lib = { .count = 0 };
	uint64_t rng = bench->seed;

	lib_pairs(load, rng, &result.mismatches);
	if (load->list)
		naive_pairs(load, rng);
	for (int i = 0; i < 9; i++) {
		uint64_t seed = rng_next(&rng);

		if (load->list)
			series_add(&naive, naive_pairs(load, seed));
		series_add(&lib, lib_pairs(load, seed, &result.mismatches));
	}
	result.naive_ns = series_median(&naive);
	result.lib_ns = series_median(&lib);
	result.spread = series_spread(&lib);
	result.mismatches += load->list && differs(load);
	bench_report(bench, &result);
}

/* A booking that lasts so long that 5,000 points lie within it. */
static void long_pairs(struct bench *bench, struct load *load)
{
	struct result result = result_for(load, "long");
	struct series naive = { .count = 0 }, lib = { .count = 0 };
	int64_t start = load->horizon / 8;
	int64_t end = start + load->horizon / 4;
	uint32_t n = load->nodes - 8;

	rspb_nodeset_clear(load->set);
	for (; n < load->nodes; n++)
		rspb_nodeset_add(load->set, n);
	for (int i = 0; i < 15; i++) {
		int64_t t0 = cpu_ns(), t1;

		naive_list_add(load->list, start, end, load->set, NULL);
		naive_list_remove(load->list, start, end, load->set, NULL);
		t1 = cpu_ns();
		series_add(&naive, t1 - t0);
		result.mismatches += rspb_profile_add(load->profile, start, end, load->set, NULL);
		result.mismatches += rspb_profile_remove(load->profile, start, end, load->set,
							 NULL);
		series_add(&lib, cpu_ns() - t1);
	}
	result.window = "25%";
	result.naive_ns = series_median(&naive);
	result.lib_ns = series_median(&lib);
	result.spread = series_spread(&lib);
	result.mismatches += differs(load);
	bench_report(bench, &result);
}

/* What a copy takes must not grow with the calendar. */
static void copy_growth(struct bench *bench)
{
	static const size_t bookings[] = { 1000, 10000 };
	int64_t ns[2];

	for (int i = 0; i < 2; i++) {
		struct load_spec spec = { .nodes = 1024, .bookings = bookings[i] };
		struct series series = { .count = 0 };
		struct load load;

		load_init(&load, &spec, bench->seed);
		for (int k = 0; k < 25; k++) {
			int64_t t0 = cpu_ns();
			struct rspb_profile *copy = rspb_profile_clone(load.profile);

			series_add(&series, cpu_ns() - t0);
			rspb_profile_destroy(copy);
		}
		ns[i] = series_median(&series);
		load_fini(&load);
	}
	bench->copy_growth = (double) ns[1] / (double) ns[0];
}

void bench_update(struct bench *bench)
{
	static const size_t bookings[] = { 1000, 10000, 100000 };
	static const uint32_t nodes[] = { 1024, 10240 };

	copy_growth(bench);
	for (int style = LOWEST; style <= SCATTERED; style++) {
		if (!bench_wants_style(bench, "update", (enum style) style))
			continue;
		for (int i = 0; i < 6; i++) {
			struct load_spec spec = {
				.nodes = nodes[i / 3],
				.naive = bookings[i % 3] <= 10000,
				.bookings = bookings[i % 3],
				.style = (enum style) style,
				.left_out = 8,
			};
			struct load load;

			/* Rows of so many bookings would take minutes, and no gate compares
			 * with them or has so many that are scattered. */
			if (spec.bookings > 10000 &&
			    (spec.nodes > 1024 || bench->quick || style == SCATTERED))
				continue;
			load_init(&load, &spec, bench->seed);
			pairs(bench, &load);
			if (spec.bookings == 10000) {
				long_pairs(bench, &load);
			}
			load_fini(&load);
		}
	}
}

/* A booking is taken out, sought anew around its start and booked there. */
struct mix {
	struct load *load;
	uint64_t rng;
	int64_t naive_ns, lib_ns;
	size_t mismatches;
};

/* Keep as many of load->other's nodes as the job had, in the load's style. */
static void mix_choose(struct mix *mix, const struct job *job)
{
	struct load *load = mix->load;
	uint32_t count = rspb_nodeset_count(job->nodes);

	rspb_nodeset_copy(load->set, load->other);
	load_keep(load, count, &mix->rng);
	rspb_nodeset_copy(load->other, load->set);
}

static void mix_one(struct mix *mix, struct job *job)
{
	struct load *load = mix->load;
	const struct rspb_preference *prefers = &rspb_when_find("pe-worst")->prefers;
	int64_t du = job->end - job->start;
	struct rspb_query query = {
		.ready = job->start - (int64_t) (3 * du * rng_unit(&mix->rng)),
		.duration = du,
		.nodes = rspb_nodeset_count(job->nodes),
	};
	struct rspb_rect x = { 0 }, y = { 0 };
	int64_t t0, t1, t2;

	query.deadline = job->start + du + (int64_t) (3 * du * rng_unit(&mix->rng));
	t0 = cpu_ns();
	naive_list_remove(load->list, job->start, job->end, job->nodes, NULL);
	naive_list_search(load->list, &query, prefers, &x, load->other, NULL);
	t1 = cpu_ns();
	rspb_profile_remove(load->profile, job->start, job->end, job->nodes, NULL);
	rspb_profile_search(load->profile, &query, prefers, &y, load->set, NULL);
	t2 = cpu_ns();
	mix->naive_ns += t1 - t0;
	mix->lib_ns += t2 - t1;
	mix->mismatches += !same_rect(&x, &y) || !rspb_nodeset_equal(load->set, load->other);
	mix_choose(mix, job);
	t0 = cpu_ns();
	naive_list_add(load->list, x.start, x.start + du, load->other, NULL);
	t1 = cpu_ns();
	mix->mismatches += rspb_profile_add(load->profile, y.start, y.start + du, load->set, NULL);
	t2 = cpu_ns();
	mix->naive_ns += t1 - t0;
	mix->lib_ns += t2 - t1;
	job->start = x.start;
	job->end = x.start + du;
	rspb_nodeset_copy(job->nodes, load->set);
}

static void run_mix(struct bench *bench, uint32_t nodes, enum style style)
{
	struct load_spec spec = {
		.nodes = nodes, .bookings = 10000, .style = style, .naive = true, .papers_mix = true
	};
	struct series naive = { .count = 0 }, lib = { .count = 0 };
	int count = 100;
	struct load load;
	struct mix mix = { .load = &load, .rng = bench->seed };
	struct result result;

	load_init(&load, &spec, bench->seed);
	for (int repeat = 0; repeat < 7; repeat++) {
		mix.naive_ns = mix.lib_ns = 0;
		for (int i = 0; i < count; i++)
			mix_one(&mix, &load.jobs[rng_below(&mix.rng, load.bookings)]);
		series_add(&naive, mix.naive_ns / count);
		series_add(&lib, mix.lib_ns / count);
	}
	result = result_for(&load, "mix");
	result.policy = "pe-worst";
	result.naive_ns = series_median(&naive);
	result.lib_ns = series_median(&lib);
	result.spread = series_spread(&lib);
	result.mismatches = mix.mismatches + differs(&load);
	bench_report(bench, &result);
	load_fini(&load);
}

void bench_mix(struct bench *bench)
{
	if (bench_wants(bench, "mix")) {
		run_mix(bench, 1024, LOWEST);
		run_mix(bench, 10240, LOWEST);
	}
	if (bench_wants_style(bench, "mix", SCATTERED)) {
		run_mix(bench, 1024, SCATTERED);
		run_mix(bench, 10240, SCATTERED);
	}
}
