/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/policy/preset.h"

#include <string.h>

#include "common/base/names.h"
#include "common/plan/plan.h"
#include "contrib/sim/policy/flex.h"
#include "contrib/sim/policy/price.h"
#include "contrib/sim/policy/steps.h"

#define OURS "this project; doc/policies.md"

/* Let a request wait as a count; where nothing waits, since limits count nodes, the search
 * decides. */
static int decide_count(struct rspb_plan *plan, struct rspb_ledger *ledger,
			struct rspb_booking *booking, int64_t now, struct rspb_err *why,
			struct rspb_err *err)
{
	int rc;

	if (!plan->policy->waiting)
		return rspb_search_book(plan, ledger, booking, now, why, err);
	rc = rspb_flex_decide(plan->policy->waiting, ledger, plan->policy, booking, now, err);
	if (!rc)
		rspb_fail(why, "its window has no start at which running and waiting jobs leave "
			       "enough nodes");
	return rc;
}

static const struct rspb_booking *find_count(const void *waiting, uint64_t id)
{
	return rspb_flex_find(waiting, id);
}

static int decide_price(struct rspb_plan *plan, struct rspb_ledger *ledger,
			struct rspb_booking *booking, int64_t now, struct rspb_err *why,
			struct rspb_err *err)
{
	int rc = rspb_price_met(ledger, plan->policy, booking->request, err);

	if (!rc)
		rspb_fail(why, "its priority is too low for a request of this size while so much "
			       "is booked");
	return rc <= 0 ? rc : rspb_search_book(plan, ledger, booking, now, why, err);
}

#define COUNTS .steps.decide = decide_count, .steps.find = find_count
static const struct sim_steps counts = { COUNTS }, tide = { COUNTS, .tidal = true },
			      price = { .steps.decide = decide_price, .price = 200 },
			      foresight = { .foresight = 50000 };

const struct rspb_preset sim_presets[] = {
	{ "flex", NULL,
	  "the earliest start; waiting bookings move as little as possible to let one more in",
	  OURS, .order = "arrival", .when = "ff", .where = "best", .degrade = "none",
	  .policy.patience = 75, .policy.repairs = 1, .policy.steps = &counts.steps },
	{ "flex-tide", NULL,
	  "like flex, but jobs of nearly all nodes start when few requests arrive", OURS,
	  .order = "arrival", .when = "ff", .where = "best", .degrade = "none",
	  .policy.patience = 450, .policy.repairs = 16, .policy.long_headroom = 312,
	  .policy.long_duration = 1800, .policy.steps = &tide.steps },
	{ "lazy-price", NULL,
	  "like lazy-worst, but a large request in a busy window needs a high "
	  "priority",
	  OURS, .order = "priority", .when = "fixed", .where = "worst", .degrade = "lazy",
	  .policy.batch_interval = 50, .policy.steps = &price.steps },
	{ "clairvoyant", NULL, "a bound: all requests are known beforehand, the smallest first",
	  OURS, .order = "smallest", .when = "ff", .where = "best", .degrade = "none",
	  .policy.batch_interval = SIM_BATCH_ALL },
	{ "foreseen", NULL, "the result of a search that knows all requests beforehand", OURS,
	  .order = "arrival", .when = "ff", .where = "best", .degrade = "none",
	  .policy.batch_interval = SIM_BATCH_ALL, .policy.steps = &foresight.steps },
	{ .name = NULL }
};

const struct rspb_preset *sim_preset_find(const char *name)
{
	const struct rspb_preset *row = rspb_preset_find(name);

	return row && !row->live ? rspb_names_find(sim_presets, sizeof(*row), row->name) : row;
}

int sim_preset_policy(const char *preset, struct rspb_policy *policy, struct rspb_err *err)
{
	const struct rspb_preset *row = sim_preset_find(preset);

	if (!row)
		return rspb_fail(err,
				 "\"%.60s\" is not a preset; the nearest "
				 "name is \"%s\"",
				 preset,
				 rspb_names_nearest(rspb_presets, sizeof(rspb_presets[0]), preset));
	rspb_policy_from_preset(row, policy);
	if (!policy->order || !policy->when || !policy->where || !policy->degrade)
		return rspb_fail(err,
				 "preset %s cannot decide requests of this "
				 "workload",
				 row->name);
	return 0;
}

int sim_preset_known(const char *preset, struct rspb_err *err)
{
	struct rspb_policy policy;

	return sim_preset_policy(preset, &policy, err);
}

int sim_preset_pair(const char *preset, const char *what, const char *one, const char *other,
		    struct rspb_err *err)
{
	if (!strcmp(preset, one) || !strcmp(preset, other))
		return 0;
	return rspb_fail(err, "\"%.60s\" is not a %s; allowed are %s, %s", preset, what, one,
			 other);
}
