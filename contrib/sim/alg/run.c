/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb-sim run ALGORITHM: JSON lines in, JSON lines out. */
#include "contrib/sim/alg/alg.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/names.h"
#include "contrib/sim/jsonl/status.h"

#define THESIS                                                                                     \
	"machines delta t0 granularity end_inclusive rspb_select rb_select "                       \
	"distinct trim sort_priority",                                                             \
		"id arrival ready duration priority floating benefit subs "                        \
		"cancel fail join at"
#define TASKS	  "caps busy gaps waiting assign", "id workload deadline delays weight after replicas"
#define BINDING	  "nodes params local kill_active strict admission", "id arrival ready duration qos"
#define NO_CONFIG ""

const struct sim_algorithm sim_algorithms[] = {
	/* Min, thesis, chapters 3 to 5 */
	{ "rb", NULL, "as asked or not at all, on arrival", THESIS, sim_alg_thesis },
	{ "rspb", NULL, "batches by priority, degraded by benefit", THESIS, sim_alg_thesis },
	{ "corspb", "co-rspb", "co-reservations by priority and benefit", THESIS, sim_alg_thesis },
	{ "corsbf", "co-rsbf", "best fit decreasing of the least amounts", THESIS, sim_alg_thesis },
	{ "corsbfr", "co-rsbfr", "the same, then refined within the batch", THESIS,
	  sim_alg_thesis },
	{ "benefit", NULL, "what a part of a request is worth", NO_CONFIG,
	  "id benefit requested cpu", sim_alg_benefit },
	/* Li et al. */
	{ "li", NULL, "jobs with deadlines, seven start policies",
	  "n_pe policy node_select open_end booked dump speeds",
	  "id arrival ready duration deadline npe forms", sim_alg_li },
	/* Varvarigos et al. */
	{ "fcfs", NULL, "first come, first served, with a waiting list", TASKS, sim_alg_tasks },
	{ "edf", NULL, "earliest deadline first, with a waiting list", TASKS, sim_alg_tasks },
	{ "llf", NULL, "least laxity first, with a waiting list", TASKS, sim_alg_tasks },
	{ "sfto", NULL, "simple fair task order", TASKS, sim_alg_tasks },
	{ "afto", "afto2", "adjusted fair task order, with new shares at each event", TASKS,
	  sim_alg_tasks },
	{ "afto1", NULL, "adjusted fair task order, freed rate split equally", TASKS,
	  sim_alg_tasks },
	{ "afto_rn", NULL, "adjusted fair task order by round numbers", TASKS, sim_alg_tasks },
	{ "tarr", NULL, "timed/advance reservation under uncertainty",
	  "capacities k negotiate late_data assign pull",
	  "id at cpu min_cpu x deadline delay sigma_delay sigma_wl workload_known after replicas resource",
	  sim_alg_tarr },
	{ "maxmin", NULL, "max-min fair shares, weighted or not", NO_CONFIG,
	  "id capacity demands weights", sim_alg_maxmin },
	/* Wu and Luo */
	{ "vrc", NULL, "nodes chosen late, at the start", BINDING, sim_alg_vrc },
	{ "static", NULL, "nodes chosen early, when booked", BINDING, sim_alg_vrc },
	{ "states", NULL, "the life of a booking", NO_CONFIG, "id events state", sim_alg_states },
	{ "qdd", NULL, "QoS deviation distance", "params resources", "id qos", sim_alg_qdd },
	{ "mmc", NULL, "figures of an M/M/c queue", NO_CONFIG, "id c lambda1 mu", sim_alg_mmc },
	{ .name = NULL }
};

const struct sim_algorithm *sim_algorithm_find(const char *name, struct rspb_err *err)
{
	const struct sim_algorithm *row;

	for (row = sim_algorithms; row->name; row++)
		if (!strcasecmp(row->name, name) || (row->alias && !strcasecmp(row->alias, name)))
			return row;
	rspb_fail(err,
		  "\"%.60s\" is not an algorithm; the nearest name "
		  "is \"%s\"; rspb-sim run --help lists all",
		  name, rspb_names_nearest(sim_algorithms, sizeof(*sim_algorithms), name));
	return NULL;
}

/* Has no line a member that nobody reads? RET 0, or -1 with err. */
static int check_members(const struct sim_run *run, struct rspb_err *err)
{
	const struct sim_algorithm *row = run->algorithm;
	char config[RSPB_ERR_TEXT], line[RSPB_ERR_TEXT];

	snprintf(config, sizeof(config), "type %s", row->config);
	snprintf(line, sizeof(line), "type %s", row->line);
	if (sim_only(&run->in.config, config, err))
		return -1;
	for (size_t i = 0; i < run->in.n; i++)
		if (sim_only(&run->in.records[i], line, err))
			return -1;
	return 0;
}

int sim_run_text(const struct sim_algorithm *algorithm, const char *text, size_t length,
		 const char *file, FILE *out, struct rspb_err *err)
{
	struct sim_run run = { .algorithm = algorithm, .out = out };
	int rc;

	if (sim_lines_parse(&run.in, text, length, file, err))
		return -1;
	rc = check_members(&run, err) ? -1 : algorithm->run(&run, err);
	sim_lines_fini(&run.in);
	return rc;
}

static void usage(FILE *out)
{
	fputs("usage: rspb-sim run ALGORITHM < IN.jsonl > OUT.jsonl\n"
	      "Decides the requests of IN by an algorithm of the papers.\n\n",
	      out);
	for (const struct sim_algorithm *row = sim_algorithms; row->name; row++)
		fprintf(out, "  %-8s %s%s%s%s\n", row->name, row->help, row->alias ? " (also " : "",
			row->alias ? row->alias : "", row->alias ? ")" : "");
}

static int complain(const struct rspb_err *err)
{
	fprintf(stderr, "rspb-sim: %s\n", err->text);
	return SIM_BAD_INPUT;
}

/* Nothing is printed before everything went well, so that no part of a run is
 * ever taken for its result. */
static int print_all(const char *text, size_t length)
{
	if (fwrite(text, 1, length, stdout) == length && !fflush(stdout))
		return SIM_OK;
	perror("rspb-sim: stdout");
	return SIM_TROUBLE;
}

static int run_algorithm(const struct sim_algorithm *algorithm)
{
	struct rspb_err err = { "" };
	char *in = NULL, *text = NULL;
	size_t n_in = 0, length = 0;
	FILE *out = open_memstream(&text, &length);
	int rc;

	if (!out)
		return SIM_TROUBLE;
	rc = sim_lines_slurp(NULL, &in, &n_in, &err) ||
			     sim_run_text(algorithm, in, n_in, "stdin", out, &err)
		     ? complain(&err)
		     : SIM_OK;
	if (fclose(out) && rc == SIM_OK)
		rc = SIM_TROUBLE;
	if (rc == SIM_OK)
		rc = print_all(text, length);
	free(in);
	free(text);
	return rc;
}

int sim_run_main(int argc, char **argv)
{
	const struct sim_algorithm *algorithm;
	struct rspb_err err = { "" };

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		usage(stdout);
		return SIM_OK;
	}
	if (argc != 2) {
		usage(stderr);
		return SIM_BAD_INPUT;
	}
	algorithm = sim_algorithm_find(argv[1], &err);
	return algorithm ? run_algorithm(algorithm) : complain(&err);
}
