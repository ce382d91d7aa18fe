/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes over what operators change in the reservation of a booked job, or has it undone. Changes
 * of the job itself are handled by update.c. */
#include "plugins/ctld/observe/following.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/proposal.h"
#include "plugins/ctld/mirror/resv.h"
#include "plugins/ctld/observe/state.h"
#include "plugins/ctld/request/ask.h"

/* A booking whose reservations are not as they were made. */
struct job_edit {
	struct rspb_replan draft;
	struct rspb_ask ask;
	const char *stray; /* what else has been changed; NULL: nothing */
};

bool rspb_edit_waits(const struct rspb_booking *b, int64_t now)
{
	struct rspb_nodeset *scratch;
	struct rspb_resv resv;
	bool waits = false;

	/* Slurm stamps changes in whole seconds, so that a change in the second of the last look
	 * counts as new. */
	if (rspb_ctld_changed(RSPB_CHANGED_RESVS) < rspb_observe->edit.looked_at)
		return false;
	scratch = rspb_nodeset_create(b->grants[0].nodes->width);
	for (uint32_t i = 0; scratch && !waits && i < b->n_grants; i++)
		waits = rspb_mirror_resv_find(b, i, now, &resv) &&
			!rspb_mirror_resv_as_booked(&resv, b, i, now, scratch);
	rspb_nodeset_destroy(scratch);
	return waits;
}

/* Wants the read lock. RET false: nothing to do any more. */
static bool look_at_booking(struct job_edit *e, uint64_t id, const struct rspb_config *config,
			    int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);
	struct rspb_replan *draft = &e->draft;

	if (!b || rspb_state_final(b->state) || rspb_replan_init(draft, b, config, now) ||
	    !rspb_mirror_resv_read(b, now, draft->said, &e->stray) ||
	    !rspb_ask_involve(&e->ask, b->request))
		return false;
	/* The start of a booking that runs cannot change. Nor can one that is due, if nobody has
	 * moved its reservation to a later start. */
	draft->started = b->state == RSPB_ACTIVE || (b->start <= now && draft->said->start <= now);
	return true;
}

/* --- whether it fits ------------------------------------------------------- */

/* Check the nodes that an operator gave to a part against the request of its job. RET 0, or -1
 * with the reason for the operator, after which the change is undone. */
static int check_part(struct rspb_replan *draft, uint32_t i)
{
	const struct rspb_part *part = &draft->request->parts[i];
	const struct rspb_nodeset *nodes = draft->said->grants[i].nodes;
	const struct rspb_nodeset *old = draft->old->grants[i].nodes;
	uint32_t n = rspb_nodeset_count(nodes), most = part->nodes;
	int64_t least = part->share ? most : rspb_part_least(draft->request, i);

	if (rspb_nodeset_equal(nodes, old))
		return 0;
	if (draft->old->state == RSPB_ACTIVE)
		return rspb_fail(&draft->why, "its job runs on its nodes");
	if (n < least)
		return rspb_fail(&draft->why, "its job needs at least %" PRId64 " nodes", least);
	if (n > most)
		return rspb_fail(&draft->why, "its job asked for %u node%s at most", most,
				 most == 1 ? "" : "s");
	if (part->fixed && !rspb_nodeset_within(part->fixed, nodes))
		return rspb_fail(&draft->why, "its job names other nodes");
	return 0;
}

/* RET 0 if the change may be tried, with the request to plan with; else -1 with the reason in the
 * draft. */
static int check(struct job_edit *e)
{
	struct rspb_replan *draft = &e->draft;

	if (e->stray)
		return rspb_fail(&draft->why, "%s of its reservation cannot be changed", e->stray);
	if (rspb_replan_as_before(draft))
		return -1;
	for (uint32_t i = 0; i < draft->old->n_grants; i++)
		if (check_part(draft, i))
			return -1;
	return 0;
}

/* Whether only a number of nodes was asked for: which ones Slurm takes then is
 * by chance, and may be those of others. */
