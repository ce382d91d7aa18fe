/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fair shares of a capacity, and the times at which tasks would end if they
 * were served at their fair rates.
 *
 * Source: Varvarigos et al., "Timed/Advance Reservation Schemes and Scheduling
 * Algorithms for QoS Resource Management in Grids", section 5.
 */
#ifndef RSPB_PAPERS_FAIR_H
#define RSPB_PAPERS_FAIR_H

#include <stddef.h>

#include "contrib/sim/papers/real.h"

/*
 * Weighted max-min shares (equations 7 to 16): nobody gets more than the
 * demand, and whoever gets less has at least as much per weight as anyone.
 * demands may be infinite; weights (NULL: all 1) are > 0; capacity >= 0.
 * rates[n] receives the shares.
 */
void rspb_fair_shares(struct rspb_reals *reals, struct rspb_real capacity,
		      const struct rspb_real *demands, const struct rspb_real *weights, size_t n,
		      struct rspb_real *rates);

/* The data of a task that is served as a fluid. */
struct rspb_fluid {
	struct rspb_real access;   /* delta_i: active from here on */
	struct rspb_real workload; /* w_i > 0 */
	struct rspb_real demand;   /* X_i > 0, or infinite */
	struct rspb_real weight;   /* phi_i > 0 */
	struct rspb_real rate;	   /* r_i: the share among all tasks */
};

/*
 * Serve the tasks as a fluid (section 5.2.3) and note when each ends (t_i^a).
 * The functions differ in how the capacity > 0 is divided among the active
 * tasks between two events.
 */
typedef void (*rspb_fluid_rule)(struct rspb_reals *reals, struct rspb_real capacity,
				const struct rspb_fluid *tasks, size_t n, struct rspb_real *ends);

/* First approach: r_i and an equal part of the capacity left unused. */
void rspb_fluid_equal(struct rspb_reals *reals, struct rspb_real capacity,
		      const struct rspb_fluid *tasks, size_t n, struct rspb_real *ends);
/* Second approach: max-min shares of the active tasks' demands. */
void rspb_fluid_again(struct rspb_reals *reals, struct rspb_real capacity,
		      const struct rspb_fluid *tasks, size_t n, struct rspb_real *ends);
/* Round number: the whole capacity in proportion to r_i. Finish numbers count
 * the whole workload from the activation (equation 18, which as
 * printed counts again what is done at each event). */
void rspb_fluid_round(struct rspb_reals *reals, struct rspb_real capacity,
		      const struct rspb_fluid *tasks, size_t n, struct rspb_real *ends);

/* The tasks' indices by activation, in the pool of reals. */
size_t *rspb_fluid_arrivals(struct rspb_reals *reals, const struct rspb_fluid *tasks, size_t n);

#endif
