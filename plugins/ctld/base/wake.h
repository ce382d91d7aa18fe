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
/* Likewise, and hand over a link that the thread takes (RSPB_WAKE_TASK). */
void rspb_wake_hand(struct rspb_link *link);
/* For the thread itself, or the thread that has stopped it. RET the next link that was handed over,
 * in order; NULL: none. */
void *rspb_wake_take(void);
/* For the thread itself: wait until a time (milliseconds since the epoch), or until woken. A clock
 * that is set meanwhile does not change the length of the wait. RET the reasons, 0: not woken.
 * RSPB_WAKE_STOP is returned each time once it was given. */
unsigned int rspb_wake_wait(int64_t at_ms);
/* Stop the thread and wait for its end; no lock of slurmctld may be held. */
void rspb_wake_stop(void);

#endif
