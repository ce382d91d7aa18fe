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

enum { SIM_PRESETS = 32, SIM_LEFT = 1024 };

/* The commands that have options. */
enum sim_command {
	SIM_MODEL = 1,
	SIM_TRACE = 2,
	SIM_JOURNAL = 4,
	SIM_FIGURES = 8,
	SIM_STUDY = 16,
	SIM_CHECK = 32,
};

struct sim_options {
	char *names;  /* owned; what presets point into */
	char *policy; /* the same of --policy */
	const char *presets[SIM_PRESETS];
	const char *commands[SIM_PRESETS]; /* of programs, NULL: presets and files */
	size_t n_presets;
	uint64_t answer_within; /* seconds that a program has */
	const char *conf;	/* rspb.conf, NULL: none */
	struct rspb_config config;
	uint64_t seed;
	uint64_t runs;
	uint64_t jobs; /* processes, 0: one per processor */
	bool json, csv, quiet, help;
	bool per_seed;		/* each run by itself, no means */
	bool per_request;	/* for schedules: each request */
	bool use;		/* for schedules: nodes in use over time */
	bool timeline;		/* for schedules: a document for the calendar */
	uint64_t began;		/* when its time 0 was, seconds since 1970 */
	bool apart;		/* for journals: policies by what they decided */
	bool all;		/* for figures: of all papers, as without paper */
	const char *plot;	/* file, NULL: none */
	const char *out;	/* folder, for figures and studies */
	const char *part;	/* "I/N" of a study, NULL: all */
	uint64_t array;		/* parts of a study as a job array, 0: here */
	const char *paper;	/* for figures */
	const char *sacct;	/* file, NULL: the trace is another one */
	const char *requests;	/* the same: of lines of JSON */
	const char *export_lp;	/* file, NULL: simulate */
	const char *export_swf; /* the same */
	struct sim_lp_options lp;
	const char *failures; /* file, NULL: no nodes fail */
	const char *schedule; /* file, NULL: decisions are not written */
	int64_t firm;	      /* seconds before a start in which nobody moves */
	/* The arguments that are no options: model, file, name=value. */
	const char *left[SIM_LEFT];
	size_t n_left;
};

/* RET 0, or -1 with err: what the command does not take, or twice. Reads the
 * configuration file too. */
int sim_options_parse(struct sim_options *options, enum sim_command command, int argc, char **argv,
		      struct rspb_err *err);
/* Read a file of settings. RET 0, or -1 with err. */
int sim_options_conf(const char *file, struct rspb_config *config, struct rspb_err *err);
void sim_options_fini(struct sim_options *options);
/* The lines of --help about those that the command takes. */
void sim_options_help(enum sim_command command, FILE *out);
/* And those about the presets, one each. */
void sim_options_help_presets(FILE *out);
/* Split a list by commas into presets, if none were given. 0 or -1. */
int sim_options_presets(struct sim_options *options, const char *list, struct rspb_err *err);

/* metrics[preset * runs + run]; as a table, JSON or CSV on stdout, and as a
 * plot. RET 0 or -1 with err. */
int sim_report(const struct sim_options *options, const char *title,
	       const struct sim_metrics *metrics, struct rspb_err *err);

#endif
