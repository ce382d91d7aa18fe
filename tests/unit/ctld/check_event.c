/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what an owner is told of a booking that changes. */
#include "plugins/ctld/post/letters.h"

#include <stdio.h>

#include "tests/unit/runner.h"

enum { NOW = 1795000000, LATER = NOW + 3600 };

static struct rspb_contract booked(uint32_t nodes, const char *on, int64_t had)
{
	struct rspb_contract contract = {
		.state = RSPB_BOOKED,
		.start = LATER,
		.end = LATER + 600,
		.terms.nodes = 3,
		.nodes_granted = nodes,
		.had = had,
	};

	snprintf(contract.on, sizeof(contract.on), "%s", on);
	return contract;
}

static enum rspb_letter_event event(struct rspb_contract old, struct rspb_contract new)
{
	return rspb_letter_event(&old, &new, NOW);
}

START_TEST(an_outage_is_told_once_and_its_end_once)
{
	struct rspb_contract all = booked(3, "n[1-3]", 0), one = booked(1, "n1", 3),
			     two = booked(2, "n[1-2]", 3);

	ck_assert_int_eq(event(all, two), RSPB_LETTER_DEGRADED);
	ck_assert_int_eq(event(two, one), RSPB_LETTER_DEGRADED);
	ck_assert_int_eq(event(one, two), RSPB_LETTER_NOTHING);
	ck_assert_int_eq(event(two, all), RSPB_LETTER_GROWN);
	ck_assert_int_eq(event(one, all), RSPB_LETTER_GROWN);
}
END_TEST

START_TEST(a_change_that_is_undone_stays)
{
	struct rspb_contract changed = booked(2, "n[1-2]", 0), back = booked(3, "n[1-3]", 0);

	snprintf(changed.reason, sizeof(changed.reason), "changed by its owner");
	snprintf(back.reason, sizeof(back.reason), "stays as it was booked: no");
	ck_assert_int_eq(event(changed, back), RSPB_LETTER_STAYS);
	ck_assert_int_eq(event(back, back), RSPB_LETTER_NOTHING);
}
END_TEST

START_TEST(growth_without_an_outage_is_told)
{
	ck_assert_int_eq(event(booked(1, "n1", 0), booked(2, "n[1-2]", 0)), RSPB_LETTER_GROWN);
	ck_assert_int_eq(event(booked(2, "n[1-2]", 0), booked(3, "n[1-3]", 0)), RSPB_LETTER_GROWN);
}
END_TEST

RUN_TESTS("event", NULL, NULL, 0, an_outage_is_told_once_and_its_end_once,
	  a_change_that_is_undone_stays, growth_without_an_outage_is_told)
