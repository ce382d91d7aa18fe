/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/policy.h"

#include <assert.h>

#include "common/base/names.h"

/* Min decides a batch every 50 seconds, each request at the start that it asks for. */
#define MIN(order_, where_, degrade_)                                                              \
	.live = true, .order = order_, .when = "fixed", .where = where_, .degrade = degrade_,      \
	.policy.batch_interval = 50

/* Li et al. decide each job as it comes, all or nothing; only the start
 * differs. */
#define LI(when_)                                                                                  \
	.live = true, .order = "arrival", .when = when_, .where = "lowest", .degrade = "none"

#define LI_SOURCE "Li et al., section 5"
#define OURS	  "this project; doc/policies.md"

/* The first words of why an algorithm is for the simulator alone. The name of a preset to use
 * instead follows them. */
#define MOVES                                                                                      \
	"it moves bookings whose start was announced, which a live "                               \
	"cluster must keep; use "
#define KNOWS "it knows all requests beforehand, which no cluster does; use "

/* The simulator has the rest of these (contrib/sim/policy/preset.c). */
#define SIMULATED(name_, instead_)                                                                 \
	{                                                                                          \
		.name = name_, .instead = instead_                                                 \
	}

/* Rows of the simulator have only a name and a reason, so that a message can say what to use
 * instead. Headroom is in 1/10000: 312 are 1/32, 1250 are 1/8. */
const struct rspb_preset rspb_presets[] = {
	/* Up to 64 bookings are looked at for a request that finds no place, but for none of more
	 * than a quarter of the nodes. Their delays together are at most their durations. */
	{ "live", NULL,
	  "by priority, degraded by benefit; the earliest start; bookings move within their "
	  "windows to make room, and forward where others wait",
	  "Min, chapter 5; doc/policies.md", .live = true, .order = "priority", .when = "ff",
	  .where = "best", .degrade = "share-out", .policy.trim = true, .policy.shift = 64,
	  .policy.shift_part = 2500, .policy.patience = 100, .policy.repairs = 4,
	  .policy.forward = true },
	{ "rb", NULL, "as requested or not at all, on arrival", "Min, section 4.5", .live = true,
	  .order = "arrival", .when = "fixed", .where = "least-load", .degrade = "none" },
	{ "rspb", NULL, "by priority, degraded by benefit, on the least loaded machine",
	  "Min, figures 4.1 and 4.2", MIN("priority", "least-load", "benefit") },
	{ "co-rspb", "corspb", "co-reservations by priority, degraded by benefit, best fit",
	  "Min, figures 5.1 to 5.3", MIN("priority", "best", "benefit") },
	{ "co-rsbf", "corsbf", "largest minimum first, only the minimum, best fit",
	  "Min, figures 5.4 to 5.6", MIN("minimum", "best", "minimum") },
	{ "co-rsbfr", "corsbfr", "like co-rsbf, then grown or moved within the batch",
	  "Min, figures 5.7 and 5.8", MIN("minimum", "best", "refine") },
	{ "li-ff", "FF", "the earliest start", LI_SOURCE, LI("ff") },
	{ "li-pe-best", "PE_B", "the start with fewest free nodes", LI_SOURCE, LI("pe-best") },
	{ "li-pe-worst", "PE_W", "the start with most free nodes", LI_SOURCE, LI("pe-worst") },
	{ "li-du-best", "Du_B", "the start in the shortest gap", LI_SOURCE, LI("du-best") },
	{ "li-du-worst", "Du_W", "the start in the longest gap", LI_SOURCE, LI("du-worst") },
	{ "li-pedu-best", "PEDu_B", "the start in the smallest rectangle of nodes x time",
	  LI_SOURCE, LI("pedu-best") },
	{ "li-pedu-worst", "PEDu_W", "the start in the largest rectangle of nodes x time",
	  LI_SOURCE, LI("pedu-worst") },
	{ "pe-worst-load", NULL, "most free nodes; the lowest average load among equals", OURS,
	  LI("pe-worst"), .policy.tie_load = true },
	{ "pe-worst-steps", NULL,
	  "most free nodes in steps of 1/8 of the machine; the earliest start "
	  "among equals",
	  OURS, LI("pe-steps") },
	{ "pe-worst-calm", NULL,
	  "the earliest start while at least half of the nodes are free, else most free "
	  "nodes",
	  OURS, LI("pe-worst-calm") },
	{ "pe-worst-headroom", NULL,
	  "most free nodes; a request for an hour or more leaves 1/32 of the nodes free", OURS,
	  LI("pe-worst"), .policy.long_headroom = 312, .policy.long_duration = 3600 },
	{ "ff-headroom", NULL,
	  "the earliest start; a request for an hour or more leaves 1/8 of the nodes free", OURS,
	  LI("ff"), .policy.long_headroom = 1250, .policy.long_duration = 3600 },
	SIMULATED("flex", MOVES "Algorithm=li-ff for the earliest start"),
	SIMULATED("flex-tide", MOVES "Algorithm=ff-headroom to keep some nodes free"),
	{ "co-rspb-headroom", NULL,
	  "like co-rspb; a request of low priority leaves up to half of each machine free", OURS,
	  MIN("priority", "best", "benefit"), .policy.headroom = 5000 },
	{ "co-rspb-trim", NULL, "like co-rspb, but grants no more than earns the same benefit",
	  OURS, MIN("priority", "best", "benefit"), .policy.trim = true },
	{ "lazy-worst", NULL, "the minimum, on the machine with most room, grown before the start",
	  OURS, .live = true, .order = "priority", .when = "fixed", .where = "worst",
	  .degrade = "lazy", .policy.batch_interval = 50 },
	{ "lazy-best", NULL, "the minimum by best fit, grown before the start", OURS, .live = true,
	  .order = "priority", .when = "fixed", .where = "best", .degrade = "lazy",
	  .policy.batch_interval = 50 },
	SIMULATED("lazy-price", "its prices are tuned for priorities from 1 to 100; use "
				"Algorithm=lazy-worst"),
	SIMULATED("clairvoyant", KNOWS "Algorithm=li-ff Order=smallest"),
	SIMULATED("foreseen", KNOWS "Algorithm=li-ff"),
	{ .name = NULL }
};

