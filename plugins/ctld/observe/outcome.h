/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that get a booking, or lose it: all of their parts, or none. All of it but again()
 * wants the write lock; what Slurm then has is mirror/mirror.h's. */
#ifndef RSPB_CTLD_OBSERVE_OUTCOME_H
#define RSPB_CTLD_OBSERVE_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/request/booking.h"
#include "common/wire/flags.h"
#include "plugins/ctld/request/ask.h"

/* Members of struct rspb_kind. */
bool rspb_outcome_waits(const struct rspb_ask *ask);
int rspb_outcome_parts(const struct rspb_ask *ask, const struct rspb_booking *booking,
		       const struct rspb_config *config, struct rspb_err *err);
/* Make Slurm's records agree with a booking of the ledger, whatever they are now; the reason in its
 * contract stays. RET 0, 1: the booking is gone or slurmctld is going down, or -1 with err. */
int rspb_outcome_again(uint64_t id, const struct rspb_config *config, int64_t now,
		       struct rspb_err *err);
/* Its booking is given up, and it asks again. Where its ask's contracts say since when an
 * outage is why, its job's say so until it is booked. */
void rspb_outcome_lose(const struct rspb_ask *ask, uint64_t id, const char *why);
/* RET how many jobs have lost their bookings to an outage, so far. */
uint64_t rspb_outcome_given_up(void);

/* Handles jobs that get no booking, by the site's OnDecline rule. */

/* Wants the write lock. state: what goes into the contracts (declined,
 * cancelled, ...). */
void rspb_refuse_jobs(const uint32_t *jobs, uint32_t n, enum rspb_state state, const char *reason,
		      enum rspb_on_decline rule);
/* RET what is to be done with a declined job. */
enum rspb_on_decline rspb_refuse_rule(const struct rspb_contract *contract,
				      const struct rspb_config *config);
/* A member of struct rspb_kind: a request that named several partitions is decided in the next
 * one. */
bool rspb_refuse_ask(const struct rspb_ask *ask, const char *reason,
		     const struct rspb_config *config);

#endif
