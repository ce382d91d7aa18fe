/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the numbers of a figure stand in a run of all. */
#include <assert.h>
#include <string.h>

#include "contrib/sim/figures/results.h"

size_t sim_figure_presets(const struct sim_figure *figure)
{
	size_t n = 0;

	while (n < SIM_FIGURE_PRESETS && figure->presets[n])
		n++;
	return n;
}

const struct sim_metrics *sim_figure_cell(const struct sim_figure_runs *f, size_t point,
					  const char *preset)
{
	size_t presets = sim_figure_presets(f->figure), p = 0;

	while (strcmp(f->figure->presets[p], preset)) {
		p++;
		assert(p < presets);
	}
	return f->metrics + (point * presets + p) * f->runs;
}

const struct sim_figure_runs *sim_results_find(const struct sim_results *r, const char *id)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->figures[i].figure->id, id))
			return &r->figures[i];
	return NULL;
}
