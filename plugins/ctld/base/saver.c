/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread that has Slurm save its own state now. It writes no file itself and saves
 * no more often than it may. */
#include "plugins/ctld/base/saver.h"

#include <inttypes.h>
#include <stdbool.h>

#include "plugins/compat/clock.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/save.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/worker.h"

/* After a save, the pause in times of what it took, the least of it, and the
 * most: whoever waits for the next one is not to be kept for long. */
enum { PAUSE_TIMES = 4, PAUSE_LEAST_US = 100000, PAUSE_MOST_US = 2000000 };
enum {
	MEET_US = 200000
}; /* how often to look whether Slurm has begun to save */

static void run(void);

static struct rspb_worker worker = RSPB_WORKER("rspb-saver", run);
/* With its mutex: how many saves were asked for, and have ended; the second in
 * which the last good one began. */
static uint64_t asked, done, good;
static int64_t saved_at;
static bool outdated; /* a save that is under way may not have all of them */

/* With the mutex. A request is not lost by a pause, only late. */
static void pause_for(int64_t us)
{
	int64_t until = rspb_clock_us(CLOCK_MONOTONIC) + us;

	while (!worker.stopping && rspb_worker_wait(&worker, until))
		;
}

/* RET for how long Slurm was at it, and its records were locked: the disk alone
 * is not what others wait for. */
static int64_t save(bool *well)
{
	int64_t took;

	*well = rspb_save_now(rspb_ctld_stopping, &took);
	*well = *well && rspb_save_scripts();
	rspb_log_debug("state saved%s, in %" PRId64 " us",
		       *well ? "" : " in vain", took);
	return took;
}

static void run(void)
{
	int64_t us, began;
	uint64_t ticket;
	bool well;

	rspb_worker_lock(&worker);
	while (!worker.stopping) {
		if (asked == done) {
			rspb_worker_wait(&worker,
					 rspb_save_in_charge()
						 ? INT64_MAX
						 : rspb_clock_us(
							   CLOCK_MONOTONIC) +
							   MEET_US);
			continue;
		}
		ticket = asked;
		outdated = false;
		began = rspb_clock_us(CLOCK_REALTIME) / 1000000;
		rspb_worker_unlock(&worker);
		us = save(&well) * PAUSE_TIMES;
		rspb_worker_lock(&worker);
		done = ticket;
		if (well) {
			good = ticket;
			saved_at = outdated ? 0 : began;
		}
		us = us < PAUSE_MOST_US ? us : PAUSE_MOST_US;
		pause_for(us > PAUSE_LEAST_US ? us : PAUSE_LEAST_US);
	}
	rspb_worker_unlock(&worker);
}

int rspb_saver_start(struct rspb_err *err)
{
	asked = done = good = 0;
	saved_at = 0;
	return rspb_worker_start(&worker, err);
}

void rspb_saver_stop(void)
{
	if (rspb_worker_ask_to_stop(&worker))
		rspb_worker_join(&worker);
}

uint64_t rspb_saver_request(void)
{
	uint64_t ticket;

	rspb_worker_lock(&worker);
	ticket = ++asked;
	rspb_worker_wake(&worker);
	rspb_worker_unlock(&worker);
	return ticket;
}

enum rspb_saved rspb_saver_look(uint64_t ticket)
{
	enum rspb_saved saved = RSPB_SAVED_NOT_YET;

	rspb_worker_lock(&worker);
	if (good >= ticket)
		saved = RSPB_SAVED;
	else if (done >= ticket)
		saved = RSPB_SAVED_IN_VAIN;
	rspb_worker_unlock(&worker);
	return saved;
}

int64_t rspb_saver_saved_at(void)
{
	int64_t at;

	rspb_worker_lock(&worker);
	at = saved_at;
	rspb_worker_unlock(&worker);
	return at;
}

void rspb_saver_outdated(void)
{
	rspb_worker_lock(&worker);
	outdated = true;
	saved_at = 0;
	rspb_worker_unlock(&worker);
}
