/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/tarr.h"

#include <string.h>

#include "tests/unit/runner.h"
#include "tests/unit/sim/random_draw.h"

enum { SPAN = 400, RESOURCES = 2, CAPACITY = 50 };

/* A naive twin: what is reserved in every time unit of every resource. */
struct twin {
	int64_t used[RESOURCES][SPAN * 40];
};

static bool room(const struct twin *twin, size_t resource, int64_t start, int64_t end, int64_t cpu)
{
	for (int64_t t = start; t < end; t++)
		if (twin->used[resource][t] + cpu > CAPACITY)
			return false;
	return true;
}

/* Every level, every resource, every start: earliest end, then most CPU, then
 * lowest resource. */
static void naive_reserve(const struct twin *twin, const int64_t *delay, int64_t margin,
			  int64_t work, int64_t least, int64_t most, int64_t at, int64_t deadline,
			  struct rspb_tarr_answer *best)
{
	memset(best, 0, sizeof(*best));
	for (size_t j = 0; j < RESOURCES; j++)
		for (int64_t cpu = most; cpu >= least; cpu--) {
			int64_t data = at + delay[j], end, start;
			int64_t length = (work + cpu - 1) / cpu;

			start = data - margin > at ? data - margin : at;
			for (;; start++) {
				end = (start > data ? start : data) + length;
				if (end > deadline || room(twin, j, start, end, cpu))
					break;
			}
			if (end > deadline)
				continue;
			if (best->accepted &&
			    (end > best->oet || (end == best->oet && cpu <= best->cpu)))
				continue;
			*best = (struct rspb_tarr_answer){
				.accepted = true,
				.resource = j,
				.ust = start,
				.oet = end,
				.cpu = cpu,
			};
		}
}

/* Some come behind others, and their data set out when the last of these is over. */
static int64_t draw_ready(uint64_t *seed, const int64_t *ends, size_t n)
{
	int64_t ready = 0;

	for (int64_t k = n ? draw(seed, 0, 2) : 0; k > 0; k--) {
		int64_t end = ends[draw(seed, 0, (int64_t) n - 1)];

		if (end > ready)
			ready = end;
	}
	return ready;
}

static void draw_delays(uint64_t *seed, struct rspb_pool *pool, int64_t *delay,
			struct rspb_rational *delays)
{
	for (int j = 0; j < RESOURCES; j++) {
		delay[j] = draw(seed, 0, 15);
		delays[j] = rspb_rational_make(pool, delay[j], 1);
	}
}

START_TEST(reservations_are_what_looking_everywhere_finds)
{
	static const int64_t capacities[RESOURCES] = { CAPACITY, CAPACITY };
	static struct twin twin;
	uint64_t seed = 2;

	for (int round = 0; round < 20; round++) {
		struct rspb_pool *pool = rspb_pool_create();
		struct rspb_tarr_options options = { .k = rspb_rational_make(pool, 2, 1),
						     .negotiate = true };
		struct rspb_tarr *tarr = rspb_tarr_create(pool, capacities, RESOURCES, &options);
		int64_t now = 0, ends[40];
		size_t n = 0;

		memset(&twin, 0, sizeof(twin));
		for (int i = 0; i < 40; i++) {
			struct rspb_rational delays[RESOURCES];
			int64_t delay[RESOURCES], sigma = draw(&seed, 0, 4);
			int64_t x = draw(&seed, 1, 20);
			struct rspb_tarr_task task = {
				.at = now += draw(&seed, 0, 4),
				.cpu = draw(&seed, 1, CAPACITY),
				.workload_known = true,
				.x = rspb_rational_make(pool, x, 1),
				.sigma_workload = rspb_rational_make(pool, 0, 1),
				.sigma_delay = rspb_rational_make(pool, sigma, 1),
				.delays = delays,
				.deadline = now + draw(&seed, 10, SPAN),
			};
			struct rspb_tarr_answer got, want;

			draw_delays(&seed, pool, delay, delays);
			task.ready = draw_ready(&seed, ends, n);
			/* Levels in between are only tried where they are
			 * free ones, so the twin has none. */
			task.min_cpu = task.cpu;
			ck_assert_int_eq(rspb_tarr_reserve(tarr, &task, &got, NULL), 0);
			naive_reserve(&twin, delay, 2 * sigma, task.cpu * x, task.cpu, task.cpu,
				      task.ready > now ? task.ready : now, task.deadline, &want);
			ck_assert_int_eq(got.accepted, want.accepted);
			if (!got.accepted)
				continue;
			ck_assert_int_eq(got.oet, want.oet);
			ck_assert_int_eq(got.ust, want.ust);
			ck_assert_uint_eq(got.resource, want.resource);
			ends[n++] = got.oet;
			for (int64_t t = got.ust; t < got.oet; t++)
				twin.used[got.resource][t] += got.cpu;
		}
		rspb_tarr_destroy(tarr);
		rspb_pool_destroy(pool);
	}
}
END_TEST

/* Negotiation never ends later than either bound does, never overbooks. */
START_TEST(negotiation_only_helps)
{
	static const int64_t capacities[1] = { CAPACITY };
	uint64_t seed = 3;

	for (int round = 0; round < 300; round++) {
		struct rspb_pool *pool = rspb_pool_create();
		struct rspb_tarr_options options = { .k = rspb_rational_make(pool, 3, 1) };
		struct rspb_tarr *plain, *clever;
		struct rspb_tarr_answer a, b;
		struct rspb_rational none = rspb_rational_make(pool, 0, 1);

		plain = rspb_tarr_create(pool, capacities, 1, &options);
		options.negotiate = true;
		clever = rspb_tarr_create(pool, capacities, 1, &options);
		for (int i = 0; i < 6; i++) {
			struct rspb_tarr_task task = {
				.cpu = draw(&seed, 1, CAPACITY),
				.workload_known = true,
				.x = rspb_rational_make(pool, draw(&seed, 1, 20), 1),
				.sigma_workload = none,
				.sigma_delay = none,
				.deadline = INT64_MAX,
			};

			/* The same reservations in both before the last. */
			task.min_cpu = i < 5 ? task.cpu : draw(&seed, 1, task.cpu);
			ck_assert_int_eq(rspb_tarr_reserve(plain, &task, &a, NULL), 0);
			ck_assert_int_eq(rspb_tarr_reserve(clever, &task, &b, NULL), 0);
		}
		ck_assert(a.accepted && b.accepted);
		ck_assert_int_le(b.oet, a.oet);
		rspb_tarr_destroy(plain);
		rspb_tarr_destroy(clever);
		rspb_pool_destroy(pool);
	}
}
END_TEST

RUN_TESTS("tarr", NULL, NULL, 0, reservations_are_what_looking_everywhere_finds,
	  negotiation_only_helps)
