/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers what a picture can answer. Changes are answered by answer.c. */
#include "plugins/ctld/pictures/reads.h"

#include <stdlib.h>

#include "common/wire/flags.h"
#include "common/wire/members.h"
#include "plugins/ctld/pictures/allowed.h"
#include "plugins/ctld/pictures/calendar.h"
#include "plugins/ctld/pictures/figures.h"
#include "plugins/ctld/pictures/in_force.h"
#include "plugins/ctld/pictures/listing.h"
#include "plugins/ctld/pictures/slots.h"

/* The limits of one answer; the caller asks for the rest by `first`. */
enum { PAGE = 250, NAMES_MOST = 1024, SHOWN_MOST = 256 * 1024 };

static bool may_see(const struct rspb_caller_view *who, uint32_t uid)
{
	return who->sees_all || uid == who->uid;
}

struct page {
	const struct rspb_inquiry *query;
	const struct rspb_caller_view *who;
	json_object *list;
	int64_t at; /* place in the whole list */
	int64_t next;
};

/* Whether this one, of that user and state, is to be written. */
static bool wanted(struct page *page, uint32_t uid, enum rspb_state state)
{
	const struct rspb_inquiry *query = page->query;

	if (!may_see(page->who, uid) || (!query->all && uid != page->who->uid))
		return false;
	if (state != RSPB_DECLINED && rspb_state_final(state) && !query->ended)
		return false;
	if (page->at++ < query->first)
		return false;
	if (json_object_array_length(page->list) < PAGE)
		return true;
	if (!page->next)
		page->next = page->at - 1;
	return false;
}

static void list_bookings(struct page *page, const struct rspb_picture *picture)
{
	size_t n = rspb_ledger_count(picture->ledger);

	for (size_t i = 0; i < n && !page->next; i++) {
		const struct rspb_booking *b = rspb_ledger_at(picture->ledger, i);

		if (wanted(page, b->request->user, b->state))
			json_object_array_add(page->list,
					      rspb_listing_booking(picture, b, NAMES_MOST));
	}
}

static void list_asked(struct page *page, const struct rspb_picture *picture)
{
	for (size_t i = 0; i < picture->n_asked && !page->next; i++) {
		const struct rspb_asked *asked = &picture->asked[i];
		json_object *object;

		if (!wanted(page, asked->uid, RSPB_REQUESTED))
			continue;
		object = rspb_listing_asked(asked);
		if (object)
			json_object_array_add(page->list, object);
	}
}

static void list(const struct rspb_inquiry *query, const struct rspb_caller_view *who,
		 const struct rspb_picture *picture, json_object *answer)
{
	struct page page = { .query = query, .who = who, .list = json_object_new_array() };

	list_bookings(&page, picture);
	list_asked(&page, picture);
	rspb_json_put(answer, "bookings", page.list);
	if (page.next)
		rspb_json_put_int(answer, "next", page.next);
}

/* The booking or request that a question is about; NULL: there is none. */
struct found {
	const struct rspb_booking *booking;
	const struct rspb_asked *asked;
};

static struct found find_asked(const struct rspb_inquiry *query, const struct rspb_picture *picture)
{
	uint64_t id = (uint64_t) query->job;
	const struct rspb_named *named;
	struct found found;

	if (!query->reservation[0])
		return (struct found){ rspb_ledger_find(picture->ledger, id),
				       rspb_picture_asked(picture, id) };
	named = rspb_picture_by_name(picture, query->reservation);
	found.booking = named ? rspb_ledger_find(picture->ledger, named->id) : NULL;
	found.asked = rspb_picture_asked_by_name(picture, query->reservation);
	return found;
}

bool rspb_reads_knows(const struct rspb_picture *picture, const struct rspb_inquiry *query)
{
	struct found found = find_asked(query, picture);

	return found.booking || found.asked;
}

bool rspb_reads_undecided(const struct rspb_picture *picture, const struct rspb_inquiry *query)
{
	struct found found = find_asked(query, picture);

	return found.asked && rspb_contract_says(found.asked->contract, RSPB_REQUESTED);
}

static int show(const struct rspb_inquiry *query, const struct rspb_caller_view *who,
		const struct rspb_picture *picture, json_object *answer, struct rspb_err *err)
{
	struct found found = find_asked(query, picture);
	const struct rspb_booking *b = found.booking;
	const struct rspb_asked *asked = found.asked;
	json_object *object = NULL;

	/* The old booking is no answer for a user who has asked again. */
	if (asked)
		b = NULL;
	if (b && may_see(who, b->request->user))
		object = rspb_listing_booking(picture, b, SHOWN_MOST);
	else if (!b && asked && may_see(who, asked->uid))
		object = rspb_listing_asked(asked);
	if (!object && query->reservation[0])
		return rspb_fail(err,
				 "there is no booking %.60s, or it is not "
				 "yours to see",
				 query->reservation);
	if (!object)
		return rspb_fail(err,
				 "job %llu has no booking and asks for none, "
				 "or is not yours to see",
				 (unsigned long long) query->job);
	rspb_json_put(answer, "booking", object);
	return 0;
}

int rspb_reads_answer(const struct rspb_inquiry *query, const struct rspb_caller_view *who,
		      const struct rspb_picture *picture, json_object *answer, struct rspb_err *err)
{
	switch (query->op) {
	case RSPB_ASK_LIST:
		list(query, who, picture, answer);
		return 0;
	case RSPB_ASK_SHOW:
		return show(query, who, picture, answer, err);
	case RSPB_ASK_CALENDAR:
		return rspb_calendar_answer(query, who, picture, answer, err);
	case RSPB_ASK_SLOTS:
		return rspb_slots_answer(query, who, picture, answer, err);
	case RSPB_ASK_LIMITS:
		return rspb_allowed_answer(query, who->uid, picture, answer, err);
	case RSPB_ASK_STATS:
		return rspb_figures_answer(query, who, picture, answer, err);
	case RSPB_ASK_SETTINGS:
		rspb_in_force_answer(who, picture, answer);
		return 0;
	case RSPB_ASK_RESERVE:
	case RSPB_ASK_MODIFY:
	case RSPB_ASK_RELEASE:
	case RSPB_ASK_OFFERS:
	case RSPB_ASK_PING:
	case RSPB_N_ASKS:
		break;
	}
	return rspb_fail(err, "this cannot be read");
}
