/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/edit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/news.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/edit.h"
#include "plugins/ctld/decide/revision.h"
#include "plugins/ctld/decide/since.h"
#include "plugins/ctld/jobs/commit.h"
#include "plugins/ctld/jobs/job_resv.h"

static int64_t looked_at; /* second of the last look */
static struct rspb_resv_seen_at seen;

void rspb_job_edit_reset(void)
{
	looked_at = 0;
	seen = (struct rspb_resv_seen_at){ 0 };
}

/* One booking whose reservations are not as they were made. */
struct job_edit {
	struct rspb_edit edit;
	struct rspb_ask ask;
	const char *stray; /* what else has been changed; NULL: nothing */
};

bool rspb_job_edit_waits(const struct rspb_booking *b, int64_t now)
{
	struct rspb_nodeset *scratch;
	struct rspb_resv resv;
	bool waits = false;

	if (rspb_ctld_changed(RSPB_CHANGED_RESVS) < looked_at)
		return false;
	scratch = rspb_nodeset_create(b->grants[0].nodes->width);
	for (uint32_t i = 0; scratch && !waits && i < b->n_grants; i++)
		waits = rspb_job_resv_find(b, i, now, &resv) &&
			!rspb_job_resv_as_booked(&resv, b, i, now, scratch);
	rspb_nodeset_destroy(scratch);
	return waits;
}

/* Wants the read lock. RET false: nothing to do any more. */
static bool look(struct job_edit *e, uint64_t id,
		 const struct rspb_config *config, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	struct rspb_edit *edit = &e->edit;

	if (!b || rspb_state_final(b->state) ||
	    rspb_edit_init(edit, b, config, now) ||
	    !rspb_job_resv_read(b, now, edit->said, &e->stray) ||
	    !rspb_kind_of(b->request)->involve(&e->ask, b->request))
		return false;
	edit->started = b->state == RSPB_ACTIVE ||
			(b->start <= now && edit->said->start <= now);
	return true;
}

/* --- whether it fits ------------------------------------------------------- */

static int check_part(struct rspb_edit *edit, uint32_t i)
{
	const struct rspb_part *part = &edit->request->parts[i];
	const struct rspb_nodeset *nodes = edit->said->grants[i].nodes;
	const struct rspb_nodeset *old = edit->old->grants[i].nodes;
	uint32_t n = rspb_nodeset_count(nodes), most = part->nodes;
	int64_t least = part->share ? most : rspb_part_least(edit->request, i);

	if (rspb_nodeset_equal(nodes, old))
		return 0;
	if (edit->old->state == RSPB_ACTIVE)
		return rspb_fail(&edit->why, "its job runs on its nodes");
	if (n < least)
		return rspb_fail(&edit->why,
				 "its job needs at least %" PRId64 " nodes",
				 least);
	if (n > most)
		return rspb_fail(&edit->why,
				 "its job asked for %u nodes at most", most);
	if (part->fixed && !rspb_nodeset_within(nodes, part->fixed))
		return rspb_fail(&edit->why, "its job names other nodes");
	return 0;
}

static int check(struct job_edit *e)
{
	struct rspb_edit *edit = &e->edit;

	if (e->stray)
		return rspb_fail(&edit->why,
				 "%s of its reservation cannot be changed",
				 e->stray);
	if (rspb_edit_as_before(edit))
		return -1;
	for (uint32_t i = 0; i < edit->old->n_grants; i++)
		if (check_part(edit, i))
			return -1;
	return 0;
}

/* Whether only a number of nodes was asked for: which ones Slurm takes then is
 * by chance, and may be those of others. */
static bool resized(const struct rspb_edit *edit)
{
	for (uint32_t i = 0; i < edit->old->n_grants; i++)
		if (rspb_nodeset_count(edit->said->grants[i].nodes) !=
		    rspb_nodeset_count(edit->old->grants[i].nodes))
			return true;
	return false;
}

