/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions: checked here, answered by the form that the profile is in. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/calendar/internal.h"

int rspb_profile_free_over(const struct rspb_profile *profile, int64_t start,
			   int64_t end, struct rspb_nodeset *out,
			   struct rspb_err *err)
{
	if (rspb_profile_check_window(start, end, err) ||
	    rspb_profile_check_width(profile, out, err))
		return -1;
	if (start < profile->now)
		start = profile->now;
	if (end <= start)
		rspb_nodeset_fill(out);
	else
		profile->form->free_over(profile, start, end, out);
	return 0;
}

int rspb_profile_peak(const struct rspb_profile *profile, int64_t start,
		      int64_t end, uint32_t *most, uint32_t *fewest,
		      struct rspb_err *err)
{
	bool past = start < profile->now;

	if (rspb_profile_check_window(start, end, err))
		return -1;
	if (past)
		start = profile->now;
	*most = 0;
	if (end > start)
		profile->form->peak(profile, start, end, most, fewest);
	/* Of what has passed nothing is known to be booked. */
	if (past)
		*fewest = 0;
	return 0;
}

int rspb_profile_load(const struct rspb_profile *profile, int64_t start,
		      int64_t end, int64_t *per_node, struct rspb_err *err)
{
	if (rspb_profile_check_window(start, end, err))
		return -1;
	if (start < profile->now)
		start = profile->now;
	if (end > start)
		profile->form->load(profile, start, end, per_node);
	else
		memset(per_node, 0, profile->nodes * sizeof(*per_node));
	return 0;
}

int rspb_profile_no_gap(int64_t start, int64_t end, struct rspb_err *err)
{
	return rspb_fail(err,
			 "a node is booked within %" PRId64 " to %" PRId64
			 "; gaps are asked for free nodes only",
			 start, end);
}

int rspb_profile_gaps(const struct rspb_profile *profile, int64_t start,
		      int64_t end, const struct rspb_nodeset *free_nodes,
		      int64_t *left, int64_t *right, struct rspb_err *err)
{
	if (rspb_profile_check_window(start, end, err) ||
	    rspb_profile_check_width(profile, free_nodes, err))
		return -1;
	if (start < profile->now)
		return rspb_fail(err,
				 "window %" PRId64 " to %" PRId64
				 " begins before now (%" PRId64 "); what has "
				 "passed is not known",
				 start, end, profile->now);
	return profile->form->gaps(profile, start, end, free_nodes, left, right,
				   err);
}

RSPB_SEARCH
int rspb_profile_check_query(const struct rspb_profile *profile,
			     const struct rspb_query *query,
			     struct rspb_err *err)
{
	if (query->duration <= 0 || query->duration >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "duration %" PRId64 " is out of range; "
				 "it must be at least 1 and under 2^61 seconds",
				 query->duration);
	if (!query->nodes)
		return rspb_fail(err, "0 nodes were asked for; at least 1 is "
				      "needed");
	if (query->ready <= RSPB_TIME_MIN || query->ready >= RSPB_TIME_MAX ||
	    query->deadline <= RSPB_TIME_MIN ||
	    query->deadline >= RSPB_TIME_MAX)
		return rspb_fail(err,
				 "ready %" PRId64 " or deadline %" PRId64
				 " is out of range; times lie within 2^61 "
				 "seconds of the epoch",
				 query->ready, query->deadline);
	if (query->eligible)
		return rspb_profile_check_width(profile, query->eligible, err);
	return 0;
}

int64_t rspb_profile_open_end(const struct rspb_profile *profile,
			      const struct rspb_query *query, int64_t start)
{
	int64_t end = start + query->duration;
	int64_t last = rspb_profile_last(profile);

	switch (query->open_end) {
	case RSPB_OPEN_INFINITE:
		return RSPB_TIME_MAX;
	case RSPB_OPEN_LAST:
		return last > end ? last : end;
	case RSPB_OPEN_DEADLINE_ONLY:
		return query->deadline > end ? query->deadline : end;
	case RSPB_OPEN_DEADLINE:
		break;
	}
	if (query->deadline > last)
		last = query->deadline;
	return last > end ? last : end;
}

