/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/report/svg.h"
#include "common/base/text.h"

#include <math.h>
#include <string.h>

enum {
	WIDTH = 760,
	HEIGHT = 460,
	LEFT = 84,
	RIGHT = 180,
	TOP = 50,
	BOTTOM = 64,
	PLOT_W = WIDTH - LEFT - RIGHT,
	PLOT_H = HEIGHT - TOP - BOTTOM
};

/* Okabe and Ito's colours, which most readers can tell apart. */
/* clang-format off */
static const char *const colours[] = {
	"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
	"#000000", "#8c6d31"
};
/* clang-format on */
enum { COLOURS = sizeof(colours) / sizeof(colours[0]) };

struct scale {
	double low, high, step;
};

struct canvas {
	FILE *out;
	const struct sim_chart *chart;
	struct scale x, y;
};

void sim_page_text(FILE *out, const char *s)
{
	for (; *s; s++) {
		const char *entity = rspb_text_entity(*s);

		if (entity)
			fputs(entity, out);
		else
			fputc(*s, out);
	}
}

/* In an attribute, too. */
static void text(FILE *out, const char *s)
{
	for (; *s; s++) {
		const char *entity = *s == '"' ? "&quot;" : rspb_text_entity(*s);

		if (entity)
			fputs(entity, out);
		else
			fputc(*s, out);
	}
}

/* Round steps of 1, 2 or 5 times a power of ten, about n of them. */
static struct scale nice(double low, double high, int n)
{
	struct scale scale;
	double raw, power;

	if (!(high > low)) {
		low -= fabs(low) * 0.1 + 0.5;
		high += fabs(high) * 0.1 + 0.5;
	}
	raw = (high - low) / n;
	power = pow(10, floor(log10(raw)));
	raw /= power;
	scale.step = power * (raw < 1.5 ? 1 : raw < 3.5 ? 2 : raw < 7.5 ? 5 : 10);
	scale.low = floor(low / scale.step + 1e-9) * scale.step;
	scale.high = ceil(high / scale.step - 1e-9) * scale.step;
	return scale;
}

static double at_x(const struct canvas *c, double x)
{
	return LEFT + (x - c->x.low) / (c->x.high - c->x.low) * PLOT_W;
}

static double at_y(const struct canvas *c, double y)
{
	return TOP + PLOT_H - (y - c->y.low) / (c->y.high - c->y.low) * PLOT_H;
}

static double half_of(struct sim_estimate e)
{
	return isfinite(e.half) ? e.half : 0;
}

static struct scale range_y(const struct sim_chart *chart)
{
	double low = INFINITY, high = -INFINITY, least = INFINITY;

	for (size_t s = 0; s < chart->n_series; s++)
		for (size_t i = 0; i < chart->n; i++) {
			struct sim_estimate e = chart->series[s].y[i];

			if (!isfinite(e.mean))
				continue;
			least = fmin(least, e.mean);
			low = fmin(low, e.mean - half_of(e));
			high = fmax(high, e.mean + half_of(e));
		}
	if (!isfinite(low))
		low = 0, high = 1;
	/* An interval may reach below what cannot be negative. */
	if (least >= 0)
		low = fmax(low, 0);
	/* From zero when zero is not far; bars always. */
	if (chart->bars || (low > 0 && low < 0.4 * high))
		low = fmin(low, 0);
	return nice(low, high, 6);
}

static void frame(const struct canvas *c)
{
	FILE *out = c->out;

	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
		"%d %d\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
		" font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" "
		"fill=\"#fff\"/>\n<text x=\"%d\" y=\"28\" font-size=\"16\" "
		"font-weight=\"bold\">",
		WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT);
	text(out, c->chart->title);
	fprintf(out, "</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", LEFT + PLOT_W / 2,
		HEIGHT - 16);
	text(out, c->chart->x_label);
	fprintf(out,
		"</text>\n<text transform=\"translate(20 %d) rotate(-90)\""
		" text-anchor=\"middle\">",
		TOP + PLOT_H / 2);
	text(out, c->chart->y_label);
	fputs("</text>\n", out);
}

