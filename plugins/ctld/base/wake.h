/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The agent's thread as all others see it: something to be woken. */
#ifndef RSPB_CTLD_BASE_WAKE_H
#define RSPB_CTLD_BASE_WAKE_H

#include <stdint.h>

#include "common/base/err.h"
#include "plugins/ctld/base/queue.h"

enum rspb_wake {
	RSPB_WAKE_SUBMIT = 1, /* a request is about to appear */
	RSPB_WAKE_CONFIG = 2, /* settings or the cluster were reconfigured */
	RSPB_WAKE_STOP = 4,
	RSPB_WAKE_TASK = 8,  /* there is something to be done (task.h) */
	RSPB_WAKE_ENDED = 16 /* something was cancelled */
};

/* Start the thread, which does this. RET 0 or -1 with err. */
int rspb_wake_start(void (*agent)(void), struct rspb_err *err);
/* Any thread, with any locks. */
void rspb_wake_up(enum rspb_wake why);
/* Likewise, with something for it to take (RSPB_WAKE_TASK). */
void rspb_wake_hand(struct rspb_link *link);
/* The thread itself, or whoever has stopped it: the next of those, in their order; NULL:
 * there is none. */
void *rspb_wake_take(void);
/* The thread itself: wait until then (milliseconds since the epoch), as far away as that
 * is by now: who sets the clock meanwhile makes the wait no longer; or until woken. RET why, 0: it was not. What it is to stop for is said again. */
unsigned int rspb_wake_wait(int64_t at_ms);
/* Have it stop, and wait for its end; no slurmctld lock may be held. */
void rspb_wake_stop(void);

#endif
