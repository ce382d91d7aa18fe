/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/trials.h"

#include <stdlib.h>
#include <string.h>

struct rspb_trial rspb_trial_at(const struct rspb_plan *plan, int64_t start, int64_t bound,
				struct rspb_score score)
{
	return (struct rspb_trial){
		.start = start,
		.worth = rspb_plan_worth_most(plan, start, bound / RSPB_SHARE_WHOLE),
		.bound = bound,
		.score = score,
	};
}

/* Which may have more, by worth, then by amount: below 0 when a may. */
static int compare_bounds(const struct rspb_trial *a, const struct rspb_trial *b)
{
	int worth = rspb_ratio_compare(b->worth, a->worth);

	if (worth)
		return worth;
	return a->bound > b->bound ? -1 : a->bound < b->bound;
}

/* Which is better, the time aside: below 0 when a is. */
static int compare_merit(const struct rspb_trial *a, const struct rspb_trial *b)
{
	int bounds = compare_bounds(a, b);

	if (bounds)
		return bounds;
	if (a->score.hi != b->score.hi)
		return a->score.hi > b->score.hi ? -1 : 1;
	if (a->score.lo != b->score.lo)
		return a->score.lo > b->score.lo ? -1 : 1;
	return a->load < b->load ? -1 : a->load > b->load;
}

static int compare(const void *left, const void *right)
{
	const struct rspb_trial *a = left, *b = right;
	int merit = compare_merit(a, b);

	if (merit)
		return merit;
	return a->start < b->start ? -1 : a->start > b->start;
}

int rspb_trials_some(struct rspb_plan *plan, struct rspb_trial *tries, int64_t n,
		     struct rspb_trials *done, struct rspb_err *err)
{
	struct rspb_trial *most = &done->most;

	qsort(tries, (size_t) n, sizeof(*tries), compare);
	for (int64_t i = 0;
	     i < n && done->n < RSPB_TRIALS_MOST &&
	     (!most->bound || compare_bounds(&tries[i], most) < 0) && !plan->exhausted;
	     i++, done->n++) {
		int rc = rspb_plan_try(plan, tries[i].start, err);
		struct rspb_trial got = { .start = tries[i].start };

		if (rc < 0)
			return -1;
		got.worth = rspb_plan_worth(plan);
		got.bound = rspb_plan_amount(plan);
		if (rc && compare_bounds(&got, &tries[i]) <= 0)
			return 1;
		if (rc && (!most->bound || compare_bounds(&got, most) < 0))
			*most = got;
	}
	return 0;
}

int rspb_trials_end(struct rspb_plan *plan, const struct rspb_trials *done, struct rspb_err *err)
{
	return done->most.bound ? rspb_plan_try(plan, done->most.start, err) : 0;
}

int rspb_trials_run(struct rspb_plan *plan, struct rspb_trial *tries, int64_t n,
		    struct rspb_err *err)
{
	struct rspb_trials done = { .n = 0 };
	int rc = rspb_trials_some(plan, tries, n, &done, err);

	return rc ? rc : rspb_trials_end(plan, &done, err);
}

int rspb_trials_weigh(const struct rspb_plan *plan, struct rspb_trial *tries, int64_t n,
		      struct rspb_err *err)
{
	const struct rspb_profile *profile = rspb_ledger_profile(plan->ledger);
	int64_t *load = malloc(plan->width * sizeof(*load));
	struct rspb_trial best = tries[0];
	int rc = load ? 0 : rspb_fail(err, "out of memory");

	for (int64_t i = 1; i < n; i++)
		if (compare_merit(&tries[i], &best) < 0)
			best = tries[i];
	for (int64_t i = 0; i < n && !rc; i++) {
		if (compare_merit(&tries[i], &best))
			continue;
		rc = rspb_profile_load(profile, tries[i].start,
				       tries[i].start + plan->request->duration, load, err);
		for (uint32_t m = 0; !rc && m < plan->width; m++)
			tries[i].load += load[m];
	}
	free(load);
	return rc;
}

/* Whether it is over for the request when that ends: a budget comes back to nobody. */
static bool counts(const struct rspb_plan *plan, const struct rspb_hold *hold)
{
	for (uint32_t i = 0; i < plan->n; i++) {
		const struct rspb_quota *quota = rspb_part_quota(&plan->request->parts[i],
								 hold->key);

		if (quota && quota->span != RSPB_QUOTA_EVER)
			return true;
	}
	return false;
}

/* Put a time among n in their order; where there is no room for it, every second one
 * goes before. RET how many there are now. */
static int put(int64_t *times, int n, int64_t time)
{
	int at = n;

	while (at && times[at - 1] > time)
		at--;
	if (at && times[at - 1] == time)
		return n;
	if (n == RSPB_LIFTS_MOST) {
		n /= 2;
		for (int i = 0; i < n; i++)
			times[i] = times[2 * i + 1];
		at = n;
		while (at && times[at - 1] > time)
			at--;
	}
	memmove(&times[at + 1], &times[at], (size_t) (n - at) * sizeof(*times));
	times[at] = time;
	return n + 1;
}

/* The first start at which a limit of leaves does not count any more; -1: none does. */
static int64_t leaves_lifted(const struct rspb_plan *plan)
{
	int64_t longest = 0;

	for (uint32_t i = 0; i < plan->n; i++)
		if (plan->request->parts[i].leaves_for > longest)
			longest = plan->request->parts[i].leaves_for;
	return longest ? plan->request->ready + longest + 1 : -1;
}

int rspb_trials_lifts(const struct rspb_plan *plan, int64_t from, int64_t to,
		      int64_t out[RSPB_LIFTS_MOST])
{
	int64_t lifted = leaves_lifted(plan);
	const struct rspb_hold *holds;
	size_t n_holds;
	bool any = false;
	int n = 0;

	for (uint32_t i = 0; i < plan->n; i++)
		any |= plan->request->parts[i].n_quotas > 0;
	holds = rspb_ledger_holds(plan->ledger, &n_holds);
	for (size_t i = 0; any && i < n_holds; i++)
		if (holds[i].end >= from && holds[i].end <= to && counts(plan, &holds[i]))
			n = put(out, n, holds[i].end);
	return lifted >= from && lifted <= to ? put(out, n, lifted) : n;
}
