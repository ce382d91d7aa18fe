/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reserved CPU share of every machine over time. Shares are integers in
 * 1/10000 of a CPU; a machine of c CPUs has 10000 c of them. Intervals are
 * half-open [start, end) in whole time units.
 *
 * Source: Min, "Scheduling Advance Reservations with Priorities in Grid
 * Computing Systems", chapter 3 (time slot tables, figure 3.3). Time need not
 * be slotted here; a granularity g > 1 rounds to
 * [floor(start/g), ceil(end/g)) g.
 */
#ifndef RSPB_SHARES_SHARES_H
#define RSPB_SHARES_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct rspb_shares;

/*
 * capacity[machines] is copied and held within 0..2^31-1; granularity is
 * held within 1..2^40, now within the range of times (common/calendar/profile.h).
 * RET NULL: out of memory.
 */
struct rspb_shares *rspb_shares_create(uint32_t machines, const int64_t *capacity,
				       int64_t granularity, int64_t now);
/* A copy, which shares memory with the original until one of them changes: it costs
 * what is changed. Each may belong to a thread of its own. RET NULL: out of memory. */
struct rspb_shares *rspb_shares_clone(const struct rspb_shares *shares);
void rspb_shares_destroy(struct rspb_shares *shares);

/* Other capacities[machines], held within the same; a machine of which more is
 * reserved keeps as much. RET -1: out of memory, some are as they were. */
int rspb_shares_resize(struct rspb_shares *shares, const int64_t *capacity);
int64_t rspb_shares_capacity(const struct rspb_shares *shares, uint32_t machine);

/* RET -1 with err, nothing changed: bad window, machine, share <= 0, or more
 * than is free at some instant (add), less than is held (remove). */
int rspb_shares_add(struct rspb_shares *shares, uint32_t machine, int64_t start, int64_t end,
		    int64_t share, struct rspb_err *err);
int rspb_shares_remove(struct rspb_shares *shares, uint32_t machine, int64_t start, int64_t end,
		       int64_t share, struct rspb_err *err);
int rspb_shares_advance(struct rspb_shares *shares, int64_t now, struct rspb_err *err);

/* Highest reserved share of a machine at any instant of [start, end). */
int rspb_shares_peak(const struct rspb_shares *shares, uint32_t machine, int64_t start, int64_t end,
		     int64_t *peak, struct rspb_err *err);
/* The same for all machines at once into peaks[machines]. */
int rspb_shares_peaks(const struct rspb_shares *shares, int64_t start, int64_t end, int64_t *peaks,
		      struct rspb_err *err);
/* The next stretch of time, from *from on, in which more than level is reserved of a
 * machine, into [*from, *until). RET false: there is none. */
bool rspb_shares_above(const struct rspb_shares *shares, uint32_t machine, int64_t level,
		       int64_t *from, int64_t *until);
/* Reserved share x time of each machine over the window (thesis, line 38 of
 * figure 3.5: the average load times the window). */
int rspb_shares_loads(const struct rspb_shares *shares, int64_t start, int64_t end, int64_t *loads,
		      struct rspb_err *err);

#endif
