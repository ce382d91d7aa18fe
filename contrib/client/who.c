/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/who.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "contrib/client/client.h"

const char *const rspb_who_names[RSPB_N_WHO] = {
	[RSPB_WHO_DOWN] = "down",	  [RSPB_WHO_JOB] = "job",
	[RSPB_WHO_RESERVED] = "reserved", [RSPB_WHO_MAINTENANCE] = "maintenance",
	[RSPB_WHO_BOOKED] = "booked",	  [RSPB_WHO_MINE] = "mine",
};

/* As the protocol says it, of what is no booking to be seen. */
static const struct {
	const char *kind;
	enum rspb_who who;
} kinds[] = {
	{ "job", RSPB_WHO_JOB },
	{ "reservation", RSPB_WHO_RESERVED },
	{ "maintenance", RSPB_WHO_MAINTENANCE },
	{ "booking", RSPB_WHO_BOOKED },
};

enum rspb_who rspb_who_of(json_object *item)
{
	const char *kind = rspb_json_text(item, "kind");

	if (!*kind)
		return json_object_object_get_ex(item, "mine", NULL) ? RSPB_WHO_MINE
								     : RSPB_WHO_BOOKED;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].kind, kind))
			return kinds[i].who;
	return RSPB_WHO_DOWN;
}

char *rspb_who_title(json_object *item, char buf[RSPB_WHO_TITLE])
{
	const char *name = rspb_json_text(item, "reservation");
	const char *user = rspb_json_text(item, "user");
	int64_t job = rspb_json_int(item, "job");
	size_t n;

	if (json_object_object_get_ex(item, "kind", NULL)) {
		snprintf(buf, RSPB_WHO_TITLE, "%s", rspb_who_names[rspb_who_of(item)]);
		return buf;
	}
	if (!*name && job)
		snprintf(buf, RSPB_WHO_TITLE, "%" PRId64, job);
	else
		snprintf(buf, RSPB_WHO_TITLE, "%.40s", *name ? name : rspb_json_text(item, "id"));
	n = strlen(buf);
	if (*user)
		snprintf(buf + n, RSPB_WHO_TITLE - n, "%s%.20s", n ? " " : "", user);
	return buf;
}