static bool resized(const struct rspb_replan *draft)
{
	for (uint32_t i = 0; i < draft->old->n_grants; i++)
		if (rspb_nodeset_count(draft->said->grants[i].nodes) !=
		    rspb_nodeset_count(draft->old->grants[i].nodes))
			return true;
	return false;
}

/* Find as many nodes in the same time slot, whichever are free. RET whether the booking can have
 * them; they are in what was said then. */
static bool elsewhere(struct rspb_replan *draft, struct rspb_ledger *basis)
{
	struct rspb_request *asked = draft->request;
	struct rspb_request *sized = rspb_request_clone(asked);
	struct rspb_booking *found;
	bool good;

	if (!sized)
		return false;
	for (uint32_t i = 0; i < sized->n_parts; i++)
		sized->parts[i].nodes = sized->parts[i].nodes_min = rspb_nodeset_count(
			draft->said->grants[i].nodes);
	/* The size that the operator wants counts for this search alone. The booking keeps the
	 * request of its job, which has a range of nodes. */
	draft->request = sized;
	good = rspb_replan_go(draft, basis, draft->said->start, draft->said->end);
	draft->request = asked;
	rspb_request_destroy(sized);
	if (!good)
		return false;
	found = draft->new;
	draft->new = NULL;
	for (uint32_t i = 0; i < found->n_grants; i++)
		rspb_nodeset_copy(draft->said->grants[i].nodes, found->grants[i].nodes);
	rspb_booking_destroy(found);
	return rspb_replan_stay(draft, basis);
}

/* Plan on a copy of the ledger, without locks. A draft without a result makes the proposal restore
 * the reservation, with the reason. */
static void plan(struct job_edit *e)
{
	struct rspb_replan *draft = &e->draft;
	const struct rspb_request *const one[] = { draft->old->request };
	struct rspb_ledger *basis;

	if (check(e))
		return;
	basis = rspb_basis_make(draft->config, draft->now);
	if (!basis || rspb_holds_add(basis, one, 1, draft->now)) {
		rspb_ledger_destroy(basis);
		rspb_fail(&draft->why, "the state of the cluster is not known yet; try again in "
				       "a few seconds");
		return;
	}
	if (!rspb_replan_stay(draft, basis) && !draft->started && resized(draft))
		elsewhere(draft, basis);
	rspb_ledger_destroy(basis);
}

/* --- with the write lock --------------------------------------------------- */

int rspb_edit_place(struct rspb_proposed *one, const struct rspb_booking *b,
		    const struct rspb_proposal *proposal, struct rspb_err *err)
{
	const struct rspb_kind *kind = rspb_kind_of(b->request);

	/* The request of its job may have changed, even on the same nodes. */
	if (b == one->terms && b->state == RSPB_BOOKED && kind->suits(&one->ask, b, err))
		return -1;
	return kind->mirror(&one->ask, b, false, proposal->config, proposal->now, err);
}

/* Give jobs that may use all of a time slot all of a longer one. If that is undone, give them all
 * of the shorter one again. */
static int fit_limits(const struct rspb_proposed *one, const struct rspb_booking *b,
		      struct rspb_err *err)
{
	const struct rspb_booking *old = one->was, *new = one->terms;
	int64_t was = old->end - old->start, before;
	struct rspb_job_wanted wanted;
	struct rspb_job job;

	if (!new || new->end - new->start <= was)
		return 0;
	before = b == new ? was : new->end - new->start;
	wanted = (struct rspb_job_wanted){ .limit = b->end - b->start, .limit_end = b->end };
	for (uint32_t i = 0; i < one->ask.n_jobs; i++)
		if (rspb_job_find(one->ask.jobs[i], &job) && job.limit / 60 >= before / 60 &&
		    rspb_job_make_so(job.id, &wanted, err))
			return -1;
	return 0;
}

/* Tell the ask what the jobs get with the new terms, because the journal has that before Slurm
 * does. */
static void announce(struct job_edit *e)
{
	const struct rspb_booking *old = e->draft.old, *new = e->draft.new;

	if (!new || new->end - new->start <= old->end - old->start)
		return;
	e->ask.limit = new->end - new->start;
	e->ask.limit_from = (old->end - old->start) / 60 * 60;
}

