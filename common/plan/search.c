/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The start of one request: the one the policy likes best among those at which
 * all of it fits, else the one at which most of it does.
 *
 * Source: Li et al., sections 4.3 and 5, over the nodes of all parts together.
 */
#include "common/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"

/* --- which start a plan likes --- */

const struct rspb_nodeset *rspb_search_eligible(const struct rspb_plan *plan,
						struct rspb_nodeset *set)
{
	rspb_nodeset_clear(set);
	for (uint32_t i = 0; i < plan->n; i++) {
		const struct rspb_part *part = plan->pieces[i].part;
		bool only_fixed = rspb_part_all_fixed(part);

		if (part->share)
			continue;
		/* With such a part every node is eligible. */
		if (!only_fixed && !part->eligible && !plan->bounded)
			return NULL;
		if (part->fixed)
			rspb_nodeset_or(set, part->fixed);
		if (!only_fixed && part->eligible)
			rspb_nodeset_or(set, part->eligible);
		else if (!only_fixed)
			rspb_nodeset_fill(set);
	}
	/* Named nodes are as fast, or the time is reckoned for slower ones. */
	rspb_plan_keep_fast(plan, set);
	return set;
}

/* Whether the machine is so empty that no start is worth waiting for: from ready
 * to deadline at least half of the nodes that will do are free. */
static bool is_calm(const struct rspb_plan *plan, int64_t ready, struct rspb_nodeset *set)
{
	const struct rspb_profile *profile = rspb_ledger_profile(plan->ledger);
	const struct rspb_nodeset *eligible = rspb_search_eligible(plan, set);
	/* A full partition must not look calm because other nodes are free. */
	uint32_t nodes = eligible && plan->has_whole ? rspb_nodeset_count(eligible) : plan->width;
	int64_t end = plan->request->deadline;
	uint32_t most, fewest;

	if (rspb_profile_peak(profile, ready, end, &most, &fewest, NULL))
		return false;
	if (2 * most <= nodes || nodes == plan->width)
		return 2 * most <= nodes;
	/* The peak counts the whole machine. A small partition of a busy one is calm, too, if half
	 * of its nodes are free all the time. */
	if (rspb_profile_free_over(profile, ready, end, plan->scratch, NULL))
		return false;
	rspb_nodeset_and(plan->scratch, eligible);
	return 2 * rspb_nodeset_count(plan->scratch) >= nodes;
}

/* RET how the start of a plan's request is chosen, from second `ready` on; its
 * policy's way, or the earliest, where the request or the policy (calm_first)
 * says so. The set is lost. */
static const struct rspb_when *start_preference(const struct rspb_plan *plan, int64_t ready,
						struct rspb_nodeset *set)
{
	const struct rspb_when *when = plan->policy->when;

	if (plan->request->asap || (when->calm_first && is_calm(plan, ready, set)))
		return rspb_when_find("ff");
	return when;
}

/* --- starts that are worth trying, and what comes of it --- */

/* A request with parts that are hard to match must not hold up its batch on a calendar with tens of
 * thousands of starts. */
enum { TRIALS_MOST = 2048 };

struct trial {
	int64_t start;
	struct rspb_ratio worth; /* at most, where the start counts; else 0 */
	int64_t bound;		 /* it can't grant more than that */
	struct rspb_score score;
	int64_t load; /* booked while it runs, where that counts */
};

/* The same in several turns, each of starts that are no better liked than those of the
 * turn before. */
struct trials {
	int64_t n;	   /* tried so far */
	struct trial most; /* what was worth most; bound 0: nothing */
};

/* Starts in [from, to] from which on less counts against limits of the request, which
 * the calendar of nodes does not show if there are idle ones beside: where a limit of
 * leaves counts no more, and the ends of what runs without a booking and counts. Of many
 * ends some, the last one among them; in order, each once. RET how many. */
enum { LIFTS_MOST = 64 };

/* A start of that score, where no more than bound (rspb_part_add_cpu()) can be
 * granted. */
static struct trial trial_at(const struct rspb_plan *plan, int64_t start, int64_t bound,
			     struct rspb_score score)
{
	return (struct trial){
		.start = start,
		.worth = rspb_plan_worth_most(plan, start, bound / RSPB_SHARE_WHOLE),
		.bound = bound,
		.score = score,
	};
}

/* Compare how much two trials may give, by worth, then by amount: below 0 when a may give more. */
static int compare_bounds(const struct trial *a, const struct trial *b)
{
	int worth = rspb_ratio_compare(b->worth, a->worth);

	if (worth)
		return worth;
	return a->bound > b->bound ? -1 : a->bound < b->bound;
}

