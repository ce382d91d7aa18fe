/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shares: each piece takes one machine, or as many different ones as it asks
 * nodes, the same share on each. Pieces of one request may meet on a machine.
 * All pieces have the same window, so the free share of a machine is one
 * number that every piece placed there lowers.
 */
#include <stdlib.h>

#include "common/plan/plan.h"
#include "common/policy/policy.h"

/* --- bounds by the other resources that all shares on one node need together (memory,
 * generic resources), and by how many leaves their nodes may be on --- */

/* A kind of resource that is counted on each node. */
struct crowd {
	const struct rspb_plan *plan;
	const uint32_t *room;
	int64_t *most; /* taken of each node within the window */
};

/* Add or subtract (by sign) what a part with these nodes takes. */
static void add_part(struct crowd *crowd, uint64_t key, int sign, const struct rspb_part *part,
		     const struct rspb_nodeset *nodes)
{
	for (uint32_t q = 0; q < part->n_quotas; q++)
		if (part->quotas[q].key == key)
			RSPB_NODESET_EACH (n, nodes)
				crowd->most[n] += sign * rspb_ledger_takes(crowd->plan->ledger,
									   part, &part->quotas[q],
									   crowd->room, n);
}

/* Without what it has itself, which it may grow from, and with the plan's other
 * pieces. */
static void add_own(struct crowd *crowd, uint64_t key, const struct rspb_piece *piece)
{
	const struct rspb_plan *plan = crowd->plan;
	const struct rspb_booking *own = rspb_ledger_find(plan->ledger, plan->request->id);

	/* A booking that is planned anew is still in the ledger, and its amounts must not count
	 * twice. */
	for (uint32_t i = 0; own && !rspb_state_final(own->state) && own->start <= plan->start &&
			     own->end >= plan->end && i < own->n_grants;
	     i++)
		if (own->grants[i].share)
			add_part(crowd, key, -1, &own->request->parts[i], own->grants[i].nodes);
	for (uint32_t i = 0; i < plan->n; i++) {
		const struct rspb_piece *other = &plan->pieces[i];

		if (other != piece && other->part->share && other->units)
			add_part(crowd, key, 1, other->part, other->nodes);
	}
}

/* Add the nodes that a piece may have and that are too full for it. RET whether there were any. */
static bool mark_full(const struct crowd *crowd, const struct rspb_quota *quota,
		      const struct rspb_piece *piece, struct rspb_nodeset *out)
{
	const struct rspb_nodeset *fixed = piece->part->fixed;
	bool any = false;

	for (uint32_t n = 0; n < crowd->plan->width; n++) {
		if (crowd->most[n] + rspb_ledger_takes(crowd->plan->ledger, piece->part, quota,
						       crowd->room, n) <=
			    crowd->room[n] ||
		    !(rspb_nodeset_has(piece->may, n) || (fixed && rspb_nodeset_has(fixed, n))))
			continue;
		rspb_nodeset_add(out, n);
		any = true;
	}
	return any;
}

/*
 * Add to out the nodes on which there is not room for what a piece of the plan
 * takes there, beside bookings and the other pieces, over the plan's window.
 * RET 0, -1: out of memory. *quota: one that there is not enough of; unchanged
 * when there is of all.
 */
static int find_crowded(const struct rspb_plan *plan, const struct rspb_piece *piece,
			struct rspb_nodeset *out, const struct rspb_quota **quota)
{
	struct crowd crowd = { .plan = plan };
	int rc = 0;

	for (uint32_t q = 0; q < piece->part->n_quotas && !rc; q++) {
		const struct rspb_quota *one = &piece->part->quotas[q];

		/* Limits on users have no room on single nodes; they are checked later
		 * (rspb_plan_within()). */
		crowd.room = rspb_ledger_room(plan->ledger, one->key);
		if (!crowd.room)
			continue;
		if (!crowd.most)
			crowd.most = malloc((plan->width + 1) * sizeof(*crowd.most));
		rc = !crowd.most || rspb_ledger_taken(plan->ledger, one->key, plan->start,
						      plan->end, crowd.most, NULL)
			     ? -1
			     : 0;
		if (rc)
			continue;
		add_own(&crowd, one->key, piece);
		if (mark_full(&crowd, one, piece, out))
			*quota = one;
	}
	free(crowd.most);
	return rc;
}

