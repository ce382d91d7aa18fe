/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares jobs with what is remembered of them, because Slurm does not say which jobs have
 * changed. The list is used by the agent alone; only the count of updates is written by other
 * threads. This file acts on no job. */
#include "plugins/ctld/observe/changed.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/observe/state.h"

/* A job that is submitted comes into the table later than that. */
enum { FRESH_US = 5000 };
/* The longest time until an unannounced change of a waiting job is seen. */
enum { WHOLE_S = 8 };
/* Compared between two looks at the clock. */
enum { STEP = 64 };

void rspb_changed_update(void)
{
	atomic_fetch_add(&rspb_observe->updates, 1);
}

/* Another one when something may have been cancelled, or somebody has updated a
 * job. */
static uint64_t told(void)
{
	return (uint64_t) rspb_ctld_counts().cancels << 32 ^ atomic_load(&rspb_observe->updates);
}

void rspb_changed_reset(void)
{
	free(rspb_changed->jobs.items);
	free(rspb_changed->ids);
	memset(rspb_changed, 0, sizeof(*rspb_changed));
}

/* Note a leader. Components follow each other, so that comparing with the last entry avoids most
 * repeats. Without memory all jobs count as changed. */
static void note(uint32_t leader)
{
	if (!rspb_changed->listed ||
	    (rspb_changed->n && rspb_changed->ids[rspb_changed->n - 1] == leader))
		return;
	if (rspb_array_grow(&rspb_changed->ids, &rspb_changed->room, rspb_changed->n + 1,
			    sizeof(*rspb_changed->ids)))
		rspb_changed->listed = false;
	else
		rspb_changed->ids[rspb_changed->n++] = leader;
}

/* RET -1: out of memory. The list is then incomplete, which the callers notice by its length. */
static int add(const struct rspb_job_mark *mark, void *arg)
{
	struct rspb_changed_list *jobs = &rspb_changed->jobs;

	(void) arg;
	if (rspb_array_grow(&jobs->items, &jobs->room, jobs->n + 1, sizeof(*jobs->items)))
		return -1;
	jobs->items[jobs->n++] = (struct rspb_changed_known){
		.id = mark->id,
		.leader = mark->leader,
		.mark = mark->mark,
		.asks = rspb_job_asks(mark) & RSPB_JOB_ASKS,
	};
	note(mark->leader);
	return 0;
}

/* Bring what is known of a job up to date. RET false: Slurm has it no more, and its leader is
 * noted one last time. */
static bool compare(struct rspb_changed_known *known)
{
	struct rspb_job_mark is;

	if (!rspb_job_mark_find(known->id, &is)) {
		note(known->leader);
		return false;
	}
	if (is.mark == known->mark && is.leader == known->leader)
		return true;
	*known = (struct rspb_changed_known){ is.id, is.leader, is.mark,
					      rspb_job_asks(&is) & RSPB_JOB_ASKS };
	note(is.leader);
	return true;
}

/* Release the locks for a moment, with urgent work in between, and take them again. Slurm may
 * remove or add jobs meanwhile. RET false: slurmctld is going down. */
static bool go_on(struct rspb_section *section)
{
	struct rspb_section before = *section;

	rspb_section_leave(section);
	rspb_breathe();
	return rspb_section_enter(section, before.kind, before.what);
}

/* Compare the known jobs, and drop those that are gone. RET as above. */
static bool compare_known(struct rspb_section *section)
{
	struct rspb_changed_known *items = rspb_changed->jobs.items;
	bool inside = true;
	size_t kept = 0;

	for (size_t i = 0; i < rspb_changed->jobs.n; i++) {
		struct rspb_changed_known known = items[i];

		if (inside && i % STEP == STEP - 1 && rspb_section_spent(section))
			inside = go_on(section);
		/* If the section is lost, the remaining jobs are kept unexamined. */
		if (!inside || compare(&known))
			items[kept++] = known;
	}
	rspb_changed->jobs.n = kept;
	return inside;
}

/* List all jobs as if none had been known. This is needed if Slurm has jobs that do not follow the
 * last known one. RET as above. */