RSPB_NAMES_FINDER(rspb_preset_find, rspb_preset, rspb_presets)

/* The simulator has algorithms that are no presets. These texts follow a name of one, and say what
 * to use instead. */
#define PIECES "serves work in pieces, but a job runs as a whole; use "
#define FAIR                                                                                       \
	"divides rates among tasks by their deadlines; use "                                       \
	"--cpu-share with Algorithm=co-rspb"
#define EARLY                                                                                      \
	"is about the time at which nodes are chosen, and slurmctld "                              \
	"chooses them with the booking; use Algorithm=live"
#define FIGURE "computes a figure and is not a policy; use Algorithm=live"

static const struct other {
	const char *name, *alias, *instead;
} others[] = { { "fcfs", NULL, PIECES "Algorithm=li-ff" },
	       { "edf", NULL, PIECES "Algorithm=li-ff Order=deadline" },
	       { "llf", NULL, PIECES "Algorithm=li-ff Order=laxity" },
	       { "sfto", NULL, FAIR },
	       { "afto", "afto2", FAIR },
	       { "afto1", NULL, FAIR },
	       { "afto-rn", NULL, FAIR },
	       { "tarr", NULL,
		 "is about data that arrives late at one resource; use "
		 "Algorithm=li-ff" },
	       { "vrc", NULL, EARLY },
	       { "static", NULL, EARLY },
	       { "li", NULL,
		 "is a family; use Algorithm=li-ff, li-pe-worst or "
		 "another li- preset" },
	       { "maxmin", NULL, FIGURE },
	       { "qdd", NULL, FIGURE },
	       { "mmc", NULL, FIGURE },
	       { "states", NULL, FIGURE },
	       { "benefit", NULL, "is a degradation; use Degrade=benefit" },
	       { NULL, NULL, NULL } };

const char *rspb_preset_other(const char *name)
{
	const struct other *other = rspb_names_find(others, sizeof(others[0]), name);

	return other ? other->instead : NULL;
}

void rspb_policy_from_preset(const struct rspb_preset *preset, struct rspb_policy *policy)
{
	/* A preset has numbers and flags. Callbacks, the judge and the steps of the simulator are
	 * left to the caller. */
	*policy = preset->policy;
	policy->order = rspb_order_named(preset->order);
	policy->when = rspb_when_find(preset->when);
	policy->where = rspb_where_find(preset->where);
	policy->degrade = rspb_degrade_find(preset->degrade);
	/* The names come from tables of the program, so a missing row is a fault of the program. */
	assert(policy->order && policy->when && policy->where && policy->degrade);
}
