/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges a change by the site's limits. It plans nothing. */
#include "plugins/ctld/owners/admit.h"

#include <inttypes.h>

#include "common/conf/limits.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/requests/hours.h"
#include "plugins/ctld/requests/limits.h"

int rspb_admit_grant(struct rspb_replan *draft, const struct rspb_ledger *among)
{
	return rspb_limits_instead(among, draft->old, draft->new, draft->config, draft->now,
				   &draft->why);
}

/* Whether it is near enough its end to be made longer. */
static int check_length(const struct rspb_replan *draft, struct rspb_err *err)
{
	int64_t within = draft->config->extend_within;
	const struct rspb_booking *old = draft->old;

	if (!within || draft->request->duration <= old->end - old->start ||
	    old->end - draft->now <= within)
		return 0;
	return rspb_fail(err,
			 "it can be extended only in the last %" PRId64 " hours before its end "
			 "(ExtendWithin)",
			 within / 3600);
}

int rspb_admit_request(struct rspb_replan *draft)
{
	struct rspb_config config = *draft->config;

	/* The length of a booking, again and again. */
	if (config.extend_within && config.max_duration)
		config.max_duration += draft->old->end - draft->old->start;
	/* How long ago it was asked for is no reason to leave it as it is. */
	if (draft->request->ready <= draft->old->start)
		config.min_notice = 0;
	/* The hours do not matter for a booking that is only made longer or larger. */
	if (draft->request->ready != draft->old->request->ready &&
	    draft->request->ready != draft->old->start &&
	    rspb_hours_judge(draft->request, &config, &draft->why))
		return -1;
	if (check_length(draft, &draft->why))
		return -1;
	return rspb_limits_request(draft->request, &config, rspb_ledger_machine(rspb_book_ledger()),
				   draft->now, &draft->why);
}
