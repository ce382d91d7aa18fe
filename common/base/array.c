/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/array.h"

#include <stdint.h>
#include <stdlib.h>

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
