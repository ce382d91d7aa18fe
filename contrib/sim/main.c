/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb-sim: the library's decisions without a cluster. */
#include <stdio.h>
#include <string.h>

#include "contrib/sim/alg/alg.h"
#include "contrib/sim/figures/figures.h"
#include "contrib/sim/journal/journal.h"
#include "contrib/sim/jsonl/status.h"
#include "contrib/sim/simulate.h"

static const struct command {
	const char *name;
	const char *help;
	int (*main)(int argc, char **argv);
} commands[] = { { "run", "decide requests of JSON lines with one algorithm",
		   sim_run_main },
		 { "model", "policies on the requests of a model",
		   sim_model_main },
		 { "trace", "policies on the jobs of a trace", sim_trace_main },
		 { "journal", "decide again what a controller recorded",
		   sim_journal_main },
		 { "figures", "the figures, tables and claims of the papers",
		   sim_figures_main },
		 { .name = NULL } };

static void usage(FILE *out)
{
	fputs("usage: rspb-sim COMMAND [ARGUMENT ...]\n\n", out);
	for (const struct command *row = commands; row->name; row++)
		fprintf(out, "  %-8s %s\n", row->name, row->help);
	fputs("\nrspb-sim COMMAND --help says more; see also rspb-sim(1).\n",
	      out);
}

int main(int argc, char **argv)
{
	if (argc >= 2 &&
	    (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		usage(stdout);
		return SIM_OK;
	}
	if (argc >= 2 && !strcmp(argv[1], "--version")) {
		puts("rspb-sim " PACKAGE_VERSION);
		return SIM_OK;
	}
	for (const struct command *row = commands; argc >= 2 && row->name;
	     row++)
		if (!strcmp(row->name, argv[1]))
			return row->main(argc - 1, argv + 1);
	if (argc >= 2)
		fprintf(stderr, "rspb-sim: \"%.60s\" is no command\n", argv[1]);
	usage(stderr);
	return SIM_BAD_INPUT;
}
