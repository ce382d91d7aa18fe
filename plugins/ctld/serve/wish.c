/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a request of a message, as its job's submission would be. Nothing is
 * submitted. */
#include "plugins/ctld/serve/owners.h"

#include <stdio.h>

#include "plugins/ctld/book/book.h"
#include "plugins/ctld/request/part.h"

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

/* Fill in the flags as sbatch would have them. The parser and the checks are the
 * same, so no offer is made for flags that a submission would refuse. */
static int read_flags(const struct rspb_inquiry *q, const struct rspb_submission_part *part,
		      struct rspb_terms *flags, struct rspb_err *err)
{
	*flags = q->terms;
	flags->book = true;
	if (flags->share_min > flags->share)
		return rspb_fail(err, "--cpu-share: its minimum is more than the share");
	if (q->wrong.text[0])
		return rspb_fail(err, "%s", q->wrong.text);
	if (rspb_terms_check(flags, err))
		return -1;
	/* Shares are booked only in partitions whose CPUs can have several jobs. */
	return flags->share ? rspb_part_beside(part, err) : 0;
}

/* RET -1 with err: nothing begins at once in a partition that is down. */
static int begins(const struct rspb_job *job, int64_t ready, int64_t now, struct rspb_err *err)
{
	struct rspb_err why;

	if (ready > now || !rspb_job_barred(job, RSPB_BAR_PARTITION, &why))
		return 0;
	return rspb_fail(err, "%s; ask with --begin about later times", why.text);
}

/* Fill in the part by a draft: a job record that Slurm never gets to see. Slurm's own code
 * reads the partition, features and generic resources then. The caller holds the write lock. */
static int fill_part(const struct rspb_inquiry *q, const struct rspb_terms *flags, int64_t now,
		     struct rspb_request *request, struct rspb_err *err)
{
	const struct rspb_draft_of of = {
		.terms = &q->terms,
		.partition = or_null(q->partition),
		.features = or_null(q->features),
		.needs = true,
		.lent = rspb_book_lends(),
	};
	struct rspb_draft *draft;
	struct rspb_job job;
	int rc;

	if (q->terms.nodes && q->terms.nodes_least > q->terms.nodes)
		return rspb_fail(err, "--nodes: the minimum is more than the maximum");
	draft = rspb_draft_make(&of, &job, err);
	if (!draft)
		return -1;
	request->gated = job.gated;
	rc = begins(&job, q->terms.ready, now, err) ||
			     rspb_part_fill(&job, flags, rspb_ledger_nodes(rspb_book_ledger()),
					    &request->parts[0], err)
		     ? -1
		     : 0;
	rspb_draft_destroy(draft);
	return rc;
}

/* The label chooses which of the site's Rules count. A user who names no account gets the usual
 * one, as at submission. */
static void label(const struct rspb_submission *sub, const char *partition, const char *qos,
		  struct rspb_ask *ask)
{
	rspb_submission_account(sub, ask->account, sizeof(ask->account));
	snprintf(ask->qos, sizeof(ask->qos), "%s", qos);
	rspb_request_label(ask->request, ask->account, or_null(qos), partition);
}

int rspb_wish_read(const struct rspb_work *work, const struct rspb_config *config, int64_t now,
		   struct rspb_ask *ask, int64_t *longest, struct rspb_err *err)
{
	const struct rspb_inquiry *q = &work->inquiry;
	const struct rspb_submission sub = {
		.user = work->who.uid,
		.account = or_null(q->account),
		.partition = or_null(q->partition),
	};
	const struct rspb_job job = { .begin = q->terms.ready,
				      .limit = q->terms.duration,
				      .deadline = q->terms.deadline };
	struct rspb_submission_part part;
	struct rspb_config space;
	struct rspb_terms flags;

	/* There will be one job, but it does not exist yet: jobs and contracts stay NULL. */
	ask->n_jobs = 1;
	ask->request = rspb_request_create(1);
	if (!ask->request)
		return rspb_fail(err, "out of memory");
	ask->request->user = work->who.uid;
	ask->request->arrival = now;
	if (rspb_window_begin(q->terms.ready, now, "--begin", err) ||
	    rspb_submission_part(&sub, &part, err) || read_flags(q, &part, &flags, err) ||
	    fill_part(q, &flags, now, ask->request, err))
		return -1;
	if (rspb_terms_ask(&flags, ask->request))
		return rspb_fail(err, "out of memory");
	label(&sub, part.name, q->qos, ask);
	rspb_window_add(ask->request, &job, q->terms.asap, now);
	if (rspb_want_forms(&flags, ask->request,
			    q->terms.duration	 ? q->terms.duration
			    : part.max_limit > 0 ? part.max_limit
						 : 0,
			    err) ||
	    rspb_window_check(ask->request, 0, &part, err))
		return -1;
	/* The window is closed only when partition and account are known, because Horizon and
	 * MinNotice can be those of a Rule. */
	rspb_window_close(ask->request, rspb_limits_settings(config, ask->request, &space), now);
	*longest = part.max_limit;
	return rspb_want_speed(config, ask->request, true, err);
}

int rspb_wish_judge(struct rspb_ask *ask, const struct rspb_config *config, int64_t now,
		    struct rspb_err *err)
{
	struct rspb_config space;

	rspb_ask_user(ask);
	return rspb_limits_foresee(ask, rspb_limits_settings(config, ask->request, &space),
				   rspb_ledger_nodes(rspb_book_ledger()), now, err);
}
