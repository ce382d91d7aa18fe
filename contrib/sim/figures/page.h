/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RSPB_SIM_FIGURES_PAGE_H
#define RSPB_SIM_FIGURES_PAGE_H

#include <stdio.h>

#include "contrib/sim/figures/results.h"

/* The HTML page: claims with verdicts, then all pictures. */
void sim_page_write(FILE *out, const struct sim_results *results);

#endif
