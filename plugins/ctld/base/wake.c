/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts, wakes and stops the agent's thread, and keeps the reasons for which it was woken. Its
 * work is in agent.c. */
#include "plugins/ctld/base/wake.h"

#include <stdlib.h>

#include "plugins/compat/clock.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/state.h"

/* The agent. */
static struct rspb_worker worker = RSPB_WORKER("rspb", NULL);

int rspb_wake_start(void (*agent)(void), struct rspb_err *err)
{
	/* A stop was meant for the last run of the thread. Other reasons, such as tasks, are
	 * kept for this one. */
	rspb_worker_lock(&worker);
	rspb_base->woken &= ~(unsigned int) RSPB_WAKE_STOP;
	rspb_worker_unlock(&worker);
	worker.run = agent;
	return rspb_worker_start(&worker, err);
}

void rspb_wake_up(enum rspb_wake why)
{
	rspb_worker_lock(&worker);
	rspb_base->woken |= why;
	rspb_worker_wake(&worker);
	rspb_worker_unlock(&worker);
}

unsigned int rspb_wake_wait(int64_t at_ms)
{
	int64_t at = INT64_MAX;
	unsigned int why;
	bool in_time = true;

	/* The condition waits by CLOCK_MONOTONIC. A later time than fits would overflow and
	 * means no limit. */
	if (at_ms < INT64_MAX / 1000)
		at = rspb_clock_us(CLOCK_MONOTONIC) + at_ms * 1000 - rspb_clock_us(CLOCK_REALTIME);

	rspb_worker_lock(&worker);
	while (!rspb_base->woken && in_time)
		in_time = rspb_worker_wait(&worker, at);
	/* A request to stop stays, so that each further wait ends at once. */
	why = rspb_base->woken;
	rspb_base->woken &= RSPB_WAKE_STOP;
	rspb_worker_unlock(&worker);
	return why;
}

void rspb_wake_stop(void)
{
	rspb_wake_up(RSPB_WAKE_STOP);
	rspb_worker_join(&worker);
}

/* The tasks that other threads give the agent. Nothing here knows of their content; they are run in
 * their order. */

void *rspb_task_new(size_t size,
		    void (*run)(struct rspb_task *task, const struct rspb_config *config,
				int64_t now),
		    atomic_uint *under_way, unsigned int most)
{
	struct rspb_task *task = NULL;

	/* The count is raised before the test, so that two threads cannot both take the last
	 * place. */
	if (!under_way || atomic_fetch_add(under_way, 1) < most)
		task = calloc(1, size);
	if (task)
		*task = (struct rspb_task){ .run = run,
					    .drop = rspb_task_end,
					    .under_way = under_way };
	else if (under_way)
		atomic_fetch_sub(under_way, 1);
	return task;
}

void rspb_task_end(struct rspb_task *task)
{
	if (task->under_way)
		atomic_fetch_sub(task->under_way, 1);
	free(task);
}

void rspb_task_post(struct rspb_task *task)
{
	rspb_worker_lock(&worker);
	rspb_queue_put(&rspb_base->handed, &task->link);
	rspb_base->woken |= RSPB_WAKE_TASK;
	rspb_worker_wake(&worker);
	rspb_worker_unlock(&worker);
}

/* RET the next task, NULL: there is none. */
static void *take_task(void)
{
	void *link;

	rspb_worker_lock(&worker);
	link = rspb_queue_take(&rspb_base->handed);
	rspb_worker_unlock(&worker);
	return link;
}

bool rspb_tasks_run(const struct rspb_config *config, int64_t now)
{
	struct rspb_task *task;
	bool any = false;

	while ((task = take_task())) {
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

	while ((task = take_task()))
		task->drop(task);
}
