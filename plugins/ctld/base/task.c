/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What other threads want the agent to do. It knows nothing of what the tasks are and has
 * no order but theirs. */
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
		/* Who asks knows what was cancelled before. */
		rspb_breathe();
		task->run(task, config, now);
		any = true;
	}
	return any;
}

void rspb_tasks_drop(void)
{
	struct rspb_task *task;

	while ((task = rspb_wake_take()))
		task->drop(task);
}
