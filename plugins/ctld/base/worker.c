/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread with its mutex and condition: start, wake, wait, join. Each module that has such a
 * thread has a queue of its own. */
#include "plugins/ctld/base/errand.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

/* The thread has a name of its own, so that an administrator can tell it from Slurm's in top or
 * gdb. */
static void *worker_main(void *arg)
{
	struct rspb_worker *worker = arg;

	prctl(PR_SET_NAME, worker->name, 0, 0, 0);
	worker->run();
	return NULL;
}

/* The condition waits by CLOCK_MONOTONIC: a clock that is set back must not make a wait longer.
 * The static initializer of the structure has another clock, so this must precede the first
 * wait. */
void rspb_worker_prepare(struct rspb_worker *worker)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&worker->cond, &attr);
	pthread_condattr_destroy(&attr);
	worker->stopping = false;
}

int rspb_worker_start(struct rspb_worker *worker, struct rspb_err *err)
{
	int rc;

	/* A former thread may have ended, but others may still wake it and hold the mutex. */
	pthread_mutex_lock(&worker->mutex);
	rspb_worker_prepare(worker);
	pthread_mutex_unlock(&worker->mutex);
	rc = pthread_create(&worker->thread, NULL, worker_main, worker);
	worker->running = !rc;
	if (rc)
		return rspb_fail(err, "no thread %s: %s", worker->name, strerror(rc));
	return 0;
}

void rspb_worker_lock(struct rspb_worker *worker)
{
	pthread_mutex_lock(&worker->mutex);
}

void rspb_worker_unlock(struct rspb_worker *worker)
{
	pthread_mutex_unlock(&worker->mutex);
}

void rspb_worker_wake(struct rspb_worker *worker)
{
	pthread_cond_broadcast(&worker->cond);
}

bool rspb_worker_wait(struct rspb_worker *worker, int64_t at)
{
	const struct timespec until = { .tv_sec = at / 1000000, .tv_nsec = at % 1000000 * 1000 };

	/* Both kinds of wait may also return early without a reason; callers check their
	 * condition in a loop. */
	if (at == INT64_MAX) {
		pthread_cond_wait(&worker->cond, &worker->mutex);
		return true;
	}
	return pthread_cond_timedwait(&worker->cond, &worker->mutex, &until) != ETIMEDOUT;
}

bool rspb_worker_ask_to_stop(struct rspb_worker *worker)
{
	/* Start and stop belong to one thread, so `running` needs no lock. */
	if (!worker->running)
		return false;
	pthread_mutex_lock(&worker->mutex);
	worker->stopping = true;
	pthread_cond_broadcast(&worker->cond);
	pthread_mutex_unlock(&worker->mutex);
	return true;
}

void rspb_worker_join(struct rspb_worker *worker)
{
	pthread_join(worker->thread, NULL);
	worker->running = false;
}

int64_t rspb_worker_cpu_us(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return used.tv_sec * INT64_C(1000000) + used.tv_nsec / 1000;
}
