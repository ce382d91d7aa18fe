/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queue of what other threads want the agent to do. It knows nothing of what the
 * tasks are and has no order but theirs. */
#include "plugins/ctld/base/task.h"

#include <pthread.h>
#include <stddef.h>

#include "plugins/ctld/base/breath.h"
#include "plugins/ctld/base/wake.h"

/* Guards the tasks that were posted and not begun: any thread adds, the agent takes. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct rspb_task *first, **last = &first;

void rspb_task_post(struct rspb_task *task)
{
	task->next = NULL;
	pthread_mutex_lock(&mutex);
	*last = task;
	last = &task->next;
	pthread_mutex_unlock(&mutex);
	rspb_wake_up(RSPB_WAKE_TASK);
}

static struct rspb_task *next_task(void)
{
	struct rspb_task *task;

	pthread_mutex_lock(&mutex);
	task = first;
	if (task)
		first = task->next;
	if (!first)
		last = &first;
	pthread_mutex_unlock(&mutex);
	return task;
}

bool rspb_tasks_run(const struct rspb_config *config, int64_t now)
{
	struct rspb_task *task;
	bool any = false;

	while ((task = next_task())) {
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

	while ((task = next_task()))
		task->drop(task);
}
