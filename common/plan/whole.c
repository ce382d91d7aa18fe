/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole nodes: every piece gets so many nodes out of a set of its own, no node
 * twice. Nodes are handed out greedily; where that starves a piece, nodes are
 * passed on from piece to piece along an augmenting path, so that a
 * placement is found whenever there is one.
 */
#include "common/plan/plan.h"

static uint32_t count(const struct rspb_piece *piece)
{
	return rspb_nodeset_count(piece->nodes);
}

static void move_node(struct rspb_nodeset *from, struct rspb_nodeset *to, uint32_t node)
{
	rspb_nodeset_remove(from, node);
	rspb_nodeset_add(to, node);
}

/* Hand over those of plan->scratch, all of which nobody has, that the policy likes.
 * RET how many, -1 with err. */
static int64_t hand_over(struct rspb_plan *plan, struct rspb_piece *piece, uint32_t want,
			 struct rspb_err *err)
{
	if (rspb_where_keep(plan->policy->where, rspb_ledger_marks(plan->ledger), piece->nodes,
			    rspb_ledger_profile(plan->ledger), plan->start, plan->until, want,
			    plan->scratch, err))
		return -1;
	rspb_nodeset_or(piece->nodes, plan->scratch);
	rspb_nodeset_minus(plan->left, plan->scratch);
	return rspb_nodeset_count(plan->scratch);
}

/* Hand nodes that nobody has to a piece: those near to what its owner prefers, the
 * nearest first, then others, as the policy likes them. */
static int take_left(struct rspb_plan *plan, struct rspb_piece *piece,
		     const struct rspb_nodeset *out_of, uint32_t want, struct rspb_err *err)
{
	const struct rspb_part *part = piece->part;

	/* The last turn, beyond the tiers, takes any node. */
	for (uint32_t i = 0; i <= part->n_tiers && want; i++) {
		int64_t got;

		rspb_nodeset_copy(plan->scratch, out_of);
		rspb_nodeset_and(plan->scratch, plan->left);
		if (i < part->n_tiers)
			rspb_nodeset_and(plan->scratch, part->tiers[i].nodes);
		got = hand_over(plan, piece, want, err);
		if (got < 0)
			return -1;
		want -= (uint32_t) got;
	}
	return 0;
}

/* The lowest node that both sets have, and `but` (NULL: empty) has not. */
static uint32_t lowest_common(struct rspb_plan *plan, const struct rspb_nodeset *a,
			      const struct rspb_nodeset *b, const struct rspb_nodeset *but)
{
	rspb_nodeset_copy(plan->scratch, a);
	rspb_nodeset_and(plan->scratch, b);
	if (but)
		rspb_nodeset_minus(plan->scratch, but);
	return rspb_nodeset_next(plan->scratch, 0);
}

/* The search for a path: who passes which node on to whom. */
struct search {
	uint32_t queue[RSPB_MAX_PARTS], head, tail;
	uint32_t to[RSPB_MAX_PARTS]; /* the piece it passes a node to */
	uint32_t node[RSPB_MAX_PARTS];
	bool seen[RSPB_MAX_PARTS];
};

/* Queue the pieces that hold a node which piece `at` may have. */
static void look_around(struct rspb_plan *plan, struct search *search, uint32_t at)
{
	for (uint32_t i = 0; i < plan->n; i++) {
		struct rspb_piece *other = &plan->pieces[i];
		uint32_t node;

		/* Shares hold no whole nodes that could be passed on. */
		if (search->seen[i] || other->part->share)
			continue;
		/* A node that a piece names stays with it. */
		node = lowest_common(plan, other->nodes, plan->pieces[at].may, other->part->fixed);
		if (node == plan->width)
			continue;
		search->seen[i] = true;
		search->to[i] = at;
		search->node[i] = node;
		search->queue[search->tail++] = i;
	}
}

/* Find one more node for a piece by passing nodes on. RET whether there was one. */
static bool augment(struct rspb_plan *plan, uint32_t first)
{
	struct search search = { .queue = { first }, .tail = 1 };

	search.seen[first] = true;
	while (search.head < search.tail) {
		uint32_t at = search.queue[search.head++];
		uint32_t node = lowest_common(plan, plan->pieces[at].may, plan->left, NULL);

		if (node == plan->width) {
			look_around(plan, &search, at);
			continue;
		}
		/* A free node ends the path: each piece on it gets one and passes one on, so
		 * that only `first` has one more. */
		move_node(plan->left, plan->pieces[at].nodes, node);
		for (; at != first; at = search.to[at])
			move_node(plan->pieces[at].nodes, plan->pieces[search.to[at]].nodes,
				  search.node[at]);
		return true;
	}
	return false;
}

