/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspb-sim study: workloads x presets x seeds. Each such cell is a run of rspb-sim
 * by itself, whose result is kept in a file, so that a study that was stopped goes
 * on, and parts of it may run elsewhere.
 */
#ifndef RSPB_SIM_STUDY_STUDY_H
#define RSPB_SIM_STUDY_STUDY_H

#include "contrib/sim/jsonl/lines.h"
#include "contrib/sim/report/options.h"

enum { STUDY_WORKLOADS = 64, STUDY_WORDS = 32, STUDY_COMMAND = 4096 };

/* The contents of a file. */
struct study_contents {
	uint64_t hash, size;
};

struct study_workload {
	const char *name;
	double x;		  /* NaN: it has no place on an axis */
	char *words[STUDY_WORDS]; /* of rspb-sim; ended by NULL */
	int n_words;
	int file; /* the word that names a trace or requests, 0: a model has none */
	struct study_contents contents; /* of that file */
};

/* A policy: a preset, a file of settings, or a program. */
struct study_policy {
	const char *text; /* as the study names it, "NAME=COMMAND" of a program */
	bool program;
	struct study_contents contents; /* of the files that it names; hash 0: none */
};

struct study {
	struct sim_lines lines;
	char *text;
	const struct sim_options *options;
	const char *file;
	struct study_workload workloads[STUDY_WORKLOADS];
	size_t n_workloads;
	const char *presets[SIM_PRESETS]; /* owned: names, for people */
	struct study_policy policies[SIM_PRESETS];
	size_t n_presets, seeds;
	uint64_t build; /* of the programs that run */
	int64_t seed;	/* the first */
	const char *x_label;
	struct sim_metrics *metrics; /* [cells], once all are there */
	bool *reused;		     /* [cells], owned: an earlier result serves */
};

/* RET 0, or -1 with err that names file, line and field. */
int study_read(struct study *study, const char *file, struct rspb_err *err);
void study_fini(struct study *study);
/* Read a file to its end. RET 0 or -1 with err. */
int study_contents(const char *file, struct study_contents *contents, struct rspb_err *err);

size_t study_cells(const struct study *study);
/* RET whether the result of a cell is there, in *metrics. It is filed under the contents of
 * its files, the options, and the version and contents of the program. */
bool study_result(const struct study *study, size_t cell, struct sim_metrics *metrics);
/* Run those that are missing among cells first, first + step, ... and note which are
 * reused. RET 0 or -1 with
 * err: one could not be run, the others are there. */
int study_run(struct study *study, size_t first, size_t step, struct rspb_err *err);
/* The same as a job array of Slurm of so many parts, and a job behind it that puts
 * the results together. RET 0 or -1 with err. */
int study_submit(const struct study *study, size_t parts, struct rspb_err *err);

/* Once all results are there: tables on stdout, DIR/study.csv, DIR/study.html. */
int study_merge(struct study *study, struct rspb_err *err);

/* The command; argv[0] is its name. RET an exit status. */
int sim_study_main(int argc, char **argv);

#endif
