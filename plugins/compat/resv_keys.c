/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds reservations by booking and part, in a table for one look. It holds no record. */
#include <stdlib.h>

#include "common/base/hash.h"
#include "plugins/compat/resv_internal.h"

struct rspb_resv_key {
	uint64_t key; /* 0: none */
	slurmctld_resv_t *resv;
};

static uint64_t key_of(uint64_t id, uint32_t part)
{
	return (id << 8 | (part & 0xff)) + 1;
}

static struct rspb_resv_key *place_of(const struct rspb_resv_keys *keys, uint64_t key)
{
	size_t at = rspb_hash_row(key, keys->size);

	while (keys->slots[at].key && keys->slots[at].key != key)
		at = (at + 1) & (keys->size - 1);
	return &keys->slots[at];
}

int rspb_resv_keys_init(struct rspb_resv_keys *keys)
{
	size_t n = resv_list ? (size_t) list_count(resv_list) : 0;
	slurmctld_resv_t *resv;
	list_itr_t *iter;
	uint64_t id;
	uint32_t part;

	*keys = (struct rspb_resv_keys){ .size = 16 };
	while (keys->size < 2 * n + 2)
		keys->size *= 2;
	keys->slots = calloc(keys->size, sizeof(*keys->slots));
	if (!keys->slots)
		return -1;
	iter = n ? list_iterator_create(resv_list) : NULL;
	while (iter && n-- && (resv = list_next(iter)))
		if (rspb_resv_of_job(resv->name, &id, &part))
			*place_of(keys,
				  key_of(id, part)) = (struct rspb_resv_key){ key_of(id, part),
									      resv };
	if (iter)
		list_iterator_destroy(iter);
	return 0;
}

void rspb_resv_keys_fini(struct rspb_resv_keys *keys)
{
	free(keys->slots);
	*keys = (struct rspb_resv_keys){ .size = 0 };
}

bool rspb_resv_keys_find(const struct rspb_resv_keys *keys, uint64_t id, uint32_t part, int64_t now,
			 struct rspb_resv *out)
{
	const struct rspb_resv_key *place = place_of(keys, key_of(id, part));

	if (place->key && out)
		rspb_resv_view(place->resv, now, out);
	return place->key;
}