static int place(struct rspb_proposed *one, const struct rspb_booking *b,
		 struct rspb_proposal *proposal, struct rspb_err *err)
{
	/* The contract is written last, and the journal then has the limits with it. */
	return fit_limits(one, b, err) ? -1 : rspb_edit_place(one, b, proposal, err);
}

/* With the write lock: whether the reservations are still as they were planned for. If not, the
 * next look finds the booking again. */
static bool still_so(const struct rspb_proposed *one, const struct rspb_proposal *proposal)
{
	const struct job_edit *e = one->from;
	const struct rspb_booking *new = one->terms;
	struct rspb_booking *said = rspb_booking_clone(one->was);
	const char *stray;
	bool same = said && rspb_mirror_resv_read(one->was, proposal->now, said, &stray);

	if (same && !new)
		same = stray == e->stray;
	else if (same)
		same = !stray && said->end == new->end &&
		       (e->draft.started || said->start == new->start);
	rspb_booking_destroy(said);
	return same;
}

/* Handle one booking: read under the read lock, plan without a lock. rspb_propose() takes the
 * write lock and checks with still_so(). */
static void follow(uint64_t id, const struct rspb_config *config, int64_t now)
{
	struct job_edit e = { .stray = NULL };
	struct rspb_proposal proposal = { .who = "its reservation",
					  .why = RSPB_REASON_BY_OPERATOR,
					  .answered = true,
					  .restores = true,
					  .holds = still_so,
					  .place = place };
	struct rspb_section section;
	bool found;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "edits"))
		return;
	found = look_at_booking(&e, id, config, now);
	rspb_section_leave(&section);
	if (found) {
		rspb_ask_user(&e.ask);
		plan(&e);
		announce(&e);
	}
	if (found && !rspb_replan_propose(&e.draft, &e.ask, &e, &proposal))
		rspb_propose(&proposal);
	rspb_proposal_fini(&proposal);
	rspb_replan_fini(&e.draft);
	rspb_ask_fini(&e.ask);
}

/* --- the watch ------------------------------------------------------------- */

struct findings {
	int64_t now;
	struct rspb_nodeset *scratch;
	size_t n, room;
	uint64_t *ids;
};

/* Note the id of a booking whose reservation is not as booked. Views of reservations end with the
 * lock, so that nothing else is kept. */
static int look_at(const struct rspb_resv *resv, void *arg)
{
	struct findings *to = arg;
	const struct rspb_booking *b;
	uint32_t part;
	uint64_t id;

	if (!rspb_resv_of_job(resv->name, &id, &part))
		return 0;
	b = rspb_ledger_find(rspb_book_ledger(), id);
	if (!b || rspb_state_final(b->state) || b->end <= to->now || part >= b->n_grants ||
	    (to->n && to->ids[to->n - 1] == id) ||
	    rspb_mirror_resv_as_booked(resv, b, part, to->now, to->scratch))
		return 0;
	if (rspb_array_grow(&to->ids, &to->room, to->n + 1, sizeof(*to->ids)))
		return 1;
	to->ids[to->n++] = id;
	return 0;
}

void rspb_edit_watch(const struct rspb_config *config, int64_t now)
{
	struct findings found = { .now = now };
	struct rspb_section section;

	if (!rspb_news_of_resvs(&rspb_observe->edit.seen, "edits", now))
		return;
	found.scratch = rspb_nodeset_create(rspb_ledger_nodes(rspb_book_ledger()));
	if (found.scratch && rspb_section_enter(&section, RSPB_LOCK_READ, "edits")) {
		rspb_observe->edit.looked_at = now;
		rspb_resv_each(RSPB_RESV_ALL, now, look_at, &found);
		section.items = found.n;
		rspb_section_leave(&section);
	}
	for (size_t i = 0; i < found.n; i++)
		follow(found.ids[i], config, now);
	rspb_nodeset_destroy(found.scratch);
	free(found.ids);
}
