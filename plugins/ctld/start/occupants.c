/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the jobs that are still on the nodes of bookings that start soon, and ends those that have
 * to leave. It starts nothing. Only the agent's thread runs this file. */
#include "plugins/ctld/start/launch.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "common/wire/flags.h"
#include "plugins/compat/colocate.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/compat/preempt/preempt.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/observe/following.h"

bool rspb_occupants_due(const struct rspb_booking *b, int64_t now_ms, int64_t ahead_ms)
{
	return b->state == RSPB_BOOKED && b->start * 1000 <= now_ms + ahead_ms &&
	       b->end * 1000 > now_ms;
}

bool rspb_occupants_meet(const struct rspb_booking *b, const struct rspb_nodeset *nodes)
{
	uint32_t i;

	for (i = 0; i < b->n_grants; i++)
		if (!rspb_nodeset_disjoint(b->grants[i].nodes, nodes))
			return true;
	return false;
}

/* RET when Slurm ends what runs in an operator's or a group's reservation that is booked,
 * INT64_MAX: the reservation is no such booking. */
static int64_t window_end(uint32_t reservation)
{
	struct rspb_resv resv;

	return rspb_resv_find_id(reservation, 0, &resv) && !rspb_resv_ours(resv.name) &&
			       rspb_tag_answered(resv.tag)
		       ? resv.end
		       : INT64_MAX;
}

/* Add a job that is on nodes of bookings that are due. RET 0, or 1: out of memory, which ends the
 * list early. */
static int add_occupant(const struct rspb_job *job, void *arg)
{
	struct rspb_occupants *on = arg;
	const struct rspb_booking *own;
	int64_t end = job->end, until;
	struct rspb_occupant *new;
	bool in_window;

	if (job->phase != RSPB_JOB_RUNNING && !job->completing)
		return 0;
	rspb_nodeset_clear(on->scratch);
	rspb_job_nodes(job, RSPB_JOB_HOLDS, on->scratch);
	if (rspb_nodeset_disjoint(on->scratch, on->wanted))
		return 0;
	if (rspb_array_grow(&on->items, &on->room, on->n + 1, sizeof(*on->items)))
		return 1;
	own = rspb_reserved_find(job->reservation_id);
	/* Slurm's scheduler may start a job in a reservation before we begin that within the same
	 * second. The job is where it belongs. */
	if (own && own->state == RSPB_BOOKED && own->start <= on->now)
		return 0;
	in_window = own;
	if (!own)
		own = rspb_ledger_find(rspb_book_ledger(), job->leader);
	/* A booked job in its own reservation ends by its own time limit. */
	until = own && own->request->id == job->leader ? end : window_end(job->reservation_id);
	end = until < end ? until : end;
	new = &on->items[on->n];
	*new = (struct rspb_occupant){
		.id = job->id,
		.end = end,
		.completing = job->completing,
		.suspended = job->suspended && !job->suspended_held,
		.beside = job->suspended_held,
		.in_window = in_window,
		.regular = !own,
		.booked = own && own->state == RSPB_ACTIVE && own->end > on->now,
		.nodes = rspb_nodeset_clone(on->scratch),
	};
	on->n += new->nodes != NULL;
	return 0;
}

/* A preempted job goes on when the last other job on its nodes has ended, and then needs the time
 * that it has left. */
static void queue_up(const struct rspb_occupants *on, struct rspb_occupant *s)
{
	int64_t left = s->end - on->now;

	for (size_t i = 0; i < on->n; i++) {
		const struct rspb_occupant *other = &on->items[i];

		if (!other->suspended && !other->beside && other->end + left > s->end &&
		    !rspb_nodeset_disjoint(other->nodes, s->nodes))
			s->end = other->end + left;
	}
}

void rspb_occupants_look(struct rspb_occupants *on)
{
	/* Thousands of jobs may have nodes, and most starts find their own nodes empty, which
	 * Slurm's counts per node show at once. */
	if (rspb_nodes_are(RSPB_NODES_EMPTY, on->wanted))
		return;
	rspb_placed_each(add_occupant, on);
	for (size_t i = 0; i < on->n; i++)
		if (on->items[i].suspended)
			queue_up(on, &on->items[i]);
}

void rspb_occupants_fini(struct rspb_occupants *on)
{
	size_t i;

	for (i = 0; i < on->n; i++)
		rspb_nodeset_destroy(on->items[i].nodes);
	free(on->items);
	rspb_nodeset_destroy(on->wanted);
	rspb_nodeset_destroy(on->scratch);
}

bool rspb_occupants_init(struct rspb_occupants *on, int64_t now_ms, int64_t ahead_ms)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	uint32_t width = rspb_ledger_nodes(ledger);
	size_t i;

	*on = (struct rspb_occupants){
		.now = now_ms / 1000,
		.over_time = rspb_slurm_conf().over_time,
		.wanted = rspb_nodeset_create(width),
		.scratch = rspb_nodeset_create(width),
	};
	for (i = 0; on->wanted && i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start * 1000 > now_ms + ahead_ms)
			break;
		if (rspb_occupants_due(b, now_ms, ahead_ms))
			rspb_booking_cover(b, on->wanted);
	}
	if (!on->scratch || !on->wanted || rspb_nodeset_empty(on->wanted)) {
		rspb_occupants_fini(on);
		return false;
	}
	return true;
}

/* Whether Slurm has refused to start the booking on healthy nodes. Jobs that are suspended there
 * are in its way then. */
static bool refused(const struct rspb_booking *b)
{
	const struct rspb_attempt *attempt = rspb_attempt_find(b->request->id);

	return attempt && attempt->refused;
}

/* Whether Slurm would stop the job for that of the booking, and how. A reservation has no job and
 * stops none. */
