/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moves bookings within their windows, so that one more request finds a place or that bookings
 * begin earlier. Requests for whole nodes are planned in numbers of nodes first (outline.h), and
 * only the bookings that have to move are then placed on nodes. Cores and shares are tried on
 * nodes at once. All tries run on copies of the ledger. */
#include "common/plan/schedule.h"

#include <stdlib.h>

#include "common/base/array.h"
#include "common/plan/outline.h"

enum { FEW_NODES = 4 }; /* are little on a small machine, too */

/* A booking that may move. */
struct mover {
	const struct rspb_booking *was; /* the ledger's */
	const struct rspb_booking *is;	/* where it moves to, of shift->work; NULL: it stays */
	int64_t last;			/* its latest start */
	int64_t until;			/* until then its nodes are kept, to be cleaned up */
	bool first; /* it found no other place, so the newcomer goes around it */
};

struct shift {
	const struct rspb_policy *policy;
	struct rspb_policy own; /* of those that move */
	int64_t now;
	struct rspb_ledger *empty;  /* owned: the ledger without them */
	struct rspb_ledger *work;   /* owned: the last try, with them where they move to */
	struct rspb_booking *trial; /* owned: the newcomer */
	struct mover *movers;	    /* owned, by their latest start */
	size_t n, room;
	size_t moved;	/* how many of them */
	size_t most;	/* and may be */
	int64_t delays; /* of these, in 1/100 of their durations */
	bool punctual;	/* they get other nodes, and no other starts */
	bool uneven;	/* one is booked for another time than its request takes */
	/* The decisions of this batch, of which nobody was told yet. */
	struct rspb_booking *const *fresh;
	size_t n_fresh;
	struct rspb_outline outline; /* of the movers, in their order */
};

/* A booking whose length is no longer the requested one keeps its place, because a search would
 * plan it with the requested duration. */
bool rspb_shift_movable(const struct rspb_booking *b, int64_t now)
{
	const struct rspb_request *r = b->request;

	return rspb_booking_firm_from(b) > now && b->end - b->start == r->duration &&
	       rspb_request_last(r) > now + r->moves;
}

static bool is_fresh(const struct shift *shift, const struct rspb_booking *b)
{
	for (size_t i = 0; i < shift->n_fresh; i++)
		if (shift->fresh[i] && shift->fresh[i]->request->id == b->request->id)
			return true;
	return false;
}

/* RET how many seconds before a new start its owner has to be told of it. The owner of a fresh
 * booking hears of it after this batch anyway. */
static int64_t notice(const struct shift *shift, const struct rspb_booking *b)
{
	return is_fresh(shift, b) ? 0 : b->request->moves;
}

/* A booking of this batch may move although its start is nearer than its notice, because nobody
 * was told of that start. */
static bool may_move(const struct shift *shift, const struct rspb_booking *b)
{
	return rspb_shift_movable(b, shift->now) ||
	       (b->request->moves && b->start > shift->now && b->state == RSPB_BOOKED &&
		b->end - b->start == b->request->duration && is_fresh(shift, b));
}

/* The bookings with the most room for a delay come first, because they are the likeliest to find
 * another start. Ids break ties, so that the result does not depend on qsort(). */
static int by_room(const void *left, const void *right)
{
	const struct mover *a = left, *b = right;
	int64_t x = a->last - a->was->start, y = b->last - b->was->start;

	if (x != y)
		return x > y ? -1 : 1;
	return a->was->request->id < b->was->request->id ? -1 : 1;
}

/* The bookings with the earliest latest start come first, because they have the least choice. */
static int by_last(const void *left, const void *right)
{
	const struct mover *a = left, *b = right;

	if (a->last != b->last)
		return a->last < b->last ? -1 : 1;
	return a->was->request->id < b->was->request->id ? -1 : 1;
}

