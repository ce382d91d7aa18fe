/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/tasks.h"

#include <math.h>
#include <string.h>

#include "tests/naive/fluid.h"
#include "tests/unit/runner.h"
#include "tests/unit/sim/random_draw.h"

enum { MOST = 14, FEW = 9, PROCESSORS = 3 };

/* Max-min: all of the capacity or all demands, and whoever gets less than the
 * demand has no less per weight than anyone. */
static void is_max_min(struct rspb_pool *pool, struct rspb_rational left,
		       const struct rspb_rational *demand, const struct rspb_rational *weight,
		       const struct rspb_rational *rate, size_t n)
{
	bool all_met = true;

	for (size_t i = 0; i < n; i++) {
		left = rspb_rational_sub(pool, left, rate[i]);
		ck_assert_int_le(rspb_rational_compare(rate[i], demand[i]), 0);
		if (!rspb_rational_compare(rate[i], demand[i]))
			continue;
		all_met = false;
		for (size_t k = 0; k < n; k++)
			ck_assert_int_le(
				rspb_rational_compare(rspb_rational_mul(pool, rate[k], weight[i]),
						      rspb_rational_mul(pool, rate[i], weight[k])),
				0);
	}
	ck_assert(all_met ? rspb_rational_sign(left) >= 0 : rspb_rational_sign(left) == 0);
}

static void reals_of(struct rspb_reals *reals, const struct rspb_rational *from, size_t n,
		     struct rspb_real *to)
{
	for (size_t i = 0; i < n; i++)
		to[i] = rspb_real_of(reals, from[i]);
}

/* The exact twin's shares are max-min, and ours are the same numbers. */
START_TEST(shares_are_max_min)
{
	struct rspb_pool *pool = rspb_pool_create();
	struct rspb_rational demand[MOST], weight[MOST], rate[MOST];
	struct rspb_real d[MOST], w[MOST], got[MOST], want;
	uint64_t seed = 1;

	for (int round = 0; round < 2000; round++) {
		struct rspb_reals reals = rspb_reals_first(pool);
		size_t n = (size_t) draw(&seed, 1, MOST);
		struct rspb_rational capacity = rspb_rational_make(pool, draw(&seed, 0, 60),
								   draw(&seed, 1, 4));

		for (size_t i = 0; i < n; i++) {
			demand[i] = draw(&seed, 0, 9) ? rspb_rational_make(pool, draw(&seed, 0, 30),
									   draw(&seed, 1, 5))
						      : rspb_rational_infinity();
			weight[i] = rspb_rational_make(pool, draw(&seed, 1, 4), 1);
		}
		ck_assert_int_eq(naive_shares(pool, capacity, demand, weight, n, rate), 0);
		is_max_min(pool, capacity, demand, weight, rate, n);
		reals_of(&reals, demand, n, d);
		reals_of(&reals, weight, n, w);
		rspb_fair_shares(&reals, rspb_real_of(&reals, capacity), d, w, n, got);
		for (size_t i = 0; i < n; i++) {
			want = rspb_real_of(&reals, rate[i]);
			ck_assert_int_eq(rspb_real_compare(&reals, &got[i], &want), 0);
		}
		ck_assert(!reals.vague);
		rspb_pool_reset(pool);
	}
	rspb_pool_destroy(pool);
}
END_TEST

/* Numbers from a small range, so that events fall together all the time. */
static void make_fluid(struct naive_fluid *task, struct rspb_pool *pool, uint64_t *seed)
{
	*task = (struct naive_fluid){
		.access = rspb_rational_make(pool, draw(seed, 0, 6), draw(seed, 1, 2)),
		.workload = rspb_rational_make(pool, draw(seed, 1, 12), draw(seed, 1, 3)),
		.demand = draw(seed, 0, 5)
				  ? rspb_rational_make(pool, draw(seed, 1, 8), draw(seed, 1, 3))
				  : rspb_rational_infinity(),
		.weight = rspb_rational_make(pool, draw(seed, 1, 3), draw(seed, 1, 2)),
	};
}

static const struct {
	rspb_fluid_rule rule;
	naive_fluid_rule twin;
} rules[] = {
	{ rspb_fluid_equal, naive_fluid_equal },
	{ rspb_fluid_again, naive_fluid_again },
	{ rspb_fluid_round, naive_fluid_round },
};

/* The ends of the fluid that is followed by lines are, as numbers, those of the
 * one in exact fractions. */
