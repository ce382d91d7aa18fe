/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Claims are decided from the numbers of the run at hand. A point of a figure
 * is for a claim, against it, or undecided when the 95 % interval of the
 * difference, run by run on the same workloads, covers the border.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/sim/figures/claims.h"

struct tally {
	int with, against, open;
	double least, most; /* of what is judged */
};

static void count(struct tally *tally, double value, int vote)
{
	if (vote > 0)
		tally->with++;
	else if (vote < 0)
		tally->against++;
	else
		tally->open++;
	tally->least = fmin(tally->least, value);
	tally->most = fmax(tally->most, value);
}

/* With one run it may be anything. */
static double half_of(struct sim_estimate e)
{
	return isfinite(e.half) ? e.half : INFINITY;
}

/* 1: surely above 0, -1: surely below, 0: neither. */
static int sign_of(struct sim_estimate e)
{
	if (e.mean - half_of(e) > 0)
		return 1;
	return e.mean + half_of(e) < 0 ? -1 : 0;
}

static struct sim_estimate difference(const struct sim_figure_runs *f, size_t point, const char *a,
				      const char *b, enum sim_metric metric)
{
	return sim_estimate_difference(sim_figure_cell(f, point, a), sim_figure_cell(f, point, b),
				       f->runs, metric);
}

static struct sim_estimate value_of(const struct sim_figure_runs *f, size_t point,
				    const struct sim_claim *c)
{
	return sim_estimate_of(sim_figure_cell(f, point, c->a), f->runs, c->metric);
}

/* Against all other presets: the worst vote counts. */
static void judge_extreme(const struct sim_claim *c, const struct sim_figure_runs *f, size_t point,
			  struct tally *tally)
{
	int sign = c->kind == SIM_BEST ? 1 : -1, vote = 1, one;

	for (size_t p = 0; p < sim_figure_presets(f->figure); p++) {
		if (!strcmp(f->figure->presets[p], c->a))
			continue;
		one = sign * sign_of(difference(f, point, c->a, f->figure->presets[p], c->metric));
		vote = one < vote ? one : vote;
	}
	count(tally, value_of(f, point, c).mean, vote);
}

/* Does a value with its interval lie inside low..high? */
static int inside(struct sim_estimate e, double low, double high)
{
	double half = half_of(e);

	if (e.mean - half > high || e.mean + half < low)
		return -1;
	return e.mean - half >= low && e.mean + half <= high;
}

static void judge_ratio(const struct sim_claim *c, const struct sim_figure_runs *f, size_t point,
			struct tally *tally)
{
	struct sim_estimate b = sim_estimate_of(sim_figure_cell(f, point, c->b), f->runs,
						c->metric),
			    e = value_of(f, point, c);

	if (!(b.mean > 0))
		return;
	/* Good enough for a ratio whose parts are known to a few percent. */
	e.half = e.mean / b.mean * hypot(half_of(e) / e.mean, half_of(b) / b.mean);
	e.mean /= b.mean;
	count(tally, e.mean, inside(e, c->low, c->high));
}

static void judge_point(const struct sim_claim *c, const struct sim_figure_runs *f, size_t point,
			struct tally *tally)
{
	struct sim_estimate e;
	double value;

	switch (c->kind) {
	case SIM_ABOVE:
		e = difference(f, point, c->a, c->b, c->metric);
		value = e.mean;
		e.mean -= c->low;
		count(tally, value, sign_of(e));
		break;
	case SIM_BEST:
	case SIM_LEAST:
		judge_extreme(c, f, point, tally);
		break;
	case SIM_ALIKE:
		e = difference(f, point, c->a, c->b, c->metric);
		count(tally, e.mean, inside(e, -c->high, c->high));
		break;
	case SIM_RATIO:
		judge_ratio(c, f, point, tally);
		break;
	default:
		e = value_of(f, point, c);
		count(tally, e.mean, inside(e, c->low, c->high));
	}
}

static bool counts(const struct sim_claim *c, double x)
{
	return (c->from == 0 && c->to == 0) || (x >= c->from - 1e-9 && x <= c->to + 1e-9);
}

