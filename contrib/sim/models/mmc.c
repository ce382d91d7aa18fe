/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pool of servers as an M/M/c queue (Wu and Luo, section 4): the wait at a
 * given load, and how much load a server takes in the pool before its users wait
 * as long as those of one server alone. Nothing is random here.
 */
#include <string.h>

#include "contrib/sim/models/model.h"
#include "contrib/sim/papers/queueing.h"

enum { SERVERS, LOAD };

const struct sim_param sim_mmc_params[] = {
	[SERVERS] = { "servers", 4, 1, 100000, "servers of the pool" },
	[LOAD] = { "load", 0.8, 0.001, 0.999, "load of each server" },
	{ .name = NULL }
};

int sim_mmc_known(const char *preset, struct rspb_err *err)
{
	if (!strcmp(preset, "mmc"))
		return 0;
	return rspb_fail(err,
			 "\"%.60s\" is not allowed, model mmc has only "
			 "mmc",
			 preset);
}

/* The load of each server at which the mean wait is `wait`. */
static double load_at(int64_t servers, double wait)
{
	double low = 0, high = 1, load;

	for (int i = 0; i < 60; i++) {
		load = (low + high) / 2;
		if (rspb_queueing_wait(servers, load * (double) servers, 1) < wait)
			low = load;
		else
			high = load;
	}
	return low;
}

int sim_mmc_run(const struct sim_params *params, uint64_t seed, const char *preset,
		const struct rspb_policy *policy, struct sim_metrics *metrics, struct rspb_err *err)
{
	int64_t servers = (int64_t) params->value[SERVERS];
	double load = params->value[LOAD];

	(void) seed;
	(void) preset;
	(void) policy;
	(void) err;
	metrics->value[SIM_WAIT] = rspb_queueing_wait(servers, load * (double) servers, 1);
	metrics->value[SIM_RATE] = load_at(servers, rspb_queueing_wait(1, load, 1));
	return 0;
}
