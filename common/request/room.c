/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names what is counted on each node, and prints it. It counts nothing. */
#include "common/request/room.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/hash.h"

uint64_t rspb_room_key(const char *kind)
{
	/* A number that JSON can hold, and not that of the CPUs. */
	return (rspb_hash(RSPB_HASH_START, kind, strlen(kind)) >> 2) | 1;
}

static bool is_device(const struct rspb_quota *quota)
{
	return quota->key == rspb_room_key(quota->name) &&
	       strcmp(quota->name, RSPB_ROOM_MEMORY) != 0;
}

/* RET how much of a kind has no type that is counted by itself. */
static int64_t of_any_type(const struct rspb_quota *kind, const struct rspb_quota *quotas, size_t n)
{
	size_t len = strlen(kind->name);
	int64_t left = kind->per_node;

	for (size_t i = 0; i < n; i++)
		if (!strncmp(quotas[i].name, kind->name, len) && quotas[i].name[len] == ':' &&
		    is_device(&quotas[i]))
			left -= quotas[i].per_node;
	return left;
}

void rspb_devices_print(const struct rspb_quota *quotas, size_t n, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		int64_t amount = is_device(&quotas[i]) ? of_any_type(&quotas[i], quotas, n) : 0;
		int len;

		if (amount <= 0)
			continue;
		len = snprintf(text + used, size - used, "%s%s:%" PRId64, used ? "," : "",
			       quotas[i].name, amount);
		if (len < 0 || (size_t) len >= size - used) {
			text[used] = '\0';
			return;
		}
		used += (size_t) len;
	}
}