static void compare_fluids(struct rspb_pool *pool, size_t rule, struct rspb_rational capacity,
			   const struct naive_fluid *task, size_t n)
{
	struct rspb_reals reals = rspb_reals_first(pool);
	struct rspb_fluid fluid[FEW];
	struct rspb_rational ends[FEW];
	struct rspb_real got[FEW], want;

	ck_assert_int_eq(naive_fluid_serve(pool, rules[rule].twin, capacity, task, n, ends), 0);
	do {
		for (size_t i = 0; i < n; i++)
			fluid[i] = (struct rspb_fluid){
				rspb_real_of(&reals, task[i].access),
				rspb_real_of(&reals, task[i].workload),
				rspb_real_of(&reals, task[i].demand),
				rspb_real_of(&reals, task[i].weight),
				rspb_real_of(&reals, task[i].rate),
			};
		rules[rule].rule(&reals, rspb_real_of(&reals, capacity), fluid, n, got);
		for (size_t i = 0; i < n; i++) {
			want = rspb_real_of(&reals, ends[i]);
			ck_assert_int_eq(rspb_real_compare(&reals, &got[i], &want), 0);
		}
	} while (rspb_reals_again(&reals));
	ck_assert(!reals.vague);
}

START_TEST(fluids_end_when_exact_fractions_say)
{
	struct rspb_pool *pool = rspb_pool_create();
	struct rspb_rational demand[FEW], weight[FEW], rate[FEW];
	struct naive_fluid task[FEW];
	uint64_t seed = 9;

	for (int round = 0; round < 1500; round++) {
		struct rspb_rational capacity = rspb_rational_make(pool, draw(&seed, 1, 9),
								   draw(&seed, 1, 2));
		size_t n = (size_t) draw(&seed, 1, FEW);

		for (size_t i = 0; i < n; i++) {
			if (i && !draw(&seed, 0, 3))
				task[i] = task[draw(&seed, 0, (int64_t) i - 1)];
			else
				make_fluid(&task[i], pool, &seed);
			demand[i] = task[i].demand;
			weight[i] = task[i].weight;
		}
		ck_assert_int_eq(naive_shares(pool, capacity, demand, weight, n, rate), 0);
		for (size_t i = 0; i < n; i++)
			task[i].rate = rate[i];
		compare_fluids(pool, (size_t) round % 3, capacity, task, n);
		rspb_pool_reset(pool);
	}
	rspb_pool_destroy(pool);
}
END_TEST

struct batch {
	struct rspb_tasks tasks;
	struct rspb_processor processors[PROCESSORS];
	struct rspb_paper_task task[MOST];
	struct rspb_rational delays[MOST][PROCESSORS];
};

static void make_batch(struct batch *b, struct rspb_pool *pool, uint64_t *seed)
{
	memset(b, 0, sizeof(*b));
	b->tasks.pool = pool;
	b->tasks.processors = b->processors;
	b->tasks.n_processors = (size_t) draw(seed, 1, PROCESSORS);
	b->tasks.tasks = b->task;
	b->tasks.n = (size_t) draw(seed, 1, MOST);
	for (size_t j = 0; j < b->tasks.n_processors; j++) {
		int64_t at = draw(seed, 0, 5);

		b->processors[j].capacity = rspb_rational_make(pool, draw(seed, 1, 5),
							       draw(seed, 1, 3));
		for (int64_t k = draw(seed, 0, 2); k > 0; k--) {
			struct rspb_span span = { rspb_rational_make(pool, at, 1),
						  rspb_rational_make(pool, at + 2, 1) };

			ck_assert_int_eq(rspb_processor_add(&b->processors[j], span, NULL), 0);
			at += 2 + draw(seed, 0, 4);
		}
	}
	for (size_t i = 0; i < b->tasks.n; i++) {
		b->task[i].workload = rspb_rational_make(pool, draw(seed, 1, 40), draw(seed, 1, 7));
		b->task[i].deadline = rspb_rational_make(pool, draw(seed, 1, 40), draw(seed, 1, 2));
		b->task[i].weight = rspb_rational_make(pool, 1, 1);
		b->task[i].delays = b->delays[i];
		for (size_t j = 0; j < b->tasks.n_processors; j++)
			b->delays[i][j] = rspb_rational_make(pool, draw(seed, 0, 6),
							     draw(seed, 1, 2));
	}
}

