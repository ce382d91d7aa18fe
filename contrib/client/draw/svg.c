/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/draw/svg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/nodeset.h"
#include "common/base/text.h"
#include "contrib/client/client.h"
#include "contrib/client/draw/lanes.h"
#include "contrib/client/output.h"
#include "contrib/client/who.h"

enum {
	WIDTH = 1200,
	TOP = 50,
	RIGHT = 15,
	LEGEND = 60,
	TALL = 800,	 /* of all rows, where there are many */
	ROW_MOST = 20,	 /* of one */
	LABEL_EACH = 12, /* a line of text */
	LABEL_WIDE = 7,	 /* a character of a label */
	LABEL_MOST = 24, /* characters */
	TICKS_MOST = 10,
	TOLD_MOST = 30, /* own bookings in the description */
	DAY = 86400
};

struct picture {
	FILE *out;
	json_object *nodes, *bookings, *others;
	uint32_t n_nodes;
	int64_t from, until;
	double left, row; /* where rows begin, and how high each is */
	bool used[RSPB_N_WHO];
	struct rspb_nodeset *on; /* owned: scratch */
	struct rspb_lanes lanes;
};

static const char style[] =
	"<style>\n"
	":root{color-scheme:light dark}\n"
	"svg{font:12px sans-serif;--back:#fff;--text:#1b1f24;--line:#e3e6ea;"
	"--down:#424a53;--job:#8c959f;--reserved:#bf8700;"
	"--maintenance:#bc4c00;--booked:#0969da;--mine:#8250df}\n"
	"@media(prefers-color-scheme:dark){svg{--back:#0d1117;--text:#e6edf3;"
	"--line:#262c36;--down:#c9d1d9;--job:#656c76;--reserved:#d29922;"
	"--maintenance:#db6d28;--booked:#4493f8;--mine:#ab7df8}}\n"
	".back{fill:var(--back)}text{fill:var(--text)}"
	".line{stroke:var(--line)}.now{stroke:#d1242f}\n"
	".down{fill:var(--down)}.job{fill:var(--job)}"
	".reserved{fill:var(--reserved)}.maintenance{fill:var(--maintenance)}"
	".booked{fill:var(--booked)}"
	".mine{fill:var(--mine);stroke:var(--text);stroke-width:1.5}\n"
	"</style>\n";

/* --- text ---------------------------------------------------------------------- */

static void put_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		const char *entity = rspb_text_entity(*text);

		if (entity)
			fputs(entity, out);
		else
			/* No control character may stand in XML. */
			fputc((unsigned char) *text < ' ' ? ' ' : *text, out);
	}
}

static const char *node_name(const struct picture *p, uint32_t n)
{
	const char *name = json_object_get_string(
		json_object_array_get_idx(p->nodes, n));

	return name ? name : "";
}

static size_t length_of(json_object *list)
{
	return list ? json_object_array_length(list) : 0;
}

/* "rspb_7 of ann, booked, 2026-11-24T09:00:00 to ..., nodes 4" */
static void tell(const struct picture *p, json_object *item)
{
	char start[RSPB_OUTPUT_CELL], end[RSPB_OUTPUT_CELL];
	const char *user = rspb_answer_text(item, "user");

	if (json_object_object_get_ex(item, "kind", NULL)) {
		put_text(p->out, rspb_who_names[rspb_who_of(item)]);
	} else {
		put_text(p->out, rspb_answer_text(item, "id"));
		fputs(*user ? " of " : "", p->out);
		put_text(p->out, user);
		fputs(", ", p->out);
		put_text(p->out, rspb_answer_text(item, "state"));
	}
	fprintf(p->out, ", %s to %s",
		rspb_output_time(rspb_answer_number(item, "start"), start),
		rspb_output_time(rspb_answer_number(item, "end"), end));
	if (!rspb_nodeset_parse(p->on, rspb_answer_text(item, "on"), NULL)) {
		uint32_t n = rspb_nodeset_count(p->on);

		fprintf(p->out, ", on ");
		put_text(p->out, n ? node_name(p, rspb_nodeset_next(p->on, 0))
				   : "no node");
		if (n > 1)
			fprintf(p->out, " and %" PRIu32 " more", n - 1);
	}
	if (rspb_answer_decimal(item, "share") > 0)
		fprintf(p->out, ", %g %% of the CPUs",
			rspb_answer_decimal(item, "share"));
}

static bool is_seen(const struct picture *p, json_object *item)
{
	return rspb_answer_number(item, "start") < p->until &&
	       rspb_answer_number(item, "end") > p->from;
}

