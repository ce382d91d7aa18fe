/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb check: whether slurmctld answers, how soon, and what settings are in force
 * there. It judges none of them. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contrib/client/command.h"
#include "contrib/client/output.h"

enum { CLOCKS_APART_S = 2 };

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000) + ts.tv_nsec / 1000;
}

static void print_hello(const struct rspb_client *client, json_object *answer, int64_t took_us)
{
	int64_t apart = rspb_json_int(answer, "now") - time(NULL);

	printf("slurmctld %s, port %u, Slurm %s: answered in %.1f ms\n", client->site.hosts[0],
	       client->site.port, client->site.release, (double) took_us / 1000);
	printf("slurm-rspb %s in slurmctld, %s in this program; protocol %" PRId64 "\n",
	       rspb_json_text(answer, "server"), PACKAGE_VERSION, rspb_json_int(answer, "version"));
	if (llabs(apart) >= CLOCKS_APART_S)
		printf("the clocks are %lld s apart\n", llabs(apart));
}

/* Limits, and what is not as it is shipped; or all. */
static void print_settings(json_object *settings, bool all)
{
	json_object *list = rspb_json_list(settings, "loaded"), *row;

	printf("loaded in slurmctld: ");
	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		printf("%s, ", json_object_get_string(json_object_array_get_idx(list, i)));
	printf("for %" PRId64 " nodes\n\n%-40s %s\n", rspb_json_int(settings, "nodes"), "IN FORCE",
	       "FROM");
	list = rspb_json_list(settings, "keys");
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		char text[RSPB_OUTPUT_CELL * 4];
		json_object *limit = NULL;

		row = json_object_array_get_idx(list, i);
		snprintf(text, sizeof(text), "%s=%s", rspb_json_text(row, "key"),
			 rspb_json_text(row, "value"));
		json_object_object_get_ex(row, "limit", &limit);
		if (all || json_object_get_boolean(limit) ||
		    strcmp(rspb_json_text(row, "from"), "default"))
			printf("%-40s %s\n", text, rspb_json_text(row, "from"));
	}
	list = rspb_json_list(settings, "rules");
	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		printf("%-40s rspb.conf\n",
		       json_object_get_string(json_object_array_get_idx(list, i)));
}

static int say(const struct rspb_command *command, const struct rspb_client *client,
	       json_object *hello, int64_t took_us, json_object *in_force, bool all)
{
	json_object *settings = NULL;

	json_object_object_get_ex(in_force, "settings", &settings);
	if (command->json) {
		rspb_json_put_text(hello, "client", PACKAGE_VERSION);
		rspb_json_put_int(hello, "took_us", took_us);
		rspb_json_put(hello, "settings", json_object_get(settings));
		rspb_output_json(json_object_get(hello));
		return RSPB_EXIT_DONE;
	}
	print_hello(client, hello, took_us);
	print_settings(settings, all);
	return RSPB_EXIT_DONE;
}

static int ask(const struct rspb_command *command, struct rspb_client *client, bool all)
{
	json_object *hello, *in_force;
	int64_t began = now_us(), took_us;
	int rc = rspb_command_ask_on(client, command, rspb_command_question("ping"), &hello);

	if (rc)
		return rc;
	took_us = now_us() - began;
	rc = rspb_command_ask_on(client, command, rspb_command_question("settings"), &in_force);
	if (!rc) {
		rc = say(command, client, hello, took_us, in_force, all);
		json_object_put(in_force);
	}
	json_object_put(hello);
	return rc;
}

/* RET false: it is wrong, which was said. */
static int set(int option, void *to, struct rspb_err *err)
{
	(void) option;
	(void) err;
	*(bool *) to = true;
	return 0;
}

int rspb_command_check(const struct rspb_command *command)
{
	static const struct option options[] = {
		{ "all", no_argument, NULL, 'a' },
		{ NULL },
	};
	struct rspb_client client;
	bool all = false;
	int rc;

	if (!rspb_command_options(command, "a", options, set, &all))
		return RSPB_EXIT_USAGE;
	if (rspb_command_connect(command, &client))
		return RSPB_EXIT_NO_ANSWER;
	rc = ask(command, &client, all);
	rspb_client_fini(&client);
	return rc;
}