static void drop_batch(struct batch *b)
{
	for (size_t j = 0; j < b->tasks.n_processors; j++)
		rspb_processor_fini(&b->processors[j]);
}

/* Does a length fit at a start, by looking at every busy span? */
static bool fits(const struct rspb_processor *p, double start, double length)
{
	for (size_t k = 0; k < p->n_busy; k++)
		if (rspb_rational_double(p->busy[k].start) < start + length - 1e-9 &&
		    rspb_rational_double(p->busy[k].end) > start + 1e-9)
			return false;
	return true;
}

/* Naive: the data's arrival and the end of every busy span are all starts that
 * can be earliest. */
static double naive_end(const struct batch *b, const struct rspb_paper_task *task)
{
	double best = INFINITY;

	for (size_t j = 0; j < b->tasks.n_processors; j++) {
		const struct rspb_processor *p = &b->processors[j];
		double delay = rspb_rational_double(task->delays[j]);
		double length = rspb_rational_double(task->workload) /
				rspb_rational_double(p->capacity);

		for (size_t k = 0; k <= p->n_busy; k++) {
			double start = delay;

			if (k < p->n_busy)
				start = fmax(delay, rspb_rational_double(p->busy[k].end));
			if (fits(p, start, length))
				best = fmin(best, start + length);
		}
	}
	return best;
}

START_TEST(earliest_completion_is_what_looking_everywhere_finds)
{
	struct rspb_pool *pool = rspb_pool_create();
	uint64_t seed = 5;
	struct batch b;

	for (int round = 0; round < 500; round++) {
		make_batch(&b, pool, &seed);
		for (size_t i = 0; i < b.tasks.n; i++) {
			struct rspb_ect_query query = {
				.workload = b.task[i].workload,
				.delays = b.task[i].delays,
				.earliest = rspb_rational_make(pool, 0, 1),
				.gaps = true,
			};
			struct rspb_span span;
			double want = naive_end(&b, &b.task[i]);
			size_t j = rspb_ect_find(pool, b.processors, b.tasks.n_processors, &query,
						 &span);

			ck_assert_double_eq_tol(rspb_rational_double(span.end), want, 1e-9);
			ck_assert_int_eq(rspb_processor_add(&b.processors[j], span, NULL), 0);
		}
		drop_batch(&b);
		rspb_pool_reset(pool);
	}
	rspb_pool_destroy(pool);
}
END_TEST

/* Every order: ranks are a permutation by key, accepted tasks of the orders
 * that keep deadlines do so, nothing starts before its data are there. */
START_TEST(orders_keep_their_promises)
{
	struct rspb_pool *pool = rspb_pool_create();
	uint64_t seed = 7;
	struct batch b;

	for (int round = 0; round < 700; round++) {
		const struct rspb_task_order *order = &rspb_task_orders[round % 7];
		bool taken[MOST] = { false };

		make_batch(&b, pool, &seed);
		ck_assert_int_eq(rspb_tasks_prepare(&b.tasks, order, NULL), 0);
		ck_assert_int_eq(rspb_tasks_place(&b.tasks, order, RSPB_ECT,
						  (enum rspb_waiting) draw(&seed, 0, 2),
						  draw(&seed, 0, 1), NULL),
				 0);
		for (size_t i = 0; i < b.tasks.n; i++) {
			const struct rspb_paper_task *task = &b.task[i];

			ck_assert(!taken[task->rank]);
			taken[task->rank] = true;
			for (size_t k = 0; k < b.tasks.n; k++)
				if (b.task[k].rank > task->rank)
					ck_assert_int_le(rspb_real_compare(&b.tasks.reals,
									   &task->key,
									   &b.task[k].key),
							 0);
			if (!task->placed)
				continue;
			ck_assert_int_ge(rspb_rational_compare(task->span.start,
							       task->delays[task->processor]),
					 0);
			if (task->accepted && !order->fair)
				ck_assert_int_le(rspb_rational_compare(task->span.end,
								       task->deadline),
						 0);
		}
		drop_batch(&b);
		rspb_pool_reset(pool);
	}
	rspb_pool_destroy(pool);
}
END_TEST

RUN_TESTS("fair", NULL, NULL, 0, shares_are_max_min, fluids_end_when_exact_fractions_say,
	  earliest_completion_is_what_looking_everywhere_finds, orders_keep_their_promises)
