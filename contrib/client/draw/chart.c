/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/draw/chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/nodeset.h"
#include "contrib/client/client.h"
#include "contrib/client/draw/axis.h"
#include "contrib/client/who.h"

static const char *const colours[RSPB_N_WHO] = {
	[RSPB_WHO_DOWN] = "\033[90m",	  [RSPB_WHO_JOB] = "\033[36m",
	[RSPB_WHO_RESERVED] = "\033[33m", [RSPB_WHO_MAINTENANCE] = "\033[31m",
	[RSPB_WHO_BOOKED] = "\033[34m",	  [RSPB_WHO_MINE] = "\033[35m",
};
static const char plain[] = "\033[0m";

static const char reverse[] = "\033[7m";

enum { LABEL_MOST = 24, LEGEND_LINES = 4, HOUR_WIDE = 7, DAY_WIDE = 12 };

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
	char *texts;		 /* owned: what stands in a cell, 0: nothing */
	struct rspb_nodeset *on; /* owned: scratch */
};

static const char *name_of(const struct chart *chart, uint32_t n)
{
	return json_object_get_string(json_object_array_get_idx(chart->nodes, n));
}

/* How a row is called: "n1", or "n1..n16". */
static void label_of(const struct chart *chart, uint32_t row, char *buf, size_t size)
{
	uint32_t first = row * chart->each, last = first + chart->each - 1;

	if (last >= chart->n_nodes)
		last = chart->n_nodes - 1;
	if (first == last)
		snprintf(buf, size, "%.*s", LABEL_MOST, name_of(chart, first));
	else
		snprintf(buf, size, "%.*s..%.*s", LABEL_MOST / 2 - 1, name_of(chart, first),
			 LABEL_MOST / 2 - 1, name_of(chart, last));
}

static void lay_out(struct chart *chart)
{
	uint32_t room = chart->style->lines > LEGEND_LINES + 1 ? chart->style->lines - LEGEND_LINES
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
				 ? chart->style->columns - (uint32_t) chart->label - 3
				 : 10;
}

/* RET the part of a column that [start, end) covers, 0 to 1. */
static double covers(const struct chart *chart, uint32_t column, double start, double end)
{
	double step = (double) (chart->until - chart->from) / chart->columns;
	double left = (double) chart->from + step * column, right = left + step;

	left = start > left ? start : left;
	right = end < right ? end : right;
	return right > left ? (right - left) / step : 0;
}

/* The column in which a time lies, from 0 to all of them. */
static uint32_t column_of(const struct chart *chart, int64_t at)
{
	double part = (double) (at - chart->from) / (double) (chart->until - chart->from);

	return part <= 0 ? 0 : part >= 1 ? chart->columns : (uint32_t) (part * chart->columns);
}

/* Write into a row that a booking has to itself what it is called, or its number
 * alone, one column behind its beginning; where there is no room, nothing. */
static void name_row(struct chart *chart, uint32_t row, json_object *item, int64_t start,
		     int64_t end)
{
	uint32_t left = column_of(chart, start) + (start > chart->from),
		 right = column_of(chart, end);
	char title[RSPB_WHO_TITLE];
	size_t len = strlen(rspb_who_title(item, title));

	if (right < left)
		return;
	if (len > right - left)
		len = strcspn(title, " ");
	if (len > right - left)
		return;
	for (size_t i = 0; i < len; i++)
		chart->texts[row * chart->columns + left + i] = title[i] > ' ' && title[i] < 127
									? title[i]
								: title[i] == ' ' ? ' '
										  : '?';
}

static void take_row(struct chart *chart, uint32_t row, double nodes, json_object *item,
		     enum rspb_who who)
{
	int64_t start = rspb_json_int(item, "start");
	int64_t end = rspb_json_int(item, "end");
	uint32_t has = row + 1 < chart->rows ? chart->each : chart->n_nodes - row * chart->each;

	for (uint32_t c = 0; c < chart->columns; c++)
		chart->cells[row * chart->columns + c].part[who] += covers(chart, c, (double) start,
									   (double) end) *
								    nodes / has;
	if (nodes >= has && who >= RSPB_WHO_BOOKED)
		name_row(chart, row, item, start, end);
}

static int take_item(struct chart *chart, json_object *item, enum rspb_who who,
		     struct rspb_err *err)
{
	int64_t start = rspb_json_int(item, "start");
	int64_t end = rspb_json_int(item, "end");
	double share = rspb_answer_part(item);
	uint32_t row = 0, n = 0;

	if (start >= chart->until || end <= chart->from)
		return 0;
	chart->used[who] = true;
	if (rspb_nodeset_parse(chart->on, rspb_json_text(item, "on"), err))
		return -1;
	for (uint32_t node = rspb_nodeset_next(chart->on, 0); node < chart->n_nodes;
	     node = rspb_nodeset_next(chart->on, node + 1)) {
		if (node / chart->each != row && n) {
			take_row(chart, row, n * share, item, who);
			n = 0;
		}
		row = node / chart->each;
		n++;
	}
	if (n)
		take_row(chart, row, n * share, item, who);
	return 0;
}

static int take_all(struct chart *chart, json_object *list, struct rspb_err *err)
{
	int rc = 0;

	for (size_t i = 0; list && i < json_object_array_length(list) && !rc; i++) {
		json_object *item = json_object_array_get_idx(list, i);

		rc = take_item(chart, item, rspb_who_of(item), err);
	}
	return rc;
}

/* An eighth of the height for each eighth that is taken; in ASCII a letter for
 * who takes most of it, small where less than half is taken. */
