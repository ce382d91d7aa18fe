/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes what a policy decided and its outcome as JSON lines that anybody can check:
 * {"machine":{"nodes":1024}} (for shares and parts with "capacity" of each node, and "rooms" as in
 * journals), {"decided":BOOKING} for each decision, in the order they were made, and
 * {"kept":BOOKING} for each booking when its window ends, with its nodes and its start as they were
 * in the end; {"lost":BOOKING} of one that a failure ended, and {"regular":BOOKING} for each run of
 * a job that books nothing. "ended":TIME beside the last three says when it ended, where that was
 * before its window did. BOOKING is that of common/wire/json.h. */
#ifndef RSPB_SIM_REPLAY_SCHEDULE_H
#define RSPB_SIM_REPLAY_SCHEDULE_H

#include "contrib/sim/replay/workload.h"

/* To workload->schedule, if there is one. What can't be written is seen when it
 * is flushed. */
void sim_schedule_machine(const struct sim_workload *workload);
void sim_schedule_decided(const struct sim_workload *workload, const struct rspb_booking *booking);
/* Write that it ended then, which may be before its window. */
void sim_schedule_kept(const struct sim_workload *workload, const struct rspb_booking *booking,
		       int64_t ended);
/* A failure has ended it, or it had not begun and has no other place. */
void sim_schedule_lost(const struct sim_workload *workload, const struct rspb_booking *booking,
		       int64_t ended);
/* A run of a job that books nothing. */
void sim_schedule_regular(const struct sim_workload *workload, const struct rspb_booking *booking,
			  int64_t ended);

#endif
