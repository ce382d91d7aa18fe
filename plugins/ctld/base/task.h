/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues work of other threads for the agent, which does one task after the other in its own
 * time. */
#ifndef RSPB_CTLD_BASE_TASK_H
#define RSPB_CTLD_BASE_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "plugins/ctld/base/queue.h"

/* The first member of what is to be done; owned by whoever run() hands it to. */
struct rspb_task {
	struct rspb_link link;
	/* The agent, without locks. */
	void (*run)(struct rspb_task *task, const struct rspb_config *config, int64_t now);
	/* Instead, when there is no agent any more. */
	void (*drop)(struct rspb_task *task);
};

/* Any thread, with any locks. */
void rspb_task_post(struct rspb_task *task);
/* For the agent: run the tasks that were posted. RET whether there were any. */
bool rspb_tasks_run(const struct rspb_config *config, int64_t now);
/* For the thread that has stopped the agent: drop the tasks that it has not run. */
void rspb_tasks_drop(void);

#endif
