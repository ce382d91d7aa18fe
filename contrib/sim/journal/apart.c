/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policies that stand by what they have themselves decided (--apart): each has a ledger of
 * its own. From the journal come the requests, what was taken from outside, and what owners
 * do: who cancelled has cancelled with all of them, and who was over early is over early
 * with those that gave the start which was recorded. Moves, rescues, growth and changes
 * that owners asked for are the recorded policy's alone.
 */
#include "contrib/sim/journal/journal.h"

static int happens(struct rspb_ledger *own, uint64_t id, enum rspb_event event, int64_t time,
		   struct rspb_err *err)
{
	struct rspb_record record = {
		.kind = RSPB_REC_EVENT, .time = time, .id = id, .event = event
	};

	return rspb_ledger_apply(own, &record, err);
}

/* Windows begin and end by the clock; what is over is forgotten. */
static int go_on(struct rspb_ledger *own, int64_t now, struct rspb_err *err)
{
	const struct rspb_booking *b;

	for (size_t i = 0; i < rspb_ledger_count(own); i++) {
		b = rspb_ledger_at(own, i);
		if (b->start > now)
			break;
		if (b->state == RSPB_BOOKED &&
		    happens(own, b->request->id, RSPB_EV_START, b->start, err))
			return -1;
		b = rspb_ledger_at(own, i);
		if (b->state == RSPB_ACTIVE && b->end <= now &&
		    happens(own, b->request->id, RSPB_EV_END, b->end, err))
			return -1;
	}
	rspb_ledger_purge(own, now);
	return 0;
}

int journal_apart_go_on(struct journal *journal, struct rspb_err *err)
{
	for (size_t k = 0; journal->options.apart && k < journal->n_contenders; k++) {
		struct contender *contender = &journal->contenders[k];

		/* All contenders have what stood before the first decision. */
		if (!contender->own)
			contender->own = rspb_ledger_clone(journal->ledger);
		if (!contender->own)
			return rspb_fail(err, "out of memory");
		if (go_on(contender->own, journal->now, err))
			return -1;
	}
	return 0;
}

struct rspb_ledger *journal_apart_ground(const struct journal *journal,
					 const struct contender *contender, struct rspb_err *err)
{
	struct rspb_ledger *beside, *ground;

	if (!contender->own || journal->without)
		return journal_ground(journal, journal->basis, err);
	beside = rspb_ledger_through(contender->own, contender->own, journal->basis, NULL, err);
	ground = beside ? journal_ground(journal, beside, err) : NULL;
	rspb_ledger_destroy(beside);
	return ground;
}

int journal_apart_event(struct journal *journal, const struct rspb_record *record,
			struct rspb_err *err)
{
	const struct rspb_booking *was = rspb_ledger_find(journal->ledger, record->id);
	enum rspb_event event = record->event;

	for (size_t k = 0; was && k < journal->n_contenders; k++) {
		struct rspb_ledger *own = journal->contenders[k].own;
		const struct rspb_booking *b;

		if (!own)
			continue;
		if (go_on(own, record->time, err))
			return -1;
		b = rspb_ledger_find(own, record->id);
		if (!b || rspb_state_final(b->state))
			continue;
		if (event == RSPB_EV_CANCEL && b->state == RSPB_ACTIVE)
			event = RSPB_EV_TERMINATE;
		if (event == RSPB_EV_CANCEL ||
		    (b->start == was->start && b->state == RSPB_ACTIVE &&
		     (event == RSPB_EV_TERMINATE || event == RSPB_EV_END))) {
			if (happens(own, record->id, event, record->time, err))
				return -1;
		}
		event = record->event;
	}
	return 0;
}
