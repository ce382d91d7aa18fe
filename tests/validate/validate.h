/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lies behind the engine's headers, checked without trusting any of it,
 * and measured: for tests and the benchmark alone.
 */
#ifndef TESTS_VALIDATE_H
#define TESTS_VALIDATE_H

#include "common/calendar/profile.h"
#include "common/ledger/ledger.h"
#include "common/shares/shares.h"

/* Check every invariant. RET 0, or -1 with err saying which is broken. */
int validate_profile(const struct rspb_profile *profile, struct rspb_err *err);
int validate_shares(const struct rspb_shares *shares, struct rspb_err *err);
/* The same of calendar, shares and the ledger's own lists, and that all three
 * say the same of each node. */
int validate_ledger(const struct rspb_ledger *ledger, struct rspb_err *err);

struct profile_stats {
	uint32_t nodes;
	size_t points; /* times at which the booked set changes */
	size_t groups; /* entries of the index */
	size_t bytes;  /* memory held */
};
struct profile_stats validate_stats(const struct rspb_profile *profile);
/* Memory held, in bytes. */
size_t validate_shares_bytes(const struct rspb_shares *shares);

#endif
