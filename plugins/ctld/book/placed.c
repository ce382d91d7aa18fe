/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the numbers of the jobs that have nodes. Their nodes and times are looked up in Slurm. */
#include "plugins/ctld/book/occupancy.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/ctld/book/state.h"

/* The last jobs that were given nodes; they may have ended since. Slurm's locks guard this:
 * notes are made with the write lock. */

/* Under the write lock. The oldest note is overwritten; readers find out by the count. */
static void note(struct rspb_starts_note start)
{
	rspb_book->starts.items[rspb_book->starts.n++ % RSPB_STARTS_MOST] = start;
}

void rspb_starts_note(uint32_t job)
{
	note((struct rspb_starts_note){ .job = job });
}

void rspb_starts_note_task(uint32_t array, uint32_t task)
{
	note((struct rspb_starts_note){ array, task, true });
}

uint32_t rspb_starts_count(void)
{
	return rspb_book->starts.n;
}

/* A job that Slurm tries several times is noted each time. */
static int add_once(uint32_t *ids, int n, uint32_t id)
{
	for (int i = 0; i < n; i++)
		if (ids[i] == id)
			return n;
	ids[n] = id;
	return n + 1;
}

int rspb_starts_since(uint32_t count, uint32_t ids[RSPB_STARTS_MOST])
{
	int n = 0;

	if (rspb_book->starts.n - count > RSPB_STARTS_MOST)
		return -1;
	for (; count != rspb_book->starts.n; count++) {
		struct rspb_starts_note start = rspb_book->starts.items[count % RSPB_STARTS_MOST];

		/* A task gets its number when Slurm splits it off the array, after it was
		 * noted. */
		if (start.of_array)
			start.job = rspb_job_of_task(start.job, start.task);
		n = add_once(ids, n, start.job);
	}
	return n;
}

/* How many jobs are examined each time for whether they are gone. */
enum { SWEPT = 512 };

/* Slurm's threads read the list under the write lock, which keeps them out here. If the lock cannot
 * be had, the list stays. */
void rspb_placed_reset(void)
{
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "placed"))
		return;
	free(rspb_placed->ids);
	memset(rspb_placed, 0, sizeof(*rspb_placed));
	rspb_section_leave(&section);
}

static int add(uint32_t id, size_t at)
{
	return rspb_array_insert(&rspb_placed->ids, &rspb_placed->room, &rspb_placed->n, at, &id,
				 sizeof(id))
		       ? 0
		       : -1;
}

/* Appended in Slurm's order, and sorted when all are there. */
static int add_placed(const struct rspb_job_mark *mark, void *arg)
{
	(void) arg;
	return mark->placed ? add(mark->id, rspb_placed->n) : 0;
}

static size_t place_of(uint32_t id)
{
	return rspb_array_place(&id, rspb_placed->ids, rspb_placed->n, sizeof(id),
				rspb_array_by_u32);
}

static bool is_at(size_t at, uint32_t id)
{
	return at < rspb_placed->n && rspb_placed->ids[at] == id;
}

/* Each number is there once. */
static int add_new(uint32_t id)
{
	size_t at = place_of(id);

	return is_at(at, id) ? 0 : add(id, at);
}

static bool is_placed(uint32_t id)
{
	struct rspb_job_mark mark;

	return rspb_job_mark_find(id, &mark) && mark.placed;
}

/* Drop jobs that have ended, a few each time. Nobody is told of ends, and a number that stays
 * for a while does no harm: whoever uses it looks the job up. */
static void sweep(void)
{
	size_t from = rspb_placed->next < rspb_placed->n ? rspb_placed->next : 0;
	size_t to = from + SWEPT < rspb_placed->n ? from + SWEPT : rspb_placed->n;
	size_t stay = from;

	for (size_t i = from; i < to; i++)
		if (is_placed(rspb_placed->ids[i]))
			rspb_placed->ids[stay++] = rspb_placed->ids[i];
	if (rspb_placed->n > to)
		memmove(rspb_placed->ids + stay, rspb_placed->ids + to,
			(rspb_placed->n - to) * sizeof(*rspb_placed->ids));
	rspb_placed->n -= to - stay;
	rspb_placed->next = stay;
}