/* Note the i-th booking, which may move, and until when the ledger keeps its nodes, which includes
 * the time to clean up where that was free. RET 0, -1: out of memory. */
static int add_mover(struct shift *shift, const struct rspb_ledger *ledger, size_t i)
{
	const struct rspb_booking *b = rspb_ledger_at(ledger, i);

	if (rspb_array_grow(&shift->movers, &shift->room, shift->n + 1, sizeof(*shift->movers)))
		return -1;
	shift->movers[shift->n++] = (struct mover){
		.was = b,
		.last = rspb_request_last(b->request),
		.until = rspb_ledger_until_at(ledger, i),
	};
	return 0;
}

/* Find the bookings in the window of the request, and of these the ones with most room. RET 0, -1:
 * out of memory. */
static int find_movers(struct shift *shift, const struct rspb_ledger *ledger,
		       const struct rspb_request *request)
{
	/* The newcomer keeps its nodes while they are cleaned up, so bookings that begin then
	 * are in its way, too. */
	int64_t until = request->deadline + request->clean_up;

	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start >= until)
			break;
		if (b->end <= request->ready || !rspb_shift_movable(b, shift->now))
			continue;
		if (add_mover(shift, ledger, i))
			return -1;
	}
	/* Each mover may cost a search in each try, so their number is bounded. */
	if ((int64_t) shift->n > shift->policy->shift) {
		qsort(shift->movers, shift->n, sizeof(*shift->movers), by_room);
		shift->n = (size_t) shift->policy->shift;
	}
	if (shift->n)
		qsort(shift->movers, shift->n, sizeof(*shift->movers), by_last);
	return 0;
}

/* Free what a booking holds on a copy. */
static int take_out(struct rspb_ledger *ledger, const struct rspb_booking *b, struct rspb_err *err)
{
	return rspb_ledger_lift(ledger, b->request->id, err);
}

/* RET 1, 0: it has no place there. */
static int put_in(struct rspb_ledger *ledger, const struct rspb_booking *b)
{
	struct rspb_record book = { .kind = RSPB_REC_BOOK,
				    .time = rspb_ledger_now(ledger),
				    .booking = b };

	return !rspb_ledger_apply(ledger, &book, NULL);
}

/* Book `new`, which is a clone of the mover's booking, where the plan has it. RET 1: the ledger
 * owns it; 0: it is refused there; -1 with err. */
static int take_place(struct shift *shift, const struct rspb_plan *plan, struct mover *mover,
		      struct rspb_booking *new, struct rspb_err *err)
{
	const struct rspb_policy *policy = &shift->own;

	if (rspb_plan_grant(plan, new, err))
		return -1;
	/* A move does not turn growth into a promise, and what an outage has taken still comes
	 * back. */
	rspb_booking_keep_promise(new, mover->was);
	/* A limit of the site may refuse the new terms although the nodes are free. `work` lacks
	 * the movers whose turn has not come; each of them is checked beside all those before
	 * it. */
	if ((policy->allows && !policy->allows(shift->work, new, policy->allows_config)) ||
	    rspb_ledger_enter(shift->work, new, NULL))
		return 0;
	mover->is = new;
	return 1;
}

/* Plan a mover anew with just the units that it has, and book it in shift->work, where it was taken
 * out. The plan is for that ledger. There is no place before `bound` (0: not known). RET 1, 0:
 * there is no place, -1 with err. */
