/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growth exponents, and what the engine must reach at least. */
#include <math.h>
#include <stdio.h>

#include "tests/bench/bench.h"

/* How a verdict is reached: figures that are missing make none. */
struct verdict {
	int gate;
	int failed, checked;
	double room; /* by which figures may be worse: others use the processors, too */
};

/* Each figure may be this much worse beside other programs: caches and the clock of the
 * processors are shared, while time is that of this thread. */
enum { ROOM_BUSY = 2 };

static struct verdict verdict_of(const struct bench *bench, int gate)
{
	return (struct verdict){ .gate = gate, .room = bench->busy ? ROOM_BUSY : 1 };
}

static void check(struct verdict *v, bool good, const char *what, double is, double wanted)
{
	printf("# gate %d: %-58s %10.2f, wanted %8.2f: %s\n", v->gate, what, is, wanted,
	       good ? "PASS" : "FAIL");
	v->checked++;
	v->failed += !good;
}

static void at_least(struct verdict *v, const char *what, const struct result *result,
		     double wanted)
{
	if (result)
		check(v, ratio_of(result) >= wanted / v->room, what, ratio_of(result),
		      wanted / v->room);
}

static void at_most(struct verdict *v, const char *what, double is, double wanted)
{
	if (is > 0)
		check(v, is <= wanted * v->room, what, is, wanted * v->room);
}

static double lib_over(const struct result *a, const struct result *b)
{
	return a && b && b->lib_ns ? (double) a->lib_ns / (double) b->lib_ns : 0;
}

static int close_gate(const struct verdict *v)
{
	if (v->checked)
		printf("gate %d: %s\n", v->gate, v->failed ? "FAIL" : "PASS");
	return v->failed != 0;
}

/* One search; the slowest policy other than first fit counts. */
static const struct result *worst(const struct bench *bench, uint32_t nodes, const char *window,
				  const char *request, const char *style)
{
	const struct result *worst = NULL;

	for (const struct rspb_when *when = rspb_whens + 1; when->name; when++) {
		const struct result *at = bench_find(bench, "search", nodes, 0, window, request,
						     when->name, style);

		if (at && (!worst || ratio_of(at) < ratio_of(worst)))
			worst = at;
	}
	return worst;
}

/* What is held in every run on a quiet machine; doc/performance.md has what was
 * aimed at beside it. */
static const struct search_gate {
	const char *what;
	uint32_t nodes;
	const char *window, *request;
	double lowest, run;
} search_gates[] = {
	{ "full window, 1 h, N 1,024", 1024, "100%", "1h", 45, 20 },
	{ "full window, 1 h, N 10,240", 10240, "100%", "1h", 600, 200 },
	{ "full window, 10 h, N 1,024", 1024, "100%", "10h", 500, 500 },
	{ "full window, 10 h, N 10,240", 10240, "100%", "10h", 7500, 5000 },
	{ "1 % in a row, 1 h, N 1,024", 1024, "1%", "1h", 20, 9 },
	{ "1 % in a row, 1 h, N 10,240", 10240, "1%", "1h", 150, 70 },
	{ "1 % alone, 1 h, N 1,024", 1024, "1%alone", "1h", 15, 8 },
	{ "1 % alone, 1 h, N 10,240", 10240, "1%alone", "1h", 100, 50 },
};

static int gate_1(const struct bench *b)
{
	struct verdict v = verdict_of(b, 1);

	for (int style = LOWEST; style <= RUN; style++) {
		printf("# gate 1, nodes chosen: %s\n", style_names[style]);
		for (size_t i = 0; i < sizeof(search_gates) / sizeof(search_gates[0]); i++) {
			const struct search_gate *gate = &search_gates[i];

			at_least(&v, gate->what,
				 worst(b, gate->nodes, gate->window, gate->request,
				       style_names[style]),
				 style == LOWEST ? gate->lowest : gate->run);
		}
	}
	return close_gate(&v);
}

