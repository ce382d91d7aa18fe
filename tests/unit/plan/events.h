/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happens to bookings of a ledger, and what they have of it. */
#ifndef RSPB_TESTS_UNIT_EVENTS_H
#define RSPB_TESTS_UNIT_EVENTS_H

#include "tests/unit/plan/mixture.h"

static inline void must(int rc, const struct rspb_err *err)
{
	ck_assert_msg(rc >= 0, "%s", err->text);
}

static inline void happen(struct rspb_ledger *ledger, uint64_t id, enum rspb_event event,
			  int64_t now)
{
	struct rspb_record record = {
		.kind = RSPB_REC_EVENT, .time = now, .id = id, .event = event
	};
	struct rspb_err err;

	must(rspb_ledger_apply(ledger, &record, &err), &err);
}

static inline void advance(struct rspb_ledger *ledger, int64_t now)
{
	struct rspb_record record = { .kind = RSPB_REC_ADVANCE, .time = now };
	struct rspb_err err;

	must(rspb_ledger_apply(ledger, &record, &err), &err);
}

static inline int64_t units(const struct rspb_ledger *ledger, uint64_t id)
{
	return rspb_grant_units(&rspb_ledger_find(ledger, id)->grants[0]);
}

static inline int64_t promise(const struct rspb_ledger *ledger, uint64_t id)
{
	return rspb_grant_promised(&rspb_ledger_find(ledger, id)->grants[0]);
}

#endif
