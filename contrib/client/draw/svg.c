/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/draw/svg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/nodeset.h"
#include "common/wire/texts.h"
#include "contrib/client/client.h"
#include "contrib/client/draw/axis.h"
#include "contrib/client/draw/lanes.h"
#include "contrib/client/draw/svg_words.h"
#include "contrib/client/output.h"
#include "contrib/client/who.h"

enum {
	WIDTH = 1200,
	TOP = 50,
	RIGHT = 15,
	LEGEND = 44,
	TALL = 800,	 /* of all rows, where there are many */
	ROW_MOST = 34,	 /* of one */
	LABEL_EACH = 12, /* a line of text */
	LABEL_WIDE = 7,	 /* a character of a label */
	LABEL_MOST = 24, /* characters */
	TICKS_MOST = 16, /* of hours, and of days */
	DAYS_MOST = 10,
	GPUS_MOST = 64,
	LANE_LEAST = 6, /* of each GPU */
	TOLD_MOST = 30	/* own bookings in the description */
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
	uint32_t *gpus; /* owned: of each node */
};

static size_t length_of(json_object *list)
{
	return list ? json_object_array_length(list) : 0;
}

static bool is_seen(const struct picture *p, json_object *item)
{
	return rspb_json_int(item, "start") < p->until && rspb_json_int(item, "end") > p->from;
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
	rspb_svg_put(p->out, *cluster ? cluster : "the cluster");
	fprintf(p->out,
		", %s to %s</title>\n<desc id=\"desc\">%" PRIu32
		" nodes from top to bottom, time from left to right: %zu "
		"bookings, %zu of them yours.",
		rspb_output_moment(p->from, from), rspb_output_moment(p->until, until), p->n_nodes,
		n, mine);
	for (size_t i = 0, told = 0; i < length_of(p->bookings) && told < TOLD_MOST; i++) {
		json_object *item = json_object_array_get_idx(p->bookings, i);

		if (!is_seen(p, item) || rspb_who_of(item) != RSPB_WHO_MINE)
			continue;
		fputc(' ', p->out);
		rspb_svg_tell(p->out, p->nodes, p->on, item);
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
	return p->left + wide * (double) (at - p->from) / (double) (p->until - p->from);
}

struct bar {
	json_object *item;
	double left, wide, low, part;
};

static void draw_run(struct picture *p, const struct bar *bar, uint32_t first, uint32_t n)
{
	double all = p->row * n, gap = p->row >= 4 ? 2 : 0,
	       tall = all * bar->part > gap + 0.2 ? all * bar->part - gap : 0.2,
	       top = TOP + p->row * first + all * (1 - bar->low - bar->part) + gap / 2;

	fprintf(p->out,
		"<rect x=\"%.1f\" y=\"%.2f\" width=\"%.1f\" "
		"height=\"%.2f\"%s/>",
		bar->left, top, bar->wide, tall,
		tall < 4 || bar->wide < 4 ? " stroke=\"none\"" : "");
	if (rspb_who_of(bar->item) >= RSPB_WHO_BOOKED)
		rspb_svg_title(p->out, bar->item, bar->left, top, bar->wide, tall);
}

/* Begin an item with its tooltip and its style. */
static void begin_item(struct picture *p, json_object *item, enum rspb_who who)
{
	bool booked = who >= RSPB_WHO_BOOKED && *rspb_json_text(item, "user"),
	     less = json_object_object_get_ex(item, "held", NULL) ||
		    (json_object_object_get_ex(item, "benefit", NULL) &&
		     rspb_json_real(item, "benefit") < 1);

	fprintf(p->out, "<g class=\"%s%s\"><title>", rspb_who_names[who],
		booked && less ? " less" : "");
	rspb_svg_tell(p->out, p->nodes, p->on, item);
	fputs("</title>", p->out);
}

/* RET how much a part takes of the scarcest resource of its first node: of its cores, or of its
 * GPUs, each of which is a lane. */
static double scarcest(const struct picture *p, json_object *item, uint32_t node, double part)
{
	int64_t gpus = rspb_gres_gpus(rspb_json_text(item, "gres"), NULL);
	double taken;

	if (!gpus || node >= p->n_nodes || !p->gpus[node])
		return part;
	taken = (double) gpus / p->gpus[node];
	return taken > 1 ? 1 : taken > part ? taken : part;
}

static int draw_item(struct picture *p, json_object *item, struct rspb_err *err)
{
	int64_t start = rspb_json_int(item, "start"), end = rspb_json_int(item, "end");
	double left = x_of(p, start), wide = x_of(p, end) - left - 1;
	struct bar bar = { item, left, wide > 0.5 ? wide : 0.5, 0, rspb_answer_part(item) };
	enum rspb_who who = rspb_who_of(item);
	uint32_t node, first;

	if (!is_seen(p, item))
		return 0;
	p->used[who] = true;
	begin_item(p, item, who);
	if (rspb_nodeset_parse(p->on, rspb_json_text(item, "on"), err))
		return -1;
	node = rspb_nodeset_next(p->on, 0);
	if (bar.part < 1)
		bar.part = scarcest(p, item, node, bar.part);
	if (bar.part < 1)
		bar.low = rspb_lanes_put(&p->lanes, node, start, end, bar.part);
	while (node < p->n_nodes) {
		first = node;
		/* Parts of neighbours lie each in its own row. */
		do
			node++;
		while (bar.part >= 1 && node < p->n_nodes && rspb_nodeset_has(p->on, node));
		draw_run(p, &bar, first, node - first);
		node = rspb_nodeset_next(p->on, node);
	}
	fputs("</g>\n", p->out);
	return 0;
}

/* Draw the items; the more useful ones lie above. */
static int draw_all(struct picture *p, json_object *list, struct rspb_err *err)
{
	int rc = 0;

	for (int who = 0; who < RSPB_N_WHO; who++)
		for (size_t i = 0; i < length_of(list) && !rc; i++) {
			json_object *item = json_object_array_get_idx(list, i);

			if ((int) rspb_who_of(item) == who)
				rc = draw_item(p, item, err);
		}
	return rc;
}

/* --- what stands around --------------------------------------------------------- */

static void draw_labels(const struct picture *p)
{
	uint32_t each = 1;

	while (p->row * each < LABEL_EACH)
		each++;
	for (uint32_t n = 0; n < p->n_nodes; n += each) {
		fprintf(p->out, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">", p->left - 6,
			TOP + p->row * n + (p->row < LABEL_EACH ? LABEL_EACH / 2.0 : p->row / 2) +
				4);
		rspb_svg_put(p->out, rspb_svg_node(p->nodes, n));
		fputs("</text>\n", p->out);
	}
}

/* A line for each tick, and its text in the middle above it; of days, behind. */
static void draw_ticks(const struct picture *p, int64_t step)
{
	double bottom = TOP + p->row * p->n_nodes;
	bool days = step >= RSPB_AXIS_DAY;
	char text[RSPB_AXIS_TEXT];

	for (int64_t at = rspb_axis_next(p->from - 1, step); at < p->until;
	     at = rspb_axis_next(at, step)) {
		double x = x_of(p, at);

		fprintf(p->out, "<path class=\"%s\" d=\"M%.1f %dV%.1f\"/>", days ? "day" : "line",
			x, days ? TOP - 36 : TOP - 4, bottom);
		rspb_axis_text(at, step, text);
		/* Midnight has the name of its day. */
		if (days ? x > WIDTH - RIGHT - 80 : !strcmp(text, "00:00"))
			continue;
		fprintf(p->out, "<text x=\"%.1f\" y=\"%d\"%s>%s</text>\n", days ? x + 4 : x,
			days ? TOP - 25 : TOP - 8,
			days ? " font-weight=\"bold\"" : " text-anchor=\"middle\"", text);
	}
}

static void draw_axis(const struct picture *p)
{
	int64_t span = p->until - p->from;
	int64_t hours = rspb_axis_step(span, TICKS_MOST);
	int64_t days = rspb_axis_step(span, DAYS_MOST);
	char text[RSPB_AXIS_TEXT];

	if (hours < RSPB_AXIS_DAY)
		draw_ticks(p, hours);
	draw_ticks(p, days < RSPB_AXIS_DAY ? RSPB_AXIS_DAY : days);
	if (x_of(p, rspb_axis_next(p->from - 1, RSPB_AXIS_DAY)) > p->left + 90)
		fprintf(p->out,
			"<text x=\"%.1f\" y=\"%d\" font-weight=\"bold\">"
			"%s</text>\n",
			p->left, TOP - 25, rspb_axis_text(p->from, RSPB_AXIS_DAY, text));
	fprintf(p->out,
		"<text class=\"faint\" x=\"%.0f\" y=\"%d\" "
		"text-anchor=\"end\">%s</text>\n",
		p->left - 6, TOP - 8, rspb_axis_zone(p->from, text));
}

/* A line below each row, where rows are as high as their names. */
static void draw_rows(const struct picture *p)
{
	if (p->row < LABEL_EACH)
		return;
	for (uint32_t n = 0; n <= p->n_nodes; n++)
		fprintf(p->out, "<path class=\"line\" d=\"M%.0f %.1fH%d\"/>\n", p->left,
			TOP + p->row * n, WIDTH - RIGHT);
	for (uint32_t n = 0; n < p->n_nodes; n++)
		for (uint32_t i = 1; p->row >= LANE_LEAST * p->gpus[n] && i < p->gpus[n]; i++)
			fprintf(p->out, "<path class=\"line lane\" d=\"M%.0f %.1fH%d\"/>\n",
				p->left, TOP + p->row * (n + (double) i / p->gpus[n]),
				WIDTH - RIGHT);
}

static void draw_now(const struct picture *p, int64_t now)
{
	if (now >= p->from && now < p->until)
		fprintf(p->out, "<path class=\"now\" d=\"M%.1f %dV%.1f\"/>\n", x_of(p, now),
			TOP - 4, TOP + p->row * p->n_nodes);
}

static void draw_legend(const struct picture *p, const char *cluster)
{
	double x = p->left, y = TOP + p->row * p->n_nodes + 16;

	for (int who = RSPB_N_WHO - 1; who >= 0; who--) {
		if (!p->used[who])
			continue;
		fprintf(p->out,
			"<g class=\"%s\"><rect x=\"%.0f\" y=\"%.0f\" "
			"width=\"12\" height=\"12\"/></g><text x=\"%.0f\" "
			"y=\"%.0f\">%s</text>\n",
			rspb_who_names[who], x, y, x + 18, y + 10, rspb_who_names[who]);
		x += 40 + LABEL_WIDE * (double) strlen(rspb_who_names[who]);
	}
	fprintf(p->out,
		"<text class=\"faint\" x=\"%d\" y=\"%.0f\" "
		"text-anchor=\"end\">",
		WIDTH - RIGHT, y + 10);
	rspb_svg_put(p->out, cluster);
	fputs("</text>\n", p->out);
}

/* Count the GPUs of each node, from the classes of nodes if the calendar has any. */
static void count_gpus(struct picture *p, json_object *classes)
{
	for (size_t i = 0; i < length_of(classes); i++) {
		json_object *class = json_object_array_get_idx(classes, i);
		int64_t gpus = rspb_json_int(class, "gpus");

		if (gpus < 1 || gpus > GPUS_MOST ||
		    rspb_nodeset_parse(p->on, rspb_json_text(class, "on"), NULL))
			continue;
		RSPB_NODESET_EACH (n, p->on)
			p->gpus[n] = (uint32_t) gpus;
	}
}

static void lay_out(struct picture *p)
{
	size_t longest = 0;

	p->row = (double) TALL / p->n_nodes;
	if (p->row > ROW_MOST)
		p->row = ROW_MOST;
	for (uint32_t n = 0; n < p->n_nodes; n++)
		if (strlen(rspb_svg_node(p->nodes, n)) > longest)
			longest = strlen(rspb_svg_node(p->nodes, n));
	if (longest > LABEL_MOST)
		longest = LABEL_MOST;
	p->left = 20 + LABEL_WIDE * (double) (longest > 5 ? longest : 5);
}

static int draw(struct picture *p, json_object *document, struct rspb_err *err)
{
	double tall = TOP + p->row * p->n_nodes + LEGEND;
	const char *cluster = rspb_json_text(document, "cluster");

	fprintf(p->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
		"aria-labelledby=\"title desc\" viewBox=\"0 0 %d %.0f\" "
		"width=\"%d\" height=\"%.0f\">\n",
		WIDTH, tall, WIDTH, tall);
	describe(p, cluster);
	fprintf(p->out, "%s</style>\n<rect class=\"back\" width=\"%d\" height=\"%.0f\"/>\n",
		rspb_svg_style, WIDTH, tall);
	draw_rows(p);
	draw_axis(p);
	if (draw_all(p, p->others, err) || draw_all(p, p->bookings, err))
		return -1;
	draw_now(p, rspb_json_int(document, "time"));
	draw_labels(p);
	draw_legend(p, cluster);
	fputs("</svg>\n", p->out);
	if (fflush(p->out) || ferror(p->out))
		return rspb_fail(err, "the picture cannot be written: %s", strerror(errno));
	return 0;
}

int rspb_svg_write(FILE *out, json_object *document, int64_t from, int64_t until,
		   struct rspb_err *err)
{
	struct picture p = {
		.out = out,
		.nodes = rspb_json_list(document, "nodes"),
		.bookings = rspb_json_list(document, "bookings"),
		.others = rspb_json_list(document, "others"),
		.from = from,
		.until = until,
	};
	int rc;

	if (!length_of(p.nodes))
		return rspb_fail(err, "the calendar has no nodes");
	p.n_nodes = (uint32_t) length_of(p.nodes);
	p.on = rspb_nodeset_create(p.n_nodes);
	p.gpus = calloc(p.n_nodes, sizeof(*p.gpus));
	if (!p.on || !p.gpus) {
		rspb_nodeset_destroy(p.on);
		free(p.gpus);
		return rspb_fail(err, "out of memory");
	}
	count_gpus(&p, rspb_json_list(document, "classes"));
	lay_out(&p);
	rc = draw(&p, document, err);
	free(p.gpus);
	rspb_nodeset_destroy(p.on);
	rspb_lanes_fini(&p.lanes);
	return rc;
}
