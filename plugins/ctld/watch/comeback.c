/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds jobs whose bookings were given up for an outage and lets them ask again. They are
 * then decided like all other requests. */
#include "plugins/ctld/watch/watch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/batch.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/mirror.h"
#include "plugins/ctld/observe/intake.h"
#include "plugins/ctld/observe/outcome.h"
#include "plugins/ctld/request/ask.h"
#include "plugins/ctld/watch/state.h"

enum { UNDECIDED_S = 600 }; /* for so long one that asks again is waited for */

struct losers {
	struct rspb_loser *list; /* owned */
	size_t n, room;
	bool undecided; /* one has just been given up, and is to be decided again */
};

void rspb_comeback_end(void)
{
	rspb_ledger_destroy(rspb_comeback->basis.ledger);
	rspb_comeback->basis.ledger = NULL;
}

/* RET whether a job is a leader that was declined and is held because an outage cost it its
 * booking. If its owner has released it, it is left alone. */
static bool is_loser(const struct rspb_job *job, struct rspb_contract *contract)
{
	return job->leader == job->id && job->phase == RSPB_JOB_PENDING && !job->priority &&
	       rspb_contract_says(job->contract, RSPB_DECLINED) &&
	       !rspb_contract_parse(job->contract, contract, NULL) && contract->outage;
}

/* RET whether a job lost its booking to an outage and is still to be decided again. */
static bool is_undecided(const struct rspb_job *job)
{
	struct rspb_contract contract;

	return job->leader == job->id && rspb_contract_says(job->contract, RSPB_REQUESTED) &&
	       strstr(job->contract, " outage=") &&
	       !rspb_contract_parse(job->contract, &contract, NULL) && contract.outage;
}

/* Collect the losers. The mark of a job is cheap, and most jobs have no request. RET 0;
 * without memory a job is left out until the next look. */
static int add_loser(const struct rspb_job_mark *mark, void *arg)
{
	struct losers *losers = arg;
	struct rspb_contract contract;
	struct rspb_job job;

	if (!(rspb_job_asks(mark) & RSPB_JOB_HAS_ASKED) || !rspb_job_find(mark->id, &job))
		return 0;
	losers->undecided |= is_undecided(&job);
	if (is_loser(&job, &contract) &&
	    !rspb_array_grow(&losers->list, &losers->room, losers->n + 1, sizeof(*losers->list)))
		losers->list[losers->n++] = (struct rspb_loser){ contract.outage, job.id };
	return 0;
}

/* Walk over all jobs, in short sections. If slurmctld is going down, the list is
 * incomplete. */
static void find_losers(struct losers *losers)
{
	struct rspb_section section;
	bool inside = true;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "comeback"))
		return;
	rspb_walk_jobs(&section, &inside, add_loser, losers);
	if (inside)
		rspb_section_leave(&section);
}

/* Make the ask of a loser; the write lock is needed because Slurm keeps scratch data in jobs
 * that are tested. RET whether its request can be decided now. */
static bool fill(uint32_t id, const struct rspb_config *config, int64_t now, struct rspb_ask *ask)
{
	struct rspb_contract contract;
	struct rspb_section section;
	struct rspb_job job;
	struct rspb_err err;
	bool done;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "comeback"))
		return false;
	done = rspb_job_find(id, &job) && is_loser(&job, &contract) &&
	       !rspb_intake_fill(ask, &job, rspb_ledger_nodes(rspb_book_ledger()), config, now,
				 &err) &&
	       !ask->refusal.text[0];
	rspb_section_leave(&section);
	return done;
}

/* Let a job ask again, as if it had just been submitted: it goes back to the waiting room and
 * is no longer held. It is checked once more under the write lock. */
static void ask_again(uint32_t id)
{
	uint32_t ids[RSPB_MAX_PARTS], n;
	struct rspb_contract contract;
	struct rspb_section section;
	struct rspb_job job;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "comeback"))
		return;
	if (rspb_job_find(id, &job) && is_loser(&job, &contract)) {
		n = rspb_components(id, ids);
		rspb_log_info("job %" PRIu32 " asks again: its booking was given up for an outage",
			      id);
		rspb_room_send_back(id, "there is room again, after an outage");
		for (uint32_t i = 0; i < n; i++)
			rspb_job_make_so(ids[i], &(struct rspb_job_wanted){ .released = true },
					 NULL);
		rspb_wake_up(RSPB_WAKE_SUBMIT);
	}
	rspb_section_leave(&section);
}

/* RET the calendar on which losers are tried, made anew if the book has changed; NULL: not
 * now. */