static int find_place(struct shift *shift, struct rspb_plan *plan, struct mover *mover,
		      int64_t bound, struct rspb_err *err)
{
	struct rspb_booking *new = rspb_booking_clone(mover->was);
	/* The owner of a moved booking is told in time, too. The window begins as before: a benefit
	 * in time says by that which start is the last. */
	int64_t soonest = shift->now + notice(shift, mover->was);
	int rc;

	if (!new)
		return rspb_fail(err, "out of memory");
	/* With its own time slot as the window, nothing but other nodes is left to choose. */
	if (shift->punctual) {
		soonest = shift->now;
		new->request->ready = mover->was->start;
		new->request->deadline = mover->was->end;
	}
	rc = rspb_plan_begin_again(plan, new->request, mover->was, false, err);
	if (!rc)
		rc = rspb_search_from(plan, soonest, bound, err);
	/* The narrowed window was for the search alone. */
	new->request->ready = mover->was->request->ready;
	new->request->deadline = mover->was->request->deadline;
	if (rc == 1)
		rc = take_place(shift, plan, mover, new, err);
	if (rc != 1)
		rspb_booking_destroy(new);
	return rc;
}

/* Whether something counts for both: a limit, or what their nodes have besides cores. */
static bool count_together(const struct rspb_request *a, const struct rspb_request *b)
{
	for (uint32_t i = 0; i < a->n_parts; i++)
		for (uint32_t q = 0; q < a->parts[i].n_quotas; q++)
			for (uint32_t k = 0; k < b->n_parts; k++)
				if (rspb_part_quota(&b->parts[k], a->parts[i].quotas[q].key))
					return true;
	return false;
}

/* Drop the places that the last try has found. */
static void forget(struct shift *shift)
{
	for (size_t i = 0; i < shift->n; i++)
		shift->movers[i].is = NULL;
	rspb_ledger_destroy(shift->work);
	shift->work = NULL;
	shift->delays = 0;
	shift->moved = 0;
}

/* RET by how much later one starts than before, in 1/100 of its duration. */
static int64_t delay_of(const struct mover *mover)
{
	return (mover->is->start - mover->was->start) * 100 / mover->was->request->duration;
}

/* Begin a try: a plan for shift->work, which is a copy of the ledger. RET 0, or -1 with err and
 * nothing to free. */
static int begin_try(struct shift *shift, const struct rspb_ledger *ledger, struct rspb_plan *plan,
		     struct rspb_err *err)
{
	forget(shift);
	shift->work = rspb_ledger_clone(ledger);
	if (!shift->work)
		return rspb_fail(err, "out of memory");
	return rspb_plan_init(plan, shift->work, &shift->own, err);
}

/* Place one that is taken out. RET 1, 0: it has no place; -1 with err. */
static int move(struct shift *shift, struct rspb_plan *plan, struct mover *mover, bool forward,
		int64_t bound, struct rspb_err *err)
{
	int rc = find_place(shift, plan, mover, bound, err);
	int64_t delay = rc == 1 ? delay_of(mover) : 0;

	if (rc != 1)
		return rc;
	/* An earlier start of one booking does not pay for the delay of another one when a
	 * newcomer is let in. */
	shift->delays += forward || delay > 0 ? delay : 0;
	/* The search may find the old place again. Then the booking has not moved, and its owner
	 * is told nothing. */
	if (rspb_booking_same_place(mover->is, mover->was))
		mover->is = NULL;
	shift->moved += mover->is != NULL;
	return 1;
}

/* The nodes that a request may have; NULL: all, or those of each part by itself. */
static const struct rspb_nodeset *eligible(const struct rspb_request *request)
{
	return request->n_parts == 1 ? request->parts[0].eligible : NULL;
}

/* Fill in the numbers of a request for whole nodes. RET false: they say nothing of it, because
 * it has shares, or because those that move keep their starts. */
static bool outline_request(const struct shift *shift, const struct rspb_request *request,
			    int64_t soonest, struct rspb_outlined *job)
{
	*job = (struct rspb_outlined){
		.nodes = (int64_t) rspb_request_nodes(request),
		.ready = rspb_request_first(request, soonest),
		.last = rspb_request_last(request),
		.duration = request->duration,
		.takes = request->duration + request->clean_up,
	};
	for (uint32_t i = 0; i < request->n_parts; i++)
		if (request->parts[i].share)
			return false;
	return !shift->punctual;
}

