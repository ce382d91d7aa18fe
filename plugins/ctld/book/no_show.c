/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remembers windows that were not used, and the users who are barred for that. The code that ends a
 * booking decides whether it was used. */
#include "plugins/ctld/book/no_show.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "common/wire/json.h"
#include "plugins/ctld/book/state.h"

/* A window that was not used. The windows of one user, and of some others, are in one list. */
struct rspb_unused_window {
	struct rspb_unused_window *next;
	struct rspb_booking *booking; /* as it was; counts until its end */
	int64_t barred;		      /* until then; 0: nobody is */
};

static void window_destroy(struct rspb_unused_window *window)
{
	rspb_booking_destroy(window->booking);
	free(window);
}

/* RET the list of a user, without what counts no more and bars nobody. */
static struct rspb_unused_window **list_of(uint32_t user, int64_t now)
{
	struct rspb_unused_window **head = &rspb_book->unused.lists[user % RSPB_NO_SHOW_LISTS],
				  **at = head;

	while (*at) {
		struct rspb_unused_window *window = *at;

		if (window->booking->end > now || window->barred > now) {
			at = &window->next;
			continue;
		}
		*at = window->next;
		window_destroy(window);
	}
	return head;
}

static bool is_of(const struct rspb_unused_window *window, uint32_t user)
{
	return window->booking->request->user == user;
}

/* A backup controller may read the journal twice, and this kind has no reset(). */
static bool is_known(const struct rspb_unused_window *at, uint64_t id)
{
	while (at && at->booking->request->id != id)
		at = at->next;
	return at;
}

/* Remember a window; once: unless it is known. Memory is allocated and freed without the mutex.
 * Without memory the window is forgotten, in the owner's favour. */
static void add(const struct rspb_booking *b, int64_t barred, bool once, int64_t now)
{
	struct rspb_unused_window *window = calloc(1, sizeof(*window)), **head;

	if (!window)
		return;
	window->barred = barred;
	window->booking = rspb_booking_clone(b);
	if (!window->booking) {
		free(window);
		return;
	}
	pthread_mutex_lock(&rspb_book->unused.mutex);
	head = list_of(b->request->user, now);
	if (!once || !is_known(*head, b->request->id)) {
		window->next = *head;
		*head = window;
		window = NULL;
	}
	pthread_mutex_unlock(&rspb_book->unused.mutex);
	if (window)
		window_destroy(window);
}

/* --- in the journal ---------------------------------------------------------- */

/* Write only what counts of its size; which nodes it had does not matter. */
static struct json_object *written(const struct rspb_booking *b, int64_t barred)
{
	struct json_object *o = json_object_new_object();
	struct json_object *list = json_object_new_array();

	o = rspb_json_with_int(o, "id", (int64_t) b->request->id);
	o = rspb_json_with_int(o, "user", b->request->user);
	o = rspb_json_with_int(o, "start", b->start);
	o = rspb_json_with_int(o, "end", b->end);
	o = rspb_json_with_int(o, "barred", barred);
	for (uint32_t i = 0; i < b->n_grants; i++) {
		const struct rspb_grant *grant = &b->grants[i];
		struct json_object *part = json_object_new_object();

		part = rspb_json_with_int(part, "nodes", rspb_nodeset_count(grant->nodes));
		part = rspb_json_with_int(part, "share", grant->share);
		list = rspb_json_with(list, NULL, part);
	}
	return rspb_json_with(o, "parts", list);
}

/* Write all that still counts into a new file of the journal. The texts are made under the
 * mutex, and noted without it, one list at a time. */
static void tell_all(int64_t now)
{
	for (uint32_t i = 0; i < RSPB_NO_SHOW_LISTS; i++) {
		struct json_object *all = json_object_new_array();
		const struct rspb_unused_window *at;

		pthread_mutex_lock(&rspb_book->unused.mutex);
		for (at = *list_of(i, now); at; at = at->next)
			json_object_array_add(all, written(at->booking, at->barred));
		pthread_mutex_unlock(&rspb_book->unused.mutex);
		for (size_t k = 0; k < json_object_array_length(all); k++)
			rspb_durable_note("no_show",
					  json_object_get(json_object_array_get_idx(all, k)), now);
		json_object_put(all);
	}
}

