/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/metrics.h"

#include <math.h>

const struct sim_metric_row sim_metric_rows[SIM_METRICS] = {
	[SIM_JOBS] = { "jobs", "requests", 0, "requests for bookings" },
	[SIM_ACCEPTANCE] = { "acceptance", "acceptance rate", 4, "booked requests / requests" },
	[SIM_SLOWDOWN] = { "slowdown", "average slowdown", 4,
			   "mean of (end - ready time) / duration of the booked requests; 1 means no wait" },
	[SIM_WORK] = { "accepted_work", "accepted work / requested work (PE seconds)", 4,
		       "node seconds booked / node seconds requested" },
	[SIM_BANDWIDTH] = { "accepted_bandwidth", "accepted / requested bandwidth x time", 4,
			    "bandwidth seconds booked / bandwidth seconds requested" },
	[SIM_CORE_HOURS] = { "core_hours", "core hours booked", 0, "core hours booked" },
	[SIM_PACKING] = { "packing", "core hours / first fit on paper", 4,
			  "core hours / those of a first fit that has all requests at once" },
	[SIM_OF_BOUND] = { "of_bound", "core hours / bound", 4,
			   "core hours / an upper bound for any schedule" },
	[SIM_INCOME] = { "income", "paid / offered", 4,
			 "paid by the booked requests / offered by all requests" },
	[SIM_BENEFIT] = { "benefit", "system benefit", 4,
			  "sum of priority x benefit of the booked requests / sum of all priorities" },
	[SIM_REJECTIONS] = { "rejections", "rejected requests", 1, "requests that were declined" },
	[SIM_REJECTED_PRIORITY] = { "rejected_priority", "sum of rejected priorities", 0,
				    "sum of the priorities of the declined requests" },
	[SIM_MEAN_REJECTED_PRIORITY] = { "mean_rejected_priority", "mean priority of the rejected",
					 2,
					 "mean priority of the declined requests; low if unimportant ones are declined" },
	[SIM_REQUESTED_CPU] = { "requested_cpu", "mean requested CPU (%)", 2,
				"mean share of a CPU that a part requests" },
	[SIM_RESERVED_CPU] = { "reserved_cpu", "mean reserved CPU (%)", 2,
			       "mean share of a CPU that a part is granted; 0 if it is declined" },
	[SIM_E1] = { "E1", "E1, relative error of rates", 4,
		     "relative error of the rates that tasks get" },
	[SIM_E2] = { "E2", "E2, rate served / capacity", 4, "rate that is served / capacity" },
	[SIM_E3] = { "E3", "E3, mean relative lateness", 4,
		     "mean of lateness / time to the deadline" },
	[SIM_SUCCESS] = { "success", "completed / requested", 4, "tasks completed / requested" },
	[SIM_SUCCESS_RANGE] = { "success_range", "success, best less worst half hour (points)", 1,
				"difference between the best and the worst half hour, in percentage points" },
	[SIM_EFFICIENCY] = { "efficiency", "efficiency factor", 4, "time used / time reserved" },
	[SIM_OVERRUNS] = { "overruns", "tasks that outlast their reservation", 4,
			   "tasks that outlast their reservation" },
	[SIM_WAIT] = { "wait", "mean wait (mean service times)", 4,
		       "mean wait, in mean service times" },
	[SIM_RATE] = { "rate", "arrivals a server takes at the wait of one alone", 4,
		       "arrivals a server takes at the wait of one alone" },
	[SIM_LIMITED] = { "limited", "refused by limits", 1,
			  "declined by a limit or rule of rspb.conf" },
	[SIM_LOST] = { "lost", "bookings lost to failures", 1,
		       "bookings that a failed node ended, or that found no other place" },
	[SIM_REPLACED] = { "replaced", "bookings moved by failures", 1,
			   "bookings that got another place because a node failed before they began" },
	[SIM_USE] = { "use", "nodes in use / nodes", 4,
		      "nodes in use by bookings and regular jobs, until the last submission" },
	[SIM_REGULAR] = { "regular_jobs", "regular jobs", 0, "jobs without a booking that ran" },
	[SIM_REGULAR_LEFT] = { "regular_left", "regular jobs that never ran", 0,
			       "regular jobs that could never start" },
	[SIM_REGULAR_KILLED] = { "regular_killed", "runs ended by failures", 1,
				 "runs that a failure ended; the job ran again" },
	[SIM_REGULAR_WAIT] = { "regular_wait", "mean wait of regular jobs (minutes)", 1,
			       "mean wait of regular jobs, in minutes" },
	[SIM_REGULAR_SLOWDOWN] = { "regular_slowdown", "bounded slowdown of regular jobs", 2,
				   "mean of (wait + run time) / run time, which counts as at least 10 s" },
	[SIM_SECONDS] = { "seconds", "processor time (s)", 3,
			  "processor time of the run, including the program of --policy" },
};

void sim_metrics_clear(struct sim_metrics *metrics)
{
	for (size_t i = 0; i < SIM_METRICS; i++)
		metrics->value[i] = NAN;
}

/* Student's t for 95 %, two-sided. */
static double student(size_t freedom)
{
	static const double table[] = { 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
					2.262,	2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
					2.110,	2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
					2.060,	2.056, 2.052, 2.048, 2.045, 2.042 };
	size_t rows = sizeof(table) / sizeof(table[0]);

	return freedom <= rows ? table[freedom - 1] : 1.960;
}

static double value_at(const struct sim_metrics *a, const struct sim_metrics *b, size_t i,
		       enum sim_metric metric)
{
	return a[i].value[metric] - (b ? b[i].value[metric] : 0);
}

struct sim_estimate sim_estimate_difference(const struct sim_metrics *a,
					    const struct sim_metrics *b, size_t n,
					    enum sim_metric metric)
{
	struct sim_estimate out = { 0, NAN };
	double sum = 0, apart;

	for (size_t i = 0; i < n; i++)
		out.mean += value_at(a, b, i, metric) / (double) n;
	if (n < 2)
		return out;
	for (size_t i = 0; i < n; i++) {
		apart = value_at(a, b, i, metric) - out.mean;
		sum += apart * apart;
	}
	out.half = student(n - 1) * sqrt(sum / (double) (n - 1) / (double) n);
	return out;
}

struct sim_estimate sim_estimate_of(const struct sim_metrics *runs, size_t n,
				    enum sim_metric metric)
{
	return sim_estimate_difference(runs, NULL, n, metric);
}