/* List all jobs that have nodes. The locks are released on the way, and others that ask
 * meanwhile must not take the part for the whole. RET 0, or -1: out of memory. */
static int list_all(struct rspb_section *section, bool *inside)
{
	int rc;

	rspb_placed->known = false;
	rspb_placed->n = rspb_placed->next = 0;
	rc = rspb_walk_jobs(section, inside, add_placed, NULL);
	if (rc || !*inside)
		return rc;
	if (rspb_placed->n)
		qsort(rspb_placed->ids, rspb_placed->n, sizeof(*rspb_placed->ids),
		      rspb_array_by_u32);
	rspb_placed->known = true;
	return 0;
}

int rspb_placed_see(struct rspb_section *section, bool *inside)
{
	uint32_t ids[RSPB_STARTS_MOST];
	int n = rspb_placed->known ? rspb_starts_since(rspb_placed->starts, ids) : -1, rc = 0;

	*inside = true;
	/* Read before the list is made. A job that starts meanwhile is seen once more the next
	 * time, which does no harm. */
	rspb_placed->starts = rspb_starts_count();
	if (n < 0)
		return list_all(section, inside);
	sweep();
	for (int i = 0; i < n && !rc; i++)
		rc = add_new(ids[i]);
	rspb_placed->known = !rc;
	return rc;
}

const uint32_t *rspb_placed_ids(size_t *n)
{
	*n = rspb_placed->n;
	return rspb_placed->ids;
}

void rspb_placed_keep_up(void)
{
	struct rspb_section section;
	bool inside = true;

	if (!rspb_placed->known ||
	    rspb_starts_count() - rspb_placed->starts <= RSPB_STARTS_MOST / 2 ||
	    !rspb_section_enter(&section, RSPB_LOCK_READ, "placed"))
		return;
	rspb_placed_see(&section, &inside);
	if (inside)
		rspb_section_leave(&section);
}

struct each {
	rspb_job_fn fn;
	void *arg;
};

/* Call fn for a job that has nodes. Looking at a mark is cheap, while a view of a record reads many
 * members. RET what fn returned, else 0. */
static int visit_mark(const struct rspb_job_mark *mark, void *arg)
{
	const struct each *each = arg;
	struct rspb_job job;

	return mark->placed && rspb_job_find(mark->id, &job) ? each->fn(&job, each->arg) : 0;
}

/* Most jobs that are known to have nodes still have them, so that their marks need not be read
 * first. */
static int visit(uint32_t id, rspb_job_fn fn, void *arg)
{
	struct rspb_job job;
	bool placed = rspb_job_find(id, &job) && (job.phase == RSPB_JOB_RUNNING || job.completing);

	return placed ? fn(&job, arg) : 0;
}

/* The walk keeps the lock, under which its caller was called. */
static bool go_on(void *arg)
{
	(void) arg;
	return true;
}

int rspb_placed_each(rspb_job_fn fn, void *arg)
{
	uint32_t ids[RSPB_STARTS_MOST];
	/* The list is only read here, because the agent reads it without a lock at the same
	 * time. */
	int n = rspb_placed->known ? rspb_starts_since(rspb_placed->starts, ids) : -1, rc = 0;

	if (n < 0)
		return rspb_job_walk(visit_mark, go_on, &(struct each){ fn, arg });
	for (size_t i = 0; i < rspb_placed->n && !rc; i++)
		rc = visit(rspb_placed->ids[i], fn, arg);
	for (int i = 0; i < n && !rc; i++)
		if (!is_at(place_of(ids[i]), ids[i]))
			rc = visit(ids[i], fn, arg);
	return rc;
}
