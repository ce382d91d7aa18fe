/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Enters a booking's nodes and shares into the ledger's calendars, takes them out and
 * puts them back. All of it or nothing; whether it should be there is not judged. */
#include "common/ledger/internal.h"

#include "common/base/times.h"

/* Sum the sets of a booking up, per kind. RET false when a node is in two
 * whole-node parts, or carries a share of the same booking as well. */
static bool unite(struct rspb_ledger *l, const struct rspb_booking *b)
{
	rspb_nodeset_clear(l->union_whole);
	rspb_nodeset_clear(l->union_shares);
	for (uint32_t i = 0; i < b->n_grants; i++) {
		const struct rspb_grant *grant = &b->grants[i];

		if (grant->share) {
			rspb_nodeset_or(l->union_shares, grant->nodes);
			continue;
		}
		if (!rspb_nodeset_disjoint(l->union_whole, grant->nodes))
			return false;
		rspb_nodeset_or(l->union_whole, grant->nodes);
	}
	return rspb_nodeset_disjoint(l->union_whole, l->union_shares);
}

/* Release the first n shares of a booking, in the order in which hold_shares() takes them. RET 0,
 * or -1 with err; the rest is held then. */
static int drop_shares(struct rspb_ledger *l, const struct rspb_booking *b, int64_t from,
		       int64_t until, size_t n, struct rspb_err *err)
{
	for (uint32_t i = 0; i < b->n_grants; i++) {
		const struct rspb_grant *g = &b->grants[i];

		if (!g->share)
			continue;
		for (uint32_t m = rspb_nodeset_next(g->nodes, 0); m < l->nodes && n;
		     m = rspb_nodeset_next(g->nodes, m + 1), n--)
			if (rspb_tables_change(l, &b->request->parts[i], m, from, until, false,
					       err) ||
			    rspb_shares_remove(l->shares, m, from, until,
					       rspb_part_on(&b->request->parts[i], g->share, m),
					       err))
				return -1;
	}
	return 0;
}

/* Take a share of one node with the other resources that belong to it, or nothing of them. */
static int hold_share(struct rspb_ledger *l, const struct rspb_booking *b, uint32_t part,
		      uint32_t m, int64_t from, int64_t until, struct rspb_err *err)
{
	int64_t share = rspb_part_on(&b->request->parts[part], b->grants[part].share, m);

	if (rspb_shares_add(l->shares, m, from, until, share, err))
		return -1;
	if (!rspb_tables_change(l, &b->request->parts[part], m, from, until, true, err))
		return 0;
	rspb_shares_remove(l->shares, m, from, until, share, NULL);
	return -1;
}

/* Take all shares of a booking. RET 0, or -1 with err and none of them taken. */
static int hold_shares(struct rspb_ledger *l, const struct rspb_booking *b, int64_t from,
		       int64_t until, struct rspb_err *err)
{
	size_t done = 0;

	if (!l->shares)
		return rspb_fail(err, "no share of any node may be booked");
	for (uint32_t i = 0; i < b->n_grants; i++) {
		const struct rspb_grant *g = &b->grants[i];

		if (!g->share)
			continue;
		for (uint32_t m = rspb_nodeset_next(g->nodes, 0); m < l->nodes;
		     m = rspb_nodeset_next(g->nodes, m + 1), done++) {
			if (!hold_share(l, b, i, m, from, until, err))
				continue;
			drop_shares(l, b, from, until, done, NULL);
			return -1;
		}
	}
	return 0;
}

/* Shares lie where no whole-node booking or block does, and whole-node
 * requests must keep off them from now on. */
static int occupy_shares(struct rspb_ledger *l, const struct rspb_held *entry, int64_t from,
			 int64_t until, struct rspb_err *err)
{
	uint32_t most, fewest;

	if (!l->all && !(l->all = rspb_profile_clone(l->whole)))
		return rspb_fail(err, "out of memory");
	if (rspb_profile_peak(l->whole, from, until, &most, &fewest, err))
		return -1;
	/* A set of free nodes is made only if something is booked whole in this time. */
	if (most) {
		struct rspb_nodeset *free_nodes = rspb_nodeset_create(l->nodes);
		bool free_there;

		if (!free_nodes)
			return rspb_fail(err, "out of memory");
		free_there = !rspb_profile_free_over(l->whole, from, until, free_nodes, err) &&
			     rspb_nodeset_within(l->union_shares, free_nodes);
		rspb_nodeset_destroy(free_nodes);
		if (!free_there)
			return rspb_fail(err, "a node is booked whole");
	}
	if (hold_shares(l, entry->booking, from, until, err))
		return -1;
	/* A node may carry shares of other bookings already, and then an addition would be
	 * refused. */
	if (rspb_profile_cover(l->all, from, until, l->union_shares, err)) {
		drop_shares(l, entry->booking, from, until, SIZE_MAX, NULL);
		return -1;
	}
	/* cover_shares() looks back as far as this. */
	l->longest = rspb_later(l->longest, entry->until - entry->booking->start);
	return 0;
}

/* Book whole nodes in both calendars, or in neither. `all` holds whatever `whole` holds, so the
 * first refusal comes from there. */
static int occupy_whole(struct rspb_ledger *l, int64_t from, int64_t until, struct rspb_err *err)
{
	if (!l->all)
		return rspb_profile_add(l->whole, from, until, l->union_whole, err);
	if (rspb_profile_add(l->all, from, until, l->union_whole, err))
		return -1;
	if (!rspb_profile_add(l->whole, from, until, l->union_whole, err))
		return 0;
	rspb_profile_remove(l->all, from, until, l->union_whole, NULL);
	return -1;
}

