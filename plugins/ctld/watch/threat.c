/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/watch/threat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/jobs/recheck.h"
#include "plugins/ctld/watch/rescue.h"

/* How often those who could not be helped are looked at again. */
enum { AGAIN_S = 2 };

/* One booking and what its owner has been told, or is to be told now. */
struct notice {
	uint64_t id;
	char text[RSPB_ERR_TEXT];	 /* "": nothing is in the way */
	char was[RSPB_ERR_TEXT];	 /* the same, when it is helped */
	char offers[RSPB_RESCUE_OFFERS]; /* what it could have instead */
	bool serious;			 /* it had better go elsewhere */
};

struct notices {
	size_t n, room;
	struct notice *items;
};

static struct notices told;

void rspb_threat_reset(void)
{
	free(told.items);
	told = (struct notices){ 0 };
}

static struct notice *notice_find(const struct notices *notices, uint64_t id)
{
	size_t i;

	for (i = 0; i < notices->n; i++)
		if (notices->items[i].id == id)
			return &notices->items[i];
	return NULL;
}

static struct notice *notice_add(struct notices *notices, uint64_t id)
{
	if (rspb_array_grow(&notices->items, &notices->room, notices->n + 1,
			    sizeof(*notices->items)))
		return NULL;
	notices->items[notices->n] = (struct notice){ .id = id };
	return &notices->items[notices->n++];
}

static const struct rspb_block *in_the_way(const struct rspb_booking *b,
					   const struct rspb_occupancy *occ)
{
	const struct rspb_block *block = NULL;
	uint32_t i;

	for (i = 0; i < b->n_grants && !block; i++)
		block = rspb_occupancy_hit(occ, b->start, b->end,
					   b->grants[i].nodes,
					   b->grants[i].share);
	return block;
}

/* What is to be told anew; with `again`, also what could not be helped when it
 * was told: something else may have come free. */
static void compare(const struct rspb_occupancy *occ, bool again,
		    struct notices *news)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	size_t i;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);
		const struct notice *old = notice_find(&told, b->request->id);
		const struct rspb_block *block;
		char text[RSPB_ERR_TEXT] = "";
		struct notice *new;

		if (b->state != RSPB_BOOKED)
			continue;
		block = in_the_way(b, occ);
		if (block)
			snprintf(text, sizeof(text), "%s is in the way now",
				 block->what);
		if (!strcmp(old ? old->text : "", text) &&
		    !(again && old && old->serious))
			continue;
		new = notice_add(news, b->request->id);
		if (!new)
			continue;
		memcpy(new->text, text, sizeof(text));
		if (block)
			snprintf(new->was, sizeof(new->was),
				 "%s was in the "
				 "way",
				 block->what);
		new->serious = block && !block->passing;
	}
}

static void tell(const struct notice *notice)
{
	struct notice *old = notice_find(&told, notice->id);
	char text[RSPB_ERR_TEXT + RSPB_RESCUE_OFFERS];
	const struct rspb_booking *b;

	if (old && !strcmp(old->text, notice->text) &&
	    !strcmp(old->offers, notice->offers))
		return;
	if (!old)
		old = notice_add(&told, notice->id);
	if (old)
		*old = *notice;
	if (!notice->text[0] && rspb_recheck_says(notice->id))
		snprintf(text, sizeof(text), "%s",
			 rspb_recheck_says(notice->id));
	else
		snprintf(text, sizeof(text), "%s%s", notice->text,
			 notice->offers);
	rspb_log_info("booking %" PRIu64 ": %s", notice->id,
		      text[0] ? text : "nothing is in the way any more");
	b = rspb_ledger_find(rspb_book_ledger(), notice->id);
	if (b)
		rspb_kind_of(b->request)->tell(notice->id, text);
}

/* Bookings that are over need no notice. */
static void forget_old(void)
{
	const struct rspb_booking *b;
	size_t i = 0;

	while (i < told.n) {
		b = rspb_ledger_find(rspb_book_ledger(), told.items[i].id);
		if (b && b->state == RSPB_BOOKED)
			i++;
		else
			told.items[i] = told.items[--told.n];
	}
}

static void forget(uint64_t id)
{
	struct notice *old = notice_find(&told, id);

	if (old)
		*old = told.items[--told.n];
}

/* RET whether it has another place now. */
static bool move(struct notice *notice, const struct rspb_config *config,
		 int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(),
							notice->id);
	const struct rspb_kind *kind = b ? rspb_kind_of(b->request) : NULL;

	if (!notice->serious || !kind)
		return false;
	return kind->move ? kind->move(notice->id, config, now)
			  : rspb_rescue_waiting(notice->id, notice->was, config,
						now, notice->offers);
}

/* What gets another place needs no notice, nor that all is well again: it has
 * been told what it has now. */
static void rescue(struct notices *news, const struct rspb_config *config,
		   int64_t now)
{
	size_t i = 0;

	while (i < news->n) {
		struct notice *notice = &news->items[i];

		if (!move(notice, config, now)) {
			i++;
			continue;
		}
		forget(notice->id);
		*notice = news->items[--news->n];
	}
}

void rspb_threat_watch(const struct rspb_config *config, int64_t now)
{
	struct notices news = { 0 };
	struct rspb_occupancy occ;
	struct rspb_section section;
	size_t i = 0;

	if (rspb_book_idle())
		return;
	forget_old();
	rspb_rescue_requeued(now);
	rspb_occupancy_init(&occ, rspb_ledger_nodes(rspb_book_ledger()), now,
			    now + config->horizon + 1);
	occ.no_jobs = true;
	if (rspb_section_enter(&section, RSPB_LOCK_READ, "threats")) {
		rspb_occupancy_collect(&occ, 0, NULL);
		section.items = occ.n;
		rspb_section_leave(&section);
		compare(&occ, now % AGAIN_S == 0, &news);
	}
	rescue(&news, config, now);
	while (i < news.n &&
	       rspb_section_enter(&section, RSPB_LOCK_WRITE, "threats")) {
		do {
			tell(&news.items[i++]);
			section.items++;
		} while (i < news.n && !rspb_section_spent(&section));
		rspb_section_leave(&section);
	}
	rspb_occupancy_fini(&occ);
	free(news.items);
}
