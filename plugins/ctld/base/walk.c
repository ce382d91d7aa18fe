/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goes through Slurm's jobs and gives up the locks on the way. What is looked for is its
 * caller's. */
#include "plugins/ctld/base/walk.h"

struct stride {
	rspb_job_mark_fn fn;
	void *arg;
	uint32_t n;
};

static int count(const struct rspb_job_mark *mark, void *arg)
{
	struct stride *stride = arg;

	stride->n++;
	return stride->fn(mark, stride->arg);
}

int rspb_walk_jobs(struct rspb_section *section, bool *inside, rspb_job_mark_fn fn, void *arg)
{
	const struct rspb_section before = *section;
	struct stride stride = { .fn = fn, .arg = arg };
	void *walk = rspb_job_walk_begin();
	bool more = walk;
	int rc = 0;

	*inside = true;
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
	rspb_job_walk_end(walk);
	return rc;
}
