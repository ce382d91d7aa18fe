/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows what has become of booked jobs, and closes windows. What that is verdict.c
 * says, what ends finish.c does. */
#include "plugins/ctld/following/lifecycle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/asking/outcome.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/gap.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/replan.h"
#include "plugins/ctld/ending/finish.h"
#include "plugins/ctld/following/findings.h"
#include "plugins/ctld/following/verdict.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/start/attempts.h"

/* Windows that ended by then may be outlasted by their jobs. */
static int64_t outlasted;

void rspb_lifecycle_reset(void)
{
	outlasted = 0;
	rspb_findings_reset();
}

static void give_up_stuck(const struct rspb_booking *b, const struct rspb_config *config,
			  int64_t now)
{
	char reason[RSPB_ERR_TEXT];
	struct rspb_err why;

	if (!rspb_booked_stuck(b, &why))
		return;
	snprintf(reason, sizeof(reason),
		 "its nodes were released, because its job could not start within %" PRId64 " s "
		 "(%.200s)",
		 config->start_within, why.text);
	rspb_end_give_up(b, reason, config, now);
}

/* Whether nobody has tried to start it, as slurmctld was not there or the clock has
 * jumped, and the window that was promised leaves it another start. */
static bool may_start_later(const struct rspb_booking *b, int64_t now)
{
	struct rspb_end_jobs jobs;

	rspb_end_look(b, &jobs);
	return b->state == RSPB_BOOKED && !b->request->held && !jobs.dependent &&
	       !rspb_attempt_find(b->request->id) &&
	       rspb_request_last(b->request) > now + RSPB_REPLAN_TOO_LATE_S;
}

/* Make a request again for the rest of the window. RET false: there is none. */
static bool ask_anew(const struct rspb_booking *b, int64_t now)
{
	uint64_t id = b->request->id;
	struct rspb_ask ask = { .n_jobs = 0 };
	bool done;

	if (!may_start_later(b, now))
		return false;
	done = rspb_ask_involve(&ask, b->request) &&
	       !rspb_book_event(id, RSPB_EV_CANCEL, now, NULL, NULL);
	if (done)
		rspb_outcome_lose(&ask, id,
				  "its start passed unnoticed; it is decided again for the rest "
				  "of its window");
	rspb_ask_fini(&ask);
	return done;
}

static void follow(const struct rspb_finding *finding, const struct rspb_config *config,
		   int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), finding->id);
	struct rspb_err err;

	/* The finding was made under the read lock and may be out of date. */
	if (!b || rspb_state_final(b->state) ||
	    rspb_verdict_of(b, NULL, config, now) != finding->verdict)
		return;
	switch (finding->verdict) {
	case RSPB_VERDICT_STARTED:
		if (rspb_book_event(finding->id, RSPB_EV_START, now, NULL, &err))
			rspb_log_error("booking %" PRIu64 ": %s", finding->id, err.text);
		rspb_contract_state(finding->id, RSPB_ACTIVE, NULL);
		break;
	case RSPB_VERDICT_GONE:
		rspb_end_gone(b, config, now);
		break;
	case RSPB_VERDICT_DONE:
		rspb_end_booking(b, RSPB_EV_END, RSPB_COMPLETED, now, NULL);
		break;
	case RSPB_VERDICT_STOPPED:
		rspb_end_audit(b);
		rspb_end_booking(b, RSPB_EV_TERMINATE, RSPB_TERMINATED, now, RSPB_END_STOPPED);
		break;
	case RSPB_VERDICT_STUCK:
		give_up_stuck(b, config, now);
		break;
	case RSPB_VERDICT_MISSED:
		if (!ask_anew(b, now))
			rspb_end_give_up(b, "its time slot passed, and the job could not run",
					 config, now);
		break;
	case RSPB_VERDICT_MOVED:
		rspb_end_booking(b, RSPB_EV_CANCEL, RSPB_CANCELLED, now,
				 "its job was taken out of its reservation");
		break;
	case RSPB_VERDICT_DELETED:
		rspb_end_give_up(b, "its reservation was deleted", config, now);
		break;
	case RSPB_VERDICT_KEEP:
		break;
	}
}

void rspb_lifecycle_watch(const struct rspb_config *config, int64_t now)
{
	struct rspb_section section = { .what = NULL };
	struct rspb_finding *found;
	size_t n = rspb_findings_make(config, now, &found), i = 0;

	while (i < n && rspb_section_next(&section, RSPB_LOCK_WRITE, "follow"))
		follow(&found[i++], config, now);
	rspb_section_end(&section);
	free(found);
}

