/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings and records of a ledger of six nodes, which is sound behind each. */
#ifndef RSPB_TESTS_UNIT_RECORDS_H
#define RSPB_TESTS_UNIT_RECORDS_H

#include "common/ledger/ledger.h"
#include "tests/unit/plan/requests.h"
#include "tests/validate/validate.h"

enum { NODES = 6 };

/* A booking of whole nodes, or of a share of each when share > 0. */
static inline struct rspb_booking *made(uint64_t id, int64_t start, int64_t end, const char *nodes,
					int64_t share)
{
	struct rspb_nodeset *set = nodes_of(NODES, nodes);
	struct rspb_request *request = ask(id, start, end - start, rspb_nodeset_count(set));
	struct rspb_booking *booking;

	request->parts[0].share = share;
	booking = rspb_booking_create(request);
	ck_assert_int_eq(rspb_booking_grant(booking, NODES, NULL), 0);
	rspb_nodeset_copy(booking->grants[0].nodes, set);
	booking->grants[0].share = share;
	booking->start = start;
	booking->end = end;
	booking->state = RSPB_BOOKED;
	rspb_request_destroy(request);
	rspb_nodeset_destroy(set);
	return booking;
}

static inline struct rspb_ledger *fresh(void)
{
	int64_t capacity[NODES];

	for (int i = 0; i < NODES; i++)
		capacity[i] = 10000;
	return rspb_ledger_create(NODES, capacity, 0);
}

static inline void valid(const struct rspb_ledger *ledger)
{
	struct rspb_err err = { "" };

	ck_assert_msg(!validate_ledger(ledger, &err), "%s", err.text);
}

static inline int put(struct rspb_ledger *ledger, enum rspb_record_kind kind,
		      struct rspb_booking *booking, struct rspb_err *err)
{
	struct rspb_record record = { .kind = kind, .booking = booking };
	int rc = rspb_ledger_apply(ledger, &record, err);

	rspb_booking_destroy(booking);
	valid(ledger);
	return rc;
}

static inline int book(struct rspb_ledger *ledger, struct rspb_booking *booking)
{
	struct rspb_err err;

	return put(ledger, RSPB_REC_BOOK, booking, &err);
}

static inline int happen(struct rspb_ledger *ledger, uint64_t id, enum rspb_event event,
			 int64_t time)
{
	struct rspb_record record = {
		.kind = RSPB_REC_EVENT, .id = id, .event = event, .time = time, .reason = "because"
	};
	struct rspb_err err;
	int rc = rspb_ledger_apply(ledger, &record, &err);

	valid(ledger);
	return rc;
}

static inline void advance(struct rspb_ledger *ledger, int64_t now)
{
	struct rspb_record record = { .kind = RSPB_REC_ADVANCE, .time = now };

	ck_assert_int_eq(rspb_ledger_apply(ledger, &record, NULL), 0);
	valid(ledger);
}

static inline const char *free_nodes(const struct rspb_ledger *ledger, int64_t start, int64_t end,
				     bool for_shares)
{
	static char text[64];
	struct rspb_nodeset *set = rspb_nodeset_create(NODES);

	ck_assert_int_eq(for_shares ? rspb_ledger_shareable_over(ledger, start, end, set, NULL)
				    : rspb_profile_free_over(rspb_ledger_profile(ledger), start,
							     end, set, NULL),
			 0);
	rspb_nodeset_print(set, text, sizeof(text));
	rspb_nodeset_destroy(set);
	return text;
}

#endif
