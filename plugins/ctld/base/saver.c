/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has Slurm save its own state now, as an errand, and no more often than allowed. Slurm's own
 * functions write the files. */
#include "plugins/ctld/base/saver.h"

#include <inttypes.h>
#include <stdbool.h>

#include "plugins/compat/clock.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/save.h"
#include "plugins/ctld/base/errand.h"
#include "plugins/ctld/base/state.h"

/* After a save, the pause in times of what it took, the least of it, and the
 * most: whoever waits for the next one is not to be kept for long. */
enum { PAUSE_TIMES = 4, PAUSE_LEAST_US = 100000, PAUSE_MOST_US = 2000000 };
enum { MEET_US = 200000 }; /* how often to look whether Slurm has begun to save */

static enum rspb_errand_end run(struct rspb_errand *self);

static struct rspb_errands saves = {
	.guard = RSPB_WORKER("rspb-saver", NULL),
	.most = 1,
	.most_again = 1,
	.run = run,
};

/* RET for how long Slurm was at it, and its records were locked: the disk alone
 * is not what others wait for. */
static int64_t save(bool *well)
{
	int64_t took;

	*well = rspb_save_now(rspb_ctld_stopping, &took);
	rspb_log_debug("state saved%s, in %" PRId64 " us", *well ? "" : " in vain", took);
	return took;
}

/* Put the only errand back for so many microseconds. Without the mutex, because only run(),
 * which is not entered twice at a time, uses this. */
static enum rspb_errand_end again_in(int64_t us)
{
	rspb_base->saver.errand.at = rspb_clock_us(CLOCK_MONOTONIC) + us;
	return RSPB_ERRAND_AGAIN;
}

/* Save Slurm's state if somebody asked for it. After a save the errand is put back for the
 * pause. A request in the meantime is served late, but is not lost. */
static enum rspb_errand_end run(struct rspb_errand *self)
{
	int64_t us, began = rspb_clock_us(CLOCK_REALTIME) / 1000000;
	uint64_t ticket;
	bool idle, well;

	(void) self;
	rspb_worker_lock(&saves.guard);
	/* Requests that come during the save are not covered by it. They get a save of their
	 * own. */
	ticket = rspb_base->saver.asked;
	idle = rspb_base->saver.asked == rspb_base->saver.done;
	/* Records that are changed from here on may miss this save, and set the flag again. */
	rspb_base->saver.outdated &= idle;
	rspb_worker_unlock(&saves.guard);
	/* Until Slurm saves by itself this is asked often. Only then can its files be told from
	 * those of the last slurmctld. */
	if (idle)
		return rspb_save_in_charge() ? RSPB_ERRAND_OVER : again_in(MEET_US);
	us = save(&well) * PAUSE_TIMES;
	rspb_worker_lock(&saves.guard);
	/* A failed save also settles its requests, so that callers can ask again or give up. */
	rspb_base->saver.done = ticket;
	if (well) {
		rspb_base->saver.good = ticket;
		rspb_base->saver.saved_at = rspb_base->saver.outdated ? 0 : began;
	}
	rspb_worker_unlock(&saves.guard);
	/* The pause keeps saves at about a fifth of the time: reading the records blocks
	 * Slurm's writers. */
	us = us < PAUSE_MOST_US ? us : PAUSE_MOST_US;
	return again_in(us > PAUSE_LEAST_US ? us : PAUSE_LEAST_US);
}

int rspb_saver_start(struct rspb_err *err)
{
	int rc = rspb_errands_begin(&saves, err);

	rspb_worker_lock(&saves.guard);
	rspb_base->saver.asked = rspb_base->saver.done = rspb_base->saver.good = 0;
	rspb_base->saver.saved_at = 0;
	rspb_errand_post(&saves, &rspb_base->saver.errand);
	rspb_worker_unlock(&saves.guard);
	return rc;
}

void rspb_saver_stop(void)
{
	rspb_errands_end(&saves, INT64_MAX);
}

uint64_t rspb_saver_request(void)
{
	uint64_t ticket;

	rspb_worker_lock(&saves.guard);
	ticket = ++rspb_base->saver.asked;
	rspb_errand_post(&saves, &rspb_base->saver.errand);
	rspb_worker_unlock(&saves.guard);
	return ticket;
}

enum rspb_saved rspb_saver_look(uint64_t ticket)
{
	enum rspb_saved saved = RSPB_SAVED_NOT_YET;

	rspb_worker_lock(&saves.guard);
	if (rspb_base->saver.good >= ticket)
		saved = RSPB_SAVED;
	else if (rspb_base->saver.done >= ticket)
		saved = RSPB_SAVED_IN_VAIN;
	rspb_worker_unlock(&saves.guard);
	return saved;
}

int64_t rspb_saver_saved_at(void)
{
	int64_t at;

	rspb_worker_lock(&saves.guard);
	at = rspb_base->saver.saved_at;
	rspb_worker_unlock(&saves.guard);
	return at;
}

void rspb_saver_outdated(void)
{
	rspb_worker_lock(&saves.guard);
	rspb_base->saver.outdated = true;
	rspb_base->saver.saved_at = 0;
	rspb_worker_unlock(&saves.guard);
}
