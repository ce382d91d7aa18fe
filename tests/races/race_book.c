/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The agent books, starts, ends and forgets, and puts a new ledger in the place of
 * the old one, while schedulers ask what is booked and users plan on copies. The
 * ledger is instrumented, too: copies share what neither has changed. */
#include "plugins/ctld/book/book.h"

#include <json-c/json.h>
#include <stdatomic.h>
#include <string.h>

#include "common/conf/config.h"
#include "plugins/ctld/book/occupancy.h"
#include "tests/races/races.h"

enum { NODES = 70, ROUNDS = 400, AHEAD = 20, LENGTH = 5, ANEW = 100 };
static const uint64_t key = RSPB_QUOTA_LICENSE | 1;

static atomic_bool over;
/* What the agent is at, in seconds. */
static atomic_int_fast64_t clock_now = 1;
/* Of the agent alone. */
static unsigned int told;

void rspb_durable_note(const char *kind, struct json_object *value, int64_t now)
{
	(void) kind;
	(void) now;
	json_object_put(value);
}

static void tell_reset(void)
{
	told++;
}

static void tell_record(const struct rspb_record *record)
{
	told += record->kind != RSPB_REC_ADVANCE;
}

static void tell_purge(int64_t before)
{
	told += before > 0;
}

static const struct rspb_book_listener listener = { tell_reset, tell_record, tell_purge };

/* This stands in for plugins/compat: the nodes stay the same. */
enum { TABLE = 1 };
uint64_t rspb_node_fingerprint(void);
uint64_t rspb_node_fingerprint(void)
{
	return TABLE;
}

static void anew(int64_t now)
{
	int64_t capacity[NODES];
	uint8_t *dedicated = malloc(NODES);
	struct rspb_ledger *ledger;

	for (int n = 0; n < NODES; n++)
		capacity[n] = RSPB_SHARE_WHOLE;
	ledger = rspb_ledger_create(NODES, capacity, now);
	MUST(ledger && dedicated);
	memset(dedicated, 50, NODES);
	rspb_book_reset(ledger, dedicated, TABLE);
}

/* RET one of a node, or of a share of it, with a license; owned. */
static struct rspb_booking *make(uint64_t id, int64_t start)
{
	struct rspb_request *request = rspb_request_create(1);
	struct rspb_quota *license = calloc(1, sizeof(*license));
	struct rspb_booking *b;

	MUST(request && license);
	request->id = id;
	request->user = 7;
	*license = (struct rspb_quota){ .key = key, .most = -1, .use = 1 };
	request->parts[0].quotas = license;
	request->parts[0].n_quotas = 1;
	request->parts[0].share = id % 2 ? RSPB_SHARE_WHOLE / 4 : 0;
	b = rspb_booking_create(request);
	rspb_request_destroy(request);
	MUST(b && !rspb_booking_grant(b, NODES, NULL));
	rspb_nodeset_add(b->grants[0].nodes, (uint32_t) (id % NODES));
	b->grants[0].share = id % 2 ? RSPB_SHARE_WHOLE / 4 : 0;
	b->state = RSPB_BOOKED;
	b->start = start;
	b->end = start + LENGTH;
	return b;
}

static void book(uint64_t id, int64_t now)
{
	struct rspb_booking *b = make(id, now + AHEAD);
	const struct rspb_record record = {
		.kind = RSPB_REC_BOOK, .time = now, .id = id, .booking = b
	};
	struct rspb_err err;

	MUST(!rspb_book_apply(&record, &err));
	rspb_booking_destroy(b);
}

static void agent(unsigned int part)
{
	struct rspb_nodeset *completing = rspb_nodeset_create(NODES);

	(void) part;
	MUST(completing);
	for (int64_t now = 1; now <= ROUNDS; clock_now = ++now) {
		uint64_t id = (uint64_t) now;
		int64_t begun = now - 1 - (now - 1) % ANEW;

		if (now % ANEW == 1)
			anew(now);
		rspb_book_advance(now);
		book(id, now);
		if (now > begun + AHEAD + 1)
			MUST(!rspb_book_event(id - AHEAD, RSPB_EV_START, now, NULL, NULL));
		if (now > begun + AHEAD + 3)
			MUST(!rspb_book_event(id - AHEAD - 2, RSPB_EV_END, now, "done", NULL));
		rspb_book_purge(now - 2 * AHEAD);
		rspb_published_set(rspb_ledger_clone(rspb_book_ledger()),
				   rspb_ledger_clone(rspb_book_ledger()), now);
		rspb_gap_use(RSPB_GAP_CLEAN_UP, now % 3 ? RSPB_GAP_AUTO : 7);
		rspb_nodeset_clear(completing);
		if (now % 20 < 10)
			rspb_nodeset_add(completing, (uint32_t) (now / 20));
		rspb_gap_see(RSPB_GAP_CLEAN_UP, completing, now);
	}
	rspb_nodeset_destroy(completing);
	over = true;
}

static void scheduler(unsigned int part)
{
	struct rspb_nodeset *set = rspb_nodeset_create(NODES);
	uint8_t dedicated[NODES];
	int64_t next[NODES];
	uint32_t ranks[NODES];
	enum rspb_state state;
	uint32_t user;

	(void) part;
	MUST(set);
	while (!over) {
		int64_t now = clock_now;

		rspb_book_booked(now, now + 100, set);
		rspb_nodeset_fill(set);
		MUST(!rspb_book_first(now, 100, 1, set, next) || next[0] >= now);
		rspb_book_beside(now, now + 100, set, dedicated);
		if (rspb_book_next_start(now, set, set, next, ranks))
			MUST(next[0] > now);
		if (rspb_book_state((uint64_t) now, &state, &user))
			MUST(user == 7);
		MUST(rspb_book_license(key, now, now + 100) <= ROUNDS);
		rspb_book_imminent(now, 1);
		rspb_book_idle();
		rspb_book_unread();
		rspb_book_colocates();
		MUST(rspb_gap_whole() >= 0 && rspb_gap_whole() < 60);
	}
	rspb_nodeset_destroy(set);
}

static void planner(unsigned int part)
{
	while (!over) {
		uint64_t id = 1000 + part;
		int64_t at;
		struct rspb_ledger *book = NULL;
		struct rspb_ledger *plan = rspb_published_get(&at, &book);
		struct rspb_booking *b;
		struct rspb_record record = { .kind = RSPB_REC_BOOK, .id = id };

		if (!plan)
			continue;
		b = make(id, at + 100 + AHEAD);
		record.time = at;
		record.booking = b;
		MUST(!rspb_ledger_apply(plan, &record, NULL));
		rspb_ledger_purge(plan, at);
		rspb_booking_destroy(b);
		rspb_ledger_destroy(plan);
		rspb_ledger_destroy(book);
	}
}

int main(void)
{
	rspb_book_listen(&listener);
	RACE(agent, scheduler, scheduler, planner, planner);
	rspb_book_reset(NULL, NULL, 0);
	MUST(told > 3 * ROUNDS && rspb_book_idle() && rspb_book_unread());
	rspb_gap_reset();
	return 0;
}
