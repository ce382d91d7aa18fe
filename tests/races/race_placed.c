/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's threads read the list of the jobs that have nodes under the write lock, while the agent
 * lists, sweeps and forgets them. */
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/occupancy.h"
#include "tests/races/races.h"

enum { JOBS = 100, ROUNDS = 3000 };

static pthread_rwlock_t locks = PTHREAD_RWLOCK_INITIALIZER;

bool rspb_section_enter(struct rspb_section *section, enum rspb_lock kind, const char *what)
{
	(void) section;
	(void) what;
	if (kind == RSPB_LOCK_WRITE)
		pthread_rwlock_wrlock(&locks);
	else
		pthread_rwlock_rdlock(&locks);
	return true;
}

void rspb_section_leave(struct rspb_section *section)
{
	(void) section;
	pthread_rwlock_unlock(&locks);
}

int rspb_walk_jobs(struct rspb_section *section, bool *inside, rspb_job_mark_fn fn, void *arg)
{
	int rc = 0;

	(void) section;
	*inside = true;
	for (uint32_t id = JOBS; id && !rc; id--)
		rc = fn(&(struct rspb_job_mark){ .id = id, .placed = id % 3 }, arg);
	return rc;
}

uint32_t rspb_job_of_task(uint32_t array, uint32_t task)
{
	return array + task;
}

bool rspb_job_mark_find(uint32_t id, struct rspb_job_mark *out)
{
	*out = (struct rspb_job_mark){ .id = id, .placed = id % 3 };
	return true;
}

bool rspb_job_find(uint32_t id, struct rspb_job *out)
{
	*out = (struct rspb_job){ .id = id ? 1 : 0, .phase = RSPB_JOB_RUNNING };
	return true;
}

int rspb_job_walk(rspb_job_mark_fn fn, bool (*rest)(void *arg), void *arg)
{
	(void) fn;
	(void) rest;
	(void) arg;
	return 0;
}

static int count(const struct rspb_job *job, void *arg)
{
	*(uint32_t *) arg += job->id;
	return 0;
}

static void agent(unsigned int part)
{
	uint64_t sum = 0;

	(void) part;
	for (int i = 0; i < ROUNDS; i++) {
		struct rspb_section section;
		const uint32_t *ids;
		bool inside;
		size_t n;

		rspb_section_enter(&section, RSPB_LOCK_READ, "test");
		MUST(!rspb_placed_see(&section, &inside) && inside);
		rspb_section_leave(&section);
		ids = rspb_placed_ids(&n);
		for (size_t k = 0; k < n; k++)
			sum += ids[k];
		rspb_placed_keep_up();
		if (i % 10 == 9)
			rspb_placed_reset();
	}
	MUST(sum);
}

static void selects(unsigned int part)
{
	for (uint32_t i = 0; i < ROUNDS; i++) {
		struct rspb_section section;
		uint32_t n = 0;

		rspb_section_enter(&section, RSPB_LOCK_WRITE, "test");
		rspb_placed_each(count, &n);
		rspb_starts_note(JOBS + part * ROUNDS + i);
		MUST(n <= JOBS + 3 * ROUNDS);
		rspb_section_leave(&section);
	}
}

int main(void)
{
	RACE(agent, selects, selects);
	return 0;
}
