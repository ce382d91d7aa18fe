/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/figures/claims.h"

#include <stdlib.h>
#include <string.h>

#include "contrib/sim/figures/theirs.h"
#include "tests/unit/runner.h"

enum { POINTS = 5, RUNS = 4 };

static const struct sim_figure figure = {
	.paper = "t",
	.id = "t",
	.n = POINTS,
	.x = { 1, 2, 3, 4, 5 },
	.presets = { "a", "b" },
};
static const struct sim_claim above = {
	.paper = "t",
	.figure = "t",
	.text = "a is above b",
	.kind = SIM_ABOVE,
	.metric = SIM_ACCEPTANCE,
	.a = "a",
	.b = "b",
};

/* What is judged when a is this much above b at each point: 0 is undecided. */
static enum sim_verdict judge(const double difference[POINTS])
{
	struct sim_metrics cells[POINTS * 2 * RUNS];
	struct sim_figure_runs runs = { &figure, cells, RUNS };
	struct sim_results results = { &runs, 1, RUNS, 1, NULL };
	char text[256];

	for (int i = 0; i < POINTS * 2 * RUNS; i++) {
		int point = i / RUNS / 2, preset = i / RUNS % 2;
		double noise = i % 2 ? .01 : -.01;

		sim_metrics_clear(&cells[i]);
		cells[i].value[SIM_ACCEPTANCE] = preset ? .5 : .5 + difference[point] + noise;
	}
	return sim_claim_judge(&above, &results, text, sizeof(text));
}

START_TEST(three_points_make_a_claim_hold)
{
	ck_assert_int_eq(judge((double[]){ .1, .1, .1, .1, .1 }), SIM_HOLDS);
	ck_assert_int_eq(judge((double[]){ .1, .1, .1, 0, 0 }), SIM_HOLDS);
	ck_assert_int_eq(judge((double[]){ .1, .1, 0, 0, 0 }), SIM_OPEN);
	ck_assert_int_eq(judge((double[]){ 0, 0, 0, 0, 0 }), SIM_OPEN);
	ck_assert_int_eq(judge((double[]){ .1, .1, -.1, 0, 0 }), SIM_PARTLY);
	ck_assert_int_eq(judge((double[]){ .1, -.1, -.1, 0, 0 }), SIM_FAILS);
	ck_assert_int_eq(judge((double[]){ 0, 0, -.1, 0, 0 }), SIM_FAILS);
}
END_TEST

START_TEST(two_points_are_too_few)
{
	struct sim_figure short_figure = figure;
	struct sim_metrics cells[2 * 2 * RUNS];
	struct sim_figure_runs runs = { &short_figure, cells, RUNS };
	struct sim_results results = { &runs, 1, RUNS, 1, NULL };
	char text[256];

	short_figure.n = 2;
	for (int i = 0; i < 2 * 2 * RUNS; i++) {
		sim_metrics_clear(&cells[i]);
		cells[i].value[SIM_ACCEPTANCE] = i / RUNS % 2 ? .1 : .9;
	}
	ck_assert_int_eq(sim_claim_judge(&above, &results, text, sizeof(text)), SIM_OPEN);
	ck_assert_ptr_nonnull(strstr(text, "2 points for it"));
}
END_TEST

/* Of one run nobody knows how far it is from the next one. */
START_TEST(one_run_decides_nothing)
{
	struct sim_metrics cells[POINTS * 2];
	struct sim_figure_runs runs = { &figure, cells, 1 };
	struct sim_results results = { &runs, 1, 1, 1, NULL };
	char text[256];

	for (int i = 0; i < POINTS * 2; i++) {
		sim_metrics_clear(&cells[i]);
		cells[i].value[SIM_ACCEPTANCE] = i % 2 ? .1 : .9;
	}
	ck_assert_int_eq(sim_claim_judge(&above, &results, text, sizeof(text)), SIM_OPEN);
}
END_TEST

