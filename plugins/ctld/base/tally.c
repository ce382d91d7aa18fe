/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts decisions and their outcomes. The server and rspb(1) show them. */
#include "plugins/ctld/base/tally.h"

#include "plugins/compat/clock.h"
#include "plugins/ctld/base/state.h"
#include <pthread.h>
#include <string.h>

const char *const rspb_refusal_names[RSPB_N_REFUSALS] = {
	[RSPB_REFUSAL_REQUEST] = "request", [RSPB_REFUSAL_LIMITS] = "limits",
	[RSPB_REFUSAL_ROOM] = "room",	    [RSPB_REFUSAL_SLURM] = "slurm",
	[RSPB_REFUSAL_JOURNAL] = "journal",
};

void rspb_tally_time(enum rspb_tally_times what, int64_t us)
{
	rspb_lengths_add(&rspb_tally->times[what], us);
}

void rspb_tally_times(enum rspb_tally_times what, struct rspb_lengths_sum *out)
{
	rspb_lengths_read(&rspb_tally->times[what], out);
}

void rspb_tally_begin(int64_t now)
{
	pthread_mutex_lock(&rspb_tally->mutex);
	rspb_tally->since = now;
	memset(&rspb_tally->all, 0, sizeof(rspb_tally->all));
	memset(rspb_tally->places, 0, sizeof(rspb_tally->places));
	rspb_tally->n_users = 0;
	pthread_mutex_unlock(&rspb_tally->mutex);
}

/* With the mutex. RET the counts of a user, NULL: the table of users is full, and this one is
 * counted in the total alone. Open addressing in twice as many places never fills up. */
static struct rspb_tally *tally_of(uint32_t uid)
{
	size_t at = uid * UINT32_C(2654435761) % (2 * RSPB_TALLY_USERS);

	while (rspb_tally->places[at] && rspb_tally->users[rspb_tally->places[at] - 1].uid != uid)
		at = (at + 1) % (2 * RSPB_TALLY_USERS);
	if (!rspb_tally->places[at]) {
		if (rspb_tally->n_users == RSPB_TALLY_USERS)
			return NULL;
		rspb_tally->users[rspb_tally->n_users] = (struct rspb_tally_user){ .uid = uid };
		rspb_tally->places[at] = (uint16_t) ++rspb_tally->n_users;
	}
	return &rspb_tally->users[rspb_tally->places[at] - 1].tally;
}

/* Each new member of struct rspb_tally must be added here, or its count stays 0. */
static void add(struct rspb_tally *to, const struct rspb_tally *what)
{
	to->booked += what->booked;
	to->would_book += what->would_book;
	for (int i = 0; i < RSPB_N_REFUSALS; i++) {
		to->refused[i] += what->refused[i];
		to->would_refuse[i] += what->would_refuse[i];
	}
	to->completed += what->completed;
	to->terminated += what->terminated;
	to->cancelled += what->cancelled;
	to->no_shows += what->no_shows;
	to->benefit += what->benefit;
	to->booked_s += what->booked_s;
	to->used_s += what->used_s;
	to->charged_s += what->charged_s;
}

static void count(uint32_t uid, const struct rspb_tally *what)
{
	struct rspb_tally *own;

	pthread_mutex_lock(&rspb_tally->mutex);
	add(&rspb_tally->all, what);
	/* Reservations of operators belong to no user. */
	own = uid == RSPB_USER_NONE ? NULL : tally_of(uid);
	if (own)
		add(own, what);
	pthread_mutex_unlock(&rspb_tally->mutex);
}

double rspb_tally_nodes(const struct rspb_booking *booking)
{
	double nodes = 0;

	for (uint32_t i = 0; i < booking->n_grants; i++)
		nodes += rspb_grant_nodes(&booking->request->parts[i], &booking->grants[i]);
	return nodes;
}

/* Arrival is known to the second, so decisions appear up to a second slower than they are. */
static void time_decision(const struct rspb_request *request)
{
	rspb_tally_time(RSPB_TALLY_DECISIONS,
			rspb_clock_us(CLOCK_REALTIME) - request->arrival * 1000000);
}

void rspb_tally_booked(const struct rspb_booking *booking)
{
	const struct rspb_tally what = {
		.booked = 1,
		.benefit = rspb_ratio_double(booking->benefit),
	};

	count(booking->request->user, &what);
	time_decision(booking->request);
}

void rspb_tally_turned_away(uint32_t uid, enum rspb_refusal why)
{
	struct rspb_tally what = { .booked = 0 };

	what.refused[why] = 1;
	count(uid, &what);
}

void rspb_tally_observed(uint32_t uid, bool booked, enum rspb_refusal why)
{
	struct rspb_tally what = { .would_book = booked };

	what.would_refuse[why] = !booked;
	count(uid, &what);
}

void rspb_tally_refused(const struct rspb_request *request, enum rspb_refusal why)
{
	rspb_tally_turned_away(request->user, why);
	time_decision(request);
}

void rspb_tally_ended(const struct rspb_booking *booking, enum rspb_event event, int64_t now)
{
	double nodes = rspb_tally_nodes(booking);
	struct rspb_tally what = {
		.completed = event == RSPB_EV_END,
		.terminated = event == RSPB_EV_TERMINATE,
		.cancelled = event == RSPB_EV_CANCEL,
	};

	/* A booking that was cancelled used no node-seconds. If it counts as unused,
	 * rspb_tally_no_show() adds what was booked. */
	if (event != RSPB_EV_CANCEL) {
		what.booked_s = nodes * (double) (booking->end - booking->start);
		what.used_s = now > booking->start ? nodes * (double) (now - booking->start) : 0;
	}
	count(booking->request->user, &what);
}

void rspb_tally_no_show(const struct rspb_booking *booking)
{
	const struct rspb_tally what = {
		.no_shows = 1,
		.booked_s = rspb_tally_nodes(booking) * (double) (booking->end - booking->start),
	};

	count(booking->request->user, &what);
}

void rspb_tally_charged(uint32_t uid, double node_seconds)
{
	const struct rspb_tally what = { .charged_s = node_seconds };

	count(uid, &what);
}

int64_t rspb_tally_read(struct rspb_tally *out)
{
	int64_t began;

	pthread_mutex_lock(&rspb_tally->mutex);
	*out = rspb_tally->all;
	began = rspb_tally->since;
	pthread_mutex_unlock(&rspb_tally->mutex);
	return began;
}

size_t rspb_tally_users(struct rspb_tally_user *out)
{
	size_t n;

	pthread_mutex_lock(&rspb_tally->mutex);
	n = rspb_tally->n_users;
	memcpy(out, rspb_tally->users, n * sizeof(*out));
	pthread_mutex_unlock(&rspb_tally->mutex);
	return n;
}
