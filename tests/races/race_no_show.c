/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The agent notes windows and the journal reads and tells them, while users are
 * judged by them. */
#include <stdatomic.h>

#include "plugins/ctld/book/no_show.h"
#include "tests/races/races.h"

enum { USERS = 3, ROUNDS = 2000, BACK = 100 };

/* Told by one thread, as a file that is read again. */
static struct json_object *told[USERS * BACK];
static size_t n_told;
static atomic_int_fast64_t clock_now;

void rspb_durable_note(const char *kind, struct json_object *value, int64_t now)
{
	(void) kind;
	(void) now;
	if (n_told < sizeof(told) / sizeof(told[0]))
		told[n_told++] = value;
	else
		json_object_put(value);
}

/* Windows that end soon behind one another, so that some always go. */
static void agent(unsigned int part)
{
	const struct rspb_config config = { .no_show = RSPB_NO_SHOW_BAR, .no_show_bar = 3 };
	char what[80];

	(void) part;
	for (int64_t now = 1; now <= ROUNDS; clock_now = ++now) {
		struct rspb_request *request = rspb_request_create(1);
		struct rspb_booking *b;

		MUST(request);
		request->id = (uint64_t) now;
		request->user = (uint32_t) (now % USERS);
		b = rspb_booking_create(request);
		rspb_request_destroy(request);
		MUST(b && !rspb_booking_grant(b, 4, NULL));
		b->start = now;
		b->end = now + 5;
		rspb_no_show_note(b, &config, now, what, sizeof(what));
		rspb_booking_destroy(b);
		if (now % 10)
			continue;
		rspb_no_show_durable.tell(now);
		for (size_t i = 0; i < n_told; i++) {
			rspb_no_show_durable.take(told[i], now);
			json_object_put(told[i]);
		}
		n_told = 0;
	}
}

static void user(unsigned int part)
{
	struct rspb_err err;

	for (int64_t now; (now = clock_now) <= ROUNDS;) {
		rspb_no_show_check(part % USERS, now, &err);
		MUST(rspb_no_show_held(part % USERS, now).bookings <= ROUNDS);
	}
}

int main(void)
{
	RACE(agent, user, user, user);
	return 0;
}
