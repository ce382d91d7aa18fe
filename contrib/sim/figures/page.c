/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a page that needs no other file: for each figure theirs, ours, verdicts, command. */
#include <stdlib.h>
#include <string.h>

#include "contrib/sim/figures/claims.h"
#include "contrib/sim/figures/draw.h"
#include "contrib/sim/figures/page.h"
#include "contrib/sim/figures/theirs.h"
#include "contrib/sim/report/svg.h"

static const char *const classes[SIM_VERDICTS] = { "yes", "part", "open", "no" };

static const struct paper {
	const char *id, *title;
} papers[] = { { "000", "Min: Scheduling Advance Reservations with Priorities in "
			"Grid Computing Systems" },
	       { "001", "Varvarigos, Doulamis, Doulamis, Varvarigou: Timed/Advance "
			"Reservation Schemes and Scheduling Algorithms for QoS Resource "
			"Management in Grids" },
	       { "002", "Li et al.: advance reservation for parallel jobs with "
			"deadlines" },
	       { "003", "Wu, Luo: Dynamic Multi-resource Advance Reservation in Grid "
			"Environment" },
	       { "004", "Min, Maheswaran: Scheduling Co-Reservations with Priorities "
			"in Grid Computing Systems" },
	       { "ours", "Policies of this project, and what a greedy choice gets "
			 "that knows every request beforehand" },
	       { NULL, NULL } };

static void head(FILE *out, const struct sim_results *results)
{
	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\"><meta "
		"charset=\"utf-8\"><title>Figures and claims of the papers</title>\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n"
		"<style>body{font:16px/1.5 sans-serif;max-width:72em;margin:"
		"2em auto;padding:0 1em;color:#222}table{border-collapse:"
		"collapse;width:100%%}td,th{border-top:1px solid #ddd;padding:"
		".4em .6em;text-align:left;vertical-align:top}.yes{color:"
		"#00694b}.part{color:#8a5a00}.no{color:#a8320a}td.v{font-"
		"weight:bold;white-space:nowrap}small{color:#555}svg{max-"
		"width:100%%;height:auto}pre{font-size:80%%;overflow-x:auto;"
		"background:#f6f6f6;padding:.5em}.pair{display:grid;grid-"
		"template-columns:1fr 2fr;gap:1em}@media(max-width:50em){"
		".pair{display:block}}h3{border-top:2px solid #ddd;padding-"
		"top:1em}</style>\n<h1>The papers' figures, theirs and ours, "
		"and whether what they claim holds</h1>\n"
		"<p>Decided from %zu runs per point with seeds %llu to %llu, "
		"with 95 %% confidence intervals of differences on the same "
		"workloads: a point counts for or against a claim when its "
		"interval lies wholly on one side; one run has none, and "
		"decides nothing. <b>Holds</b>: no point against, at least %d "
		"for it, and as many as are undecided. <b>Undecided</b>: none "
		"against, and fewer for it. <b>Partly</b>: more for it than "
		"against. Otherwise it <b>does not hold</b>.</p>\n"
		"<p>Theirs: the numbers that a paper prints for a figure, and "
		"the formulas that it gives, are drawn beside ours, to the "
		"digits printed (<i>paper: ...</i>). Of all other curves there "
		"is what the paper says of them, in words, and each sentence "
		"is judged below its figure, point by point. Figures that show "
		"a case are worked.</p>\n",
		results->runs, (unsigned long long) results->seed,
		(unsigned long long) (results->seed + results->runs - 1), SIM_DECIDED);
}

static void one_claim(FILE *out, const struct sim_results *results, const struct sim_claim *claim)
{
	char numbers[256];
	enum sim_verdict verdict = sim_claim_judge(claim, results, numbers, sizeof(numbers));

	fputs("<tr><td>", out);
	sim_page_text(out, claim->text);
	fprintf(out, "<td class=\"v %s\">%s<td>", classes[verdict], sim_verdict_names[verdict]);
	sim_page_text(out, sim_metric_rows[claim->metric].name);
	fputs(", ", out);
	sim_page_text(out, numbers);
	if (claim->note) {
		fputs("<br><small>", out);
		sim_page_text(out, claim->note);
		fputs("</small>", out);
	}
	if (claim->decides && verdict != SIM_HOLDS) {
		fputs("<br><small>What decides: ", out);
		sim_page_text(out, claim->decides);
		fputs("</small>", out);
	}
	fputc('\n', out);
}

