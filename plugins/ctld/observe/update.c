/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks at booked jobs that somebody has updated. It changes no booking. */
#include "plugins/ctld/observe/following.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hash.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/resv.h"
#include "plugins/ctld/observe/intake.h"
#include "plugins/ctld/observe/state.h"

/* The most updates that are on their way to the agent. More are not noted: their jobs are looked
 * at when they start. */
enum { NOTED_MOST = 256 };

/* A job that is about to be updated, on its way to the agent. */
struct noted {
	struct rspb_task task; /* first */
	uint32_t job;
};

/* Whether a job names any of these nodes. */
static bool names_any(const struct rspb_job *job, const struct rspb_nodeset *nodes)
{
	struct rspb_nodeset *named = rspb_nodeset_create(nodes->width);
	bool any = named && rspb_job_nodes(job, RSPB_JOB_NAMES, named) &&
		   !rspb_nodeset_disjoint(named, nodes);

	rspb_nodeset_destroy(named);
	return any;
}

/* Slurm's test on given nodes looks at no features. *unfit: a node that lacks them, or has left
 * the partition. It is set only if enough others suit and the job does not name it. RET 0, or -1
 * with err. */
static int still_have(const struct rspb_job *job, const struct rspb_nodeset *nodes, uint32_t least,
		      uint32_t *unfit, struct rspb_err *err)
{
	struct rspb_nodeset *lack = rspb_nodeset_create(nodes->width);
	struct rspb_nodeset *could = rspb_nodeset_create(nodes->width);
	char *names = NULL;
	int rc = 0;

	if (lack && could && !rspb_job_eligible(job, could, NULL)) {
		rspb_nodeset_copy(lack, nodes);
		rspb_nodeset_minus(lack, could);
		if (!rspb_nodeset_empty(lack)) {
			names = rspb_node_names(NULL, lack);
			if (rspb_nodeset_count(could) >= least && !names_any(job, lack))
				*unfit = rspb_nodeset_next(lack, 0);
			rc = rspb_fail(err,
				       "it cannot start: %.120s no longer has what its job "
				       "requests (features, memory, CPUs or --gres)",
				       names ? names : "a node");
		}
	}
	free(names);
	rspb_nodeset_destroy(lack);
	rspb_nodeset_destroy(could);
	return rc;
}

/* Ask Slurm first, whose reason is reported. The search for an unsuitable node follows in any
 * case, because its node is needed even if the text is not. */
void rspb_update_judge(const struct rspb_booking *b, uint32_t *unfit, struct rspb_err *err)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	struct rspb_job job;
	struct rspb_err lack;
	int rc = 0;

	*unfit = RSPB_UNFIT_NONE;
	for (uint32_t i = 0; i < n && i < b->n_grants && !rc; i++) {
		if (!rspb_job_find(ids[i], &job) || job.phase != RSPB_JOB_PENDING)
			continue;
		rc = rspb_job_barred(&job, RSPB_BAR_PARTITION, err);
		/* The nodes of a job that is being cleaned up are not judged: they were fit for
		 * it. */
		if (job.completing)
			continue;
		rc = rc || rspb_job_would_start(&job, b->grants[i].nodes,
						!b->request->parts[i].whole, err);
		if (still_have(&job, b->grants[i].nodes, b->request->parts[i].nodes_min, unfit,
			       rc ? &lack : err))
			rc = -1;
	}
}

/* RET a number that is another one when the features of any node are. */
static uint64_t mark_features(void)
{
	uint64_t hash = RSPB_HASH_START;

	for (uint32_t n = 0; n < rspb_node_width(); n++) {
		const char *features = rspb_node_is(n).features;

		/* The number is hashed too: the same features on another node are a change. */
		hash = rspb_hash(hash, &n, sizeof(n));
		hash = rspb_hash(hash, features, strlen(features));
	}
	return hash;
}

