/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/base/saver.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/save.h"
#include "plugins/ctld/base/section.h"

/* After a save, the pause in times of what it took, and the least of it. */
enum { PAUSE_TIMES = 9, PAUSE_LEAST_US = 200000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static bool running, stopping, wished;

/* Wants the mutex. A wish is not lost by a pause, only late. */
static void pause_for(int64_t us)
{
	struct timespec until;
	int rc = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	us += until.tv_nsec / 1000;
	until.tv_sec += us / 1000000;
	until.tv_nsec = us % 1000000 * 1000;
	while (!stopping && !rc)
		rc = pthread_cond_timedwait(&cond, &mutex, &until);
}

static int64_t save(void)
{
	int64_t began = rspb_section_clock_us(), took;

	rspb_save_now();
	took = rspb_section_clock_us() - began;
	rspb_log_debug("state saved behind a start, in %" PRId64 " us", took);
	return took;
}

static void *saver_main(void *arg)
{
	int64_t us;

	pthread_mutex_lock(&mutex);
	while (!stopping) {
		if (!wished) {
			pthread_cond_wait(&cond, &mutex);
			continue;
		}
		wished = false;
		pthread_mutex_unlock(&mutex);
		us = save() * PAUSE_TIMES;
		pthread_mutex_lock(&mutex);
		pause_for(us > PAUSE_LEAST_US ? us : PAUSE_LEAST_US);
	}
	pthread_mutex_unlock(&mutex);
	return arg;
}

int rspb_saver_start(struct rspb_err *err)
{
	int rc;

	stopping = false;
	wished = false;
	rc = pthread_create(&thread, NULL, saver_main, NULL);
	if (rc)
		return rspb_fail(err, "the thread behind saves: %s",
				 strerror(rc));
	running = true;
	return 0;
}

void rspb_saver_stop(void)
{
	if (!running)
		return;
	pthread_mutex_lock(&mutex);
	stopping = true;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	running = false;
}

void rspb_saver_wish(void)
{
	pthread_mutex_lock(&mutex);
	wished = true;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
}