static struct rspb_ledger *basis_of(const struct rspb_config *config, int64_t now)
{
	if (rspb_comeback->basis.ledger && rspb_comeback->basis.version == rspb_book_version())
		return rspb_comeback->basis.ledger;
	rspb_comeback_end();
	rspb_comeback->basis.ledger = rspb_basis_make(config, now);
	rspb_comeback->basis.version = rspb_book_version();
	return rspb_comeback->basis.ledger;
}

/* Whether a job has just asked in vain, for a reason that was not foreseen. The next one would be
 * told the same: it waits for a booking to end, or for some minutes. */
static bool was_in_vain(int64_t now)
{
	return rspb_comeback->vain.at && now >= rspb_comeback->vain.at &&
	       now < rspb_comeback->vain.at + UNDECIDED_S &&
	       rspb_comeback->vain.freed == rspb_book_freed();
}

/* A try in vain changes nothing and is not reported. The job asks again only if it would be
 * booked now. */
enum rspb_comeback rspb_comeback_try(uint32_t id, const struct rspb_config *config, int64_t now)
{
	enum rspb_comeback result = RSPB_COMEBACK_NOT;
	struct rspb_ask ask = { .n_jobs = 0 };
	struct rspb_booking *out = NULL;
	struct rspb_err err;

	if (!was_in_vain(now) && basis_of(config, now) && fill(id, config, now, &ask)) {
		const struct rspb_request *const one[] = { ask.request };

		if (rspb_decide(rspb_comeback->basis.ledger, 0, config, one, 1, now, false, NULL,
				NULL, &out, &err))
			rspb_log_error("job %" PRIu32 ": %s", id, err.text);
		/* The owner may have booked something else since, and would be told of a declined
		 * request each time. */
		else if (out->state == RSPB_BOOKED &&
			 !rspb_limits_decision(rspb_book_ledger(), out, config, now, &err))
			result = rspb_threat_comes_first(out) ? RSPB_COMEBACK_WAITS
							      : RSPB_COMEBACK_ASKS;
		rspb_booking_destroy(out);
	}
	rspb_ask_fini(&ask);
	rspb_comeback->waits |= result == RSPB_COMEBACK_WAITS;
	if (result != RSPB_COMEBACK_ASKS)
		return result;
	ask_again(id);
	rspb_comeback->asks.id = id;
	rspb_comeback->asks.at = now;
	/* The jobs after it are tried when it is decided. */
	rspb_comeback->waits = true;
	return result;
}

size_t rspb_comeback_find(struct rspb_loser **list, int64_t now)
{
	struct losers losers = { .n = 0 };

	rspb_comeback->waits = false;
	rspb_comeback->looked = now;
	rspb_comeback->looked_over = rspb_book_freed();
	rspb_comeback->given = rspb_outcome_given_up();
	find_losers(&losers);
	rspb_comeback->some = losers.n > 0 || losers.undecided;
	*list = losers.list;
	return losers.n;
}

bool rspb_comeback_due(int64_t now)
{
	int64_t pause = rspb_comeback->vain.at + UNDECIDED_S;

	/* The first look after a start is needed, because losers are known by their contracts
	 * only. */
	if (!rspb_comeback->looked || rspb_comeback->waits)
		return true;
	if (!rspb_comeback->some && rspb_comeback->given == rspb_outcome_given_up())
		return false;
	/* A look within the pause has passed all of them over. */
	if (rspb_comeback->vain.at && rspb_comeback->looked < pause && now >= pause)
		return true;
	return rspb_book_freed() != rspb_comeback->looked_over ||
	       rspb_ctld_changed(RSPB_CHANGED_NODES) >= rspb_comeback->looked;
}

bool rspb_comeback_undecided(int64_t now)
{
	struct rspb_contract contract;
	struct rspb_section section;
	struct rspb_job job;

	if (!rspb_comeback->asks.id)
		return false;
	/* A request that is not decided for so long, or a clock that was set back, must not
	 * keep the others waiting. */
	if (now < rspb_comeback->asks.at || now > rspb_comeback->asks.at + UNDECIDED_S ||
	    !rspb_section_enter(&section, RSPB_LOCK_READ, "comeback")) {
		rspb_comeback->asks.id = 0;
		return false;
	}
	if (!rspb_job_find(rspb_comeback->asks.id, &job) || job.phase != RSPB_JOB_PENDING ||
	    !rspb_contract_says(job.contract, RSPB_REQUESTED)) {
		if (rspb_job_find(rspb_comeback->asks.id, &job) && is_loser(&job, &contract)) {
			rspb_comeback->vain.at = now;
			rspb_comeback->vain.freed = rspb_book_freed();
		}
		rspb_comeback->asks.id = 0;
	}
	rspb_section_leave(&section);
	return rspb_comeback->asks.id;
}
