/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/output.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "common/base/text.h"
#include "common/wire/texts.h"
#include "contrib/client/client.h"

char *rspb_output_time(int64_t at, char buf[RSPB_OUTPUT_CELL])
{
	time_t seconds = at;
	struct tm tm;

	if (!at || !localtime_r(&seconds, &tm) || !strftime(buf, RSPB_OUTPUT_CELL, "%FT%T", &tm))
		strcpy(buf, "-");
	return buf;
}

char *rspb_output_moment(int64_t at, char buf[RSPB_OUTPUT_CELL])
{
	char name[RSPB_ZONE_NAME];
	struct tm tm;
	size_t n;

	rspb_output_time(at, buf);
	if (at && rspb_zone_tm("", at, &tm, name)) {
		n = strlen(buf);
		snprintf(buf + n, RSPB_OUTPUT_CELL - n, " %s", name);
	}
	return buf;
}

/* Append the name of this host's clock then, unless it is there; 0: at no time. */
static void add_zone(char buf[RSPB_OUTPUT_CELL], int64_t at)
{
	char name[RSPB_ZONE_NAME] = "";
	size_t len = strlen(buf);
	struct tm tm;

	if (at && rspb_zone_tm("", at, &tm, name) && !rspb_text_listed(buf, name))
		snprintf(buf + len, RSPB_OUTPUT_CELL - len, "%s%s", len ? "," : "", name);
}

char *rspb_output_zones(json_object *list, const char *from, const char *until,
			char buf[RSPB_OUTPUT_CELL])
{
	size_t n = list ? json_object_array_length(list) : 0;

	buf[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		json_object *one = json_object_array_get_idx(list, i);

		add_zone(buf, rspb_json_int(one, from));
		add_zone(buf, rspb_json_int(one, until));
	}
	if (!buf[0])
		add_zone(buf, time(NULL));
	return buf;
}

char *rspb_output_local(const char *text)
{
	/* A time grows by a blank and its clock's name. */
	size_t size = 2 * strlen(text) + 1;
	char *local = malloc(size);

	if (local)
		rspb_zone_localize("", text, local, size);
	return local;
}

char *rspb_output_state(json_object *booking, char buf[RSPB_OUTPUT_CELL])
{
	int64_t held = rspb_json_int(booking, "held");
	const char *state = rspb_json_text(booking, "state");
	time_t until = held, now = time(NULL);
	bool soon = held < now + 43200;
	struct tm tm;

	if (json_object_object_get_ex(booking, "open", NULL))
		state = "open";
	/* A start that is only planned. */
	if (!strcmp(state, "booked") && rspb_json_int(booking, "firm_from") > now)
		state = "booked~";
	if (strcmp(state, "booked") || !held || !localtime_r(&until, &tm) ||
	    !strftime(buf, RSPB_OUTPUT_CELL, soon ? "held until %H:%M" : "held until %b %e %H:%M",
		      &tm))
		snprintf(buf, RSPB_OUTPUT_CELL, "%s", state);
	return buf;
}

char *rspb_output_id(json_object *booking, char buf[RSPB_OUTPUT_CELL])
{
	snprintf(buf, RSPB_OUTPUT_CELL, "%.47s", rspb_json_text(booking, "reservation"));
	if (!buf[0])
		snprintf(buf, RSPB_OUTPUT_CELL, "%.31s", rspb_json_text(booking, "task"));
	if (!buf[0])
		snprintf(buf, RSPB_OUTPUT_CELL, "%" PRId64, rspb_json_int(booking, "job"));
	return buf;
}

char *rspb_output_duration(int64_t s, char buf[RSPB_OUTPUT_CELL])
{
	int n = 0;

	if (s >= 86400)
		n = snprintf(buf, RSPB_OUTPUT_CELL, "%" PRId64 "-", s / 86400);
	snprintf(buf + n, RSPB_OUTPUT_CELL - (size_t) n, "%02d:%02d:%02d", (int) (s % 86400 / 3600),
		 (int) (s % 3600 / 60), (int) (s % 60));
	return buf;
}

char *rspb_output_user(int64_t uid, char buf[RSPB_OUTPUT_CELL])
{
	const struct passwd *user = getpwuid((uid_t) uid);

	if (user)
		snprintf(buf, RSPB_OUTPUT_CELL, "%s", user->pw_name);
	else
		snprintf(buf, RSPB_OUTPUT_CELL, "%" PRId64, uid);
	return buf;
}

char *rspb_output_nodes(json_object *booking, char buf[RSPB_OUTPUT_CELL])
{
	int64_t asked = rspb_json_int(booking, "nodes_asked");
	int64_t nodes = rspb_json_int(booking, "nodes");

	if (asked == nodes || !asked)
		snprintf(buf, RSPB_OUTPUT_CELL, "%" PRId64, nodes);
	else
		snprintf(buf, RSPB_OUTPUT_CELL, "%" PRId64 "/%" PRId64, nodes, asked);
	return buf;
}

enum { TYPES_MOST = 8 }; /* further ones do not fit into the column */

char *rspb_output_gpus(json_object *booking, char buf[RSPB_OUTPUT_CELL])
{
	int64_t gpus = rspb_json_int(booking, "gpus"), nodes = rspb_json_int(booking, "nodes");
	int64_t known = 0;
	struct rspb_text text = rspb_text_over(buf, RSPB_OUTPUT_CELL);
	struct rspb_gpus sum = { .n = 0 };
	bool unknown = false;
	json_object *list;

	if (!gpus) {
		strcpy(buf, "-");
		return buf;
	}
	/* A request has no nodes yet. */
	if (!nodes)
		nodes = rspb_json_int(booking, "nodes_asked");
	if (!json_object_object_get_ex(booking, "by_node", &list))
		rspb_gpus_add(&sum, rspb_json_text(booking, "gres"), nodes, false);
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		json_object *one = json_object_array_get_idx(list, i);

		/* An earlier slurmctld does not number these nodes. */
		unknown |= !rspb_json_int(one, "nodes");
		rspb_gpus_add(&sum, rspb_json_text(one, "gres"), rspb_json_int(one, "nodes"),
			      false);
	}
	/* An earlier slurmctld lists only some components of a heterogeneous job. */
	for (size_t i = 0; i < sum.n; i++) {
		unknown |= !sum.of[i].type[0];
		known += sum.of[i].count;
	}
	unknown |= known != gpus || sum.n > TYPES_MOST;
	if (unknown)
		rspb_text_add(&text, "%" PRId64, gpus);
	for (size_t i = 0; !unknown && i < sum.n; i++)
		rspb_text_add(&text, "%s%s:%" PRId64, i ? "," : "", sum.of[i].type,
			      sum.of[i].count);
	return buf;
}

char *rspb_output_mem(json_object *booking, char buf[RSPB_OUTPUT_CELL])
{
	int64_t mem = rspb_json_int(booking, "mem");

	if (!mem)
		strcpy(buf, "-");
	else if (mem % 1024)
		snprintf(buf, RSPB_OUTPUT_CELL, "%" PRId64 "M", mem);
	else
		snprintf(buf, RSPB_OUTPUT_CELL, "%" PRId64 "G", mem / 1024);
	return buf;
}

size_t rspb_output_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (columns && atoi(columns) > 0)
		return (size_t) atoi(columns);
	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return size.ws_col;
	return 0;
}

uint32_t rspb_output_height(void)
{
	const char *lines = getenv("LINES");
	struct winsize size;

	if (lines && atoi(lines) > 0)
		return (uint32_t) atoi(lines);
	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row)
		return size.ws_row;
	return 50;
}

void rspb_output_json(json_object *object)
{
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
							    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}
