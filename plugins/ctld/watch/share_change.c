/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/watch/share_change.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/plan/yield.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/breath.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/revision.h"
#include "plugins/ctld/durable/durable.h"
#include "plugins/ctld/jobs/components.h"
#include "plugins/ctld/jobs/contract.h"
#include "plugins/ctld/shares/shares.h"

enum { WAITING_MAX = 256 };

struct share_request {
	uint32_t job;
	int64_t share;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct share_request waiting[WAITING_MAX];
static size_t n_waiting;

int rspb_share_change_ask(uint32_t job, int64_t share, struct rspb_err *err)
{
	int rc = 0;

	pthread_mutex_lock(&mutex);
	if (n_waiting < WAITING_MAX)
		waiting[n_waiting++] = (struct share_request){ job, share };
	else
		rc = rspb_fail(err,
			       "%d changes wait already, try again in a "
			       "second",
			       WAITING_MAX);
	pthread_mutex_unlock(&mutex);
	if (!rc)
		rspb_wake_up(RSPB_WAKE_SUBMIT);
	return rc;
}

/* RET whether there was one. */
static bool next_request(struct share_request *request)
{
	bool found;

	pthread_mutex_lock(&mutex);
	found = n_waiting > 0;
	if (found) {
		*request = waiting[0];
		memmove(waiting, waiting + 1, --n_waiting * sizeof(*waiting));
	}
	pthread_mutex_unlock(&mutex);
	return found;
}

static struct rspb_booking *with_share(const struct rspb_booking *old,
				       uint32_t part, int64_t share,
				       int64_t now)
{
	struct rspb_booking *booking = rspb_booking_clone(old);
	struct rspb_grant *grant;

	if (!booking)
		return NULL;
	grant = &booking->grants[part];
	booking->request->parts[part].share = share;
	booking->request->parts[part].share_min = share;
	grant->share = share;
	grant->promise = 0;
	rspb_booking_value(booking);
	rspb_revision_number(booking, now);
	snprintf(booking->reason, sizeof(booking->reason),
		 RSPB_REASON_BY_OWNER);
	return booking;
}

/* With the write lock: on which node there is not enough, and how much. */
static int explain(const struct rspb_booking *old, uint32_t part, int64_t share,
		   int64_t now, struct rspb_err *err)
{
	const struct rspb_shares *shares = rspb_ledger_shares(
		rspb_book_ledger());
	const struct rspb_grant *grant = &old->grants[part];
	int64_t from = old->start > now ? old->start : now, most = INT64_MAX;
	char window[RSPB_WINDOW_TEXT], can[32], *name;
	struct rspb_nodeset *worst = rspb_nodeset_create(grant->nodes->width);
	struct rspb_text text = rspb_text_over(can, sizeof(can));
	uint32_t m;

	for (m = rspb_nodeset_next(grant->nodes, 0);
	     worst && m < grant->nodes->width;
	     m = rspb_nodeset_next(grant->nodes, m + 1)) {
		int64_t peak, room;

		if (rspb_shares_peak(shares, m, from, old->end, &peak, NULL))
			continue;
		room = rspb_shares_capacity(shares, m) - peak + grant->share;
		if (room >= most)
			continue;
		most = room;
		rspb_nodeset_clear(worst);
		rspb_nodeset_add(worst, m);
	}
	name = worst && most < share ? rspb_node_names(worst) : NULL;
	rspb_nodeset_destroy(worst);
	if (!name)
		return rspb_fail(err, "it does not fit");
	rspb_report_times(from, old->end, window, sizeof(window));
	rspb_text_add_percent(&text, most);
	rspb_fail(err, "of %s it can have %s at most from %s", name, can,
		  window);
	free(name);
	return -1;
}

/* The ledger's word on it. RET 0, or -1 with err and nothing changed. */
static int decide(const struct rspb_booking *old, uint32_t part, int64_t share,
		  int64_t now, struct rspb_err *err)
{
	struct rspb_record record = {
		.kind = RSPB_REC_CHANGE,
		.time = now,
	};
	struct rspb_booking *changed;
	int rc;

	if (!old || rspb_state_final(old->state) || part >= old->n_grants)
		return rspb_fail(err, "no booking stands");
	if (!old->grants[part].share)
		return rspb_fail(err, "it holds whole nodes, not a share");
	changed = with_share(old, part, share, now);
	if (!changed)
		return rspb_fail(err, "out of memory");
	record.id = changed->request->id;
	record.booking = changed;
	rspb_book_advance(now);
	rc = rspb_book_apply(&record, NULL)
		     ? explain(old, part, share, now, err)
		     : 0;
	rspb_booking_destroy(changed);
	return rc;
}

static void share_text(int64_t share, char *buf, size_t size)
{
	struct rspb_text text = rspb_text_over(buf, size);

	rspb_text_add_percent(&text, share);
}

/* What was asked must not stand there as if it had been granted. */
static void refuse(const struct rspb_job *job, const struct rspb_booking *old,
		   int64_t share, const char *reason)
{
	char why[RSPB_ERR_TEXT], asked[32], note[RSPB_ERR_TEXT + 64];

	share_text(share, asked, sizeof(asked));
	snprintf(why, sizeof(why), "its share stays, %s was refused: %.220s",
		 asked, reason);
	rspb_log_info("job %u: %s", job->id, why);
	snprintf(note, sizeof(note), "refused: cpu-share=%s: %.220s", asked,
		 reason);
	rspb_job_set_comment(job->id, note, NULL);
	if (old)
		rspb_contract_state(job->id, old->state, why);
}

/* With the write lock. RET 0, or -1 with err, also where there is no such job. */
static int attempt(const struct share_request *request,
		   const struct rspb_config *config, int64_t now,
		   struct rspb_job *job, struct rspb_err *err)
{
	uint32_t ids[RSPB_MAX_PARTS], n = 0;
	const struct rspb_booking *old;
	char share[32];