static void describe(const struct picture *p, const char *cluster)
{
	char from[RSPB_OUTPUT_CELL], until[RSPB_OUTPUT_CELL];
	size_t n = 0, mine = 0;

	for (size_t i = 0; i < length_of(p->bookings); i++) {
		json_object *item = json_object_array_get_idx(p->bookings, i);

		n += is_seen(p, item);
		mine += is_seen(p, item) && rspb_who_of(item) == RSPB_WHO_MINE;
	}
	fputs("<title id=\"title\">Bookings of ", p->out);
	put_text(p->out, *cluster ? cluster : "the cluster");
	fprintf(p->out,
		", %s to %s</title>\n<desc id=\"desc\">%" PRIu32
		" nodes from top to bottom, time from left to right: %zu "
		"bookings, %zu of them yours.",
		rspb_output_time(p->from, from),
		rspb_output_time(p->until, until), p->n_nodes, n, mine);
	for (size_t i = 0, told = 0;
	     i < length_of(p->bookings) && told < TOLD_MOST; i++) {
		json_object *item = json_object_array_get_idx(p->bookings, i);

		if (!is_seen(p, item) || rspb_who_of(item) != RSPB_WHO_MINE)
			continue;
		fputc(' ', p->out);
		tell(p, item);
		fputc('.', p->out);
		told++;
	}
	fputs("</desc>\n", p->out);
}

/* --- bars ---------------------------------------------------------------------- */

static double x_of(const struct picture *p, int64_t at)
{
	double wide = WIDTH - RIGHT - p->left;

	at = at < p->from ? p->from : at > p->until ? p->until : at;
	return p->left +
	       wide * (double) (at - p->from) / (double) (p->until - p->from);
}

static void draw_run(struct picture *p, uint32_t first, uint32_t n, double left,
		     double wide, double low, double part)
{
	double tall = p->row * n, gap = p->row >= 4 ? 1 : 0;

	fprintf(p->out,
		"<rect x=\"%.1f\" y=\"%.2f\" width=\"%.1f\" height=\"%.2f\"/>",
		left, TOP + p->row * first + tall * (1 - low - part), wide,
		tall * part > gap + 0.2 ? tall * part - gap : 0.2);
}

static int draw_item(struct picture *p, json_object *item, struct rspb_err *err)
{
	int64_t start = rspb_answer_number(item, "start"),
		end = rspb_answer_number(item, "end");
	double share = rspb_answer_decimal(item, "share") / 100,
	       part = share > 0 && share < 1 ? share : 1, low = 0,
	       left = x_of(p, start), wide = x_of(p, end) - left;
	enum rspb_who who = rspb_who_of(item);
	uint32_t node, first;

	if (!is_seen(p, item))
		return 0;
	p->used[who] = true;
	fprintf(p->out, "<g class=\"%s\"><title>", rspb_who_names[who]);
	tell(p, item);
	fputs("</title>", p->out);
	if (rspb_nodeset_parse(p->on, rspb_answer_text(item, "on"), err))
		return -1;
	node = rspb_nodeset_next(p->on, 0);
	if (part < 1)
		low = rspb_lanes_put(&p->lanes, node, start, end, part);
	while (node < p->n_nodes) {
		first = node;
		/* Parts of neighbours lie each in its own row. */
		do
			node++;
		while (part >= 1 && node < p->n_nodes &&
		       rspb_nodeset_has(p->on, node));
		draw_run(p, first, node - first, left, wide > 0.5 ? wide : 0.5,
			 low, part);
		node = rspb_nodeset_next(p->on, node);
	}
	fputs("</g>\n", p->out);
	return 0;
}

static int draw_all(struct picture *p, json_object *list, struct rspb_err *err)
{
	int rc = 0;

	for (size_t i = 0; i < length_of(list) && !rc; i++)
		rc = draw_item(p, json_object_array_get_idx(list, i), err);
	return rc;
}

/* --- what stands around --------------------------------------------------------- */

static void draw_labels(const struct picture *p)
{
	uint32_t each = 1;

	while (p->row * each < LABEL_EACH)
		each++;
	for (uint32_t n = 0; n < p->n_nodes; n += each) {
		fprintf(p->out,
			"<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">",
			p->left - 6,
			TOP + p->row * n +
				(p->row < LABEL_EACH ? LABEL_EACH / 2.0
						     : p->row / 2) +
				4);
		put_text(p->out, node_name(p, n));
		fputs("</text>\n", p->out);
	}
}

/* A round step of which there are few. */
static int64_t step_of(int64_t span)
{
	static const int64_t steps[] = {
		60,    900, 3600,    10800,   21600,
		43200, DAY, 2 * DAY, 7 * DAY, 28 * DAY
	};
	size_t i = 0;

	while (i + 1 < sizeof(steps) / sizeof(steps[0]) &&
	       span / steps[i] > TICKS_MOST)
		i++;
	return steps[i];
}

