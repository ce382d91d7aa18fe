/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers the page's questions; one at a time goes to slurmctld. */
#ifndef RSPB_CLIENT_DESK_H
#define RSPB_CLIENT_DESK_H

#include <pthread.h>
#include <time.h>

#include "contrib/client/command.h"

enum { RSPB_DESK_EVENTS = 64 };

/* The settings of the view. */
struct rspb_desk_view {
	bool readonly;	  /* nothing can be changed */
	bool anonymous;	  /* as somebody sees it who is no user of the cluster */
	const char *file; /* a calendar in a file, NULL: slurmctld's */
};

struct rspb_desk {
	const struct rspb_command *command;
	pthread_mutex_t lock;
	json_object *accounts; /* owned: their names, from the start on */
	struct rspb_desk_view view;
	/* Under the lock. */
	struct rspb_client client;
	json_object *document; /* owned: as last read, without its time; NULL: not yet */
	char *calendar;	       /* owned: its text */
	char *changes;	       /* owned: what differs from the one before; NULL: too much */
	int64_t serial;	       /* of the document: the one before had one less */
	int64_t ahead;	       /* by how much the document's clock is ahead of this host's */
	bool fresh;	       /* the last question about it was answered */
	int64_t asked;	       /* when, in milliseconds of a monotonic clock; 0: ask at once */
	int64_t offers;	       /* when offers were asked for, likewise */
	int64_t seen;	       /* the calendar's number at slurmctld, 0: it has several pages */
	/* The user's own bookings and requests, as last read, and when that was. */
	json_object *own; /* owned, NULL: not yet */
	int64_t own_asked;
	bool undecided; /* some request waits for a decision */
	/* Changes of bookings as events; the last ones, by their numbers. */
	struct rspb_desk_event {
		uint64_t number;
		char *text; /* owned: JSON */
	} events[RSPB_DESK_EVENTS];
	uint64_t last_event;
};

/* RET 0, or -1 with err. */
int rspb_desk_init(struct rspb_desk *desk, const struct rspb_command *command,
		   const struct rspb_desk_view *view, struct rspb_err *err);
void rspb_desk_fini(struct rspb_desk *desk);
/* Whether the user may decide about everybody's bookings. */
bool rspb_desk_is_operator(const struct rspb_desk *desk);

/* All of these wait for slurmctld. Their answers are JSON texts that the caller frees,
 * NULL: out of memory. */
char *rspb_desk_calendar(struct rspb_desk *desk, int64_t since, unsigned int *status);
char *rspb_desk_me(struct rspb_desk *desk, unsigned int *status);
/* "ask", "submit", "cancel" or "regular". */
char *rspb_desk_act(struct rspb_desk *desk, const char *what, const char *body, size_t size,
		    unsigned int *status);
/* RET the serial of the calendar; 0: slurmctld does not answer. */
int64_t rspb_desk_serial(struct rspb_desk *desk);
/* The number of the last event so far. */
uint64_t rspb_desk_last_event(struct rspb_desk *desk);
/* RET the first event after *number that is still known, which the caller frees, and its
 * number; NULL: there is none. */
char *rspb_desk_next_event(struct rspb_desk *desk, uint64_t *number);
/* RET a refusal, and *status by its error. */
char *rspb_desk_refuse(const char *error, const char *text, unsigned int *status);

#endif
