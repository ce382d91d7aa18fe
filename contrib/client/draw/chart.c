/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/draw/chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/nodeset.h"
#include "contrib/client/client.h"
#include "contrib/client/who.h"

static const char *const colours[RSPB_N_WHO] = {
	[RSPB_WHO_DOWN] = "\033[90m",	  [RSPB_WHO_JOB] = "\033[36m",
	[RSPB_WHO_RESERVED] = "\033[33m", [RSPB_WHO_MAINTENANCE] = "\033[31m",
	[RSPB_WHO_BOOKED] = "\033[34m",	  [RSPB_WHO_MINE] = "\033[35m",
};
#define PLAIN "\033[0m"

enum { LABEL_MOST = 24, LEGEND_LINES = 4 };

struct cell {
	double part[RSPB_N_WHO]; /* of its nodes and its time */
};

struct chart {
	const struct rspb_chart_style *style;
	json_object *nodes;
	uint32_t n_nodes, rows, columns, each; /* each: nodes of a row */
	int label;			       /* columns before the bar */
	int64_t from, until;
	bool used[RSPB_N_WHO];
	struct cell *cells;	 /* owned, row by row */
	struct rspb_nodeset *on; /* owned: scratch */
};

static const char *name_of(const struct chart *chart, uint32_t n)
{
	return json_object_get_string(
		json_object_array_get_idx(chart->nodes, n));
}

/* How a row is called: "n1", or "n1..n16". */
static void label_of(const struct chart *chart, uint32_t row, char *buf,
		     size_t size)
{
	uint32_t first = row * chart->each, last = first + chart->each - 1;

	if (last >= chart->n_nodes)
		last = chart->n_nodes - 1;
	if (first == last)
		snprintf(buf, size, "%.*s", LABEL_MOST, name_of(chart, first));
	else
		snprintf(buf, size, "%.*s..%.*s", LABEL_MOST / 2 - 1,
			 name_of(chart, first), LABEL_MOST / 2 - 1,
			 name_of(chart, last));
}

static void lay_out(struct chart *chart)
{
	uint32_t room = chart->style->lines > LEGEND_LINES + 1
				? chart->style->lines - LEGEND_LINES
				: 1;
	char text[2 * LABEL_MOST];

	chart->each = (chart->n_nodes + room - 1) / room;
	chart->each = chart->each ? chart->each : 1;
	chart->rows = (chart->n_nodes + chart->each - 1) / chart->each;
	for (uint32_t row = 0; row < chart->rows; row++) {
		label_of(chart, row, text, sizeof(text));
		if ((int) strlen(text) > chart->label)
			chart->label = (int) strlen(text);
	}
	chart->columns = chart->style->columns > (uint32_t) chart->label + 12
				 ? chart->style->columns -
					   (uint32_t) chart->label - 3
				 : 10;
}

/* What of [start, end) lies in a column, 0 to 1. */
static double covers(const struct chart *chart, uint32_t column, double start,
		     double end)
{
	double step = (double) (chart->until - chart->from) / chart->columns;
	double left = (double) chart->from + step * column, right = left + step;

	left = start > left ? start : left;
	right = end < right ? end : right;
	return right > left ? (right - left) / step : 0;
}

static void take_row(struct chart *chart, uint32_t row, double nodes,
		     enum rspb_who who, int64_t start, int64_t end)
{
	uint32_t has = row + 1 < chart->rows
			       ? chart->each
			       : chart->n_nodes - row * chart->each;

	for (uint32_t c = 0; c < chart->columns; c++)
		chart->cells[row * chart->columns + c].part[who] +=
			covers(chart, c, (double) start, (double) end) * nodes /
			has;
}

static int take(struct chart *chart, json_object *item, enum rspb_who who,
		struct rspb_err *err)
{
	int64_t start = rspb_answer_number(item, "start");
	int64_t end = rspb_answer_number(item, "end");
	double share = rspb_answer_decimal(item, "share") / 100;
	uint32_t row = 0, n = 0;

	if (start >= chart->until || end <= chart->from)
		return 0;
	chart->used[who] = true;
	if (rspb_nodeset_parse(chart->on, rspb_answer_text(item, "on"), err))
		return -1;
	for (uint32_t node = rspb_nodeset_next(chart->on, 0);
	     node < chart->n_nodes;
	     node = rspb_nodeset_next(chart->on, node + 1)) {
		if (node / chart->each != row && n) {
			take_row(chart, row, n * (share > 0 ? share : 1), who,
				 start, end);
			n = 0;
		}
		row = node / chart->each;
		n++;
	}
	if (n)
		take_row(chart, row, n * (share > 0 ? share : 1), who, start,
			 end);
	return 0;
}

static int take_all(struct chart *chart, json_object *list,
		    struct rspb_err *err)
{
	int rc = 0;

	for (size_t i = 0; list && i < json_object_array_length(list) && !rc;
	     i++) {
		json_object *item = json_object_array_get_idx(list, i);

		rc = take(chart, item, rspb_who_of(item), err);
	}
	return rc;
}

/* An eighth of the height for each eighth that is taken; in ASCII a letter for
 * who takes most of it, small where less than half is taken. */