static void grid(const struct canvas *c)
{
	FILE *out = c->out;

	for (int i = 0;; i++) {
		double y = c->y.low + i * c->y.step;

		if (y > c->y.high + 0.01 * c->y.step)
			break;
		if (fabs(y) < 1e-9 * c->y.step)
			y = 0;
		fprintf(out,
			"<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\""
			" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
			"text-anchor=\"end\">%.6g</text>\n",
			LEFT, LEFT + PLOT_W, at_y(c, y), at_y(c, y), LEFT - 8, at_y(c, y) + 4, y);
	}
	fprintf(out,
		"<path d=\"M%d %dV%dH%d\" fill=\"none\" "
		"stroke=\"#333\"/>\n",
		LEFT, TOP, TOP + PLOT_H, LEFT + PLOT_W);
}

static void tick_x(const struct canvas *c, double x)
{
	fprintf(c->out,
		"<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" "
		"stroke=\"#333\"/><text x=\"%.1f\" y=\"%d\" "
		"text-anchor=\"middle\">",
		x, x, TOP + PLOT_H, TOP + PLOT_H + 5, x, TOP + PLOT_H + 20);
}

static void ticks_x(const struct canvas *c)
{
	const struct sim_chart *chart = c->chart;

	if (chart->x_names) {
		for (size_t i = 0; i < chart->n; i++) {
			tick_x(c, at_x(c, (double) i));
			text(c->out, chart->x_names[i]);
			fputs("</text>\n", c->out);
		}
		return;
	}
	for (int i = 0; c->x.low + i * c->x.step < c->x.high + 0.01 * c->x.step; i++) {
		tick_x(c, at_x(c, c->x.low + i * c->x.step));
		fprintf(c->out, "%.6g</text>\n", c->x.low + i * c->x.step);
	}
}

static double x_of(const struct sim_chart *chart, size_t s, size_t i)
{
	if (chart->x_names)
		return (double) i;
	return chart->series[s].x ? chart->series[s].x[i] : chart->x[i];
}

static struct scale range_x(const struct sim_chart *chart)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t s = 0; s < chart->n_series; s++)
		for (size_t i = 0; i < chart->n; i++) {
			low = fmin(low, x_of(chart, s, i));
			high = fmax(high, x_of(chart, s, i));
		}
	return nice(low, high, 8);
}

static void whisker(const struct canvas *c, double x, struct sim_estimate e, const char *colour)
{
	double foot = fmax(e.mean - e.half, c->y.low);

	if (!(half_of(e) > 0))
		return;
	fprintf(c->out,
		"<path d=\"M%.1f %.1fV%.1fm-4 0h8M%.1f %.1fm-4 0h8\" "
		"fill=\"none\" stroke=\"%s\"/>\n",
		x, at_y(c, foot), at_y(c, e.mean + e.half), x, at_y(c, foot), colour);
}

/* Write the tooltip of a mark; the caller ends the group. */
static void tell_value(const struct canvas *c, size_t s, size_t i)
{
	const struct sim_chart *chart = c->chart;
	struct sim_estimate e = chart->series[s].y[i];

	fputs("<g class=\"p\"><title>", c->out);
	text(c->out, chart->series[s].name);
	if (chart->x_names) {
		fputs(", ", c->out);
		text(c->out, chart->x_names[i]);
	} else {
		fprintf(c->out, ", %.6g", x_of(chart, s, i));
	}
	fprintf(c->out, ": %.6g", e.mean);
	if (half_of(e) > 0)
		fprintf(c->out, " +-%.3g", e.half);
	fputs("</title>\n", c->out);
}

