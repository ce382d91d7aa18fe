/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Learns from the stream of requests: how many arrive at which hours of the day, and what first
 * fit and PE worst, which run beside as shadows, would have made of it. They steer how much room
 * is given to jobs that leave none, and how long those that wait are made to wait, so that no
 * site has to set a number.
 *
 * A job of the whole machine costs whoever arrives while it runs. So it goes
 * where few arrive; and the last nodes of the machine are left free by long jobs
 * where many do. How many are few is raised while less work is accepted than by
 * first fit, and lowered while it is more; patience is raised while bookings wait
 * less long than with first fit, and lowered while they wait longer. Others wait
 * longer for a newcomer of more work. Once more bookings are accepted than by PE
 * worst, by a margin, there is nothing to give up work for: patience ends where
 * that of `flex` does, and jobs of the whole machine go nearly anywhere.
 *
 * Source: this project; doc/policies.md.
 */
#ifndef RSPB_SIM_POLICY_TIDE_H
#define RSPB_SIM_POLICY_TIDE_H

#include "common/request/request.h"
#include "contrib/sim/policy/class_counts.h"

enum { RSPB_TIDE_BUCKETS = 48 };

/* How first fit or the policy did: durations are counted in 1/1024. */
struct rspb_fared {
	int64_t accepted, work; /* bookings, node-seconds */
	int64_t begun, delays;	/* of those, started; in their durations */
};

struct rspb_tide {
	int64_t before[RSPB_TIDE_BUCKETS + 1]; /* arrivals of the day's half
						* hours before this one */
	int64_t asked;
	int64_t full; /* long ones may fill the machine where so many arrive */
	struct rspb_fared shadow, own;
	struct rspb_heads first_fit;
	/* PE worst, as if all nodes were alike: then it accepts rather more. */
	struct rspb_ladder pe_worst;
	int64_t spread; /* bookings that it accepted */
};

/* RET 0, -1: out of memory. A zeroed struct may be ended. */
int rspb_tide_init(struct rspb_tide *tide, const struct rspb_classes *classes, int64_t now);
void rspb_tide_fini(struct rspb_tide *tide);
/* A request arrives at `now`, which is its ready time or before it; first fit
 * takes it if it can. RET as above. */
int rspb_tide_arrives(struct rspb_tide *tide, const struct rspb_heads_ask *ask, int64_t now);
/* The policy accepted such a request; it starts. */
void rspb_tide_accepted(struct rspb_tide *tide, int64_t count, int64_t duration);
void rspb_tide_starts(struct rspb_tide *tide, int64_t delay, int64_t duration);

/* RET how many arrive within [start, end) beside the mean, in 1/1024. */
int64_t rspb_tide_flow(const struct rspb_tide *tide, int64_t start, int64_t end);
/* RET the most at which a job of nearly all nodes may be there, in the same. */
int64_t rspb_tide_wide(const struct rspb_tide *tide);
/* RET whether so few arrive within [start, end) that a long job may leave no node
 * free. */
bool rspb_tide_calm(const struct rspb_tide *tide, int64_t start, int64_t end);
/* RET what those who wait may be delayed by for one of so much work, in
 * node-seconds, from what is the usual. */
int64_t rspb_tide_patience(const struct rspb_tide *tide, int64_t usual, int64_t work);

#endif
