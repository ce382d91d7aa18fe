/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the requests of a load are decided together. */
#ifndef RSPB_SIM_REPLAY_BATCHES_H
#define RSPB_SIM_REPLAY_BATCHES_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct sim_arrival {
	int64_t time, ready;
	size_t request;
};

/* Decide these requests, in order of arrival, at this time. RET 0 or -1. */
typedef int (*sim_batch_fn)(const size_t *requests, size_t n, int64_t now, void *arg,
			    struct rspb_err *err);

/*
 * The outer loop (Min, figure 4.1) over arrivals[n], by time: an event every
 * `interval` from t0 on decides what arrived before it. An arrival at the time
 * of an event waits for the next; one whose start would come before the next
 * event is an event of its own, and the next one is an interval after it.
 * interval 0: each request on its arrival. RET 0, or -1 with err: fn's, out of
 * memory.
 */
int sim_batches(const struct sim_arrival *arrivals, size_t n, int64_t t0, int64_t interval,
		sim_batch_fn fn, void *arg, struct rspb_err *err);

#endif