/* a's at a point, run by run, or what it is above b's. */
static void fill_runs(const struct sim_claim *c, const struct sim_figure_runs *f, size_t point,
		      struct sim_metrics *runs)
{
	const struct sim_metrics *a = sim_figure_cell(f, point, c->a);
	const struct sim_metrics *b = c->b ? sim_figure_cell(f, point, c->b) : NULL;

	for (size_t i = 0; i < f->runs; i++)
		runs[i].value[c->metric] = a[i].value[c->metric] - (b ? b[i].value[c->metric] : 0);
}

/* From a point to a later one. */
static void judge_step(const struct sim_claim *c, const struct sim_figure_runs *f, size_t from,
		       size_t to, struct tally *tally)
{
	struct sim_metrics *runs = calloc(2 * f->runs, sizeof(*runs));
	int sign = c->kind == SIM_RISES ? 1 : -1;

	/* Without memory a point decides nothing. */
	if (!runs)
		return;
	fill_runs(c, f, from, runs);
	fill_runs(c, f, to, runs + f->runs);
	count(tally, sim_estimate_of(runs + f->runs, f->runs, c->metric).mean,
	      sign * sign_of(sim_estimate_difference(runs + f->runs, runs, f->runs, c->metric)));
	free(runs);
}

/* From each point to the next, and on the whole. */
static void judge_slope(const struct sim_claim *c, const struct sim_figure_runs *f,
			struct tally *tally)
{
	size_t first = f->figure->n, last = 0;

	for (size_t i = 0; i < f->figure->n; i++) {
		if (!counts(c, f->figure->x[i]))
			continue;
		if (first < i)
			judge_step(c, f, last, i, tally);
		first = first < i ? first : i;
		last = i;
	}
	if (first < last)
		judge_step(c, f, first, last, tally);
}

static void judge_level(const struct sim_claim *c, const struct sim_figure_runs *f,
			struct tally *tally)
{
	double mean = 0;

	for (size_t i = 0; i < f->figure->n; i++)
		mean += value_of(f, i, c).mean / (double) f->figure->n;
	for (size_t i = 0; i < f->figure->n; i++)
		count(tally, value_of(f, i, c).mean,
		      inside(value_of(f, i, c), mean * (1 - c->high), mean * (1 + c->high)));
}

const char *const sim_verdict_names[SIM_VERDICTS] = { "holds", "partly", "undecided",
						      "does not hold" };

static enum sim_verdict verdict_of(const struct tally *tally)
{
	if (!tally->against && tally->with < SIM_DECIDED)
		return SIM_OPEN;
	if (!tally->against && tally->with >= tally->open)
		return SIM_HOLDS;
	return tally->with > tally->against ? SIM_PARTLY : SIM_FAILS;
}

enum sim_verdict sim_claim_judge(const struct sim_claim *c, const struct sim_results *results,
				 char *text, size_t size)
{
	const struct sim_figure_runs *f = sim_results_find(results, c->figure);
	struct tally tally = { .least = INFINITY, .most = -INFINITY };

	assert(f);
	if (c->kind == SIM_RISES || c->kind == SIM_FALLS)
		judge_slope(c, f, &tally);
	else if (c->kind == SIM_LEVEL)
		judge_level(c, f, &tally);
	for (size_t i = 0; i < f->figure->n; i++)
		if (c->kind != SIM_RISES && c->kind != SIM_FALLS && c->kind != SIM_LEVEL &&
		    counts(c, f->figure->x[i]))
			judge_point(c, f, i, &tally);
	snprintf(text, size,
		 "%s%s%s%s: %.4g to %.4g; %d points for it, %d "
		 "against, %d within the interval",
		 c->a,
		 c->b && c->kind != SIM_RATIO ? " less "
		 : c->kind == SIM_RATIO	      ? " over "
					      : "",
		 c->b ? c->b : "", "", tally.least, tally.most, tally.with, tally.against,
		 tally.open);
	return verdict_of(&tally);
}
