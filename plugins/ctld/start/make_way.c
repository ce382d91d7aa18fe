/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells jobs that make way for bookings in time. decide/preempt.c plans which jobs these are. Only
 * the agent's thread runs this file. Nothing is saved: after a restart the published basis shows
 * the same jobs again. */
#include "plugins/ctld/start/launch.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/preempt/preempt.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/decide/batch.h"
#include "plugins/ctld/start/state.h"

enum {
	AGAIN_S = 1,
	PARTS_S = 86400 /* parts that begin within that are looked at */
};

/* An entry is known by the job and the booking together: a job may make way for several
 * bookings. */
static struct rspb_victim *find_one(uint32_t victim, uint64_t booking)
{
	for (size_t i = 0; i < rspb_ways->n; i++)
		if (rspb_ways->items[i].booking == booking && rspb_ways->items[i].victim == victim)
			return &rspb_ways->items[i];
	return NULL;
}

bool rspb_makes_way(uint32_t victim, uint64_t booking)
{
	return find_one(victim, booking);
}

/* Remember a job that makes way for a booking. If the booking has another start now, its entry
 * begins again. Without memory the job is left out, and is added with the next basis. */
static void add(uint64_t booking, uint32_t victim, int64_t start)
{
	struct rspb_victim *old = find_one(victim, booking);

	if (old && old->start != start)
		*old = (struct rspb_victim){ .booking = booking, .victim = victim, .start = start };
	if (old)
		return;
	if (rspb_array_grow(&rspb_ways->items, &rspb_ways->room, rspb_ways->n + 1,
			    sizeof(*rspb_ways->items)))
		return;
	rspb_ways->items[rspb_ways->n++] = (struct rspb_victim){ .booking = booking,
								 .victim = victim,
								 .start = start };
}

/* RET the index of the first booking that starts at that second or later, found by bisection. */
static size_t first_from(const struct rspb_ledger *ledger, int64_t second)
{
	size_t low = 0, high = rspb_ledger_count(ledger);

	while (low < high) {
		size_t half = low + (high - low) / 2;

		if (rspb_ledger_at(ledger, half)->start < second)
			low = half + 1;
		else
			high = half;
	}
	return low;
}

/* Whether a booking has any of these nodes. parts: its parts of nodes count, too; else only its
 * whole nodes do. */
static bool lies_on(const struct rspb_booking *b, const struct rspb_nodeset *nodes, bool parts)
{
	for (uint32_t i = 0; i < b->n_grants; i++)
		if ((parts || !b->grants[i].share) &&
		    !rspb_nodeset_disjoint(b->grants[i].nodes, nodes))
			return true;
	return false;
}

/* Add the jobs whose nodes a booking takes: in a basis they end when it begins. step() drops jobs
 * that end then by themselves. Jobs beside which parts could be booked (OverSubscribe=NO) are among
 * them. */
static void find_victims(const struct rspb_ledger *basis)
{
	int64_t start, end;
	bool beside;

	for (size_t i = 0; i < rspb_ledger_blocks(basis); i++) {
		uint32_t victim = rspb_ledger_block_owner(basis, i);
		const struct rspb_nodeset *nodes = rspb_ledger_block_at(basis, i, &start, &end,
									&beside);

		if (!victim)
			continue;
		/* A basis ends the block of such a job just when the booking on its nodes
		 * begins. */
		for (size_t k = first_from(basis, end); k < rspb_ledger_count(basis); k++) {
			const struct rspb_booking *b = rspb_ledger_at(basis, k);

			if (b->start != end)
				break;
			if (b->state == RSPB_BOOKED && lies_on(b, nodes, false))
				add(b->request->id, victim, end);
		}
	}
}

/* --- for parts --------------------------------------------------------------- */

/* The uses of nodes by jobs, by node. */
struct uses {
	size_t n;
	const struct rspb_hold **items; /* owned */
};

static int by_node(const void *a, const void *b)
{
	const struct rspb_hold *x = *(const struct rspb_hold *const *) a;
	const struct rspb_hold *y = *(const struct rspb_hold *const *) b;

	if (x->on != y->on)
		return x->on > y->on ? 1 : -1;
	return (x > y) - (x < y);
}

/* Sort the uses of a basis by node, so that those of one node are found by bisection. The basis
 * must outlive them. RET false: out of memory. */
static bool uses_init(struct uses *uses, const struct rspb_ledger *basis)
{
	const struct rspb_hold *all = rspb_ledger_uses(basis, &uses->n);

	uses->items = malloc((uses->n + 1) * sizeof(struct rspb_hold *));
	for (size_t i = 0; uses->items && i < uses->n; i++)
		uses->items[i] = &all[i];
	if (uses->items && uses->n)
		qsort(uses->items, uses->n, sizeof(struct rspb_hold *), by_node);
	return uses->items;
}

