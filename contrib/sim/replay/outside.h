/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A policy that is a program of its own: it is told of each batch of requests in a line of
 * JSON, with what is free, and answers with a line of decisions (doc/policy-programs.md).
 * Its decisions are checked against the requests and the calendar.
 */
#ifndef RSPB_SIM_REPLAY_OUTSIDE_H
#define RSPB_SIM_REPLAY_OUTSIDE_H

#include "contrib/sim/replay/workload.h"

struct sim_outside;

/* Start the program of a workload and exchange the first lines. *interval: how long it wants
 * requests to be gathered, seconds. RET NULL with err. */
struct sim_outside *sim_outside_open(const struct sim_workload *workload, int64_t *interval,
				     struct rspb_err *err);
/* Tell it with the next batch that a booking has ended. RET 0, -1: out of memory. */
int sim_outside_ended(struct sim_outside *outside, uint64_t id);
/* Decide a batch as rspb_schedule_batch() does. Bookings of the ledger may move within their
 * windows: moved() is told of each. RET 0 or -1 with err. */
int sim_outside_decide(struct sim_outside *outside, struct rspb_ledger *ledger,
		       const struct rspb_request *const *requests, size_t n, int64_t now,
		       struct rspb_booking **out,
		       int (*moved)(const struct rspb_booking *booking, void *arg,
				    struct rspb_err *err),
		       void *arg, struct rspb_err *err);
/* End the program; `ok`: after all requests, else it is killed. RET 0, or -1 with err: it
 * ended badly. NULL is none. */
int sim_outside_close(struct sim_outside *outside, bool ok, struct rspb_err *err);

#endif
