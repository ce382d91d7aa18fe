/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/draw/calendar.h"

#include <stdio.h>
#include <unistd.h>

#include "contrib/client/output.h"

/* Of which a page has a part, or the first one all. */
static const char *const lists[] = { "nodes", "bookings", "others", NULL };

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

static void take(void *arg, json_object *answer)
{
	json_object *document = arg;
	json_object *bookings = rspb_answer_list(answer, "bookings");

	for (size_t i = 0; bookings && i < json_object_array_length(bookings);
	     i++)
		finish(json_object_array_get_idx(bookings, i));
	if (!rspb_answer_number(document, "time"))
		rspb_command_add(document, "time",
				 rspb_answer_number(answer, "now"));
	for (int i = 0; lists[i]; i++)
		rspb_answer_append(answer, lists[i],
				   rspb_answer_list(document, lists[i]));
}

int rspb_calendar_read(const struct rspb_command *command,
		       json_object **document)
{
	struct rspb_client client;
	int rc = rspb_command_connect(command, &client);
	struct rspb_command_pages pages = { "calendar", NULL, take, NULL };

	if (rc)
		return rc;
	*document = json_object_new_object();
	json_object_object_add(*document, "version", json_object_new_int(1));
	json_object_object_add(*document, "cluster",
			       json_object_new_string(client.site.cluster));
	for (int i = 0; lists[i]; i++)
		json_object_object_add(*document, lists[i],
				       json_object_new_array());
	pages.arg = *document;
	rc = rspb_command_read(&client, command, &pages);
	rspb_client_fini(&client);
	if (rc)
		json_object_put(*document);
	return rc;
}