static bool list_all(struct rspb_section *section)
{
	bool inside;

	rspb_changed->listed = false;
	rspb_changed->jobs.n = 0;
	if (rspb_walk_jobs(section, &inside, add, NULL))
		rspb_changed->jobs.n = 0;
	if (!inside)
		rspb_changed->looked = 0;
	return inside;
}

/* Compare all jobs; those that change meanwhile are compared once more. RET as above. */
static bool compare_all(struct rspb_section *section)
{
	size_t n, all;

	/* Read the counts before the comparison. A change during it then shows as a difference at
	 * the next look. */
	rspb_changed->told = told();
	rspb_changed->looked = time(NULL);
	rspb_changed->looked_us = rspb_section_clock_us();
	rspb_changed->returns = rspb_ctld_counts().returns;
	if (!compare_known(section)) {
		rspb_changed->looked = 0;
		return false;
	}
	/* Jobs that were submitted since come after the last one that is known. */
	n = rspb_changed->jobs.n;
	if (rspb_job_marks_behind(n ? rspb_changed->jobs.items[n - 1].id : 0, n ? add : NULL, NULL,
				  &all))
		rspb_changed->listed = false;
	if (rspb_changed->jobs.n > all)
		rspb_changed->looked = 0; /* some went behind our back */
	else if (rspb_changed->jobs.n < all)
		return list_all(section);
	return true;
}

/* RET whether what is known, with those that are new, is all that there is. */
static bool add_new(void)
{
	int64_t now = time(NULL);
	size_t all;

	/* A job that was put back into the waiting room keeps its id, so that a look at new jobs
	 * alone would miss it. The count of all jobs shows whether any has gone. */
	return rspb_changed->jobs.n && now >= rspb_changed->looked &&
	       now < rspb_changed->looked + WHOLE_S &&
	       rspb_changed->returns == rspb_ctld_counts().returns &&
	       !rspb_job_marks_behind(rspb_changed->jobs.items[rspb_changed->jobs.n - 1].id, add,
				      NULL, &all) &&
	       rspb_changed->jobs.n == all;
}

/* Whether Slurm has changed no job since all were compared. Slurm stamps changes in whole seconds,
 * so that a change in the second of the comparison itself does not count as seen. */
static bool is_calm(void)
{
	return rspb_changed->looked &&
	       rspb_ctld_changed(RSPB_CHANGED_JOBS) < rspb_changed->looked &&
	       rspb_changed->looked <= time(NULL);
}

bool rspb_changed_look(struct rspb_section *section, bool *inside)
{
	*inside = true;
	/* Several callers ask within one round of the agent, which need not compare each time. */
	if (is_calm() ||
	    (rspb_changed->looked && rspb_section_clock_us() < rspb_changed->looked_us + FRESH_US))
		return false;
	if (rspb_changed->told == told() && add_new())
		return true;
	*inside = compare_all(section);
	return false;
}

bool rspb_changed_look_new(struct rspb_section *section)
{
	return is_calm() || add_new() || compare_all(section);
}

int64_t rspb_changed_jobs(uint64_t **ids)
{
	int64_t n = rspb_changed->listed ? (int64_t) rspb_changed->n : -1;

	*ids = rspb_changed->ids;
	rspb_changed->ids = NULL;
	rspb_changed->n = rspb_changed->room = 0;
	rspb_changed->listed = true;
	if (n >= 0)
		return n;
	free(*ids);
	*ids = NULL;
	return -1;
}

void rspb_changed_asking(rspb_job_fn fn, void *arg)
{
	struct rspb_job job;
	int rc = 0;

	for (size_t i = 0; i < rspb_changed->jobs.n && !rc; i++) {
		struct rspb_changed_known *known = &rspb_changed->jobs.items[i];

		if (!known->asks)
			continue;
		if (!rspb_job_find(known->id, &job))
			continue;
		/* A job that is over is passed on once. Any later change gives a job another mark,
		 * after which compare() asks about it anew. */
		known->asks = job.phase == RSPB_JOB_PENDING;
		rc = fn(&job, arg);
	}
}
