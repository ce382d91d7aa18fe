/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills a proposal: the standing bookings that a plan has differently from the ledger. proposal.c
 * carries it out. */
#include <stdio.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/proposal.h"
#include "plugins/ctld/requests/ask.h"

static void item_fini(struct rspb_proposed *one)
{
	rspb_booking_destroy(one->was);
	rspb_booking_destroy(one->terms);
	rspb_ask_fini(&one->ask);
	*one = (struct rspb_proposed){ .was = NULL };
}

void rspb_proposal_fini(struct rspb_proposal *p)
{
	for (size_t i = 0; i < p->n; i++)
		item_fini(&p->items[i]);
	free(p->items);
	p->items = NULL;
	p->n = p->room = 0;
}

int rspb_proposal_add(struct rspb_proposal *p, struct rspb_proposed *one)
{
	if (rspb_array_grow(&p->items, &p->room, p->n + 1, sizeof(*p->items)))
		return -1;
	p->items[p->n++] = *one;
	*one = (struct rspb_proposed){ .was = NULL };
	return 0;
}

static bool item_fill(struct rspb_proposed *one, const struct rspb_booking *old,
		      const struct rspb_booking *new)
{
	const struct rspb_kind *kind = rspb_kind_of(old->request);
	bool lost = rspb_state_final(new->state);

	/* The booking has begun since the plan was made, which left it as it was. */
	if (old->state == RSPB_ACTIVE && new->state == RSPB_BOOKED)
		return false;
	if ((lost && !kind->lose) || !rspb_ask_involve(&one->ask, old->request))
		return false;
	one->was = rspb_booking_clone(old);
	if (lost)
		return one->was;
	one->terms = rspb_booking_clone(new);
	return one->was && one->terms;
}

static void collect_all(struct rspb_proposal *p, const struct rspb_ledger *plan)
{
	const struct rspb_ledger *book = rspb_book_ledger();
	const struct rspb_booking *old, *new;
	size_t i = 0;

	while ((old = rspb_ledger_next_changed(book, plan, &i, &new))) {
		struct rspb_proposed *one = &p->items[p->n];

		if (item_fill(one, old, new))
			p->n++;
		else
			item_fini(one);
	}
}

int rspb_proposal_collect(struct rspb_proposal *p, const struct rspb_ledger *plan, int64_t now,
			  struct rspb_err *err)
{
	const struct rspb_ledger *book = rspb_book_ledger();
	struct rspb_section section;
	const struct rspb_booking *new;
	size_t i = 0, most = 0;

	p->now = now;
	p->seen = rspb_ledger_seen(plan);
	while (rspb_ledger_next_changed(book, plan, &i, &new))
		most++;
	if (!most)
		return 0;
	p->items = calloc(most, sizeof(*p->items));
	if (!p->items)
		return rspb_fail(err, "out of memory");
	p->room = most;
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "look"))
		return rspb_fail(err, "slurmctld is shutting down");
	collect_all(p, plan);
	section.items = p->n;
	rspb_section_leave(&section);
	for (i = 0; i < p->n; i++)
		rspb_ask_user(&p->items[i].ask);
	return 0;
}

void rspb_proposed_word(struct rspb_proposed *one, const char *why)
{
	one->elsewhere = one->terms && !rspb_booking_same_place(one->was, one->terms);
	if (!one->why[0])
		snprintf(one->why, sizeof(one->why), "%s", why);
	if (one->terms)
		rspb_booking_say(one->terms, one->why);
}
