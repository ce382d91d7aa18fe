/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of a policy that is a program, for the files of outside.h only. */
#ifndef RSPB_SIM_REPLAY_OUTSIDE_INTERNAL_H
#define RSPB_SIM_REPLAY_OUTSIDE_INTERNAL_H

#include <json-c/json.h>
#include <stdio.h>

#include "contrib/sim/replay/outside.h"
#include "contrib/sim/replay/program.h"

enum { SIM_OUTSIDE_PROTOCOL = 1 };

/* The parts of the calendar that are sent. */
enum sim_outside_send {
	SIM_SEND_STARTS, /* with each request the starts at which it fits */
	SIM_SEND_COUNTS, /* how many nodes are free, from when on */
	SIM_SEND_NODES,	 /* which nodes are free, from when on */
	SIM_SEND_NOTHING,
	SIM_SENDS
};
extern const char *const sim_outside_sends[SIM_SENDS + 1]; /* ended by NULL */

struct sim_outside {
	const struct sim_workload *workload;
	struct sim_program_run *run;
	int send;	 /* of enum sim_outside_send */
	int64_t most;	 /* starts of a request that are sent, the first ones; 0: all */
	uint64_t *ended; /* since the last line */
	size_t n_ended, ended_room;
	char *line; /* that is sent next, by a stream of memory */
	size_t length;
	FILE *out;
	int64_t *peaks; /* of each node, where shares are booked; NULL */
	struct rspb_nodeset *set, *free;
};

/* Write the lines of the simulator to outside->out: of the machine, and of a batch, of which
 * done[n] are decided. RET 0, or -1 with err. */
void sim_outside_write_machine(struct sim_outside *outside);
int sim_outside_write_batch(struct sim_outside *outside, const struct rspb_ledger *ledger,
			    const struct rspb_request *const *requests, const bool *done, size_t n,
			    int64_t now, struct rspb_err *err);

/* Read an answer to the first line, and a decision into a booking that is not in the ledger
 * yet. RET 0, or -1 with err without its place. */
int sim_outside_read_machine(struct sim_outside *outside, struct json_object *answer,
			     int64_t *interval, struct rspb_err *err);
int sim_outside_read_grant(struct sim_outside *outside, const struct rspb_ledger *ledger,
			   struct json_object *decision, int64_t now, struct rspb_booking *booking,
			   struct rspb_err *err);
/* A whole number of an object. RET 0, or -1 with err. */
int sim_outside_int(struct json_object *of, const char *key, int64_t *out, struct rspb_err *err);

#endif