static bool preempts(const struct rspb_booking *b, const struct rspb_occupant *s,
		     struct rspb_way *way)
{
	struct rspb_job by, victim;

	return rspb_slurm_conf().preempts && rspb_job_find((uint32_t) b->request->id, &by) &&
	       rspb_job_find(s->id, &victim) && rspb_preempt_way(&by, &victim, way);
}

/* Whether Slurm suspends the job by itself when the booking starts, so that nobody has to end
 * it. */
static bool stops(const struct rspb_booking *b, const struct rspb_occupant *s)
{
	struct rspb_way way;

	return preempts(b, s, &way) && way.suspends;
}

/* Whether it is a regular job that may stay beyond the start of the booking: its limit was
 * raised, an operator has let it onto the nodes, or it is or was suspended, which moves its end.
 * Only Slurm's own preemption stops such a job for a booking. */
static bool may_stay(const struct rspb_occupants *on, const struct rspb_occupant *s,
		     const struct rspb_booking *b)
{
	int64_t start = b->start > on->now ? b->start : on->now;
	struct rspb_way way;

	return s->regular && (s->suspended || s->beside || s->end > start) &&
	       !rspb_makes_way(s->id, b->request->id) &&
	       !(preempts(b, s, &way) && way.from <= start);
}

/* RET the second in which a job is to be ended though no booking begins yet. Jobs of a booked
 * reservation end with it; all others have OverTimeLimit in addition. */
static int64_t over_at(const struct rspb_occupants *on, const struct rspb_occupant *s)
{
	return s->in_window ? s->end : s->end + on->over_time;
}

int64_t rspb_occupants_next(const struct rspb_occupants *on)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < on->n; i++) {
		int64_t at = over_at(on, &on->items[i]);

		if (!on->items[i].completing && at > on->now && at < next)
			next = at;
	}
	return next;
}

/* End a job, or put it back into the queue if its time is not over. It counts as completing even if
 * Slurm refuses, so that one look ends no job twice; the next look reads Slurm's record again. */
static void end_one(const struct rspb_occupants *on, struct rspb_occupant *s,
		    const struct rspb_booking *b)
{
	enum rspb_job_end how = RSPB_JOB_EVICT;
	bool over = s->end <= on->now;
	struct rspb_err err, why;

	rspb_fail(&why,
		  "rspb: stopped because booking %" PRIu64 " begins on its nodes; it is requeued "
		  "if its options allow it",
		  b->request->id);

	rspb_log_info("job %u is in the way of booking %" PRIu64 ": %s", s->id, b->request->id,
		      over ? "its time is over, and it is ended" : "it is requeued or ended");
	/* The end of a job that Slurm preempts is that of its GraceTime. It goes back into the
	 * queue then if its PreemptMode says so. */
	if (over && !s->in_window && rspb_preempt_end(s->id)) {
		s->completing = true;
		return;
	}
	/* A job in a window ends with it, as documented. */
	if (over)
		how = s->in_window ? RSPB_JOB_TIME_OUT_NOW : RSPB_JOB_TIME_OUT;
	if (rspb_job_end(s->id, how, why.text, &err))
		rspb_log_error("%s", err.text);
	s->completing = true;
}

/* Whether a booking with cores of its own may start beside this job: the job is booked or
 * completing, or its time is not over. If Slurm does not start the booking there, it waits. */
static bool beside(const struct rspb_occupants *on, const struct rspb_occupant *s,
		   const struct rspb_booking *b)
{
	return rspb_request_has_cores(b->request) &&
	       (s->booked || s->completing || over_at(on, s) > on->now);
}

/* Whether a running job may stay, because it leaves the cores of the booking's reservations
 * alone. */
static bool spares(const struct rspb_booking *b, uint32_t id)
{
	char name[RSPB_RESV_NAME];
	struct rspb_job job;

	if (!rspb_job_find(id, &job))
		return false;
	for (uint32_t i = 0; i < b->n_grants; i++) {
		rspb_resv_name(b->request->id, i, b->request->n_parts, name, sizeof(name));
		if (!b->grants[i].share || !rspb_colocate_spares(name, &job))
			return false;
	}
	return true;
}

bool rspb_occupants_clear(struct rspb_occupants *on, const struct rspb_booking *b, bool started)
{
	/* Other jobs may run beside shares. */
	bool shares = rspb_request_has_shares(b->request) && !rspb_request_has_cores(b->request);
	bool found = false;
	size_t i;

	on->stays = NULL;
	for (i = 0; i < on->n; i++) {
		struct rspb_occupant *s = &on->items[i];

		/* Jobs that are not in the way: they are elsewhere, beside a part or a share, or
		 * suspended now or at the start. Once Slurm has refused to start the booking,
		 * suspended jobs count as in its way. */
		if (!rspb_occupants_meet(b, s->nodes) || beside(on, s, b) ||
		    (shares && s->booked) ||
		    (shares && !s->completing && over_at(on, s) > on->now && spares(b, s->id)) ||
		    (s->beside && !s->completing && !refused(b)) ||
		    (!s->completing && !refused(b) && stops(b, s)))
			continue;
		found = true;
		/* The first is being ended already, and an active booking keeps its nodes until its
		 * end. */
		if (s->completing || s->booked)
			continue;
		if (may_stay(on, s, b)) {
			if (!on->stays || s->end > on->stays->end)
				on->stays = s;
			continue;
		}
		/* Before the start only jobs that are over are ended. Those that make_way.c handles
		 * have until the start. */
		if ((started || over_at(on, s) <= on->now) &&
		    (started || !rspb_makes_way(s->id, b->request->id)))
			end_one(on, s, b);
	}
	return found;
}