/* RET how many nodes of the set (NULL: of all) a booking of whole nodes has. */
static int64_t nodes_among(const struct rspb_booking *b, const struct rspb_nodeset *among,
			   struct rspb_nodeset *scratch)
{
	int64_t nodes = 0;

	for (uint32_t i = 0; i < b->n_grants; i++) {
		if (among) {
			rspb_nodeset_copy(scratch, b->grants[i].nodes);
			rspb_nodeset_and(scratch, among);
		}
		nodes += rspb_nodeset_count(among ? scratch : b->grants[i].nodes);
	}
	return nodes;
}

/* Outline the movers and the newcomer (NULL: none) by the nodes that the request may have. RET 1;
 * 0: not all want whole nodes; -1 with err. */
static int outline(struct shift *shift, const struct rspb_ledger *ledger,
		   const struct rspb_nodeset *among, const struct rspb_outlined *newcomer,
		   struct rspb_err *err)
{
	struct rspb_nodeset *scratch = rspb_nodeset_create(rspb_ledger_nodes(ledger));
	int rc = scratch ? 1 : rspb_fail(err, "out of memory");

	for (size_t i = 0; i < shift->n && rc == 1; i++) {
		const struct mover *mover = &shift->movers[i];
		struct rspb_outlined job;

		/* The owner of a moved booking must be told in time. */
		rc = outline_request(shift, mover->was->request,
				     shift->now + notice(shift, mover->was), &job);
		job.start = mover->was->start;
		job.until = mover->until;
		job.of = i;
		shift->uneven |= job.until - job.start != job.takes;
		/* The booking counts with its nodes in this set, also at other starts; nodes
		 * outside of the set are not seen. */
		if (rc)
			job.nodes = nodes_among(mover->was, among, scratch);
		if (rc && rspb_outline_add(&shift->outline, &job))
			rc = rspb_fail(err, "out of memory");
	}
	rspb_nodeset_destroy(scratch);
	if (rc == 1 &&
	    rspb_outline_read(&shift->outline, rspb_ledger_profile(ledger), among, newcomer, err))
		rc = -1;
	return rc;
}

/* Book the newcomer as any other request, with the headroom, limits and judge of the batch. RET
 * 1, 0: it has no place; -1 with err. */
static int place_newcomer(const struct shift *shift, struct rspb_booking *newcomer,
			  struct rspb_err *err)
{
	struct rspb_plan plan;
	int rc;

	if (rspb_plan_init(&plan, shift->work, shift->policy, err))
		return -1;
	rc = rspb_search_book(&plan, shift->work, newcomer, shift->now, NULL, err);
	rspb_plan_fini(&plan);
	return rc;
}

/* RET the start of a mover in the last try. */
static int64_t start_of(const struct mover *mover)
{
	return mover->is ? mover->is->start : mover->was->start;
}

/* Carry the outline out on nodes: take out those that are away, place the newcomer (NULL: none),
 * then them. RET 1; 0: not all of these have places; -1 with err. */
static int carry_out(struct shift *shift, const struct rspb_ledger *ledger,
		     struct rspb_booking *newcomer, struct rspb_err *err)
{
	const struct rspb_outlined *jobs = shift->outline.jobs;
	/* As long as all have the starts of the outline, it counts at least the free nodes, so that
	 * its start for the next one is the earliest that can be. It does not where nodes are
	 * booked for another time than it gives them. */
	bool counted = !newcomer && !shift->uneven;
	struct rspb_plan plan;
	int rc = 1;