/* Occupy what is not past of [start, until). RET 0, or -1 with err and nothing occupied. */
static int occupy(struct rspb_ledger *l, const struct rspb_held *entry, struct rspb_err *err)
{
	int64_t from = rspb_later(entry->booking->start, l->now);
	int64_t until = entry->until;

	if (until <= from)
		return 0;
	/* Calendars do not know to which part a node belongs, so the parts are compared first. */
	if (!unite(l, entry->booking))
		return rspb_fail(err, "a node is granted to two parts");
	if (entry->whole && occupy_whole(l, from, until, err))
		return -1;
	if (!entry->shares || !occupy_shares(l, entry, from, until, err))
		return 0;
	if (entry->whole) {
		/* The shares were refused. Perhaps they made l->all, and then as a copy that has
		 * these nodes, too. */
		rspb_profile_remove(l->whole, from, until, l->union_whole, NULL);
		if (l->all)
			rspb_profile_remove(l->all, from, until, l->union_whole, NULL);
	}
	return -1;
}

int rspb_ledger_occupy(struct rspb_ledger *l, struct rspb_held *entry, struct rspb_err *err)
{
	if (!occupy(l, entry, err))
		return 0;
	if (entry->until <= entry->booking->end)
		return -1;
	/* Try without the time to clean up: the next booking of a node may have been accepted when
	 * that time was shorter. */
	entry->until = entry->booking->end;
	return occupy(l, entry, err);
}

/* Cover the nodes that `theirs` has in common with `nodes`, where [start, end) and [from, until)
 * overlap. */
static int cover_again(struct rspb_profile *profile, int64_t from, int64_t until,
		       const struct rspb_nodeset *nodes, const struct rspb_nodeset *theirs,
		       int64_t start, int64_t end, struct rspb_err *err)
{
	struct rspb_nodeset *both;
	int rc;

	if (start >= until || end <= from || end <= start || rspb_nodeset_disjoint(nodes, theirs))
		return 0;
	both = rspb_nodeset_clone(nodes);
	if (!both)
		return rspb_fail(err, "out of memory");
	rspb_nodeset_and(both, theirs);
	rc = rspb_profile_cover(profile, rspb_later(from, start), rspb_earlier(until, end), both,
				err);
	rspb_nodeset_destroy(both);
	return rc;
}

/* Cover again what blocks have of these nodes, because a block may overlap a booking that
 * leaves. */
static int cover_blocks(struct rspb_ledger *l, struct rspb_profile *profile, int64_t from,
			int64_t until, const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	for (size_t i = 0; i < rspb_blocks_count(l->blocks); i++) {
		const struct rspb_occupied *block = &l->blocks->items[i];

		if ((profile == l->all || !block->beside) &&
		    cover_again(profile, from, until, nodes, block->nodes, block->start, block->end,
				err))
			return -1;
	}
	return 0;
}

/* Cover again what other bookings with shares have of these nodes. A booking that reaches into the
 * window began at most the longest window with shares before it. */
static int cover_shares(struct rspb_ledger *l, int64_t from, int64_t until, struct rspb_err *err)
{
	size_t last = rspb_entries_before(&l->index, until);

	for (size_t i = rspb_entries_before(&l->index, from - l->longest); i < last; i++) {
		const struct rspb_held *entry = rspb_entries_at(&l->index, i);
		const struct rspb_booking *b = entry->booking;

		for (uint32_t g = 0; entry->shares && g < b->n_grants; g++)
			if (b->grants[g].share &&
			    cover_again(l->all, from, until, l->union_shares, b->grants[g].nodes,
					b->start, entry->until, err))
				return -1;
	}
	return 0;
}

/* Free nodes in a calendar. A calendar does not count how often a node is covered, so what still
 * covers it has to be put back. */
static int vacate_profile(struct rspb_ledger *l, struct rspb_profile *profile, int64_t from,
			  int64_t until, const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	if (rspb_profile_remove(profile, from, until, nodes, err))
		return -1;
	return cover_blocks(l, profile, from, until, nodes, err);
}

int rspb_ledger_vacate(struct rspb_ledger *l, const struct rspb_held *entry, int64_t from,
		       struct rspb_err *err)
{
	int64_t until = entry->until;

	from = rspb_later(rspb_later(from, entry->booking->start), l->now);
	if (until <= from)
		return 0;
	unite(l, entry->booking);
	/* The sets are disjoint, or the booking would not have been entered. */
	if (entry->whole &&
	    (vacate_profile(l, l->whole, from, until, l->union_whole, err) ||
	     (l->all && vacate_profile(l, l->all, from, until, l->union_whole, err))))
		return -1;
	if (!entry->shares)
		return 0;
	if (drop_shares(l, entry->booking, from, until, SIZE_MAX, err) ||
	    vacate_profile(l, l->all, from, until, l->union_shares, err))
		return -1;
	/* Nodes with shares of other bookings stay closed to whole-node requests. */
	return cover_shares(l, from, until, err);
}

int rspb_ledger_restore(struct rspb_ledger *l, const struct rspb_held *entry, struct rspb_err *err)
{
	int64_t from = rspb_later(entry->booking->start, l->now);
	int64_t until = entry->until;

	if (until <= from)
		return 0;
	unite(l, entry->booking);
	/* A block may overlap this time, and then an addition would be refused. */
	if (rspb_profile_cover(l->whole, from, until, l->union_whole, err) ||
	    (l->all && rspb_profile_cover(l->all, from, until, l->union_whole, err)))
		return -1;
	if (!entry->shares)
		return 0;
	/* The shares were released by this change, and nobody else has taken them. */
	if (hold_shares(l, entry->booking, from, until, err))
		return -1;
	return rspb_profile_cover(l->all, from, until, l->union_shares, err);
}