/* Give a rectangle that is open the end that the query wants. */
RSPB_SEARCH
static void close_end(const struct rspb_profile *profile,
		      const struct rspb_query *query, struct rspb_rect *rect)
{
	if (rect->right == RSPB_TIME_MAX)
		rect->right = rspb_profile_open_end(profile, query,
						    rect->start);
}

int rspb_profile_rect(const struct rspb_profile *profile,
		      const struct rspb_query *query, int64_t start,
		      struct rspb_rect *rect, struct rspb_nodeset *set,
		      struct rspb_err *err)
{
	if (rspb_profile_check_query(profile, query, err) ||
	    (set && rspb_profile_check_width(profile, set, err)))
		return -1;
	if (start < profile->now || start >= RSPB_TIME_MAX - query->duration)
		return rspb_fail(err,
				 "start %" PRId64 " is out of range; it "
				 "must not lie before now (%" PRId64 ") nor "
				 "end beyond 2^61",
				 start, profile->now);
	profile->form->measure(profile, query, start, rect, set);
	close_end(profile, query, rect);
	return 0;
}

/* RET 1 when the query has a start, 0 when it has none, -1 with err. */
RSPB_SEARCH
static int check_starts(const struct rspb_profile *profile,
			const struct rspb_query *query, struct rspb_err *err)
{
	if (rspb_profile_check_query(profile, query, err))
		return -1;
	return rspb_query_first(profile, query) <= rspb_query_last(query);
}

RSPB_SEARCH
int rspb_profile_search(const struct rspb_profile *profile,
			const struct rspb_query *query,
			const struct rspb_when *when, struct rspb_rect *rect,
			struct rspb_nodeset *set, struct rspb_err *err)
{
	struct rspb_rect best;
	int rc;

	if (when->score)
		rspb_expect_search();
	if (rspb_profile_check_width(profile, set, err))
		return -1;
	rc = check_starts(profile, query, err);
	if (rc <= 0)
		return rc;
	if (!when->fixed)
		rc = profile->form->search(profile, query, when, &best, set);
	else if ((rc = query->ready >= profile->now))
		profile->form->measure(profile, query, query->ready, &best,
				       set);
	if (rc < 0)
		return rspb_profile_no_memory(err);
	if (!rc || best.free < query->nodes)
		return 0;
	close_end(profile, query, &best);
	*rect = best;
	return 1;
}

int64_t rspb_profile_candidates(const struct rspb_profile *profile,
				const struct rspb_query *query,
				struct rspb_rect **rects, struct rspb_err *err)
{
	int64_t count;
	int rc;

	*rects = NULL;
	rc = check_starts(profile, query, err);
	if (rc <= 0)
		return rc;
	count = profile->form->candidates(profile, query, rects);
	return count < 0 ? rspb_profile_no_memory(err) : count;
}

int rspb_profile_records(const struct rspb_profile *profile,
			 rspb_profile_record_fn fn, void *arg)
{
	return profile->form->records(profile, fn, arg);
}

void rspb_profile_stats(const struct rspb_profile *profile,
			struct rspb_profile_stats *stats)
{
	*stats = (struct rspb_profile_stats){
		.bytes = sizeof(*profile) + rspb_scratch_bytes(profile),
	};
	for (int i = 0; i < RSPB_REMNANTS; i++)
		stats->bytes += profile->gone[i].bytes;
	if (profile->making)
		profile->making->stats(profile, stats);
	profile->form->stats(profile, stats);
}

int rspb_profile_validate(const struct rspb_profile *profile,
			  struct rspb_err *err)
{
	if (profile->making && profile->making->validate(profile, err))
		return rspb_fail_at(err, "in the form that is being made");
	return profile->form->validate(profile, err);
}
