/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges by the site's settings which users may book what. */
#ifndef RSPB_CTLD_REQUEST_LIMITS_H
#define RSPB_CTLD_REQUEST_LIMITS_H

#include "common/base/err.h"
#include "common/conf/config.h"
#include "plugins/ctld/request/ask.h"

struct rspb_job;

/* New settings, no lock held: say in the log which names of accounts and QOS there
 * are none of. */
void rspb_limits_learn(const struct rspb_config *config);
/* The settings that count for a request (rspb_rules_for) on this machine; any locks. */
const struct rspb_config *rspb_limits_settings(const struct rspb_config *config,
					       const struct rspb_request *request,
					       struct rspb_config *space);
/* Whether a job has parts of nodes by the settings for its user, account, QOS and partition; at
 * least the read lock. */
bool rspb_limits_parts(const struct rspb_job *job);
/* Whether its user, account and QOS may book at all; any locks. RET 0, or -1 with
 * a sentence for the user. */
int rspb_limits_who(const struct rspb_ask *ask, const struct rspb_config *config, int64_t now,
		    struct rspb_err *err);
/* Before planning; any locks (users.h). RET 0, or -1 with a
 * sentence for the user. config: what counts for the request (rules.h). */
int rspb_limits_check(const struct rspb_ask *ask, const struct rspb_config *config, uint32_t width,
		      int64_t now, struct rspb_err *err);
/* The same where it is not known yet which QOS one that names none ("") gets. */
int rspb_limits_foresee(const struct rspb_ask *ask, const struct rspb_config *config,
			uint32_t width, int64_t now, struct rspb_err *err);

/* Whether the limits allow a booking that is planned beside what the ledger holds:
 * rspb_limits_grant() by the settings for its request, with what its user has left unused. RET 0,
 * or -1 with err. */
int rspb_limits_decision(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
			 const struct rspb_config *config, int64_t now, struct rspb_err *err);
/* Agent, once it is decided that a booking is to be another: rspb_limits_grant() of the
 * new one, as if the old one were not in the ledger. */
int rspb_limits_instead(const struct rspb_ledger *ledger, const struct rspb_booking *old,
			const struct rspb_booking *new, const struct rspb_config *config,
			int64_t now, struct rspb_err *err);

#endif