/*
 * Leave of what a piece of shares may have, besides fixed nodes, those that have room for
 * its aim, or else its floor, on no more leaves than its part says. RET false: out of
 * memory, or they are not enough, which plan->spread says where more leaves would be.
 */
static bool keep_near(struct rspb_plan *plan, struct rspb_piece *piece)
{
	const struct rspb_part *part = piece->part;
	const uint32_t *leaves = rspb_plan_leaves(plan, part);
	const int64_t units[] = { piece->aim, piece->floor };
	struct rspb_nodeset *some = plan->scratch;
	uint32_t want = part->nodes;

	/* As many leaves as nodes are no limit. */
	if (!leaves || part->nodes <= part->leaves)
		return true;
	if (part->fixed) {
		if (rspb_leaves_count(leaves, part->fixed) > part->leaves) {
			plan->spread = true;
			return false;
		}
		want -= rspb_nodeset_count(part->fixed);
	}
	/* Nodes for all that it wants are looked for first, and then those for its least. */
	for (size_t i = 0; i < 2 && want; i++) {
		rspb_nodeset_copy(some, piece->may);
		RSPB_NODESET_EACH (n, some)
			if (plan->room[n] < rspb_part_on(part, units[i], n))
				rspb_nodeset_remove(some, n);
		if (rspb_nodeset_count(some) < want)
			continue;
		if (!rspb_leaves_limit(leaves, part->leaves, want, part->fixed, some))
			return false;
		if (rspb_nodeset_count(some) >= want) {
			rspb_nodeset_copy(piece->may, some);
			return true;
		}
		plan->spread = true;
	}
	return !want;
}

/* A machine that might be taken: the lowest rank first, then the lowest cost,
 * then the index. */
struct offer {
	int64_t rank, cost;
	uint32_t machine;
};

/* The index aside. */
static int compare_merit(const struct offer *a, const struct offer *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->cost < b->cost ? -1 : a->cost > b->cost;
}

static int compare(const void *left, const void *right)
{
	const struct offer *a = left, *b = right;
	int merit = compare_merit(a, b);

	if (merit)
		return merit;
	return a->machine < b->machine ? -1 : a->machine > b->machine;
}

static int64_t weight_of(const struct rspb_plan *plan, uint32_t machine)
{
	const uint32_t *weights = rspb_ledger_marks(plan->ledger).weights;

	return weights ? weights[machine] : 0;
}

/* Add the `want` cheapest of offers[n] to the piece. */
static void choose(struct rspb_piece *piece, struct offer *offers, uint32_t n, uint32_t want)
{
	struct offer *best = offers;

	/* A single machine needs no sorted list. */
	if (want == 1) {
		for (uint32_t i = 1; i < n; i++)
			if (compare(&offers[i], best) < 0)
				best = &offers[i];
		rspb_nodeset_add(piece->nodes, best->machine);
		return;
	}
	qsort(offers, n, sizeof(*offers), compare);
	for (uint32_t i = 0; i < want; i++)
		rspb_nodeset_add(piece->nodes, offers[i].machine);
}

/* RET the most that can be had of a machine at all. */
static int64_t most_room(const struct rspb_plan *plan, uint32_t machine)
{
	int64_t capacity = rspb_shares_capacity(rspb_ledger_shares(plan->ledger), machine);

	/* A machine that has lost cores has no room for others in what is booked of it. */
	if (plan->cores && plan->cores[machine] < capacity)
		capacity = plan->cores[machine];
	/* The share to be left free is rounded up, in two steps that cannot overflow. */
	return capacity - capacity / 10000 * plan->keep_share -
	       (capacity % 10000 * plan->keep_share + 9999) / 10000;
}

