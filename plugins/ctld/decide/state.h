/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that this room keeps between two batches: its member of struct rspb_controller
 * (controller.h). */
#ifndef RSPB_CTLD_DECIDE_STATE_H
#define RSPB_CTLD_DECIDE_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The number of requests that are decided alone in an interval: more are a flood. */
enum { RSPB_BATCH_ALONE_MOST = 3 };

/* The interval in which requests are gathered (batch.c). */
struct rspb_batch_state {
	/* Any thread: the end of the running interval in ms, INT64_MAX: none runs; the last
	 * announcement of a request. The agent alone uses all that follows. */
	atomic_int_least64_t due, announced;
	bool alone;	    /* the interval is short, for a request that has no company */
	int64_t alone_from; /* ms: when that was seen, */
	int64_t alone_at[RSPB_BATCH_ALONE_MOST]; /* and when the last were decided */
	int64_t look;  /* an expected job should be there; INT64_MAX: none is expected */
	bool gathered; /* who waits has waited for us, and not for others */
	/* The basis of what users are told: when it was made and how old it may be, in ms, and of
	 * which version of the book it is. */
	int64_t basis_at, basis_ms;
	uint64_t basis_version;
};

struct rspb_decide_state {
	struct rspb_batch_state batch;
	/* ms: silent nodes count as they are from then on; 0: not yet known. */
	int64_t silent_until;
	int64_t woken_at; /* seconds: sleeping nodes are woken again then */
};

extern struct rspb_decide_state *const rspb_decisions;
extern struct rspb_batch_state *const rspb_batch;

#endif
