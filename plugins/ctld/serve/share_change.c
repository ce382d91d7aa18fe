/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes the share of bookings, also of those that run. serve/change.c handles other changes. */
#include "plugins/ctld/serve/owners.h"

#include <stdio.h>
#include <stdlib.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/serve/state.h"

enum { WAITING_MAX = 256 };

/* A change of a share on its way to the agent, as job_modify() posts it under Slurm's locks. */
struct share_request {
	struct rspb_task task; /* first */
	uint32_t job;
	int64_t share;
	bool by_owner;
};

/* The jobs (components) of which each is to have that share of its nodes. */
struct wanted {
	const uint32_t *jobs;
	size_t n;
	int64_t share;
	bool by_owner; /* else an operator wants it */
};

/* Return a copy of a booking in which one part has another share. The new share is a fixed one: no
 * least share, promise or outage of the old one remains. */
static struct rspb_booking *with_share(const struct rspb_booking *old, uint32_t part, int64_t share)
{
	struct rspb_booking *booking = rspb_booking_clone(old);
	struct rspb_grant *grant;

	if (!booking)
		return NULL;
	grant = &booking->grants[part];
	booking->request->parts[part].share = share;
	booking->request->parts[part].share_min = share;
	grant->share = share;
	grant->promise = grant->had = grant->outage = 0;
	rspb_booking_value(booking);
	return booking;
}

/* Write into err on which node the share does not fit, and the largest that would. If no node is
 * short of CPU shares, something else is in the way, and err says only that it does not fit. The
 * caller holds the read lock for the node's name. RET -1. */
static int explain(const struct rspb_ledger *plan, const struct rspb_booking *old, uint32_t part,
		   int64_t share, int64_t now, struct rspb_err *err)
{
	const struct rspb_shares *shares = rspb_ledger_shares(plan);
	const struct rspb_grant *grant = &old->grants[part];
	int64_t from = old->start > now ? old->start : now, most = INT64_MAX;
	char window[RSPB_WINDOW_TEXT], can[32], *name;
	struct rspb_nodeset *worst = rspb_nodeset_create(grant->nodes->width);
	struct rspb_text text = rspb_text_over(can, sizeof(can));
	uint32_t m;

	for (m = rspb_nodeset_next(grant->nodes, 0); worst && m < grant->nodes->width;
	     m = rspb_nodeset_next(grant->nodes, m + 1)) {
		int64_t peak, room;

		/* The peak contains the booking itself, as its old share is still in the plan. */
		if (rspb_shares_peak(shares, m, from, old->end, &peak, NULL))
			continue;
		room = rspb_shares_capacity(shares, m) - peak + grant->share;
		if (room >= most)
			continue;
		most = room;
		rspb_nodeset_clear(worst);
		rspb_nodeset_add(worst, m);
	}
	name = worst && most < share ? rspb_node_names(NULL, worst) : NULL;
	rspb_nodeset_destroy(worst);
	if (!name)
		return rspb_fail(err, "it does not fit");
	rspb_report_times(from, old->end, window, sizeof(window));
	rspb_text_add_percent(&text, most);
	rspb_fail(err, "of %s it can have %s at most from %s", name, can, window);
	free(name);
	return -1;
}

/* Plan one component of a job. The caller holds the read lock. gives: bookings beside it may give
 * up what they grew by beyond their promise. The plan keeps the change, so that the next component
 * is planned beside it. RET 0, or -1 with err. */
static int plan_one(struct rspb_ledger *plan, const struct rspb_job *job, int64_t share,
		    int64_t now, bool gives, struct rspb_err *err)
{
	const struct rspb_booking *old = rspb_ledger_find(plan, job->leader);
	uint32_t part = job->component;
	struct rspb_record record = { .kind = RSPB_REC_CHANGE, .time = now };
	struct rspb_booking *changed;
	bool fits;

	if (!old || rspb_state_final(old->state) || part >= old->n_grants)
		return rspb_fail(err, "it has no booking");
	/* Cores are shares of nodes, too, and another number of them is another size. */
	if (!old->grants[part].share || old->request->parts[part].whole)
		return rspb_fail(err, "it has %s, not a share",
				 old->grants[part].share ? "cores" : "whole nodes");
	changed = with_share(old, part, share);
	if (!changed)
		return rspb_fail(err, "out of memory");
	record.booking = changed;
	fits = !rspb_ledger_apply(plan, &record, NULL) ||
	       (gives && rspb_yield_change(plan, changed, err) == 1);
	rspb_booking_destroy(changed);
	return fits ? 0 : explain(plan, old, part, share, now, err);
}

