/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remembers what owners were told of what is in their way. It tells nobody. */
#include "plugins/ctld/following/trouble.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"

static struct {
	struct rspb_trouble **items; /* by id */
	size_t n, room;
} told;

void rspb_trouble_reset(void)
{
	for (size_t i = 0; i < told.n; i++)
		free(told.items[i]);
	free(told.items);
	memset(&told, 0, sizeof(told));
}

size_t rspb_trouble_count(void)
{
	return told.n;
}

struct rspb_trouble *rspb_trouble_at(size_t i)
{
	return told.items[i];
}

/* RET the place of the first that is not before id. */
static size_t place_of(uint64_t id)
{
	size_t low = 0, high = told.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (told.items[middle]->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct rspb_trouble *rspb_trouble_find(uint64_t id)
{
	size_t at = place_of(id);

	return at < told.n && told.items[at]->id == id ? told.items[at] : NULL;
}

struct rspb_trouble *rspb_trouble_add(uint64_t id)
{
	struct rspb_trouble *notice;
	size_t at = place_of(id);

	if (rspb_array_grow(&told.items, &told.room, told.n + 1, sizeof(*told.items)))
		return NULL;
	notice = calloc(1, sizeof(*notice));
	if (!notice)
		return NULL;
	notice->id = id;
	memmove(told.items + at + 1, told.items + at, (told.n - at) * sizeof(*told.items));
	told.items[at] = notice;
	told.n++;
	return notice;
}

void rspb_trouble_forget(struct rspb_trouble *notice)
{
	size_t at = place_of(notice->id);

	told.n--;
	memmove(told.items + at, told.items + at + 1, (told.n - at) * sizeof(*told.items));
	free(notice);
}
