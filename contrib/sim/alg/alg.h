/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspb-sim run: an algorithm of a paper reads JSON lines and writes JSON lines.
 * It is one function and one row of sim_algorithms (run.c).
 */
#ifndef RSPB_SIM_ALG_ALG_H
#define RSPB_SIM_ALG_ALG_H

#include <json-c/json.h>
#include <stdio.h>

#include "common/base/err.h"
#include "contrib/sim/alg/exact.h"
#include "contrib/sim/jsonl/lines.h"
#include "contrib/sim/jsonl/out.h"

struct sim_algorithm;

/* A run of an algorithm over JSON lines. */
struct sim_run {
	const struct sim_algorithm *algorithm;
	struct sim_lines in;
	FILE *out; /* memory; printed once everything went well */
};

struct sim_algorithm { /* a table of common/base/names.h */
	const char *name;
	const char *alias;
	const char *help;
	const char *config, *line; /* members that these may have, by spaces */
	/* Read run->in, sim_emit() the results. RET 0, or -1 with err. */
	int (*run)(struct sim_run *run, struct rspb_err *err);
};
extern const struct sim_algorithm sim_algorithms[]; /* ended by name NULL */
/* RET the row of a name or alias, NULL with err (the nearest name). */
const struct sim_algorithm *sim_algorithm_find(const char *name, struct rspb_err *err);
/* Run it over the lines of a text; what was printed to out before a failure is
 * no result. RET 0, or -1 with err. */
int sim_run_text(const struct sim_algorithm *algorithm, const char *text, size_t length,
		 const char *file, FILE *out, struct rspb_err *err);

/* Print one line; takes the object, which may be NULL for lack of memory. */
void sim_emit(struct sim_run *run, struct json_object *line);
/* The same as {"summary":{...}}. */
void sim_emit_summary(struct sim_run *run, struct json_object *summary);

/* basic.c */
int sim_alg_maxmin(struct sim_run *run, struct rspb_err *err);
int sim_alg_mmc(struct sim_run *run, struct rspb_err *err);
int sim_alg_qdd(struct sim_run *run, struct rspb_err *err);
/* life.c */
int sim_alg_states(struct sim_run *run, struct rspb_err *err);
int sim_alg_benefit(struct sim_run *run, struct rspb_err *err);
/* tasks.c: fcfs edf llf sfto afto afto1 afto2 afto_rn, by its name */
int sim_alg_tasks(struct sim_run *run, struct rspb_err *err);
/* tarr.c */
int sim_alg_tarr(struct sim_run *run, struct rspb_err *err);
/* vrc.c: vrc static, by its name */
int sim_alg_vrc(struct sim_run *run, struct rspb_err *err);
/* thesis.c: rb rspb corspb corsbf corsbfr, by its name */
int sim_alg_thesis(struct sim_run *run, struct rspb_err *err);
/* li.c */
int sim_alg_li(struct sim_run *run, struct rspb_err *err);

/* The command; argv[0] is its name. RET an exit status. */
int sim_run_main(int argc, char **argv);

#endif
