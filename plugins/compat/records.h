/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of one of Slurm's lists side by side, so that those of the next
 * ones can be fetched while one is looked at: they lie all over the memory. */
#ifndef RSPB_PLUGINS_COMPAT_RECORDS_H
#define RSPB_PLUGINS_COMPAT_RECORDS_H

#include "common/base/array.h"
#include "plugins/compat/release/headers.h"

struct rspb_records {
	size_t n, room;
	void **items; /* free() it */
};

static inline int rspb_records_add(void *record, void *arg)
{
	struct rspb_records *records = arg;

	if (records->n == records->room)
		return -1;
	records->items[records->n++] = record;
	return 0;
}

/* None where there is no list, or no memory. */
static inline void rspb_records_of(list_t *list, struct rspb_records *out)
{
	*out = (struct rspb_records){ .n = 0 };
	if (list && !rspb_array_grow(&out->items, &out->room, (size_t) list_count(list),
				     sizeof(*out->items)))
		list_for_each(list, rspb_records_add, out);
}

#endif