/* RET the cost of a machine with so much room. Bookings of cores go where others are, so that whole
 * machines stay free for requests that need them. Among those the number decides, because the
 * tightest fit in one window leaves less for others (doc/policies.md). */
static int64_t cost_on(const struct rspb_plan *plan, const struct rspb_piece *piece, uint32_t m)
{
	const struct rspb_where *where = plan->policy->where;

	if (piece->part->whole)
		return plan->room[m] == most_room(plan, m);
	return where->share_cost ? where->share_cost(plan->room[m], plan->load[m]) : 0;
}

/* Machines with room for all that the piece wants, at the policy's cost. */
static uint32_t offer_full(const struct rspb_plan *plan, const struct rspb_piece *piece,
			   int64_t aim, struct offer *offers)
{
	uint32_t n = 0;

	RSPB_NODESET_EACH (m, piece->may)
		if (plan->room[m] >= rspb_part_on(piece->part, aim, m))
			offers[n++] = (struct offer){ weight_of(plan, m), cost_on(plan, piece, m),
						      m };
	return n;
}

/*
 * Machines with room for less, by falling benefit. A benefit never falls with
 * the amount, so the cost is the least amount of equal benefit, negated:
 * machines of equal benefit cost the same. When one machine is wanted, only
 * those with more room than all before them can be better, or as good and of
 * less weight.
 */
static uint32_t offer_less(const struct rspb_plan *plan, const struct rspb_piece *piece,
			   uint32_t want, struct offer *offers)
{
	uint32_t part = (uint32_t) (piece - plan->pieces), n = 0;
	const struct rspb_benefit *benefit = rspb_request_benefit(plan->request, part);
	int64_t asked = rspb_part_asked(piece->part);
	bool weighed = rspb_ledger_marks(plan->ledger).weights != NULL;
	int64_t last = 0, last_cost = 0;

	RSPB_NODESET_EACH (m, piece->may) {
		int64_t units = plan->policy->degrade->take(plan->room[m], piece->floor,
							    piece->aim);

		/* Either less than is acceptable is free, or an earlier machine is no worse. */
		if (units <= 0 || (want == 1 && units < last + !weighed))
			continue;
		/* Machines with as much room have the same benefit, which is costly to find. */
		if (units != last) {
			last = units;
			last_cost = -rspb_benefit_trim(benefit, units, asked);
		}
		offers[n++] = (struct offer){ last_cost, weight_of(plan, m), m };
	}
	return n;
}

/* The least room on any machine that the piece has, beside what it takes more than the usual. */
static int64_t least_room(const struct rspb_plan *plan, const struct rspb_piece *piece)
{
	int64_t least = INT64_MAX;

	RSPB_NODESET_EACH (m, piece->nodes) {
		int64_t usual = piece->part->share;
		/* The room is turned into that for the usual amount, so that machines can be
		 * compared. */
		int64_t room = plan->room[m] + usual - rspb_part_on(piece->part, usual, m);

		if (room < least)
			least = room;
	}
	return least;
}

/* Loads only compare machines; one beyond 63 bits is as high as can be. */
static void add_load(int64_t *load, int64_t units, int64_t window)
{
	int64_t work;

	if (__builtin_mul_overflow(units, window, &work) ||
	    __builtin_add_overflow(*load, work, load))
		*load = units < 0 ? 0 : INT64_MAX;
}

static void book_room(struct rspb_plan *plan, const struct rspb_piece *piece, int64_t units)
{
	int64_t window = plan->policy->where->wants_load ? plan->end - plan->start : 0;

	RSPB_NODESET_EACH (m, piece->nodes) {
		/* rspb_part_on() takes an amount; the sign is put back afterwards. */
		int64_t usual = units < 0 ? -units : units;
		int64_t here = units ? rspb_part_on(piece->part, usual, m) : 0;

		here = units < 0 ? -here : here;
		plan->room[m] -= here;
		add_load(&plan->load[m], here, window);
	}
}

