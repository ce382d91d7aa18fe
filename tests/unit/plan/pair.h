/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of a pair of nodes with cores and GPUs, in a ledger of these. */
#ifndef RSPB_TESTS_UNIT_PAIR_H
#define RSPB_TESTS_UNIT_PAIR_H

#include <stdlib.h>

#include "tests/unit/plan/records.h"

enum { PAIR = 2, CORES = 16, GPU = 7 };

static inline struct rspb_ledger *machine(void)
{
	const int64_t capacity[PAIR] = { CORES * RSPB_SHARE_CORE, CORES * RSPB_SHARE_CORE };
	const uint32_t gpus[PAIR] = { 4, 4 };
	struct rspb_ledger *ledger = rspb_ledger_create(PAIR, capacity, 0);

	ck_assert_ptr_nonnull(ledger);
	ck_assert_int_eq(rspb_ledger_add_room(ledger, GPU, gpus), 0);
	return ledger;
}

static inline struct rspb_booking *part(uint64_t id, uint32_t node, int64_t cores, int64_t gpus,
					int64_t start, int64_t end)
{
	struct rspb_request *request = rspb_request_create(1);
	struct rspb_booking *booking;

	request->id = id;
	request->ready = start;
	request->duration = end - start;
	request->deadline = end;
	request->parts[0].whole = CORES * RSPB_SHARE_CORE;
	request->parts[0].share = cores * RSPB_SHARE_CORE;
	request->parts[0].quotas = calloc(1, sizeof(struct rspb_quota));
	request->parts[0].n_quotas = 1;
	request->parts[0].quotas[0] = (struct rspb_quota){
		.key = GPU, .most = -1, .per_node = gpus, .name = "gpu"
	};
	booking = rspb_booking_create(request);
	rspb_request_destroy(request);
	ck_assert_int_eq(rspb_booking_grant(booking, PAIR, NULL), 0);
	rspb_nodeset_add(booking->grants[0].nodes, node);
	booking->grants[0].share = cores * RSPB_SHARE_CORE;
	booking->state = RSPB_BOOKED;
	booking->start = start;
	booking->end = end;
	return booking;
}

static inline int add(struct rspb_ledger *ledger, struct rspb_booking *booking)
{
	const struct rspb_record record = { .kind = RSPB_REC_BOOK,
					    .id = booking->request->id,
					    .booking = booking };
	int rc = rspb_ledger_apply(ledger, &record, NULL);

	rspb_booking_destroy(booking);
	return rc;
}

#endif
