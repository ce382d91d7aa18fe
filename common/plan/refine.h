/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Refinement: bookings that were granted their least grow into what is left.
 *
 * Source: Min, figures 5.7 and 5.8 (Co-RSBFR: at once, and moved); growing in
 * place shortly before the start is this project's.
 */
#ifndef RSPB_PLAN_REFINE_H
#define RSPB_PLAN_REFINE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "common/request/booking.h"

/*
 * Let the booking of that id grow towards full benefit; the ledger holds the
 * changed one afterwards. What it grows by is beyond its promise. `move`:
 * shares on single machines may move. Of one that has started only shares grow.
 * RET 1 when it grew, 0 when there was nothing to gain, -1 with err.
 */
int rspb_refine_booking(struct rspb_ledger *ledger, const struct rspb_policy *policy, uint64_t id,
			bool move, struct rspb_err *err);

/* Told of each booking that grew; it is the ledger's. */
typedef void (*rspb_refine_fn)(const struct rspb_booking *booking, void *arg);

/*
 * Lazy refinement: grow every booking that waits to start in [now, before) in
 * place, the highest priority first. To be called after each batch, with
 * `before` the time of the next one. RET how many grew, -1 with err.
 */
int64_t rspb_refine_due(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			int64_t before, rspb_refine_fn fn, void *arg, struct rspb_err *err);

/*
 * Let the shares of bookings that have started grow into what has come free
 * since, until their ends, the highest priority first. The time of the ledger
 * (RSPB_REC_ADVANCE) must be the present. RET how many grew, -1 with err.
 */
int64_t rspb_refine_running(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			    rspb_refine_fn fn, void *arg, struct rspb_err *err);

/* Both: those that start before `before`, and what runs. */
int64_t rspb_refine_all(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			int64_t before, struct rspb_err *err);

#endif
