/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fluid whose unused capacity is split equally. */
#include <math.h>
#include <stdbool.h>

#include "contrib/sim/papers/fair.h"

/*
 * First approach: a task progresses with r_i t + G(t), where dG/dt is the part
 * of the unused capacity that everybody gets: the line base + part t between
 * two events.
 */
struct equal {
	struct rspb_reals *reals;
	size_t n, n_active;
	const struct rspb_fluid *tasks;
	bool *active;		  /* [n] */
	struct rspb_real *target; /* [n] r_i t + G(t) at the end */
	struct rspb_real spare, now, base, part;
};

static void equal_line(struct equal *e)
{
	struct rspb_real part = e->part;

	if (!e->n_active)
		return;
	e->part = rspb_real_div(e->reals, e->spare,
				rspb_real_whole(e->reals, (int64_t) e->n_active));
	e->base = rspb_real_add(e->reals, e->base,
				rspb_real_mul(e->reals, rspb_real_sub(e->reals, part, e->part),
					      e->now));
}

static void equal_begin(struct equal *e, size_t i)
{
	const struct rspb_fluid *task = &e->tasks[i];
	struct rspb_real speed = rspb_real_add(e->reals, task->rate, e->part);

	e->target[i] = rspb_real_add(e->reals, task->workload,
				     rspb_real_add(e->reals, e->base,
						   rspb_real_mul(e->reals, speed, e->now)));
	e->active[i] = true;
	e->n_active++;
	e->spare = rspb_real_sub(e->reals, e->spare, task->rate);
	equal_line(e);
}

static void equal_end(struct equal *e, size_t i)
{
	e->active[i] = false;
	e->n_active--;
	e->spare = rspb_real_add(e->reals, e->spare, e->tasks[i].rate);
}

/* When a task ends if nothing else happens: (target - base) / (r_i + part). */
static struct rspb_real equal_time(const struct equal *e, size_t i)
{
	return rspb_real_div(e->reals, rspb_real_sub(e->reals, e->target[i], e->base),
			     rspb_real_add(e->reals, e->tasks[i].rate, e->part));
}

/* The same in a hurry: bounds of it. */
static void equal_about(const struct equal *e, size_t i, long double *low, long double *high)
{
	long double t[2], b[2], r[2], p[2];

	rspb_real_bounds(e->reals, &e->target[i], &t[0], &t[1]);
	rspb_real_bounds(e->reals, &e->base, &b[0], &b[1]);
	rspb_real_bounds(e->reals, &e->tasks[i].rate, &r[0], &r[1]);
	rspb_real_bounds(e->reals, &e->part, &p[0], &p[1]);
	*low = (t[0] - b[1]) / (r[1] + p[1]);
	*low -= fabsl(*low) * 0x1p-58L;
	*high = r[0] + p[0] > 0 ? (t[1] - b[0]) / (r[0] + p[0]) : HUGE_VALL;
	*high += fabsl(*high) * 0x1p-58L;
}

/* Find the tasks that end next: all that do so together, in out[]. RET how many. */
static size_t equal_next(const struct equal *e, struct rspb_real *when, size_t *out)
{
	long double low, high, least = HUGE_VALL;
	size_t found = 0;

	for (size_t i = 0; i < e->n; i++) {
		if (!e->active[i])
			continue;
		equal_about(e, i, &low, &high);
		least = high < least ? high : least;
	}
	for (size_t i = 0; i < e->n; i++) {
		struct rspb_real time;
		int order;

		if (!e->active[i])
			continue;
		equal_about(e, i, &low, &high);
		if (low > least)
			continue;
		time = equal_time(e, i);
		order = found ? rspb_real_compare(e->reals, &time, when) : -1;
		if (order < 0) {
			*when = time;
			found = 0;
		}
		if (order <= 0)
			out[found++] = i;
	}
	return found;
}

static void run_equal(struct equal *e, const size_t *arrivals, size_t *together,
		      struct rspb_real *ends)
{
	size_t next = 0, done = 0, found;
	struct rspb_real when;

	while (done < e->n && !e->reals->vague) {
		found = equal_next(e, &when, together);
		if (!found && next == e->n) {
			/* Only when bounds are too wide to find anybody. */
			e->reals->vague = true;
			return;
		}
		if (!found ||
		    (next < e->n &&
		     rspb_real_compare(e->reals, &e->tasks[arrivals[next]].access, &when) < 0)) {
			e->now = e->tasks[arrivals[next]].access;
			equal_begin(e, arrivals[next++]);
			continue;
		}
		e->now = when;
		for (size_t k = 0; k < found; k++) {
			ends[together[k]] = when;
			equal_end(e, together[k]);
		}
		equal_line(e);
		done += found;
	}
}

void rspb_fluid_equal(struct rspb_reals *reals, struct rspb_real capacity,
		      const struct rspb_fluid *tasks, size_t n, struct rspb_real *ends)
{
	size_t *together = rspb_pool_alloc(reals->pool, n * sizeof(*together));
	struct equal e = {
		.reals = reals,
		.n = n,
		.tasks = tasks,
		.active = rspb_pool_alloc(reals->pool, n * sizeof(*e.active)),
		.target = rspb_pool_alloc(reals->pool, n * sizeof(*e.target)),
		.spare = capacity,
		.now = rspb_real_whole(reals, 0),
		.base = rspb_real_whole(reals, 0),
		.part = rspb_real_whole(reals, 0),
	};

	run_equal(&e, rspb_fluid_arrivals(reals, tasks, n), together, ends);
}