	/* A try takes several searches, so the caller may see to more urgent work before each. */
	if (shift->policy->breathe)
		shift->policy->breathe();
	if (begin_try(shift, ledger, &plan, err))
		return -1;
	for (size_t i = 0; i < shift->n && rc == 1; i++)
		if (jobs[i].away && take_out(shift->work, shift->movers[jobs[i].of].was, err))
			rc = -1;
	/* As in the outline the newcomer comes first. All bookings that are not away are in its
	 * way here, with the very nodes that they have. */
	if (rc == 1 && newcomer)
		rc = place_newcomer(shift, newcomer, err);
	for (size_t i = 0; i < shift->n && rc == 1; i++) {
		struct mover *mover = &shift->movers[jobs[i].of];

		if (!jobs[i].away)
			continue;
		rc = move(shift, &plan, mover, !newcomer, counted ? jobs[i].next : 0, err);
		if (rc == 1 && shift->moved > shift->most)
			rc = 0;
		if (rc == 1)
			counted &= start_of(mover) == jobs[i].next;
	}
	rspb_plan_fini(&plan);
	return rc;
}

/* Put a mover back where it was, beside the newcomer. RET 1: it is there, 0: it cannot be, -1
 * with err. */
static int stay(struct shift *shift, const struct rspb_request *newcomer, struct mover *mover,
		struct rspb_err *err)
{
	struct rspb_ledger *work = shift->work;
	int rc = 1;

	/* The ledger does not check limits, so a plan has to, where both count against the same. */
	if (count_together(newcomer, mover->was->request))
		rc = rspb_plan_there(work, &shift->own, mover->was, err);
	rc = rc == 1 ? put_in(work, mover->was) : rc;
	/* The ledger accepts a booking without its time to clean up where others need that time.
	 * A newcomer must not take it away. */
	if (rc == 1 && rspb_ledger_until(work, mover->was->request->id) < mover->until)
		rc = take_out(work, mover->was, err) ? -1 : 0;
	return rc;
}

/* Keep the bookings that are in nobody's way, and find another place for the others. RET 1; 0: one
 * did not find a place, and it is first now; -1 with err. */
static int settle(struct shift *shift, struct rspb_plan *plan, const struct rspb_request *newcomer,
		  struct rspb_err *err)
{
	bool *away = calloc(shift->n + 1, sizeof(*away));
	int rc = away ? 1 : rspb_fail(err, "out of memory");

	for (size_t i = 0; i < shift->n && rc == 1; i++) {
		/* A booking that is `first` was put back before the newcomer was placed. */
		int here = shift->movers[i].first ? 1
						  : stay(shift, newcomer, &shift->movers[i], err);

		away[i] = !here;
		rc = here < 0 ? -1 : 1;
	}
	for (size_t i = 0; i < shift->n && rc == 1; i++) {
		struct mover *mover = &shift->movers[i];

		if (!away[i])
			continue;
		/* A booking that would be one move too many counts as one without a place: the
		 * next try goes around it. */
		rc = shift->moved++ < shift->most ? find_place(shift, plan, mover, 0, err) : 0;
		mover->first = !rc;
		if (rc == 1 && mover->is->start > mover->was->start)
			shift->delays += delay_of(mover);
	}
	free(away);
	return rc;
}

/* Place the newcomer among those that are first, then all others. RET 1 with
 * `trial`; 0: it has no place; 2: another try may find one; -1 with err. */
static int place_all(struct shift *shift, struct rspb_booking *trial, struct rspb_err *err)
{
	struct rspb_plan plan;
	bool all = true;
	int rc = 0;

	if (shift->policy->breathe)
		shift->policy->breathe();
	if (begin_try(shift, shift->empty, &plan, err))
		return -1;
	/* A booking that lies under a later block, such as a failed node, cannot be put back; other
	 * code has to help it. */
	for (size_t i = 0; i < shift->n && all; i++)
		if (shift->movers[i].first)
			all = put_in(shift->work, shift->movers[i].was);
	if (all)
		rc = place_newcomer(shift, trial, err);
	if (rc == 1) {
		/* The booking that failed is `first` now, so that the next try is another one. */
		rc = settle(shift, &plan, trial->request, err);
		rc = rc ? rc : 2;
	}
	rspb_plan_fini(&plan);
	return rc;
}

