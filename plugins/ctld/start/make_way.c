/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives jobs that make way the word in time. Who has to is planned in
 * decide/preempt.c. */
#include "plugins/ctld/start/make_way.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/preempt/preempt.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/published.h"
#include "plugins/ctld/decide/preempt.h"

enum { AGAIN_S = 1 };

/* One that makes way for a booking. */
struct one {
	uint64_t booking;
	uint32_t victim;
	int64_t start; /* of the booking */
	int64_t at;    /* second of the next word; 0: it has to be looked at */
};

static struct {
	size_t n, room;
	struct one *items;
	uint64_t seen; /* the basis they are of */
} ways;

void rspb_make_way_reset(void)
{
	ways.n = 0;
	ways.seen = 0;
}

static struct one *find_one(uint32_t victim, uint64_t booking)
{
	for (size_t i = 0; i < ways.n; i++)
		if (ways.items[i].booking == booking && ways.items[i].victim == victim)
			return &ways.items[i];
	return NULL;
}

bool rspb_makes_way(uint32_t victim, uint64_t booking)
{
	return find_one(victim, booking);
}

static void add(uint64_t booking, uint32_t victim, int64_t start)
{
	struct one *old = find_one(victim, booking);

	if (old && old->start != start)
		*old = (struct one){ booking, victim, start, 0 };
	if (old)
		return;
	if (rspb_array_grow(&ways.items, &ways.room, ways.n + 1, sizeof(*ways.items)))
		return;
	ways.items[ways.n++] = (struct one){ .booking = booking, .victim = victim, .start = start };
}

/* RET the first booking that starts at that second or later. */
static size_t first_from(const struct rspb_ledger *ledger, int64_t second)
{
	size_t low = 0, high = rspb_ledger_count(ledger);

	while (low < high) {
		size_t half = low + (high - low) / 2;

		if (rspb_ledger_at(ledger, half)->start < second)
			low = half + 1;
		else
			high = half;
	}
	return low;
}

static bool lies_on(const struct rspb_booking *b, const struct rspb_nodeset *nodes)
{
	for (uint32_t i = 0; i < b->n_grants; i++)
		if (!b->grants[i].share && !rspb_nodeset_disjoint(b->grants[i].nodes, nodes))
			return true;
	return false;
}

/* Add the jobs whose nodes a booking takes: in a basis they end when it begins. Jobs
 * beside which parts could be booked (OverSubscribe=NO) are among them. */
static void find_victims(const struct rspb_ledger *basis)
{
	int64_t start, end;
	bool beside;

	for (size_t i = 0; i < rspb_ledger_blocks(basis); i++) {
		uint32_t victim = rspb_ledger_block_owner(basis, i);
		const struct rspb_nodeset *nodes = rspb_ledger_block_at(basis, i, &start, &end,
									&beside);

		if (!victim)
			continue;
		for (size_t k = first_from(basis, end); k < rspb_ledger_count(basis); k++) {
			const struct rspb_booking *b = rspb_ledger_at(basis, k);

			if (b->start != end)
				break;
			if (b->state == RSPB_BOOKED && lies_on(b, nodes))
				add(b->request->id, victim, end);
		}
	}
}

static void look_at_job(void)
{
	uint64_t is = rspb_published_count();
	struct rspb_ledger *basis;
	int64_t at;

	if (is == ways.seen || !rspb_preempt_enabled())
		return;
	basis = rspb_published_get(&at, NULL);
	if (!basis)
		return;
	find_victims(basis);
	ways.seen = is;
	rspb_ledger_destroy(basis);
}

/* RET whether the booking still starts then, on nodes of its victim. */
static bool stands(const struct one *one, struct rspb_job *victim)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	const struct rspb_booking *b = rspb_ledger_find(ledger, one->booking), *own;
	struct rspb_nodeset *nodes;
	bool lies;

	if (!b || b->state != RSPB_BOOKED || b->start != one->start ||
	    !rspb_job_find(one->victim, victim) || victim->phase != RSPB_JOB_RUNNING ||
	    victim->completing)
		return false;
	own = rspb_ledger_find(ledger, victim->leader);
	if (own && own->state == RSPB_ACTIVE)
		return false;
	nodes = rspb_nodeset_create(rspb_ledger_nodes(ledger));
	if (!nodes)
		return true;
	rspb_job_nodes(victim, nodes);
	lies = lies_on(b, nodes);
	rspb_nodeset_destroy(nodes);
	return lies;
}

/* What is to be done about one of them now, with the write lock. RET false: nothing
 * any more. */
static bool step(struct one *one, int64_t now)
{
	int64_t last = one->start - rspb_preempt_lead();
	struct rspb_job by, victim;
	struct rspb_way way;
	int64_t word;

	if (!stands(one, &victim) || !rspb_job_find((uint32_t) one->booking, &by) ||
	    !rspb_preempt_way(&by, &victim, &way) || way.suspends)
		return false;
	word = last - way.grace > way.from ? last - way.grace : way.from;
	if (now < word) {
		one->at = word;
		return true;
	}
	rspb_preempt(one->victim, (uint32_t) one->booking);
	if (!way.told)
		rspb_log_info("job %u makes way for booking %" PRIu64 ", which begins in %" PRId64
			      " s",
			      one->victim, one->booking, one->start - now);
	one->at = now < last ? last : now + AGAIN_S;
	return one->start > now;
}

static int64_t next_of(void)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < ways.n; i++)
		if (ways.items[i].at < next)
			next = ways.items[i].at;
	return next == INT64_MAX ? next : next * 1000;
}

int64_t rspb_make_way(int64_t now_ms)
{
	struct rspb_section section;
	int64_t now = now_ms / 1000;
	size_t i = 0;

	look_at_job();
	while (i < ways.n && next_of() <= now_ms) {
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "make way"))
			break;
		while (i < ways.n && !rspb_section_spent(&section)) {
			section.items++;
			if (ways.items[i].at > now || step(&ways.items[i], now))
				i++;
			else
				ways.items[i] = ways.items[--ways.n];
		}
		rspb_section_leave(&section);
	}
	return next_of();
}
