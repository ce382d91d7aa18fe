/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the booking of a reservation by its number, and the owner of that booking. */
#include "plugins/ctld/book/book.h"

#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/ctld/book/state.h"

/* No job has this number. */
#define NO_JOB UINT64_C(0xffffffff)
enum { NUMBER_SHIFT = 32, COUNT_SHIFT = 48, COUNT_MAX = 1 << 12 };

bool rspb_reserved_is(uint64_t id)
{
	return id > NO_JOB && (id & NO_JOB) == NO_JOB;
}

uint32_t rspb_reserved_owner(const struct rspb_request *request)
{
	return rspb_reserved_is(request->id) && request->user != RSPB_USER_NONE ? request->user : 0;
}

/* RET an id: a count, Slurm's number of the reservation, and 32 bits that no job's id has. The
 * count tells bookings apart that the same reservation had one after the other. */
static uint64_t id_of(uint32_t reservation, uint64_t count)
{
	return count << COUNT_SHIFT | (uint64_t) reservation << NUMBER_SHIFT | NO_JOB;
}

uint32_t rspb_reserved_number(uint64_t id)
{
	return id >> NUMBER_SHIFT & 0xffff;
}

uint64_t rspb_reserved_new_id(const struct rspb_ledger *ledger, uint32_t reservation)
{
	uint64_t count = 0;

	/* Bookings that are over keep their ids until the ledger forgets them. */
	while (count < COUNT_MAX && rspb_ledger_find(ledger, id_of(reservation, count)))
		count++;
	if (count > rspb_book->count_most)
		rspb_book->count_most = count;
	return id_of(reservation, count);
}

const struct rspb_booking *rspb_reserved_find(uint32_t reservation)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	const struct rspb_booking *b;

	for (uint64_t count = 0; ledger && count <= rspb_book->count_most; count++) {
		b = rspb_ledger_find(ledger, id_of(reservation, count));
		if (b && !rspb_state_final(b->state))
			return b;
	}
	return NULL;
}

struct views {
	struct rspb_resv *items;
	size_t n, room;
	rspb_resv_fn other;
	void *arg;
};

/* A search by number walks over Slurm's list each time. A single walk for all bookings keeps
 * the time under the lock short. */
static int add_view(const struct rspb_resv *resv, void *arg)
{
	struct views *views = arg;

	if (rspb_array_grow(&views->items, &views->room, views->n + 1, sizeof(*views->items)))
		return -1;
	views->items[views->n++] = *resv;
	return views->other ? views->other(resv, views->arg) : 0;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = ((const struct rspb_resv *) a)->id, y = ((const struct rspb_resv *) b)->id;

	return x < y ? -1 : x > y;
}

static const struct rspb_resv *view_of(const struct views *views, uint64_t id)
{
	const struct rspb_resv key = { .id = rspb_reserved_number(id) };

	return rspb_array_find(&key, views->items, views->n, sizeof(key), compare);
}

/* RET the first booking from that id on that is a reservation's; NULL: none. Bookings of jobs,
 * of which there are many, have lower ids and are not visited. */
static const struct rspb_booking *next_of(const struct rspb_ledger *ledger, uint64_t id)
{
	const struct rspb_booking *b = rspb_ledger_from(ledger, id);

	while (b && !rspb_reserved_is(b->request->id))
		b = rspb_ledger_from(ledger, b->request->id + 1);
	return b;
}

int rspb_reserved_each(const struct rspb_ledger *ledger, int64_t now, rspb_resv_fn other,
		       rspb_reserved_fn fn, void *arg)
{
	struct views views = { .other = other, .arg = arg };
	const struct rspb_booking *b = next_of(ledger, NO_JOB + 1);
	int rc = 0;

	if (other || b)
		rc = rspb_resv_each(RSPB_RESV_OF_OTHERS, now, add_view, &views);
	if (views.n)
		qsort(views.items, views.n, sizeof(*views.items), compare);
	for (; b && !rc; b = next_of(ledger, b->request->id + 1))
		rc = fn(b, view_of(&views, b->request->id), arg);
	free(views.items);
	return rc;
}

/* The handle points to Slurm's record, so it is good as long as the lock. */
struct rspb_resv_key {
	uint64_t id;
	uint32_t part;
	void *handle;
};

static int compare_keys(const void *left, const void *right)
{
	const struct rspb_resv_key *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->part < b->part ? -1 : a->part > b->part;
}

static int add_key(const struct rspb_resv *resv, void *arg)
{
	struct rspb_resv_keys *keys = arg;
	struct rspb_resv_key key = { .handle = resv->handle };

	if (!rspb_resv_of_job(resv->name, &key.id, &key.part))
		return 0;
	if (rspb_array_grow(&keys->items, &keys->room, keys->n + 1, sizeof(*keys->items)))
		return -1;
	keys->items[keys->n++] = key;
	return 0;
}

int rspb_resv_keys_init(struct rspb_resv_keys *keys)
{
	*keys = (struct rspb_resv_keys){ .n = 0 };
	if (rspb_array_grow(&keys->items, &keys->room, 1, sizeof(*keys->items)) ||
	    rspb_resv_each(RSPB_RESV_ALL, 0, add_key, keys)) {
		rspb_resv_keys_fini(keys);
		return -1;
	}
	qsort(keys->items, keys->n, sizeof(*keys->items), compare_keys);
	return 0;
}

void rspb_resv_keys_fini(struct rspb_resv_keys *keys)
{
	free(keys->items);
	*keys = (struct rspb_resv_keys){ .n = 0 };
}

bool rspb_resv_keys_find(const struct rspb_resv_keys *keys, uint64_t id, uint32_t part, int64_t now,
			 struct rspb_resv *out)
{
	const struct rspb_resv_key wanted = { .id = id, .part = part };
	const struct rspb_resv_key *key = bsearch(&wanted, keys->items, keys->n, sizeof(wanted),
						  compare_keys);

	if (key && out)
		rspb_resv_view(key->handle, now, out);
	return key;
}
