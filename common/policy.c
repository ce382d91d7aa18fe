/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy.h"

#include <assert.h>

#include "common/degrade.h"
#include "common/names.h"
#include "common/order.h"
#include "common/when.h"
#include "common/where.h"

/* Li et al. decide each job as it comes, all or nothing; only the start
 * differs. */
#define LI(name, alias, when, what) \
	{ name, alias, what, "Li et al., section 5", true, "arrival", when, \
	  "lowest", "none", 0, false, false }

const struct rspb_preset rspb_presets[] = {
	{ "live", NULL,
	  "priority, PE worst fit's start, degraded by the benefit function",
	  "Min, chapter 5, with the start of Li et al., section 5", true,
	  "priority", "pe-worst", "best", "share-out", 0, true, false },
	{ "rb", NULL, "as asked or not at all, on arrival",
	  "Min, section 4.5", true,
	  "arrival", "fixed", "least-load", "none", 0, false, false },
	{ "rspb", NULL,
	  "by priority, degraded by benefit, on the least loaded machine",
	  "Min, figures 4.1 and 4.2", true,
	  "priority", "fixed", "least-load", "benefit", 50, false, false },
	{ "co-rspb", "corspb",
	  "co-reservations by priority, degraded by benefit, best fit",
	  "Min, figures 5.1 to 5.3", true,
	  "priority", "fixed", "best", "benefit", 50, false, false },
	{ "co-rsbf", "corsbf",
	  "largest minimum first, only the minimum, best fit",
	  "Min, figures 5.4 to 5.6", true,
	  "minimum", "fixed", "best", "minimum", 50, false, false },
	{ "co-rsbfr", "corsbfr",
	  "as co-rsbf, then grown or moved within the batch",
	  "Min, figures 5.7 and 5.8", true,
	  "minimum", "fixed", "best", "refine", 50, false, false },
	LI("li-ff", "FF", "ff", "earliest start"),
	LI("li-pe-best", "PE_B", "pe-best", "start with fewest free nodes"),
	LI("li-pe-worst", "PE_W", "pe-worst", "start with most free nodes"),
	LI("li-du-best", "Du_B", "du-best", "start in the shortest gap"),
	LI("li-du-worst", "Du_W", "du-worst", "start in the longest gap"),
	LI("li-pedu-best", "PEDu_B", "pedu-best",
	   "start in the smallest rectangle of nodes x time"),
	LI("li-pedu-worst", "PEDu_W", "pedu-worst",
	   "start in the largest rectangle of nodes x time"),
	{ .name = NULL }
};

const struct rspb_preset *rspb_preset_find(const char *name)
{
	return rspb_names_find(rspb_presets, sizeof(rspb_presets[0]), name);
}

const char *rspb_preset_nearest(const char *name)
{
	return rspb_names_nearest(rspb_presets, sizeof(rspb_presets[0]), name);
}

void rspb_policy_from_preset(const struct rspb_preset *preset,
			     struct rspb_policy *policy)
{
	*policy = (struct rspb_policy) {
		.order = rspb_order_named(preset->order),
		.when = rspb_when_find(preset->when),
		.where = rspb_where_find(preset->where),
		.degrade = rspb_degrade_find(preset->degrade),
		.batch_interval = preset->batch_interval,
		.trim = preset->trim,
		.distinct = preset->distinct,
		.open_end = RSPB_OPEN_DEADLINE,
	};
	assert(policy->order && policy->when && policy->where &&
	       policy->degrade);
}
