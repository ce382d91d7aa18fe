/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rb rspb corspb corsbf corsbfr: what is read, and what becomes of it. */
#ifndef RSPB_SIM_ALG_THESIS_H
#define RSPB_SIM_ALG_THESIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "common/request/booking.h"
#include "contrib/sim/alg/alg.h"

struct thesis {
	struct rspb_policy policy;
	struct rspb_ledger *ledger;
	int64_t machines, t0, granularity;
	bool on_arrival, end_inclusive;

	size_t n;
	struct rspb_request **requests;	     /* in order of arrival */
	struct rspb_booking **bookings;	     /* of each, once decided */
	int64_t *ready, *decided_at, *batch; /* of each; ready as asked */
	int64_t *later_ready; /* least slot of it and all after it */
	int64_t batches;      /* decided */
};

/* Policy, machines and requests of a run, none decided yet. fini() in any case.
 * RET 0 or -1 with err. */
int thesis_read(struct thesis *thesis, const struct sim_run *run,
		struct rspb_err *err);
void thesis_fini(struct thesis *thesis);

#endif
