/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts how often a late booking was tried in vain. It tries none. */
#include "plugins/ctld/start/attempts.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"

static struct {
	size_t n, room;
	struct rspb_attempt *items;
} attempts;

void rspb_attempts_reset(void)
{
	free(attempts.items);
	memset(&attempts, 0, sizeof(attempts));
}

static struct rspb_attempt *attempt_of(uint64_t id)
{
	for (size_t i = 0; i < attempts.n; i++)
		if (attempts.items[i].id == id)
			return &attempts.items[i];
	return NULL;
}

uint32_t rspb_attempt_count(uint64_t id)
{
	struct rspb_attempt *attempt = attempt_of(id);

	if (attempt)
		return ++attempt->count;
	if (rspb_array_grow(&attempts.items, &attempts.room, attempts.n + 1,
			    sizeof(*attempts.items)))
		return 1;
	attempts.items[attempts.n++] = (struct rspb_attempt){
		.id = id,
		.count = 1,
	};
	return 1;
}

void rspb_attempt_refused(uint64_t id, bool refused)
{
	struct rspb_attempt *attempt = attempt_of(id);

	if (attempt)
		attempt->refused = refused;
}

bool rspb_attempt_tell(uint64_t id)
{
	struct rspb_attempt *attempt = attempt_of(id);

	if (!attempt || attempt->told)
		return false;
	attempt->told = true;
	return true;
}

const struct rspb_attempt *rspb_attempt_find(uint64_t id)
{
	return attempt_of(id);
}

void rspb_attempt_forget(uint64_t id)
{
	struct rspb_attempt *attempt = attempt_of(id);

	if (attempt)
		*attempt = attempts.items[--attempts.n];
}
