/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells which licenses bookings that have not begun, or have to begin again, are to have, and when:
 * what regular jobs have to leave. Kept by each change of the book, with its mutex.
 */
#ifndef RSPB_CTLD_BOOK_LICENSES_H
#define RSPB_CTLD_BOOK_LICENSES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/ledger/ledger.h"

/* Count all bookings of another ledger; NULL: there is none. */
void rspb_licenses_reset(const struct rspb_ledger *ledger);
/* Before and after a record is tried on the ledger: forget what its bookings
 * are to have, learn it again. */
void rspb_licenses_forget(const struct rspb_ledger *ledger, const struct rspb_record *record);
void rspb_licenses_learn(const struct rspb_ledger *ledger, const struct rspb_record *record);
/* RET how many of those with this key are booked at a time within [start, end),
 * at most. */
int64_t rspb_licenses_peak(uint64_t key, int64_t start, int64_t end);
/* Whether any are; for the agent, who changes the book. */
bool rspb_licenses_any(void);

#endif
