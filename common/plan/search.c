/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/search.h"

#include <stdlib.h>

#include "common/base/array.h"
#include "common/plan/liking.h"
#include "common/plan/trials.h"
#include "common/policy/when.h"

/* The query for the whole-node parts together, at their aim or their floor. */
static struct rspb_query query_of(const struct rspb_plan *plan, int64_t now, bool at_floor,
				  struct rspb_nodeset *set)
{
	const struct rspb_request *request = plan->request;
	struct rspb_query query = {
		.ready = request->ready > now ? request->ready : now,
		.deadline = rspb_request_last(request) + request->duration + request->clean_up,
		.duration = request->duration + request->clean_up,
		.eligible = rspb_liking_eligible(plan, set),
		.open_end = plan->policy->open_end,
		.machine = plan->width,
	};

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
static int64_t add_start(const struct rspb_plan *plan, struct rspb_trial *tries, int64_t rects,
			 int64_t n, int64_t start)
{
	int64_t last = -1;

	for (int64_t i = 0; i < rects; i++)
		if (tries[i].start <= start && (last < 0 || tries[i].start > tries[last].start))
			last = i;
	if (last < 0 || tries[last].start == start)
		return n;
	tries[n] = rspb_trial_at(plan, start, rspb_plan_wanted(plan), tries[last].score);
	return n + 1;
}

/* Starts from which on less counts against limits. RET how many there are now. */
static int64_t add_lifted(const struct rspb_plan *plan, const struct rspb_query *query,
			  struct rspb_trial *tries, int64_t rects)
{
	int64_t n = rects, lifts[RSPB_LIFTS_MOST];
	int n_lifts = rspb_trials_lifts(plan, query->ready, query->deadline - query->duration,
					lifts);

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
	struct rspb_trial *tries;
	int64_t n = rspb_profile_candidates(rspb_ledger_profile(plan->ledger), &query, &rects, err);
	int rc;

	if (n <= 0)
		return (int) n;
	tries = malloc((size_t) (n + RSPB_LIFTS_MOST) * sizeof(*tries));
	for (int64_t i = 0; tries && i < n; i++) {
		int64_t room = (rects[i].free - plan->keep) * RSPB_SHARE_WHOLE;

		tries[i] = rspb_trial_at(plan, rects[i].start, room < wanted ? room : wanted,
					 score_of(plan, &rects[i], &query));
	}
	rc = tries ? 0 : rspb_fail(err, "out of memory");
	if (!rc)
		n = add_lifted(plan, &query, tries, n);
	if (!rc && plan->policy->tie_load)
		rc = rspb_trials_weigh(plan, tries, n, err);
	if (!rc)
		rc = rspb_trials_run(plan, tries, n, err);
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
		/* Limits, or who starts it, may leave more at another time. */
		return rc < 0 || (!plan->excess.quota && !plan->unsuited && !plan->spread)
			       ? rc
			       : search_profile(plan, now, set, err);
	}
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
	int64_t lifts[RSPB_LIFTS_MOST];
	int n_lifts;

	times->n = 0;
	if (times->to == query->ready)
		return add_time(times, query->ready);
	n_lifts = rspb_trials_lifts(plan, times->from, times->to, lifts);
	for (int i = 0; i < n_lifts; i++)
		if (add_time(times, lifts[i]))
			return -1;
	if (add_time(times, query->ready) || add_time(times, query->deadline - query->duration) ||
	    rspb_profile_records(rspb_ledger_profile(plan->ledger), add_change, times) < 0)
		return -1;
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
	if (!plan->when->prefers.score)
		return 0;
	if (rspb_ledger_shareable_over(plan->ledger, start, rect->right, set, err))
		return -1;
	rect->free = rspb_nodeset_count(set);
	return 0;
}

/* Try the times that were gathered. RET as rspb_trials_some(). */
static int try_times(struct rspb_plan *plan, struct times *times, struct rspb_nodeset *set,
		     struct rspb_trials *done, struct rspb_err *err)
{
	struct rspb_trial *tries = malloc((times->n + 1) * sizeof(*tries));
	int rc = tries ? 0 : rspb_fail(err, "out of memory");

	for (size_t i = 0; !rc && i < times->n; i++) {
		struct rspb_rect rect;

		rc = rect_of(plan, times->query, times->list[i], set, &rect, err);
		tries[i] = rspb_trial_at(plan, rect.start, rspb_plan_wanted(plan),
					 score_of(plan, &rect, times->query));
	}
	if (!rc)
		rc = rspb_trials_some(plan, tries, (int64_t) times->n, done, err);
	free(tries);
	return rc;
}

/* The first LIKED_MOST times and some more, or all up to the last one. */
static int gather_liked(const struct rspb_plan *plan, struct times *times, int64_t last)
{
	int64_t step = times->query->duration;

	do {
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
 * that grows with what is booked later. RET as rspb_trials_some(). */
static int try_in_turn(struct rspb_plan *plan, struct times *times, int64_t last,
		       struct rspb_nodeset *set, struct rspb_trials *done, struct rspb_err *err)
{
	int64_t step = times->query->duration;
	int rc = 0;

	while (!rc && times->from <= last && done->n < RSPB_TRIALS_MOST) {
		if (gather_times(plan, times))
			return rspb_fail(err, "out of memory");
		rc = try_times(plan, times, set, done, err);
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
	struct rspb_trials done = { .n = 0 };
	int rc;

	if (plan->request->benefit_time)
		times.to = last;
	if (!plan->when->prefers.score)
		rc = try_in_turn(plan, &times, last, set, &done, err);
	else if (gather_liked(plan, &times, last))
		rc = rspb_fail(err, "out of memory");
	else
		rc = try_times(plan, &times, set, &done, err);
	free(times.list);
	return rc ? rc : rspb_trials_end(plan, &done, err);
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
	int64_t ready = request->ready > now ? request->ready : now;
	struct rspb_nodeset *set;
	int rc;

	if (ready > rspb_request_last(request) ||
	    (plan->has_shares && !rspb_ledger_shares(plan->ledger)))
		return 0;
	if (rspb_search_one_start(plan, ready))
		return rspb_plan_try(plan, ready, err);
	set = rspb_nodeset_create(plan->width);
	if (!set)
		return rspb_fail(err, "out of memory");
	plan->when = rspb_liking(plan, ready, set);
	if (plan->has_shares)
		rc = search_times(plan, now, set, err);
	else if (plan->n == 1 && !request->parts[0].fixed)
		rc = search_simple(plan, now, set, err);
	else
		rc = search_profile(plan, now, set, err);
	rspb_nodeset_destroy(set);
	return rc;
}

int rspb_search_book(struct rspb_plan *plan, struct rspb_ledger *ledger,
		     struct rspb_booking *booking, int64_t now, struct rspb_err *why,
		     struct rspb_err *err)
{
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
