/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fluids, event by event. Only lines are kept, so that an event touches the
 * tasks whose state it changes and not what is left of every task.
 *
 * Shares by weight: whoever is short of the demand gets weight x level, so all
 * of them progress, per weight, along one curve V(t) with dV/dt = level; one
 * ends where the curve reaches what V was at its start plus workload / weight.
 * Whoever gets the whole demand ends at a time known beforehand. Between two
 * events V is the line base + level t.
 *
 * The order of events at one time does not matter, nor on which side a task is
 * counted whose demand per weight just is the level: what is served is
 * continuous in all of them.
 */
#include "contrib/sim/papers/fair.h"

#include <math.h>

enum state { TO_COME, MET, SHORT, DONE };

struct shares {
	struct rspb_reals *reals;
	size_t n;
	const struct rspb_fluid *tasks;
	const struct rspb_real *weight; /* [n] */
	const struct rspb_real *need;	/* [n] demand per weight */
	const size_t *by_need;		/* [n]; MET ones come first */
	size_t *place;			/* [n] in by_need */
	enum state *state;		/* [n] */
	/* MET: the time of the end; SHORT: V at the end */
	struct rspb_real *target;
	size_t border; /* whoever is active is MET below, SHORT from here */
	size_t n_short;
	struct rspb_real spare;	     /* capacity that is not MET's */
	struct rspb_real weights;    /* of those that are SHORT */
	struct rspb_real now, value; /* V(now), 0 while none is SHORT */
	struct rspb_real base, level;
};

static void set_short(struct shares *s, size_t i)
{
	s->state[i] = SHORT;
	s->n_short++;
	s->weights = rspb_real_add(s->reals, s->weights, s->weight[i]);
}

/* A task that gets all it asked for no longer does. */
static void met_to_short(struct shares *s, size_t i)
{
	struct rspb_real left = rspb_real_sub(s->reals, s->target[i], s->now);

	s->spare = rspb_real_add(s->reals, s->spare, s->tasks[i].demand);
	s->target[i] = rspb_real_add(s->reals, s->value,
				     rspb_real_mul(s->reals, left, s->need[i]));
	set_short(s, i);
}

static void short_to_met(struct shares *s, size_t i)
{
	struct rspb_real left = rspb_real_sub(s->reals, s->target[i], s->value);

	s->spare = rspb_real_sub(s->reals, s->spare, s->tasks[i].demand);
	s->weights = rspb_real_sub(s->reals, s->weights, s->weight[i]);
	s->n_short--;
	s->target[i] = rspb_real_add(s->reals, s->now,
				     rspb_real_div(s->reals, left, s->need[i]));
	s->state[i] = MET;
}

/* A task begins, as one that is short: settle() looks further. */
static void begin(struct shares *s, size_t i)
{
	s->target[i] = rspb_real_add(s->reals, s->value,
				     rspb_real_div(s->reals,
						   s->tasks[i].workload,
						   s->weight[i]));
	set_short(s, i);
	if (s->place[i] < s->border)
		short_to_met(s, i);
}

static void end(struct shares *s, size_t i)
{
	if (s->state[i] == MET) {
		s->spare = rspb_real_add(s->reals, s->spare,
					 s->tasks[i].demand);
	} else {
		s->weights = rspb_real_sub(s->reals, s->weights, s->weight[i]);
		s->n_short--;
	}
	s->state[i] = DONE;
}

/* Move the border up over the first that is short of less than the level. RET
 * false: there is none. */
static bool border_up(struct shares *s)
{
	size_t at = s->border, i;

	while (at < s->n && s->state[s->by_need[at]] != SHORT)
		at++;
	if (at == s->n)
		return false;
	i = s->by_need[at];
	if (rspb_real_compare(s->reals, &s->need[i], &s->level) >= 0)
		return false;
	s->border = at + 1;
	short_to_met(s, i);
	return true;
}

/* Move it down over the last one met, when the level does not reach its demand,
 * or nothing is left for those that are short. */
