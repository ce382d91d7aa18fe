/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that all simulating commands share, and how results are shown. */
#ifndef RSPB_SIM_REPORT_OPTIONS_H
#define RSPB_SIM_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "contrib/sim/replay/lp.h"
#include "contrib/sim/replay/metrics.h"

enum { SIM_PRESETS = 32, SIM_LEFT = 32 };

struct sim_options {
	char *names; /* owned; what presets point into */
	const char *presets[SIM_PRESETS];
	size_t n_presets;
	const char *conf; /* rspb.conf, NULL: none */
	struct rspb_config config;
	uint64_t seed;
	size_t runs;
	int jobs; /* processes, 0: one per processor */
	bool json, csv, quiet, help;
	const char *plot;      /* file, NULL: none */
	const char *out;       /* folder, for figures */
	const char *paper;     /* for figures */
	const char *export_lp; /* file, NULL: simulate */
	struct sim_lp_options lp;
	/* What is no such option: model, file, name=value. */
	const char *left[SIM_LEFT];
	size_t n_left;
};

/* RET 0, or -1 with err. Reads the configuration file too. */
int sim_options_parse(struct sim_options *options, int argc, char **argv,
		      struct rspb_err *err);
/* Refuse --export-lp where there is nothing to export. RET 0 or -1 with err. */
int sim_options_no_lp(const struct sim_options *options, const char *command,
		      struct rspb_err *err);
void sim_options_fini(struct sim_options *options);
/* The lines of --help about them. */
void sim_options_help(FILE *out);
/* Split a list by commas into presets, if none were given. 0 or -1. */
int sim_options_presets(struct sim_options *options, const char *list,
			struct rspb_err *err);

/* metrics[preset * runs + run]; as a table, JSON or CSV on stdout, and as a
 * plot. RET 0 or -1 with err. */
int sim_report(const struct sim_options *options, const char *title,
	       const struct sim_metrics *metrics, struct rspb_err *err);

#endif
