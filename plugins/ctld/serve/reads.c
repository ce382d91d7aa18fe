/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers what a picture can answer, in the socket's thread. */
#include "plugins/ctld/serve/reads.h"

#include <stdlib.h>

#include "common/conf/config.h"
#include "common/wire/flags.h"
#include "common/wire/json.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/no_show.h"
#include "plugins/ctld/request/ask.h"

/* Answers which limits count for a user, and what is left of them. No request is judged here. */

/* Add a row unless there is no limit (0). used: below 0: the limit is no sum. */
static void add_row(json_object *list, const char *key, const char *unit, int64_t value,
		    int64_t used)
{
	json_object *row;

	if (!value)
		return;
	row = json_object_new_object();
	rspb_json_put_text(row, "limit", key);
	rspb_json_put_text(row, "unit", unit);
	rspb_json_put_int(row, "value", value);
	if (used >= 0) {
		rspb_json_put_int(row, "used", used);
		rspb_json_put_int(row, "left", used < value ? value - used : 0);
	}
	json_object_array_add(list, row);
}

/* Add the limits in the words of rspb.conf. In rspb.conf, how much may be booked ahead is a time of
 * all nodes; here it becomes node-seconds. */
static void add_rows(json_object *list, const struct rspb_config *config, uint32_t machine,
		     const struct rspb_limits_use *use)
{
	uint32_t nodes = rspb_limits_nodes(config, machine);
	int64_t all = machine;

	add_row(list, "MaxNodes", "nodes", nodes, -1);
	add_row(list, "MaxDuration", "seconds", config->max_duration, -1);
	add_row(list, "MaxNodeHours", "node-seconds", (int64_t) config->max_node_hours * 3600, -1);
	add_row(list, "MinNotice", "seconds", config->min_notice, -1);
	add_row(list, "Horizon", "seconds", config->horizon, -1);
	add_row(list, "SeriesHorizon", "seconds", config->series_horizon, -1);
	add_row(list, "MaxWaitingPerUser", "bookings", config->max_waiting_user,
		use->user.bookings);
	add_row(list, "MaxAheadPerUser", "node-seconds", config->max_ahead_user * all,
		use->user.ahead);
	add_row(list, "MaxSeriesAheadPerUser", "node-seconds", config->max_series_ahead * all,
		use->series.ahead);
	add_row(list, "MaxWaitingPerAccount", "bookings", config->max_waiting_account,
		use->account.bookings);
	add_row(list, "MaxAheadPerAccount", "node-seconds", config->max_ahead_account * all,
		use->account.ahead);
	if (config->max_share_percent && config->max_share_percent < 100)
		add_row(list, "MaxBookedPercent", "nodes", rspb_limits_booked(config, machine), -1);
}

/* Add "limits" and "barred" (doc/protocol.md) for an account, partition and QOS, with Rules
 * applied. RET 0, or -1 with err. */
static int allowed_answer(const struct rspb_inquiry *inquiry, uint32_t uid,
			  const struct rspb_picture *picture, json_object *answer,
			  struct rspb_err *err)
{
	/* Rules may name partitions, so the limits are those of one: the named or the default. */
	const struct rspb_partition *where = rspb_picture_partition(picture, inquiry->partition);
	uint32_t machine = rspb_ledger_machine(picture->ledger);
	struct rspb_request *request;
	struct rspb_limits_use use;
	const struct rspb_config *config;
	struct rspb_config space;
	json_object *list;
	struct rspb_err why;
	int rc;

	if (!where)
		return rspb_fail(err, "there is no partition %s", inquiry->partition);
	request = rspb_request_create(1);
	if (!request)
		return rspb_fail(err, "out of memory");
	request->user = uid;
	rspb_request_label(request, inquiry->account, inquiry->qos, where->name);
	config = rspb_limits_settings(rspb_settings_get(), request, &space);
	rc = rspb_limits_use(picture->ledger, request, rspb_no_show_held(uid, picture->at),
			     picture->at + config->ahead_from, &use);
	if (!rc) {
		list = json_object_new_array();
		add_rows(list, config, machine, &use);
		rspb_json_put_text(answer, "partition", where->name);
		rspb_json_put(answer, "limits", list);
		if (rspb_no_show_check(uid, picture->at, &why))
			rspb_json_put_text(answer, "barred", why.text);
	}
	rspb_request_destroy(request);
	return rc ? rspb_fail(err, "out of memory") : 0;
}

/* The limits of one answer. A frame has a maximum size, so a list is given in pages, which the
 * caller requests by `first`. */
enum { PAGE = 250, NAMES_MOST = 1024, SHOWN_MOST = 256 * 1024 };

/* Check PrivateData: without the permission, users see only their own bookings. */
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

/* Decide whether an entry is to be written, and count it. Only entries that the caller may see have
 * a place in the list, so that places reveal nothing. Declined requests are shown although they are
 * final, since their users still wait. */
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

/* The ledger comes first and then the requests, as one list: page.at continues from one to the
 * other. */
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

/* The booking and the request that a question is about. Both can be there: a user who has released
 * a booking may have asked again. NULL: there is none. */
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

/* A request that the last picture has undecided may have been decided since. The caller waits for a
 * newer picture then. */
bool rspb_reads_undecided(const struct rspb_picture *picture, const struct rspb_inquiry *query)
{
	struct found found = find_asked(query, picture);

	return found.asked && rspb_contract_says(found.asked->contract, RSPB_REQUESTED);
}

/* Answer with one booking or request. The error is the same whether it does not exist or must not
 * be seen. */
static int show(const struct rspb_inquiry *query, const struct rspb_caller_view *who,
		const struct rspb_picture *picture, json_object *answer, struct rspb_err *err)
{
	struct found found = find_asked(query, picture);
	const struct rspb_booking *b = found.booking;
	const struct rspb_asked *asked = found.asked;
	json_object *object = NULL;

	/* A user who has asked again wants to know about the new request, not about the old
	 * booking. */
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
		return allowed_answer(query, who->uid, picture, answer, err);
	case RSPB_ASK_STATS:
		return rspb_figures_answer(query, who, picture, answer, err);
	case RSPB_ASK_SETTINGS:
		rspb_in_force_answer(who, picture, answer);
		return 0;
	/* These questions never get here; they are listed so that the compiler reports one that is
	 * forgotten. */
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
