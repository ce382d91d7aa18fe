/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench [--seed S] [--quick] [--within SECONDS] [--one OP] [--trace FILE]
 *
 * Times the engine beside the published structures, every answer compared.
 * One line a case, then growth exponents and the gates. Exit status 1 when an
 * answer differs, 3 when a gate failed. Without a seed it is drawn from the
 * clock. On a machine that does other things, too, figures may be twice as bad.
 * SECONDS (540) are how long it may take; where others take the processors, figures are
 * measured less often, so that it ends in time.
 * OP scattered: all that gate 4 needs. FILE, or that of RSPB_TRACE:
 * jobs for gate 8.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "tests/bench/bench.h"

int64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* When it began, when it is to end, and the part of the work that is done before and with the
 * part of the benchmark that runs. */
static struct {
	double began, within, before, with;
} schedule;

static double wall(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* RET whether the current part has had its share of the time: others take the processors, and
 * each figure is measured once from then on. */
static bool is_late(void)
{
	return wall() - schedule.began > schedule.within * schedule.with;
}

void series_add(struct series *series, int64_t ns)
{
	if (series->count < MOST_REPEATS)
		series->ns[series->count++] = ns;
}

bool series_enough(const struct series *naive, const struct series *lib)
{
	enum { LEAST = 3 };
	const int64_t enough = INT64_C(400000000), slow = 3 * enough;
	int64_t spent = 0;

	for (size_t i = 0; i < naive->count; i++)
		spent += naive->ns[i] + lib->ns[i];
	if (is_late())
		return naive->count > 0;
	return spent > slow || (naive->count >= LEAST && spent > enough);
}

int rising_ns(const void *a, const void *b)
{
	int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

	return (x > y) - (x < y);
}

int64_t series_median(const struct series *series)
{
	struct series sorted = *series;

	if (!sorted.count)
		return 0;
	qsort(sorted.ns, sorted.count, sizeof(sorted.ns[0]), rising_ns);
	return sorted.ns[sorted.count / 2];
}

int series_spread(const struct series *series)
{
	int64_t low = INT64_MAX, high = 0, median = series_median(series);

	for (size_t i = 0; i < series->count; i++) {
		low = series->ns[i] < low ? series->ns[i] : low;
		high = series->ns[i] > high ? series->ns[i] : high;
	}
	return median ? (int) (100 * (high - low) / median) : 0;
}

bool bench_wants(const struct bench *bench, const char *op)
{
	return !bench->one || !strcmp(bench->one, op);
}

bool bench_wants_style(const struct bench *bench, const char *op, enum style style)
{
	return bench_wants(bench, op) || (style == SCATTERED && bench_wants(bench, "scattered"));
}

double ratio_of(const struct result *result)
{
	return result && result->lib_ns ? (double) result->naive_ns / (double) result->lib_ns : 0;
}

void bench_report(struct bench *bench, const struct result *result)
{
	printf("%-12s %6u %6zu %6zu %7zu %5s %4s %-10s %9.0f %12lld %10lld "
	       "%9.1f %3d%% %zu %s\n",
	       result->op, result->nodes, result->bookings, result->points, result->groups,
	       result->window, result->request, result->policy, result->candidates,
	       (long long) result->naive_ns, (long long) result->lib_ns, ratio_of(result),
	       result->spread, result->mismatches, result->style);
	fflush(stdout);
	bench->mismatches += result->mismatches;
	if (bench->count < sizeof(bench->results) / sizeof(bench->results[0]))
		bench->results[bench->count++] = *result;
}

static bool same(const char *wanted, const char *is)
{
	return !wanted || !strcmp(wanted, is);
}

const struct result *bench_find(const struct bench *bench, const char *op, uint32_t nodes,
				size_t bookings, const char *window, const char *request,
				const char *policy, const char *style)
{
	for (size_t i = 0; i < bench->count; i++) {
		const struct result *at = &bench->results[i];

		if (same(op, at->op) && (!nodes || nodes == at->nodes) &&
		    (!bookings || bookings == at->bookings) && same(window, at->window) &&
		    same(request, at->request) && same(policy, at->policy) &&
		    same(style, at->style))
			return at;
	}
	return NULL;
}

/* What is measured, in this order; --one names one of them. */
static const struct part {
	const char *name;
	void (*run)(struct bench *bench);
	enum style style; /* the last it can be wanted for */
	double seconds;	  /* of processor time, about */
} parts[] = {
	{ "search", bench_search, SCATTERED, 45 }, { "update", bench_update, SCATTERED, 20 },
	{ "mix", bench_mix, SCATTERED, 5 },	   { "shares", bench_shares, LOWEST, 1 },
	{ "batch", bench_batch, LOWEST, 15 },	   { "planning", bench_planning, LOWEST, 1 },
	{ "offers", bench_offers, LOWEST, 1 },	   { "waiting", bench_waiting, LOWEST, 45 },
	{ "parts", bench_parts, LOWEST, 10 },	   { "trace", bench_trace, LOWEST, 20 },
};

/* RET whether the i-th part is measured. */
static bool is_wanted(const struct bench *bench, size_t i)
{
	return bench_wants_style(bench, parts[i].name, parts[i].style);
}

/* It takes minutes: say how far it is, and what each part took. */
static void run_parts(struct bench *bench)
{
	size_t count = sizeof(parts) / sizeof(parts[0]);
	double all = 0, done = 0;

	for (size_t i = 0; i < count; i++)
		all += is_wanted(bench, i) ? parts[i].seconds : 0;
	for (size_t i = 0; i < count; i++) {
		int64_t begin = cpu_ns();

		if (!is_wanted(bench, i))
			continue;
		schedule.before = done / all;
		done += parts[i].seconds;
		schedule.with = done / all;
		printf("# part %zu of %zu: %s; %.0f %% done after %.0f s\n", i + 1, count,
		       parts[i].name, 100 * schedule.before, wall() - schedule.began);
		fflush(stdout);
		parts[i].run(bench);
		printf("# %s took %.0f s%s\n", parts[i].name, (double) (cpu_ns() - begin) / 1e9,
		       is_late() ? ", and more than its part of the time" : "");
	}
	printf("# all took %.0f s\n", wall() - schedule.began);
}

/* RET why figures are worse than they could be, or NULL: what else ran, what took the processor
 * away. */
static const char *busy_with(double load_before)
{
	struct rusage used;
	double load = 0, seconds = (double) cpu_ns() / 1e9;

	getrusage(RUSAGE_SELF, &used);
	getloadavg(&load, 1);
	printf("# load %.2f before, %.2f now; %ld involuntary switches in "
	       "%.0f s\n",
	       load_before, load, used.ru_nivcsw, seconds);
	if (load_before > 1.5 || load > 2)
		return "other programs run";
	if ((double) used.ru_nivcsw > 20 + 20 * seconds)
		return "the processor was taken away too often";
	return NULL;
}

int main(int argc, char **argv)
{
	static struct bench bench;
	double load = 0;
	int failed;

	bench.seed = (uint64_t) time(NULL) % 1000000;
	bench.trace = getenv("RSPB_TRACE");
	schedule.began = wall();
	schedule.within = 540;
	getloadavg(&load, 1);
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--quick"))
			bench.quick = true;
		else if (i + 1 < argc && !strcmp(argv[i], "--seed"))
			bench.seed = strtoull(argv[++i], NULL, 10);
		else if (i + 1 < argc && !strcmp(argv[i], "--within"))
			schedule.within = strtod(argv[++i], NULL);
		else if (i + 1 < argc && !strcmp(argv[i], "--one"))
			bench.one = argv[++i];
		else if (i + 1 < argc && !strcmp(argv[i], "--trace"))
			bench.trace = argv[++i];
		else
			return fprintf(stderr, "bench [--seed S] [--quick] "
					       "[--within SECONDS] [--one OP] "
					       "[--trace FILE]\n"),
			       2;
	}
	printf("# seed %llu%s\n", (unsigned long long) bench.seed, bench.quick ? ", quick" : "");
	bench_machine(&bench);
	printf("# op N R points groups window request policy candidates "
	       "naive_ns lib_ns ratio spread mismatches style\n");
	run_parts(&bench);
	bench.busy = busy_with(load);
	failed = bench_gates(&bench);
	if (bench.mismatches)
		printf("# %zu answers differ\n", bench.mismatches);
	return bench.mismatches ? 1 : failed ? 3 : 0;
}
