/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the numbers of the jobs that have nodes. Their nodes and times are looked up in Slurm. */
#include "plugins/ctld/book/placed.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/base/walk.h"

/* The last jobs that were given nodes; they may have ended since. Slurm's locks guard this:
 * notes are made with the write lock. */

struct start {
	uint32_t job, task; /* the array's number, if it is one of its tasks */
	bool of_array;
};

static struct {
	struct start items[RSPB_STARTS_MOST];
	atomic_uint n; /* the agent reads it without a lock, too */
} last;

/* Under the write lock. The oldest note is overwritten; readers find out by the count. */
static void note(struct start start)
{
	last.items[last.n++ % RSPB_STARTS_MOST] = start;
}

void rspb_starts_note(uint32_t job)
{
	note((struct start){ .job = job });
}

void rspb_starts_note_task(uint32_t array, uint32_t task)
{
	note((struct start){ array, task, true });
}

uint32_t rspb_starts_count(void)
{
	return last.n;
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

	if (last.n - count > RSPB_STARTS_MOST)
		return -1;
	for (; count != last.n; count++) {
		struct start start = last.items[count % RSPB_STARTS_MOST];

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

static struct {
	uint32_t *ids;
	size_t n, room;
	size_t next;	 /* to be looked at */
	uint32_t starts; /* there were, when it was seen */
	bool known;	 /* and in order */
} kept;

/* Slurm's threads read the list under the write lock, which keeps them out here. If the lock cannot
 * be had, the list stays. */
void rspb_placed_reset(void)
{
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "placed"))
		return;
	free(kept.ids);
	memset(&kept, 0, sizeof(kept));
	rspb_section_leave(&section);
}

static int add(uint32_t id, size_t at)
{
	if (rspb_array_grow(&kept.ids, &kept.room, kept.n + 1, sizeof(*kept.ids)))
		return -1;
	memmove(kept.ids + at + 1, kept.ids + at, (kept.n - at) * sizeof(*kept.ids));
	kept.ids[at] = id;
	kept.n++;
	return 0;
}

/* Appended in Slurm's order, and sorted when all are there. */
static int add_placed(const struct rspb_job_mark *mark, void *arg)
{
	(void) arg;
	return rspb_job_is_placed(mark) ? add(mark->id, kept.n) : 0;
}

/* RET the place of the first that is not below it. */
static size_t place_of(uint32_t id)
{
	size_t low = 0, high = kept.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (kept.ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_at(size_t at, uint32_t id)
{
	return at < kept.n && kept.ids[at] == id;
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

	return rspb_job_mark_find(id, &mark) && rspb_job_is_placed(&mark);
}

/* Drop jobs that have ended, a few each time. Nobody is told of ends, and a number that stays
 * for a while does no harm: whoever uses it looks the job up. */
static void sweep(void)
{
	size_t from = kept.next < kept.n ? kept.next : 0;
	size_t to = from + SWEPT < kept.n ? from + SWEPT : kept.n;
	size_t stay = from;

	for (size_t i = from; i < to; i++)
		if (is_placed(kept.ids[i]))
			kept.ids[stay++] = kept.ids[i];
	if (kept.n > to)
		memmove(kept.ids + stay, kept.ids + to, (kept.n - to) * sizeof(*kept.ids));
	kept.n -= to - stay;
	kept.next = stay;
}

/* List all jobs that have nodes. The locks are released on the way, and others that ask
 * meanwhile must not take the part for the whole. RET 0, or -1: out of memory. */
static int list_all(struct rspb_section *section, bool *inside)
{
	int rc;

	kept.known = false;
	kept.n = kept.next = 0;
	rc = rspb_walk_jobs(section, inside, add_placed, NULL);
	if (rc || !*inside)
		return rc;
	if (kept.n)
		qsort(kept.ids, kept.n, sizeof(*kept.ids), rspb_array_by_u32);
	kept.known = true;
	return 0;
}

int rspb_placed_see(struct rspb_section *section, bool *inside)
{
	uint32_t ids[RSPB_STARTS_MOST];
	int n = kept.known ? rspb_starts_since(kept.starts, ids) : -1, rc = 0;

	*inside = true;
	/* Read before the list is made. A job that starts meanwhile is seen once more the next
	 * time, which does no harm. */
	kept.starts = rspb_starts_count();
	if (n < 0)
		return list_all(section, inside);
	sweep();
	for (int i = 0; i < n && !rc; i++)
		rc = add_new(ids[i]);
	kept.known = !rc;
	return rc;
}

const uint32_t *rspb_placed_ids(size_t *n)
{
	*n = kept.n;
	return kept.ids;
}

void rspb_placed_keep_up(void)
{
	struct rspb_section section;
	bool inside = true;

	if (!kept.known || rspb_starts_count() - kept.starts <= RSPB_STARTS_MOST / 2 ||
	    !rspb_section_enter(&section, RSPB_LOCK_READ, "placed"))
		return;
	rspb_placed_see(&section, &inside);
	if (inside)
		rspb_section_leave(&section);
}

/* Call fn for a job that still has nodes. RET what fn returned, else 0. */
static int visit(uint32_t id, rspb_job_fn fn, void *arg)
{
	struct rspb_job_mark mark;
	struct rspb_job job;

	if (!rspb_job_mark_find(id, &mark) || !rspb_job_is_placed(&mark))
		return 0;
	rspb_job_view(mark.handle, &job);
	return fn(&job, arg);
}

int rspb_placed_each(rspb_job_fn fn, void *arg)
{
	uint32_t ids[RSPB_STARTS_MOST];
	/* The list is only read here, because the agent reads it without a lock at the same
	 * time. */
	int n = kept.known ? rspb_starts_since(kept.starts, ids) : -1, rc = 0;

	if (n < 0)
		return rspb_job_each_placed(fn, arg);
	for (size_t i = 0; i < kept.n && !rc; i++)
		rc = visit(kept.ids[i], fn, arg);
	for (int i = 0; i < n && !rc; i++)
		if (!is_at(place_of(ids[i]), ids[i]))
			rc = visit(ids[i], fn, arg);
	return rc;
}
