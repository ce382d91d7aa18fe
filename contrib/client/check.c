/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

static int say(const struct rspb_command *command,
	       const struct rspb_client *client, json_object *answer,
	       int64_t took_us)
{
	const char *server = rspb_answer_text(answer, "server");
	int64_t apart = rspb_answer_number(answer, "now") - time(NULL);

	if (command->json) {
		json_object_object_add(answer, "client",
				       json_object_new_string(PACKAGE_VERSION));
		json_object_object_add(answer, "took_us",
				       json_object_new_int64(took_us));
		rspb_output_json(json_object_get(answer));
		return RSPB_EXIT_DONE;
	}
	printf("slurmctld %s, port %u, Slurm %s: answered in %.1f ms\n",
	       client->site.hosts[0], client->site.port, client->site.release,
	       (double) took_us / 1000);
	printf("slurm-rspb %s there, %s here; protocol %" PRId64 "\n", server,
	       PACKAGE_VERSION, rspb_answer_number(answer, "version"));
	if (llabs(apart) >= CLOCKS_APART_S)
		printf("the clocks are %lld s apart\n", llabs(apart));
	return RSPB_EXIT_DONE;
}

int rspb_command_check(const struct rspb_command *command)
{
	struct rspb_client client;
	json_object *answer;
	int64_t began;
	int rc;

	if (command->argc > 1)
		return rspb_command_misused(command, "%s is not wanted here",
					    command->argv[1]);
	if (rspb_command_connect(command, &client))
		return RSPB_EXIT_NO_ANSWER;
	if (!client.site.munge)
		fprintf(stderr, "rspb check: this cluster's AuthType is not "
				"auth/munge; rspb wants a munged all the "
				"same\n");
	began = now_us();
	rc = rspb_command_ask_on(&client, command,
				 rspb_command_question("ping"), &answer);
	if (!rc) {
		rc = say(command, &client, answer, now_us() - began);
		json_object_put(answer);
	}
	rspb_client_fini(&client);
	return rc;
}