/* Plan all jobs, in order, on one ledger. RET how many could be planned; if that is not n, err says
 * why the next could not. */
static size_t plan_all(struct rspb_ledger *plan, const struct wanted *wanted, int64_t now,
		       bool gives, struct rspb_err *err)
{
	struct rspb_section section;
	struct rspb_job job;
	size_t i = 0;

	if (!plan) {
		rspb_fail(err, "the state of the cluster is not known yet; try again in a few "
			       "seconds");
		return 0;
	}
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "share")) {
		rspb_fail(err, "slurmctld is shutting down");
		return 0;
	}
	for (; i < wanted->n; i++) {
		if (!rspb_job_find(wanted->jobs[i], &job)) {
			rspb_fail(err, "its job no longer exists");
			break;
		}
		if (plan_one(plan, &job, wanted->share, now, gives, err))
			break;
	}
	rspb_section_leave(&section);
	return i;
}

/* Set the reason of the bookings whose share was requested. The others gave way, and keep the
 * reason of the whole proposal. */
static void word(struct rspb_proposal *all, const struct wanted *wanted)
{
	for (size_t i = 0; i < all->n; i++) {
		struct rspb_proposed *one = &all->items[i];

		for (size_t j = 0; j < wanted->n; j++)
			for (uint32_t k = 0; k < one->ask.n_jobs; k++)
				if (one->ask.jobs[k] == wanted->jobs[j])
					snprintf(one->why, sizeof(one->why), "%s",
						 RSPB_REASON_CHANGED(wanted->by_owner));
	}
}

/* Find what of a proposal an owner may not have by the site's limits: more than is booked, as for
 * all other changes of the owner's. RET NULL with err: nothing. */
static const struct rspb_proposed *find_excess(const struct rspb_proposal *all, int64_t now,
					       struct rspb_err *err)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct rspb_proposed *one = &all->items[i];
		struct rspb_replan draft = { .old = one->was, .new = one->terms, .now = now };

		/* Bookings that give way have less than before. */
		if (!one->terms ||
		    rspb_limits_ahead(one->terms, now) <= rspb_limits_ahead(one->was, now))
			continue;
		draft.request = one->terms->request;
		draft.config = rspb_limits_settings(all->config, draft.request, &draft.space);
		if (!rspb_admit_request(&draft) && !rspb_admit_grant(&draft, rspb_book_ledger()))
			continue;
		*err = draft.why;
		return one;
	}
	return NULL;
}

/* RET the place of a proposed change among those that are wanted. */
static size_t place_of(const struct rspb_proposed *one, const struct wanted *wanted)
{
	for (size_t j = 0; j < wanted->n; j++)
		for (uint32_t k = 0; k < one->ask.n_jobs; k++)
			if (one->ask.jobs[k] == wanted->jobs[j])
				return j;
	return 0;
}

/* Let Slurm count and bill the running jobs by their new share. Without this, accounting would keep
 * the CPUs that the job had at its start. */
static void recount(const struct wanted *wanted)
{
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "share"))
		return;
	for (size_t i = 0; i < wanted->n; i++)
		rspb_job_make_so(wanted->jobs[i],
				 &(struct rspb_job_wanted){ .share = wanted->share }, NULL);
	rspb_section_leave(&section);
}

/* Plan and make the change. RET n if all have it; else the place of the one that cannot, with err.
 * Nothing is changed then. */
