/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/lifecycle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/jobs/components.h"
#include "plugins/ctld/jobs/contract.h"
#include "plugins/ctld/jobs/finish.h"
#include "plugins/ctld/jobs/job_resv.h"
#include "plugins/ctld/jobs/recheck.h"
#include "plugins/ctld/jobs/refuse.h"

enum verdict {
	KEEP,
	STARTED, /* Slurm's own scheduler was quicker */
	GONE,	 /* its job ended before it started */
	DONE,	 /* its job has ended */
	STOPPED, /* its job was cancelled while it ran */
	STUCK,	 /* its job cannot start, and had time enough */
	MISSED,	 /* the window is over and the job did not start */
	MOVED,	 /* the job was taken out of its reservation */
	DELETED	 /* the reservation was deleted */
};

struct finding {
	uint64_t id;
	enum verdict verdict;
};

/* Whether a job of the booking cannot start, with the reason in err. */
static bool is_stuck(const struct rspb_booking *b, struct rspb_err *err)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	const char *why = rspb_recheck_says(b->request->id);
	struct rspb_job job;

	for (uint32_t i = 0; i < n; i++)
		if (rspb_job_find(ids[i], &job) &&
		    job.phase == RSPB_JOB_PENDING &&
		    rspb_job_startable(&job, err))
			return true;
	if (!why)
		return false;
	rspb_fail(err, "%s", why);
	return true;
}

/* names NULL: of one booking, Slurm is asked. */
static bool resv_there(const struct rspb_booking *b,
		       const struct rspb_resv_names *names, int64_t now)
{
	char name[RSPB_RESV_NAME];
	struct rspb_resv resv;
	uint32_t i;

	for (i = 0; i < b->request->n_parts; i++) {
		rspb_job_resv_name(b->request->id, i, b->request->n_parts, name,
				   sizeof(name));
		if (names ? !rspb_resv_names_have(names, name)
			  : !rspb_resv_find(name, now, &resv))
			return false;
	}
	return true;
}

static enum verdict judge(const struct rspb_booking *b,
			  const struct rspb_resv_names *names,
			  const struct rspb_config *config, int64_t now)
{
	struct rspb_jobs_now jobs;

	rspb_jobs_look(b, &jobs);
	if (b->state == RSPB_ACTIVE) {
		if (jobs.running)
			return KEEP;
		if (jobs.pending)
			return b->end <= now ? MISSED : KEEP;
		if (!config->release_early && b->end > now)
			return KEEP;
		return jobs.cancelled ? STOPPED : DONE;
	}
	if (jobs.running)
		return STARTED;
	if (!jobs.pending)
		return GONE;
	if (b->end <= now)
		return MISSED;
	if (!resv_there(b, names, now))
		return DELETED;
	if (now >= b->start + config->start_within && jobs.tied &&
	    config->unstartable == RSPB_UNSTARTABLE_RELEASE &&
	    is_stuck(b, NULL))
		return STUCK;
	return jobs.tied ? KEEP : MOVED;
}

static void give_up_stuck(const struct rspb_booking *b,
			  const struct rspb_config *config, int64_t now)
{
	char reason[RSPB_ERR_TEXT];
	struct rspb_err why;

	if (!is_stuck(b, &why))
		return;
	snprintf(reason, sizeof(reason),
		 "its nodes were given back, as its job could not start within "
		 "%" PRId64 " s (%.200s)",
		 config->start_within, why.text);
	rspb_jobs_give_up(b, reason, config, now);
}

static void follow(const struct finding *finding,
		   const struct rspb_config *config, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(),
							finding->id);
	struct rspb_err err;

	/* What was found under the read lock may be past already. */
	if (!b || rspb_state_final(b->state) ||
	    judge(b, NULL, config, now) != finding->verdict)
		return;
	switch (finding->verdict) {
	case STARTED:
		if (rspb_book_event(finding->id, RSPB_EV_START, now, NULL,
				    &err))
			rspb_log_error("booking %" PRIu64 ": %s", finding->id,
				       err.text);
		rspb_contract_state(finding->id, RSPB_ACTIVE, NULL);
		break;
	case GONE:
		rspb_jobs_gone(b, config, now);
		break;
	case DONE:
		rspb_jobs_finish(b, RSPB_EV_END, RSPB_COMPLETED, now, NULL);
		break;
	case STOPPED:
		rspb_jobs_finish(b, RSPB_EV_TERMINATE, RSPB_TERMINATED, now,
				 "its job was cancelled");
		break;
	case STUCK:
		give_up_stuck(b, config, now);
		break;
	case MISSED:
		rspb_jobs_give_up(b,
				  "its window passed and the job could not run",
				  config, now);
		break;
	case MOVED:
		rspb_jobs_finish(b, RSPB_EV_CANCEL, RSPB_CANCELLED, now,
				 "its job was taken out of its reservation");
		break;
	case DELETED:
		rspb_jobs_give_up(b, "its reservation was deleted", config,
				  now);
		break;
	case KEEP:
		break;
	}
}

