/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/components.h"

#include "plugins/compat/job.h"

uint32_t rspb_components(uint64_t id, uint32_t ids[RSPB_MAX_PARTS])
{
	struct rspb_job leader;
	uint32_t n;

	if (!rspb_job_find(id, &leader))
		return 0;
	n = rspb_job_components(&leader, ids, RSPB_MAX_PARTS);
	return n < RSPB_MAX_PARTS ? n : RSPB_MAX_PARTS;
}