/* Whether both count licenses of one kind. */
static bool share_licenses(const struct rspb_request *a, const struct rspb_request *b)
{
	for (uint32_t p = 0; p < a->n_parts; p++)
		for (uint32_t q = 0; q < a->parts[p].n_quotas; q++) {
			const struct rspb_quota *quota = &a->parts[p].quotas[q];

			if (!rspb_quota_of_license(quota))
				continue;
			for (uint32_t o = 0; o < b->n_parts; o++)
				if (rspb_part_quota(&b->parts[o], quota->key))
					return true;
		}
	return false;
}

/* Whether somebody has booked the nodes or licenses of b from now on, or so soon that the
 * nodes are just clean by then. */
static bool followed(const struct rspb_booking *b, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	uint32_t g, h;
	size_t i;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *f = rspb_ledger_at(ledger, i);

		if (f->start - rspb_gap_whole() > now)
			break;
		if (f->state != RSPB_BOOKED || f->end <= now)
			continue;
		if (share_licenses(b->request, f->request))
			return true;
		for (g = 0; g < b->n_grants; g++)
			for (h = 0; h < f->n_grants; h++)
				if (!rspb_nodeset_disjoint(b->grants[g].nodes, f->grants[h].nodes))
					return true;
	}
	return false;
}

/* End the window of one active booking. */
static void close_window(const struct rspb_booking *b, int64_t now)
{
	struct rspb_err err;
	struct rspb_end_jobs jobs;
	uint32_t i;

	rspb_end_look(b, &jobs);
	if (!jobs.running) {
		if (!jobs.pending)
			rspb_end_booking(b, RSPB_EV_END, RSPB_COMPLETED, now, NULL);
		return;
	}
	for (i = 0; i < jobs.n; i++) {
		struct rspb_job job;

		if (rspb_job_find(jobs.ids[i], &job) && job.phase == RSPB_JOB_RUNNING &&
		    rspb_job_time_out(jobs.ids[i], true, &err))
			rspb_log_error("%s", err.text);
	}
	rspb_end_booking(b, RSPB_EV_TERMINATE, RSPB_TERMINATED, now,
			 "the job was still running when its time slot ended");
}

static bool to_close(const struct rspb_booking *b, const struct rspb_config *config, int64_t now)
{
	return b->state == RSPB_ACTIVE && b->end <= now && rspb_kind_of(b->request)->has_jobs &&
	       (config->overrun == RSPB_OVERRUN_END || followed(b, now));
}

static const struct rspb_booking *next_to_close(const struct rspb_config *config, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	size_t i;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start > now)
			break;
		if (to_close(b, config, now))
			return b;
	}
	return NULL;
}

/* Jobs that may go on behind their windows: Slurm ends what is still in a
 * reservation that is over, whatever the job's own limit says by then (it was
 * suspended, OverTimeLimit). */
static void let_go_on(const struct rspb_config *config, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	char name[RSPB_RESV_NAME];
	struct rspb_section section = { .what = NULL };

	if (config->overrun == RSPB_OVERRUN_END)
		return;
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start > now)
			break;
		if (b->state != RSPB_ACTIVE || b->end > now || b->end <= outlasted ||
		    !rspb_kind_of(b->request)->has_jobs)
			continue;
		if (!rspb_section_next(&section, RSPB_LOCK_WRITE, "outlast"))
			return;
		for (uint32_t p = 0; p < b->n_grants; p++) {
			rspb_resv_name(b->request->id, p, b->n_grants, name, sizeof(name));
			rspb_resv_outlast(name);
		}
	}
	rspb_section_end(&section);
	outlasted = now;
}

/* When time alone tells more of one that has begun: it has waited for too long to
 * start, or its window is over. */
static int64_t next_end(const struct rspb_config *config, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	int64_t next = INT64_MAX;
	size_t i;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);
		int64_t stuck = b->start + config->start_within;

		if (b->start > now)
			break;
		if (rspb_state_final(b->state))
			continue;
		if (b->end > now && b->end < next)
			next = b->end;
		if (b->state == RSPB_BOOKED && stuck > now && stuck < next)
			next = stuck;
	}
	return next;
}

int64_t rspb_lifecycle_ends(const struct rspb_config *config, int64_t now)
{
	const struct rspb_booking *b = next_to_close(config, now);
	struct rspb_section section = { .what = NULL };
	uint64_t before = 0;

	/* The watch judges a booking whose job waits again. */
	while (b && b->request->id != before &&
	       rspb_section_next(&section, RSPB_LOCK_WRITE, "end")) {
		before = b->request->id;
		close_window(b, now);
		b = next_to_close(config, now);
	}
	rspb_section_end(&section);
	let_go_on(config, now);
	return next_end(config, now);
}
