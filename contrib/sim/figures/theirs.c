/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the figures and tables with results, in the order of the papers. Where a paper states
 * numbers or a formula they are drawn; otherwise only its words about the curves are known, and
 * claims.c judges them. */
#include "contrib/sim/figures/theirs.h"

#include <math.h>
#include <string.h>

static double same(double x)
{
	return x;
}

static double one(double x)
{
	(void) x;
	return 1;
}

static double equation_1(double x)
{
	return 1 / (x + 1);
}

static double with_container(double x)
{
	(void) x;
	return .92;
}

static double without_container(double x)
{
	(void) x;
	return .66;
}

static double range_with(double x)
{
	(void) x;
	return 12.9;
}

static double range_without(double x)
{
	(void) x;
	return 35.3;
}

/* Formula 3 as it is printed, at a load of 0.8 and a mean service of 1. */
static double printed_wait(double c)
{
	double a = .8 * c, term = 1, sum = 0;

	for (int n = 0; n < (int) c; n++) {
		sum += term;
		term *= a / (n + 1);
	}
	return pow(a, c) / (sum + term / (1 - a / c)) / (c - a);
}

/* RET the part of a normal distribution beyond k deviations. */
static double beyond(double k)
{
	return erfc(k / sqrt(2)) / 2;
}

