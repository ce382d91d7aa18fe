/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watches Slurm's counts of cancellations and reservations while the agent waits. What
 * was cancelled it does not know. */
#include "plugins/ctld/book/cancels.h"

#include <time.h>

#include "plugins/compat/clock.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/wake.h"

enum {
	LOOK_MS = 20,
	REST_MS = 100,	 /* where nothing can be cancelled, or nothing changes */
	CALM_S = 1,	 /* how long that has to be so */
	PAUSE_TIMES = 9, /* of what a look takes */
	PAUSE_LEAST_US = 6000
};

/* The agent's: what was seen at its last look, when to look next; jobs that had been
 * looked at just before are not, so it looks once more. */
static uint64_t seen;
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

static int64_t now_ms(void)
{
	return rspb_section_clock_us() / 1000;
}

/* Whether it is time to look at something. Without bookings nobody's cancellation
 * counts, but the waiting room may be gone. */
static bool is_new(bool any)
{
	uint64_t differs = number() ^ seen;

	return (any ? differs : differs >> 32) && rspb_section_clock_us() >= not_before;
}

/* Use the clock that nobody sets. */
unsigned int rspb_cancels_wait(int64_t at_ms, bool any)
{
	int64_t now = rspb_clock_us(CLOCK_REALTIME) / 1000;
	int64_t left = at_ms - now, end = now_ms() + left;
	unsigned int why = 0;

	do {
		int64_t rest = any && is_lively() ? LOOK_MS : REST_MS;

		left = end - now_ms();
		now = rspb_clock_us(CLOCK_REALTIME) / 1000;
		why = rspb_wake_wait(now + (rest < left ? rest : left));
	} while (!why && now_ms() < end && !is_new(any));
	return why;
}

bool rspb_cancels_due(void)
{
	uint64_t now = number();
	bool news = now != seen;

	if (!(news || once_more) || rspb_section_clock_us() < not_before)
		return false;
	once_more = news;
	seen = now;
	return true;
}

void rspb_cancels_looked(int64_t took_us)
{
	int64_t pause = took_us * PAUSE_TIMES;

	not_before = rspb_section_clock_us() + (pause > PAUSE_LEAST_US ? pause : PAUSE_LEAST_US);
}