static int gate_2(const struct bench *b)
{
	struct verdict v = verdict_of(b, 2);

	for (int i = 0; i < 2; i++) {
		const char *policy = i ? "du-worst" : "pe-worst";
		const struct result *narrow = bench_find(b, "search", 1024, 0, "100%", "1h", policy,
							 "lowest");
		const struct result *wide = bench_find(b, "search", 10240, 0, "100%", "1h", policy,
						       "lowest");
		const struct result *longer = bench_find(b, "search", 1024, 0, "100%", "10h",
							 policy, "lowest");

		printf("# gate 2, policy %s\n", policy);
		at_most(&v, "N 10,240 over N 1,024", lib_over(wide, narrow), 1.5);
		at_most(&v, "10 h over 1 h", lib_over(longer, narrow), 1.2);
		if (narrow && wide) {
			at_most(&v, "passes over the index, N 1,024",
				(double) narrow->lib_ns / (double) b->pass_ns[0], 4);
			at_most(&v, "passes over the index, N 10,240",
				(double) wide->lib_ns / (double) b->pass_ns[1], 4);
		}
	}
	return close_gate(&v);
}

static const struct result *update(const struct bench *b, const char *op, uint32_t nodes,
				   size_t bookings, enum style style)
{
	return bench_find(b, op, nodes, bookings, NULL, NULL, NULL, style_names[style]);
}

static int gate_3(const struct bench *b)
{
	struct verdict v = verdict_of(b, 3);

	for (int style = LOWEST; style <= RUN; style++) {
		enum style s = (enum style) style;

		printf("# gate 3, nodes chosen: %s\n", style_names[s]);
		at_least(&v, "add + remove, N 1,024, against naive",
			 update(b, "add+remove", 1024, 10000, s), 0.8);
		at_least(&v, "add + remove, N 10,240", update(b, "add+remove", 10240, 10000, s),
			 1.3);
		at_most(&v, "R 100,000 over R 1,000, N 1,024",
			lib_over(update(b, "add+remove", 1024, 100000, s),
				 update(b, "add+remove", 1024, 1000, s)),
			3.5);
		at_least(&v, "bookings over 5,000 points, N 1,024",
			 update(b, "long", 1024, 10000, s), 20);
		at_least(&v, "bookings over 5,000 points, N 10,240",
			 update(b, "long", 10240, 10000, s), 80);
	}
	return close_gate(&v);
}

static int gate_4(const struct bench *b)
{
	struct verdict v = verdict_of(b, 4);
	const char *s = style_names[SCATTERED];
	const struct result *pair = update(b, "add+remove", 10240, 10000, SCATTERED);

	at_least(&v, "search 1 h, N 1,024, against naive", worst(b, 1024, "100%", "1h", s), 4);
	at_least(&v, "search 1 h, N 10,240", worst(b, 10240, "100%", "1h", s), 4);
	at_least(&v, "search 10 h, N 1,024", worst(b, 1024, "100%", "10h", s), 50);
	at_least(&v, "search 10 h, N 10,240", worst(b, 10240, "100%", "10h", s), 50);
	at_least(&v, "add + remove, N 1,024, against naive",
		 update(b, "add+remove", 1024, 10000, SCATTERED), 1 / 3.0);
	at_least(&v, "add + remove, N 10,240", pair, 1 / 3.0);
	if (pair)
		at_most(&v, "add + remove, N 10,240, us", (double) pair->lib_ns / 1e3, 200);
	at_most(&v, "a copy of 10,000 bookings over one of 1,000", b->copy_growth, 2);
	return close_gate(&v);
}

static int gate_5(const struct bench *b)
{
	struct verdict v = verdict_of(b, 5);

	at_least(&v, "remove + search + add, N 1,024, against naive",
		 update(b, "mix", 1024, 0, LOWEST), 2);
	at_least(&v, "remove + search + add, N 10,240", update(b, "mix", 10240, 0, LOWEST), 5);
	return close_gate(&v);
}

static int gate_6(const struct bench *b)
{
	struct verdict v = verdict_of(b, 6);

	at_least(&v, "peaks of 1,024 machines, against the slot table",
		 bench_find(b, "peaks", 0, 0, "1h", NULL, "slots", NULL), 100);
	at_least(&v, "peaks of 1,024 machines, against break points",
		 bench_find(b, "peaks", 0, 0, "1h", NULL, "steps", NULL), 10);
	at_least(&v, "add + remove, against break points",
		 bench_find(b, "share-add", 0, 0, NULL, NULL, NULL, NULL), 1 / 2.5);
	return close_gate(&v);
}

