/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/nodeset.h"
#include "contrib/client/client.h"

/* Who takes a cell: the one with the most of it gives the colour. */
enum who { TAKEN, BOOKED, MINE, N_WHO };

static const char *const colours[N_WHO] = { "\033[90m", "\033[34m",
					    "\033[35m" };
#define PLAIN "\033[0m"

enum { LABEL_MOST = 24, LEGEND_LINES = 4 };

struct cell {
	double part[N_WHO]; /* of its nodes and its time */
};

struct chart {
	const struct rspb_chart_style *style;
	json_object *nodes;
	uint32_t n_nodes, rows, columns, each; /* each: nodes of a row */
	int label;			       /* columns before the bar */
	int64_t from, until;
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
		     enum who who, int64_t start, int64_t end)
{
	uint32_t has = row + 1 < chart->rows
			       ? chart->each
			       : chart->n_nodes - row * chart->each;

	for (uint32_t c = 0; c < chart->columns; c++)
		chart->cells[row * chart->columns + c].part[who] +=
			covers(chart, c, (double) start, (double) end) * nodes /
			has;
}

static int take(struct chart *chart, json_object *item, enum who who,
		struct rspb_err *err)
{
	int64_t start = rspb_answer_number(item, "start");
	int64_t end = rspb_answer_number(item, "end");
	double share = rspb_answer_decimal(item, "share") / 100;
	uint32_t row = 0, n = 0;

	if (start >= chart->until || end <= chart->from)
		return 0;
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

static int take_all(struct chart *chart, json_object *document,
		    struct rspb_err *err)
{
	json_object *bookings = rspb_answer_list(document, "bookings");
	json_object *others = rspb_answer_list(document, "others");
	int rc = 0;

	for (size_t i = 0;
	     bookings && i < json_object_array_length(bookings) && !rc; i++) {
		json_object *item = json_object_array_get_idx(bookings, i);

		rc = take(chart, item,
			  json_object_object_get_ex(item, "mine", NULL)
				  ? MINE
				  : BOOKED,
			  err);
	}
	for (size_t i = 0;
	     others && i < json_object_array_length(others) && !rc; i++) {
		json_object *item = json_object_array_get_idx(others, i);

		rc = take(chart, item,
			  strcmp(rspb_answer_text(item, "kind"), "booking")
				  ? TAKEN
				  : BOOKED,
			  err);
	}
	return rc;
}

/* An eighth of the height for each eighth that is taken; in ASCII a letter for
 * who takes most of it, small where less than half is taken. */
static const char *glyph(const struct chart *chart, double sum, enum who who)
{
	static const char *const blocks[] = { "▁", "▂", "▃", "▄",
					      "▅", "▆", "▇", "█" };
	static const char *const letters[N_WHO][2] = {
		[TAKEN] = { "x", "X" },
		[BOOKED] = { "b", "B" },
		[MINE] = { "m", "M" },
	};
	int level = (int) (sum * 8 + 0.999) - 1;

	if (chart->style->blocks)
		return blocks[level < 0 ? 0 : level > 7 ? 7 : level];
	return letters[who][sum >= 0.5];
}

/* Who has most of it; one's own are not to be lost among others'. */
static enum who owner(const struct cell *cell)
{
	if (cell->part[MINE] > 0)
		return MINE;
	return cell->part[BOOKED] > cell->part[TAKEN] ? BOOKED : TAKEN;
}

static void print_row(const struct chart *chart, const struct cell *cells)
{
	const char *colour = PLAIN;

	for (uint32_t c = 0; c < chart->columns; c++) {
		enum who who = owner(&cells[c]);
		double sum = cells[c].part[TAKEN] + cells[c].part[BOOKED] +
			     cells[c].part[MINE];
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

static void print_legend(const struct chart *chart)
{
	static const char *const names[N_WHO] = {
		[TAKEN] = "taken", [BOOKED] = "booked", [MINE] = "mine"
	};

	printf("%*s  ", chart->label, "");
	for (int w = N_WHO - 1; w >= 0; w--) {
		if (chart->style->colour)
			printf("%s%s" PLAIN " %s   ", colours[w],
			       glyph(chart, 1, (enum who) w), names[w]);
		else
			printf("%s %s   ", glyph(chart, 1, (enum who) w),
			       names[w]);
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
	else
		rc = take_all(&chart, document, err);
	if (!rc)
		print_all(&chart);
	free(chart.cells);
	rspb_nodeset_destroy(chart.on);
	return rc;
}
