/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings that recur: a job for each time. */
#ifndef RSPB_CLIENT_SERIES_H
#define RSPB_CLIENT_SERIES_H

#include "contrib/client/command.h"
#include "contrib/client/repeat.h"

struct rspb_series {
	char **args;	  /* of sbatch, ended by NULL */
	int begin;	  /* which of them is to say when it begins */
	int deadline;	  /* and which by when it ends; 0: none */
	int place;	  /* and which of what series it is */
	bool all;	  /* or none */
	const char *name; /* NULL: one is made up */
	const struct rspb_repeat *repeat;
};
/* Submit all, wait until they are decided, and say what is booked. RET
 * RSPB_EXIT_DONE: all are. */
int rspb_series_ask(const struct rspb_command *command, const struct rspb_series *series);

/* Wait until a job that has been submitted, or each task of an array, is decided, and
 * say what is booked. RET RSPB_EXIT_DONE: all is. */
int rspb_series_wait(const struct rspb_command *command, int64_t job);

/* Find what a job's number, the name of a booking without one, or the name of one's own series
 * means: a list of bookings and requests, by start; of a booking only "job" or "reservation". The
 * number of an array is all of its tasks, as Slurm's commands have it. RET RSPB_EXIT_DONE, and the
 * list to be put; else it was said why not. */
int rspb_series_find(const struct rspb_command *command, const char *text, json_object **list);
/* The same of one that must be meant alone; its name is good until the next call. */
int rspb_series_one(const struct rspb_command *command, const char *text, struct rspb_which *which);

#endif
