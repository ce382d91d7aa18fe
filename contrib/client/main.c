/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb(1): what has been booked, and what could be. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/flags.h"
#include "contrib/client/beyond/clusters.h"
#include "contrib/client/command.h"

#define SIZES                                                                                      \
	"  -N, --nodes=[MIN-]NODES   number of nodes\n"                                            \
	"  -t, --time=TIME           duration, as for sbatch\n"
#define WINDOW                                                                                     \
	"  -b, --begin=TIME          start at the earliest then, as for sbatch; also now+2h\n"     \
	"      --deadline=TIME       end at the latest then\n"
#define CHOICE                                                                                     \
	"  -p, --partition=NAME      partition; default the default partition\n"                   \
	"  -C, --constraint=FEATURES features of the nodes\n"

/* Request from this cluster, or from several. */
static int request(const struct rspb_command *command)
{
	return rspb_clusters_are(command) ? rspb_clusters_ask(command)
					  : rspb_command_request(command);
}

static const struct {
	const char *name, *usage, *help;
	int (*run)(const struct rspb_command *command);
	const char *options; /* NULL: none but --json */
} commands[] = {
	{ "list", "[--all] [--ended]", "your bookings and requests", rspb_command_list,
	  "  -a, --all                 those of all users, as far as you may see them\n"
	  "  -e, --ended               ended ones, too\n" },
	{ "show", "JOB|SERIES", "a booking or a series", rspb_command_show, NULL },
	{ "timeline", "[--html=FILE|--svg=FILE|--serve=PORT]",
	  "the calendar, in the terminal or for a browser", rspb_command_timeline,
	  "  -b, --begin=TIME          first time shown\n"
	  "  -n, --next=TIME           time span shown\n"
	  "      --ascii --no-color    without line characters, without colours\n"
	  "      --html=FILE           write a page\n"
	  "      --svg=FILE            write a picture\n"
	  "      --serve=PORT          serve the page of rspb web on loopback, to be read\n"
	  "      --anonymous           as it appears to strangers\n"
	  "      --read=FILE           read the output of --json from a file\n" },
	{ "web", "[--socket=PATH|--port=PORT]", "book from the calendar in a browser",
	  rspb_command_web,
	  "      --socket=PATH         listen on this socket, for ssh -L\n"
	  "      --port=PORT           listen on loopback instead; 0: any free port\n"
	  "      --host=NAME           also allow that name in the header Host\n"
	  "      --idle=TIME           end that long after the last browser left (12h)\n"
	  "      --allow-operator      allow root, SlurmUser and operators\n"
	  "      --anonymous           without a token, to be read, as it appears to strangers\n" },
	{ "slots", "-N NODES -t TIME [--next 7d]", "when so many nodes are free",
	  rspb_command_slots,
	  SIZES "      --work=TIME[:SERIAL%] duration from work, as for sbatch\n"
		"      --next=TIME           how far in advance to search\n"
		"  -p, --partition=NAME      partition; default the default partition\n"
		"  -C, --constraint=FEATURES of the nodes, joined by & or |\n"
		"  -w, --nodelist=NODES      only these nodes\n"
		"      --cpus=N --mem=SIZE --gpus=[TYPE:]N   a part of each node\n"
		"  -L, --licenses=LICENSES   while these are free, too\n" },
	{ "request", "[OPTIONS] [OPTIONS OF sbatch] SCRIPT", "book nodes for a job", request,
	  "      --wait                wait for the decision\n"
	  "      --offers              book nothing, print what is available\n"
	  "      --hold[=TIME]         hold the first offer\n"
	  "      --series=NAME         name of a series\n"
	  "      --repeat=RULE         daily, weekdays, weekly, monthly, or FREQ=...\n"
	  "      --count=N --until=TIME --all-or-none   limits of --repeat\n"
	  "      --replicas=N          copies, without common nodes\n"
	  "      --clusters[=A,B|=@CLASS] [--hold=TIME] [--ask]   the best of several\n"
	  "                            (all that slurmdbd knows, or those of a class), or\n"
	  "                            parts with \":\" between, all or none\n"
	  "      --for-users=LIST --for-accounts=LIST   without a job\n"
	  "        --cores=N [--mem=SIZE] [--gres=LIST]   for these, a part of each node\n" },
	{ "offers", "JOB | -N NODES -t TIME|--work=TIME [...]",
	  "what is available for a job or a request", rspb_command_offers,
	  "      --hold[=TIME]         hold the named offer, or the first one\n" SIZES WINDOW CHOICE
	  "  -L, --licenses=LICENSES   licenses, in addition to nodes\n"
	  "      --cpu-share=PCT%      share of the CPUs of each node\n"
	  "  -n, -c, --mem, --mem-per-cpu, --gres, -G, --gpus-per-node,\n"
	  "      --gpus-per-task       resources, as for sbatch\n" },
	{ "accept", "JOB OFFER", "take an offer", rspb_command_accept, NULL },
	{ "modify", "JOB|SERIES OPTIONS", "change a booking or a series", rspb_command_modify,
	  SIZES WINDOW "  -C, --constraint=FEATURES of the nodes; empty: any\n"
		       "      --cpu-share=PCT%      share of the CPUs of each node\n"
		       "      --user=NAME           new owner; for operators, without a job\n" },
	{ "giveback", "JOB|SERIES", "release a booking and keep its job", rspb_command_release,
	  NULL },
	{ "cancel", "JOB|SERIES...", "cancel jobs with a booking", rspb_command_cancel, NULL },
	{ "advise", "NAME", "what to book for a job, from its earlier runs", rspb_command_advise,
	  "  -u, --user=NAME           jobs of that user instead of yours\n"
	  "      --last=TIME           runs of that time (180d)\n" },
	{ "stats", "[--users] [--days=N]", "how much is booked and used", rspb_command_stats,
	  "  -u, --users               other users, too\n"
	  "  -d, --days=NUMBER         days of the calendar (7)\n" },
	{ "metrics", "[--port=PORT] [--users]", "the same figures for Prometheus",
	  rspb_command_metrics,
	  "      --port=PORT           answer HTTP on 127.0.0.1; 0: any free port\n"
	  "  -u, --users               figures of each user, too\n" },
	{ "limits", "[-p NAME] [-A NAME]", "your limits, and how much of each is left",
	  rspb_command_limits,
	  "  -p, --partition=NAME      partition; default the default partition\n"
	  "  -A, --account=NAME        also the limits of that account\n"
	  "      --qos=NAME            limits with that QOS\n" },
	{ "conf", "FILE [SCHEDULERPARAMETERS]", "whether slurmctld would start with that rspb.conf",
	  rspb_command_conf, NULL },
	{ "check", "[--all]", "the connection to slurmctld, and the limits in force",
	  rspb_command_check, "  -a, --all                 all settings\n" },
	{ "send", "", "JSON messages from standard input", rspb_command_send, NULL },
};

enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void print_help(void)
{
	printf("usage: rspb [--json] [--server HOST[:PORT]] COMMAND ...\n\n");
	for (int i = 0; i < N_COMMANDS; i++) {
		char left[80];

		snprintf(left, sizeof(left), "%s %s", commands[i].name, commands[i].usage);
		printf("  %-46s %s\n", left, commands[i].help);
	}
	printf("\nSee rspb(1) for details.\n");
}

/* Accept --json after the command, too. */
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

/* Before what a script or sbatch gets. */
static bool asks_for_help(const struct rspb_command *command)
{
	for (int i = 1; i < command->argc && command->argv[i][0] == '-'; i++)
		if (!strcmp(command->argv[i], "--help"))
			return true;
	return command->argc == 2 && !strcmp(command->argv[1], "-h");
}

static void print_usage(int i)
{
	int door = !strcmp(commands[i].name, "offers")	  ? RSPB_TERM_OFFERS
		   : !strcmp(commands[i].name, "request") ? RSPB_TERM_RESERVE
							  : 0;

	printf("usage: rspb [--json] %s%s%s\n\n%s: %s\n", commands[i].name,
	       *commands[i].usage ? " " : "", commands[i].usage, commands[i].name,
	       commands[i].help);
	if (commands[i].options)
		printf("\n%s", commands[i].options);
	for (const struct rspb_term *t = rspb_terms; t->name; t++)
		if (t->where & door)
			printf("      --%s=%-*.*s %s\n", t->name, 18 - (int) strlen(t->name),
			       (int) strcspn(t->arginfo, "[,"), t->arginfo, t->brief);
	printf("\nSee rspb(1) for details.\n");
}

static int run(struct rspb_command *command)
{
	static char giveback[] = "giveback";

	/* The words after a script belong to it. */
	if (strcmp(command->argv[0], "request"))
		take_json(command);
	/* Its name before: scontrol has another release. */
	if (!strcmp(command->argv[0], "release"))
		command->argv[0] = giveback;
	for (int i = 0; i < N_COMMANDS; i++) {
		if (strcmp(commands[i].name, command->argv[0]))
			continue;
		if (asks_for_help(command)) {
			print_usage(i);
			return RSPB_EXIT_DONE;
		}
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
	static const struct option options[] = { { "help", no_argument, NULL, 'h' },
						 { "json", no_argument, NULL, 'j' },
						 { "server", required_argument, NULL, 's' },
						 { "version", no_argument, NULL, 'V' },
						 { NULL } };
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
