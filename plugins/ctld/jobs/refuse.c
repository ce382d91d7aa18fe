/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/jobs/refuse.h"

#include <stdio.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/jobs/contract.h"

/* Somebody who sits and waits is told, instead of kept waiting. */
static bool interactive(uint32_t id)
{
	struct rspb_job job;

	return rspb_job_find(id, &job) && !job.batch;
}

void rspb_refuse_jobs(const uint32_t *jobs, uint32_t n, enum rspb_state state,
		      const char *reason, enum rspb_on_decline rule)
{
	char line[RSPB_ERR_TEXT + 32], local[RSPB_ERR_TEXT];
	struct rspb_err err;
	uint32_t i;
	int rc;

	rspb_report_local(reason, local, sizeof(local));
	snprintf(line, sizeof(line), "rspb %s: %s", rspb_state_name(state),
		 local);
	rspb_log_info("job %u %s: %s", jobs[0], rspb_state_name(state), reason);
	for (i = 0; i < n; i++) {
		rspb_contract_state(jobs[i], state, reason);
		if (rule != RSPB_DECLINE_ORDINARY && interactive(jobs[i])) {
			rspb_job_tell(jobs[i], line, NULL);
			rc = rspb_job_cancel(jobs[i], line, &err);
		} else if (rule == RSPB_DECLINE_CANCEL) {
			rc = rspb_job_cancel(jobs[i], line, &err);
		} else if (rule == RSPB_DECLINE_ORDINARY) {
			rc = rspb_job_detach(jobs[i], &err);
		} else {
			rc = rspb_job_hold(jobs[i], line, &err);
		}
		if (rc)
			rspb_log_verbose("%s", err.text);
	}
}

void rspb_refuse_ask(const struct rspb_ask *ask, const char *reason,
		     const struct rspb_config *config)
{
	/* Who only asks for offers wants to choose one. */
	rspb_refuse_jobs(ask->jobs, ask->n_jobs, RSPB_DECLINED, reason,
			 ask->contracts[0].flags.offers ? RSPB_DECLINE_HOLD
							: config->on_decline);
}
