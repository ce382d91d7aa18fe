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

struct study_workload {
	const char *name;
	double x;		  /* NaN: it has no place on an axis */
	char *words[STUDY_WORDS]; /* of rspb-sim; ended by NULL */
	int n_words;
};

struct study {
	struct sim_lines lines;
	char *text;
	const struct sim_options *options;
	const char *file;
	struct study_workload workloads[STUDY_WORKLOADS];
	size_t n_workloads;
	const char *presets[SIM_PRESETS];
	size_t n_presets, seeds;
	int64_t seed; /* the first */
	const char *x_label;
	struct sim_metrics *metrics; /* [cells], once all are there */
};

/* RET 0, or -1 with err that names file, line and field. */
int study_read(struct study *study, const char *file, struct rspb_err *err);
void study_fini(struct study *study);

size_t study_cells(const struct study *study);
/* What rspb-sim is told for a cell: words into argv[STUDY_WORDS + 8] behind its
 * name, those of its own into room[64]. RET their line, in text. */
const char *study_command(const struct study *study, size_t cell, char *argv[STUDY_WORDS + 8],
			  char room[64], char text[STUDY_COMMAND]);
/* RET whether its result is there, in *metrics. */
bool study_result(const struct study *study, size_t cell, struct sim_metrics *metrics);
/* Run those that are missing among cells first, first + step, ... RET 0 or -1 with
 * err: one could not be run, the others are there. */
int study_run(const struct study *study, size_t first, size_t step, struct rspb_err *err);
/* The same as a job array of Slurm of so many parts, and a job behind it that puts
 * the results together. RET 0 or -1 with err. */
int study_submit(const struct study *study, size_t parts, struct rspb_err *err);

/* Once all results are there: tables on stdout, DIR/study.csv, DIR/study.html. */
int study_merge(struct study *study, struct rspb_err *err);

/* The command; argv[0] is its name. RET an exit status. */
int sim_study_main(int argc, char **argv);

#endif
