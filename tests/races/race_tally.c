/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has become of requests, counted and read by several threads at once. */
#include "plugins/ctld/base/tally.h"

#include "tests/races/races.h"

/* More users than there is room for. */
enum { COUNTERS = 3, ROUNDS = 3000 };

static void count(unsigned int part)
{
	struct rspb_request *request = rspb_request_create(1);
	struct rspb_booking *b;

	MUST(request);
	request->user = part;
	b = rspb_booking_create(request);
	MUST(b);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		rspb_tally_booked(b);
		rspb_tally_refused(request, RSPB_REFUSAL_ROOM);
		rspb_tally_turned_away(i, RSPB_REFUSAL_LIMITS);
		rspb_tally_ended(b, RSPB_EV_CANCEL, 1);
		rspb_tally_no_show(b);
		rspb_tally_charged(i, 1);
	}
	rspb_booking_destroy(b);
	rspb_request_destroy(request);
}

static void read(unsigned int part)
{
	static __thread struct rspb_tally_user users[RSPB_TALLY_USERS];
	struct rspb_lengths_sum decisions;
	struct rspb_tally all;

	(void) part;
	do {
		MUST(rspb_tally_read(&all) == 1);
		MUST(rspb_tally_users(users) <= RSPB_TALLY_USERS);
		rspb_tally_times(RSPB_TALLY_DECISIONS, &decisions);
	} while (all.no_shows < COUNTERS * ROUNDS);
}

int main(void)
{
	struct rspb_tally all;

	rspb_tally_begin(1);
	RACE(count, count, count, read);
	rspb_tally_read(&all);
	MUST(all.booked == COUNTERS * ROUNDS && all.cancelled == all.booked);
	MUST(all.refused[RSPB_REFUSAL_LIMITS] == all.booked);
	return 0;
}
