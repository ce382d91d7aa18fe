/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs are compared a few at a time, and what changes in between is not missed. */
#include "plugins/ctld/observe/changed.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/base/section.h"
#include "tests/unit/runner.h"

enum { MOST = 4000, AT_ONCE = 64, LOOKS = 200 };

/* Slurm's jobs, in its order. */
static struct {
	struct job {
		uint32_t id;
		uint64_t mark;
		bool asks;
	} jobs[MOST];
	size_t n;
	uint32_t last;
} slurm;

static bool changed[MOST * 4]; /* by id: not told yet */
static bool seen[MOST * 4];    /* likewise: it was there at the last look */
static bool calm;	       /* nothing changes while the section is left */
static bool stopping;
static uint32_t cancels;
static int sections, compared, longest;
static int64_t clock_us;

static uint64_t state = 7;

static size_t draw(size_t n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (size_t) (state >> 33) % n;
}

/* --- stand-ins --------------------------------------------------------------------- */

static struct rspb_job_mark mark_of(const struct job *job)
{
	return (struct rspb_job_mark){ (void *) job, job->id, job->id, job->mark, false };
}

static struct job *job_of(uint32_t id)
{
	for (size_t low = 0, high = slurm.n; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (slurm.jobs[middle].id == id)
			return &slurm.jobs[middle];
		if (slurm.jobs[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

bool rspb_job_mark_find(uint32_t id, struct rspb_job_mark *out)
{
	const struct job *job = job_of(id);

	if (++compared > longest)
		longest = compared;
	if (job)
		*out = mark_of(job);
	return job;
}

/* As Slurm's: the next one, and who goes is passed by. */
static size_t place;

int rspb_job_walk(rspb_job_mark_fn fn, bool (*rest)(void *arg), void *arg)
{
	uint32_t n;
	int rc = 0;

	place = 0;
	do {
		for (n = 0; place < slurm.n && n < AT_ONCE && !rc; n++) {
			struct rspb_job_mark mark = mark_of(&slurm.jobs[place++]);

			if (++compared > longest)
				longest = compared;
			rc = fn(&mark, arg);
		}
	} while (!rc && n == AT_ONCE && rest(arg));
	return rc;
}

int rspb_job_marks_behind(uint32_t id, rspb_job_mark_fn fn, void *arg, size_t *all)
{
	int rc = 0;

	for (size_t i = 0; fn && i < slurm.n && !rc; i++) {
		struct rspb_job_mark mark = mark_of(&slurm.jobs[i]);

		rc = mark.id > id ? fn(&mark, arg) : 0;
	}
	*all = slurm.n;
	return rc;
}

unsigned int rspb_job_asks(const struct rspb_job_mark *mark)
{
	return ((const struct job *) mark->handle)->asks ? RSPB_JOB_ASKS : 0;
}

bool rspb_job_find(uint32_t id, struct rspb_job *out)
{
	*out = (struct rspb_job){ .id = id, .phase = RSPB_JOB_PENDING };
	return job_of(id);
}

struct rspb_ctld_counts rspb_ctld_counts(void)
{
	return (struct rspb_ctld_counts){ .cancels = cancels };
}

int64_t rspb_ctld_changed(unsigned int what)
{
	(void) what;
	return INT64_MAX;
}

int64_t rspb_section_clock_us(void)
{
	return clock_us += 10000;
}

static void submit(void)
{
	if (slurm.n == MOST || slurm.last + 1 >= MOST * 4)
		return;
	slurm.jobs[slurm.n++] = (struct job){ ++slurm.last, draw(1000), draw(2) };
	changed[slurm.last] = true;
}

static void disturb(void)
{
	size_t at = draw(slurm.n), how = draw(3);

	if (how < 2)
		changed[slurm.jobs[at].id] = true;
	switch (how) {
	case 0:
		slurm.jobs[at].mark++;
		slurm.jobs[at].asks = draw(2);
		break;
	case 1:
		memmove(slurm.jobs + at, slurm.jobs + at + 1,
			(--slurm.n - at) * sizeof(*slurm.jobs));
		place -= at < place;
		break;
	default:
		submit();
	}
}

bool rspb_section_enter(struct rspb_section *section, enum rspb_lock kind, const char *what)
{
	section->kind = kind;
	section->what = what;
	sections++;
	if (!calm)
		disturb();
	return !stopping;
}

bool rspb_section_spent(const struct rspb_section *section)
{
	(void) section;
	compared = 0;
	return draw(4) == 0;
}

void rspb_section_leave(struct rspb_section *section)
{
	(void) section;
}

void rspb_breathe(void)
{
}

/* --- tests ------------------------------------------------------------------------- */

static struct rspb_section section = { .kind = RSPB_LOCK_READ, .what = "test" };

static void setup(void)
{
	memset(changed, 0, sizeof(changed));
	memset(seen, 0, sizeof(seen));
	slurm.n = slurm.last = 0;
	for (int i = 0; i < MOST / 2; i++)
		submit();
	calm = stopping = false;
	rspb_changed_reset();
}

static void look(void)
{
	uint64_t *ids;
	bool inside;
	int64_t n;

	cancels++;
	compared = longest = 0;
	rspb_changed_look(&section, &inside);
	ck_assert(inside);
	n = rspb_changed_jobs(&ids);
	if (n < 0)
		memset(changed, 0, sizeof(changed));
	for (int64_t i = 0; i < n; i++)
		changed[ids[i]] = false;
	free(ids);
	ck_assert_int_le(longest, AT_ONCE);
}

static int count(const struct rspb_job *job, void *arg)
{
	*(size_t *) arg += job_of(job->id)->asks ? 1 : MOST;
	return 0;
}

START_TEST(nothing_is_missed)
{
	for (int i = 0; i < LOOKS; i++) {
		size_t asking = 0, ask = 0;

		for (size_t k = draw(40); k; k--)
			disturb();
		calm = false;
		look();
		calm = true;
		look();
		look();
		for (uint32_t id = 0; id < MOST * 4; id++) {
			/* Who came and went in between need not be seen. */
			if (changed[id] && (seen[id] || job_of(id)))
				ck_abort_msg("job %u, look %d", id, i);
			changed[id] = false;
			seen[id] = job_of(id);
		}
		rspb_changed_asking(count, &asking);
		for (size_t k = 0; k < slurm.n; k++)
			ask += slurm.jobs[k].asks;
		ck_assert_uint_eq(asking, ask);
	}
	ck_assert_int_gt(sections, LOOKS);
}
END_TEST

START_TEST(all_may_have_changed_once_alone)
{
	uint64_t *ids;
	bool inside;

	calm = true;
	look();
	cancels++;
	slurm.jobs[1000].mark++;
	rspb_changed_look(&section, &inside);
	ck_assert_int_eq(rspb_changed_jobs(&ids), 1);
	ck_assert_uint_eq(ids[0], slurm.jobs[1000].id);
	free(ids);
}
END_TEST

START_TEST(a_section_that_is_left_for_good_is_told)
{
	bool inside;

	look();
	stopping = true;
	cancels++;
	rspb_changed_look(&section, &inside);
	ck_assert(!inside);
	ck_assert(!rspb_changed_look_new(&section));
}
END_TEST

RUN_TESTS("changed", setup, rspb_changed_reset, 30, nothing_is_missed,
	  all_may_have_changed_once_alone, a_section_that_is_left_for_good_is_told)
