/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes an owner's update of a booked job for a change of the booking, and asks the
 * agent. It changes nothing itself. */
#include "plugins/job_submit/owner.h"

#include <time.h>

#include "common/wire/flags.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/broker.h"
#include "plugins/ctld/owners/owner.h"
#include "plugins/ctld/requests/window.h"

/* Whether a job asks for a booking, has one, or was declined and is held since. */
static bool can_be_asked(const job_record_t *job, struct rspb_job *view)
{
	const char *comment = rspb_submission_job_comment(job);

	rspb_job_view((void *) job, view);
	return rspb_contract_says(comment, RSPB_REQUESTED) ||
	       rspb_contract_says(comment, RSPB_BOOKED) ||
	       rspb_contract_says(comment, RSPB_ACTIVE) ||
	       (rspb_contract_says(comment, RSPB_DECLINED) && !view->priority);
}

int rspb_owner_update(job_desc_msg_t *desc, const job_record_t *job, uint32_t uid, const char *from,
		      struct rspb_err *err)
{
	struct rspb_submission_terms terms;
	struct rspb_job view;
	int rc;

	if (!rspb_submission_owner(job, uid) || rspb_submission_operator(uid) ||
	    !rspb_broker_running() || !can_be_asked(job, &view))
		return 0;
	rc = rspb_submission_terms(desc, &terms, err);
	if (rc > 0 && rspb_window_begin(terms.begin, time(NULL), err))
		rc = rspb_fail_at(err, "StartTime");
	if (rc > 0)
		rc = rspb_owner_ask(view.leader, uid, from, &terms, err);
	return rc ? rspb_fail_at(err, "job %u", view.id) : 0;
}
