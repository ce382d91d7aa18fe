/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run of a policy on a workload, for the files of sim_replay() only. */
#ifndef RSPB_SIM_REPLAY_REPLAY_INTERNAL_H
#define RSPB_SIM_REPLAY_REPLAY_INTERNAL_H

#include "common/ledger/ledger.h"
#include "contrib/sim/replay/outside.h"
#include "contrib/sim/replay/workload.h"

/* A booking that has not ended, for the heap. */
struct sim_due {
	int64_t end;
	uint64_t id;
};

/* A regular job that runs, at most until its limit. */
struct sim_running {
	size_t job; /* of the workload */
	int64_t limit;
};

struct replay {
	const struct sim_workload *workload;
	struct rspb_policy policy;
	struct rspb_ledger *ledger;
	/* Bookings alone, where the ledger has regular jobs and failed nodes, too, and
	 * limits count; NULL: the ledger has nothing else. */
	struct rspb_ledger *booked;
	sim_decided_fn fn;
	void *arg;
	struct rspb_request **batch;   /* owned until it is decided */
	struct rspb_booking **decided; /* as many */
	size_t n_batch, batch_room, decided_room;
	struct sim_outside *outside; /* decides in place of the policy, NULL: none */
	struct sim_due *heap;	     /* least end first */
	size_t n_heap, heap_room, ended;
	/* Regular jobs: the next that arrives, those that wait by arrival, those that run. */
	size_t next_regular;
	size_t *queue;
	size_t n_queue, queue_room;
	struct sim_running *running;
	size_t n_running, running_room;
	size_t next_down; /* of the workload's failures */
	struct sim_side side;
};

/* --- what all share (state.c) --- */

/* RET whether an id is that of a regular job. */
bool sim_is_regular(const struct replay *replay, uint64_t id);
/* RET whether an id is that of a failure. */
bool sim_is_down(const struct replay *replay, uint64_t id);
int sim_heap_push(struct replay *replay, struct sim_due due, struct rspb_err *err);
/* RET when a booking ends in fact: its job ends, which may be before its limit. */
int64_t sim_end_of(const struct replay *replay, const struct rspb_booking *booking);
/* Count the node seconds of a booking that ends now. */
void sim_count_use(struct replay *replay, const struct rspb_booking *booking, int64_t now);
/* Note that a booking has its nodes. RET 0 or -1 with err. */
int sim_note_bound(const struct rspb_booking *booking, void *arg, struct rspb_err *err);
/* Give nodes to what books nothing, from now on for its duration; id: as of
 * sim_is_regular() or sim_is_down(). RET 0 or -1 with err. */
int sim_occupy(struct replay *replay, const struct sim_job *job, uint64_t id, int64_t now,
	       const struct rspb_nodeset *nodes, struct rspb_err *err);
/* RET a declined booking, or NULL with err. */
struct rspb_booking *sim_decline(const struct rspb_request *request, const char *why, int64_t now,
				 struct rspb_err *err);
/* Take in the booking of a decision. RET 0 or -1 with err. */
int sim_note_decision(struct replay *replay, const struct rspb_booking *booking,
		      struct rspb_err *err);
/* Apply a record of bookings to all calendars. RET 0 or -1 with err. */
int sim_apply(struct replay *replay, const struct rspb_record *record, struct rspb_err *err);
/* Decide a batch by the policy or the program, without limits. RET as above. */
int sim_plan_batch(struct replay *replay, struct rspb_ledger *ledger,
		   const struct rspb_request *const *batch, size_t n, int64_t now,
		   struct rspb_booking **decided, struct rspb_err *err);

/* --- time (ends.c) --- */

/* Let time go on to `now`, with all that ends, arrives and fails until then. RET 0 or -1 with
 * err. */
int sim_advance(struct replay *replay, int64_t now, struct rspb_err *err);
/* Let everything run to its end. RET as above. */
int sim_finish(struct replay *replay, struct rspb_err *err);

/* --- regular jobs (regular.c) --- */

/* RET when the next one arrives, RSPB_TIME_MAX: none does. */
int64_t sim_regular_arrives(const struct replay *replay);
/* Queue those that arrive until `now`. RET 0 or -1 with err. */
int sim_regular_queue(struct replay *replay, int64_t now, struct rspb_err *err);
/* Put a job into the queue, by its arrival. RET as above. */
int sim_regular_wait(struct replay *replay, size_t job, struct rspb_err *err);
/* Start those that can: in order, and others beside the plan for those before them. */
int sim_regular_start(struct replay *replay, int64_t now, struct rspb_err *err);
/* A regular job has ended: at its own end or, killed, before. RET as above. */
int sim_regular_end(struct replay *replay, const struct rspb_booking *booking, int64_t now,
		    bool killed, struct rspb_err *err);

/* --- failures (downs.c) --- */

/* RET when the next node fails, RSPB_TIME_MAX: none does. */
int64_t sim_down_comes(const struct replay *replay);
/* Let the next node fail. RET 0 or -1 with err. */
int sim_down_take(struct replay *replay, struct rspb_err *err);

/* --- limits (limits.c) --- */

/* Decide a batch by the policy and the limits of a site's settings. RET 0 or -1 with err. */
int sim_limits_batch(struct replay *replay, const struct rspb_request *const *batch, size_t n,
		     int64_t now, struct rspb_booking **decided, struct rspb_err *err);
/* rspb_policy.allows beside regular jobs, which the plan holds, too; arg: the workload. */
bool sim_limits_move(const struct rspb_ledger *plan, const struct rspb_booking *booking,
		     const void *arg);
/* RET whether a regular job of so many nodes may start and run until then (Bookable). */
bool sim_limits_regular(const struct replay *replay, uint32_t nodes, int64_t now, int64_t limit);

#endif
