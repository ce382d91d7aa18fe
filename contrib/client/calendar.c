/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/calendar.h"

#include <stdio.h>
#include <unistd.h>

#include "contrib/client/output.h"

/* What is to be read of a booking: a name in place of numbers. */
static void finish(json_object *booking)
{
	const char *reservation = rspb_answer_text(booking, "reservation");
	int64_t uid = rspb_answer_number(booking, "uid");
	char id[RSPB_OUTPUT_CELL], user[RSPB_OUTPUT_CELL];

	snprintf(id, sizeof(id), "rspb_%lld",
		 (long long) rspb_answer_number(booking, "job"));
	json_object_object_add(booking, "id",
			       json_object_new_string(*reservation ? reservation
								   : id));
	if (!json_object_object_get_ex(booking, "uid", NULL))
		return;
	json_object_object_add(booking, "user",
			       json_object_new_string(
				       rspb_output_user(uid, user)));
	if ((uid_t) uid == geteuid())
		json_object_object_add(booking, "mine",
				       json_object_new_boolean(true));
}

static void take(json_object *answer, const char *key, json_object *to,
		 void (*call)(json_object *))
{
	json_object *list = rspb_answer_list(answer, key);

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		json_object *item = json_object_array_get_idx(list, i);

		if (call)
			call(item);
		json_object_array_add(to, json_object_get(item));
	}
}

static json_object *list_in(json_object *document, const char *key)
{
	json_object *list = json_object_new_array();

	json_object_object_add(document, key, list);
	return list;
}

static int read_pages(struct rspb_client *client,
		      const struct rspb_command *command, json_object *document)
{
	json_object *nodes = list_in(document, "nodes"),
		    *bookings = list_in(document, "bookings"),
		    *others = list_in(document, "others"), *answer;
	int64_t first = 0;

	do {
		json_object *question = rspb_command_question("calendar");
		int rc;

		json_object_object_add(question, "first",
				       json_object_new_int64(first));
		rc = rspb_command_ask_on(client, command, question, &answer);
		if (rc)
			return rc;
		if (!first)
			json_object_object_add(
				document, "time",
				json_object_new_int64(
					rspb_answer_number(answer, "now")));
		take(answer, "nodes", nodes, NULL);
		take(answer, "bookings", bookings, finish);
		take(answer, "others", others, NULL);
		first = rspb_answer_number(answer, "next");
		json_object_put(answer);
	} while (first);
	return RSPB_EXIT_DONE;
}

int rspb_calendar_read(const struct rspb_command *command,
		       json_object **document)
{
	struct rspb_client client;
	struct rspb_err err;
	int rc;

	if (rspb_client_init(&client, command->server, &err)) {
		fprintf(stderr, "rspb %s: %s\n", command->argv[0], err.text);
		return RSPB_EXIT_NO_ANSWER;
	}
	*document = json_object_new_object();
	json_object_object_add(*document, "version", json_object_new_int(1));
	json_object_object_add(*document, "cluster",
			       json_object_new_string(client.site.cluster));
	rc = read_pages(&client, command, *document);
	rspb_client_fini(&client);
	if (rc)
		json_object_put(*document);
	return rc;
}
