/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds what one run of a simulation reports, and sums up several runs. */
#ifndef RSPB_SIM_REPLAY_METRICS_H
#define RSPB_SIM_REPLAY_METRICS_H

#include <stddef.h>

enum sim_metric {
	SIM_JOBS,
	SIM_ACCEPTANCE,
	SIM_SLOWDOWN,
	SIM_WORK,	/* accepted part of the work asked for */
	SIM_BANDWIDTH,	/* the same of links */
	SIM_CORE_HOURS, /* granted, of a machine with sizes */
	SIM_PACKING,	/* them over those that first fit packs on paper */
	SIM_OF_BOUND,	/* and over those that none can pack more of */
	SIM_INCOME,	/* paid over what was offered, where prices are stated */
	SIM_BENEFIT,
	SIM_REJECTIONS,
	SIM_REJECTED_PRIORITY, /* sum */
	SIM_MEAN_REJECTED_PRIORITY,
	SIM_REQUESTED_CPU, /* mean over parts, of one CPU */
	SIM_RESERVED_CPU,
	SIM_E1,
	SIM_E2,
	SIM_E3,
	SIM_SUCCESS,
	SIM_SUCCESS_RANGE, /* of the half hours of a day, best less worst */
	SIM_EFFICIENCY,
	SIM_OVERRUNS,
	SIM_WAIT,
	SIM_RATE,
	SIM_LIMITED,  /* refused by a site's limits */
	SIM_LOST,     /* bookings that failures ended */
	SIM_REPLACED, /* that failures moved */
	SIM_USE,
	SIM_REGULAR, /* jobs that do not book */
	SIM_REGULAR_LEFT,
	SIM_REGULAR_KILLED,
	SIM_REGULAR_WAIT,
	SIM_REGULAR_SLOWDOWN,
	SIM_SECONDS, /* of processor time, for this run */
	SIM_METRICS
};

struct sim_metric_row {
	const char *name;  /* "acceptance" */
	const char *label; /* of an axis, with its unit */
	int digits;	   /* behind the point, in tables */
	const char *means; /* for who reads a table */
};
extern const struct sim_metric_row sim_metric_rows[SIM_METRICS];

/* NaN where a model has nothing to say. */
struct sim_metrics {
	double value[SIM_METRICS];
};
void sim_metrics_clear(struct sim_metrics *metrics);

struct sim_estimate {
	double mean;
	double half; /* half of the 95 % confidence interval; NaN: one run */
};
/* The mean over n runs with its interval by Student's t. */
struct sim_estimate sim_estimate_of(const struct sim_metrics *runs, size_t n,
				    enum sim_metric metric);
/* The same for the differences a - b, run by run (common random numbers). */
struct sim_estimate sim_estimate_difference(const struct sim_metrics *a,
					    const struct sim_metrics *b, size_t n,
					    enum sim_metric metric);

#endif
