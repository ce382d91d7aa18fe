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

struct thesis_event {
	int64_t at;
	size_t line;  /* order among those of one time */
	int kind;     /* of thesis_events.c */
	size_t which; /* request, or machine */
};
/* The fate of a request after it was decided, or before. */
struct thesis_fate {
	const char *ended; /* "cancelled", "failed", ...; NULL: it did not */
	int64_t at;
	bool moved; /* it was decided again */
};

struct thesis {
	struct rspb_policy policy;
	struct rspb_ledger *ledger;
	int64_t machines, t0, granularity;
	bool on_arrival, end_inclusive;

	size_t n;
	struct rspb_request **requests;	     /* in order of arrival */
	struct rspb_booking **bookings;	     /* of each, once decided */
	int64_t *ready, *decided_at, *batch; /* of each; ready as asked */
	int64_t *later_ready;		     /* least slot of it and all after it */
	int64_t batches;		     /* decided */

	struct thesis_event *events; /* by time */
	size_t n_events, next_event;
	struct thesis_fate *fates; /* [n] */
	bool *down;		   /* [machines] */
};

/* Policy, machines and requests of a run, none decided yet. fini() in any case.
 * RET 0 or -1 with err. */
int thesis_read(struct thesis *thesis, const struct sim_run *run, struct rspb_err *err);
/* Move the lines that are events out of `in`, behind its end, into events[in->n]. */
void thesis_split(struct sim_lines *in, struct sim_record *events, size_t *n);
/* Read them, once the requests are. RET 0 or -1 with err. */
int thesis_events_read(struct thesis *thesis, const struct sim_lines *in,
		       const struct sim_record *records, size_t n, struct rspb_err *err);
/* Let happen what does by then: before what is decided then. */
int thesis_events_until(struct thesis *thesis, int64_t now, struct rspb_err *err);
void thesis_fini(struct thesis *thesis);

#endif
