/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/binding.h"

#include <math.h>
#include <string.h>

#include "contrib/sim/papers/qdd.h"
#include "contrib/sim/papers/queueing.h"
#include "tests/unit/runner.h"
#include "tests/unit/sim/random_draw.h"

enum { NODES = 4, REQUESTS = 40, LOCAL = 5 };

struct day {
	struct rspb_busy local[NODES][LOCAL];
	struct rspb_binding_node nodes[NODES];
	uint32_t order[NODES];
	struct rspb_binding_request requests[REQUESTS];
};

static void make_day(struct day *day, uint64_t *seed)
{
	memset(day, 0, sizeof(*day));
	for (uint32_t j = 0; j < NODES; j++) {
		int64_t at = 0;

		day->order[j] = j;
		day->nodes[j].local = day->local[j];
		day->nodes[j].n_local = (size_t) draw(seed, 0, LOCAL);
		for (size_t k = 0; k < day->nodes[j].n_local; k++) {
			at += draw(seed, 1, 40);
			day->local[j][k].start = at;
			at += draw(seed, 1, 20);
			day->local[j][k].end = at;
		}
	}
	for (int i = 0; i < REQUESTS; i++) {
		day->requests[i].arrival = draw(seed, 0, 150);
		day->requests[i].ready = day->requests[i].arrival + draw(seed, 0, 60);
		day->requests[i].duration = draw(seed, 1, 25);
		day->requests[i].nodes = day->order;
		day->requests[i].n_nodes = NODES;
	}
}

/* Two that start together on one node: who came first has it, whatever line it
 * stands on. What no node may have is not booked. */
START_TEST(first_come_and_somewhere_to_go)
{
	static const uint32_t nodes[] = { 0 };
	struct rspb_binding_node node = { NULL, 0 };
	struct rspb_binding_rules rules = { .late = true };
	struct rspb_binding_request requests[] = {
		{ .arrival = 5, .ready = 10, .duration = 5, .nodes = nodes, .n_nodes = 1 },
		{ .arrival = 2, .ready = 10, .duration = 5, .nodes = nodes, .n_nodes = 1 },
		{ .arrival = 1, .ready = 30, .duration = 5 },
	};

	ck_assert_int_eq(rspb_binding_run(&node, 1, &rules, requests, 3, NULL), 0);
	ck_assert_int_eq(requests[0].node, -1);
	ck_assert_int_eq(requests[1].node, 0);
	ck_assert_int_eq(requests[2].state, RSPB_DECLINED);
}
END_TEST

static bool local_at(const struct day *day, int64_t node, int64_t time)
{
	for (size_t k = 0; k < day->nodes[node].n_local; k++)
		if (day->local[node][k].start <= time && time < day->local[node][k].end)
			return true;
	return false;
}

static int64_t ran_until(const struct rspb_binding_request *r)
{
	return r->log[r->n_log - 1].time;
}

/* Nothing runs twice on a node, nor beside local work that ends it; whoever
 * was turned away at the start found no node. */
static void check_day(const struct day *day, const struct rspb_binding_rules *rules)
{
	for (int i = 0; i < REQUESTS; i++) {
		const struct rspb_binding_request *a = &day->requests[i];

		ck_assert(rspb_state_final(a->state));
		if (a->node < 0)
			continue;
		ck_assert(!local_at(day, a->node, a->ready));
		for (int64_t t = a->ready; rules->kill_active && t < ran_until(a); t++)
			ck_assert(!local_at(day, a->node, t));
		ck_assert(rules->kill_active || a->state == RSPB_COMPLETED);
		for (int k = 0; k < REQUESTS; k++) {
			const struct rspb_binding_request *b = &day->requests[k];

			if (k == i || b->node != a->node)
				continue;
			ck_assert(ran_until(a) + rules->strict <= b->ready ||
				  ran_until(b) + rules->strict <= a->ready);
		}
	}
}

START_TEST(days_are_consistent)
{
	static struct day day;
	uint64_t seed = 1;

	for (int round = 0; round < 1000; round++) {
		struct rspb_binding_rules rules = {
			.late = draw(&seed, 0, 1),
			.kill_active = draw(&seed, 0, 1),
			.strict = draw(&seed, 0, 1),
			.pool = draw(&seed, 0, 1),
		};

		make_day(&day, &seed);
		ck_assert_int_eq(rspb_binding_run(day.nodes, NODES, &rules, day.requests, REQUESTS,
						  NULL),
				 0);
		check_day(&day, &rules);
	}
}
END_TEST

