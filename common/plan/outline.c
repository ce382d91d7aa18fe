/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans movable bookings in numbers of nodes. The calendar of nodes is read once for all tries;
 * every try then works on a copy of the steps. */
#include "common/plan/outline.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"

void rspb_outline_fini(struct rspb_outline *outline)
{
	free(outline->jobs);
	free(outline->kept);
	rspb_ladder_fini(&outline->free);
	rspb_ladder_fini(&outline->trial);
	*outline = (struct rspb_outline){ .jobs = NULL };
}

int rspb_outline_add(struct rspb_outline *outline, const struct rspb_outlined *job)
{
	if (rspb_array_grow(&outline->jobs, &outline->room, outline->n + 1, sizeof(*outline->jobs)))
		return -1;
	outline->jobs[outline->n++] = *job;
	return 0;
}

/* Widen [*from, *until) to what a job may use. */
static void widen(const struct rspb_outlined *job, int64_t *from, int64_t *until)
{
	int64_t latest = job->last + job->takes;

	*from = job->ready < *from ? job->ready : *from;
	*until = latest > *until ? latest : *until;
	/* A newcomer has no place yet: both times are 0. */
	if (job->start == job->until)
		return;
	*from = job->start < *from ? job->start : *from;
	*until = job->until > *until ? job->until : *until;
}

/* Turn candidates for one node and one second into steps. A candidate is missing where no node is
 * free: then the rectangle of the second before ends there. */
static int append_steps(struct rspb_ladder *ladder, const struct rspb_rect *rects, int64_t n,
			int64_t from)
{
	bool free_at_once = n && rects[0].start == from;

	if (rspb_ladder_begin(ladder, from, free_at_once ? rects[0].free : 0))
		return -1;
	for (int64_t i = 0; i < n; i++) {
		int64_t next = rects[i].start + 1;

		if (rspb_ladder_append(ladder, rects[i].start, rects[i].free))
			return -1;
		if (rects[i].right == next && (i + 1 == n || rects[i + 1].start > next) &&
		    rspb_ladder_append(ladder, next, 0))
			return -1;
	}
	return 0;
}

/* Read the steps of some of the nodes within [from, until). RET 0, -1 with err. */
static int read_among(struct rspb_ladder *ladder, const struct rspb_profile *profile,
		      const struct rspb_nodeset *among, int64_t from, int64_t until,
		      struct rspb_err *err)
{
	/* A second on one node fits wherever a node is free, so the candidates show each step of
	 * the calendar within these times. */
	const struct rspb_query query = {
		.ready = from, .deadline = until, .duration = 1, .nodes = 1, .eligible = among
	};
	struct rspb_rect *rects;
	int64_t n = rspb_profile_candidates(profile, &query, &rects, err);
	int rc;

	if (n < 0)
		return -1;
	rc = append_steps(ladder, rects, n, from);
	free(rects);
	return rc ? rspb_fail(err, "out of memory") : 0;
}

int rspb_outline_read(struct rspb_outline *outline, const struct rspb_profile *profile,
		      const struct rspb_nodeset *among, const struct rspb_outlined *newcomer,
		      struct rspb_err *err)
{
	int64_t from = INT64_MAX, until = 0;
	int rc;

	if (newcomer)
		widen(newcomer, &from, &until);
	for (size_t i = 0; i < outline->n; i++)
		widen(&outline->jobs[i], &from, &until);
	/* The calendar has nothing before its own time. */
	if (from < rspb_profile_now(profile))
		from = rspb_profile_now(profile);
	if (among && read_among(&outline->free, profile, among, from, until, err))
		return -1;
	rc = among ? 0 : rspb_profile_ladder(profile, from, until, &outline->free);
	/* The calendar has the jobs at their places; give these nodes back. A node that is
	 * blocked as well, such as a failed one, counts as free then; a plan on nodes finds that
	 * out. */
	for (size_t i = 0; i < outline->n && !rc; i++) {
		const struct rspb_outlined *job = &outline->jobs[i];

		rc = rspb_ladder_take(&outline->free, job->start, job->until, -job->nodes);
	}
	return rc ? rspb_fail(err, "out of memory") : 0;
}

/* Place one at its earliest start, with the time to clean up its nodes. RET 1, 0: it has no
 * place; -1: out of memory. */
static int place(struct rspb_outline *outline, const struct rspb_outlined *job, int64_t *start)
{
	struct rspb_ladder *trial = &outline->trial;

	if (!rspb_ladder_search(trial, job->nodes, job->ready, job->last, job->takes, start))
		return 0;
	return rspb_ladder_take(trial, *start, *start + job->takes, job->nodes) ? -1 : 1;
}

/* RET by how much later one starts than before, in 1/100 of its duration. */
static int64_t delay_of(const struct rspb_outlined *job)
{
	return (job->next - job->start) * 100 / job->duration;
}

/* Put the jobs back that are first; then those that still have room where they are. RET 0, -1:
 * out of memory. */
