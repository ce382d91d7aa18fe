/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remembers the last jobs that were given nodes. Whether they still have them, it does
 * not know. Slurm's locks are its own: who notes holds the write lock. */
#include "plugins/ctld/book/starts.h"

#include <stdbool.h>

#include "plugins/compat/job.h"

struct start {
	uint32_t job, task; /* the array's number, if it is one of its tasks */
	bool of_array;
};

static struct {
	struct start items[RSPB_STARTS_MOST];
	uint32_t n;
} last;

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

		if (start.of_array)
			start.job = rspb_job_of_task(start.job, start.task);
		n = add_once(ids, n, start.job);
	}
	return n;
}
