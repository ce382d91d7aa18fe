/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One page without any other file: verdicts first, then the pictures. */
#include <string.h>

#include "contrib/sim/figures/claims.h"
#include "contrib/sim/figures/draw.h"
#include "contrib/sim/figures/page.h"
#include "contrib/sim/report/svg.h"

static const char *const classes[SIM_VERDICTS] = { "yes", "part", "open",
						   "no" };

static const struct paper {
	const char *id, *title;
} papers[] = {
	{ "000", "Min: Scheduling Advance Reservations with Priorities in "
		 "Grid Computing Systems" },
	{ "001",
	  "Varvarigos, Doulamis, Doulamis, Varvarigou: Timed/Advance "
	  "Reservation Schemes and Scheduling Algorithms for QoS Resource "
	  "Management in Grids" },
	{ "002", "Li et al.: advance reservation for parallel jobs with "
		 "deadlines" },
	{ "003", "Wu, Luo: Dynamic Multi-resource Advance Reservation in Grid "
		 "Environment" },
	{ "ours", "Policies of this project, and what a greedy choice gets "
		  "that knows every request beforehand" },
	{ NULL, NULL }
};

static void head(FILE *out, const struct sim_results *results)
{
	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\"><meta "
		"charset=\"utf-8\"><title>Figures and claims of the papers</title>\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n"
		"<style>body{font:16px/1.5 sans-serif;max-width:64em;margin:"
		"2em auto;padding:0 1em;color:#222}table{border-collapse:"
		"collapse;width:100%%}td,th{border-top:1px solid #ddd;padding:"
		".4em .6em;text-align:left;vertical-align:top}.yes{color:"
		"#00694b}.part{color:#8a5a00}.no{color:#a8320a}td.v{font-"
		"weight:bold;white-space:nowrap}small{color:#555}svg{max-"
		"width:100%%;height:auto;margin:1em 0}</style>\n<h1>Do the "
		"papers' claims hold?</h1>\n<p>Decided from %zu runs per "
		"point with seeds %llu to %llu, with 95 %% confidence "
		"intervals of differences on the same workloads: a point "
		"counts for or against a claim when its interval lies wholly "
		"on one side. <b>Holds</b>: no point against, at least %d "
		"for it, and as many as are undecided. <b>Undecided</b>: none "
		"against, and fewer for it. <b>Partly</b>: more for it than "
		"against. Otherwise it <b>does not hold</b>.</p>\n",
		results->runs, (unsigned long long) results->seed,
		(unsigned long long) (results->seed + results->runs - 1),
		SIM_DECIDED);
}

static void claims_of(FILE *out, const struct sim_results *results,
		      const char *paper)
{
	char numbers[256];
	enum sim_verdict verdict;
	const struct sim_claim *first = sim_claims;

	while (first->paper && strcmp(first->paper, paper) != 0)
		first++;
	if (!first->paper)
		return;
	fputs("<table><tr><th>claim<th>verdict<th>numbers\n", out);
	for (const struct sim_claim *c = first; c->paper; c++) {
		if (strcmp(c->paper, paper))
			continue;
		verdict = sim_claim_judge(c, results, numbers, sizeof(numbers));
		fputs("<tr><td>", out);
		sim_page_text(out, c->text);
		fprintf(out, "<td class=\"v %s\">%s<td>", classes[verdict],
			sim_verdict_names[verdict]);
		sim_page_text(out, sim_metric_rows[c->metric].name);
		fputs(", ", out);
		sim_page_text(out, numbers);
		if (c->note) {
			fputs("<br><small>", out);
			sim_page_text(out, c->note);
			fputs("</small>", out);
		}
		fputc('\n', out);
	}
	fputs("</table>\n", out);
}

/* The command that prints the numbers of the first point. */
static void command_of(FILE *out, const struct sim_results *results,
		       const struct sim_figure *figure)
{
	fprintf(out, "<p><small>The first point: <code>rspb-sim model %s",
		figure->model);
	for (int i = 0; i < SIM_FIGURE_FIXED && figure->fixed[i]; i++)
		fprintf(out, " %s", figure->fixed[i]);
	for (int i = 0; i < SIM_FIGURE_SWEEPS && figure->sweep[i].param; i++)
		fprintf(out, " %s=%.9g", figure->sweep[i].param,
			figure->sweep[i].scale * figure->x[0] +
				figure->sweep[i].offset);
	fprintf(out, " --seed %llu --runs %zu --compare ",
		(unsigned long long) results->seed, results->runs);
	for (size_t i = 0; i < sim_figure_presets(figure); i++)
		fprintf(out, "%s%s", i ? "," : "", figure->presets[i]);
	fputs("</code></small></p>\n", out);
}

static void pictures_of(FILE *out, const struct sim_results *results,
			const char *paper)
{
	for (size_t i = 0; i < results->n; i++) {
		const struct sim_figure *figure = results->figures[i].figure;

		if (strcmp(figure->paper, paper))
			continue;
		for (size_t d = 0;
		     d < SIM_FIGURE_CHARTS && figure->drawn[d].name; d++)
			sim_figure_draw(out, &results->figures[i], d);
		command_of(out, results, figure);
	}
}

void sim_page_write(FILE *out, const struct sim_results *results)
{
	head(out, results);
	for (const struct paper *paper = papers; paper->id; paper++) {
		bool any = false;

		for (size_t i = 0; i < results->n; i++)
			any |= !strcmp(results->figures[i].figure->paper,
				       paper->id);
		if (!any)
			continue;
		fprintf(out, "<h2>%s</h2>\n<p>", paper->id);
		sim_page_text(out, paper->title);
		fputs("</p>\n", out);
		claims_of(out, results, paper->id);
		pictures_of(out, results, paper->id);
	}
	fputs("</html>\n", out);
}
