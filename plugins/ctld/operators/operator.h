/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The door for operators: a reservation without nodes whose text field holds a
 * tag (common/wire/tag.h) is a request. It goes into the same batches as those of
 * jobs, and becomes a booking: the reservation itself gets nodes and window,
 * its text becomes the contract. What operators change of it afterwards is
 * asked about in the same way.
 *
 * Such a booking has no job of its own. Its id in the ledger is made of the
 * reservation's number and is never a job's, also when cut to 32 bits.
 */
#ifndef RSPB_CTLD_OPERATORS_OPERATOR_H
#define RSPB_CTLD_OPERATORS_OPERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "plugins/ctld/jobs/intake.h"

/* Whether a booking came through this door. */
bool rspb_door_is(uint64_t id);
/* The agent: the booking of a reservation that has not ended, by Slurm's
 * number; NULL: none (0 is none's). */
const struct rspb_booking *rspb_door_find(uint32_t reservation);

/* How many requests waited at the last look, and when the first of them wants
 * to start. */
size_t rspb_door_waiting(int64_t *earliest);
/* Add an ask of each to asks, as rspb_intake_collect() does for jobs. Takes the
 * read lock. RET 0, or -1 with err. */
int rspb_door_collect(uint32_t width, const struct rspb_config *config,
		      int64_t now, struct rspb_asks *asks,
		      struct rspb_err *err);

/* For an ask that came from here, with the write lock held: whether it still
 * waits as it did; make it real (RET 0, or -1 with err and nothing changed);
 * write down why not. */
bool rspb_door_waits(const struct rspb_ask *ask);
int rspb_door_commit(const struct rspb_ask *ask,
		     const struct rspb_booking *booking, struct rspb_err *err);
void rspb_door_refuse(const struct rspb_ask *ask, const char *reason);

/* See what operators have asked for, changed or deleted, and which windows are
 * over. Takes locks. */
void rspb_door_watch(const struct rspb_config *config, int64_t now);
void rspb_door_reset(void);
/* When Slurm ends what runs in a reservation that is a booking, INT64_MAX: it
 * is none. Wants the read lock. */
int64_t rspb_door_end(uint32_t reservation);
/* The window of a booking has begun. Wants the write lock. */
void rspb_door_start(uint64_t id, int64_t now);
/* Write down what is in the way, "": nothing. Wants the write lock. */
void rspb_door_tell(uint64_t id, const char *text);
/* The booking has become this in the ledger: its reservation follows. Wants the
 * write lock. */
void rspb_door_follow(const struct rspb_booking *booking);
/* Find other nodes, as is done for jobs. Takes locks. */
bool rspb_door_move(uint64_t id, const struct rspb_config *config, int64_t now);
/* After a restart: put the bookings that reservations hold into a ledger that
 * is being built. Wants the read lock. RET how many. */
size_t rspb_door_recover(struct rspb_ledger *ledger, int64_t now);

#endif
