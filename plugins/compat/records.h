/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The records of one of Slurm's lists side by side, so that those of the next
 * ones can be fetched while one is looked at: they lie all over the memory. */
#ifndef RSPB_PLUGINS_COMPAT_RECORDS_H
#define RSPB_PLUGINS_COMPAT_RECORDS_H

#include "common/base/array.h"

struct rspb_records {
	size_t n, room;
	void **items; /* free() it */
};

/* For list_for_each(). RET 0, -1: out of memory, the walk ends there. */
static inline int rspb_records_add(void *record, void *arg)
{
	struct rspb_records *records = arg;

	if (rspb_array_grow(&records->items, &records->room, records->n + 1,
			    sizeof(*records->items)))
		return -1;
	records->items[records->n++] = record;
	return 0;
}

#endif
