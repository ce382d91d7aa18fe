/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timed/advance reservation (TARR): a part of a resource's CPU is reserved for
 * just the time a task needs it, from when its data will have arrived.
 *
 * Source: Varvarigos et al., section 3.2 to 3.4, figures 4 to 9. Reservations
 * are whole time units: early starts are rounded down, late ends up.
 */
#ifndef RSPB_PAPERS_TARR_H
#define RSPB_PAPERS_TARR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "contrib/sim/papers/rational.h"

struct rspb_tarr;

struct rspb_tarr_options {
	struct rspb_rational k; /* standard deviations to be safe by, >= 0 */
	bool negotiate;		/* less CPU for longer, down to min_cpu */
	bool first;		/* first resource that keeps the deadline, not the one
			 * of earliest completion */
	bool late_data;		/* hold on for data that is k deviations late; the
			 * published end forgets it */
};

struct rspb_tarr_task {
	int64_t at;	      /* now */
	int64_t ready;	      /* what it waits for is over, and its data set out; 0: now */
	int64_t cpu, min_cpu; /* 0 < min_cpu <= cpu */
	bool workload_known;
	struct rspb_rational x;		     /* time needed with cpu, > 0 */
	struct rspb_rational sigma_workload; /* in CPU x time */
	const struct rspb_rational *delays;  /* per resource; NULL: unknown */
	struct rspb_rational sigma_delay;
	int64_t deadline; /* INT64_MAX: none */
};

struct rspb_tarr_answer {
	bool accepted;
	bool guaranteed; /* false: the workload is unknown */
	size_t resource;
	int64_t ust;		 /* the reservation begins */
	struct rspb_rational st; /* the task is expected to start */
	int64_t oet;		 /* it ends; INT64_MAX: open */
	int64_t cpu;		 /* granted */
	size_t handle;		 /* for started and release */
};

/* Resources of these whole capacities > 0, all free from time 0 on. Numbers are
 * kept in pool. RET NULL: out of memory. */
struct rspb_tarr *rspb_tarr_create(struct rspb_pool *pool, const int64_t *capacities, size_t n,
				   const struct rspb_tarr_options *options);
void rspb_tarr_destroy(struct rspb_tarr *tarr);

/* Reserve for a task, or decline it (accepted false). RET 0, or -1 with err
 * and nothing changed: out of memory, numbers too large. */
int rspb_tarr_reserve(struct rspb_tarr *tarr, const struct rspb_tarr_task *task,
		      struct rspb_tarr_answer *answer, struct rspb_err *err);
/* The same for copies[n > 0] of a task, each on a resource of its own, one after the
 * other: all are accepted or none. */
int rspb_tarr_reserve_copies(struct rspb_tarr *tarr, const struct rspb_tarr_task *task, size_t n,
			     struct rspb_tarr_answer *copies, struct rspb_err *err);
/*
 * The task has started now: its end is known better (figure 7). RET 1 with
 * the new *oet, 0 when the workload is unknown, the reservation is gone, or
 * there is no room for it (nothing changed then), -1 with err.
 */
int rspb_tarr_started(struct rspb_tarr *tarr, size_t handle, int64_t at, int64_t *oet,
		      struct rspb_err *err);
/* The task is done; what is left of the reservation is free. */
int rspb_tarr_release(struct rspb_tarr *tarr, size_t handle, int64_t at, struct rspb_err *err);
/* Reserve again what was released before it began, where nothing came in between. */
int rspb_tarr_again(struct rspb_tarr *tarr, size_t handle, struct rspb_err *err);

/* The pairs of figure 9: level reserved, and how long after the pair before it
 * begins; the first is (level now, 0). Calls fn for each. */
typedef void (*rspb_tarr_pair_fn)(int64_t reserved, int64_t after, void *arg);
void rspb_tarr_profile(const struct rspb_tarr *tarr, size_t resource, int64_t at,
		       rspb_tarr_pair_fn fn, void *arg);

#endif
