/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/figures/claims.h"

#include <string.h>

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
	struct sim_results results = { &runs, 1, RUNS, 1 };
	char text[256];

	for (int i = 0; i < POINTS * 2 * RUNS; i++) {
		int point = i / RUNS / 2, preset = i / RUNS % 2;
		double noise = i % 2 ? .01 : -.01;

		sim_metrics_clear(&cells[i]);
		cells[i].value[SIM_ACCEPTANCE] =
			preset ? .5 : .5 + difference[point] + noise;
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
	struct sim_results results = { &runs, 1, RUNS, 1 };
	char text[256];

	short_figure.n = 2;
	for (int i = 0; i < 2 * 2 * RUNS; i++) {
		sim_metrics_clear(&cells[i]);
		cells[i].value[SIM_ACCEPTANCE] = i / RUNS % 2 ? .1 : .9;
	}
	ck_assert_int_eq(sim_claim_judge(&above, &results, text, sizeof(text)),
			 SIM_OPEN);
	ck_assert_ptr_nonnull(strstr(text, "2 points for it"));
}
END_TEST

static Suite *make_suite(void)
{
	const TTest *const tests[] = {
		three_points_make_a_claim_hold,
		two_points_are_too_few,
	};

	return suite_of("judge", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(make_suite)
