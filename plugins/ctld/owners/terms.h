/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces the terms of a booking by what is asked now. It uses no locks and no Slurm. */
#ifndef RSPB_CTLD_OWNERS_TERMS_H
#define RSPB_CTLD_OWNERS_TERMS_H

#include <stdbool.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "plugins/ctld/decide/replan.h"
#include "plugins/ctld/socket/inquiry.h"

/*
 * Fill draft->request and draft->said: what is not asked for stays. RET 0, or -1
 * with draft->why: it is nothing that could be asked for.
 */
int rspb_terms_set(struct rspb_replan *draft, const struct rspb_inquiry *inquiry);
/* Whether more of the machine is asked for than is booked, another time, or for another
 * user: the site's limits count then. */
bool rspb_terms_grow(const struct rspb_replan *draft);
/* Find a booking for them on basis: where it stands if that will do, else at the
 * same start, else anywhere within them. RET whether there is one, with new;
 * else why. */
bool rspb_terms_plan(struct rspb_replan *draft, struct rspb_ledger *basis);

/* Admit the new request. RET 0, or -1 with draft->why. */
int rspb_admit_request(struct rspb_replan *draft);
/* Admit what was found for it beside the bookings of a ledger; the old booking there does not
 * count. RET 0, or -1 with draft->why. */
int rspb_admit_grant(struct rspb_replan *draft, const struct rspb_ledger *among);

#endif