/* Enter the moves into the caller's ledger as one record, because bookings may take each other's
 * places. RET 0, or -1 with err. */
static int enter_moves(const struct shift *shift, struct rspb_ledger *ledger, struct rspb_err *err)
{
	const struct rspb_booking **list = calloc(shift->n + 1, sizeof(*list));
	struct rspb_record move = { .kind = RSPB_REC_MOVE,
				    .time = rspb_ledger_now(ledger),
				    .bookings = list };
	int rc = 0;

	if (!list)
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < shift->n; i++)
		if (shift->movers[i].is)
			list[move.n_bookings++] = shift->movers[i].is;
	if (move.n_bookings)
		rc = rspb_ledger_apply(ledger, &move, err);
	free(list);
	return rc;
}

/* Let the caller's ledger have the bookings of the last try. RET 0, or -1 with err; if the
 * newcomer's record failed, the moves are in the ledger. */
static int make_so(struct shift *shift, struct rspb_ledger *ledger, struct rspb_err *err)
{
	const struct rspb_record book = { .kind = RSPB_REC_BOOK,
					  .time = rspb_ledger_now(ledger),
					  .booking = shift->trial };
	bool same = true;
	int rc;

	/* Bookings that were placed where they were have not changed. */
	for (size_t i = 0; i < shift->n && same; i++)
		if (!shift->movers[i].is)
			same = !rspb_ledger_resume(shift->work, ledger,
						   shift->movers[i].was->request->id);
	if (same) {
		rspb_ledger_adopt(ledger, shift->work);
		return 0;
	}
	/* The try has given one the time to clean up that it did not have. */
	rc = enter_moves(shift, ledger, err);
	return !rc && shift->trial ? rspb_ledger_apply(ledger, &book, err) : rc;
}

/* Take those that may move out of a copy of the ledger. RET 0, or -1 with err. */
static int take_all_out(const struct shift *shift, struct rspb_ledger *copy, struct rspb_err *err)
{
	for (size_t i = 0; i < shift->n; i++)
		if (take_out(copy, shift->movers[i].was, err))
			return -1;
	return 0;
}

static void fini(struct shift *shift)
{
	forget(shift);
	free(shift->movers);
	rspb_outline_fini(&shift->outline);
	rspb_ledger_destroy(shift->empty);
	rspb_booking_destroy(shift->trial);
}

/* Whether a newcomer is too large for others to move. A few nodes never are: on a small machine
 * the part that the policy allows may be less than that. */
static bool takes_much(const struct rspb_request *request, const struct rspb_policy *policy,
		       const struct rspb_ledger *ledger)
{
	int64_t nodes = (int64_t) rspb_request_nodes(request);

	return nodes > FEW_NODES &&
	       nodes * 10000 > policy->shift_part * rspb_ledger_machine(ledger);
}

/* Set the policy for those that move. They could have stayed, so they leave no headroom. Slurm
 * is asked about the newcomer alone. The earliest start keeps delays short. */
static void set_own(struct shift *shift)
{
	shift->own = *shift->policy;
	shift->own.headroom = shift->own.long_headroom = 0;
	shift->own.crowd_prompt = false;
	shift->own.judge = NULL;
	shift->own.when = rspb_when_find("ff");
}

/* Whether a failed outline ends the search: no limit is shared, all may have the same nodes, and
 * the newcomer takes no fewer. Even then the free nodes may not be the same ones throughout. A
 * trial with all movers, which could place them anew, is left out to save its searches. */
static bool says_all(const struct shift *shift, const struct rspb_request *newcomer)
{
	const struct rspb_nodeset *set = eligible(newcomer);

	for (size_t i = 0; i < shift->n; i++) {
		const struct rspb_request *r = shift->movers[i].was->request;
		const struct rspb_nodeset *other = eligible(r);

		if (r->n_parts > 1 || count_together(newcomer, r) || !set != !other ||
		    (set && !rspb_nodeset_equal(set, other)))
			return false;
	}
	return newcomer->n_parts == 1 && !newcomer->parts[0].fixed && !newcomer->parts[0].leaves &&
	       newcomer->parts[0].nodes_min >= newcomer->parts[0].nodes && !newcomer->speed;
}