static int put_back(struct rspb_outline *outline, bool first)
{
	struct rspb_ladder *trial = &outline->trial;

	for (size_t i = 0; i < outline->n; i++) {
		struct rspb_outlined *job = &outline->jobs[i];

		if (job->first != first)
			continue;
		/* Where not all have room, those stay that come first in the order of jobs. */
		job->away = !first && rspb_ladder_least(trial, job->start, job->until) < job->nodes;
		job->next = job->start;
		/* A job that is `first` is put back even if too few nodes are free, because
		 * nobody may be placed over it. */
		if (!job->away && rspb_ladder_take(trial, job->start, job->until, job->nodes))
			return -1;
	}
	return 0;
}

/* Place those that are away. RET 1; 0: one has no place and is first now, or too many are away;
 * -1: out of memory. */
static int place_away(struct rspb_outline *outline, size_t most, int64_t *delays)
{
	for (size_t i = 0; i < outline->n; i++) {
		struct rspb_outlined *job = &outline->jobs[i];
		int rc;

		if (!job->away)
			continue;
		/* Without a move left a job counts as one that has no place. */
		rc = most ? place(outline, job, &job->next) : 0;
		if (rc <= 0) {
			job->first = true;
			return rc;
		}
		most--;
		*delays += job->next > job->start ? delay_of(job) : 0;
	}
	return 1;
}

int rspb_outline_admit(struct rspb_outline *outline, const struct rspb_outlined *newcomer,
		       size_t most, int64_t patience, int64_t repairs)
{
	int64_t delays, start;
	int rc;

	do {
		/* Each repair has one more job that the newcomer is placed around. */
		delays = 0;
		if (rspb_ladder_copy(&outline->trial, &outline->free) || put_back(outline, true))
			return -1;
		rc = place(outline, newcomer, &start);
		if (rc <= 0)
			return rc;
		rc = put_back(outline, false) ? -1 : place_away(outline, most, &delays);
	} while (!rc && repairs-- > 0);
	return rc == 1 && delays > patience ? 0 : rc;
}

/* Jobs with the least choice first (Liu and Layland). The index breaks ties, so that the plan
 * does not depend on qsort(). */
static int by_last(const void *left, const void *right)
{
	const struct rspb_outlined *a = left, *b = right;

	if (a->last != b->last)
		return a->last < b->last ? -1 : 1;
	return a->of < b->of ? -1 : 1;
}

/* Brief jobs first: delays are counted in durations, so a second counts most for a brief job. */
static int by_duration(const void *left, const void *right)
{
	const struct rspb_outlined *a = left, *b = right;

	if (a->duration != b->duration)
		return a->duration < b->duration ? -1 : 1;
	return by_last(left, right);
}

/* Place all in an order. A job that has no place goes to the front, and all are placed again.
 * RET 1 with the sum of their delays, 0, -1: out of memory. */
static int place_in_order(struct rspb_outline *outline, int (*order)(const void *, const void *),
			  int64_t repairs, int64_t *delays)
{
	struct rspb_outlined *jobs = outline->jobs;
	int rc;

	qsort(jobs, outline->n, sizeof(*jobs), order);
	do {
		*delays = 0;
		rc = rspb_ladder_copy(&outline->trial, &outline->free) ? -1 : 1;
		for (size_t i = 0; i < outline->n && rc == 1; i++) {
			struct rspb_outlined job = jobs[i];

			rc = place(outline, &job, &job.next);
			job.away = job.next != job.start;
			*delays += delay_of(&job);
			if (!rc)
				memmove(jobs + 1, jobs, i * sizeof(*jobs));
			jobs[rc ? i : 0] = job;
		}
	} while (!rc && repairs-- > 0);
	return rc;
}

/* Keep a copy of the plan in `jobs`. RET 0, -1: out of memory. */
static int keep_plan(struct rspb_outline *outline)
{
	if (rspb_array_grow(&outline->kept, &outline->kept_room, outline->n,
			    sizeof(*outline->kept)))
		return -1;
	memcpy(outline->kept, outline->jobs, outline->n * sizeof(*outline->kept));
	return 0;
}

int rspb_outline_advance(struct rspb_outline *outline, int64_t repairs, int64_t *delays)
{
	int64_t least = 0, urgent, brief;
	int rc, other;

	/* If even the earliest starts of all jobs together gain nothing, no order does. */
	for (size_t i = 0; i < outline->n; i++) {
		struct rspb_outlined *job = &outline->jobs[i];

		job->next = job->ready;
		least += delay_of(job);
	}
	if (least >= 0)
		return 0;
	rc = place_in_order(outline, by_last, repairs, &urgent);
	if (rc == 1 && keep_plan(outline))
		rc = -1;
	other = rc < 0 ? -1 : place_in_order(outline, by_duration, repairs, &brief);
	if (other < 0)
		return -1;
	*delays = brief;
	/* The last order that was tried is the plan in `jobs`. */
	if (rc == 1 && (!other || urgent <= brief)) {
		memcpy(outline->jobs, outline->kept, outline->n * sizeof(*outline->jobs));
		*delays = urgent;
		other = 1;
	}
	return other == 1 && *delays >= 0 ? 0 : other;
}