/* RET the uses of one node, a slice of all that is not to be freed. Uses have the number of their
 * node plus 1. */
static struct uses uses_of(const struct uses *all, uint32_t node)
{
	size_t low = 0, high = all->n, n = 0;

	while (low < high) {
		size_t half = low + (high - low) / 2;

		if (all->items[half]->on < node + 1)
			low = half + 1;
		else
			high = half;
	}
	while (low + n < all->n && all->items[low + n]->on == node + 1)
		n++;
	return (struct uses){ n, all->items + low };
}

/* Whether a job is to leave for that booking, as far as this look has come. */
static bool goes(uint32_t victim, uint64_t booking)
{
	const struct rspb_victim *one = find_one(victim, booking);

	return one && !one->unwanted;
}

/* RET how much more of one kind is taken on a node when a part begins than there is, without the
 * jobs that go. The book has what bookings take there; the uses of regular jobs are added. */
static int64_t excess(const struct uses *on, const struct rspb_booking *b, uint32_t node,
		      uint64_t key)
{
	int64_t sum = rspb_ledger_excess(rspb_book_ledger(), key, node, b->start);

	for (size_t i = 0; i < on->n; i++)
		if (on->items[i]->key == key && on->items[i]->end > b->start &&
		    !(on->items[i]->owner && goes(on->items[i]->owner, b->request->id)))
			sum += on->items[i]->amount;
	return sum;
}

/* Whether a job makes way for that booking, and has had its time by then. */
static bool may_go(const struct rspb_booking *b, uint32_t victim)
{
	struct rspb_job by, job;
	struct rspb_way way;

	return rspb_job_find((uint32_t) b->request->id, &by) && rspb_job_find(victim, &job) &&
	       rspb_preempt_way(&by, &job, &way) && way.from <= b->start;
}

/* Have a job leave for that booking, or confirm it where an earlier look has chosen it. */
static void want(const struct rspb_booking *b, uint32_t victim)
{
	struct rspb_victim *one;

	add(b->request->id, victim, b->start);
	one = find_one(victim, b->request->id);
	if (one)
		one->unwanted = false;
}

/* Choose jobs on one node until the part has room there. Jobs that an earlier look has chosen come
 * first, since they may have been told already. */
static void pick_on(const struct uses *all, const struct rspb_booking *b, uint32_t node)
{
	const struct uses on = uses_of(all, node);
	uint64_t id = b->request->id;

	for (int known = 1; known >= 0; known--)
		for (size_t i = 0; i < on.n; i++) {
			const struct rspb_hold *use = on.items[i];

			if (use->owner && use->end > b->start && !goes(use->owner, id) &&
			    (!known || find_one(use->owner, id)) &&
			    excess(&on, b, node, use->key) > 0 && may_go(b, use->owner))
				want(b, use->owner);
		}
}

/* Add the jobs that have nodes of a part to themselves, so that no part can be beside them. */
static void pick_whole(const struct rspb_ledger *basis, const struct rspb_booking *b)
{
	int64_t start, end;
	bool beside;

	for (size_t i = 0; i < rspb_ledger_blocks(basis); i++) {
		uint32_t victim = rspb_ledger_block_owner(basis, i);
		const struct rspb_nodeset *nodes = rspb_ledger_block_at(basis, i, &start, &end,
									&beside);

		if (victim && !beside && start <= b->start && end > b->start &&
		    lies_on(b, nodes, true) && may_go(b, victim))
			want(b, victim);
	}
}

/* Whether the book still has this booking of the basis at the same start. Only parts of nodes that
 * have not begun count here. */
static bool is_part(const struct rspb_booking *b, int64_t now)
{
	const struct rspb_booking *is = rspb_ledger_find(rspb_book_ledger(), b->request->id);

	return is && is->state == RSPB_BOOKED && is->start == b->start && b->start > now &&
	       rspb_request_has_cores(b->request);
}

/* Choose the jobs that leave for one booking anew, under the read lock. The step() of a job that is
 * not chosen again drops it, unless it was told: that cannot be taken back. */
static void pick(const struct rspb_ledger *basis, const struct uses *uses,
		 const struct rspb_booking *b)
{
	for (size_t i = 0; i < rspb_ways->n; i++)
		if (rspb_ways->items[i].booking == b->request->id)
			rspb_ways->items[i].unwanted = true;
	pick_whole(basis, b);
	for (uint32_t g = 0; g < b->n_grants; g++) {
		if (!b->grants[g].share)
			continue;
		RSPB_NODESET_EACH (n, b->grants[g].nodes)
			pick_on(uses, b, n);
	}
}

/* Add, for each booked part that begins soon, as many of the jobs on its nodes as leave
 * it too little. */
