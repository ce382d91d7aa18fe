/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remembers bookings that were tried in vain, or just now, and are left alone for a while: the last
 * so many of them. For one thread. */
#ifndef RSPB_CTLD_WATCH_RESTING_H
#define RSPB_CTLD_WATCH_RESTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { RSPB_RESTING_MOST = 32 };

struct rspb_resting {
	struct {
		uint64_t id;   /* of a job, 0: nobody */
		int64_t until; /* ms */
	} items[RSPB_RESTING_MOST];
	size_t next;
};

static inline bool rspb_resting_has(const struct rspb_resting *resting, uint64_t id, int64_t now_ms)
{
	for (size_t i = 0; i < RSPB_RESTING_MOST; i++)
		if (resting->items[i].id == id && now_ms < resting->items[i].until)
			return true;
	return false;
}

static inline void rspb_resting_add(struct rspb_resting *resting, uint64_t id, int64_t until_ms)
{
	resting->items[resting->next].id = id;
	resting->items[resting->next].until = until_ms;
	resting->next = (resting->next + 1) % RSPB_RESTING_MOST;
}

static inline void rspb_resting_reset(struct rspb_resting *resting)
{
	memset(resting, 0, sizeof(*resting));
}

#endif