	job->leader = 0;
	if (rspb_job_find(request->job, job))
		n = rspb_components(job->leader, ids);
	if (!n)
		return rspb_fail(err, "its job is gone");
	old = rspb_ledger_find(rspb_book_ledger(), job->leader);
	if (decide(old, job->component, request->share, now, err))
		return -1;
	rspb_shares_changed(rspb_ledger_find(rspb_book_ledger(), job->leader),
			    ids, n, config);
	share_text(request->share, share, sizeof(share));
	rspb_log_info("job %u: share changed to %s", job->id, share);
	return 0;
}

/* With the write lock. RET 1: others would have to give room for it first. */
static int grant(const struct share_request *request,
		 const struct rspb_config *config, int64_t now, bool last)
{
	const struct rspb_booking *old;
	struct rspb_err err;
	struct rspb_job job;

	if (!attempt(request, config, now, &job, &err) || !job.leader)
		return 0;
	old = rspb_ledger_find(rspb_book_ledger(), job.leader);
	if (!last && old)
		return 1;
	refuse(&job, old, request->share, err.text);
	return 0;
}

/* Let others give up what they grew by beyond their promise, if that will do.
 */
static bool make_room(const struct share_request *request,
		      const struct rspb_config *config, int64_t now)
{
	struct rspb_section section;
	struct rspb_revisions revisions = { .n = 0 };
	struct rspb_ledger *basis = NULL;
	const struct rspb_booking *old = NULL;
	struct rspb_booking *changed = NULL;
	struct rspb_job job = { .leader = 0 };
	struct rspb_err err;
	bool done = false;

	if (config->policy.keep_surplus ||
	    !rspb_section_enter(&section, RSPB_LOCK_READ, "change"))
		return false;
	if (rspb_job_find(request->job, &job))
		old = rspb_ledger_find(rspb_book_ledger(), job.leader);
	rspb_section_leave(&section);
	if (old && job.component < old->n_grants &&
	    old->grants[job.component].share) {
		changed = with_share(old, job.component, request->share, now);
		basis = rspb_basis_make(config, now);
	}
	if (changed && basis && rspb_yield_change(basis, changed, &err) == 1 &&
	    !rspb_revisions_collect(&revisions, basis, now, &err))
		done = rspb_revisions_commit_others(
			&revisions, job.leader,
			"back to what its neighbour leaves", config);
	rspb_revisions_fini(&revisions);
	rspb_booking_destroy(changed);
	rspb_ledger_destroy(basis);
	return done;
}

/* RET whether *request is to be tried again once others have given room. */
static bool grant_some(struct share_request *request, bool *more, bool last,
		       const struct rspb_config *config, int64_t now)
{
	struct rspb_section section;
	bool stuck;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "change")) {
		*more = false;
		return false;
	}
	do {
		stuck = grant(request, config, now, last);
		section.items++;
		last = false;
		if (!stuck)
			*more = next_request(request);
	} while (*more && !stuck && !rspb_section_spent(&section));
	rspb_section_leave(&section);
	return stuck;
}

static int attempt_alone(const struct share_request *request,
			 const struct rspb_config *config, int64_t now,
			 struct rspb_err *err)
{
	struct rspb_section section;
	struct rspb_job job;
	int rc;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "change"))
		return rspb_fail(err, "slurmctld is going down");
	rc = attempt(request, config, now, &job, err);
	rspb_section_leave(&section);
	return rc;
}

/* RET the share of a job's part, 0: none. Read lock. */
static int64_t share_of(uint32_t id)
{
	const struct rspb_booking *b = NULL;
	struct rspb_section section;
	struct rspb_job job;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "change"))
		return 0;
	if (rspb_job_find(id, &job))
		b = rspb_ledger_find(rspb_book_ledger(), job.leader);
	rspb_section_leave(&section);
	return b && job.component < b->n_grants ? b->grants[job.component].share
						: 0;
}

/* RET 0, or -1 with err. */
static int change(uint32_t job, int64_t share, const struct rspb_config *config,
		  int64_t now, struct rspb_err *err)
{
	const struct share_request request = { job, share };

	return attempt_alone(&request, config, now, err) &&
			       (!make_room(&request, config, now) ||
				attempt_alone(&request, config, now, err))
		       ? -1
		       : 0;
}

size_t rspb_share_change_make(const uint32_t *jobs, size_t n, int64_t share,
			      const struct rspb_config *config, int64_t now,
			      struct rspb_err *err)
{
	int64_t *before = calloc(n, sizeof(*before));
	size_t done = 0, failed;

	if (!before || rspb_durable_behind()) {
		rspb_fail(err, before ? "the journal can't be written (Journal)"
				      : "out of memory");
		free(before);
		return 0;
	}
	do {
		if (done)
			rspb_breathe();
		before[done] = share_of(jobs[done]);
	} while (!change(jobs[done], share, config, now, err) && ++done < n);
	failed = done;
	if (done == n && rspb_durable_sync(now, err))
		failed = 0;
	while (failed < n && done--)
		change(jobs[done], before[done], config, now, NULL);
	free(before);
	return failed;
}

void rspb_share_change_run(const struct rspb_config *config, int64_t now)
{
	struct share_request request;
	bool more, stuck = false;

	if (!rspb_book_ledger())
		return;
	more = next_request(&request);
	while (more) {
		if (stuck)
			make_room(&request, config, now);
		stuck = grant_some(&request, &more, stuck, config, now);
	}
}
