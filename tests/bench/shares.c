/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares of 1,024 machines: peaks of all over a window, adding, removing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/shares/shares.h"
#include "tests/bench/bench.h"
#include "tests/naive/rng.h"
#include "tests/naive/slots.h"
#include "tests/naive/steps.h"
#include "tests/validate/validate.h"

enum { MACHINES = 1024, SLOT = 10, CPU = 10000 };

struct hold {
	uint32_t machine;
	int64_t start, end, share;
};

/* The same holdings three times; the slot table in slots of SLOT seconds. */
struct tables {
	size_t count;
	int64_t horizon;
	struct hold *holds;
	struct rspb_shares *shares;
	struct naive_steps *steps;
	struct slots slots;
	int64_t x[MACHINES], y[MACHINES], z[MACHINES];
};

static void tables_init(struct tables *t, size_t count, uint64_t seed)
{
	static int64_t capacity[MACHINES];
	uint64_t rng = seed;

	*t = (struct tables){ .count = count };
	/* About half of every machine, shares of 20 to 80 %. */
	t->horizon = (int64_t) count * HOUR / MACHINES / SLOT * SLOT;
	t->holds = calloc(count, sizeof(*t->holds));
	for (int m = 0; m < MACHINES; m++)
		capacity[m] = CPU;
	t->shares = rspb_shares_create(MACHINES, capacity, 1, 0);
	t->steps = naive_steps_create(MACHINES, capacity, 1, 0);
	if (!t->holds || !t->shares || !t->steps ||
	    slots_init(&t->slots, MACHINES, (size_t) (t->horizon + 2 * HOUR) / SLOT))
		exit(2);
	for (size_t i = 0; i < count;) {
		struct hold h = {
			.machine = (uint32_t) rng_below(&rng, MACHINES),
			.start = SLOT * (int64_t) rng_below(&rng, (uint64_t) (t->horizon / SLOT)),
			.share = 2000 + (int64_t) rng_below(&rng, 6000),
		};

		h.end = h.start + 360 + SLOT * (int64_t) rng_below(&rng, 648);
		if (rspb_shares_add(t->shares, h.machine, h.start, h.end, h.share, NULL))
			continue;
		naive_steps_add(t->steps, h.machine, h.start, h.end, h.share, NULL);
		slots_add(&t->slots, h.machine, h.start / SLOT, h.end / SLOT, h.share);
		t->holds[i++] = h;
	}
}

static void tables_fini(struct tables *t)
{
	free(t->holds);
	rspb_shares_destroy(t->shares);
	naive_steps_destroy(t->steps);
	slots_fini(&t->slots);
}

static struct result result_for(const struct tables *t, const char *op, const char *against)
{
	return (struct result){
		.op = op,
		.nodes = MACHINES,
		.bookings = t->count,
		.window = "-",
		.request = "-",
		.policy = against,
		.style = "-",
	};
}

static void finish(struct bench *bench, struct result *result, const struct series *naive,
		   const struct series *lib)
{
	result->naive_ns = series_median(naive);
	result->lib_ns = series_median(lib);
	result->spread = series_spread(lib);
	bench_report(bench, result);
}

static void peaks(struct bench *bench, struct tables *t, const char *window, int64_t length)
{
	struct result by_slots = result_for(t, "peaks", "slots");
	struct result by_steps = result_for(t, "peaks", "steps");
	struct series slots = { .count = 0 }, steps = { .count = 0 };
	struct series lib = { .count = 0 };
	uint64_t rng = bench->seed;

	for (int i = 0; i < 31; i++) {
		int64_t start = SLOT *
				(int64_t) rng_below(&rng,
						    (uint64_t) ((t->horizon - length) / SLOT + 1));
		int64_t end = start + length, t0 = cpu_ns(), t1, t2;

		slots_peaks(&t->slots, start / SLOT, end / SLOT, t->x);
		t1 = cpu_ns();
		naive_steps_peaks(t->steps, start, end, t->y, NULL);
		t2 = cpu_ns();
		series_add(&slots, t1 - t0);
		series_add(&steps, t2 - t1);
		/* Too quick for the clock: sixteen times the same. */
		t0 = cpu_ns();
		for (int k = 0; k < 16; k++)
			rspb_shares_peaks(t->shares, start, end, t->z, NULL);
		series_add(&lib, (cpu_ns() - t0) / 16);
		by_slots.mismatches += memcmp(t->x, t->z, sizeof(t->x)) != 0;
		by_steps.mismatches += memcmp(t->y, t->z, sizeof(t->y)) != 0;
	}
	by_slots.window = by_steps.window = window;
	finish(bench, &by_slots, &slots, &lib);
	finish(bench, &by_steps, &steps, &lib);
}

/* Take a hundred holdings out and put them back. */
static void changes(struct bench *bench, struct tables *t)
{
	struct result result = result_for(t, "share-add", "steps");
	struct series naive = { .count = 0 }, lib = { .count = 0 };
	uint64_t rng = bench->seed;

	for (int i = 0; i < 31; i++) {
		uint64_t seed = rng_next(&rng), again = seed;
		int64_t t0 = cpu_ns(), t1;

		for (int k = 0; k < 200; k++) {
			struct hold *h = &t->holds[rng_below(&seed, t->count)];

			naive_steps_remove(t->steps, h->machine, h->start, h->end, h->share, NULL);
			naive_steps_add(t->steps, h->machine, h->start, h->end, h->share, NULL);
		}
		t1 = cpu_ns();
		for (int k = 0; k < 200; k++) {
			struct hold *h = &t->holds[rng_below(&again, t->count)];

			result.mismatches += rspb_shares_remove(t->shares, h->machine, h->start,
								h->end, h->share, NULL) ||
					     rspb_shares_add(t->shares, h->machine, h->start,
							     h->end, h->share, NULL);
		}
		series_add(&naive, (t1 - t0) / 200);
		series_add(&lib, (cpu_ns() - t1) / 200);
	}
	finish(bench, &result, &naive, &lib);
}

void bench_shares(struct bench *bench)
{
	struct tables t;

	tables_init(&t, 10000, bench->seed);
	printf("# shares: %.0f bytes a booking\n",
	       (double) validate_shares_bytes(t.shares) / (double) t.count);
	peaks(bench, &t, "1h", HOUR);
	peaks(bench, &t, "10%", t.horizon / 10 / SLOT * SLOT);
	peaks(bench, &t, "50%", t.horizon / 2 / SLOT * SLOT);
	changes(bench, &t);
	tables_fini(&t);
}