static void marker(FILE *out, size_t s, double x, double y)
{
	const char *colour = colours[s % COLOURS];

	switch (s % 4) {
	case 0:
		fprintf(out,
			"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" "
			"fill=\"%s\"/>\n",
			x, y, colour);
		break;
	case 1:
		fprintf(out,
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"8\" "
			"height=\"8\" fill=\"%s\"/>\n",
			x - 4, y - 4, colour);
		break;
	case 2:
		fprintf(out, "<path d=\"M%.1f %.1fl5 9h-10z\" fill=\"%s\"/>\n", x, y - 5, colour);
		break;
	default:
		fprintf(out,
			"<path d=\"M%.1f %.1fl5 5-5 5-5-5z\" "
			"fill=\"%s\"/>\n",
			x, y - 5, colour);
	}
}

static void line_series(const struct canvas *c, size_t s)
{
	const struct sim_chart *chart = c->chart;
	const char *colour = colours[s % COLOURS];
	const char *go = "M";

	fputs("<path d=\"", c->out);
	for (size_t i = 0; i < chart->n; i++) {
		if (!isfinite(chart->series[s].y[i].mean)) {
			go = "M";
			continue;
		}
		fprintf(c->out, "%s%.1f %.1f", go, at_x(c, x_of(chart, s, i)),
			at_y(c, chart->series[s].y[i].mean));
		go = "L";
	}
	/* Nearly identical curves stay visible under each other. */
	fprintf(c->out,
		"\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s"
		"/>\n",
		colour, s % 2 ? " stroke-dasharray=\"7 4\"" : "");
	for (size_t i = 0; i < chart->n; i++) {
		struct sim_estimate e = chart->series[s].y[i];

		if (!isfinite(e.mean))
			continue;
		tell_value(c, s, i);
		whisker(c, at_x(c, x_of(chart, s, i)), e, colour);
		marker(c->out, s, at_x(c, x_of(chart, s, i)), at_y(c, e.mean));
		fputs("</g>\n", c->out);
	}
}

static void bar_series(const struct canvas *c, size_t s)
{
	const struct sim_chart *chart = c->chart;
	double slot = PLOT_W / (double) chart->n * 0.8;
	double width = slot / (double) chart->n_series;

	for (size_t i = 0; i < chart->n; i++) {
		struct sim_estimate e = chart->series[s].y[i];
		double x = at_x(c, (double) i) - slot / 2 + (double) s * width;

		if (!isfinite(e.mean))
			continue;
		tell_value(c, s, i);
		fprintf(c->out,
			"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
			"height=\"%.1f\" fill=\"%s\"/>\n",
			x, at_y(c, e.mean), width * 0.9, at_y(c, 0) - at_y(c, e.mean),
			colours[s % COLOURS]);
		whisker(c, x + width * 0.45, e, "#333");
		fputs("</g>\n", c->out);
	}
}

static void legend(const struct canvas *c)
{
	for (size_t s = 0; s < c->chart->n_series; s++) {
		double y = TOP + 10 + 20 * (double) s;

		marker(c->out, s, LEFT + PLOT_W + 22, y);
		fprintf(c->out, "<text x=\"%d\" y=\"%.1f\">", LEFT + PLOT_W + 34, y + 4);
		text(c->out, c->chart->series[s].name);
		fputs("</text>\n", c->out);
	}
}

void sim_svg_chart(FILE *out, const struct sim_chart *chart)
{
	struct canvas c = { .out = out, .chart = chart };

	c.y = range_y(chart);
	if (chart->x_names)
		c.x = (struct scale){ -0.5, (double) chart->n - 0.5, 1 };
	else
		c.x = range_x(chart);
	frame(&c);
	grid(&c);
	ticks_x(&c);
	for (size_t s = 0; s < chart->n_series; s++) {
		if (chart->bars)
			bar_series(&c, s);
		else
			line_series(&c, s);
	}
	legend(&c);
	fputs("</svg>\n", out);
}
