/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers the page's questions; one at a time goes to slurmctld. */
#ifndef RSPB_CLIENT_DESK_H
#define RSPB_CLIENT_DESK_H

#include <pthread.h>
#include <time.h>

#include "contrib/client/command.h"

struct rspb_desk {
	const struct rspb_command *command;
	pthread_mutex_t lock;
	/* Under the lock. */
	struct rspb_client client;
	char *calendar; /* owned: as last read, NULL: not yet */
	char *compared; /* owned: the same without what changes by itself */
	int64_t serial; /* of that; from 1 */
	bool fresh;	/* the last question about it was answered */
	time_t asked;	/* when, by a monotonic clock */
	time_t offers;	/* when offers were asked for */
};

/* RET 0, or -1 with err. */
int rspb_desk_init(struct rspb_desk *desk, const struct rspb_command *command,
		   struct rspb_err *err);
void rspb_desk_fini(struct rspb_desk *desk);
/* Whether the user may decide about everybody's bookings. */
bool rspb_desk_is_operator(const struct rspb_desk *desk);

/* All of these wait for slurmctld. Their answers are JSON texts that the caller frees,
 * NULL: out of memory. */
char *rspb_desk_calendar(struct rspb_desk *desk, int64_t since, unsigned int *status);
char *rspb_desk_me(struct rspb_desk *desk, unsigned int *status);
/* "ask", "submit" or "cancel". */
char *rspb_desk_act(struct rspb_desk *desk, const char *what, const char *body, size_t size,
		    unsigned int *status);
/* RET the serial of the calendar; 0: slurmctld does not answer. */
int64_t rspb_desk_serial(struct rspb_desk *desk);
/* RET a refusal, and *status by its error. */
char *rspb_desk_refuse(const char *error, const char *text, unsigned int *status);

#endif
