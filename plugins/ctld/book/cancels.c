/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watches Slurm's counts of cancellations and reservations, so that the agent looks
 * at once. What was cancelled it does not know. */
#include "plugins/ctld/book/cancels.h"

#include <stdatomic.h>
#include <time.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/base/worker.h"

enum {
	LOOK_US = 20000,
	REST_US =
		100000, /* where nothing can be cancelled, or nothing changes */
	CALM_S = 1,	/* how long that has to be so */
	PAUSE_TIMES = 9, /* of what a look takes */
	PAUSE_LEAST_US = 6000
};

static void run(void);

static struct rspb_worker worker = RSPB_WORKER("rspb-cancels", run);
static atomic_bool expected;
static atomic_uint_fast64_t seen;
/* The agent's: when to look next; jobs that had been looked at just before are
 * not, so it looks once more. */
static int64_t not_before;
static bool once_more;

/* Another one when something was cancelled, or a reservation has come or gone
 * that is not ours. */
static uint64_t number(void)
{
	return (uint64_t) rspb_resv_others() << 32 | rspb_ctld_cancels();
}

/* Whether anything of jobs, nodes or reservations has changed just now: then more
 * will. */
static bool is_lively(void)
{
	return rspb_ctld_changed(RSPB_CHANGED_ANY) >= time(NULL) - CALM_S;
}

/* Whether there is something to look at. Without bookings nobody's cancellation
 * counts, but the waiting room may be gone. */
static bool is_new(bool any)
{
	uint64_t differs = number() ^ atomic_load(&seen);

	return any ? differs : differs >> 32;
}

/* To wake up costs more than the look. */
static void run(void)
{
	rspb_worker_lock(&worker);
	while (!worker.stopping) {
		bool any = atomic_load(&expected);
		int64_t rest = any && is_lively() ? LOOK_US : REST_US;

		rspb_worker_wait(&worker, rspb_worker_now_us() + rest);
		if (is_new(any))
			rspb_wake_up(RSPB_WAKE_ENDED);
	}
	rspb_worker_unlock(&worker);
}

int rspb_cancels_start(struct rspb_err *err)
{
	not_before = 0;
	return rspb_worker_start(&worker, err);
}

void rspb_cancels_stop(void)
{
	if (rspb_worker_ask_to_stop(&worker))
		rspb_worker_join(&worker);
}

void rspb_cancels_expect(bool any)
{
	atomic_store(&expected, any);
}

bool rspb_cancels_due(void)
{
	uint64_t now = number();

	bool news = now != atomic_load(&seen);

	if (!(news || once_more) || rspb_section_clock_us() < not_before)
		return false;
	once_more = news;
	atomic_store(&seen, now);
	return true;
}

void rspb_cancels_looked(int64_t took_us)
{
	int64_t pause = took_us * PAUSE_TIMES;

	not_before = rspb_section_clock_us() +
		     (pause > PAUSE_LEAST_US ? pause : PAUSE_LEAST_US);
}
