/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int rspb_array_grow(void *array, size_t *room, size_t count, size_t size)
{
	void **at = array;
	/* The room grows by half, so that adding one item at a time costs linear time in all. The
	 * 16 spare a new array the first small steps. */
	size_t wanted = *room + *room / 2 + 16;
	void *grown;

	if (count <= *room)
		return 0;
	if (wanted < count)
		wanted = count;
	/* The old memory stays valid until the new one is there, so a failure leaves the array as
	 * it was. */
	grown = realloc(*at, wanted * size);
	if (!grown)
		return -1;
	*at = grown;
	*room = wanted;
	return 0;
}

size_t rspb_array_place(const void *key, const void *items, size_t n, size_t size,
			int (*order)(const void *, const void *))
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (order((const char *) items + middle * size, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void *rspb_array_find(const void *key, const void *items, size_t n, size_t size,
		      int (*order)(const void *, const void *))
{
	size_t at = rspb_array_place(key, items, n, size, order);
	char *item = at < n ? (char *) items + at * size : NULL;

	return item && !order(item, key) ? item : NULL;
}

void *rspb_array_insert(void *array, size_t *room, size_t *n, size_t at, const void *item,
			size_t size)
{
	char *place;

	if (rspb_array_grow(array, room, *n + 1, size))
		return NULL;
	place = *(char **) array + at * size;
	memmove(place + size, place, ((*n)++ - at) * size);
	return memcpy(place, item, size);
}

void rspb_array_remove(void *items, size_t *n, void *item, size_t size)
{
	char *place = item, *end = (char *) items + *n * size;

	if (!place)
		return;
	memmove(place, place + size, (size_t) (end - place) - size);
	--*n;
}

/* The three orders compare instead of subtracting, because a difference may not fit into an int. */
int rspb_array_by_u32(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

int rspb_array_by_u64(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

int rspb_array_by_i64(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}