static void draw_axis(const struct picture *p)
{
	int64_t step = step_of(p->until - p->from);
	double bottom = TOP + p->row * p->n_nodes;
	time_t at = p->from;
	struct tm tm;
	char text[32];

	localtime_r(&at, &tm);
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_isdst = -1;
	for (at = mktime(&tm); at < p->until; at += step) {
		double x = x_of(p, at);

		if (at < p->from)
			continue;
		strftime(text, sizeof(text),
			 step < DAY ? "%b %e %H:%M" : "%a %b %e",
			 localtime_r(&at, &tm));
		fprintf(p->out,
			"<path class=\"line\" d=\"M%.1f %dV%.1f\"/><text "
			"x=\"%.1f\" y=\"%d\">%s</text>\n",
			x, TOP - 16, bottom, x + 3, TOP - 8, text);
	}
}

static void draw_now(const struct picture *p, int64_t now)
{
	if (now > p->from && now < p->until)
		fprintf(p->out, "<path class=\"now\" d=\"M%.1f %dV%.1f\"/>\n",
			x_of(p, now), TOP - 4, TOP + p->row * p->n_nodes);
}

static void draw_legend(const struct picture *p)
{
	double x = p->left, y = TOP + p->row * p->n_nodes + 24;

	for (int who = RSPB_N_WHO - 1; who >= 0; who--) {
		if (!p->used[who])
			continue;
		fprintf(p->out,
			"<g class=\"%s\"><rect x=\"%.0f\" y=\"%.0f\" "
			"width=\"12\" height=\"12\"/></g><text x=\"%.0f\" "
			"y=\"%.0f\">%s</text>\n",
			rspb_who_names[who], x, y, x + 18, y + 10,
			rspb_who_names[who]);
		x += 40 + LABEL_WIDE * (double) strlen(rspb_who_names[who]);
	}
}

static void lay_out(struct picture *p)
{
	size_t longest = 0;

	p->row = (double) TALL / p->n_nodes;
	if (p->row > ROW_MOST)
		p->row = ROW_MOST;
	for (uint32_t n = 0; n < p->n_nodes; n++)
		if (strlen(node_name(p, n)) > longest)
			longest = strlen(node_name(p, n));
	if (longest > LABEL_MOST)
		longest = LABEL_MOST;
	p->left = 20 + LABEL_WIDE * (double) longest;
}

static int draw(struct picture *p, json_object *document, struct rspb_err *err)
{
	double tall = TOP + p->row * p->n_nodes + LEGEND;
	const char *cluster = rspb_answer_text(document, "cluster");

	fprintf(p->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
		"aria-labelledby=\"title desc\" viewBox=\"0 0 %d %.0f\" "
		"width=\"%d\" height=\"%.0f\">\n",
		WIDTH, tall, WIDTH, tall);
	describe(p, cluster);
	fprintf(p->out,
		"%s<rect class=\"back\" width=\"%d\" height=\"%.0f\"/>\n<text "
		"x=\"10\" y=\"20\" font-weight=\"bold\">",
		style, WIDTH, tall);
	put_text(p->out, cluster);
	fputs("</text>\n", p->out);
	draw_axis(p);
	if (draw_all(p, p->others, err) || draw_all(p, p->bookings, err))
		return -1;
	draw_now(p, rspb_answer_number(document, "time"));
	draw_labels(p);
	draw_legend(p);
	fputs("</svg>\n", p->out);
	if (fflush(p->out) || ferror(p->out))
		return rspb_fail(err, "the picture cannot be written: %s",
				 strerror(errno));
	return 0;
}

int rspb_svg_write(FILE *out, json_object *document, int64_t from,
		   int64_t until, struct rspb_err *err)
{
	struct picture p = {
		.out = out,
		.nodes = rspb_answer_list(document, "nodes"),
		.bookings = rspb_answer_list(document, "bookings"),
		.others = rspb_answer_list(document, "others"),
		.from = from,
		.until = until,
	};
	int rc;

	if (!length_of(p.nodes))
		return rspb_fail(err, "the calendar has no nodes");
	p.n_nodes = (uint32_t) length_of(p.nodes);
	p.on = rspb_nodeset_create(p.n_nodes);
	if (!p.on)
		return rspb_fail(err, "out of memory");
	lay_out(&p);
	rc = draw(&p, document, err);
	rspb_nodeset_destroy(p.on);
	rspb_lanes_fini(&p.lanes);
	return rc;
}
