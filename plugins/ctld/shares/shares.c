/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the kind job with a share: what differs from any job. Grants are
 * decided by the engine. */
#include "plugins/ctld/shares/shares.h"

#include "plugins/compat/colocate.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/asking/intake.h"
#include "plugins/ctld/asking/outcome.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/ending/refuse.h"
#include "plugins/ctld/jobs/job.h"
#include "plugins/ctld/jobs/start.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/mirror.h"
#include "plugins/ctld/mirror/resv.h"
#include "plugins/ctld/shares/message.h"

static bool owns(const struct rspb_request *request)
{
	return rspb_jobs_own(request) && rspb_jobs_share(request) &&
	       !rspb_request_has_cores(request);
}

static int start(const struct rspb_booking *b, int64_t now,
		 struct rspb_err *err)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);

	if (rspb_start_jobs(b, now, err))
		return -1;
	rspb_message_send(b, ids, n, rspb_settings_get());
	return 0;
}

/* One that runs may stay when it leaves alone what the booking keeps: the cores
 * of its reservations. */
static bool spares(const struct rspb_booking *b, uint32_t id)
{
	char name[RSPB_RESV_NAME];
	struct rspb_job job;

	if (!rspb_job_find(id, &job))
		return false;
	for (uint32_t i = 0; i < b->n_grants; i++) {
		rspb_mirror_resv_name(b->request->id, i, b->request->n_parts,
				      name, sizeof(name));
		if (!b->grants[i].share || !rspb_colocate_spares(name, &job))
			return false;
	}
	return true;
}

/* Nodes of what runs are told first. */
static int mirror(const struct rspb_ask *ask, const struct rspb_booking *b,
		  bool moved, const struct rspb_config *config, int64_t now,
		  struct rspb_err *err)
{
	if (b->state == RSPB_ACTIVE)
		rspb_message_send(b, ask->jobs, ask->n_jobs, config);
	return rspb_mirror_jobs(ask, b, moved, config, now, err);
}

/* Cores have other numbers when nodes have come or gone. */
static void refresh(struct rspb_booking *b, const uint8_t *dedicated)
{
	char name[RSPB_RESV_NAME];

	rspb_intake_refresh(b, dedicated);
	for (uint32_t i = 0; dedicated && i < b->n_grants; i++) {
		rspb_mirror_resv_name(b->request->id, i, b->n_grants, name,
				      sizeof(name));
		if (b->grants[i].share)
			rspb_colocate_resv(name, dedicated,
					   b->grants[i].nodes->width);
	}
}

/* Its requests come with those of jobs, and so do its ends. */
const struct rspb_kind rspb_kind_shares = {
	.owns = owns,
	.has_jobs = true,
	.waits = rspb_outcome_waits,
	.promise = rspb_mirror_promise,
	.commit = rspb_outcome_parts,
	.refuse = rspb_refuse_ask,
	.ready = rspb_start_ready,
	.start = start,
	.started = rspb_start_done,
	.spares = spares,
	.involve = rspb_outcome_involve,
	.suits = rspb_mirror_suits,
	.mirror = mirror,
	.lose = rspb_outcome_lose,
	.tell = rspb_jobs_tell,
	.refresh = refresh,
};
