/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the tasks that other threads give the agent. It knows nothing of their content and runs
 * them in their order. */
#include "plugins/ctld/base/task.h"

#include <stddef.h>

#include "plugins/ctld/base/breath.h"
#include "plugins/ctld/base/wake.h"

void rspb_task_post(struct rspb_task *task)
{
	rspb_wake_hand(&task->link);
}

bool rspb_tasks_run(const struct rspb_config *config, int64_t now)
{
	struct rspb_task *task;
	bool any = false;

	while ((task = rspb_wake_take())) {
		/* The agent learns of earlier cancels before it runs the task. */
		rspb_breathe();
		task->run(task, config, now);
		any = true;
	}
	return any;
}

/* Each task is dropped by its owner, who may have to tell a waiting user or free memory. */
void rspb_tasks_drop(void)
{
	struct rspb_task *task;

	while ((task = rspb_wake_take()))
		task->drop(task);
}
