/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decisions beside thousands of bookings that wait, as counts or on nodes, all of which
 * may move. */
#include <stdio.h>
#include <stdlib.h>

#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "contrib/sim/policy/flex.h"
#include "contrib/sim/policy/preset.h"
#include "tests/bench/bench.h"
#include "tests/naive/rng.h"

enum { NODES = 10240, MOST_ASKED = 40000, DECIDED = 400 };

struct waiting {
	struct rspb_ledger *ledger;
	struct rspb_policy policy;
	uint64_t rng;
	size_t waits;
};

/* Jobs of two hours in the mean with windows of days. */
static struct rspb_request *wish(struct waiting *w, uint64_t id)
{
	struct rspb_request *r = rspb_request_create(1);

	must(r, "request");
	r->id = id;
	r->ready = (int64_t) rng_below(&w->rng, 72 * HOUR);
	r->duration = 600 + (int64_t) rng_below(&w->rng, 4 * HOUR);
	r->deadline = r->ready + r->duration + (int64_t) rng_below(&w->rng, 96 * HOUR);
	r->moves = 1;
	r->parts[0].nodes = (uint32_t) rng_log(&w->rng, NODES / 4);
	r->parts[0].nodes_min = r->parts[0].nodes;
	return r;
}

static int64_t decide(struct waiting *w, uint64_t id)
{
	return decide_one(w->ledger, &w->policy, wish(w, id), &w->waits);
}

static void run(struct bench *bench, const char *preset, size_t waits)
{
	static int64_t each[DECIDED];
	struct waiting w = { .rng = bench->seed };
	uint64_t id = 0;

	rspb_policy_from_preset(sim_preset_find(preset), &w.policy);
	w.ledger = rspb_ledger_create(NODES, NULL, 0);
	if (!w.policy.shift)
		w.policy.waiting = rspb_flex_create(NODES);
	must(w.ledger && (w.policy.shift || w.policy.waiting), "ledger");
	while (w.waits < waits && id < MOST_ASKED)
		decide(&w, ++id);
	must(w.waits == waits, "room for all that are to wait");
	for (int i = 0; i < DECIDED; i++)
		each[i] = decide(&w, ++id);
	qsort(each, DECIDED, sizeof(each[0]), rising_ns);
	bench_report(bench, &(struct result){ .op = "waiting",
					      .nodes = NODES,
					      .bookings = waits,
					      .window = "-",
					      .request = "-",
					      .policy = preset,
					      .lib_ns = each[DECIDED - 1],
					      .style = "-" });
	printf("# waiting: %zu wait at the end; a decision %.3f ms in the "
	       "middle, %.2f ms of 99 in 100, %.2f ms at most\n",
	       w.waits, (double) each[DECIDED / 2] / 1e6, (double) each[DECIDED * 99 / 100] / 1e6,
	       (double) each[DECIDED - 1] / 1e6);
	rspb_flex_destroy(w.policy.waiting);
	rspb_ledger_destroy(w.ledger);
}

void bench_waiting(struct bench *bench)
{
	run(bench, "flex", 500);
	run(bench, "flex", 5000);
	run(bench, "flex-tide", 5000);
	run(bench, "live", 5000);
}