/* Write the claims about one chart. */
static void claims_of(FILE *out, const struct sim_results *results, const struct sim_figure *figure,
		      size_t drawn)
{
	const char *before = "<table><tr><th>claim<th>verdict<th>numbers\n";
	bool any = false;

	for (const struct sim_claim *c = sim_claims; c->paper; c++) {
		if (strcmp(c->figure, figure->id) || c->metric != figure->drawn[drawn].metric)
			continue;
		if (!any)
			fputs(before, out);
		any = true;
		one_claim(out, results, c);
	}
	fputs(any ? "</table>\n" : "<p><small>The paper makes no claim about it.</small></p>\n",
	      out);
}

/* The command that prints the numbers of the first point. */
static void command_of(FILE *out, const struct sim_results *results,
		       const struct sim_figure *figure)
{
	fprintf(out, "<p><small>The first point: <code>rspb-sim model %s", figure->model);
	for (int i = 0; i < SIM_FIGURE_FIXED && figure->fixed[i]; i++)
		fprintf(out, " %s", figure->fixed[i]);
	for (int i = 0; i < SIM_FIGURE_SWEEPS && figure->sweep[i].param; i++)
		fprintf(out, " %s=%.9g", figure->sweep[i].param,
			figure->sweep[i].scale * figure->x[0] + figure->sweep[i].offset);
	fprintf(out, " --seed %llu --runs %zu --compare ", (unsigned long long) results->seed,
		results->runs);
	for (size_t i = 0; i < sim_figure_presets(figure); i++)
		fprintf(out, "%s%s", i ? "," : "", figure->presets[i]);
	fputs("</code></small></p>\n", out);
}

/* A chart, beside what the paper says of it (NULL: nothing). */
static void entry(FILE *out, const struct sim_results *results, const struct sim_figure_runs *f,
		  size_t drawn, const struct sim_theirs *theirs)
{
	fputs("<h3>", out);
	sim_page_text(out, theirs ? theirs->label : f->figure->drawn[drawn].name);
	fputs(": ", out);
	sim_page_text(out, f->figure->title);
	fputs("</h3>\n", out);
	if (theirs) {
		fputs("<div class=\"pair\"><div><b>Theirs</b><p>", out);
		sim_page_text(out, theirs->says);
		fputs("</p></div><div><b>Ours</b><br>\n", out);
	}
	sim_figure_draw(out, f, drawn);
	if (theirs)
		fputs("</div></div>\n", out);
	claims_of(out, results, f->figure, drawn);
	command_of(out, results, f->figure);
}

/* RET the chart of that name in a figure. */
static size_t chart_of(const struct sim_figure *figure, const char *drawn)
{
	size_t d = 0;

	while (strcmp(figure->drawn[d].name, drawn))
		d++;
	return d;
}

static void examples_of(FILE *out, const char *paper)
{
	for (const struct sim_example *e = sim_examples; e->paper; e++) {
		char *text;
		bool good;

		if (strcmp(e->paper, paper))
			continue;
		good = sim_example_run(e, &text);
		fputs("<h3>", out);
		sim_page_text(out, e->label);
		fputs("</h3>\n<div class=\"pair\"><div><b>Theirs</b><p>", out);
		sim_page_text(out, e->says);
		fprintf(out,
			"</p><p class=\"%s\"><b>%s</b></p></div><div><b>Ours</b>"
			"<pre>rspb-sim run %s &lt;&lt;END\n",
			good ? "yes" : "no", good ? "the same" : "not the same", e->algorithm);
		sim_page_text(out, e->input);
		fputs("END</pre><pre>", out);
		sim_page_text(out, text ? text : "out of memory");
		fputs("</pre></div></div>\n", out);
		free(text);
	}
}

static void figures_of(FILE *out, const struct sim_results *results, const char *paper)
{
	for (const struct sim_theirs *t = sim_theirs; t->paper; t++) {
		const struct sim_figure_runs *f = sim_results_find(results, t->figure);

		if (f && !strcmp(t->paper, paper))
			entry(out, results, f, chart_of(f->figure, t->drawn), t);
	}
	for (size_t i = 0; i < results->n; i++) {
		const struct sim_figure_runs *f = &results->figures[i];

		for (size_t d = 0; !strcmp(f->figure->paper, paper) && d < SIM_FIGURE_CHARTS &&
				   f->figure->drawn[d].name;
		     d++)
			if (!sim_theirs_find(f->figure, f->figure->drawn[d].name))
				entry(out, results, f, d, NULL);
	}
}

void sim_page_write(FILE *out, const struct sim_results *results)
{
	head(out, results);
	for (const struct paper *paper = papers; paper->id; paper++) {
		if (results->paper && strcmp(results->paper, paper->id))
			continue;
		fprintf(out, "<h2>%s</h2>\n<p>", paper->id);
		sim_page_text(out, paper->title);
		fputs("</p>\n", out);
		figures_of(out, results, paper->id);
		examples_of(out, paper->id);
	}
	fputs("</html>\n", out);
}
