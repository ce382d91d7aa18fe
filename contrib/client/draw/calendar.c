/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/draw/calendar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/client/output.h"

/* The lists of which each page has a part, or the first page everything. */
static const char *const lists[] = { "nodes",	 "classes", "out_of_service",
				     "bookings", "others",  NULL };

/* Give a booking a readable name in place of numbers. */
static void finish(json_object *booking)
{
	const char *reservation = rspb_json_text(booking, "reservation");
	int64_t uid = rspb_json_int(booking, "uid");
	char id[RSPB_OUTPUT_CELL], user[RSPB_OUTPUT_CELL];

	snprintf(id, sizeof(id), "rspb_%lld", (long long) rspb_json_int(booking, "job"));
	rspb_json_put_text(booking, "id", *reservation ? reservation : id);
	if (!json_object_object_get_ex(booking, "uid", NULL))
		return;
	rspb_json_put_text(booking, "user", rspb_output_user(uid, user));
	if ((uid_t) uid == geteuid())
		rspb_json_put_bool(booking, "mine", true);
}

static void take_answer(void *arg, json_object *answer)
{
	json_object *document = arg;
	json_object *bookings = rspb_json_list(answer, "bookings");

	for (size_t i = 0; bookings && i < json_object_array_length(bookings); i++)
		finish(json_object_array_get_idx(bookings, i));
	if (!rspb_json_int(document, "time"))
		rspb_json_put_int(document, "time", rspb_json_int(answer, "now"));
	for (int i = 0; lists[i]; i++)
		rspb_answer_append(answer, lists[i], rspb_json_list(document, lists[i]));
	/* The number of an answer that is the whole calendar. */
	if (rspb_json_get(answer, "nodes") && !rspb_json_int(answer, "next"))
		rspb_json_put_int(document, "seen", rspb_json_int(answer, "serial"));
}

/* The name of this host's zone, as browsers know it; "": it has none. */
static const char *zone_name(char buf[256])
{
	static const char folder[] = "/zoneinfo/";
	const char *name = getenv("TZ");
	ssize_t n;

	if (name)
		return strchr(name, '/') || !strcmp(name, "UTC") ? name : "";
	n = readlink("/etc/localtime", buf, 255);
	buf[n > 0 ? n : 0] = '\0';
	name = strstr(buf, folder);
	return name ? name + sizeof(folder) - 1 : "";
}

/* Private nodes are left out for those who are no users of the cluster. */
static void clear_all(json_object *document)
{
	for (int i = 0; lists[i]; i++)
		rspb_json_put(document, lists[i], json_object_new_array());
}

/* Take away whose they are, and, where that is private, what they are. */
static void make_anonymous(json_object *document, bool hidden)
{
	static const char *const kept[] = { "start", "end",  "on",   "node_part", "cores",
					    "mem",   "gres", "gpus", "by_node" };
	json_object *bookings = rspb_json_list(document, "bookings");
	json_object *others = rspb_json_list(document, "others");

	for (size_t i = 0; bookings && i < json_object_array_length(bookings); i++) {
		json_object *from = json_object_array_get_idx(bookings, i);
		json_object *to, *value;

		json_object_object_del(from, "mine");
		if (!hidden || !others)
			continue;
		to = json_object_new_object();
		rspb_json_put_text(to, "kind", "booking");
		for (size_t k = 0; k < sizeof(kept) / sizeof(kept[0]); k++)
			if (json_object_object_get_ex(from, kept[k], &value))
				rspb_json_put(to, kept[k], json_object_get(value));
		json_object_array_add(others, to);
	}
	if (hidden)
		rspb_json_put(document, "bookings", json_object_new_array());
}

int rspb_calendar_read(const struct rspb_command *command, bool anonymous, json_object **document)
{
	struct rspb_client client;
	int rc = rspb_command_connect(command, &client);
	struct rspb_command_pages pages = { "calendar", NULL, take_answer, NULL };
	char zone[256];

	if (rc)
		return rc;
	*document = json_object_new_object();
	rspb_json_put_int(*document, "version", 1);
	rspb_json_put_text(*document, "cluster", client.site.cluster);
	rspb_json_put_text(*document, "zone", zone_name(zone));
	for (int i = 0; lists[i]; i++)
		rspb_json_put(*document, lists[i], json_object_new_array());
	pages.arg = *document;
	rc = rspb_command_read(&client, command, &pages);
	rspb_client_fini(&client);
	if (rc)
		json_object_put(*document);
	else if (anonymous && client.site.hides_nodes)
		clear_all(*document);
	else if (anonymous)
		make_anonymous(*document, client.site.hides_others);
	return rc;
}

int rspb_calendar_load(const struct rspb_command *command, const char *path, bool anonymous,
		       json_object **document)
{
	*document = strcmp(path, "-") ? json_object_from_file(path)
				      : json_object_from_fd(STDIN_FILENO);
	if (!json_object_is_type(*document, json_type_object) ||
	    rspb_json_int(*document, "version") != 1 || !rspb_json_list(*document, "nodes")) {
		json_object_put(*document);
		return rspb_command_misused(command,
					    "%s is not a calendar of version 1, as rspb timeline "
					    "--json prints it",
					    path);
	}
	if (anonymous)
		make_anonymous(*document, false);
	return RSPB_EXIT_DONE;
}