/* RET a booking of as many nodes, for its size alone; NULL: the line is none, or out of memory.
 * The lowest nodes stand for those that it had. */
static struct rspb_booking *remember(struct json_object *o, struct json_object *parts)
{
	uint32_t n = (uint32_t) json_object_array_length(parts), width = 1;
	struct rspb_request *request = n && n <= RSPB_MAX_PARTS ? rspb_request_create(n) : NULL;
	struct rspb_booking *b;

	if (!request)
		return NULL;
	request->id = (uint64_t) rspb_json_int(o, "id");
	request->user = (uint32_t) rspb_json_int(o, "user");
	b = rspb_booking_create(request);
	rspb_request_destroy(request);
	for (uint32_t i = 0; i < n; i++) {
		int64_t count = rspb_json_int(json_object_array_get_idx(parts, i), "nodes");

		if (count > width && count <= UINT16_MAX)
			width = (uint32_t) count;
	}
	if (!b || rspb_booking_grant(b, width, NULL)) {
		rspb_booking_destroy(b);
		return NULL;
	}
	b->start = rspb_json_int(o, "start");
	b->end = rspb_json_int(o, "end");
	for (uint32_t i = 0; i < n; i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);

		b->grants[i].share = rspb_json_int(part, "share");
		for (uint32_t k = 0; k < width && k < rspb_json_int(part, "nodes"); k++)
			rspb_nodeset_add(b->grants[i].nodes, k);
	}
	return b;
}

static void take_line(struct json_object *o, int64_t now)
{
	struct json_object *parts = rspb_json_list(o, "parts");
	struct rspb_booking *b = NULL;

	if (parts)
		b = remember(o, parts);
	if (b)
		add(b, rspb_json_int(o, "barred"), true, now);
	rspb_booking_destroy(b);
}

const struct rspb_durable_kind rspb_no_show_durable = {
	.name = "no_show",
	.take = take_line,
	.tell = tell_all,
};

/* --- for others ---------------------------------------------------------------- */

void rspb_no_show_note(const struct rspb_booking *b, const struct rspb_config *config, int64_t now,
		       char *what, size_t size)
{
	struct rspb_text out = rspb_text_over(what, size);
	bool bars = config->no_show == RSPB_NO_SHOW_BAR;
	int64_t until = bars ? now + config->no_show_bar : b->end;

	/* With `forget`, or a time slot that is over, there is nothing to count. */
	if (config->no_show == RSPB_NO_SHOW_FORGET || until <= now)
		return;
	/* The journal gets the line at once; the caller's next sync or flush writes it. */
	add(b, bars ? until : 0, false, now);
	rspb_durable_note("no_show", written(b, bars ? until : 0), now);
	rspb_text_add(&out, "; until ");
	rspb_text_add_time(&out, until);
	rspb_text_add(&out, bars ? " you can book nothing (NoShow=bar)"
				 : " it counts as booked (NoShow=count)");
}

int rspb_no_show_check(uint32_t user, int64_t now, struct rspb_err *err)
{
	int64_t barred = now;
	uint64_t id = 0;
	char until[32];
	struct rspb_text text = rspb_text_over(until, sizeof(until));

	pthread_mutex_lock(&rspb_book->unused.mutex);
	for (const struct rspb_unused_window *at = *list_of(user, now); at; at = at->next)
		if (is_of(at, user) && at->barred > barred) {
			/* Several windows may bar a user. The last of these bars counts, and is
			 * named. */
			barred = at->barred;
			id = at->booking->request->id;
		}
	pthread_mutex_unlock(&rspb_book->unused.mutex);
	if (barred == now)
		return 0;
	rspb_text_add_time(&text, barred);
	return rspb_fail(err,
			 "booking %" PRIu64 " was not used, so you can book "
			 "nothing until %s (NoShow=bar)",
			 id, until);
}

struct rspb_holding rspb_no_show_held(uint32_t user, int64_t now)
{
	struct rspb_holding held = { 0, 0 };

	pthread_mutex_lock(&rspb_book->unused.mutex);
	for (const struct rspb_unused_window *at = *list_of(user, now); at; at = at->next)
		if (is_of(at, user) && at->booking->end > now) {
			held.bookings++;
			held.ahead += rspb_limits_ahead(at->booking, now);
		}
	pthread_mutex_unlock(&rspb_book->unused.mutex);
	return held;
}