/* As many nodes in the same window, whichever are free. */
static bool elsewhere(struct rspb_edit *edit, struct rspb_ledger *basis)
{
	struct rspb_request *asked = edit->request;
	struct rspb_request *sized = rspb_request_clone(asked);
	struct rspb_booking *found;
	bool good;

	if (!sized)
		return false;
	for (uint32_t i = 0; i < sized->n_parts; i++)
		sized->parts[i].nodes = sized->parts[i].nodes_min =
			rspb_nodeset_count(edit->said->grants[i].nodes);
	edit->request = sized;
	good = rspb_edit_go(edit, basis, edit->said->start, edit->said->end);
	edit->request = asked;
	rspb_request_destroy(sized);
	if (!good)
		return false;
	found = edit->new;
	edit->new = NULL;
	for (uint32_t i = 0; i < found->n_grants; i++)
		rspb_nodeset_copy(edit->said->grants[i].nodes,
				  found->grants[i].nodes);
	rspb_booking_destroy(found);
	return rspb_edit_stay(edit, basis);
}

static void plan(struct job_edit *e)
{
	struct rspb_edit *edit = &e->edit;
	struct rspb_ledger *basis;

	if (check(e))
		return;
	basis = rspb_basis_make(edit->config, edit->now);
	if (!basis) {
		rspb_fail(&edit->why, "there is no snapshot of the cluster");
		return;
	}
	if (!rspb_edit_stay(edit, basis) && !edit->started && resized(edit))
		elsewhere(edit, basis);
	rspb_ledger_destroy(basis);
	if (!edit->new)
		return;
	rspb_revision_number(edit->new, edit->now);
	snprintf(edit->new->reason, sizeof(edit->new->reason),
		 RSPB_REASON_BY_OPERATOR);
}

/* --- with the write lock --------------------------------------------------- */

int rspb_job_edit_place(const struct rspb_edit *edit,
			const struct rspb_ask *ask,
			const struct rspb_booking *b, struct rspb_err *err)
{
	int rc = 0;

	/* What was booked is put right in all of its parts, whichever fails. */
	for (uint32_t i = 0; i < b->n_grants && (!rc || b == edit->old); i++)
		if (rspb_commit_again(ask, b, i, edit->config, err))
			rc = -1;
	if (rc)
		return rc;
	if (b->state == RSPB_ACTIVE)
		rspb_kind_of(b->request)
			->follow(&(struct rspb_followed){
				.ask = ask,
				.booking = b,
				.why = b->reason,
				.now = edit->now,
				.config = edit->config,
			});
	return 0;
}

/* Jobs that may take all of a window get all of a longer one, or, where that is
 * undone, of the shorter one again. */
static int fit_limits(const struct job_edit *e, const struct rspb_booking *b,
		      struct rspb_err *err)
{
	const struct rspb_booking *old = e->edit.old, *new = e->edit.new;
	int64_t was = old->end - old->start, length, before;
	struct rspb_job job;

	if (!new || new->end - new->start <= was)
		return 0;
	length = b->end - b->start;
	before = b == new ? was : new->end - new->start;
	for (uint32_t i = 0; i < e->ask.n_jobs; i++)
		if (rspb_job_find(e->ask.jobs[i], &job) &&
		    job.limit / 60 >= before / 60 &&
		    rspb_job_set_limit(job.id, length, b->end, err))
			return -1;
	return 0;
}

static int place(const struct rspb_booking *b, void *arg, struct rspb_err *err)
{
	const struct job_edit *e = arg;

	if (rspb_job_edit_place(&e->edit, &e->ask, b, err))
		return -1;
	return fit_limits(e, b, err);
}

static bool jobs_in(const struct rspb_ask *ask, enum rspb_job_phase phase)
{
	struct rspb_job job;

	for (uint32_t i = 0; i < ask->n_jobs; i++)
		if (!rspb_job_find(ask->jobs[i], &job) || job.phase != phase ||
		    job.completing)
			return false;
	return true;
}

