/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings that recur: a job for each time. */
#ifndef RSPB_CLIENT_SERIES_H
#define RSPB_CLIENT_SERIES_H

#include "contrib/client/command.h"
#include "contrib/client/repeat.h"

struct rspb_series {
	char **args; /* of sbatch, ended by NULL */
	int begin;   /* which of them is to say when it begins */
	bool all;    /* or none */
	const struct rspb_repeat *repeat;
};
/* Submit all, wait until they are decided, and say what is booked. RET
 * RSPB_EXIT_DONE: all are. */
int rspb_series_ask(const struct rspb_command *command,
		    const struct rspb_series *series);

#endif
