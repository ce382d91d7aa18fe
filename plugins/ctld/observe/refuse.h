/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles jobs that get no booking, by the site's OnDecline rule. */
#ifndef RSPB_CTLD_OBSERVE_REFUSE_H
#define RSPB_CTLD_OBSERVE_REFUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/request/booking.h"
#include "common/wire/flags.h"
#include "plugins/ctld/request/ask.h"

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
