/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/base/saver.h"

#include <inttypes.h>
#include <stdbool.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/save.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/worker.h"

/* After a save, the pause in times of what it took, and the least of it. */
enum { PAUSE_TIMES = 9, PAUSE_LEAST_US = 200000 };

static void run(void);

static struct rspb_worker worker = RSPB_WORKER("rspb-saver", run);
static bool wanted; /* with its mutex */

/* With the mutex. A request is not lost by a pause, only late. */
static void pause_for(int64_t us)
{
	int64_t until = rspb_worker_now_us() + us;

	while (!worker.stopping && rspb_worker_wait(&worker, until))
		;
}

static int64_t save(void)
{
	int64_t began = rspb_section_clock_us(), took;

	rspb_save_now();
	took = rspb_section_clock_us() - began;
	rspb_log_debug("state saved behind a start, in %" PRId64 " us", took);
	return took;
}

static void run(void)
{
	int64_t us;

	rspb_worker_lock(&worker);
	while (!worker.stopping) {
		if (!wanted) {
			rspb_worker_wait(&worker, INT64_MAX);
			continue;
		}
		wanted = false;
		rspb_worker_unlock(&worker);
		us = save() * PAUSE_TIMES;
		rspb_worker_lock(&worker);
		pause_for(us > PAUSE_LEAST_US ? us : PAUSE_LEAST_US);
	}
	rspb_worker_unlock(&worker);
}

int rspb_saver_start(struct rspb_err *err)
{
	wanted = false;
	return rspb_worker_start(&worker, err);
}

void rspb_saver_stop(void)
{
	if (rspb_worker_ask_to_stop(&worker))
		rspb_worker_join(&worker);
}

void rspb_saver_request(void)
{
	rspb_worker_lock(&worker);
	wanted = true;
	rspb_worker_wake(&worker);
	rspb_worker_unlock(&worker);
}
