/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where and when a part of a node can be had, as a calendar of its own. */
#include <stdlib.h>

#include "common/ledger/internal.h"

/* Nodes of one kind, of which a part takes so much. */
struct lane {
	const struct rspb_shares *taken; /* NULL: nothing of it is */
	int64_t room, need;		 /* of the node */
};

/* The node is taken where so much of it does not fit. RET 0, -1: out of memory. */
static int cover(struct rspb_profile *profile, struct rspb_nodeset *one, uint32_t n,
		 const struct lane *lane, int64_t now)
{
	int64_t from = now, until;

	if (!lane->taken)
		return 0;
	rspb_nodeset_clear(one);
	rspb_nodeset_add(one, n);
	while (rspb_shares_above(lane->taken, n, lane->room - lane->need, &from, &until)) {
		if (rspb_profile_cover(profile, from, until, one, NULL))
			return -1;
		from = until;
	}
	return 0;
}

/* Find out what one quota takes. RET false: it is not counted on each node. */
static bool lane_of(const struct rspb_ledger *l, const struct rspb_part *part,
		    const struct rspb_quota *quota, uint32_t n, struct lane *lane)
{
	const uint32_t *room = rspb_ledger_room(l, quota->key);

	if (!room)
		return false;
	*lane = (struct lane){ rspb_ledger_table(l, quota->key), room[n],
			       rspb_ledger_takes(l, part, quota, room, n) };
	return true;
}

/* Units of a node for a part. What is booked of one that has lost cores stands, and is
 * its capacity: no room for others. */
static int64_t units_of(const struct rspb_ledger *l, const struct rspb_part *part, uint32_t n)
{
	const uint32_t *cores = part->whole ? rspb_ledger_room(l, RSPB_ROOM_CORES) : NULL;
	int64_t units = rspb_shares_capacity(l->shares, n);

	return cores && cores[n] < units ? cores[n] : units;
}

/* RET 1: it can be had there at times, 0: never, -1: out of memory. */
static int add_node(const struct rspb_ledger *l, const struct rspb_part *part, uint32_t n,
		    struct rspb_profile *profile, struct rspb_nodeset *one)
{
	struct lane lane = { l->shares, units_of(l, part, n), rspb_part_on(part, part->share, n) };

	if (lane.need > lane.room)
		return 0;
	if (cover(profile, one, n, &lane, l->now))
		return -1;
	for (uint32_t q = 0; q < part->n_quotas; q++) {
		if (!lane_of(l, part, &part->quotas[q], n, &lane))
			continue;
		if (lane.need > lane.room)
			return 0;
		if (cover(profile, one, n, &lane, l->now))
			return -1;
	}
	return 1;
}

struct rspb_profile *rspb_ledger_for_part(const struct rspb_ledger *l, const struct rspb_part *part,
					  struct rspb_nodeset *eligible)
{
	struct rspb_profile *profile = rspb_profile_clone(l->whole);
	struct rspb_nodeset *one = rspb_nodeset_create(l->nodes);
	int rc = profile && one ? 0 : -1;

	if (!l->shares)
		rspb_nodeset_clear(eligible);
	for (uint32_t n = 0; n < l->nodes && rc >= 0; n++) {
		if (!rspb_nodeset_has(eligible, n))
			continue;
		rc = add_node(l, part, n, profile, one);
		if (!rc)
			rspb_nodeset_remove(eligible, n);
	}
	rspb_nodeset_destroy(one);
	if (rc >= 0)
		return profile;
	rspb_profile_destroy(profile);
	return NULL;
}