static const char *glyph(const struct chart *chart, double sum, enum rspb_who who)
{
	static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const letters[RSPB_N_WHO][2] = {
		[RSPB_WHO_DOWN] = { "x", "X" },	    [RSPB_WHO_JOB] = { "j", "J" },
		[RSPB_WHO_RESERVED] = { "r", "R" }, [RSPB_WHO_MAINTENANCE] = { "s", "S" },
		[RSPB_WHO_BOOKED] = { "b", "B" },   [RSPB_WHO_MINE] = { "m", "M" },
	};
	int level = (int) (sum * 8 + 0.999) - 1;

	if (chart->style->blocks)
		return blocks[level < 0 ? 0 : level > 7 ? 7 : level];
	return letters[who][sum >= 0.5];
}

/* RET who has most of it; the caller's own bookings are not to be lost among those of others. */
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

static void print_row(const struct chart *chart, uint32_t row)
{
	const char *colour = plain;
	bool reversed = false;

	for (uint32_t c = 0; c < chart->columns; c++) {
		const struct cell *cell = &chart->cells[row * chart->columns + c];
		char text = chart->texts[row * chart->columns + c];
		enum rspb_who who = owner(cell);
		double sum = sum_of(cell);
		const char *wanted = sum < 1e-9 ? plain : colours[who];

		if (chart->style->colour && (wanted != colour || reversed != !!text))
			printf("%s%s%s", colour != plain || reversed ? plain : "",
			       wanted != plain ? wanted : "", text ? reverse : "");
		colour = wanted;
		reversed = text;
		if (text)
			putchar(text);
		else if (sum < 1e-9)
			fputs(chart->style->blocks ? "·" : ".", stdout);
		else
			fputs(glyph(chart, sum, who), stdout);
	}
	if (chart->style->colour && (colour != plain || reversed))
		fputs(plain, stdout);
}

/* Ticks of one step, each with its text behind it, as far as there is room; the
 * day at the beginning, which is no tick, comes first. */
static void print_ticks(const struct chart *chart, int64_t step, int64_t at, uint32_t wide)
{
	char text[RSPB_AXIS_TEXT];
	uint32_t done = 0;

	printf("%*s  ", chart->label, "");
	for (; at < chart->until; at = rspb_axis_next(at, step)) {
		uint32_t column = column_of(chart, at);

		if (column < done || column + wide - 1 > chart->columns)
			continue;
		done += (uint32_t) printf("%*s%s%s", (int) (column - done), "",
					  at == chart->from ? "" : "|",
					  rspb_axis_text(at, step, text));
	}
	putchar('\n');
}

/* Round hours below the rows, and below them the days; of many days these alone. */
static void print_axis(const struct chart *chart)
{
	int64_t span = chart->until - chart->from;
	int64_t hours = rspb_axis_step(span, chart->columns / HOUR_WIDE + 1);
	int64_t days = rspb_axis_step(span, chart->columns / DAY_WIDE + 1);
	int64_t midnight = rspb_axis_next(chart->from, RSPB_AXIS_DAY);

	if (hours < RSPB_AXIS_DAY)
		print_ticks(chart, hours, rspb_axis_next(chart->from - 1, hours), HOUR_WIDE);
	days = days < RSPB_AXIS_DAY ? RSPB_AXIS_DAY : days;
	print_ticks(chart, days,
		    column_of(chart, midnight) >= DAY_WIDE ? chart->from
							   : rspb_axis_next(chart->from - 1, days),
		    DAY_WIDE);
}

/* Print the legend of what the chart shows. */
static void print_legend(const struct chart *chart)
{
	char zone[RSPB_AXIS_TEXT];

	printf("%*s  ", chart->label, "");
	for (int w = RSPB_N_WHO - 1; w >= 0; w--) {
		const char *as = glyph(chart, 1, (enum rspb_who) w);

		if (!chart->used[w])
			continue;
		if (chart->style->colour)
			printf("%s%s%s %s   ", colours[w], as, plain, rspb_who_names[w]);
		else
			printf("%s %s   ", as, rspb_who_names[w]);
	}
	printf("%s free%s   times in %s\n", chart->style->blocks ? "·" : ".",
	       chart->style->blocks ? "" : "   small letters: less than half",
	       rspb_axis_zone(chart->from, zone));
}

static void print_all(const struct chart *chart)
{
	char text[2 * LABEL_MOST];

	for (uint32_t row = 0; row < chart->rows; row++) {
		label_of(chart, row, text, sizeof(text));
		printf("%-*s |", chart->label, text);
		print_row(chart, row);
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

	chart.nodes = rspb_json_list(document, "nodes");
	if (!chart.nodes || !json_object_array_length(chart.nodes))
		return rspb_fail(err, "the calendar has no nodes");
	chart.n_nodes = (uint32_t) json_object_array_length(chart.nodes);
	lay_out(&chart);
	chart.cells = calloc((size_t) chart.rows * chart.columns, sizeof(*chart.cells));
	chart.texts = calloc((size_t) chart.rows, chart.columns);
	chart.on = rspb_nodeset_create(chart.n_nodes);
	if (!chart.cells || !chart.texts || !chart.on)
		rspb_fail(err, "out of memory");
	else if (!take_all(&chart, rspb_json_list(document, "bookings"), err))
		rc = take_all(&chart, rspb_json_list(document, "others"), err);
	if (!rc)
		print_all(&chart);
	free(chart.cells);
	free(chart.texts);
	rspb_nodeset_destroy(chart.on);
	return rc;
}
