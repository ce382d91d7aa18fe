/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of nodes that will do with fewer tasks. */
#include <stdlib.h>

#include "common/plan/schedule.h"
#include "tests/unit/plan/records.h"

enum { PAIR = 2, CORES = 16, GPU = 7 };

static struct rspb_ledger *machine(void)
{
	const int64_t capacity[PAIR] = { CORES * RSPB_SHARE_CORE,
					 CORES * RSPB_SHARE_CORE };
	const uint32_t gpus[PAIR] = { 4, 4 };
	struct rspb_ledger *ledger = rspb_ledger_create(PAIR, capacity, 0);

	ck_assert_ptr_nonnull(ledger);
	ck_assert_int_eq(rspb_ledger_add_room(ledger, GPU, gpus), 0);
	return ledger;
}

static struct rspb_booking *part(uint64_t id, uint32_t node, int64_t cores,
				 int64_t gpus, int64_t start, int64_t end)
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

static int add(struct rspb_ledger *ledger, struct rspb_booking *booking)
{
	const struct rspb_record record = { .kind = RSPB_REC_BOOK,
					    .id = booking->request->id,
					    .booking = booking };
	int rc = rspb_ledger_apply(ledger, &record, NULL);

	rspb_booking_destroy(booking);
	return rc;
}

/* Eight tasks with a core and half a GPU each, from 0 to 100; worth what they are. */
static struct rspb_booking *tasks(const struct rspb_ledger *from,
				  const char *worth)
{
	struct rspb_booking *wanted = part(9, 0, 8, 4, 0, 100), *booking;
	const struct rspb_request *request = wanted->request;
	struct rspb_part *of = &wanted->request->parts[0];
	struct rspb_ledger *ledger = rspb_ledger_clone(from);
	struct rspb_policy policy;

	rspb_policy_from_preset(rspb_preset_find("live"), &policy);
	ck_assert_int_eq(rspb_benefit_read(&of->benefit, worth, NULL), 0);
	of->tasks = 8;
	of->share_one = of->share_each = RSPB_SHARE_CORE;
	of->quotas[0].one = of->quotas[0].each = 1;
	ck_assert_int_eq(rspb_schedule_batch(ledger, &policy, &request, 1, 0,
					     &booking, NULL),
			 0);
	rspb_booking_destroy(wanted);
	rspb_ledger_destroy(ledger);
	return booking;
}

START_TEST(fewer_tasks)
{
	struct rspb_ledger *ledger = machine();
	struct rspb_booking *b = tasks(ledger, "linear:25%");

	ck_assert_int_eq(b->state, RSPB_BOOKED);
	ck_assert_int_eq(b->grants[0].share, 8 * RSPB_SHARE_CORE);
	ck_assert_uint_eq(b->request->parts[0].fewer, 0);
	rspb_booking_destroy(b);
	/* Cores for eight and five, GPUs for two and three. */
	ck_assert_int_eq(add(ledger, part(1, 0, 8, 2, 0, 100)), 0);
	ck_assert_int_eq(add(ledger, part(2, 1, 11, 1, 50, 100)), 0);
	b = tasks(ledger, "linear:25%");
	ck_assert_int_eq(b->state, RSPB_BOOKED);
	ck_assert_uint_eq(b->request->parts[0].fewer, 3);
	ck_assert_int_eq(b->grants[0].share, 3 * RSPB_SHARE_CORE);
	ck_assert_int_eq(b->request->parts[0].quotas[0].per_node, 3);
	ck_assert(rspb_nodeset_has(b->grants[0].nodes, 1));
	ck_assert_int_eq(rspb_ratio_compare(b->benefit, rspb_ratio_make(3, 8)),
			 0);
	rspb_booking_destroy(b);
	b = tasks(ledger, "linear:50%");
	ck_assert_int_eq(b->state, RSPB_DECLINED);
	ck_assert_uint_eq(b->request->parts[0].fewer, 0);
	ck_assert_int_eq(b->request->parts[0].quotas[0].per_node, 4);
	rspb_booking_destroy(b);
	rspb_ledger_destroy(ledger);
}
END_TEST

static Suite *suite(void)
{
	const TTest *const tests[] = { fewer_tasks };

	return suite_of("tasks", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
