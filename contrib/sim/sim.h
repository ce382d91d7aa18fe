/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rspb-sim: the frame its parts plug into. An algorithm of the conformance
 * mode is one function and one row of sim_algorithms (run.c).
 */
#ifndef RSPB_SIM_SIM_H
#define RSPB_SIM_SIM_H

#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/err.h"
#include "contrib/sim/lines.h"
#include "contrib/sim/papers/rational.h"

/* Exit statuses. */
enum { SIM_OK, SIM_TROUBLE, SIM_BAD_INPUT };

struct sim_algorithm;

/* One run of an algorithm over JSON lines. */
struct sim_run {
	const struct sim_algorithm *algorithm;
	struct sim_lines in;
	FILE *out; /* memory; printed once everything went well */
};

struct sim_algorithm { /* a table of common/base/names.h */
	const char *name;
	const char *alias;
	const char *help;
	/* Read run->in, sim_emit() the results. RET 0, or -1 with err. */
	int (*run)(struct sim_run *run, struct rspb_err *err);
};
extern const struct sim_algorithm sim_algorithms[]; /* ended by name NULL */
/* RET the row of a name or alias, NULL with err (the nearest name). */
const struct sim_algorithm *sim_algorithm_find(const char *name,
					       struct rspb_err *err);
/* Run it over the lines of a text; what was printed to out before a failure is
 * no result. RET 0, or -1 with err. */
int sim_run_text(const struct sim_algorithm *algorithm, const char *text,
		 size_t length, const char *file, FILE *out,
		 struct rspb_err *err);

/* Print one line; takes the object, which may be NULL for lack of memory. */
void sim_emit(struct sim_run *run, struct json_object *line);
/* The text of one value: keys sorted, no spaces, numbers that are not whole
 * rounded to 9 decimals, infinity as "inf". */
void sim_print(FILE *out, struct json_object *value);

/* Add a field to a line; for use in any order, since keys are sorted. */
void sim_put(struct json_object *line, const char *key,
	     struct json_object *value);
void sim_put_int(struct json_object *line, const char *key, int64_t value);
void sim_put_bool(struct json_object *line, const char *key, bool value);
void sim_put_text(struct json_object *line, const char *key, const char *text);
void sim_put_real(struct json_object *line, const char *key, double value);
void sim_put_exact(struct rspb_pool *pool, struct json_object *line,
		   const char *key, struct rspb_rational value);
/* The id of a record, whatever its type. */
void sim_put_id(struct json_object *line, const struct sim_record *record);
/* The same as {"summary":{...}}. */
void sim_emit_summary(struct sim_run *run, struct json_object *summary);

/* alg_basic.c */
int sim_alg_maxmin(struct sim_run *run, struct rspb_err *err);
int sim_alg_mmc(struct sim_run *run, struct rspb_err *err);
int sim_alg_qdd(struct sim_run *run, struct rspb_err *err);
/* alg_life.c */
int sim_alg_states(struct sim_run *run, struct rspb_err *err);
int sim_alg_benefit(struct sim_run *run, struct rspb_err *err);
/* alg_tasks.c: fcfs edf llf sfto afto afto1 afto2 afto_rn, by its name */
int sim_alg_tasks(struct sim_run *run, struct rspb_err *err);
/* alg_tarr.c */
int sim_alg_tarr(struct sim_run *run, struct rspb_err *err);
/* alg_vrc.c: vrc static, by its name */
int sim_alg_vrc(struct sim_run *run, struct rspb_err *err);
/* alg_thesis.c: rb rspb corspb corsbf corsbfr, by its name */
int sim_alg_thesis(struct sim_run *run, struct rspb_err *err);
/* alg_li.c */
int sim_alg_li(struct sim_run *run, struct rspb_err *err);

/* Subcommands; argv[0] is their name. RET an exit status. */
int sim_run_main(int argc, char **argv);
int sim_model_main(int argc, char **argv);
int sim_trace_main(int argc, char **argv);
int sim_figures_main(int argc, char **argv);
int sim_journal_main(int argc, char **argv);

#endif
