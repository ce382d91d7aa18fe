/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives back what its owner does without. The job stays; cancelling is Slurm's. */
#include "plugins/ctld/owners/release.h"

#include <stdio.h>

#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/ending/finish.h"
#include "plugins/ctld/owners/reserve.h"

static void release(struct rspb_work *work, const struct rspb_booking *b,
		    const struct rspb_config *config, int64_t now)
{
	struct rspb_config ordinary = *config;
	struct rspb_end_jobs jobs;
	struct rspb_err why;
	const char *what;

	rspb_end_look(b, &jobs);
	if (jobs.running) {
		rspb_work_refuse(work, "no",
				 "its job runs; cancel it, or shorten it with "
				 "modify --time");
		return;
	}
	ordinary.on_decline = RSPB_DECLINE_ORDINARY;
	what = rspb_end_given_back(b, b->request->user == work->who.uid, config, now, &why);
	snprintf(work->said, sizeof(work->said), "%s%s",
		 jobs.pending ? "the booking was released; its job stays in the queue as a "
				"regular job"
			      : "the rest of its time slot was released",
		 what);
	if (jobs.pending)
		rspb_end_released(b, why.text, &ordinary, now);
	else
		rspb_end_booking(b, RSPB_EV_TERMINATE, RSPB_TERMINATED, now, why.text);
	work->done = true;
}

void rspb_release_booking(struct rspb_work *work, const struct rspb_config *config, int64_t now)
{
	struct rspb_section section;
	const struct rspb_booking *b;

	if (work->inquiry.reservation[0]) {
		rspb_reserve_release(work, config, now);
		return;
	}
	if (!rspb_book_ledger() || !rspb_section_enter(&section, RSPB_LOCK_WRITE, "release")) {
		rspb_work_refuse(work, "not-ready",
				 "slurmctld is starting or shutting down; try "
				 "again in a few seconds");
		return;
	}
	b = rspb_reserve_own(work);
	if (b)
		release(work, b, config, now);
	rspb_section_leave(&section);
}
