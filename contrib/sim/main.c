/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb-sim: the library's decisions without a cluster. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/sim/check.h"
#include "contrib/sim/conf.h"
#include "contrib/sim/journal/journal.h"
#include "contrib/sim/jsonl/status.h"
#include "contrib/sim/report/commands.h"
#include "contrib/sim/simulate.h"
#include "contrib/sim/study/study.h"

#define PAPERS "rspb-sim-papers"

/* Run the program for researchers, which has a package of its own: beside this one, or else where
 * PATH says. */
static int run_papers(int argc, char **argv)
{
	char path[4096];
	char **words = calloc((size_t) argc + 2, sizeof(*words));
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - sizeof(PAPERS) - 1);

	path[n > 0 ? n : 0] = '\0';
	if (!words)
		return SIM_TROUBLE;
	words[0] = PAPERS;
	memcpy(words + 1, argv, (size_t) argc * sizeof(*words));
	if (strrchr(path, '/')) {
		strcpy(strrchr(path, '/') + 1, PAPERS);
		execv(path, words);
	}
	execvp(PAPERS, words);
	free(words);
	fprintf(stderr,
		"rspb-sim: %s is a command of " PAPERS
		", which cannot be run: %s; a package of that name has it\n",
		argv[0], strerror(errno));
	return SIM_TROUBLE;
}

int main(int argc, char **argv)
{
	static const struct sim_row rows[] = {
		{ "trace", "run policies on the jobs of a trace", sim_trace_main },
		{ "study", "run workloads by presets and seeds, and write a page", sim_study_main },
		{ "check", "check a schedule and print its results", sim_check_main },
		{ "conf", "check an rspb.conf and print all settings", sim_conf_main },
		{ "journal", "repeat the decisions that a journal records", sim_journal_main },
		{ "model", "run policies on a workload model", NULL },
		{ "run", "decide JSON lines by one algorithm of the papers", NULL },
		{ "figures", "repeat the figures, tables and claims of the papers", NULL },
		{ .name = NULL }
	};
	static const struct sim_program program = { "rspb-sim", rows, run_papers };

	return sim_program_main(&program, argc, argv);
}
