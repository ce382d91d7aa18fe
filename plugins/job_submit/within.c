/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells at submission who would wait in a reservation of cores for ever. Who may have
 * what of it when he starts is select/within.c's. */
#include "plugins/job_submit/within.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/wire/flags.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/parts/devices.h"
#include "plugins/compat/resv.h"
#include "plugins/compat/submit/draft.h"

/* RET false: it is no booking of cores, or says nothing yet. */
static bool keeps(const char *reservation, struct rspb_quotas *quotas)
{
	struct rspb_contract contract;
	struct rspb_resv resv;

	if (!reservation || !*reservation || rspb_resv_ours(reservation) ||
	    !rspb_resv_find(reservation, time(NULL), &resv) || !resv.tag ||
	    rspb_contract_parse(resv.tag, &contract, NULL) || !contract.cores ||
	    (contract.state != RSPB_BOOKED && contract.state != RSPB_ACTIVE))
		return false;
	rspb_devices_kept(contract.mem, contract.gres, quotas);
	return !quotas->short_of_memory;
}

static int compare(const struct rspb_submission *sub, const struct rspb_quotas *has,
		   const struct rspb_quotas *takes, struct rspb_err *err)
{
	for (size_t i = 0; i < takes->n; i++) {
		const struct rspb_quota *take = &takes->items[i];
		int64_t most = rspb_devices_of(has, take->key);

		if (take->per_node > most)
			return rspb_fail(err,
					 "--reservation=%s: the reservation has %" PRId64
					 " %s of each of its nodes, and the "
					 "job needs %" PRId64,
					 sub->reservation, most, take->name, take->per_node);
	}
	return 0;
}

int rspb_within_check(const struct rspb_submission *sub, struct rspb_err *err)
{
	struct rspb_quotas has = { .n = 0 }, takes = { .n = 0 };
	struct rspb_draft *draft = NULL;
	struct rspb_job job;
	int rc = 0;

	/* Slurm itself says what else is wrong with it. */
	if (keeps(sub->reservation, &has))
		draft = rspb_draft_of_submission(sub->handle, NULL);
	if (draft) {
		rspb_draft_view(draft, &job);
		rspb_cores_takes(&job, &takes);
		rc = compare(sub, &has, &takes, err);
		rspb_draft_destroy(draft);
	}
	free(has.items);
	free(takes.items);
	return rc;
}
