/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Treats what owners change by scontrol as requests of rspb modify. Nothing is changed here. */
#include "plugins/ctld/serve/owners.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/request/users.h"
#include "plugins/ctld/serve/state.h"

/* Changes under way at a time. A script that updates thousands of jobs must not fill the agent's
 * queue; its later updates are refused. */
enum { MOST = 256 };

/* A change on its way to the agent, in the form of an inquiry of rspb modify. */
struct asked {
	struct rspb_task task; /* first */
	struct rspb_work work;
};

/* Write the refusal into the contracts of all components. scontrol has had its answer long before,
 * so scontrol show job and rspb show are where the user can see it. */
static void say_refused(const struct rspb_work *work)
{
	uint32_t ids[RSPB_MAX_PARTS], job = (uint32_t) work->inquiry.job, n;
	struct rspb_contract contract;
	struct rspb_section section;
	struct rspb_job view;
	char why[RSPB_ERR_TEXT];

	rspb_log_info("job %u: its owner's change was refused: %s", job, work->err.text);
	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "owner"))
		return;
	n = rspb_components(job, ids);
	for (uint32_t i = 0; i < n; i++) {
		if (!rspb_contract_read(ids[i], &view, &contract))
			continue;
		/* The prefix chooses the notice that the owner is sent (post/event.c). */
		snprintf(why, sizeof(why), "%s: %.250s",
			 rspb_state_final(contract.state) ? "not asked again" : RSPB_REASON_STAYS,
			 work->err.text);
		rspb_contract_state(ids[i], contract.state, why);
	}
	rspb_section_leave(&section);
}

/* Nobody waits for an answer, so nothing is synced beyond what rspb_propose() writes to the
 * journal. */
static void run(struct rspb_task *task, const struct rspb_config *config, int64_t now)
{
	struct asked *asked = (struct asked *) task;

	rspb_change_modify(&asked->work, config, now);
	rspb_work_audit(&asked->work);
	if (!asked->work.done)
		say_refused(&asked->work);
	rspb_task_end(task);
}

int rspb_owner_ask(uint32_t job, uint32_t uid, const char *from, const struct rspb_terms *terms,
		   struct rspb_err *err)
{
	/* The caller is within job_modify() and holds Slurm's locks: this only counts, allocates
	 * and posts. */
	struct asked *asked = rspb_task_new(sizeof(*asked), run, &rspb_serve->owners_under_way,
					    MOST);

	if (!asked)
		return rspb_fail(err, "%d changes wait already; try again in a second", MOST);
	asked->work.who.uid = uid;
	snprintf(asked->work.who.from, sizeof(asked->work.who.from), "%s", from ? from : "");
	/* Members that are 0 stay as they are. who.privileged stays false: operators' updates do
	 * not come here. */
	asked->work.inquiry = (struct rspb_inquiry){
		.op = RSPB_ASK_MODIFY,
		.job = job,
		.terms = *terms,
	};
	/* Limits may name groups, which the name service knows. The task is posted when the user is
	 * known. */
	rspb_users_then(uid, time(NULL), &asked->task);
	return 0;
}
