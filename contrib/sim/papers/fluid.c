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

#include <stdbool.h>

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
	s->target[i] = rspb_real_add(s->reals, s->value, rspb_real_mul(s->reals, left, s->need[i]));
	set_short(s, i);
}

static void short_to_met(struct shares *s, size_t i)
{
	struct rspb_real left = rspb_real_sub(s->reals, s->target[i], s->value);

	s->spare = rspb_real_sub(s->reals, s->spare, s->tasks[i].demand);
	s->weights = rspb_real_sub(s->reals, s->weights, s->weight[i]);
	s->n_short--;
	s->target[i] = rspb_real_add(s->reals, s->now, rspb_real_div(s->reals, left, s->need[i]));
	s->state[i] = MET;
}

/* A task begins, as one that is short: settle() looks further. */
static void begin(struct shares *s, size_t i)
{
	s->target[i] = rspb_real_add(s->reals, s->value,
				     rspb_real_div(s->reals, s->tasks[i].workload, s->weight[i]));
	set_short(s, i);
	if (s->place[i] < s->border)
		short_to_met(s, i);
}

static void end(struct shares *s, size_t i)
{
	if (s->state[i] == MET) {
		s->spare = rspb_real_add(s->reals, s->spare, s->tasks[i].demand);
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
	struct rspb_real zero = rspb_real_whole(s->reals, 0);
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

/* Settle which tasks are met and which are short, and the level, from now on. */
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
		    (first == s->n ||
		     rspb_real_compare(s->reals, &s->target[i], &s->target[first]) < 0))
			first = i;
	return first;
}

/*
 * The line of V after an event. At an end of one that was short V is known
 * and the time follows from it; otherwise it is the other way round. Taking
 * the one that is known keeps the radius from growing with every event.
 */
static void new_line(struct shares *s, struct rspb_real level, bool had_line, bool v_known)
{
	struct rspb_reals *reals = s->reals;
	struct rspb_real part, one;

	if (!s->n_short) {
		s->value = rspb_real_whole(reals, 0);
		return;
	}
	if (!had_line) {
		s->base = rspb_real_sub(reals, rspb_real_whole(reals, 0),
					rspb_real_mul(reals, s->level, s->now));
	} else if (v_known) {
		one = rspb_real_whole(reals, 1);
		part = rspb_real_div(reals, s->level, level);
		s->base = rspb_real_add(reals, rspb_real_mul(reals, part, s->base),
					rspb_real_mul(reals, s->value,
						      rspb_real_sub(reals, one, part)));
	} else {
		s->base = rspb_real_add(reals, s->base,
					rspb_real_mul(reals, rspb_real_sub(reals, level, s->level),
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
		s->value = rspb_real_add(s->reals, s->base, rspb_real_mul(s->reals, level, s->now));
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
	time = rspb_real_div(s->reals, rspb_real_sub(s->reals, s->target[wanting], s->base),
			     s->level);
	if (met < s->n && rspb_real_compare(s->reals, &s->target[met], &time) <= 0) {
		*when = s->target[met];
		return met;
	}
	*when = time;
	return wanting;
}

static void run_shares(struct shares *s, const size_t *arrivals, struct rspb_real *ends)
{
	size_t next = 0, i;
	struct rspb_real when;

	for (size_t left = 2 * s->n; left > 0 && !s->reals->vague; left--) {
		i = next_end(s, &when);
		if (i == s->n ||
		    (next < s->n &&
		     rspb_real_compare(s->reals, &s->tasks[arrivals[next]].access, &when) < 0)) {
			s->now = s->tasks[arrivals[next]].access;
			event(s, arrivals[next++], false);
			continue;
		}
		s->now = ends[i] = when;
		event(s, i, true);
	}
}

/* Serve by weight; with `round` r_i is the weight and no task ever has enough: V is the round
 * number. */
static void serve_by(struct rspb_reals *reals, struct rspb_real capacity,
		     const struct rspb_fluid *tasks, size_t n, bool round, struct rspb_real *ends)
{
	struct rspb_real *weight = rspb_pool_alloc(reals->pool, n * sizeof(*weight));
	struct rspb_real *need = rspb_pool_alloc(reals->pool, n * sizeof(*need));
	size_t *by_need = rspb_pool_alloc(reals->pool, n * sizeof(*by_need));
	struct shares s = {
		.reals = reals,
		.n = n,
		.tasks = tasks,
		.weight = weight,
		.need = need,
		.by_need = by_need,
		.place = rspb_pool_alloc(reals->pool, n * sizeof(*s.place)),
		.state = rspb_pool_alloc(reals->pool, n * sizeof(*s.state)),
		.target = rspb_pool_alloc(reals->pool, n * sizeof(*s.target)),
		.spare = capacity,
		.weights = rspb_real_whole(reals, 0),
		.now = rspb_real_whole(reals, 0),
		.value = rspb_real_whole(reals, 0),
		.base = rspb_real_whole(reals, 0),
		.level = rspb_real_whole(reals, 0),
	};

	for (size_t i = 0; i < n; i++) {
		weight[i] = round ? tasks[i].rate : tasks[i].weight;
		if (round)
			need[i].infinite = true;
		else if (tasks[i].demand.infinite)
			need[i] = tasks[i].demand;
		else
			need[i] = rspb_real_div(reals, tasks[i].demand, weight[i]);
	}
	rspb_real_order(reals, need, n, by_need);
	for (size_t k = 0; k < n; k++)
		s.place[by_need[k]] = k;
	run_shares(&s, rspb_fluid_arrivals(reals, tasks, n), ends);
}

void rspb_fluid_again(struct rspb_reals *reals, struct rspb_real capacity,
		      const struct rspb_fluid *tasks, size_t n, struct rspb_real *ends)
{
	serve_by(reals, capacity, tasks, n, false, ends);
}

void rspb_fluid_round(struct rspb_reals *reals, struct rspb_real capacity,
		      const struct rspb_fluid *tasks, size_t n, struct rspb_real *ends)
{
	serve_by(reals, capacity, tasks, n, true, ends);
}
