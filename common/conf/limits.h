/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges whether a site's settings allow a booking, as far as the request, the booking and the
 * ledger tell. Times are seconds since 1970. */
#ifndef RSPB_CONF_LIMITS_H
#define RSPB_CONF_LIMITS_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/request/booking.h"

/* How far ahead it may end, s: Horizon, or of one of a series SeriesHorizon. */
int64_t rspb_limits_horizon(const struct rspb_config *config, const struct rspb_request *request);
/* RET the most nodes of one booking on a machine of so many, 0: any number. */
uint32_t rspb_limits_nodes(const struct rspb_config *config, uint32_t nodes);
/* RET the most nodes that may be booked at a time (MaxBookedPercent): one at least. */
uint32_t rspb_limits_booked(const struct rspb_config *config, uint32_t nodes);
/* Size and times of a request asked at `now`, on a machine of so many nodes:
 * Mode, MaxNodes, MaxDuration, MinNotice, Horizon. RET 0, or -1 with a sentence for
 * the user. */
int rspb_limits_request(const struct rspb_request *request, const struct rspb_config *config,
			uint32_t nodes, int64_t now, struct rspb_err *err);
/* Keep those forms of a moldable request (request/forms.h) that the same settings allow, and give
 * the request the first of them. If none is allowed, all stay. RET 0, or -1: out of memory, nothing
 * is changed. */
int rspb_limits_forms(struct rspb_request *request, const struct rspb_config *config,
		      uint32_t nodes, int64_t now);
/* The sums that count against a user's limits. */
struct rspb_holding {
	uint32_t bookings;
	int64_t ahead; /* node-seconds from now on */
};
/* RET the node-seconds that a booking holds from a time on; a share counts as its part of a
 * node. */
int64_t rspb_limits_ahead(const struct rspb_booking *booking, int64_t from);

/* After planning, before the booking is in the ledger: what its user has booked
 * that has not ended (MaxWaitingPerUser, MaxAheadPerUser; of series, each of which
 * is one for the former, MaxSeriesAheadPerUser), and the part of the machine booked at
 * one time (MaxBookedPercent). besides: what counts of the user's that is in the ledger
 * no more. RET 0, or -1 with a sentence for the user. */
int rspb_limits_grant(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		      struct rspb_holding besides, const struct rspb_config *config,
		      struct rspb_err *err);

/* The bookings of a user and of an account (labels of the request) as they count so far against
 * the limits that rspb_limits_grant() checks; of those in series, only `series.ahead` is set. */
struct rspb_limits_use {
	struct rspb_holding user, series, account;
};
/* The time that counts begins at `from` (AheadFrom). RET 0, -1: out of memory. */
int rspb_limits_use(const struct rspb_ledger *ledger, const struct rspb_request *request,
		    struct rspb_holding besides, int64_t from, struct rspb_limits_use *out);

/* RET whether the part of the machine allows a booking beside the others of a ledger that count
 * (NULL: all do), whatever else has nodes there. */
typedef bool (*rspb_limits_counts_fn)(const struct rspb_booking *booking, const void *arg);
bool rspb_limits_beside(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
			const struct rspb_config *config, rspb_limits_counts_fn counts,
			const void *arg);
/* The same of one that moves on a plan, by the rules for its request. RET whether it may; config:
 * a struct rspb_config (rspb_policy.allows). */
bool rspb_limits_move(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		      const void *config);
/* Set how long before its start a request is no longer moved (request->moves; 0: it never is):
 * FirmNotice, or its owner's --firm (0: not said) if that is longer. */
void rspb_limits_moves(struct rspb_request *request, const struct rspb_config *config,
		       int64_t firm);

/* RET the ledger without a booking that it has, which is judged anew. NULL with err: out of
 * memory. */
struct rspb_ledger *rspb_limits_rest(const struct rspb_ledger *ledger,
				     const struct rspb_booking *booking, int64_t now,
				     struct rspb_err *err);
/* As rspb_limits_grant(), of one that may be in the ledger as it was: the part of the machine
 * alone, if it has grown. */
int rspb_limits_growth(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		       const struct rspb_config *config, struct rspb_err *err);

#endif
