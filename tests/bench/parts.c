/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Thousands of parts of nodes on file: what each takes of memory, what a decision takes,
 * and what they cost those who want whole nodes. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "tests/bench/bench.h"
#include "tests/naive/rng.h"

enum {
	NODES = 10240,
	CORES = 128,
	GPUS = 8,
	MEMORY = 524288, /* MB */
	KEY_MEMORY = 16,
	KEY_GPUS = 17,
	PARTS = 10000,
	WHOLE = 2000,
	DECIDED = 400
};

struct beside {
	struct rspb_ledger *ledger;
	struct rspb_policy policy;
	uint64_t rng, id;
	size_t booked;
};

static void room(struct beside *b, uint64_t key, uint32_t amount)
{
	static uint32_t of[NODES];

	for (int n = 0; n < NODES; n++)
		of[n] = amount;
	must(!rspb_ledger_add_room(b->ledger, key, of), "room");
}

static void beside_init(struct beside *b, uint64_t seed)
{
	static int64_t capacity[NODES];

	*b = (struct beside){ .rng = seed };
	for (int n = 0; n < NODES; n++)
		capacity[n] = (int64_t) RSPB_SHARE_CORE * CORES;
	b->ledger = rspb_ledger_create(NODES, capacity, 0);
	must(b->ledger, "ledger");
	room(b, RSPB_ROOM_CORES, RSPB_SHARE_CORE * CORES);
	room(b, KEY_MEMORY, MEMORY);
	room(b, KEY_GPUS, GPUS);
	rspb_policy_from_preset(rspb_preset_find(RSPB_PRESET_DEFAULT), &b->policy);
}

/* A day's requests, each with a day to spare. */
static struct rspb_request *wish(struct beside *b)
{
	struct rspb_request *r = rspb_request_create(1);

	must(r, "request");
	r->id = ++b->id;
	r->ready = HOUR + (int64_t) rng_below(&b->rng, 24 * HOUR);
	r->duration = HOUR / 2 + (int64_t) rng_below(&b->rng, 5 * HOUR / 2);
	r->deadline = r->ready + r->duration + 24 * HOUR;
	return r;
}

static struct rspb_quota takes(uint64_t key, const char *name, int64_t amount)
{
	struct rspb_quota quota = { .key = key, .most = -1, .per_node = amount };

	strcpy(quota.name, name);
	return quota;
}

/* 1 to 64 cores of a node, memory and GPUs of it. */
static struct rspb_request *wish_part(struct beside *b)
{
	struct rspb_request *r = wish(b);
	struct rspb_part *part = &r->parts[0];
	int64_t cores = 1 + (int64_t) rng_below(&b->rng, CORES / 2);

	part->whole = (int64_t) RSPB_SHARE_CORE * CORES;
	part->share = RSPB_SHARE_CORE * cores;
	part->eligible = rspb_nodeset_create(NODES);
	part->quotas = calloc(2, sizeof(*part->quotas));
	must(part->eligible && part->quotas, "request");
	rspb_nodeset_fill(part->eligible);
	part->n_quotas = 2;
	part->quotas[0] = takes(KEY_MEMORY, "memory", cores * MEMORY / CORES / 2);
	part->quotas[1] = takes(KEY_GPUS, "gpu", 1 + (int64_t) rng_below(&b->rng, GPUS / 2));
	return r;
}

/* The same one, with its node whole. */
static struct rspb_request *wish_node(struct beside *b)
{
	struct rspb_request *r = wish_part(b);

	r->parts[0].share = r->parts[0].whole = 0;
	r->parts[0].n_quotas = 0;
	return r;
}

static struct rspb_request *wish_nodes(struct beside *b)
{
	struct rspb_request *r = wish(b);

	r->parts[0].nodes = (uint32_t) rng_log(&b->rng, NODES / 64);
	r->parts[0].nodes_min = r->parts[0].nodes;
	return r;
}

/* So many more of one kind; RET what the longest took. */
static int64_t decisions(struct bench *bench, struct beside *b,
			 struct rspb_request *(*make)(struct beside *), const char *what)
{
	static int64_t each[DECIDED];
	size_t had = b->booked;

	for (int i = 0; i < DECIDED; i++)
		each[i] = decide_one(b->ledger, &b->policy, make(b), &b->booked);
	qsort(each, DECIDED, sizeof(each[0]), rising_ns);
	printf("# parts: %s: %zu of %d booked, %.3f ms in the middle, %.2f ms "
	       "of 99 in 100, %.2f ms at most\n",
	       what, b->booked - had, DECIDED, (double) each[DECIDED / 2] / 1e6,
	       (double) each[DECIDED * 99 / 100] / 1e6, (double) each[DECIDED - 1] / 1e6);
	bench_report(bench, &(struct result){ .op = "parts",
					      .nodes = NODES,
					      .bookings = had,
					      .window = "24h",
					      .request = "-",
					      .policy = what,
					      .lib_ns = each[DECIDED / 2],
					      .style = "-" });
	return each[DECIDED - 1];
}

static void fill(struct beside *b, size_t more, struct rspb_request *(*make)(struct beside *) )
{
	for (size_t had = b->booked; b->booked < had + more;)
		decide_one(b->ledger, &b->policy, make(b), &b->booked);
}

static size_t allocated(void)
{
	return mallinfo2().uordblks;
}

/* Bookings of whole nodes, where so many others are there. */
static void beside(struct bench *bench, size_t others,
		   struct rspb_request *(*make)(struct beside *), const char *what)
{
	struct beside b;

	beside_init(&b, bench->seed);
	fill(&b, others, make);
	b.rng = bench->seed;
	fill(&b, WHOLE, wish_nodes);
	decisions(bench, &b, wish_nodes, what);
	rspb_ledger_destroy(b.ledger);
}

static void on_file(struct bench *bench)
{
	struct beside b;
	size_t had;

	beside_init(&b, bench->seed);
	fill(&b, 1000, wish_part);
	had = allocated();
	fill(&b, PARTS - 1000, wish_part);
	bench->part_bytes = (double) (allocated() - had) / (PARTS - 1000);
	bench->part_longest = (double) decisions(bench, &b, wish_part, "part");
	printf("# parts: each takes %.0f bytes\n", bench->part_bytes);
	rspb_ledger_destroy(b.ledger);
}

void bench_parts(struct bench *bench)
{
	on_file(bench);
	beside(bench, 0, wish_part, "nodes-alone");
	beside(bench, PARTS, wish_part, "nodes-parts");
	beside(bench, PARTS, wish_node, "nodes-nodes");
}
