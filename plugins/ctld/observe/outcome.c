/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives jobs their booking, all parts or none, or takes it from them. What Slurm has of a booking
 * is made by mirror/mirror.c. */
#include "plugins/ctld/observe/outcome.h"

#include <inttypes.h>
#include <stdlib.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/mirror.h"
#include "plugins/ctld/mirror/resv.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/observe/intake.h"
#include "plugins/ctld/observe/state.h"

/* Whether all jobs still wait as they did when they were asked about. The plan was made without a
 * lock, and one of them may have been cancelled, held or changed since. */
bool rspb_outcome_waits(const struct rspb_ask *ask)
{
	struct rspb_job job;
	uint32_t i;

	for (i = 0; i < ask->n_jobs; i++)
		if (!rspb_job_find(ask->jobs[i], &job) || job.phase != RSPB_JOB_PENDING ||
		    job.completing)
			return false;
	return rspb_job_find(ask->jobs[0], &job) && rspb_intake_waits(&job);
}

/* RET a booking with the reason that its owner was told last, which its job's contract has; the
 * caller destroys it. */
static struct rspb_booking *with_reason(const struct rspb_booking *b, const struct rspb_ask *ask)
{
	struct rspb_booking *copy = rspb_booking_clone(b);

	if (copy && ask->n_jobs && ask->contracts[0].state == b->state)
		rspb_booking_say(copy, ask->contracts[0].reason);
	return copy;
}

int rspb_outcome_again(uint64_t id, const struct rspb_config *config, int64_t now,
		       struct rspb_err *err)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	struct rspb_ask ask = { .n_jobs = 0 };
	struct rspb_booking *copy = NULL;
	struct rspb_section section;
	int rc = 1;

	if (!b || !rspb_section_enter(&section, RSPB_LOCK_WRITE, "mirror"))
		return 1;
	if (rspb_ask_involve(&ask, b->request)) {
		rspb_ask_user(&ask);
		copy = with_reason(b, &ask);
		rc = rspb_mirror_jobs(&ask, copy ? copy : b, false, config, now, err);
	}
	rspb_section_leave(&section);
	rspb_booking_destroy(copy);
	rspb_ask_fini(&ask);
	return rc;
}

/* Put the jobs back into the waiting room first: Slurm does not delete a reservation in which a
 * job waits. */
static void to_waiting_room(const struct rspb_ask *ask, uint64_t id)
{
	for (uint32_t i = 0; i < ask->n_jobs; i++)
		rspb_job_make_so(ask->jobs[i],
				 &(struct rspb_job_wanted){ .reservation = RSPB_WAITING_ROOM },
				 NULL);
	rspb_mirror_resv_release(id, ask->n_jobs);
}

/* Undo the first parts of a booking: its jobs are as if nothing had been granted. The contracts
 * are those from before the grant. */
static void undo(const struct rspb_ask *ask, uint64_t id, uint32_t parts)
{
	struct rspb_contract granted;
	struct rspb_job job;

	to_waiting_room(ask, id);
	for (uint32_t i = 0; i < parts; i++) {
		if (!rspb_contract_read(ask->jobs[i], &job, &granted))
			continue;
		rspb_mirror_unfit(ask->jobs[i], &granted,
				  &(struct rspb_job_wanted){ .size = NULL });
		rspb_contract_write(ask->jobs[i], &ask->contracts[i], NULL);
	}
}

int rspb_outcome_parts(const struct rspb_ask *ask, const struct rspb_booking *booking,
		       const struct rspb_config *config, struct rspb_err *err)
{
	uint32_t n = booking->n_grants;
	char window[RSPB_WINDOW_TEXT];
	struct rspb_job job;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t made = i;

		if (!rspb_mirror_new(ask, booking, i, config, err)) {
			made++;
			/* The booking that makes way for it is still there. */
			if (!rspb_mirror_lay(ask, booking, i, err) || ask->displaces)
				continue;
		}
		/* If rspb_mirror_new() fails, it leaves nothing of its part. A part that was made
		 * is undone like those before. */
		undo(ask, booking->request->id, made);
		return -1;
	}
	/* Report only now: no part can fail any more. */
	for (uint32_t i = 0; i < n; i++) {
		char *nodes = rspb_node_names(NULL, booking->grants[i].nodes);

		rspb_report_booked(booking, ask->user, nodes ? nodes : "?");
		free(nodes);
	}
	rspb_report_window(booking->start, booking->end, NULL, window, sizeof(window));
	rspb_ask_audit(ask, true, window);
	/* The owner of a booking in a partition that is down is told so in a moment. */
	for (uint32_t i = 0; i < n; i++)
		if (rspb_job_find(ask->jobs[i], &job) &&
		    rspb_job_barred(&job, RSPB_BAR_PARTITION, NULL)) {
			rspb_update_note(job.leader);
			break;
		}
	return 0;
}

/* Note since when an outage is the reason, so that the booking is made again when there is room. */
static void note_outage(const struct rspb_ask *ask)
{
	struct rspb_contract contract;
	struct rspb_job job;

	for (uint32_t i = 0; i < ask->n_jobs; i++) {
		if (!ask->contracts[i].outage || !rspb_contract_read(ask->jobs[i], &job, &contract))
			continue;
		contract.outage = ask->contracts[i].outage;
		rspb_contract_write(ask->jobs[i], &contract, NULL);
		rspb_observe->given_up++;
	}
}

uint64_t rspb_outcome_given_up(void)
{
	return rspb_observe->given_up;
}

void rspb_outcome_lose(const struct rspb_ask *ask, uint64_t id, const char *why)
{
	rspb_log_info("booking %" PRIu64 " is given up: %s", id, why);
	to_waiting_room(ask, id);
	rspb_room_send_back(ask->jobs[0], why);
	note_outage(ask);
	/* The jobs are requests again, which the next batch decides. */
	rspb_wake_up(RSPB_WAKE_SUBMIT);
}