/* Whether nodes have other features than when they were looked at last. */
bool rspb_update_features(int64_t now)
{
	struct rspb_section section;
	uint64_t mark, was = rspb_observe->features.mark;

	/* Slurm stamps changes in whole seconds, so that a change in the second of the last look
	 * counts as new. */
	if (rspb_observe->features.at && rspb_observe->features.at <= now &&
	    rspb_ctld_changed(RSPB_CHANGED_NODES) < rspb_observe->features.at)
		return false;
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "features"))
		return false;
	mark = mark_features();
	rspb_section_leave(&section);
	rspb_observe->features.at = now;
	rspb_observe->features.mark = mark;
	/* At the first look nothing is known to compare with. */
	return was && was != mark;
}

/* Keep only nodes that the jobs could be given anew, even if that leaves out some that were
 * granted. A part without enough such nodes stays as it is. */
static void only_fit(struct rspb_booking *b)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	struct rspb_job job;

	for (uint32_t i = 0; i < n && i < b->request->n_parts; i++) {
		struct rspb_part *part = &b->request->parts[i];
		struct rspb_nodeset *fit = rspb_nodeset_create(b->grants[i].nodes->width);

		if (fit && part->eligible && rspb_job_find(ids[i], &job) &&
		    !rspb_job_eligible(&job, fit, NULL) &&
		    rspb_nodeset_count(fit) >= part->nodes_min)
			rspb_nodeset_copy(part->eligible, fit);
		rspb_nodeset_destroy(fit);
	}
}

void rspb_update_refresh(const struct rspb_booking *b, bool fit, int64_t now)
{
	struct rspb_booking *new = rspb_booking_clone(b);
	struct rspb_err err;

	if (!new)
		return;
	rspb_intake_refresh(new, NULL);
	if (fit)
		only_fit(new);
	if (rspb_book_change(new, now, &err))
		rspb_log_error("booking %" PRIu64 ": %s", b->request->id, err.text);
	rspb_booking_destroy(new);
}

/* Give the reservation the account of its job, which may be what admits the job to it. */
static void take_account(const struct rspb_booking *b)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	struct rspb_resv_spec spec;
	struct rspb_resv resv;
	struct rspb_err err;
	struct rspb_job job;

	for (uint32_t i = 0; i < n && i < b->n_grants; i++) {
		if (!rspb_job_find(ids[i], &job) || !job.account ||
		    !rspb_mirror_resv_find(b, i, 0, &resv) || !resv.accounts)
			continue;
		spec = (struct rspb_resv_spec){ .name = resv.name, .accounts = job.account };
		if (rspb_resv_make_so(&spec, &err))
			rspb_log_error("%s", err.text);
	}
}

/* Look at the booking of a job that was updated, with the write lock. */
static void follow(uint64_t id, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	struct rspb_err err = { "" };
	uint32_t unfit;

	if (!b || b->state != RSPB_BOOKED)
		return;
	rspb_update_refresh(b, false, now);
	/* The refresh has replaced the booking. */
	b = rspb_ledger_find(rspb_book_ledger(), id);
	if (!b)
		return;
	take_account(b);
	/* The next update may remove the obstacle again. */
	rspb_update_judge(b, &unfit, &err);
	if (rspb_doubt_note(id, RSPB_DOUBT_PARTITION, err.text))
		rspb_doubt_tell(id);
}

/* The task runs after the update, because the agent waits for the lock that the updater holds. */
static void run(struct rspb_task *task, const struct rspb_config *config, int64_t now)
{
	struct rspb_section section;
	struct rspb_job job;

	(void) config;
	if (rspb_section_enter(&section, RSPB_LOCK_WRITE, "updates")) {
		if (rspb_job_find(((struct noted *) task)->job, &job))
			follow(job.leader, now);
		rspb_section_leave(&section);
	}
	rspb_task_end(task);
}

void rspb_update_note(uint32_t job)
{
	/* Users may send updates faster than the agent handles them, so that their number is
	 * limited. */
	struct noted *noted = rspb_task_new(sizeof(*noted), run, &rspb_observe->under_way,
					    NOTED_MOST);

	if (!noted)
		return;
	noted->job = job;
	rspb_task_post(&noted->task);
}
