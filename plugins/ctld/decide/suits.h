/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's own selection as the judge of a plan (common/plan/plan.h): our pick is
 * asked about first; after a no select picks among all that is free over the window,
 * as it does for NodeCnt= of a reservation; then fewer nodes, as far as the request
 * bears that. What it has said is remembered: fewer nodes of the same will not do
 * where more did not, and a pick that is free is good at any start. Starts at which too
 * much of the machine would be booked are passed over, where that is asked for.
 */
#ifndef RSPB_CTLD_DECIDE_SUITS_H
#define RSPB_CTLD_DECIDE_SUITS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/plan/plan.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/request/ask.h"

struct rspb_said;

struct rspb_suits {
	struct rspb_judge judge; /* for a policy; holds while this does */
	uint64_t id;		 /* of the request; of others all suits */
	const uint32_t *jobs;	 /* by part; NULL: the draft */
	const struct rspb_job *draft;
	uint64_t table;		/* of nodes that sets are about */
	int64_t left;		/* what may still be asked */
	struct rspb_said *said; /* owned, the latest first */
	bool starts_now;	/* a pick has to start this second, beside what runs there */
	/* A part of a node has to have a layout at its start, with the jobs that run until
	 * then, none of which makes way for it. */
	bool lays_out;
	bool took; /* it would not have one of our picks, or starts */
	/* The bookings, by the settings for the request; NULL: they are not examined. */
	const struct rspb_ledger *booked;
	const struct rspb_config *within;
	struct rspb_err over; /* why the last one was too much, "": none was */
};

/* Jobs, by part, which outlive it, NULL: Slurm is not asked; each test takes the write
 * lock for itself. */
void rspb_suits_init(struct rspb_suits *suits, uint64_t id, const uint32_t *jobs, uint64_t table);
/* The same for a draft (submit/draft.h); whoever asks holds the locks. */
void rspb_suits_init_draft(struct rspb_suits *suits, const struct rspb_job *draft);
void rspb_suits_fini(struct rspb_suits *suits);

/* The judge of what the asks of a batch are offered, one after the other. */
struct rspb_offer_suits {
	struct rspb_judge judge; /* for a policy; holds while this and the asks do */
	const struct rspb_asks *asks;
	uint64_t table;
	struct rspb_suits suits; /* of the request that is offered something */
};
void rspb_offer_suits_init(struct rspb_offer_suits *offers, const struct rspb_asks *asks,
			   uint64_t table);
void rspb_offer_suits_fini(struct rspb_offer_suits *offers);
/* Only starts at which MaxBookedPercent has room beside what is booked, too; both outlive
 * it. */
void rspb_suits_within(struct rspb_suits *suits, const struct rspb_ledger *booked,
		       const struct rspb_config *config);

/*
 * Where the number of nodes was our guess, by tasks and CPUs, and Slurm needs more of
 * those that are free over [start, end) of the ledger, or of all: ask for as many. RET
 * whether the request asks for more now.
 */
bool rspb_suits_count(struct rspb_suits *suits, struct rspb_request *request,
		      const struct rspb_ledger *ledger, int64_t start, int64_t end);

#endif
