/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Refreshes the members of a booking's request that only its jobs know, as they are now. It decides
 * nothing. */
#include "plugins/compat/colocate.h"
#include "plugins/compat/job.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/asking/intake.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/requests/cores.h"
#include "plugins/ctld/requests/part.h"
#include "plugins/ctld/requests/want.h"

/* Which nodes a job may use, and which it names, is not in its contract. Those
 * that it was granted count, whatever has become of their features since. */
static void part_refresh(struct rspb_part *part, uint32_t id, const struct rspb_nodeset *granted)
{
	struct rspb_nodeset *named = rspb_nodeset_create(granted->width);
	struct rspb_job job;
	uint32_t count;

	rspb_part_forget_nodes(part);
	part->eligible = rspb_nodeset_create(granted->width);
	if (part->eligible) {
		if (rspb_job_find(id, &job)) {
			rspb_job_eligible(&job, part->eligible, NULL);
			/* With different amounts no other nodes will do. */
			if (part->n_odd)
				rspb_nodeset_clear(part->eligible);
			else
				rspb_part_keep_cores(&job, part);
			rspb_part_count(&job, part, NULL);
			rspb_want_again(&job, part);
		}
		rspb_nodeset_or(part->eligible, granted);
		count = rspb_nodeset_count(part->eligible);
		if (part->nodes_min > count)
			part->nodes_min = count;
	}
	if (named && rspb_job_find(id, &job) && rspb_job_required(&job, named) &&
	    rspb_nodeset_count(named) <= part->nodes)
		part->fixed = named;
	else
		rspb_nodeset_destroy(named);
}

/* Cores have other numbers when nodes have come or gone. */
static void renumber(const struct rspb_booking *b, uint32_t part, const uint8_t *dedicated)
{
	char name[RSPB_RESV_NAME];

	if (!b->grants[part].share || b->request->parts[part].whole)
		return;
	rspb_resv_name(b->request->id, part, b->n_grants, name, sizeof(name));
	rspb_colocate_resv(name, dedicated, b->grants[part].nodes->width);
}

void rspb_intake_refresh(struct rspb_booking *booking, const uint8_t *dedicated)
{
	uint32_t ids[RSPB_MAX_PARTS], n, i;

	n = rspb_components(booking->request->id, ids);
	for (i = 0; i < n && i < booking->request->n_parts; i++)
		part_refresh(&booking->request->parts[i], ids[i], booking->grants[i].nodes);
	for (i = 0; dedicated && i < booking->n_grants; i++)
		renumber(booking, i, dedicated);
}
