/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/shares/spare.h"

#include "plugins/compat/colocate.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/jobs/commit.h"

bool rspb_spare(const struct rspb_booking *b, uint32_t id)
{
	char name[RSPB_RESV_NAME];
	struct rspb_job job;

	if (!rspb_job_find(id, &job))
		return false;
	for (uint32_t i = 0; i < b->n_grants; i++) {
		rspb_commit_name(b->request->id, i, b->n_grants, name,
				 sizeof(name));
		if (!b->grants[i].share || !rspb_colocate_spares(name, &job))
			return false;
	}
	return true;
}
