/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Degradation: how much is granted when it doesn't all fit. One function and
 * one row each. Units are nodes, or share per node.
 */
#include "common/policy/policy.h"

#include "common/base/names.h"

/* All or nothing. */
static int64_t take_full(int64_t room, int64_t least, int64_t full)
{
	(void) least;
	return room >= full ? full : 0;
}

/* Whatever is free, from the least to the full amount. */
static int64_t take_room(int64_t room, int64_t least, int64_t full)
{
	if (room >= full)
		return full;
	return room >= least ? room : 0;
}

/* The least amount, however much is free. */
static int64_t take_least(int64_t room, int64_t least, int64_t full)
{
	(void) full;
	return room >= least ? least : 0;
}

/* The last three columns are share_out, refine and as_asked. */
const struct rspb_degrade rspb_degrades[] = {
	{ "none", "hard", "all that is asked, or nothing", "Min, section 4.5 (RB)", take_full,
	  false, RSPB_REFINE_NEVER, true },
	{ "benefit", NULL,
	  "all that is requested, otherwise all that is free and still has a benefit",
	  "Min, figures 4.2, 5.2 and 5.3", take_room, false, RSPB_REFINE_NEVER, false },
	{ "share-out", NULL,
	  "like benefit; parts that leave nothing for each other begin again at their minimum",
	  "this project", take_room, true, RSPB_REFINE_NEVER, false },
	{ "minimum", NULL, "the least acceptable amount only", "Min, figures 5.5 and 5.6 (Co-RSBF)",
	  take_least, false, RSPB_REFINE_NEVER, false },
	{ "refine", NULL, "the minimum, then grown or moved after the batch",
	  "Min, figures 5.7 and 5.8 (Co-RSBFR)", take_least, false, RSPB_REFINE_BATCH, false },
	{ "lazy", NULL, "the minimum, then grown in place before the start", "this project",
	  take_least, false, RSPB_REFINE_LAZY, false },
	{ NULL, NULL, NULL, NULL, NULL, false, RSPB_REFINE_NEVER, false }
};

RSPB_NAMES_FINDER(rspb_degrade_find, rspb_degrade, rspb_degrades)

int64_t rspb_degrade_aim(const struct rspb_degrade *degrade, int64_t least, int64_t full)
{
	return degrade->take(INT64_MAX, least, full);
}

int64_t rspb_degrade_floor(const struct rspb_degrade *degrade, int64_t least, int64_t full)
{
	/* A row that takes nothing of so little room takes all or nothing. */
	return degrade->take(least, least, full) ? least : full;
}