static const char *glyph(const struct chart *chart, double sum,
			 enum rspb_who who)
{
	static const char *const blocks[] = { "▁", "▂", "▃", "▄",
					      "▅", "▆", "▇", "█" };
	static const char *const letters[RSPB_N_WHO][2] = {
		[RSPB_WHO_DOWN] = { "x", "X" },
		[RSPB_WHO_JOB] = { "j", "J" },
		[RSPB_WHO_RESERVED] = { "r", "R" },
		[RSPB_WHO_MAINTENANCE] = { "s", "S" },
		[RSPB_WHO_BOOKED] = { "b", "B" },
		[RSPB_WHO_MINE] = { "m", "M" },
	};
	int level = (int) (sum * 8 + 0.999) - 1;

	if (chart->style->blocks)
		return blocks[level < 0 ? 0 : level > 7 ? 7 : level];
	return letters[who][sum >= 0.5];
}

/* Who has most of it; one's own are not to be lost among others'. */
static enum rspb_who owner(const struct cell *cell)
{
	int most = 0;

	if (cell->part[RSPB_WHO_MINE] > 0)
		return RSPB_WHO_MINE;
	for (int who = 1; who < RSPB_N_WHO; who++)
		if (cell->part[who] >= cell->part[most])
			most = who;
	return (enum rspb_who) most;
}

static double sum_of(const struct cell *cell)
{
	double sum = 0;

	for (int who = 0; who < RSPB_N_WHO; who++)
		sum += cell->part[who];
	return sum;
}

static void print_row(const struct chart *chart, const struct cell *cells)
{
	const char *colour = PLAIN;

	for (uint32_t c = 0; c < chart->columns; c++) {
		enum rspb_who who = owner(&cells[c]);
		double sum = sum_of(&cells[c]);
		const char *wanted = sum < 1e-9 ? PLAIN : colours[who];

		if (chart->style->colour && wanted != colour)
			fputs(wanted, stdout);
		colour = wanted;
		if (sum < 1e-9)
			fputs(chart->style->blocks ? "·" : ".", stdout);
		else
			fputs(glyph(chart, sum, who), stdout);
	}
	if (chart->style->colour && strcmp(colour, PLAIN))
		fputs(PLAIN, stdout);
}

/* Ticks below: as many as have room, by this host's clock. */
static void print_axis(const struct chart *chart)
{
	bool days = chart->until - chart->from > 2 * 86400;
	uint32_t wide = days ? 12 : 8;
	double step = (double) (chart->until - chart->from) / chart->columns;

	printf("%*s  ", chart->label, "");
	for (uint32_t c = 0; c + wide <= chart->columns; c += wide) {
		time_t at = (time_t) ((double) chart->from + step * c);
		struct tm tm;
		char text[32];

		strftime(text, sizeof(text), days ? "%b %d %H:%M" : "%H:%M",
			 localtime_r(&at, &tm));
		printf("%-*s", (int) wide, text);
	}
	putchar('\n');
}

/* Of what is to be seen. */
static void print_legend(const struct chart *chart)
{
	printf("%*s  ", chart->label, "");
	for (int w = RSPB_N_WHO - 1; w >= 0; w--) {
		const char *as = glyph(chart, 1, (enum rspb_who) w);

		if (!chart->used[w])
			continue;
		if (chart->style->colour)
			printf("%s%s" PLAIN " %s   ", colours[w], as,
			       rspb_who_names[w]);
		else
			printf("%s %s   ", as, rspb_who_names[w]);
	}
	printf("%s free%s\n", chart->style->blocks ? "·" : ".",
	       chart->style->blocks ? "" : "   small letters: less than half");
}

static void print_all(const struct chart *chart)
{
	char text[2 * LABEL_MOST];

	for (uint32_t row = 0; row < chart->rows; row++) {
		label_of(chart, row, text, sizeof(text));
		printf("%-*s |", chart->label, text);
		print_row(chart, &chart->cells[row * chart->columns]);
		fputs("|\n", stdout);
	}
	print_axis(chart);
	print_legend(chart);
}

int rspb_chart_print(json_object *document, int64_t from, int64_t until,
		     const struct rspb_chart_style *style, struct rspb_err *err)
{
	struct chart chart = { .style = style, .from = from, .until = until };
	int rc = -1;

	chart.nodes = rspb_answer_list(document, "nodes");
	if (!chart.nodes || !json_object_array_length(chart.nodes))
		return rspb_fail(err, "the calendar has no nodes");
	chart.n_nodes = (uint32_t) json_object_array_length(chart.nodes);
	lay_out(&chart);
	chart.cells = calloc((size_t) chart.rows * chart.columns,
			     sizeof(*chart.cells));
	chart.on = rspb_nodeset_create(chart.n_nodes);
	if (!chart.cells || !chart.on)
		rspb_fail(err, "out of memory");
	else if (!take_all(&chart, rspb_answer_list(document, "bookings"), err))
		rc = take_all(&chart, rspb_answer_list(document, "others"),
			      err);
	if (!rc)
		print_all(&chart);
	free(chart.cells);
	rspb_nodeset_destroy(chart.on);
	return rc;
}