static bool border_down(struct shares *s)
{
	struct rspb_real zero = rspb_real_zero();
	size_t at = s->border, i;

	while (at > 0 && s->state[s->by_need[at - 1]] != MET)
		at--;
	if (at == 0)
		return false;
	i = s->by_need[at - 1];
	if (s->n_short ? rspb_real_compare(s->reals, &s->need[i], &s->level) < 0
		       : rspb_real_compare(s->reals, &s->spare, &zero) >= 0)
		return false;
	s->border = at - 1;
	met_to_short(s, i);
	return true;
}

static void find_level(struct shares *s)
{
	if (s->n_short)
		s->level = rspb_real_div(s->reals, s->spare, s->weights);
}

/* Who is met and who is short, and the level, from now on. */
static void settle(struct shares *s)
{
	find_level(s);
	while (!s->reals->vague && (border_up(s) || border_down(s)))
		find_level(s);
}

/* The least target of the tasks in a state; n: there is none. */
static size_t first_in(const struct shares *s, enum state state)
{
	size_t first = s->n;

	for (size_t i = 0; i < s->n; i++)
		if (s->state[i] == state &&
		    (first == s->n || rspb_real_compare(s->reals, &s->target[i],
							&s->target[first]) < 0))
			first = i;
	return first;
}

/*
 * The line of V after an event. At an end of one that was short V is known
 * and the time follows from it; otherwise it is the other way round. Taking
 * the one that is known keeps the radius from growing with every event.
 */
static void new_line(struct shares *s, struct rspb_real level, bool had_line,
		     bool v_known)
{
	struct rspb_reals *reals = s->reals;
	struct rspb_real part, one;

	if (!s->n_short) {
		s->value = rspb_real_zero();
		return;
	}
	if (!had_line) {
		s->base = rspb_real_sub(reals, rspb_real_zero(),
					rspb_real_mul(reals, s->level, s->now));
	} else if (v_known) {
		one = rspb_real_of(reals,
				   rspb_rational_make(reals->pool, 1, 1));
		part = rspb_real_div(reals, s->level, level);
		s->base = rspb_real_add(reals,
					rspb_real_mul(reals, part, s->base),
					rspb_real_mul(reals, s->value,
						      rspb_real_sub(reals, one,
								    part)));
	} else {
		s->base = rspb_real_add(
			reals, s->base,
			rspb_real_mul(reals,
				      rspb_real_sub(reals, level, s->level),
				      s->now));
	}
}

/* Let one task begin (`end_it` false) or end, now. */
static void event(struct shares *s, size_t i, bool end_it)
{
	bool had_line = s->n_short > 0;
	bool v_known = end_it && s->state[i] == SHORT;
	struct rspb_real level = s->level;

	if (v_known)
		s->value = s->target[i];
	else if (had_line)
		s->value = rspb_real_add(s->reals, s->base,
					 rspb_real_mul(s->reals, level,
						       s->now));
	if (end_it)
		end(s, i);
	else
		begin(s, i);
	settle(s);
	new_line(s, level, had_line, v_known);
}

/* The next end, and whose. RET n: nobody is active. */
static size_t next_end(const struct shares *s, struct rspb_real *when)
{
	size_t met = first_in(s, MET), wanting = first_in(s, SHORT);
	struct rspb_real time;

	if (wanting == s->n) {
		if (met < s->n)
			*when = s->target[met];
		return met;
	}
	time = rspb_real_div(s->reals,
			     rspb_real_sub(s->reals, s->target[wanting],
					   s->base),
			     s->level);
	if (met < s->n &&
	    rspb_real_compare(s->reals, &s->target[met], &time) <= 0) {
		*when = s->target[met];
		return met;
	}
	*when = time;
	return wanting;
}

static void run_shares(struct shares *s, const size_t *arrivals,
		       struct rspb_real *ends)
{
	size_t next = 0, i;
	struct rspb_real when;

