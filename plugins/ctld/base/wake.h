/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The agent's thread as all others see it: something to be woken. */
#ifndef RSPB_CTLD_BASE_WAKE_H
#define RSPB_CTLD_BASE_WAKE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "plugins/ctld/base/errand.h"

enum rspb_wake {
	RSPB_WAKE_SUBMIT = 1, /* a request is about to appear */
	RSPB_WAKE_CONFIG = 2, /* settings or the cluster were reconfigured */
	RSPB_WAKE_STOP = 4,
	RSPB_WAKE_TASK = 8,  /* there is something to be done */
	RSPB_WAKE_ENDED = 16 /* something was cancelled */
};

/* Start the thread, which does this. RET 0 or -1 with err. */
int rspb_wake_start(void (*agent)(void), struct rspb_err *err);
/* Any thread, with any locks. */
void rspb_wake_up(enum rspb_wake why);
/* For the thread itself: wait until a time (milliseconds since the epoch), or until woken. A clock
 * that is set meanwhile does not change the length of the wait. RET the reasons, 0: not woken.
 * RSPB_WAKE_STOP is returned each time once it was given. */
unsigned int rspb_wake_wait(int64_t at_ms);
/* Stop the thread and wait for its end; no lock of slurmctld may be held. */
void rspb_wake_stop(void);

/* Work of other threads for the agent, which does one task after the other in its own time. */

/* The first member of what is to be done; owned by whoever run() hands it to. */
struct rspb_task {
	struct rspb_link link;
	/* The agent, without locks. */
	void (*run)(struct rspb_task *task, const struct rspb_config *config, int64_t now);
	/* Instead, when there is no agent any more. */
	void (*drop)(struct rspb_task *task);
	atomic_uint *under_way; /* of rspb_task_new(), NULL: not counted */
};

/* RET a task of `size` bytes, which are zeros behind the first member; NULL: as many as `most` are
 * under way by that count, or out of memory. It ends with rspb_task_end(), also when it is dropped.
 * Any thread, with any locks. */
void *rspb_task_new(size_t size,
		    void (*run)(struct rspb_task *task, const struct rspb_config *config,
				int64_t now),
		    atomic_uint *under_way, unsigned int most);
void rspb_task_end(struct rspb_task *task);

/* Any thread, with any locks. */
void rspb_task_post(struct rspb_task *task);
/* For the agent: run the tasks that were posted. RET whether there were any. */
bool rspb_tasks_run(const struct rspb_config *config, int64_t now);
/* For the thread that has stopped the agent: drop the tasks that it has not run. */
void rspb_tasks_drop(void);

#endif