static size_t change(const struct wanted *wanted, bool answered, const struct rspb_config *config,
		     int64_t now, struct rspb_err *err)
{
	struct rspb_proposal all = { .config = config,
				     .why = "reduced to what another booking on its node leaves",
				     .answered = answered };
	/* The first plan is on the book alone, which costs no look at Slurm. Regular jobs on the
	 * nodes do not matter: they are beside the share already. */
	struct rspb_ledger *plan = rspb_ledger_clone(rspb_book_ledger());
	size_t good = plan_all(plan, wanted, now, false, err);
	const struct rspb_proposed *excess;

	/* Bookings that grew can give that up, which needs the whole basis. */
	if (good < wanted->n && !config->policy.keep_surplus) {
		rspb_ledger_destroy(plan);
		plan = rspb_basis_make(config, now);
		good = plan_all(plan, wanted, now, true, err);
	}
	if (good == wanted->n) {
		/* The proposal has the requested changes and the bookings that gave way, as
		 * differences between plan and book. */
		if (rspb_proposal_collect(&all, plan, now, err))
			good = 0;
		excess = good && wanted->by_owner ? find_excess(&all, now, err) : NULL;
		if (excess)
			good = place_of(excess, wanted);
		word(&all, wanted);
		if (good == wanted->n && all.n && rspb_propose(&all) != RSPB_PROPOSAL_MADE) {
			*err = all.err;
			good = 0;
		}
		if (good == wanted->n && all.n)
			recount(wanted);
	}
	rspb_proposal_fini(&all);
	rspb_ledger_destroy(plan);
	return good;
}

static void share_text(int64_t share, char *buf, size_t size)
{
	struct rspb_text text = rspb_text_over(buf, size);

	rspb_text_add_percent(&text, share);
}

/* Refuse the change where the user looks. scontrol has long had its answer, and the comment still
 * says the share that was requested; it is replaced with the refusal. The caller holds the write
 * lock. */
static void refuse(const struct rspb_job *job, const struct rspb_booking *old, int64_t share,
		   const char *reason)
{
	char why[RSPB_ERR_TEXT], asked[32], note[RSPB_ERR_TEXT + 64];

	share_text(share, asked, sizeof(asked));
	snprintf(why, sizeof(why), "its share is unchanged; %s was refused: %.220s", asked, reason);
	rspb_log_info("job %u: %s", job->id, why);
	snprintf(note, sizeof(note), "refused: cpu-share=%s: %.220s", asked, reason);
	rspb_job_make_so(job->id, &(struct rspb_job_wanted){ .comment = note }, NULL);
	if (old)
		rspb_contract_state(job->id, old->state, why);
}

size_t rspb_share_change_make(const uint32_t *jobs, size_t n, int64_t share, bool by_owner,
			      const struct rspb_config *config, int64_t now, struct rspb_err *err)
{
	const struct wanted wanted = { jobs, n, share, by_owner };

	return change(&wanted, true, config, now, err);
}

/* Nobody waits for the answer of a change by scontrol, so it is made even if the disk fails. */
static void run(struct rspb_task *task, const struct rspb_config *config, int64_t now)
{
	const struct share_request *request = (struct share_request *) task;
	const struct wanted wanted = { &request->job, 1, request->share, request->by_owner };
	struct rspb_section section;
	struct rspb_job job;
	struct rspb_err err;

	if (!change(&wanted, false, config, now, &err) &&
	    rspb_section_enter(&section, RSPB_LOCK_WRITE, "share")) {
		if (rspb_job_find(request->job, &job))
			refuse(&job, rspb_ledger_find(rspb_book_ledger(), job.leader),
			       request->share, err.text);
		rspb_section_leave(&section);
	}
	rspb_task_end(task);
}

int rspb_share_change_ask(uint32_t job, int64_t share, bool by_owner, struct rspb_err *err)
{
	/* A user can post changes faster than the agent plans them; the count bounds the memory.
	 * The caller holds Slurm's locks, so nothing is waited for here. */
	struct share_request *request = rspb_task_new(sizeof(*request), run,
						      &rspb_serve->shares_waiting, WAITING_MAX);

	if (!request)
		return rspb_fail(err, "%d changes wait already; try again in a second",
				 WAITING_MAX);
	request->job = job;
	request->share = share;
	request->by_owner = by_owner;
	rspb_task_post(&request->task);
	return 0;
}
