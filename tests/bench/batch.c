/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole batches: co-reservations by co-rspb beside the thesis' algorithm on
 * its slot table, and the planning of a machine's whole queue at once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/ledger/ledger.h"
#include "common/plan/schedule.h"
#include "common/policy/policy.h"
#include "tests/bench/bench.h"
#include "tests/naive/rng.h"
#include "tests/naive/slots.h"

enum { MACHINES = 1024, BATCH = 1000, SUBS = 6, CPU = 10000 };

struct got {
	bool accepted;
	uint32_t machine[SUBS];
	int64_t cpu[SUBS];
};

/* The slot table has a slot for each `unit` seconds. */
struct batch {
	struct rspb_ledger *ledger;
	struct slots slots;
	int64_t unit, horizon;
	struct rspb_request *requests[BATCH];
	struct got got[BATCH];
	int64_t smallest[MACHINES];
	uint64_t rng;
};

static struct rspb_request *request_of(struct batch *b, uint64_t id, uint32_t parts)
{
	static const char *const shapes[] = { "hard", "linear:25%", "stairs:25%" };
	struct rspb_request *r = rspb_request_create(parts);

	must(r && !rspb_benefit_read(&r->benefit, shapes[rng_below(&b->rng, 3)], NULL), "request");
	r->id = id;
	r->ready = b->unit * (int64_t) rng_below(&b->rng, (uint64_t) (b->horizon / b->unit));
	r->duration = b->unit * ((360 + (int64_t) rng_below(&b->rng, 6480)) / b->unit);
	r->deadline = r->ready + r->duration;
	r->priority = 1 + (int64_t) rng_below(&b->rng, 100);
	for (uint32_t i = 0; i < parts; i++)
		r->parts[i].share = 2000 + (int64_t) rng_below(&b->rng, 6000);
	return r;
}

/* One holding from before the batch, wherever it fits. */
static void hold(struct batch *b, uint64_t id)
{
	struct rspb_request *r = request_of(b, id, 1);
	struct rspb_booking *booking = rspb_booking_create(r);
	uint32_t m = (uint32_t) rng_below(&b->rng, MACHINES);
	struct rspb_record record = { .kind = RSPB_REC_BOOK, .booking = booking };

	must(booking && !rspb_booking_grant(booking, MACHINES, NULL), "grant");
	booking->state = RSPB_BOOKED;
	booking->start = r->ready;
	booking->end = r->deadline;
	booking->grants[0].share = r->parts[0].share;
	rspb_nodeset_add(booking->grants[0].nodes, m);
	rspb_booking_value(booking);
	if (!rspb_ledger_apply(b->ledger, &record, NULL))
		slots_add(&b->slots, m, r->ready / b->unit, r->deadline / b->unit,
			  r->parts[0].share);
	rspb_booking_destroy(booking);
	rspb_request_destroy(r);
}

static void batch_init(struct batch *b, size_t holds, int64_t unit, uint64_t seed)
{
	static int64_t capacity[MACHINES];

	*b = (struct batch){ .unit = unit, .rng = seed };
	for (int m = 0; m < MACHINES; m++)
		capacity[m] = CPU;
	b->horizon = (int64_t) holds * HOUR / MACHINES / unit * unit;
	b->ledger = rspb_ledger_create(MACHINES, capacity, 0);
	must(b->ledger &&
		     !slots_init(&b->slots, MACHINES, (size_t) ((b->horizon + 2 * HOUR) / unit)),
	     "ledger");
	for (size_t i = 0; i < holds; i++)
		hold(b, 1000000 + i);
	for (uint64_t i = 0; i < BATCH; i++)
		b->requests[i] = request_of(b, i + 1, 1 + (uint32_t) rng_below(&b->rng, SUBS));
}

static void batch_fini(struct batch *b)
{
	for (size_t i = 0; i < BATCH; i++)
		rspb_request_destroy(b->requests[i]);
	rspb_ledger_destroy(b->ledger);
	slots_fini(&b->slots);
}

static void put(struct batch *b, const struct rspb_request *r, uint32_t m, int64_t cpu)
{
	slots_add(&b->slots, m, r->ready / b->unit, r->deadline / b->unit, cpu);
}