/* Outline places for the newcomer and those in its way, and carry that out. RET 1 with
 * shift->trial; 0; 2: a trial of all movers on nodes may find more; -1 with err. */
static int admit(struct shift *shift, const struct rspb_ledger *ledger,
		 const struct rspb_request *request, const struct rspb_outlined *newcomer,
		 struct rspb_err *err)
{
	const struct rspb_policy *policy = shift->policy;
	int rc = rspb_outline_admit(&shift->outline, newcomer, shift->most, policy->patience,
				    policy->repairs);

	if (rc == 1)
		shift->trial = rspb_booking_create(request);
	if (rc < 0 || (rc == 1 && !shift->trial))
		return rspb_fail(err, "out of memory");
	if (rc == 1)
		rc = carry_out(shift, ledger, shift->trial, err);
	if (rc)
		return rc;
	return says_all(shift, request) ? 0 : 2;
}

/* Try on nodes at once. RET 1 with shift->trial, 0, -1 with err. */
static int try_all(struct shift *shift, const struct rspb_ledger *ledger,
		   const struct rspb_request *request, struct rspb_err *err)
{
	int64_t repairs = shift->policy->repairs;
	int rc;

	shift->empty = rspb_ledger_clone(ledger);
	if (!shift->empty)
		return rspb_fail(err, "out of memory");
	if (take_all_out(shift, shift->empty, err))
		return -1;
	/* Each further try has one more booking that is `first`. */
	do {
		rspb_booking_destroy(shift->trial);
		shift->trial = rspb_booking_create(request);
		rc = shift->trial ? place_all(shift, shift->trial, err)
				  : rspb_fail(err, "out of memory");
	} while (rc == 2 && repairs-- > 0);
	return rc == 2 ? 0 : rc;
}

/* RET 1 with shift->trial, where those in its way have places, too; 0, -1 with err. */
static int make_room(struct shift *shift, const struct rspb_ledger *ledger,
		     const struct rspb_request *request, struct rspb_err *err)
{
	struct rspb_outlined newcomer;
	int rc;

	if (takes_much(request, shift->policy, ledger))
		return 0;
	set_own(shift);
	if (find_movers(shift, ledger, request))
		return rspb_fail(err, "out of memory");
	if (!shift->n)
		return 0;
	rc = outline_request(shift, request, shift->now, &newcomer);
	if (rc == 1)
		rc = outline(shift, ledger, eligible(request), &newcomer, err);
	rc = rc == 1 ? admit(shift, ledger, request, &newcomer, err) : rc ? rc : 2;
	if (rc == 2)
		rc = try_all(shift, ledger, request, err);
	/* The outline has estimated the delays; the starts on nodes may be later. */
	return rc == 1 && shift->delays > shift->policy->patience ? 0 : rc;
}

int rspb_shift_newcomer(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			struct rspb_booking *booking, int64_t now, size_t *moves,
			struct rspb_err *err)
{
	struct shift shift = { .policy = policy, .now = now, .most = *moves };
	int rc = make_room(&shift, ledger, booking->request, err);

	if (rc == 1 && make_so(&shift, ledger, err))
		rc = -1;
	if (rc == 1) {
		rspb_booking_swap(booking, shift.trial);
		*moves -= shift.moved;
	}
	fini(&shift);
	return rc;
}

