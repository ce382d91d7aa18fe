/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/request/booking.h"

#include <string.h>

#include "tests/unit/runner.h"

/* Feed events; a refused one leaves the state. RET the refused ones' mask. */
static unsigned int run(const char *const *events, const char *const *states)
{
	enum rspb_state state = RSPB_REQUESTED, expected;
	unsigned int refused = 0;

	for (int i = 0; events[i]; i++) {
		enum rspb_event event;
		struct rspb_err err;

		ck_assert_int_eq(rspb_event_parse(events[i], &event), 0);
		ck_assert_str_eq(rspb_event_name(event), events[i]);
		if (rspb_state_next(&state, event, &err) < 0) {
			refused |= 1u << i;
			ck_assert_ptr_nonnull(strstr(err.text, events[i]));
		}
		ck_assert_int_eq(rspb_state_parse(states[i], &expected), 0);
		ck_assert_int_eq(state, expected);
	}
	ck_assert(rspb_state_final(state));
	return refused;
}

START_TEST(lives)
{
	ck_assert_uint_eq(0, run((const char *[]){ "accept", "change", "decline", "start", "change",
						   "accept", "end", NULL },
				 (const char *[]){ "booked", "booked_change", "booked", "active",
						   "active_change", "active", "completed" }));
	ck_assert_uint_eq(1u << 2,
			  run((const char *[]){ "accept", "start", "cancel", "terminate", NULL },
			      (const char *[]){ "booked", "active", "active", "terminated" }));
	ck_assert_uint_eq(1u << 1, run((const char *[]){ "decline", "start", NULL },
				       (const char *[]){ "declined", "declined" }));
	ck_assert_uint_eq(0, run((const char *[]){ "accept", "cancel", NULL },
				 (const char *[]){ "booked", "cancelled" }));
}
END_TEST

START_TEST(final_states_are_final)
{
	for (int s = 0; s < RSPB_N_STATES; s++) {
		enum rspb_state name;
		int open = 0;

		ck_assert_int_eq(rspb_state_parse(rspb_state_name((enum rspb_state) s), &name), 0);
		ck_assert_int_eq(name, s);
		for (int e = 0; e < RSPB_N_EVENTS; e++) {
			enum rspb_state state = (enum rspb_state) s;

			open += !rspb_state_next(&state, (enum rspb_event) e, NULL);
		}
		ck_assert_int_eq(rspb_state_final((enum rspb_state) s), !open);
		ck_assert_int_eq(rspb_state_agreement((enum rspb_state) s) != NULL, open != 0);
	}
}
END_TEST

START_TEST(three_agreements)
{
	enum rspb_state state = RSPB_REQUESTED;

	ck_assert_str_eq(rspb_state_agreement(state), "task");
	rspb_state_next(&state, RSPB_EV_ACCEPT, NULL);
	ck_assert_str_eq(rspb_state_agreement(state), "resource");
	rspb_state_next(&state, RSPB_EV_START, NULL);
	ck_assert_str_eq(rspb_state_agreement(state), "binding");
}
END_TEST

START_TEST(unknown_names)
{
	enum rspb_state state = RSPB_ACTIVE;
	enum rspb_event event = RSPB_EV_END;

	ck_assert_int_eq(rspb_state_parse("Booked", &state), -1);
	ck_assert_int_eq(rspb_event_parse("", &event), -1);
	ck_assert_int_eq(state, RSPB_ACTIVE);
	ck_assert_int_eq(event, RSPB_EV_END);
}
END_TEST

START_TEST(grants_and_value)
{
	struct rspb_request *r = rspb_request_create(2);
	struct rspb_booking *b, *c;
	struct rspb_err err;

	r->id = 42;
	r->parts[0].nodes = r->parts[0].nodes_min = 4;
	r->parts[1].share = 5000;
	ck_assert_int_eq(rspb_benefit_read(&r->benefit, "linear:25%", &err), 0);
	b = rspb_booking_create(r);
	rspb_request_destroy(r);
	ck_assert_int_eq(rspb_booking_grant(b, 100, &err), 0);
	ck_assert_uint_eq(b->n_grants, 2);
	for (uint32_t n = 70; n < 73; n++)
		rspb_nodeset_add(b->grants[0].nodes, n);
	rspb_nodeset_add(b->grants[1].nodes, 3);
	b->grants[1].share = 2500;
	rspb_booking_value(b);
	/* (3/4 + 1/2) / 2 */
	ck_assert_int_eq(b->benefit.num, 5);
	ck_assert_int_eq(b->benefit.den, 8);
	c = rspb_booking_clone(b);
	rspb_booking_destroy(b);
	ck_assert_uint_eq(c->request->id, 42);
	ck_assert_uint_eq(rspb_nodeset_count(c->grants[0].nodes), 3);
	ck_assert_int_eq(c->grants[1].share, 2500);
	rspb_booking_destroy(c);
	rspb_booking_destroy(NULL);
}
END_TEST

RUN_TESTS("booking", NULL, NULL, 0, lives, final_states_are_final, three_agreements, unknown_names,
	  grants_and_value)