/*
 * The hard queue holds machines with room for all, the smallest room first;
 * the soft queue the others with room enough, the greatest benefit first.
 * RET the machine, or MACHINES.
 */
static uint32_t select_machine(struct batch *b, const struct rspb_request *r, uint32_t part)
{
	int64_t least = rspb_part_least(r, part);
	int64_t full = rspb_part_full(r, part);
	const struct rspb_benefit *f = rspb_request_benefit(r, part);
	uint32_t hard = MACHINES, soft = MACHINES;

	for (uint32_t m = 0; m < MACHINES; m++) {
		int64_t room = CPU -
			       slots_peak(&b->slots, m, r->ready / b->unit, r->deadline / b->unit);

		b->smallest[m] = room;
		if (room >= full) {
			if (hard == MACHINES || room < b->smallest[hard])
				hard = m;
		} else if (room >= least &&
			   (soft == MACHINES ||
			    rspb_ratio_compare(rspb_benefit_value(f, room, r->parts[part].share),
					       rspb_benefit_value(f, b->smallest[soft],
								  r->parts[part].share)) > 0)) {
			soft = m;
		}
	}
	return hard < MACHINES ? hard : soft;
}

/* Sub-requests by falling least amount, equal ones as they came. */
static void sort_parts(const struct rspb_request *r, uint32_t *order)
{
	for (uint32_t i = 0; i < r->n_parts; i++) {
		uint32_t at = i;

		for (; at && rspb_part_least(r, i) > rspb_part_least(r, order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

static void naive_place(struct batch *b, const struct rspb_request *r, struct got *got)
{
	uint32_t order[SUBS];

	memset(got, 0, sizeof(*got));
	sort_parts(r, order);
	for (uint32_t k = 0; k < r->n_parts; k++) {
		uint32_t part = order[k];
		uint32_t m = select_machine(b, r, part);
		int64_t full = rspb_part_full(r, part);

		if (m == MACHINES) {
			while (k-- > 0)
				put(b, r, got->machine[order[k]], -got->cpu[order[k]]);
			return;
		}
		got->machine[part] = m;
		got->cpu[part] = b->smallest[m] < full ? b->smallest[m] : full;
		put(b, r, m, got->cpu[part]);
	}
	got->accepted = true;
}

static void naive_batch(struct batch *b)
{
	size_t order[BATCH] = { 0 };

	for (size_t i = 0; i < BATCH; i++) {
		size_t at = i;

		for (; at && b->requests[i]->priority > b->requests[order[at - 1]]->priority; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	for (size_t k = 0; k < BATCH; k++)
		naive_place(b, b->requests[order[k]], &b->got[order[k]]);
}

static size_t differs(const struct got *got, const struct rspb_booking *is)
{
	if (got->accepted != (is->state == RSPB_BOOKED))
		return 1;
	for (uint32_t i = 0; got->accepted && i < is->n_grants; i++)
		if (is->grants[i].share != got->cpu[i] ||
		    !rspb_nodeset_has(is->grants[i].nodes, got->machine[i]))
			return 1;
	return 0;
}

static void run_batch(struct bench *bench, int64_t unit, const char *name)
{
	static struct batch b;
	static struct rspb_booking *out[BATCH];
	struct rspb_policy policy;
	struct series naive = { .count = 0 }, lib = { .count = 0 };
	struct result result = {
		.op = "batch",
		.nodes = MACHINES,
		.bookings = 10000,
		.window = "-",
		.request = "1-6",
		.policy = name,
		.style = "-",
	};

	rspb_policy_from_preset(rspb_preset_find("co-rspb"), &policy);
	for (uint64_t i = 0; i < 5 && !series_enough(&naive, &lib); i++) {
		int64_t t0, t1;

		batch_init(&b, 10000, unit, bench->seed + i);
		t0 = cpu_ns();
		naive_batch(&b);
		t1 = cpu_ns();
		must(!rspb_schedule_batch(b.ledger, &policy,
					  (const struct rspb_request *const *) b.requests, BATCH, 0,
					  out, NULL),
		     "batch");
		series_add(&lib, cpu_ns() - t1);
		series_add(&naive, t1 - t0);
		for (size_t k = 0; k < BATCH; k++) {
			result.mismatches += differs(&b.got[k], out[k]);
			rspb_booking_destroy(out[k]);
		}
		batch_fini(&b);
	}
	result.naive_ns = series_median(&naive);
	result.lib_ns = series_median(&lib);
	result.spread = series_spread(&lib);
	bench_report(bench, &result);
}

void bench_batch(struct bench *bench)
{
	run_batch(bench, 10, "slots-10s");
	run_batch(bench, 1, "slots-1s");
}

/* --- planning --- */

static struct rspb_request *pending(const struct load *load, uint64_t id, uint64_t *rng)
{
	struct rspb_request *r = rspb_request_create(1);

	must(r, "request");
	r->id = id;
	r->ready = (int64_t) rng_below(rng, (uint64_t) load->horizon);
	r->duration = 360 + (int64_t) rng_below(rng, 6480);
	r->deadline = r->ready + r->duration + 24 * HOUR;
	r->priority = (int64_t) rng_below(rng, 1000);
	r->parts[0].nodes = (uint32_t) rng_log(rng, load->nodes / 4);
	r->parts[0].nodes_min = r->parts[0].nodes;
	return r;
}

static void plan(struct bench *bench, const char *when, size_t count)
{
	struct load load;
	struct load_spec spec = { .nodes = 10240, .bookings = 10000 };
	uint64_t rng = bench->seed;
	struct rspb_policy policy;
	struct rspb_request **requests = calloc(count, sizeof(*requests));
	struct rspb_booking **out = calloc(count, sizeof(*out));
	struct rspb_ledger *ledger, *copy;
	struct rusage usage;
	size_t booked = 0;
	int64_t t0, t1;

	must(requests && out, "memory");
	load_init(&load, &spec, bench->seed);
	ledger = load_ledger(&load);
	rspb_policy_from_preset(rspb_preset_find(RSPB_PRESET_DEFAULT), &policy);
	policy.when = rspb_when_find(when);
	for (size_t i = 0; i < count; i++)
		requests[i] = pending(&load, 100000 + i, &rng);
	t0 = cpu_ns();
	copy = rspb_ledger_clone(ledger);
	t1 = cpu_ns();
	must(copy && !rspb_schedule_batch(copy, &policy,
					  (const struct rspb_request *const *) requests, count, 0,
					  out, NULL),
	     "planning");
	bench_report(bench, &(struct result){ .op = "planning",
					      .nodes = load.nodes,
					      .bookings = load.bookings,
					      .points = load.stats.points,
					      .groups = load.stats.groups,
					      .window = "24h",
					      .request = "-",
					      .policy = when,
					      .lib_ns = cpu_ns() - t1,
					      .style = "lowest" });
	getrusage(RUSAGE_SELF, &usage);
	for (size_t i = 0; i < count; i++) {
		booked += out[i]->state == RSPB_BOOKED;
		rspb_booking_destroy(out[i]);
		rspb_request_destroy(requests[i]);
	}
	printf("# planning: %zu pending, %zu booked, ledger copied in %.1f ms,"
	       " at most %.0f MB resident\n",
	       count, booked, (double) (t1 - t0) / 1e6, (double) usage.ru_maxrss / 1024);
	rspb_ledger_destroy(copy);
	rspb_ledger_destroy(ledger);
	load_fini(&load);
	free(requests);
	free(out);
}

void bench_planning(struct bench *bench)
{
	plan(bench, "ff", 10000);
	plan(bench, "pe-worst", 10000);
}

int64_t decide_one(struct rspb_ledger *ledger, const struct rspb_policy *policy,
		   struct rspb_request *request, size_t *booked)
{
	const struct rspb_request *const batch[] = { request };
	struct rspb_booking *out;
	int64_t t0 = cpu_ns(), took;

	must(!rspb_schedule_batch(ledger, policy, batch, 1, 0, &out, NULL), "decision");
	took = cpu_ns() - t0;
	*booked += out->state == RSPB_BOOKED;
	rspb_booking_destroy(out);
	rspb_request_destroy(request);
	return took;
}
