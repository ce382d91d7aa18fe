/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands questions that change something to the agent, and its answers back to the
 * server's thread. What is asked it does not look at. */
#include "plugins/ctld/owners/work.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/ctld/base/task.h"
#include "plugins/ctld/durable/durable.h"
#include "plugins/ctld/requests/users.h"
#include "plugins/ctld/socket/server.h"

enum { MOST = 1000 };

struct job {
	struct rspb_task task; /* first */
	struct rspb_work work;
	void (*run)(struct rspb_work *work, const struct rspb_config *config,
		    int64_t now);
};

/* Guards what the agent has done, until the server's thread answers it, and how much is
 * under way. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct rspb_task *first, **last = &first;
static size_t under_way;

static void run(struct rspb_task *task, const struct rspb_config *config,
		int64_t now)
{
	struct job *job = (struct job *) task;
	struct rspb_err err;
	size_t len;

	job->run(&job->work, config, now);
	/* Who is told of it may count on it. */
	if (job->work.done && rspb_durable_sync(now, &err)) {
		len = strlen(job->work.said);
		snprintf(job->work.said + len, sizeof(job->work.said) - len,
			 "; a crash could undo it: %.160s", err.text);
	}
	task->next = NULL;
	pthread_mutex_lock(&mutex);
	*last = task;
	last = &task->next;
	pthread_mutex_unlock(&mutex);
	rspb_server_wake();
}

static void gone(void)
{
	pthread_mutex_lock(&mutex);
	under_way--;
	pthread_mutex_unlock(&mutex);
}

static void drop(struct rspb_task *task)
{
	gone();
	free(task);
}

int rspb_work_post(const struct rspb_work *work,
		   void (*do_it)(struct rspb_work *work,
				 const struct rspb_config *config, int64_t now),
		   struct rspb_err *err)
{
	struct job *job = calloc(1, sizeof(*job));
	bool many;

	pthread_mutex_lock(&mutex);
	many = under_way >= MOST;
	under_way += job && !many;
	pthread_mutex_unlock(&mutex);
	if (!job || many) {
		free(job);
		return rspb_fail(err,
				 "%d changes wait already, try again in a "
				 "second",
				 MOST);
	}
	job->task = (struct rspb_task){ .run = run, .drop = drop };
	job->work = *work;
	job->run = do_it;
	rspb_users_then(work->who.uid, time(NULL), &job->task);
	return 0;
}

void rspb_work_refuse(struct rspb_work *work, const char *kind, const char *why)
{
	work->kind = kind;
	if (work->inquiry.reservation[0])
		rspb_fail(&work->err, "reservation %s: %s",
			  work->inquiry.reservation, why);
	else
		rspb_fail(&work->err, "job %" PRId64 ": %s", work->inquiry.job,
			  why);
}

bool rspb_work_next(struct rspb_work *out)
{
	struct job *job;

	pthread_mutex_lock(&mutex);
	job = (struct job *) first;
	if (job) {
		first = job->task.next;
		under_way--;
	}
	if (!first)
		last = &first;
	pthread_mutex_unlock(&mutex);
	if (job)
		*out = job->work;
	free(job);
	return job;
}

void rspb_work_forget(void)
{
	struct rspb_work work;

	while (rspb_work_next(&work))
		json_object_put(work.result);
}