/* Whether all is still as it was looked at; what is not comes up again. */
static bool still_so(const struct job_edit *e)
{
	const struct rspb_edit *edit = &e->edit;
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(),
							edit->old->request->id);
	struct rspb_booking *said;
	const char *stray;
	bool same;

	if (!b || b->state != edit->old->state ||
	    !jobs_in(&e->ask, b->state == RSPB_ACTIVE ? RSPB_JOB_RUNNING
						      : RSPB_JOB_PENDING))
		return false;
	said = rspb_booking_clone(b);
	same = said && rspb_job_resv_read(b, edit->now, said, &stray) &&
	       (edit->new || stray == e->stray);
	if (same && edit->new)
		same = !stray && said->end == edit->new->end &&
		       (edit->started || said->start == edit->new->start);
	rspb_booking_destroy(said);
	return same;
}

/* Whether what is new to it has not been taken since. */
static void look_again(struct rspb_edit *edit)
{
	struct rspb_since since;

	if (!edit->new)
		return;
	rspb_since_init(&since, edit->config, edit->now, edit->seen);
	if (!rspb_since_leaves(&since, edit->new)) {
		rspb_fail(&edit->why, "its nodes have just been taken");
		rspb_booking_destroy(edit->new);
		edit->new = NULL;
	}
	rspb_since_fini(&since);
}

/* RET whether it is booked. */
static bool apply(struct job_edit *e)
{
	char who[64];

	if (!still_so(e))
		return false;
	look_again(&e->edit);
	snprintf(who, sizeof(who), "booking %" PRIu64 ": its reservation",
		 e->edit.old->request->id);
	return rspb_edit_apply(&e->edit, who, place, e);
}

static void follow(uint64_t id, const struct rspb_config *config, int64_t now)
{
	struct job_edit e = { .stray = NULL };
	struct rspb_section section;
	bool found, done = false;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "edits"))
		return;
	found = look(&e, id, config, now);
	rspb_section_leave(&section);
	if (found) {
		rspb_ask_user(&e.ask);
		plan(&e);
		rspb_edit_promise(&e.edit, &e.ask, true);
		if (rspb_section_enter(&section, RSPB_LOCK_WRITE, "edits")) {
			done = apply(&e);
			rspb_section_leave(&section);
		}
		if (!done)
			rspb_edit_withdraw(&e.edit, &e.ask);
	}
	rspb_edit_fini(&e.edit);
	rspb_ask_fini(&e.ask);
}

/* --- the watch ------------------------------------------------------------- */

struct findings {
	int64_t now;
	struct rspb_nodeset *scratch;
	size_t n, room;
	uint64_t *ids;
};

static int look_at(const struct rspb_resv *resv, void *arg)
{
	struct findings *to = arg;
	const struct rspb_booking *b;
	uint32_t part;
	uint64_t id;

	if (!rspb_resv_of_job(resv->name, &id, &part))
		return 0;
	b = rspb_ledger_find(rspb_book_ledger(), id);
	if (!b || rspb_state_final(b->state) || b->end <= to->now ||
	    part >= b->n_grants || (to->n && to->ids[to->n - 1] == id) ||
	    rspb_job_resv_as_booked(resv, b, part, to->now, to->scratch))
		return 0;
	if (rspb_array_grow(&to->ids, &to->room, to->n + 1, sizeof(*to->ids)))
		return 1;
	to->ids[to->n++] = id;
	return 0;
}

void rspb_job_edit_watch(const struct rspb_config *config, int64_t now)
{
	struct findings found = { .now = now };
	struct rspb_section section;

	if (!rspb_news_of_resvs(&seen, "edits", now))
		return;
	found.scratch = rspb_nodeset_create(
		rspb_ledger_nodes(rspb_book_ledger()));
	if (found.scratch &&
	    rspb_section_enter(&section, RSPB_LOCK_READ, "edits")) {
		looked_at = now;
		rspb_resv_each(now, look_at, &found);
		section.items = found.n;
		rspb_section_leave(&section);
	}
	for (size_t i = 0; i < found.n; i++)
		follow(found.ids[i], config, now);
	rspb_nodeset_destroy(found.scratch);
	free(found.ids);
}
