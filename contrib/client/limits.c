/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb limits: asks which limits count for the user, and prints what is left of them. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contrib/client/command.h"
#include "contrib/client/output.h"

/* A value in the unit of its row; "-": there is none. */
static void print_value(json_object *row, const char *key, char buf[RSPB_OUTPUT_CELL])
{
	const char *unit = rspb_json_text(row, "unit");
	int64_t value = rspb_json_int(row, key);

	if (!json_object_object_get_ex(row, key, NULL))
		strcpy(buf, "-");
	else if (!strcmp(unit, "seconds"))
		rspb_output_duration(value, buf);
	else if (!strcmp(unit, "node-seconds"))
		snprintf(buf, RSPB_OUTPUT_CELL, "%.1f node-h", (double) value / 3600);
	else
		snprintf(buf, RSPB_OUTPUT_CELL, "%" PRId64, value);
}

static void print_limits(json_object *answer)
{
	json_object *list = rspb_json_list(answer, "limits");
	char value[RSPB_OUTPUT_CELL], used[RSPB_OUTPUT_CELL], left[RSPB_OUTPUT_CELL];

	printf("%-24s %16s %16s %16s\n", "LIMIT", "VALUE", "USED", "LEFT");
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		json_object *row = json_object_array_get_idx(list, i);

		print_value(row, "value", value);
		print_value(row, "used", used);
		print_value(row, "left", left);
		printf("%-24s %16s %16s %16s\n", rspb_json_text(row, "limit"), value, used, left);
	}
	if (*rspb_json_text(answer, "barred"))
		printf("%s\n", rspb_json_text(answer, "barred"));
}

/* RET false: it is wrong, which was said. */
static int set(int option, void *question, struct rspb_err *err)
{
	(void) err;
	rspb_json_put_text(question,
			   option == 'p'   ? "partition"
			   : option == 'A' ? "account"
					   : "qos",
			   optarg);
	return 0;
}

int rspb_command_limits(const struct rspb_command *command)
{
	static const struct option options[] = { { "partition", required_argument, NULL, 'p' },
						 { "account", required_argument, NULL, 'A' },
						 { "qos", required_argument, NULL, 'q' },
						 { NULL } };
	json_object *question = rspb_command_question("limits"), *answer;
	int rc;

	if (!rspb_command_options(command, "p:A:q:", options, set, question)) {
		json_object_put(question);
		return RSPB_EXIT_USAGE;
	}
	rc = rspb_command_ask(command, question, &answer);
	if (rc)
		return rc;
	if (command->json) {
		rspb_output_json(answer);
		return rc;
	}
	print_limits(answer);
	json_object_put(answer);
	return rc;
}