static void find_for_parts(const struct rspb_ledger *basis, int64_t now)
{
	struct rspb_section section;
	struct uses uses;

	if (!uses_init(&uses, basis))
		return;
	for (size_t k = first_from(basis, now + 1); k < rspb_ledger_count(basis); k++) {
		const struct rspb_booking *b = rspb_ledger_at(basis, k);

		if (b->start > now + PARTS_S)
			break;
		if (!is_part(b, now))
			continue;
		/* Slurm is asked about each candidate, so each booking has a section of its own. */
		if (!rspb_section_enter(&section, RSPB_LOCK_READ, "make way"))
			break;
		pick(basis, &uses, b);
		rspb_section_leave(&section);
	}
	free(uses.items);
}

/* Look which jobs have to leave, if a newer basis has been published. A look covers only parts that
 * begin within PARTS_S, so it is repeated after half of that. */
static void look_at_job(int64_t now)
{
	uint64_t is = rspb_published_count();
	struct rspb_ledger *basis;
	int64_t at;

	if ((is == rspb_ways->seen && now < rspb_ways->again) || !rspb_slurm_conf().preempts)
		return;
	rspb_ways->again = now + PARTS_S / 2;
	basis = rspb_published_get(&at, NULL);
	if (!basis)
		return;
	find_victims(basis);
	find_for_parts(basis, now);
	rspb_ways->seen = is;
	rspb_ledger_destroy(basis);
}

/* RET whether the booking still starts then, on nodes of its victim, which runs. Without memory for
 * the nodes the plan counts as still true. */
static bool stands(const struct rspb_victim *one, struct rspb_job *victim)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	const struct rspb_booking *b = rspb_ledger_find(ledger, one->booking), *own;
	struct rspb_nodeset *nodes;
	bool lies;

	if (!b || b->state != RSPB_BOOKED || b->start != one->start ||
	    !rspb_job_find(one->victim, victim) || victim->phase != RSPB_JOB_RUNNING ||
	    victim->completing)
		return false;
	/* A job whose own booking has begun makes way for nobody. */
	own = rspb_ledger_find(ledger, victim->leader);
	if (own && own->state == RSPB_ACTIVE)
		return false;
	nodes = rspb_nodeset_create(rspb_ledger_nodes(ledger));
	if (!nodes)
		return true;
	rspb_job_nodes(victim, RSPB_JOB_HOLDS, nodes);
	lies = lies_on(b, nodes, rspb_request_has_cores(b->request));
	rspb_nodeset_destroy(nodes);
	return lies;
}

/* Take the step that is due for one of them, with the write lock. RET false: nothing is left to
 * do. */
static bool step(struct rspb_victim *one, int64_t now)
{
	int64_t last = one->start - rspb_preempt_lead();
	struct rspb_job by, victim;
	struct rspb_way way;
	int64_t word;

	if (!stands(one, &victim) || !rspb_job_find((uint32_t) one->booking, &by) ||
	    !rspb_preempt_way(&by, &victim, &way) || way.suspends)
		return false;
	/* A job that will be over by then keeps its time. Slurm shortens the limit of a job that it
	 * has told, so that its end says nothing any more. */
	if (!way.told && (one->unwanted || rspb_occupancy_job_end(&victim, now) <= one->start))
		return false;
	/* GraceTime begins with the word, so it comes that much before the last moment, but not
	 * before PreemptExemptTime is over. */
	word = last - way.grace > way.from ? last - way.grace : way.from;
	if (now < word) {
		one->at = word;
		return true;
	}
	/* The first call tells the job, and a later one ends it once GraceTime is over. The call is
	 * therefore repeated every second until the start. */
	rspb_preempt(one->victim, (uint32_t) one->booking);
	if (!way.told)
		rspb_log_info("job %u makes way for booking %" PRIu64 ", which begins in %" PRId64
			      " s",
			      one->victim, one->booking, one->start - now);
	one->at = now < last ? last : now + AGAIN_S;
	return one->start > now;
}

/* RET when an entry or the next look is due, ms; INT64_MAX: there is none. */
static int64_t next_of(void)
{
	int64_t next = rspb_ways->again ? rspb_ways->again : INT64_MAX;

	for (size_t i = 0; i < rspb_ways->n; i++)
		if (rspb_ways->items[i].at < next)
			next = rspb_ways->items[i].at;
	return next == INT64_MAX ? next : next * 1000;
}

int64_t rspb_make_way(int64_t now_ms)
{
	struct rspb_section section;
	int64_t now = now_ms / 1000;
	size_t i = 0;

	look_at_job(now);
	while (i < rspb_ways->n && next_of() <= now_ms) {
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "make way"))
			break;
		/* An entry that is done gives its place to the last one, which is handled next. */
		while (i < rspb_ways->n && !rspb_section_spent(&section)) {
			section.items++;
			if (rspb_ways->items[i].at > now || step(&rspb_ways->items[i], now))
				i++;
			else
				rspb_ways->items[i] = rspb_ways->items[--rspb_ways->n];
		}
		rspb_section_leave(&section);
	}
	return next_of();
}
