/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/report/commands.h"

#include <stdio.h>
#include <string.h>

#include "contrib/sim/jsonl/status.h"

static void usage(const struct sim_program *program, FILE *out)
{
	fprintf(out, "usage: %s COMMAND [ARGUMENT ...]\n\n", program->name);
	for (const struct sim_row *row = program->rows; row->name; row++)
		fprintf(out, "  %-8s %s\n", row->name, row->help);
	fprintf(out, "\n%s COMMAND --help lists the options of a command; see also %s(1).\n",
		program->name, program->name);
}

int sim_program_main(const struct sim_program *program, int argc, char **argv)
{
	if (argc >= 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		usage(program, stdout);
		return SIM_OK;
	}
	if (argc >= 2 && !strcmp(argv[1], "--version")) {
		printf("%s " PACKAGE_VERSION "\n", program->name);
		return SIM_OK;
	}
	for (const struct sim_row *row = program->rows; argc >= 2 && row->name; row++)
		if (!strcmp(row->name, argv[1]))
			return (row->main ? row->main : program->other)(argc - 1, argv + 1);
	if (argc >= 2)
		fprintf(stderr, "%s: \"%.60s\" is not a command\n", program->name, argv[1]);
	usage(program, stderr);
	return SIM_BAD_INPUT;
}