/* RET the last start of this batch's bookings that have to wait; -1: none has to. */
static int64_t last_fresh(const struct shift *shift, const struct rspb_ledger *ledger)
{
	int64_t last = -1;

	for (size_t i = 0; i < shift->n_fresh; i++) {
		const struct rspb_booking *b = shift->fresh[i];

		if (!b || b->state != RSPB_BOOKED)
			continue;
		/* A later decision of the batch may have moved it, so the ledger knows better. */
		b = rspb_ledger_find(ledger, b->request->id);
		if (b && b->start > b->request->ready && b->start > last)
			last = b->start;
	}
	return last;
}

/* Find the bookings that may move, as many as may. The search goes backwards from the last
 * booking of this batch that has to wait, so that it finds those just before that one. RET 0,
 * -1: out of memory. */
static int find_last(struct shift *shift, const struct rspb_ledger *ledger)
{
	int64_t last = last_fresh(shift, ledger);

	/* Usually nobody has to wait, and the ledger need not be walked. */
	if (last < 0)
		return 0;
	for (size_t i = rspb_ledger_count(ledger); i && shift->n < shift->most; i--) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i - 1);

		if (b->start <= last && may_move(shift, b) && add_mover(shift, ledger, i - 1))
			return -1;
	}
	if (shift->n)
		qsort(shift->movers, shift->n, sizeof(*shift->movers), by_last);
	return 0;
}

/* Carry out an outline with fewer delays. RET as carry_out(). */
static int advance(struct shift *shift, const struct rspb_ledger *ledger, struct rspb_err *err)
{
	int64_t delays;
	int rc = rspb_outline_advance(&shift->outline, shift->policy->repairs, &delays);

	if (rc <= 0)
		return rc ? rspb_fail(err, "out of memory") : 0;
	return carry_out(shift, ledger, NULL, err);
}

/* Place all of them anew on nodes at once. RET 1, 0, -1 with err. */
static int try_forward(struct shift *shift, const struct rspb_ledger *ledger, struct rspb_err *err)
{
	struct rspb_plan plan;
	int rc;

	if (begin_try(shift, ledger, &plan, err))
		return -1;
	rc = take_all_out(shift, shift->work, err) ? -1 : 1;
	for (size_t i = 0; i < shift->n && rc == 1; i++)
		rc = move(shift, &plan, &shift->movers[i], true, 0, err);
	rspb_plan_fini(&plan);
	return rc;
}

int rspb_shift_forward(struct rspb_ledger *ledger, const struct rspb_policy *policy,
		       struct rspb_booking *const *fresh, size_t n_fresh, int64_t now,
		       size_t *moves, struct rspb_err *err)
{
	struct shift shift = {
		.policy = policy, .now = now, .most = *moves, .fresh = fresh, .n_fresh = n_fresh
	};
	int rc = 0;

	set_own(&shift);
	if (find_last(&shift, ledger))
		rc = rspb_fail(err, "out of memory");
	if (!rc && shift.n) {
		rc = outline(&shift, ledger, NULL, NULL, err);
		if (rc == 1)
			rc = advance(&shift, ledger, err);
		else if (!rc)
			rc = try_forward(&shift, ledger, err);
	}
	/* Owners are not told of other starts if the delays do not get less in all. */
	rc = rc == 1 && shift.delays >= 0 ? 0 : rc;
	if (rc == 1 && make_so(&shift, ledger, err))
		rc = -1;
	if (rc == 1)
		*moves -= shift.moved;
	fini(&shift);
	return rc;
}

int rspb_shift_aside(struct rspb_ledger *ledger, const struct rspb_policy *policy,
		     const struct rspb_request *request, int64_t now, struct rspb_err *err)
{
	struct shift shift = {
		.policy = policy, .now = now, .most = (size_t) policy->shift, .punctual = true
	};
	int rc = make_room(&shift, ledger, request, err);

	/* If the request has a place without any move, the job waits for something else. */
	rc = rc == 1 ? shift.moved > 0 : rc;
	if (rc == 1 && enter_moves(&shift, ledger, err))
		rc = -1;
	fini(&shift);
	return rc;
}
