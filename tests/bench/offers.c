/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a request could have instead, on a large machine with many bookings. */
#include <stdio.h>
#include <stdlib.h>

#include "common/ledger/ledger.h"
#include "common/plan/schedule.h"
#include "common/policy/policy.h"
#include "tests/bench/bench.h"
#include "tests/naive/rng.h"

enum { ASKED = 200, NODES = 10240, BOOKINGS = 10000 };

/* More than is likely to be free then, so that something else is on offer. */
static struct rspb_request *wish(const struct load *load, uint64_t *rng)
{
	struct rspb_request *r = rspb_request_create(1);

	must(r && !rspb_benefit_read(&r->benefit, "linear:25%", NULL), "request");
	r->id = 1000000;
	r->ready = (int64_t) rng_below(rng, (uint64_t) load->horizon / 2);
	r->duration = 3600 + 60 * (int64_t) rng_below(rng, 120);
	r->deadline = r->ready + r->duration + (rng_below(rng, 2) ? 12 * HOUR : 0);
	r->parts[0].nodes = 512 + (uint32_t) rng_below(rng, NODES - 512);
	r->parts[0].nodes_min = r->parts[0].nodes;
	return r;
}

void bench_offers(struct bench *bench)
{
	static int64_t each[ASKED];
	struct load load;
	struct load_spec spec = { .nodes = NODES, .bookings = BOOKINGS };
	uint64_t rng = bench->seed;
	struct rspb_policy policy;
	struct rspb_ledger *ledger;
	int64_t all = 0;
	int offers = 0;

	load_init(&load, &spec, bench->seed);
	ledger = load_ledger(&load);
	rspb_policy_from_preset(rspb_preset_find(RSPB_PRESET_DEFAULT), &policy);
	for (int i = 0; i < ASKED; i++) {
		struct rspb_request *r = wish(&load, &rng);
		struct rspb_offer out[RSPB_N_OFFERS];
		int64_t t0 = cpu_ns();
		int n = rspb_offers_find(ledger, &policy, r, 0, 2 * load.horizon, 86400, out, NULL);

		each[i] = cpu_ns() - t0;
		must(n >= 0, "offers");
		all += each[i];
		offers += n;
		rspb_request_destroy(r);
	}
	qsort(each, ASKED, sizeof(each[0]), rising_ns);
	bench_report(bench, &(struct result){ .op = "offers",
					      .nodes = NODES,
					      .bookings = BOOKINGS,
					      .points = load.stats.points,
					      .groups = load.stats.groups,
					      .window = "-",
					      .request = "-",
					      .policy = RSPB_PRESET_DEFAULT,
					      .lib_ns = each[ASKED / 2],
					      .style = "lowest" });
	printf("# offers: %d requests, %d offers, %.2f ms an offer; a request "
	       "%.2f ms in the middle, %.2f ms of 95 in 100, %.2f ms at most\n",
	       ASKED, offers, (double) all / 1e6 / (offers ? offers : 1),
	       (double) each[ASKED / 2] / 1e6, (double) each[ASKED * 95 / 100] / 1e6,
	       (double) each[ASKED - 1] / 1e6);
	rspb_ledger_destroy(ledger);
	load_fini(&load);
}
