/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/change.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/agent.h"
#include "plugins/ctld/book.h"
#include "plugins/ctld/grant.h"
#include "plugins/ctld/report.h"
#include "plugins/ctld/section.h"

enum { WAITING_MAX = 256 };

struct wish {
	uint32_t job;
	int64_t share;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct wish waiting[WAITING_MAX];
static size_t n_waiting;

int rspb_change_ask(uint32_t job, int64_t share, struct rspb_err *err)
{
	int rc = 0;

	pthread_mutex_lock(&mutex);
	if (n_waiting < WAITING_MAX)
		waiting[n_waiting++] = (struct wish) { job, share };
	else
		rc = rspb_fail(err, "%d changes wait already, try again in a "
			       "second", WAITING_MAX);
	pthread_mutex_unlock(&mutex);
	if (!rc)
		rspb_agent_wake(RSPB_WAKE_SUBMIT);
	return rc;
}

/* RET whether there was one. */
static bool next_wish(struct wish *wish)
{
	bool found;

	pthread_mutex_lock(&mutex);
	found = n_waiting > 0;
	if (found) {
		*wish = waiting[0];
		memmove(waiting, waiting + 1,
			--n_waiting * sizeof(*waiting));
	}
	pthread_mutex_unlock(&mutex);
	return found;
}

static void set_share(struct rspb_booking *booking, uint32_t part,
		      int64_t share, int64_t now)
{
	struct rspb_grant *grant = &booking->grants[part];

	booking->request->parts[part].share = share;
	booking->request->parts[part].share_min = share;
	grant->share = share;
	grant->benefit = rspb_benefit_value(
		rspb_request_benefit(booking->request, part), share, share);
	rspb_booking_value(booking);
	/* What the nodes go by grows with every change. */
	if (booking->decided_at < booking->start)
		booking->decided_at = booking->start;
	booking->decided_at = now > booking->decided_at ? now :
			      booking->decided_at + 1;
	snprintf(booking->reason, sizeof(booking->reason),
		 "changed by its owner");
}

/* RET 0, or -1 with err and nothing changed. */
static int change_ledger(uint64_t id, uint32_t part, int64_t share,
			 int64_t now, struct rspb_err *err)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	const struct rspb_booking *old = rspb_ledger_find(ledger, id);
	struct rspb_record record = {
		.kind = RSPB_REC_CHANGE, .time = now, .id = id
	};
	struct rspb_booking *changed;
	int rc;

	if (!old || rspb_state_final(old->state) || part >= old->n_grants)
		return rspb_fail(err, "no booking stands");
	if (!old->grants[part].share)
		return rspb_fail(err, "it holds whole nodes, not a share");
	changed = rspb_booking_clone(old);
	if (!changed)
		return rspb_fail(err, "out of memory");
	set_share(changed, part, share, now);
	record.booking = changed;
	rc = rspb_book_apply(&record, err);
	rspb_booking_destroy(changed);
	return rc;
}

/* With the write lock: what users see, and what the nodes do. */
static void follow(const struct rspb_booking *booking, uint32_t part,
		   const struct rspb_job *job, const uint32_t *ids, uint32_t n,
		   const struct rspb_config *config)
{
	struct rspb_contract contract;
	char text[RSPB_CONTRACT_TEXT];

	if (job->contract &&
	    !rspb_contract_parse(job->contract, &contract, NULL)) {
		contract.flags.share = booking->request->parts[part].share;
		contract.flags.share_min = 0;
		rspb_report_contract(booking, part, &contract);
		rspb_contract_print(&contract, text, sizeof(text));
		rspb_job_set_contract(job->id, text, NULL);
	}
	if (booking->state == RSPB_ACTIVE)
		rspb_grant_send(booking, ids, n, config);
}

static void grant_wish(const struct wish *wish,
		       const struct rspb_config *config, int64_t now)
{
	char why[RSPB_ERR_TEXT];
	uint32_t ids[RSPB_MAX_PARTS], n;
	const struct rspb_booking *booking;
	struct rspb_job job, leader;
	struct rspb_err err;

	if (!rspb_job_find(wish->job, &job) ||
	    !rspb_job_find(job.leader, &leader))
		return;
	n = rspb_job_components(&leader, ids, RSPB_MAX_PARTS);
	if (n > RSPB_MAX_PARTS)
		return;
	if (!change_ledger(leader.id, job.component, wish->share, now, &err)) {
		follow(rspb_ledger_find(rspb_book_ledger(), leader.id),
		       job.component, &job, ids, n, config);
		rspb_log_info("job %u: share changed to %" PRId64 ".%02"
			      PRId64 "%%", job.id, wish->share / 100,
			      wish->share % 100);
		return;
	}
	rspb_log_info("job %u: its share stays: %s", job.id, err.text);
	booking = rspb_ledger_find(rspb_book_ledger(), leader.id);
	snprintf(why, sizeof(why), "its share stays: %.280s", err.text);
	if (booking)
		rspb_report_state(job.id, booking->state, why);
}

void rspb_change_run(const struct rspb_config *config, int64_t now)
{
	struct rspb_section section;
	struct wish wish;
	bool more;

	if (!rspb_book_ledger())
		return;
	more = next_wish(&wish);
	while (more) {
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "change"))
			return;
		do {
			grant_wish(&wish, config, now);
			section.items++;
			more = next_wish(&wish);
		} while (more && !rspb_section_spent(&section));
		rspb_section_leave(&section);
	}
}