bool rspb_plan_leave_full(struct rspb_plan *plan, struct rspb_piece *piece)
{
	if (!piece->part->n_quotas)
		return true;
	rspb_nodeset_clear(plan->scratch);
	if (find_crowded(plan, piece, plan->scratch, &plan->lacks))
		return false;
	rspb_nodeset_minus(piece->may, plan->scratch);
	return !piece->part->fixed || rspb_nodeset_disjoint(piece->part->fixed, plan->scratch);
}

/* The machines a piece may take, besides those that are fixed. RET false: it
 * cannot have those, or has too few. */
static bool look_up(struct rspb_plan *plan, struct rspb_piece *piece)
{
	rspb_nodeset_copy(piece->may, plan->shareable);
	if (piece->part->eligible)
		rspb_nodeset_and(piece->may, piece->part->eligible);
	if (piece->part->fixed)
		rspb_nodeset_minus(piece->may, piece->part->fixed);
	/* A policy may keep the parts of one request on different machines. */
	for (uint32_t i = 0; plan->policy->distinct && i < plan->n; i++)
		rspb_nodeset_minus(piece->may, plan->pieces[i].nodes);
	return rspb_plan_leave_full(plan, piece) && keep_near(plan, piece);
}

/* RET how many of the free units a piece gets. */
static int64_t amount(const struct rspb_plan *plan, const struct rspb_piece *piece, int64_t room,
		      int64_t aim)
{
	int64_t units = plan->policy->degrade->take(room, piece->floor, aim);

	return units < aim ? rspb_plan_trimmed(plan, piece, units) : units;
}

/* Choose machines and amount: `aim` if that can be had, else what the policy
 * takes. RET 1, or 0 when there is nothing acceptable. */
static int place_piece(struct rspb_plan *plan, struct rspb_piece *piece, int64_t aim,
		       struct offer *offers)
{
	uint32_t want = piece->part->nodes, n;
	int64_t units;

	rspb_nodeset_clear(piece->nodes);
	if (!look_up(plan, piece))
		return 0;
	if (piece->part->fixed) {
		/* A named node that is booked whole, or blocked, leaves no choice. */
		if (!rspb_nodeset_within(piece->part->fixed, plan->shareable))
			return 0;
		rspb_nodeset_copy(piece->nodes, piece->part->fixed);
		want -= rspb_nodeset_count(piece->nodes);
	}
	if (want) {
		n = offer_full(plan, piece, aim, offers);
		if (n < want)
			/* Too few machines have all that it wants: those with less compete by
			 * benefit. */
			n = offer_less(plan, piece, want, offers);
		if (n < want)
			return 0;
		choose(piece, offers, n, want);
	}
	units = amount(plan, piece, least_room(plan, piece), aim);
	if (units <= 0)
		return 0;
	piece->units = units;
	book_room(plan, piece, units);
	return 1;
}

static void reset(struct rspb_plan *plan)
{
	for (uint32_t i = 0; i < plan->n; i++) {
		struct rspb_piece *piece = &plan->pieces[i];

		if (!piece->part->share)
			continue;
		book_room(plan, piece, -piece->units);
		piece->units = 0;
		rspb_nodeset_clear(piece->nodes);
	}
}

/* Place all pieces in sequence, each at its aim or at its floor. */
static int place_all(struct rspb_plan *plan, bool at_floor, struct offer *offers)
{
	for (uint32_t k = 0; k < plan->n; k++) {
		struct rspb_piece *piece = &plan->pieces[plan->sequence[k]];

		if (piece->part->share &&
		    !place_piece(plan, piece, at_floor ? piece->floor : piece->aim, offers))
			return 0;
	}
	return 1;
}

/* Let every piece grow into what is left where it is, in sequence. */
static void grow_all(struct rspb_plan *plan)
{
	for (uint32_t k = 0; k < plan->n; k++) {
		struct rspb_piece *piece = &plan->pieces[plan->sequence[k]];
		int64_t units;

		if (!piece->part->share || piece->units >= piece->aim)
			continue;
		units = amount(plan, piece, piece->units + least_room(plan, piece), piece->aim);
		book_room(plan, piece, units - piece->units);
		piece->units = units;
	}
}