/* Compare two trials, the time aside: below 0 when a is better. */
static int compare_merit(const struct trial *a, const struct trial *b)
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
	const struct trial *a = left, *b = right;
	int merit = compare_merit(a, b);

	if (merit)
		return merit;
	return a->start < b->start ? -1 : a->start > b->start;
}

/* RET 1: one of these grants all that it may, and is in the plan; 0: none; -1 with
 * err. */
static int run_some_trials(struct rspb_plan *plan, struct trial *tries, int64_t n,
			   struct trials *done, struct rspb_err *err)
{
	struct trial *most = &done->most;

	qsort(tries, (size_t) n, sizeof(*tries), compare);
	/* A trial's bound is the most that it can have. They are sorted, so after the first one
	 * that cannot beat the best result no other can. The judge may also refuse further
	 * questions. */
	for (int64_t i = 0;
	     i < n && done->n < TRIALS_MOST &&
	     (!most->bound || compare_bounds(&tries[i], most) < 0) && !plan->exhausted;
	     i++, done->n++) {
		int rc = rspb_plan_try(plan, tries[i].start, err);
		struct trial got = { .start = tries[i].start };

		if (rc < 0)
			return -1;
		got.worth = rspb_plan_worth(plan);
		got.bound = rspb_plan_amount(plan);
		/* Nothing can be better than a start that has all that it may have. */
		if (rc && compare_bounds(&got, &tries[i]) <= 0)
			return 1;
		if (rc && (!most->bound || compare_bounds(&got, most) < 0))
			*most = got;
	}
	return 0;
}

/* Take what was worth most. RET as rspb_plan_try(). */
static int end_trials(struct rspb_plan *plan, const struct trials *done, struct rspb_err *err)
{
	return done->most.bound ? rspb_plan_try(plan, done->most.start, err) : 0;
}

/*
 * Try them from the best on, which sorts them. A start that grants all that it may
 * ends it; otherwise what is worth most wins, then the largest amount, the better
 * liked start among equals. RET as rspb_plan_try().
 */
static int run_trials(struct rspb_plan *plan, struct trial *tries, int64_t n, struct rspb_err *err)
{
	struct trials done = { .n = 0 };
	int rc = run_some_trials(plan, tries, n, &done, err);

	return rc ? rc : end_trials(plan, &done, err);
}

/* Fill the load of the best, which are equal so far. RET 0 or -1 with err. */
static int weigh_trials(const struct rspb_plan *plan, struct trial *tries, int64_t n,
			struct rspb_err *err)
{
	const struct rspb_profile *profile = rspb_ledger_profile(plan->ledger);
	int64_t *load = malloc(plan->width * sizeof(*load));
	struct trial best = tries[0];
	int rc = load ? 0 : rspb_fail(err, "out of memory");