	for (size_t left = 2 * s->n; left > 0 && !s->reals->vague; left--) {
		i = next_end(s, &when);
		if (i == s->n ||
		    (next < s->n &&
		     rspb_real_compare(s->reals,
				       &s->tasks[arrivals[next]].access,
				       &when) < 0)) {
			s->now = s->tasks[arrivals[next]].access;
			event(s, arrivals[next++], false);
			continue;
		}
		s->now = ends[i] = when;
		event(s, i, true);
	}
}

/* Indices by activation. RET NULL: no memory. */
static size_t *by_access(struct rspb_reals *reals,
			 const struct rspb_fluid *tasks, size_t n)
{
	struct rspb_real *keys = rspb_pool_alloc(reals->pool,
						 n * sizeof(*keys));
	size_t *order = rspb_pool_alloc(reals->pool, n * sizeof(*order));

	if (!keys || !order)
		return NULL;
	for (size_t i = 0; i < n; i++)
		keys[i] = tasks[i].access;
	return rspb_real_order(reals, keys, n, order) ? NULL : order;
}

/* weight[n], need[n] as in struct shares. */
static int serve_shares(struct rspb_reals *reals, struct rspb_real capacity,
			const struct rspb_fluid *tasks,
			const struct rspb_real *weight,
			const struct rspb_real *need, size_t n,
			struct rspb_real *ends)
{
	size_t *by_need = rspb_pool_alloc(reals->pool, n * sizeof(*by_need));
	size_t *arrivals = by_access(reals, tasks, n);
	struct shares s = {
		.reals = reals,
		.n = n,
		.tasks = tasks,
		.weight = weight,
		.need = need,
		.by_need = by_need,
		.spare = capacity,
		.place = rspb_pool_alloc(reals->pool, n * sizeof(*s.place)),
		.state = rspb_pool_alloc(reals->pool, n * sizeof(*s.state)),
		.target = rspb_pool_alloc(reals->pool, n * sizeof(*s.target)),
	};

	if (!arrivals || rspb_pool_failed(reals->pool) ||
	    rspb_real_order(reals, need, n, by_need))
		return -1;
	for (size_t k = 0; k < n; k++)
		s.place[by_need[k]] = k;
	run_shares(&s, arrivals, ends);
	return rspb_pool_failed(reals->pool) ? -1 : 0;
}

/* By weight; with `round` r_i is the weight and nobody ever has enough: V is
 * the round number. */
static int serve_by(struct rspb_reals *reals, struct rspb_real capacity,
		    const struct rspb_fluid *tasks, size_t n, bool round,
		    struct rspb_real *ends)
{
	size_t bytes = n * sizeof(struct rspb_real);
	struct rspb_real *weight = rspb_pool_alloc(reals->pool, bytes);
	struct rspb_real *need = rspb_pool_alloc(reals->pool, bytes);

	if (!weight || !need)
		return -1;
	for (size_t i = 0; i < n; i++) {
		weight[i] = round ? tasks[i].rate : tasks[i].weight;
		if (round)
			need[i].infinite = true;
		else if (tasks[i].demand.infinite)
			need[i] = tasks[i].demand;
		else
			need[i] = rspb_real_div(reals, tasks[i].demand,
						weight[i]);
	}
	return serve_shares(reals, capacity, tasks, weight, need, n, ends);
}

int rspb_fluid_again(struct rspb_reals *reals, struct rspb_real capacity,
		     const struct rspb_fluid *tasks, size_t n,
		     struct rspb_real *ends)
{
	return serve_by(reals, capacity, tasks, n, false, ends);
}

int rspb_fluid_round(struct rspb_reals *reals, struct rspb_real capacity,
		     const struct rspb_fluid *tasks, size_t n,
		     struct rspb_real *ends)
{
	return serve_by(reals, capacity, tasks, n, true, ends);
}

/*
 * First approach: a task progresses with r_i t + G(t), where dG/dt is the part
 * of the unused capacity that everybody gets: the line base + part t between
 * two events.
 */