/* RET 1 when the piece has `want` nodes now, 0 when it has as many as can
 * be, -1 with err. */
static int raise_piece(struct rspb_plan *plan, uint32_t i, int64_t want, struct rspb_err *err)
{
	struct rspb_piece *piece = &plan->pieces[i];
	uint32_t have = count(piece);

	if (have < want && take_left(plan, piece, piece->may, (uint32_t) want - have, err))
		return -1;
	for (have = count(piece); have < want; have++)
		if (!augment(plan, i))
			return 0;
	return 1;
}

/* Other nodes do not replace the lost nodes of a fixed set. */
static void limit_goal(struct rspb_piece *piece, const struct rspb_nodeset *there)
{
	int64_t most = piece->part->nodes;

	/* Each named node that is not there counts as lost, whatever else is free. */
	RSPB_NODESET_EACH (n, piece->part->fixed)
		most -= !rspb_nodeset_has(there, n);
	if (piece->goal > most)
		piece->goal = most;
}

/*
 * Start over with nothing but what is fixed, at most `units` of it. A fixed
 * node that an earlier part has is lost like one that is busy.
 */
static int restart(struct rspb_plan *plan, const int64_t *units, struct rspb_err *err)
{
	rspb_nodeset_copy(plan->left, plan->idle);
	for (uint32_t k = 0; k < plan->n; k++) {
		struct rspb_piece *piece = &plan->pieces[plan->sequence[k]];
		const struct rspb_nodeset *fixed = piece->part->fixed;

		if (piece->part->share)
			continue;
		rspb_nodeset_clear(piece->nodes);
		piece->goal = piece->aim;
		if (!fixed)
			continue;
		limit_goal(piece, plan->left);
		if (take_left(plan, piece, fixed, (uint32_t) units[plan->sequence[k]], err))
			return -1;
	}
	return 0;
}

/* Give every piece its units. RET 1, 0 when that can't be, -1 with err. */
static int place(struct rspb_plan *plan, const int64_t *units, struct rspb_err *err)
{
	int rc = restart(plan, units, err) ? -1 : 1;

	for (uint32_t k = 0; k < plan->n && rc == 1; k++) {
		uint32_t i = plan->sequence[k];

		if (plan->pieces[i].part->share)
			continue;
		/* A named node may have gone to an earlier part in the meantime, which lowers
		 * the goal. */
		rc = units[i] <= plan->pieces[i].goal ? raise_piece(plan, i, units[i], err) : 0;
	}
	if (rc == 1 && rspb_nodeset_count(plan->left) < plan->keep)
		rc = 0;
	return rc;
}

/* RET 1 with those nodes of a piece that its limit of leaves leaves it at this start,
 * -1 with err. */
static int limit_leaves(struct rspb_plan *plan, struct rspb_piece *piece, struct rspb_err *err)
{
	const struct rspb_part *part = piece->part;
	const uint32_t *leaves = rspb_plan_leaves(plan, part);
	int64_t have;

	if (!leaves)
		return 1;
	if (part->fixed && rspb_leaves_count(leaves, part->fixed) > part->leaves)
		return 0;
	if (rspb_part_all_fixed(part))
		return 1;
	if (!rspb_leaves_limit(leaves, part->leaves, (uint32_t) piece->goal, part->fixed,
			       piece->may))
		return rspb_fail(err, "out of memory");
	have = rspb_nodeset_count(piece->may);
	if (have < piece->goal) {
		/* Another start may have more nodes on as few leaves, and the reason for the
		 * user is another one. */
		plan->spread = true;
		piece->goal = have;
	}
	return have >= piece->floor;
}

