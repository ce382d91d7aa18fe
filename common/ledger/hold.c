/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the holds that limits count besides the bookings. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/ledger/internal.h"

/* The same for all copies of a ledger, which may be in other threads. */
struct rspb_rooms {
	atomic_uint holders;
	size_t n, size;
	struct rspb_room *items;
};

int rspb_ledger_add_room(struct rspb_ledger *ledger, uint64_t key, const uint32_t *of)
{
	size_t bytes = ledger->nodes * sizeof(*of);
	struct rspb_rooms *rooms = ledger->rooms;
	uint32_t *copy;

	if (!rooms) {
		rooms = ledger->rooms = calloc(1, sizeof(*rooms));
		if (!rooms)
			return -1;
		atomic_init(&rooms->holders, 1);
	}
	if (rspb_array_grow(&rooms->items, &rooms->size, rooms->n + 1, sizeof(*rooms->items)))
		return -1;
	copy = malloc(bytes + 1);
	if (!copy)
		return -1;
	memcpy(copy, of, bytes);
	rooms->items[rooms->n++] = (struct rspb_room){ key, copy };
	return 0;
}

const struct rspb_room *rspb_ledger_rooms(const struct rspb_ledger *ledger, size_t *n)
{
	*n = ledger->rooms ? ledger->rooms->n : 0;
	return ledger->rooms ? ledger->rooms->items : NULL;
}

const uint32_t *rspb_ledger_room(const struct rspb_ledger *ledger, uint64_t key)
{
	size_t n;
	const struct rspb_room *rooms = rspb_ledger_rooms(ledger, &n);

	for (size_t i = 0; i < n; i++)
		if (rooms[i].key == key)
			return rooms[i].of;
	return NULL;
}

void rspb_ledger_share_rooms(struct rspb_ledger *to, const struct rspb_ledger *from)
{
	to->rooms = from->rooms;
	if (to->rooms)
		atomic_fetch_add_explicit(&to->rooms->holders, 1, memory_order_relaxed);
}

void rspb_ledger_drop_rooms(struct rspb_ledger *ledger)
{
	struct rspb_rooms *rooms = ledger->rooms;

	ledger->rooms = NULL;
	if (!rooms || atomic_fetch_sub(&rooms->holders, 1) != 1)
		return;
	for (size_t i = 0; i < rooms->n; i++)
		free(rooms->items[i].of);
	free(rooms->items);
	free(rooms);
}

const struct rspb_hold *rspb_ledger_holds(const struct rspb_ledger *ledger, size_t *n)
{
	*n = ledger->n_holds;
	return ledger->holds;
}
