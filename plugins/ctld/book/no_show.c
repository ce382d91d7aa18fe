/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/book/no_show.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/base/text.h"

/* One a window; those of one user, and of some others, are in one list. */
struct window {
	struct window *next;
	uint64_t id;
	uint32_t user;
	bool bars;
	int64_t until;	  /* counts, or bars, until then */
	int64_t end;	  /* of the window */
	int64_t per_hour; /* node-seconds an hour of it held */
};

enum { LISTS = 1024, HOUR = 3600 };

static struct window *lists[LISTS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* RET the list of a user, without what counts no more. */
static struct window **list_of(uint32_t user, int64_t now)
{
	struct window **head = &lists[user % LISTS], **at = head;

	while (*at) {
		struct window *window = *at;

		if (window->until > now) {
			at = &window->next;
			continue;
		}
		*at = window->next;
		free(window);
	}
	return head;
}

static void add(const struct window *window, int64_t now)
{
	struct window *copy = malloc(sizeof(*copy)), **head;

	if (!copy)
		return;
	*copy = *window;
	pthread_mutex_lock(&mutex);
	head = list_of(window->user, now);
	copy->next = *head;
	*head = copy;
	pthread_mutex_unlock(&mutex);
}

void rspb_no_show_note(const struct rspb_booking *b,
		       const struct rspb_config *config, int64_t now,
		       char *what, size_t size)
{
	struct rspb_text out = rspb_text_over(what, size);
	struct window window = {
		.id = b->request->id,
		.user = b->request->user,
		.bars = config->no_show == RSPB_NO_SHOW_BAR,
		.until = b->end,
		.end = b->end,
	};

	*what = '\0';
	if (config->no_show == RSPB_NO_SHOW_FORGET)
		return;
	if (window.bars)
		window.until = now + config->no_show_bar;
	if (window.until <= now)
		return;
	window.per_hour = rspb_limits_ahead(b, b->end - HOUR);
	if (b->end - b->start < HOUR)
		window.per_hour = rspb_limits_ahead(b, b->start) * HOUR /
				  (b->end - b->start);
	add(&window, now);
	rspb_text_add(&out, "; until ");
	rspb_text_add_time(&out, window.until);
	rspb_text_add(&out, window.bars
				    ? " you can book nothing (NoShow=bar)"
				    : " it counts as booked (NoShow=count)");
}

int rspb_no_show_check(uint32_t user, int64_t now, struct rspb_err *err)
{
	const struct window *last = NULL;
	char until[32];
	struct window found;
	struct rspb_text text = rspb_text_over(until, sizeof(until));

	pthread_mutex_lock(&mutex);
	for (const struct window *at = *list_of(user, now); at; at = at->next)
		if (at->user == user && at->bars &&
		    (!last || at->until > last->until))
			last = at;
	if (last)
		found = *last;
	pthread_mutex_unlock(&mutex);
	if (!last)
		return 0;
	rspb_text_add_time(&text, found.until);
	return rspb_fail(err,
			 "booking %" PRIu64 " was not used, so you can book "
			 "nothing until %s (NoShow=bar)",
			 found.id, until);
}

struct rspb_holding rspb_no_show_held(uint32_t user, int64_t now)
{
	struct rspb_holding held = { 0, 0 };

	pthread_mutex_lock(&mutex);
	for (const struct window *at = *list_of(user, now); at; at = at->next)
		if (at->user == user && at->end > now) {
			held.bookings++;
			held.ahead += at->per_hour * (at->end - now) / HOUR;
		}
	pthread_mutex_unlock(&mutex);
	return held;
}
