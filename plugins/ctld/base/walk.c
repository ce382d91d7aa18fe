/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks over Slurm's jobs and releases the locks on the way. The caller's function decides what is
 * looked for. */
#include "plugins/ctld/base/walk.h"

/* A wrapper around the caller's function that counts jobs for the log of the section. */
struct stride {
	rspb_job_mark_fn fn;
	void *arg;
	uint32_t n;
};

/* Called under slurmctld's locks for each job of a stride. */
static int count(const struct rspb_job_mark *mark, void *arg)
{
	struct stride *stride = arg;

	stride->n++;
	return stride->fn(mark, stride->arg);
}

int rspb_walk_jobs(struct rspb_section *section, bool *inside, rspb_job_mark_fn fn, void *arg)
{
	/* Leaving clears the section's name, which is needed to enter it again under the same
	 * one. */
	const struct rspb_section before = *section;
	struct stride stride = { .fn = fn, .arg = arg };
	void *walk = rspb_job_walk_begin();
	bool more = walk;
	int rc = 0;

	*inside = true;
	/* Slurm keeps the place of the walk up to date while the locks are released, and no
	 * pointer to a job is held across that. A stride is short enough to check the time only
	 * after it. */
	while (more && !rc && *inside) {
		if (rspb_section_spent(section)) {
			rspb_section_leave(section);
			*inside = rspb_section_enter(section, before.kind, before.what);
			continue;
		}
		stride.n = 0;
		rc = rspb_job_walk_on(walk, &more, count, &stride);
		section->items += stride.n;
	}
	/* The iterator is given back in any case. Slurm's list has a lock of its own for that. */
	rspb_job_walk_end(walk);
	return rc;
}
