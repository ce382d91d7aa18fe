/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb(1): what has been booked, and what could be. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/client/command.h"

static const struct {
	const char *name, *usage, *help;
	int (*run)(const struct rspb_command *command);
} commands[] = {
	{ "list", "[--all] [--ended]", "your bookings and requests",
	  rspb_command_list },
	{ "show", "JOB|SERIES", "one of them", rspb_command_show },
	{ "timeline", "[--html=FILE|--svg=FILE]",
	  "the calendar, here or for a browser", rspb_command_timeline },
	{ "slots", "-N NODES -t TIME [--next 7d]", "when that could be had",
	  rspb_command_slots },
	{ "request",
	  "[--wait|--offers [--hold[=TIME]]] [--repeat=RULE|--replicas=N] [OPTIONS OF sbatch] SCRIPT",
	  "book for a job", rspb_command_request },
	{ "offers", "JOB | -N NODES -t TIME [...]",
	  "what a job, or a request, could have", rspb_command_offers },
	{ "accept", "JOB OFFER", "take one of those", rspb_command_accept },
	{ "modify", "JOB|SERIES [-N] [-t] [-b] [--deadline] [-C] [--cpu-share]",
	  "change what is booked", rspb_command_modify },
	{ "release", "JOB|SERIES", "give a window back, and keep the job",
	  rspb_command_release },
	{ "cancel", "JOB|SERIES...", "cancel jobs with a booking",
	  rspb_command_cancel },
	{ "stats", "[--prometheus] [-o FILE]", "how much is booked and used",
	  rspb_command_stats },
	{ "check", "", "whether slurmctld answers", rspb_command_check },
	{ "send", "", "JSON messages from standard input", rspb_command_send },
};

enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_help(void)
{
	printf("usage: rspb [--json] [--server HOST[:PORT]] COMMAND ...\n\n");
	for (int i = 0; i < N_COMMANDS; i++) {
		char left[80];

		snprintf(left, sizeof(left), "%s %s", commands[i].name,
			 commands[i].usage);
		printf("  %-46s %s\n", left, commands[i].help);
	}
	printf("\nman rspb says more.\n");
}

/* --json may also stand behind the command. */
static void take_json(struct rspb_command *command)
{
	int kept = 0;

	for (int i = 0; i < command->argc; i++) {
		if (strcmp(command->argv[i], "--json"))
			command->argv[kept++] = command->argv[i];
		else
			command->json = true;
	}
	command->argc = kept;
	command->argv[kept] = NULL;
}

static int run(struct rspb_command *command)
{
	/* What stands behind a script belongs to it. */
	if (strcmp(command->argv[0], "request"))
		take_json(command);
	for (int i = 0; i < N_COMMANDS; i++) {
		if (strcmp(commands[i].name, command->argv[0]))
			continue;
		optind = 0;
		return commands[i].run(command);
	}
	fprintf(stderr,
		"rspb: there is no command %s; rspb --help lists "
		"those there are\n",
		command->argv[0]);
	return RSPB_EXIT_USAGE;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ "json", no_argument, NULL, 'j' },
		{ "server", required_argument, NULL, 's' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL }
	};
	struct rspb_command command = { .server = getenv("RSPB_SERVER") };
	int c;

	while ((c = getopt_long(argc, argv, "+hV", options, NULL)) != -1) {
		if (c == 'h') {
			print_help();
			return RSPB_EXIT_DONE;
		}
		if (c == 'V') {
			printf("rspb %s\n", PACKAGE_VERSION);
			return RSPB_EXIT_DONE;
		}
		if (c == '?')
			return RSPB_EXIT_USAGE;
		command.json |= c == 'j';
		command.server = c == 's' ? optarg : command.server;
	}
	if (optind == argc) {
		print_help();
		return RSPB_EXIT_USAGE;
	}
	command.argc = argc - optind;
	command.argv = argv + optind;
	return run(&command);
}
