/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks over Slurm's jobs and releases the locks on the way. The caller's function decides what is
 * looked for. */
#include "plugins/ctld/base/section.h"

struct walk {
	struct rspb_section *section;
	bool *inside;
	rspb_job_mark_fn fn;
	void *arg;
};

/* Called under slurmctld's locks for each job, which is counted for the log of the section. */
static int visit(const struct rspb_job_mark *mark, void *arg)
{
	const struct walk *walk = arg;

	walk->section->items++;
	return walk->fn(mark, walk->arg);
}

/* Leave the section if its time is used up. No pointer to a job is held across that. A stride is
 * short enough to look at the time only after it. */
static bool rest(void *arg)
{
	const struct walk *walk = arg;
	/* Leaving clears the section's name, which is needed to enter it again under the same
	 * one. */
	const struct rspb_section before = *walk->section;

	if (rspb_section_spent(walk->section)) {
		rspb_section_leave(walk->section);
		*walk->inside = rspb_section_enter(walk->section, before.kind, before.what);
	}
	return *walk->inside;
}

int rspb_walk_jobs(struct rspb_section *section, bool *inside, rspb_job_mark_fn fn, void *arg)
{
	struct walk walk = { section, inside, fn, arg };

	*inside = true;
	/* The section may be spent already. */
	return rest(&walk) ? rspb_job_walk(visit, rest, &walk) : 0;
}