static int gate_7(const struct bench *b)
{
	struct verdict v = verdict_of(b, 7);

	at_least(&v, "batch of 1,000 co-reservations, a slot a second",
		 bench_find(b, "batch", 0, 0, NULL, NULL, "slots-1s", NULL), 100);
	return close_gate(&v);
}

static int gate_8(const struct bench *b)
{
	struct verdict v = verdict_of(b, 8);

	at_least(&v, "trace, search + updates, N 1,152, against naive",
		 bench_find(b, "trace", 1152, 0, NULL, "month", NULL, NULL), 9);
	at_least(&v, "trace, search + updates, N 10,240",
		 bench_find(b, "trace", 10240, 0, NULL, "month", NULL, NULL), 30);
	return close_gate(&v);
}

static int gate_9(const struct bench *b)
{
	static const char *const presets[] = { "flex", "flex-tide", "live" };
	struct verdict v = verdict_of(b, 9);

	for (int i = 0; i < 3; i++) {
		const struct result *at = bench_find(b, "waiting", 0, 5000, NULL, NULL, presets[i],
						     NULL);

		if (at)
			at_most(&v, "longest decision beside 5,000, ms", (double) at->lib_ns / 1e6,
				i < 2 ? 20 : 50);
	}
	return close_gate(&v);
}

static int gate_10(const struct bench *b)
{
	struct verdict v = verdict_of(b, 10);
	const struct result *parts = bench_find(b, "parts", 0, 0, NULL, NULL, "nodes-parts", NULL);

	at_most(&v, "a part of a node among 10,000 on file, kB", b->part_bytes / 1e3, 3);
	at_most(&v, "longest decision on one, ms", b->part_longest / 1e6, 5);
	at_most(&v, "whole nodes beside them, over beside whole nodes",
		lib_over(parts, bench_find(b, "parts", 0, 0, NULL, NULL, "nodes-nodes", NULL)), 1);
	return close_gate(&v);
}

/* The power of x by which time grows from one case to the other. */
static void exponent(const char *what, const struct result *small, const struct result *large,
		     double factor)
{
	if (!small || !large)
		return;
	printf("# exponent in %-22s library %5.2f, naive %5.2f\n", what,
	       log(lib_over(large, small)) / log(factor),
	       log((double) large->naive_ns / (double) small->naive_ns) / log(factor));
}

static void exponents(const struct bench *b)
{
	const struct result *base = bench_find(b, "search", 1024, 0, "100%", "1h", "du-worst",
					       "lowest");

	exponent("N (search)", base,
		 bench_find(b, "search", 10240, 0, "100%", "1h", "du-worst", "lowest"), 10);
	exponent("request (search)", base,
		 bench_find(b, "search", 1024, 0, "100%", "10h", "du-worst", "lowest"), 10);
	exponent("window (search)",
		 bench_find(b, "search", 1024, 0, "1%", "1h", "du-worst", "lowest"), base, 100);
	exponent("R (add + remove)", update(b, "add+remove", 1024, 1000, LOWEST),
		 update(b, "add+remove", 1024, 10000, LOWEST), 10);
	if (base && base->candidates > 0)
		printf("# naive ns a candidate: %.0f at N 1,024\n",
		       (double) base->naive_ns / base->candidates);
	base = bench_find(b, "search", 10240, 0, "100%", "1h", "du-worst", "lowest");
	if (base && base->candidates > 0)
		printf("# naive ns a candidate: %.0f at N 10,240\n",
		       (double) base->naive_ns / base->candidates);
}

int bench_gates(const struct bench *bench)
{
	int failed;

	exponents(bench);
	if (bench->busy)
		printf("# %s: figures may be %d times worse\n", bench->busy, ROOM_BUSY);
	failed = gate_1(bench) + gate_2(bench) + gate_3(bench) + gate_4(bench) + gate_5(bench) +
		 gate_6(bench) + gate_7(bench) + gate_8(bench) + gate_9(bench) + gate_10(bench);
	return failed;
}
