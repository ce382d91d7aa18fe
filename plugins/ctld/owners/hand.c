/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A booking without a job that is handed to another user: what is planned is the new
 * owner's, whose limits are looked at like those of who asks for more (admit.c). Who may
 * run jobs in its reservation stays as it was.
 */
#include "plugins/ctld/owners/hand.h"

#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/reserved.h"
#include "plugins/ctld/operators/group.h"
#include "plugins/ctld/requests/limits.h"

static int check(const struct rspb_change *c, struct rspb_err *err)
{
	if (!rspb_reserved_owner(c->draft.request))
		return rspb_fail(err, "only a booking without a job, made by a user, can be "
				      "given to another user");
	return c->work->who.privileged ? 0
				       : rspb_fail(err, "only an operator can give it to "
							"another user");
}

/* Whether the new owner may have it at all, and what counts for him. */
static int admit(struct rspb_replan *draft, struct rspb_err *err)
{
	struct rspb_ask ask = { .request = draft->request };

	draft->config = rspb_limits_settings(rspb_settings_get(), draft->request, &draft->space);
	rspb_group_name(draft->request, ask.account, sizeof(ask.account));
	return rspb_limits_who(&ask, draft->config, draft->now, err);
}

int rspb_hand_look(struct rspb_change *c)
{
	uint32_t to = (uint32_t) c->work->inquiry.uid;
	struct rspb_err *err = &c->draft.why;
	struct rspb_section section;
	struct rspb_resv resv;

	if (!to)
		return 0;
	if (check(c, err))
		return -1;
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "hand"))
		return rspb_fail(err, "slurmctld is shutting down");
	if (rspb_resv_find(c->work->inquiry.reservation, c->draft.now, &resv))
		rspb_group_sign(c->draft.request, &resv, to);
	rspb_section_leave(&section);
	return c->draft.request->user == to ? admit(&c->draft, err)
					    : rspb_fail(err, "its reservation no longer exists");
}