/* clang-format off */
const struct sim_theirs sim_theirs[] = {
	{ "000", "figure 4.3", "4.3", "4.3", "1,063 to 12,604 requests on average. RSPB "
	  "rejects considerably fewer, since it degrades soft requests.", { { NULL } } },
	{ "000", "figure 4.4", "4.4", "4.4", "2 to 20 machines. RSPB rejects "
	  "considerably fewer.", { { NULL } } },
	{ "000", "figure 4.5", "4.5", "4.5", "Mean durations of 30 to 350. RSPB "
	  "rejects considerably fewer.", { { NULL } } },
	{ "000", "figure 4.6", "4.6", "4.6", "Below 25 % all reserve what is requested. Above, "
	  "RB is lowest, and RSPB's lead grows up to 50 %, shrinks from there and is almost "
	  "nothing beyond 63 %.",
	  { { "paper: ideal", same, { 0 } } } },
	{ "000", "figure 4.6, requests that differ more", "4.6-wide", "4.6-wide",
	  "The paper does not say how far requests lie from their mean.",
	  { { "paper: ideal", same, { 0 } } } },
	{ "000", "figure 4.7", "4.7", "4.7", "1,063 to 10,505 requests. The sum "
	  "of priorities that RSPB rejects is below RB's.", { { NULL } } },
	{ "000", "figure 4.7, reason", "4.7", "4.7-mean", "The important requests of a batch "
	  "are decided first.", { { NULL } } },
	{ "000", "figure 5.9 (a)", "5.9", "5.9a", "100 to 1,900 requests. "
	  "Co-RSPB's benefit is considerably higher than that of the other "
	  "two, Co-RSBF's is lowest, and Co-RSBFR's comes close to it where "
	  "room is extremely scarce.", { { NULL } } },
	{ "000", "figure 5.9 (b)", "5.9", "5.9b", "Co-RSBF rejects least, Co-RSPB "
	  "about 10 % more, and somewhat more than that as room becomes "
	  "scarcer; Co-RSBFR much more than both.", { { NULL } } },
	{ "000", "figure 5.9 (a), soft requests accept 80 %", "5.9-least",
	  "5.9-least-a", "The thesis does not give the least fraction of soft requests for "
	  "chapter 5.",
	  { { NULL } } },
	{ "000", "figure 5.9 (b), soft requests accept 80 %", "5.9-least",
	  "5.9-least-b", "As above.", { { NULL } } },
	{ "000", "figure 5.10 (a)", "5.10", "5.10a", "4 to 40 machines. "
	  "Co-RSPB's benefit is considerably higher.", { { NULL } } },
	{ "000", "figure 5.10 (b)", "5.10", "5.10b", "As figure 5.9 (b).",
	  { { NULL } } },
	{ "000", "figure 5.11 (a)", "5.11", "5.11a", "Mean durations of 24 to "
	  "159. Co-RSPB's benefit is considerably higher.", { { NULL } } },
	{ "000", "figure 5.11 (b)", "5.11", "5.11b", "As figure 5.9 (b).",
	  { { NULL } } },
	{ "000", "figure 5.12 (a)", "5.12", "5.12a", "Benefit rises with the part "
	  "of floating requests for all three.", { { NULL } } },
	{ "000", "figure 5.12 (b)", "5.12", "5.12b", "Rejections fall with it for "
	  "all three; they are most where all requests name their machines.",
	  { { NULL } } },
	{ "000", "figure 5.13 (a)", "5.13", "5.13a", "The highest priority, 10 to "
	  "100, does not matter for the benefit.", { { NULL } } },
	{ "000", "figure 5.13 (b)", "5.13", "5.13b", "The highest priority does not matter for "
	  "rejections.",
	  { { NULL } } },
	{ "000", "section 5.6 (a)", "5.x-rate", "5.x-rate-a", "Order by priority matters with "
	  "many requests; the thesis has no figure of it.",
	  { { NULL } } },
	{ "000", "section 5.6 (b)", "5.x-rate", "5.x-rate-b", "Not shown.",
	  { { NULL } } },
	{ "000", "section 5.6 (c)", "5.x-least", "5.x-least-a", "The least "
	  "fraction of soft requests, which the thesis does not give for "
	  "chapter 5.", { { NULL } } },
	{ "000", "section 5.6 (d)", "5.x-least", "5.x-least-b", "It decides whether Co-RSPB's "
	  "rejections are 10 % more than Co-RSBF's, or far more.",
	  { { NULL } } },
	{ "001", "equation 1, figures 2 and 3", "eq1", "eq1", "The efficiency of standard "
	  "reservation is x / (2 tp + x), that of timed/advance reservation very near 1, "
	  "whatever the delay.",
	  { { "paper: standard, equation 1", equation_1, { 0 } },
	    { "paper: tarr", one, { 0 } } } },
	{ "001", "figure 6", "late", "late", "A start 3 sigma earlier and a workload 3 sigma "
	  "larger are safe with high probability.",
	  { { "normal distribution beyond k", beyond, { 0 } } } },
	{ "001", "figure 6, ends with late data", "late-data", "late-data",
	  "Not in the paper: the end allows for late data, too.",
	  { { "normal distribution beyond k", beyond, { 0 } } } },
	{ "001", "figure 13 (a)", "13", "13a", "AFTO has the least E1, FCFS the "
	  "most.", { { NULL } } },
	{ "001", "figure 13 (b)", "13", "13b", "AFTO has the best E2.",
	  { { NULL } } },
	{ "001", "figure 13 (c)", "13", "13c", "AFTO is ahead by all criteria "
	  "(section 7).", { { NULL } } },
	{ "001", "figure 13 (a), loose deadlines", "13-loose", "13-loose-a",
	  "The paper does not give the spread of its deadlines.",
	  { { NULL } } },
	{ "001", "figure 13 (b), loose deadlines", "13-loose", "13-loose-b",
	  "As above.", { { NULL } } },
	{ "001", "figure 13 (c), loose deadlines", "13-loose", "13-loose-c",
	  "As above.", { { NULL } } },
	{ "001", "figure 14 (a)", "14", "14a", "Load 1.25. All improve as the "
	  "variance of the workloads rises.", { { NULL } } },
	{ "001", "figure 14 (b)", "14", "14b", "As above.", { { NULL } } },
	{ "001", "figure 14 (c)", "14", "14c", "As above.", { { NULL } } },
	{ "001", "figure 15 (a)", "15", "15a", "Load 1. All improve with the number of tasks, "
	  "at a decreasing rate.", { { NULL } } },
	{ "001", "figure 15 (b)", "15", "15b", "As above.", { { NULL } } },
	{ "001", "figure 15 (c)", "15", "15c", "As above.", { { NULL } } },
	{ "001", "figure 16 (a)", "16a", "16a", "Capacities that differ "
	  "moderately: AFTO has the least E3.", { { NULL } } },
	{ "001", "figure 16 (b)", "16b", "16b", "Capacities that differ very "
	  "much: AFTO is best, SFTO comes second.", { { NULL } } },
	{ "001", "figure 16, from (a) to (b)", "16-uneven", "16-uneven", "AFTO and SFTO hardly "
	  "depend on how much capacities differ.", { { NULL } } },
	{ "001", "table 1", "table1", "table1", "Computing time by the number of "
	  "tasks, relative to that of EDF for 10. It rises for all, AFTO's "
	  "most.",
	  { { "paper: edf", NULL, { 1, 2, 2.93, 3.94, 4.87 } },
	    { "paper: sfto", NULL, { 1.01, 2.08, 3.06, 4.15, 5.22 } },
	    { "paper: afto", NULL, { 1.14, 2.88, 3.94, 5.88, 15.75 } } } },
	{ "002", "figure 2", "2", "2", "Acceptance falls with UMed for all. PE "
	  "worst and duration best are alike and best; both PE*duration are "
	  "alike and above first fit; PE best and duration worst are alike and "
	  "below it.", { { NULL } } },
	{ "002", "figure 2, work", "2", "2-work", "Not in the paper.",
	  { { NULL } } },
	{ "002", "figure 3", "2", "3", "Slowdown rises with UMed. First fit's is "
	  "the lowest; PE worst and duration best are alike, so are PE best and "
	  "duration worst; the two PE*duration differ surprisingly.",
	  { { NULL } } },
	{ "002", "figure 4", "4", "4", "Acceptance falls with the arrival factor "
	  "for all; their order is as in figure 2.", { { NULL } } },
	{ "002", "figure 4, work", "4", "4-work", "Not in the paper.",
	  { { NULL } } },
	{ "002", "figure 5", "4", "5", "Slowdown rises with the arrival factor "
	  "for all; their order is as in figure 3.", { { NULL } } },
	{ "002", "figure 6", "6", "6", "Acceptance of PE worst, duration best and "
	  "PE*duration best rises almost linearly; PE worst is the best, and "
	  "gains on duration best.", { { NULL } } },
	{ "002", "figure 6, work", "6", "6-work", "Not in the paper.",
	  { { NULL } } },
	{ "002", "figure 7", "6", "7", "Slowdown rises with flexibility for all; "
	  "first fit's is always the lowest.", { { NULL } } },
	{ "003", "formulas 1 to 3", "formula1", "formula1", "The mean wait in a "
	  "pool of c servers.",
	  { { "paper: formula 3 as printed", printed_wait, { 0 } } } },
	{ "003", "section 4", "formula1", "formula1-rate", "At the same wait a "
	  "server takes more arrivals the larger its pool is.",
	  { { NULL } } },
	{ "003", "figure 2", "fig2", "fig2", "On one day on a campus grid 92 % of the "
	  "reservations succeed with a virtual resource container, 66 % without (means of its "
	  "48 points; the paper does not say how much local work there was).",
	  { { "paper: with", with_container, { 0 } },
	    { "paper: without", without_container, { 0 } } } },
	{ "003", "figure 2, range", "fig2", "fig2-range", "From the worst half "
	  "hour to the best one it is 12.9 points with a container and 35.3 "
	  "without.",
	  { { "paper: with", range_with, { 0 } },
	    { "paper: without", range_without, { 0 } } } },
	{ "003", "figure 2, short local work", "fig2-short", "fig2-short",
	  "The local work was HPL; the paper gives neither its length nor its share.",
	  { { "paper: with", with_container, { 0 } },
	    { "paper: without", without_container, { 0 } } } },
	{ "003", "figure 2, range, short local work", "fig2-short",
	  "fig2-short-range", "As above.",
	  { { "paper: with", range_with, { 0 } },
	    { "paper: without", range_without, { 0 } } } },
	{ "003", "figure 2, jobs are killed", "fig2-kill", "fig2-kill", "The paper does not "
	  "say whether local work ends running requests.", { { NULL } } },
	{ "004", "figure 1, benefit", "5.9", "5.9a", "System benefit over requests: Co-RSBF's "
	  "is lowest, since it always grants the least.", { { NULL } } },
	{ "004", "figure 1, rejections", "5.9", "5.9b", "Rejections over requests.", { { NULL } } },
	{ "004", "figure 2", "5.10", "5.10a", "System benefit over machines.",
	  { { NULL } } },
	{ "004", "figure 3", "5.11", "5.11b", "Rejections over the mean of "
	  "durations.", { { NULL } } },
	{ .paper = NULL }
};
/* clang-format on */

const struct sim_theirs *sim_theirs_find(const struct sim_figure *figure, const char *drawn)
{
	for (const struct sim_theirs *t = sim_theirs; t->paper; t++)
		if (!strcmp(t->figure, figure->id) && !strcmp(t->drawn, drawn))
			return t;
	return NULL;
}

double sim_curve_at(const struct sim_curve *curve, const struct sim_figure *figure, size_t point)
{
	return curve->of ? curve->of(figure->x[point]) : curve->y[point];
}
