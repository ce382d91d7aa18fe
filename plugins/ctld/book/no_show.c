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
	struct rspb_booking *booking; /* as it was; counts until its end */
	int64_t barred;		      /* until then; 0: nobody is */
};

enum { LISTS = 1024 };

static struct window *lists[LISTS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void window_destroy(struct window *window)
{
	rspb_booking_destroy(window->booking);
	free(window);
}

/* RET the list of a user, without what counts no more and bars nobody. */
static struct window **list_of(uint32_t user, int64_t now)
{
	struct window **head = &lists[user % LISTS], **at = head;

	while (*at) {
		struct window *window = *at;

		if (window->booking->end > now || window->barred > now) {
			at = &window->next;
			continue;
		}
		*at = window->next;
		window_destroy(window);
	}
	return head;
}

static bool is_of(const struct window *window, uint32_t user)
{
	return window->booking->request->user == user;
}

static void add(const struct rspb_booking *b, int64_t barred, int64_t now)
{
	struct window *window = calloc(1, sizeof(*window)), **head;

	if (!window)
		return;
	window->barred = barred;
	window->booking = rspb_booking_clone(b);
	if (!window->booking) {
		free(window);
		return;
	}
	pthread_mutex_lock(&mutex);
	head = list_of(b->request->user, now);
	window->next = *head;
	*head = window;
	pthread_mutex_unlock(&mutex);
}

void rspb_no_show_note(const struct rspb_booking *b,
		       const struct rspb_config *config, int64_t now,
		       char *what, size_t size)
{
	struct rspb_text out = rspb_text_over(what, size);
	bool bars = config->no_show == RSPB_NO_SHOW_BAR;
	int64_t until = bars ? now + config->no_show_bar : b->end;

	if (config->no_show == RSPB_NO_SHOW_FORGET || until <= now)
		return;
	add(b, bars ? until : 0, now);
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

	pthread_mutex_lock(&mutex);
	for (const struct window *at = *list_of(user, now); at; at = at->next)
		if (is_of(at, user) && at->barred > barred) {
			barred = at->barred;
			id = at->booking->request->id;
		}
	pthread_mutex_unlock(&mutex);
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

	pthread_mutex_lock(&mutex);
	for (const struct window *at = *list_of(user, now); at; at = at->next)
		if (is_of(at, user) && at->booking->end > now) {
			held.bookings++;
			held.ahead += rspb_limits_ahead(at->booking, now);
		}
	pthread_mutex_unlock(&mutex);
	return held;
}