/* Look up what a piece may have here. RET false if it cannot even have its least. */
static bool look_up(struct rspb_plan *plan, struct rspb_piece *piece)
{
	const struct rspb_part *part = piece->part;

	piece->goal = piece->aim;
	if (part->fixed)
		limit_goal(piece, plan->idle);
	rspb_nodeset_copy(piece->may, plan->idle);
	if (rspb_part_all_fixed(part)) {
		rspb_nodeset_and(piece->may, part->fixed);
	} else if (part->eligible) {
		rspb_nodeset_and(piece->may, part->eligible);
		/* A part may have the nodes that it names also where they are not eligible. */
		if (part->fixed) {
			rspb_nodeset_copy(plan->scratch, part->fixed);
			rspb_nodeset_and(plan->scratch, plan->idle);
			rspb_nodeset_or(piece->may, plan->scratch);
		}
	}
	return piece->goal >= piece->floor && rspb_nodeset_count(piece->may) >= piece->floor;
}

/* Everybody's least first, then as much more as there is, in sequence. */
static int place_less(struct rspb_plan *plan, int64_t *units, struct rspb_err *err)
{
	int rc;

	for (uint32_t i = 0; i < plan->n; i++)
		units[i] = plan->pieces[i].floor;
	rc = place(plan, units, err);
	if (rc != 1)
		return rc;
	for (uint32_t k = 0; k < plan->n; k++) {
		uint32_t i = plan->sequence[k];
		struct rspb_piece *piece = &plan->pieces[i];
		int64_t most;

		if (piece->part->share)
			continue;
		/* The nodes that must stay free are nobody's to grow into. */
		most = count(piece) + rspb_nodeset_count(plan->left) - plan->keep;
		if (raise_piece(plan, i, piece->goal < most ? piece->goal : most, err) < 0)
			return -1;
		units[i] = rspb_plan_trimmed(plan, piece, count(piece));
	}
	/* Place all once more with the final sizes, so that the policy picks the nodes instead
	 * of the search for paths. */
	return place(plan, units, err);
}

int rspb_plan_place_whole(struct rspb_plan *plan, struct rspb_err *err)
{
	int64_t units[RSPB_MAX_PARTS];
	int rc;

	if (rspb_profile_free_over(rspb_ledger_profile(plan->ledger), plan->start, plan->until,
				   plan->idle, err))
		return -1;
	rspb_plan_keep_fast(plan, plan->idle);
	plan->spread = false;
	/* If one piece cannot have its least, the start will not do for the request. */
	for (uint32_t i = 0; i < plan->n; i++) {
		struct rspb_piece *piece = &plan->pieces[i];

		if (piece->part->share)
			continue;
		rc = look_up(plan, piece) ? limit_leaves(plan, piece, err) : 0;
		if (rc != 1)
			return rc;
		units[i] = rspb_plan_trimmed(plan, piece, piece->goal);
	}
	rc = place(plan, units, err);
	/* The pieces do not all get what they want: try with less. */
	if (!rc)
		rc = place_less(plan, units, err);
	for (uint32_t i = 0; rc == 1 && i < plan->n; i++)
		if (!plan->pieces[i].part->share)
			plan->pieces[i].units = count(&plan->pieces[i]);
	return rc;
}

int rspb_plan_grow_whole(struct rspb_plan *plan, struct rspb_err *err)
{
	const uint32_t *leaves = rspb_ledger_marks(plan->ledger).leaves;

	if (rspb_profile_free_over(rspb_ledger_profile(plan->ledger), plan->start, plan->until,
				   plan->idle, err))
		return -1;
	rspb_nodeset_copy(plan->left, plan->idle);
	for (uint32_t i = 0; i < plan->n; i++) {
		struct rspb_piece *piece = &plan->pieces[i];
		uint32_t want = (uint32_t) (piece->aim - piece->units);

		/* Nodes that were lost from a fixed set stay lost. */
		if (piece->part->share || piece->part->fixed || !want)
			continue;
		/* Nodes that are not free are left out by take_left(). */
		rspb_nodeset_copy(piece->may,
				  piece->part->eligible ? piece->part->eligible : plan->idle);
		rspb_plan_keep_fast(plan, piece->may);
		/* The piece has some nodes already; a piece that is limited to leaves stays on
		 * them. */
		if (piece->part->leaves && leaves &&
		    !rspb_leaves_near(leaves, piece->nodes, piece->may))
			return rspb_fail(err, "out of memory");
		if (take_left(plan, piece, piece->may, want, err))
			return -1;
		piece->units = count(piece);
	}
	return 0;
}
