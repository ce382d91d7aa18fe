/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds jobs whose bookings were given up for an outage and lets them ask again. The
 * decision is made as for every request. */
#include "plugins/ctld/watch/comeback.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/asking/intake.h"
#include "plugins/ctld/asking/outcome.h"
#include "plugins/ctld/base/breath.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/base/walk.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/decision.h"
#include "plugins/ctld/decide/silent.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/room.h"
#include "plugins/ctld/watch/threat.h"

enum {
	PART = 20,	/* a look takes a part of the time at most */
	PAUSE_MS = 1000 /* between two looks */
};

struct loser {
	int64_t outage;
	uint32_t id;
};

struct losers {
	struct loser *list; /* owned */
	size_t n, room;
};

static int64_t looked;		    /* second of the last look, 0: there was none */
static uint64_t looked_over, given; /* likewise, as rspb_book_freed() and so on said */
static int64_t resume_at;	    /* ms: no look before */
static bool some;		    /* the last look has found such jobs */
static bool waits;		    /* one waits for others, whom something is in the way of */

void rspb_comeback_reset(void)
{
	looked = resume_at = 0;
	some = waits = false;
}

/* RET whether it is a leader that waits for its owner, as its booking was given up. */
static bool is_loser(const struct rspb_job *job, struct rspb_contract *contract)
{
	return job->leader == job->id && job->phase == RSPB_JOB_PENDING && !job->priority &&
	       rspb_contract_says(job->contract, RSPB_DECLINED) &&
	       !rspb_contract_parse(job->contract, contract, NULL) && contract->outage;
}

static int add_loser(const struct rspb_job_mark *mark, void *arg)
{
	struct losers *losers = arg;
	struct rspb_contract contract;
	struct rspb_job job;

	if (!rspb_job_has_asked(mark))
		return 0;
	rspb_job_view(mark->handle, &job);
	if (is_loser(&job, &contract) &&
	    !rspb_array_grow(&losers->list, &losers->room, losers->n + 1, sizeof(*losers->list)))
		losers->list[losers->n++] = (struct loser){ contract.outage, job.id };
	return 0;
}

static int by_outage(const void *a, const void *b)
{
	const struct loser *x = a, *y = b;

	if (x->outage != y->outage)
		return x->outage < y->outage ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void find_losers(struct losers *losers)
{
	struct rspb_section section;
	bool inside = true;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "comeback"))
		return;
	rspb_walk_jobs(&section, &inside, add_loser, losers);
	if (inside)
		rspb_section_leave(&section);
	if (losers->n)
		qsort(losers->list, losers->n, sizeof(*losers->list), by_outage);
}

/* RET whether its request can be decided. */
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
			rspb_job_unhold(ids[i], NULL);
		rspb_wake_up(RSPB_WAKE_SUBMIT);
	}
	rspb_section_leave(&section);
}

/* Nobody is told of a try in vain: it asks where it would be booked. basis: with those
 * before it. */
static void try_one(uint32_t id, struct rspb_ledger *basis, const struct rspb_config *config,
		    int64_t now)
{
	struct rspb_ask ask = { .n_jobs = 0 };
	struct rspb_booking *out = NULL;
	struct rspb_err err;

	if (fill(id, config, now, &ask)) {
		const struct rspb_request *const one[] = { ask.request };

		if (rspb_decide(basis, 0, config, one, 1, now, false, NULL, &out, &err))
			rspb_log_error("job %" PRIu32 ": %s", id, err.text);
		else if (out->state == RSPB_BOOKED && rspb_threat_comes_first(out))
			waits = true;
		else if (out->state == RSPB_BOOKED)
			ask_again(id);
		rspb_booking_destroy(out);
	}
	rspb_ask_fini(&ask);
}

static void try_losers(const struct rspb_config *config, int64_t now)
{
	struct losers losers = { .n = 0 };
	struct rspb_ledger *basis = NULL;

	find_losers(&losers);
	some = losers.n > 0;
	if (some)
		basis = rspb_basis_make(config, now);
	for (size_t i = 0; basis && i < losers.n; i++) {
		try_one(losers.list[i].id, basis, config, now);
		rspb_breathe();
	}
	rspb_ledger_destroy(basis);
	free(losers.list);
}

/* Whether there may be such jobs, and more room than at the last look. */
static bool is_due(void)
{
	if (!looked || waits)
		return true;
	if (!some && given == rspb_outcome_given_up())
		return false;
	return rspb_book_freed() != looked_over || rspb_ctld_changed(RSPB_CHANGED_NODES) >= looked;
}

int64_t rspb_comeback_run(const struct rspb_config *config, int64_t now_ms)
{
	int64_t began = rspb_section_clock_us(), spent;

	if (!is_due())
		return INT64_MAX;
	if (now_ms < resume_at)
		return resume_at;
	/* After a start of slurmctld, nodes seem taken that are not. */
	if (rspb_silent_wait(now_ms))
		return now_ms + PAUSE_MS;
	waits = false;
	looked = now_ms / 1000;
	looked_over = rspb_book_freed();
	given = rspb_outcome_given_up();
	try_losers(config, looked);
	spent = rspb_section_clock_us() - began;
	resume_at = now_ms + PAUSE_MS + spent * (PART + 1) / 1000;
	return is_due() ? resume_at : INT64_MAX;
}