	/* Loads are costly, so only starts that are equal otherwise are weighed. */
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
	/* With too many times every second one goes, from the first on, so that the last one
	 * stays. */
	if (n == LIFTS_MOST) {
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

static int list_lifts(const struct rspb_plan *plan, int64_t from, int64_t to,
		      int64_t out[LIFTS_MOST])
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

/* The query for the whole-node parts together, at their aim or their floor. */
static struct rspb_query query_of(const struct rspb_plan *plan, int64_t now, bool at_floor,
				  struct rspb_nodeset *set)
{
	const struct rspb_request *request = plan->request;
	struct rspb_query query = {
		.ready = rspb_request_first(request, now),
		.deadline = rspb_request_last(request) + request->duration + request->clean_up,
		.duration = request->duration + request->clean_up,
		.eligible = rspb_search_eligible(plan, set),
		.open_end = plan->policy->open_end,
		.machine = plan->width,
	};

	/* The nodes that have to stay free are asked for as well. */
	query.nodes = (uint32_t) plan->keep;
	for (uint32_t i = 0; i < plan->n; i++) {
		const struct rspb_piece *piece = &plan->pieces[i];

		if (!piece->part->share)
			query.nodes += (uint32_t) (at_floor ? piece->floor : piece->aim);
	}
	return query;
}

static struct rspb_score score_of(const struct rspb_plan *plan, const struct rspb_rect *rect,
				  const struct rspb_query *query)
{
	const struct rspb_preference *prefers = &plan->when->prefers;

	if (!prefers->score)
		return (struct rspb_score){ 0, 0 };
	return rspb_preference_score(prefers, rect, query);
}

/* A start that is no candidate, liked as the last one before it, into tries[n]; the first
 * `rects` are candidates. RET how many there are now. */
static int64_t add_start(const struct rspb_plan *plan, struct trial *tries, int64_t rects,
			 int64_t n, int64_t start)
{
	int64_t last = -1;

	for (int64_t i = 0; i < rects; i++)
		if (tries[i].start <= start && (last < 0 || tries[i].start > tries[last].start))
			last = i;
	if (last < 0 || tries[last].start == start)
		return n;
	tries[n] = trial_at(plan, start, rspb_plan_wanted(plan), tries[last].score);
	return n + 1;
}

/* Starts from which on less counts against limits. RET how many there are now. */
static int64_t add_lifted(const struct rspb_plan *plan, const struct rspb_query *query,
			  struct trial *tries, int64_t rects)
{
	int64_t n = rects, lifts[LIFTS_MOST];
	int n_lifts = list_lifts(plan, query->ready, query->deadline - query->duration, lifts);

	for (int i = 0; i < n_lifts; i++)
		n = add_start(plan, tries, rects, n, lifts[i]);
	return n;
}

/* Whole nodes only: the candidates of the profile. */
static int search_profile(struct rspb_plan *plan, int64_t now, struct rspb_nodeset *set,
			  struct rspb_err *err)
{
	struct rspb_query query = query_of(plan, now, true, set);
	int64_t wanted = rspb_plan_wanted(plan);
	struct rspb_rect *rects;
	struct trial *tries;
	int64_t n = rspb_profile_candidates(rspb_ledger_profile(plan->ledger), &query, &rects, err);
	int rc;

	if (n <= 0)
		return (int) n;
	tries = malloc((size_t) (n + LIFTS_MOST) * sizeof(*tries));
	for (int64_t i = 0; tries && i < n; i++) {
		/* Nodes that must stay free cannot be granted. A node counts as one CPU, as in
		 * rspb_part_add_cpu(). */
		int64_t room = (rects[i].free - plan->keep) * RSPB_SHARE_WHOLE;

		tries[i] = trial_at(plan, rects[i].start, room < wanted ? room : wanted,
				    score_of(plan, &rects[i], &query));
	}
	rc = tries ? 0 : rspb_fail(err, "out of memory");
	if (!rc)
		n = add_lifted(plan, &query, tries, n);
	if (!rc && plan->policy->tie_load)
		rc = weigh_trials(plan, tries, n, err);
	if (!rc)
		rc = run_trials(plan, tries, n, err);
	free(rects);
	free(tries);
	return rc;
}

/* Use the profile's own search, which is made for one floating part of whole nodes. */
static int search_simple(struct rspb_plan *plan, int64_t now, struct rspb_nodeset *set,
			 struct rspb_err *err)
{
	struct rspb_query query = query_of(plan, now, false, set);
	struct rspb_rect rect;
	int rc;

	if (query.nodes > plan->width || plan->policy->tie_load || plan->request->benefit_time)
		return search_profile(plan, now, set, err);
	rc = rspb_profile_search(rspb_ledger_profile(plan->ledger), &query, &plan->when->prefers,
				 &rect, plan->scratch, err);
	if (rc > 0) {
		rc = rspb_plan_try(plan, rect.start, err);
		/* Limits, the judge or switches have left less than was free: another start may
		 * have more. */
		return rc < 0 || (!plan->excess.quota && !plan->unsuited && !plan->spread)
			       ? rc
			       : search_profile(plan, now, set, err);
	}
	/* All or nothing, and the profile has no start for all. */
	if (rc < 0 || plan->pieces[0].floor == plan->pieces[0].aim)
		return rc;
	return search_profile(plan, now, set, err);
}

/* The most starts for which the search looks up how well their nodes are liked. */
enum { LIKED_MOST = 256 };

/* Times at which something changes, for the search with shares: those in [from, to]. */
struct times {
	const struct rspb_query *query;
	int64_t from, to;
	int64_t *list;
	size_t n, size;
};

static int add_time(struct times *times, int64_t time)
{
	if (time < times->from || time > times->to)
		return 0;
	if (rspb_array_grow(&times->list, &times->size, times->n + 1, sizeof(*times->list)))
		return -1;
	times->list[times->n++] = time;
	return 0;
}

/* A change is a candidate start, and so is what would end there. RET 1: neither that
 * nor what comes later can be one; -1: out of memory. */
static int add_change(int64_t time, const struct rspb_nodeset *booked, void *arg)
{
	struct times *times = arg;

	(void) booked;
	if (time - times->query->duration > times->to)
		return 1;
	return add_time(times, time) || add_time(times, time - times->query->duration) ? -1 : 0;
}

/* Sort the times, each once. */
static void tidy_times(struct times *times)
{
	size_t n = 0;

	qsort(times->list, times->n, sizeof(*times->list), rspb_array_by_i64);
	for (size_t i = 0; i < times->n; i++)
		if (!n || times->list[i] != times->list[n - 1])
			times->list[n++] = times->list[i];
	times->n = n;
}

/* In order. RET 0, -1: out of memory. */
static int gather_times(const struct rspb_plan *plan, struct times *times)
{
	const struct rspb_query *query = times->query;
	int64_t lifts[LIFTS_MOST];
	int n_lifts;

	times->n = 0;
	/* Nothing but the ready time is in the window so far. */
	if (times->to == query->ready)
		return add_time(times, query->ready);
	n_lifts = list_lifts(plan, times->from, times->to, lifts);
	for (int i = 0; i < n_lifts; i++)
		if (add_time(times, lifts[i]))
			return -1;
	if (add_time(times, query->ready) || add_time(times, query->deadline - query->duration) ||
	    rspb_profile_records(rspb_ledger_profile(plan->ledger), add_change, times) < 0)
		return -1;
	/* The profile shows only whether any share of a node is booked, so each booking adds its
	 * own times. */
	for (size_t i = 0; i < rspb_ledger_count(plan->ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(plan->ledger, i);

		if (b->start - query->duration > times->to)
			break;
		if (!rspb_state_final(b->state) &&
		    (add_change(b->start, NULL, times) < 0 || add_change(b->end, NULL, times) < 0))
			return -1;
	}
	tidy_times(times);
	return 0;
}

/* With shares the rectangle is the window itself; its height is the number
 * of nodes that may take part of the request at all. */
static int rect_of(struct rspb_plan *plan, const struct rspb_query *query, int64_t start,
		   struct rspb_nodeset *set, struct rspb_rect *rect, struct rspb_err *err)
{
	*rect = (struct rspb_rect){ .start = start,
				    .left = start,
				    .right = start + query->duration };
	/* Without a preference nobody looks at the rectangle. */
	if (!plan->when->prefers.score)
		return 0;
	if (rspb_ledger_shareable_over(plan->ledger, start, rect->right, set, err))
		return -1;
	rect->free = rspb_nodeset_count(set);
	return 0;
}

/* Try the times that were gathered. RET as run_some_trials(). */
static int try_times(struct rspb_plan *plan, struct times *times, struct rspb_nodeset *set,
		     struct trials *done, struct rspb_err *err)
{
	struct trial *tries = malloc((times->n + 1) * sizeof(*tries));
	int rc = tries ? 0 : rspb_fail(err, "out of memory");

	for (size_t i = 0; !rc && i < times->n; i++) {
		struct rspb_rect rect;

		rc = rect_of(plan, times->query, times->list[i], set, &rect, err);
		tries[i] = trial_at(plan, rect.start, rspb_plan_wanted(plan),
				    score_of(plan, &rect, times->query));
	}
	if (!rc)
		rc = run_some_trials(plan, tries, (int64_t) times->n, done, err);
	free(tries);
	return rc;
}

/* The first LIKED_MOST times and some more, or all up to the last one. */
static int gather_liked(const struct rspb_plan *plan, struct times *times, int64_t last)
{
	int64_t step = times->query->duration;

	do {
		/* The window grows until it has enough times, so that a long calendar is not
		 * read to its end. */
		step = step < last - times->from ? 4 * step : step;
		times->to = last - times->from > step ? times->from + step : last;
		if (gather_times(plan, times))
			return -1;
	} while (times->n < LIKED_MOST && times->to < last);
	if (times->n > LIKED_MOST)
		times->n = LIKED_MOST;
	return 0;
}

/* Where all starts are alike the first one is taken that grants all: those of the next
 * window's length, then of twice as much, and so on, so that what fits soon costs nothing
 * that grows with what is booked later. RET as run_some_trials(). */
static int try_in_turn(struct rspb_plan *plan, struct times *times, int64_t last,
		       struct rspb_nodeset *set, struct trials *done, struct rspb_err *err)
{
	int64_t step = times->query->duration;
	int rc = 0;

	while (!rc && times->from <= last && done->n < TRIALS_MOST) {
		if (gather_times(plan, times))
			return rspb_fail(err, "out of memory");
		rc = try_times(plan, times, set, done, err);
		/* Each time is tried once: the next window begins behind this one. */
		step = step < last - times->from ? 2 * step : step;
		times->from = times->to + 1;
		times->to = last - times->to > step ? times->to + step : last;
	}
	return rc;
}

static int search_times(struct rspb_plan *plan, int64_t now, struct rspb_nodeset *set,
			struct rspb_err *err)
{
	struct rspb_query query = query_of(plan, now, true, set);
	int64_t last = query.deadline - query.duration;
	struct times times = { &query, query.ready, query.ready, NULL, 0, 0 };
	struct trials done = { .n = 0 };
	int rc;

	/* The worth of a start counts, so all starts are compared at once. */
	if (plan->request->benefit_time)
		times.to = last;
	if (!plan->when->prefers.score)
		rc = try_in_turn(plan, &times, last, set, &done, err);
	else if (gather_liked(plan, &times, last))
		rc = rspb_fail(err, "out of memory");
	else
		rc = try_times(plan, &times, set, &done, err);
	free(times.list);
	return rc ? rc : end_trials(plan, &done, err);
}

bool rspb_search_one_start(const struct rspb_plan *plan, int64_t ready)
{
	const struct rspb_request *request = plan->request;

	return ready + request->duration == request->deadline ||
	       (plan->policy->when->prefers.fixed && !request->asap) ||
	       (plan->policy->crowd_prompt && plan->crowds);
}

int rspb_search(struct rspb_plan *plan, int64_t now, struct rspb_err *err)
{
	const struct rspb_request *request = plan->request;
	int64_t ready = rspb_request_first(request, now);
	struct rspb_nodeset *set;
	int rc;

	if (ready > rspb_request_last(request) ||
	    (plan->has_shares && !rspb_ledger_shares(plan->ledger)))
		return 0;
	/* A single start needs no search. */
	if (rspb_search_one_start(plan, ready))
		return rspb_plan_try(plan, ready, err);
	set = rspb_nodeset_create(plan->width);
	if (!set)
		return rspb_fail(err, "out of memory");
	plan->when = start_preference(plan, ready, set);
	if (plan->has_shares)
		rc = search_times(plan, now, set, err);
	else if (plan->n == 1 && !request->parts[0].fixed)
		rc = search_simple(plan, now, set, err);
	else
		rc = search_profile(plan, now, set, err);
	rspb_nodeset_destroy(set);
	return rc;
}

int rspb_search_from(struct rspb_plan *plan, int64_t now, int64_t soonest, struct rspb_err *err)
{
	const struct rspb_request *request = plan->request;
	const struct rspb_when *when = plan->policy->when;
	bool plain = !when->prefers.score && !when->prefers.fixed && !plan->policy->tie_load &&
		     !plan->has_shares && plan->n == 1 && !request->parts[0].fixed &&
		     !request->benefit_time;

	if (plain && soonest >= rspb_request_first(request, now) &&
	    soonest <= rspb_request_last(request)) {
		int rc = rspb_plan_try(plan, soonest, err);

		if (rc < 0 || (rc == 1 && !plan->excess.quota && !plan->unsuited && !plan->spread))
			return rc;
	}
	return rspb_search(plan, now, err);
}

int rspb_search_book(struct rspb_plan *plan, struct rspb_ledger *ledger,
		     struct rspb_booking *booking, int64_t now, struct rspb_err *why,
		     struct rspb_err *err)
{
	/* The grants go to a trial, so that `booking` is as it was unless the ledger accepts
	 * them. */
	struct rspb_booking *trial = rspb_booking_create(booking->request);
	struct rspb_record record = { .kind = RSPB_REC_BOOK, .time = now, .booking = trial };
	int rc = trial ? rspb_plan_begin(plan, booking->request, err)
		       : rspb_fail(err, "out of memory");

	if (!rc)
		rc = rspb_search(plan, now, err);
	if (rc == 1 && rspb_plan_grant(plan, trial, err))
		rc = -1;
	if (rc == 1) {
		rspb_state_next(&trial->state, RSPB_EV_ACCEPT, NULL);
		trial->decided_at = now;
		rc = rspb_ledger_apply(ledger, &record, why) ? 0 : 1;
	}
	if (rc == 1)
		rspb_booking_swap(booking, trial);
	rspb_booking_destroy(trial);
	return rc;
}
