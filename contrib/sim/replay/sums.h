/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decisions summed up into the figures that are reported. */
#ifndef RSPB_SIM_REPLAY_SUMS_H
#define RSPB_SIM_REPLAY_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/request/booking.h"
#include "contrib/sim/replay/metrics.h"

struct sim_sums {
	double n, accepted, slowdown, work, work_accepted, weight, weighted;
	double rejected_priority, parts, requested, reserved;
	double paid, offered; /* work by its price */
	bool priced;	      /* some state one */
	bool shares;	      /* report shares of CPUs, too */
	/* The first node that is a link, 0: there is none; and unit seconds of links. */
	uint32_t links_from;
	double bandwidth, bandwidth_accepted;
	/* RET the cores of each node of a request, in which work counts; NULL: in nodes. */
	double (*cores)(const void *arg, uint64_t id);
	const void *cores_arg;
};

/* Add one decision: accepted when it has grants. arg: struct sim_sums *. */
void sim_sums_add(const struct rspb_booking *booking, void *arg);
/* RET whether a part is of a link: it has no nodes. */
bool sim_sums_is_link(const struct sim_sums *sums, const struct rspb_part *part);
void sim_sums_metrics(const struct sim_sums *sums, struct sim_metrics *metrics);

#endif
