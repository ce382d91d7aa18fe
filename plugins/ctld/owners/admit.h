/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the site's limits let a booking grow. For the agent. */
#ifndef RSPB_CTLD_OWNERS_ADMIT_H
#define RSPB_CTLD_OWNERS_ADMIT_H

#include "common/ledger/ledger.h"
#include "plugins/ctld/decide/replan.h"

/* Admit the new request. RET 0, or -1 with draft->why. */
int rspb_admit_request(struct rspb_replan *draft);
/* Admit what was found for it beside the bookings of a ledger; the old booking there does not
 * count. RET 0, or -1 with draft->why. */
int rspb_admit_grant(struct rspb_replan *draft, const struct rspb_ledger *among);

#endif