/* Free share and load of all machines over the window, and where shares may
 * lie at all. RET room for an offer of each machine, or NULL with err. */
static struct offer *look_around(struct rspb_plan *plan, struct rspb_err *err)
{
	const struct rspb_shares *shares = rspb_ledger_shares(plan->ledger);
	int64_t start = plan->start, end = plan->end;
	struct offer *offers;

	/* The peak over the window counts, because a share is needed at every second of it. */
	if (rspb_shares_peaks(shares, start, end, plan->room, err) ||
	    (plan->policy->where->wants_load &&
	     rspb_shares_loads(shares, start, end, plan->load, err)) ||
	    rspb_ledger_shareable_over(plan->ledger, start, end, plan->shareable, err))
		return NULL;
	rspb_plan_keep_fast(plan, plan->shareable);
	for (uint32_t m = 0; m < plan->width; m++)
		plan->room[m] = most_room(plan, m) - plan->room[m];
	/* Whole nodes of the same request are placed already. */
	for (uint32_t i = 0; plan->has_whole && i < plan->n; i++)
		if (!plan->pieces[i].part->share)
			rspb_nodeset_minus(plan->shareable, plan->pieces[i].nodes);
	offers = malloc(plan->width * sizeof(*offers));
	if (!offers)
		rspb_fail(err, "out of memory");
	return offers;
}

int rspb_plan_place_shares(struct rspb_plan *plan, struct rspb_err *err)
{
	struct offer *offers = look_around(plan, err);
	int rc;

	if (!offers)
		return -1;
	rc = place_all(plan, false, offers);
	/* The first parts may have left too little for the last ones: begin again with the least
	 * of each. */
	if (!rc && plan->policy->degrade->share_out) {
		reset(plan);
		rc = place_all(plan, true, offers);
		if (rc)
			grow_all(plan);
	}
	free(offers);
	return rc;
}

/* RET the piece's own machine when none of offers[n] costs less than it. */
static uint32_t stay_or_go(const struct offer *offers, uint32_t n, uint32_t own)
{
	const struct offer *best = offers;

	for (uint32_t i = 1; i < n; i++) {
		int merit = compare_merit(&offers[i], best);

		if (merit < 0 || (!merit && offers[i].machine == own))
			best = &offers[i];
	}
	return best->machine;
}

/* Move a piece of one machine to where it gets most; staying is preferred. */
static void move_piece(struct rspb_plan *plan, struct rspb_piece *piece, struct offer *offers)
{
	uint32_t own = rspb_nodeset_next(piece->nodes, 0), n, machine;

	rspb_nodeset_clear(piece->nodes);
	look_up(plan, piece);
	n = offer_full(plan, piece, piece->aim, offers);
	if (!n)
		/* All of them: the own one may come late, and counts. */
		n = offer_less(plan, piece, 0, offers);
	machine = n ? stay_or_go(offers, n, own) : own;
	rspb_nodeset_add(piece->nodes, machine);
}

/* First round of figure 5.8 for one piece: its own share counts as free. */
static void refine_piece(struct rspb_plan *plan, struct rspb_piece *piece, bool move,
			 struct offer *offers)
{
	int64_t units = piece->units;

	book_room(plan, piece, -units);
	if (move && !piece->part->fixed && piece->part->nodes == 1)
		move_piece(plan, piece, offers);
	units = amount(plan, piece, least_room(plan, piece), piece->aim);
	/* Growth is all that is wanted; a piece keeps at least what it has. */
	if (units > piece->units)
		piece->units = units;
	book_room(plan, piece, piece->units);
}

int rspb_plan_grow_shares(struct rspb_plan *plan, bool move, struct rspb_err *err)
{
	struct offer *offers = look_around(plan, err);

	if (!offers)
		return -1;
	for (uint32_t i = 0; i < plan->n; i++) {
		struct rspb_piece *piece = &plan->pieces[i];

		if (piece->part->share && piece->floor < piece->aim)
			refine_piece(plan, piece, move, offers);
	}
	grow_all(plan);
	free(offers);
	return 0;
}
