/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/names.h"

#include <stdint.h>

#include "common/base/text.h"

/* The members with which every row of a table begins. */
struct named {
	const char *name, *alias;
};

static const struct named *next_row(const struct named *row, size_t size)
{
	return (const struct named *) ((const char *) row + size);
}

const void *rspb_names_find(const void *rows, size_t size, const char *name)
{
	for (const struct named *row = rows; row->name; row = next_row(row, size))
		if (rspb_text_same(row->name, name) ||
		    (row->alias && rspb_text_same(row->alias, name)))
			return row;
	return NULL;
}

static void keep_nearer(const char *name, const char *candidate, const char **best,
			uint32_t *distance)
{
	uint32_t d = rspb_text_distance(name, candidate);

	if (*best && d >= *distance)
		return;
	*best = candidate;
	*distance = d;
}

const char *rspb_names_nearest(const void *rows, size_t size, const char *name)
{
	const char *best = NULL;
	uint32_t distance = 0;

	for (const struct named *row = rows; row->name; row = next_row(row, size)) {
		keep_nearer(name, row->name, &best, &distance);
		if (row->alias)
			keep_nearer(name, row->alias, &best, &distance);
	}
	return best;
}