static size_t find_all(const struct rspb_resv_names *names,
		       const struct rspb_config *config, int64_t now,
		       struct finding *findings)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	size_t i, n = 0;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);
		enum verdict verdict;

		if (rspb_state_final(b->state) ||
		    !rspb_kind_of(b->request)->has_jobs)
			continue;
		verdict = judge(b, names, config, now);
		if (verdict != KEEP)
			findings[n++] = (struct finding){
				.id = b->request->id,
				.verdict = verdict,
			};
	}
	return n;
}

static struct rspb_resv_names names;

void rspb_lifecycle_reset(void)
{
	rspb_resv_names_fini(&names);
}

void rspb_lifecycle_watch(const struct rspb_config *config, int64_t now)
{
	size_t most = rspb_ledger_count(rspb_book_ledger()), n, i = 0;
	struct finding *findings = calloc(most + 1, sizeof(*findings));
	struct rspb_section section;

	if (!findings ||
	    !rspb_section_enter(&section, RSPB_LOCK_READ, "watch")) {
		free(findings);
		return;
	}
	n = 0;
	if (!rspb_resv_names_renew(&names, now))
		n = find_all(&names, config, now, findings);
	section.items = most;
	rspb_section_leave(&section);
	while (i < n &&
	       rspb_section_enter(&section, RSPB_LOCK_WRITE, "follow")) {
		do {
			follow(&findings[i++], config, now);
			section.items++;
		} while (i < n && !rspb_section_spent(&section));
		rspb_section_leave(&section);
	}
	free(findings);
}

/* Whether somebody has booked the nodes of b from now on. */
static bool followed(const struct rspb_booking *b, int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	uint32_t g, h;
	size_t i;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *f = rspb_ledger_at(ledger, i);

		if (f->start > now)
			break;
		if (f->state != RSPB_BOOKED || f->end <= now)
			continue;
		for (g = 0; g < b->n_grants; g++)
			for (h = 0; h < f->n_grants; h++)
				if (!rspb_nodeset_disjoint(b->grants[g].nodes,
							   f->grants[h].nodes))
					return true;
	}
	return false;
}

/* End the window of one active booking. */
static void close_window(const struct rspb_booking *b, int64_t now)
{
	struct rspb_err err;
	struct rspb_jobs_now jobs;
	uint32_t i;

	rspb_jobs_look(b, &jobs);
	if (!jobs.running) {
		if (!jobs.pending)
			rspb_jobs_finish(b, RSPB_EV_END, RSPB_COMPLETED, now,
					 NULL);
		return;
	}
	for (i = 0; i < jobs.n; i++) {
		struct rspb_job job;

		if (rspb_job_find(jobs.ids[i], &job) &&
		    job.phase == RSPB_JOB_RUNNING &&
		    rspb_job_time_out(jobs.ids[i], true, &err))
			rspb_log_error("%s", err.text);
	}
	rspb_jobs_finish(b, RSPB_EV_TERMINATE, RSPB_TERMINATED, now,
			 "the job was still running when its window ended");
}

static bool to_close(const struct rspb_booking *b,
		     const struct rspb_config *config, int64_t now)
{
	return b->state == RSPB_ACTIVE && b->end <= now &&
	       rspb_kind_of(b->request)->has_jobs &&
	       (config->overrun == RSPB_OVERRUN_END || followed(b, now));
}

static const struct rspb_booking *next_to_close(
	const struct rspb_config *config, int64_t now)
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

static int64_t next_end(int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	int64_t next = INT64_MAX;
	size_t i;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start > now)
			break;
		if (b->state == RSPB_ACTIVE && b->end > now && b->end < next)
			next = b->end;
	}
	return next;
}

int64_t rspb_lifecycle_ends(const struct rspb_config *config, int64_t now)
{
	const struct rspb_booking *b = next_to_close(config, now);
	struct rspb_section section;
	uint64_t before = 0;

	while (b && rspb_section_enter(&section, RSPB_LOCK_WRITE, "end")) {
		do {
			before = b->request->id;
			close_window(b, now);
			section.items++;
			b = next_to_close(config, now);
		} while (b && b->request->id != before &&
			 !rspb_section_spent(&section));
		rspb_section_leave(&section);
		/* One whose job waits again stays for the watch to judge. */
		if (b && b->request->id == before)
			break;
	}
	return next_end(now);
}
