/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb show: all that is known of one booking, member by member. It asks for no more
 * than one answer has. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/texts.h"
#include "contrib/client/command.h"
#include "contrib/client/output.h"
#include "contrib/client/series.h"

enum kind { NUMBER, TEXT, SAID, STATE, TIME, DURATION, PERCENT, DECIMAL, USER, SIZE, GRES, NODES };

static const struct {
	const char *key, *name;
	enum kind kind;
} rows[] = {
	{ "job", "job", NUMBER },
	{ "task", "task", TEXT },
	{ "reservation", "reservation", TEXT },
	{ "name", "name", TEXT },
	{ "uid", "user", USER },
	{ "users", "for users", TEXT },
	{ "accounts", "for accounts", TEXT },
	{ "state", "state", STATE },
	{ "start", "start", TIME },
	{ "end", "end", TIME },
	{ "nodes", "nodes", NUMBER },
	{ "nodes_promised", "promised nodes", NUMBER },
	{ "cores", "cores per node", NUMBER },
	{ "mem", "memory per node", SIZE },
	{ "gres", "GRES per node", GRES },
	{ "by_node", "by node", NODES },
	{ "gpus", "GPUs", NUMBER },
	{ "licenses", "licenses", TEXT },
	{ "share", "share per node", PERCENT },
	{ "benefit", "benefit", DECIMAL },
	{ "names", "on", TEXT },
	{ "binding", "start and nodes", TEXT },
	{ "distance", "distance", DECIMAL },
	{ "reason", "reason", SAID },
	{ "remark", "now", SAID },
	{ "components", "components", NUMBER },
	{ "nodes_asked", "requested nodes", NUMBER },
	{ "share_asked", "requested share", PERCENT },
	{ "duration", "requested time", DURATION },
	{ "ready", "earliest start", TIME },
	{ "deadline", "latest end", TIME },
	{ "firm_from", "start fixed from", TIME },
	{ "held", "held until", TIME },
	{ "remind", "reminder before", DURATION },
	{ "series", "series", TEXT },
};

/* "8 cores, 1 GPU (a100), 1600 MiB of c2", a line for each. */
static void print_nodes(json_object *list)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *one = json_object_array_get_idx(list, i);
		char text[512];
		struct rspb_text words = rspb_text_over(text, sizeof(text));

		rspb_cores_add_words(rspb_json_int(one, "cores"), rspb_json_text(one, "gres"),
				     rspb_json_int(one, "mem"), &words);
		/* A whole node without devices gives nothing that has a name. */
		printf(i ? "%-17s %s of %s\n" : "%s%s of %s\n", "", *text ? text : "all",
		       rspb_json_text(one, "names"));
	}
}

static void print(json_object *booking, const char *key, enum kind kind)
{
	char cell[RSPB_OUTPUT_CELL], *said, text[256];
	struct rspb_text words;
	int64_t number = rspb_json_int(booking, key);

	switch (kind) {
	case NUMBER:
		printf("%" PRId64 "\n", number);
		break;
	case TEXT:
		printf("%s\n", rspb_json_text(booking, key));
		break;
	case SAID:
		said = rspb_output_local(rspb_json_text(booking, key));
		printf("%s\n", said ? said : "");
		free(said);
		break;
	case STATE:
		printf("%s\n", rspb_output_state(booking, cell));
		break;
	case TIME:
		printf("%s\n", rspb_output_moment(number, cell));
		break;
	case DURATION:
		printf("%s\n", rspb_output_duration(number, cell));
		break;
	case PERCENT:
		printf("%g%%\n", rspb_json_real(booking, key));
		break;
	case DECIMAL:
		printf("%g\n", rspb_json_real(booking, key));
		break;
	case SIZE:
		printf("%" PRId64 " MiB\n", number);
		break;
	case GRES:
		words = rspb_text_over(text, sizeof(text));
		rspb_gres_add_words(rspb_json_text(booking, key), &words);
		printf("%s\n", text);
		break;
	case NODES:
		print_nodes(json_object_object_get(booking, key));
		break;
	case USER:
		printf("%s\n", rspb_output_user(number, cell));
		break;
	}
}

static void print_booking(json_object *booking)
{
	char cell[RSPB_OUTPUT_CELL];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!json_object_object_get_ex(booking, rows[i].key, NULL))
			continue;
		printf("%-17s ", rows[i].name);
		print(booking, rows[i].key, rows[i].kind);
	}
	/* Where the reason itself names none, as that of a limit. */
	if (!strcmp(rspb_json_text(booking, "state"), "declined") &&
	    !strstr(rspb_json_text(booking, "reason"), "rspb "))
		printf("%-17s rspb offers %s\n", "offers", rspb_output_id(booking, cell));
}

static void show_series(const struct rspb_command *command, json_object *list)
{
	json_object *object;

	if (!command->json) {
		rspb_list_print(list);
		return;
	}
	object = json_object_new_object();
	rspb_json_put_int(object, "version", 1);
	rspb_json_put_text(object, "series", command->argv[1]);
	rspb_json_put(object, "bookings", json_object_get(list));
	rspb_output_json(object);
}

static int show_one(const struct rspb_command *command, json_object *one)
{
	struct rspb_which which = rspb_command_which_of(one);
	json_object *answer, *booking = NULL;
	int rc = rspb_command_ask(command, rspb_command_question_which("show", &which), &answer);

	if (rc)
		return rc;
	if (command->json) {
		rspb_output_json(answer);
		return rc;
	}
	if (json_object_object_get_ex(answer, "booking", &booking))
		print_booking(booking);
	json_object_put(answer);
	return rc;
}

int rspb_command_show(const struct rspb_command *command)
{
	const char *text = command->argv[1];
	json_object *list, *one;
	int rc;

	if (command->argc != 2)
		return rspb_command_misused(command, "give one job");
	rc = rspb_series_find(command, text, &list);
	if (rc)
		return rc;
	one = json_object_array_get_idx(list, 0);
	if (json_object_array_length(list) > 1 || !strcmp(rspb_json_text(one, "series"), text))
		show_series(command, list);
	else
		rc = show_one(command, one);
	json_object_put(list);
	return rc;
}
