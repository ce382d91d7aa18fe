/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has what a batch is about to tell people on the disk first. It tells them nothing. */
#include "plugins/ctld/decide/pledge.h"

#include <stdlib.h>
#include <time.h>

#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/breath.h"
#include "plugins/ctld/base/saver.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/durable/durable.h"

enum {
	SAVE_MOST_US = 60000000,
	/* How long a failed write is tried again, so that a disk that is full for a moment declines
	 * nobody. */
	VAIN_MOST_US = 2000000,
	STEP_NS = 500000
};

static bool is_booked(const struct rspb_booking *decision)
{
	return decision && decision->state == RSPB_BOOKED;
}

/* Whether Slurm's files may not know all that is booked. */
static bool wants_save(const struct rspb_asks *asks, struct rspb_booking *const *decisions)
{
	int64_t saved_at = rspb_saver_saved_at();

	for (size_t i = 0; i < asks->n; i++)
		if (is_booked(decisions[i]) &&
		    (!asks->items[i].n_jobs || asks->items[i].request->arrival >= saved_at))
			return true;
	return false;
}

/* Starts go on meanwhile. RET 0, or -1 with err. */
static int await_save(struct rspb_err *err)
{
	const struct timespec step = { .tv_nsec = STEP_NS };
	int64_t began = rspb_section_clock_us(), waited = 0;
	uint64_t ticket = rspb_saver_request();
	enum rspb_saved saved = rspb_saver_look(ticket);

	while (saved != RSPB_SAVED && !rspb_ctld_stopping() && waited < SAVE_MOST_US) {
		if (saved == RSPB_SAVED_IN_VAIN) {
			if (waited >= VAIN_MOST_US)
				break;
			ticket = rspb_saver_request();
		}
		nanosleep(&step, NULL);
		rspb_breathe();
		saved = rspb_saver_look(ticket);
		waited = rspb_section_clock_us() - began;
	}
	return saved == RSPB_SAVED ? 0
				   : rspb_fail(err, "Slurm's own state can't be written "
						    "(StateSaveLocation)");
}

/* Promise what is booked, or withdraw what is marked, in short sections. RET 0,
 * or -1: shutdown. */
static int note(const struct rspb_asks *asks, struct rspb_booking *const *decisions,
		const bool *marked)
{
	struct rspb_section section;
	size_t i = 0;

	while (i < asks->n) {
		if (!rspb_section_enter(&section, RSPB_LOCK_READ, "promise"))
			return -1;
		do {
			const struct rspb_ask *ask = &asks->items[i];
			const struct rspb_kind *kind = rspb_kind_of(ask->request);

			section.items++;
			if (marked && marked[i])
				kind->promise(ask, NULL);
			else if (!marked && is_booked(decisions[i]))
				kind->promise(ask, decisions[i]);
			i++;
		} while (i < asks->n && !rspb_section_spent(&section));
		rspb_section_leave(&section);
		rspb_breathe();
	}
	return 0;
}

static bool any_booked(const struct rspb_asks *asks, struct rspb_booking *const *decisions)
{
	for (size_t i = 0; i < asks->n; i++)
		if (is_booked(decisions[i]))
			return true;
	return false;
}

int rspb_pledge_batch(const struct rspb_asks *asks, struct rspb_booking *const *decisions,
		      int64_t now, struct rspb_err *err)
{
	bool *all;
	int rc = -1;

	if (!rspb_settings_get()->journal || !any_booked(asks, decisions))
		return 0;
	if (wants_save(asks, decisions) && await_save(err))
		return -1;
	all = calloc(asks->n, sizeof(*all));
	if (!all)
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < asks->n; i++)
		all[i] = is_booked(decisions[i]);
	if (note(asks, decisions, NULL))
		rspb_fail(err, "slurmctld is shutting down");
	else
		rc = rspb_durable_sync(now, err);
	if (rc)
		note(asks, NULL, all);
	free(all);
	return rc;
}

void rspb_pledge_withdraw(const struct rspb_asks *asks, const bool *marked, int64_t now)
{
	if (!rspb_settings_get()->journal)
		return;
	note(asks, NULL, marked);
	rspb_durable_sync(now, NULL);
}