struct equal {
	struct rspb_reals *reals;
	size_t n, n_active;
	const struct rspb_fluid *tasks;
	enum state *state;	  /* [n]; SHORT while active */
	struct rspb_real *target; /* [n] r_i t + G(t) at the end */
	struct rspb_real spare, now, base, part;
};

static void equal_line(struct equal *e)
{
	struct rspb_real part = e->part;

	if (!e->n_active)
		return;
	e->part = rspb_real_div(
		e->reals, e->spare,
		rspb_real_of(e->reals,
			     rspb_rational_make(e->reals->pool,
						(int64_t) e->n_active, 1)));
	e->base = rspb_real_add(
		e->reals, e->base,
		rspb_real_mul(e->reals, rspb_real_sub(e->reals, part, e->part),
			      e->now));
}

static void equal_begin(struct equal *e, size_t i)
{
	const struct rspb_fluid *task = &e->tasks[i];
	struct rspb_real speed = rspb_real_add(e->reals, task->rate, e->part);

	e->target[i] = rspb_real_add(
		e->reals, task->workload,
		rspb_real_add(e->reals, e->base,
			      rspb_real_mul(e->reals, speed, e->now)));
	e->state[i] = SHORT;
	e->n_active++;
	e->spare = rspb_real_sub(e->reals, e->spare, task->rate);
	equal_line(e);
}

static void equal_end(struct equal *e, size_t i)
{
	e->state[i] = DONE;
	e->n_active--;
	e->spare = rspb_real_add(e->reals, e->spare, e->tasks[i].rate);
}

/* When a task ends if nothing else happens: (target - base) / (r_i + part). */
static struct rspb_real equal_time(const struct equal *e, size_t i)
{
	return rspb_real_div(e->reals,
			     rspb_real_sub(e->reals, e->target[i], e->base),
			     rspb_real_add(e->reals, e->tasks[i].rate,
					   e->part));
}

/* The same in a hurry: bounds of it. */
static void equal_about(const struct equal *e, size_t i, long double *low,
			long double *high)
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

/* Who ends next: all that do so together, in out[]. RET how many. */
static size_t equal_next(const struct equal *e, struct rspb_real *when,
			 size_t *out)
{
	long double low, high, least = HUGE_VALL;
	size_t found = 0;

	for (size_t i = 0; i < e->n; i++) {
		if (e->state[i] != SHORT)
			continue;
		equal_about(e, i, &low, &high);
		least = high < least ? high : least;
	}
	for (size_t i = 0; i < e->n; i++) {
		struct rspb_real time;
		int order;

		if (e->state[i] != SHORT)
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

	while (done < e->n && !e->reals->vague &&
	       !rspb_pool_failed(e->reals->pool)) {
		found = equal_next(e, &when, together);
		if (!found && next == e->n) {
			/* Only when bounds are too wide to find anybody. */
			e->reals->vague = true;
			return;
		}
		if (!found ||
		    (next < e->n &&
		     rspb_real_compare(e->reals,
				       &e->tasks[arrivals[next]].access,
				       &when) < 0)) {
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

int rspb_fluid_equal(struct rspb_reals *reals, struct rspb_real capacity,
		     const struct rspb_fluid *tasks, size_t n,
		     struct rspb_real *ends)
{
	size_t *arrivals = by_access(reals, tasks, n);
	size_t *together = rspb_pool_alloc(reals->pool, n * sizeof(*together));
	struct equal e = {
		.reals = reals,
		.n = n,
		.tasks = tasks,
		.spare = capacity,
		.state = rspb_pool_alloc(reals->pool, n * sizeof(*e.state)),
		.target = rspb_pool_alloc(reals->pool, n * sizeof(*e.target)),
	};

	if (!arrivals || rspb_pool_failed(reals->pool))
		return -1;
	run_equal(&e, arrivals, together, ends);
	return rspb_pool_failed(reals->pool) ? -1 : 0;
}
