/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Streams of requests on a machine of CPU and GPU nodes: what it is worth that requests
 * which need no GPUs leave these nodes to others.
 */
#include "tests/unit/plan/requests.h"

enum { CPU = 24, GPU = 8, NODES = CPU + GPU, STREAMS = 20, ASKED = 300, HOUR = 3600 };

struct outcome {
	int gpu, cpu; /* requests booked */
	int64_t node_hours;
};

static uint32_t draw(unsigned int *seed, uint32_t least, uint32_t most)
{
	return least + (uint32_t) rand_r(seed) % (most - least + 1);
}

/* One in four asks for GPU nodes. */
static struct rspb_request *next_request(uint64_t id, int64_t now, bool *gpu, unsigned int *seed)
{
	struct rspb_request *request;
	int64_t ready = now + draw(seed, 0, 12) * HOUR / 2;

	*gpu = !draw(seed, 0, 3);
	request = ask(id, ready, draw(seed, 2, 8) * HOUR / 2, draw(seed, 1, *gpu ? 3 : 8));
	request->arrival = now;
	if (*gpu)
		request->parts[0].eligible = nodes_of(NODES, "24-31");
	return request;
}

/* The same stream with ranks of nodes, or without. */
static void play(unsigned int seed, const uint32_t *ranks, struct outcome *sum)
{
	struct rspb_policy policy = policy_of("live");
	struct rspb_ledger *ledger = rspb_ledger_create(NODES, NULL, 0);
	struct rspb_err err = { "" };
	int64_t now = 0;

	policy.offer_horizon = 0;
	ck_assert_int_eq(rspb_ledger_weigh(ledger, ranks), 0);
	for (uint64_t id = 1; id <= ASKED; id++) {
		bool gpu;
		struct rspb_request *request = next_request(id, now, &gpu, &seed);
		const struct rspb_request *const list[] = { request };
		struct rspb_booking *out[1];

		ck_assert_msg(!rspb_schedule_batch(ledger, &policy, list, 1, now, out, &err), "%s",
			      err.text);
		if (out[0]->state == RSPB_BOOKED) {
			*(gpu ? &sum->gpu : &sum->cpu) += 1;
			sum->node_hours += (out[0]->end - out[0]->start) * request->parts[0].nodes /
					   HOUR;
		}
		rspb_booking_destroy(out[0]);
		rspb_request_destroy(request);
		now += draw(&seed, 0, 20) * 60;
	}
	rspb_ledger_destroy(ledger);
}

START_TEST(gpu_nodes_are_left_to_requests_for_gpus)
{
	struct outcome with = { 0 }, without = { 0 };
	uint32_t ranks[NODES] = { 0 };

	for (uint32_t n = CPU; n < NODES; n++)
		ranks[n] = 1;
	for (unsigned int seed = 1; seed <= STREAMS; seed++) {
		play(seed, ranks, &with);
		play(seed, NULL, &without);
	}
	printf("# of %d requests: with ranks %d for GPUs and %d others, %lld node-hours; without "
	       "%d, %d, %lld\n",
	       STREAMS * ASKED, with.gpu, with.cpu, (long long) with.node_hours, without.gpu,
	       without.cpu, (long long) without.node_hours);
	ck_assert_int_gt(with.gpu, without.gpu);
	ck_assert_int_gt(with.gpu + with.cpu, without.gpu + without.cpu);
}
END_TEST

RUN_TESTS("mixed", NULL, NULL, 0, gpu_nodes_are_left_to_requests_for_gpus)