/* a's values at the points, b's are 0. */
static enum sim_verdict slope(enum sim_claim_kind kind, const char *b, const double a[POINTS],
			      double from, double to)
{
	struct sim_claim claim = above;
	struct sim_metrics cells[POINTS * 2 * RUNS];
	struct sim_figure_runs runs = { &figure, cells, RUNS };
	struct sim_results results = { &runs, 1, RUNS, 1, NULL };
	char text[256];

	claim.kind = kind;
	claim.b = b;
	claim.from = from;
	claim.to = to;
	for (int i = 0; i < POINTS * 2 * RUNS; i++) {
		double noise = i % 2 ? .01 : -.01;

		sim_metrics_clear(&cells[i]);
		cells[i].value[SIM_ACCEPTANCE] = i / RUNS % 2 ? 1 : 1 + a[i / RUNS / 2] + noise;
	}
	return sim_claim_judge(&claim, &results, text, sizeof(text));
}

START_TEST(what_rises_does_not_fall)
{
	static const double up[] = { 0, .1, .2, .3, .4 }, top[] = { .4, .1, .2, .3, 0 };

	ck_assert_int_eq(slope(SIM_RISES, NULL, up, 0, 0), SIM_HOLDS);
	ck_assert_int_eq(slope(SIM_FALLS, NULL, up, 0, 0), SIM_FAILS);
	ck_assert_int_eq(slope(SIM_RISES, "b", up, 0, 0), SIM_HOLDS);
	ck_assert_int_eq(slope(SIM_RISES, NULL, top, 2, 4), SIM_HOLDS);
	ck_assert_int_eq(slope(SIM_RISES, NULL, top, 0, 0), SIM_FAILS);
	/* Two points are one step, and the whole the same one. */
	ck_assert_int_eq(slope(SIM_RISES, NULL, up, 1, 2), SIM_OPEN);
}
END_TEST

/* Each chart of a paper has what stands there, and each claim a chart. */
START_TEST(all_is_on_the_page)
{
	for (const struct sim_figure *f = sim_figures; f->paper; f++)
		for (int d = 0; d < SIM_FIGURE_CHARTS && f->drawn[d].name; d++)
			ck_assert_msg(!strcmp(f->paper, "ours") ||
					      sim_theirs_find(f, f->drawn[d].name),
				      "%s", f->drawn[d].name);
	for (const struct sim_theirs *t = sim_theirs; t->paper; t++) {
		bool any = false;

		for (const struct sim_figure *f = sim_figures; f->paper; f++)
			for (int d = 0; d < SIM_FIGURE_CHARTS; d++)
				any |= !strcmp(t->figure, f->id) && f->drawn[d].name &&
				       !strcmp(t->drawn, f->drawn[d].name);
		ck_assert_msg(any, "%s: %s", t->paper, t->label);
	}
	for (const struct sim_claim *c = sim_claims; c->paper; c++) {
		bool any = false;

		for (const struct sim_figure *f = sim_figures; f->paper; f++)
			for (int d = 0; d < SIM_FIGURE_CHARTS; d++)
				any |= !strcmp(c->figure, f->id) && f->drawn[d].name &&
				       f->drawn[d].metric == c->metric;
		ck_assert_msg(any, "%s", c->text);
	}
}
END_TEST

/* A claim that counts fewer points than decide one could never hold. */
START_TEST(each_claim_can_hold)
{
	for (const struct sim_claim *c = sim_claims; c->paper; c++) {
		const struct sim_figure *f = sim_figures;
		int points = 0;

		while (strcmp(f->id, c->figure) != 0)
			f++;
		for (size_t i = 0; i < f->n; i++)
			points += (c->from == 0 && c->to == 0) ||
				  (f->x[i] >= c->from - 1e-9 && f->x[i] <= c->to + 1e-9);
		ck_assert_msg(points >= SIM_DECIDED, "%s: %d points", c->text, points);
	}
}
END_TEST

START_TEST(worked_figures_come_out_as_printed)
{
	for (const struct sim_example *e = sim_examples; e->paper; e++) {
		char *text = NULL;

		ck_assert_ptr_nonnull(e->answers[0]);
		ck_assert_msg(sim_example_run(e, &text), "%s, %s: %s", e->paper, e->label,
			      text ? text : "out of memory");
		free(text);
	}
}
END_TEST

RUN_TESTS("judge", NULL, NULL, 0, three_points_make_a_claim_hold, two_points_are_too_few,
	  one_run_decides_nothing, what_rises_does_not_fall, all_is_on_the_page,
	  each_claim_can_hold, worked_figures_come_out_as_printed)