START_TEST(a_pool_books_no_more_than_it_has)
{
	struct rspb_binding_node nodes[2] = { { NULL, 0 }, { NULL, 0 } };
	const uint32_t order[2] = { 0, 1 };
	struct rspb_binding_rules rules = { .late = true, .pool = true };
	struct rspb_binding_request r[3];

	memset(r, 0, sizeof(r));
	for (int i = 0; i < 3; i++) {
		r[i].ready = 10 + i;
		r[i].duration = 10;
		r[i].nodes = order;
		r[i].n_nodes = 2;
	}
	ck_assert_int_eq(rspb_binding_run(nodes, 2, &rules, r, 3, NULL), 0);
	ck_assert_int_eq(r[0].state, RSPB_COMPLETED);
	ck_assert_int_eq(r[1].state, RSPB_COMPLETED);
	ck_assert_int_eq(r[1].node, 1);
	ck_assert_int_eq(r[2].state, RSPB_DECLINED);
}
END_TEST

/* Formula 1 by the sum of the textbook instead of the recursion. */
START_TEST(waits_are_erlangs)
{
	for (int64_t c = 1; c <= 12; c++)
		for (double a = 0.25; a < (double) c; a += 0.25) {
			double term = 1, sum = 0, last, chance;

			for (int64_t n = 0; n < c; n++) {
				sum += term;
				term *= a / (double) (n + 1);
			}
			last = term * (double) c / ((double) c - a);
			chance = last / (sum + last);
			ck_assert_double_eq_tol(rspb_queueing_wait_chance(c, a), chance, 1e-12);
			ck_assert_double_eq_tol(rspb_queueing_wait(c, a, 2),
						chance / (2 * ((double) c - a)), 1e-12);
		}
	ck_assert(isinf(rspb_queueing_wait(2, 2, 1)));
	ck_assert_double_eq(rspb_queueing_wait_chance(2, 5), 1);
	ck_assert_double_eq(rspb_queueing_wait(3, 0, 1), 0);
}
END_TEST

START_TEST(service_must_hold_and_the_rest_is_near)
{
	struct rspb_pool *pool = rspb_pool_create();
	struct rspb_rational one = rspb_rational_make(pool, 1, 1);
	struct rspb_qdd_param params[3] = { { true, true, one },
					    { true, false, one },
					    { false, true, one } };
	struct rspb_qdd_value asked[3], offered[3];
	struct rspb_rational squared[3];
	size_t order[3];

	for (int j = 0; j < 3; j++) {
		asked[j].given = offered[j].given = true;
		asked[j].value = rspb_rational_make(pool, 4, 1);
		offered[j].value = rspb_rational_make(pool, 4, 1);
	}
	offered[2].value = rspb_rational_make(pool, 9, 2);
	squared[0] = rspb_qdd_squared(pool, params, asked, offered, 3);
	ck_assert_double_eq(rspb_rational_double(squared[0]), 0.25);
	offered[1].value = rspb_rational_make(pool, 5, 1);
	squared[1] = rspb_qdd_squared(pool, params, asked, offered, 3);
	ck_assert(squared[1].infinite);
	offered[1].value = one;
	offered[0].given = false;
	ck_assert(rspb_qdd_squared(pool, params, asked, offered, 3).infinite);
	asked[0].given = false;
	offered[2].given = false;
	squared[2] = rspb_qdd_squared(pool, params, asked, offered, 3);
	ck_assert_double_eq(rspb_rational_double(squared[2]), 16);
	ck_assert_uint_eq(rspb_qdd_order(squared, 3, order), 2);
	ck_assert_uint_eq(order[0], 0);
	ck_assert_uint_eq(order[1], 2);
	rspb_pool_destroy(pool);
}
END_TEST

RUN_TESTS("binding", NULL, NULL, 0, days_are_consistent, first_come_and_somewhere_to_go,
	  a_pool_books_no_more_than_it_has, waits_are_erlangs,
	  service_must_hold_and_the_rest_is_near)
