/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/who.h"

#include <string.h>

#include "contrib/client/client.h"

const char *const rspb_who_names[RSPB_N_WHO] = {
	[RSPB_WHO_DOWN] = "down",
	[RSPB_WHO_JOB] = "job",
	[RSPB_WHO_RESERVED] = "reserved",
	[RSPB_WHO_MAINTENANCE] = "maintenance",
	[RSPB_WHO_BOOKED] = "booked",
	[RSPB_WHO_MINE] = "mine",
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
	const char *kind = rspb_answer_text(item, "kind");

	if (!*kind)
		return json_object_object_get_ex(item, "mine", NULL)
			       ? RSPB_WHO_MINE
			       : RSPB_WHO_BOOKED;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].kind, kind))
			return kinds[i].who;
	return RSPB_WHO_DOWN;
}
