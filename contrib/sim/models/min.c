/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests for CPU shares as in Min's thesis, sections 4.5 (single
 * reservations) and 5.6 (co-reservations).
 */
#include <stdlib.h>

#include "contrib/sim/models/model.h"
#include "contrib/sim/policy/preset.h"
#include "contrib/sim/replay/random.h"
#include "contrib/sim/replay/worth.h"

enum {
	MACHINES,
	REQUESTS,
	TIME,
	RATE,
	SYS_LOW,
	SYS_HIGH,
	PARTS,
	CPU_LOW,
	CPU_HIGH,
	DURATION_LOW,
	DURATION_HIGH,
	HORIZON,
	AHEAD,
	PRIORITY,
	FLOATING,
	DELTA,
	LEAST
};

const struct sim_param sim_min_params[] = {
	[MACHINES] = { "machines", 10, 1, 100000, "machines of the grid" },
	[REQUESTS] = { "requests", 300, 0, 10000000,
		       "requests in a run; 0: all that arrive within time" },
	[TIME] = { "time", 100000, 1, 1e12, "time units in which requests arrive" },
	[RATE] = { "rate", 0.10509, 1e-9, 1e6, "arrivals in a time unit" },
	[SYS_LOW] = { "sys_low", 50, 1, 100, "lowest dedicated CPU (%)" },
	[SYS_HIGH] = { "sys_high", 100, 1, 100, "highest dedicated CPU (%)" },
	[PARTS] = { "parts", 6, 1, 128, "sub-requests: 1 to this many" },
	[CPU_LOW] = { "cpu_low", 10, 1, 100, "lowest requested CPU (%)" },
	[CPU_HIGH] = { "cpu_high", 90, 1, 100, "highest requested CPU (%)" },
	[DURATION_LOW] = { "duration_low", 20, 1, 1e9, "shortest duration" },
	[DURATION_HIGH] = { "duration_high", 180, 1, 1e9, "longest duration" },
	[HORIZON] = { "horizon", 4320, 0, 1e9, "latest start after the arrival" },
	[AHEAD] = { "ahead", 0, 0, 1e9, "earliest start after the arrival" },
	[PRIORITY] = { "priority", 100, 1, 1e6, "priorities are 1 to this number" },
	[FLOATING] = { "floating", 80, 0, 100, "floating requests (%)" },
	[DELTA] = { "delta", 50, 1, 1e9, "scheduling interval" },
	[LEAST] = { "least", 0, 0, 1,
		    "least fraction that soft requests accept; 0: as their shapes say" },
	{ .name = NULL }
};

static int fill_parts(struct sim_random *random, const double *value,
		      const struct sim_workload *workload, struct rspb_request *request,
		      struct rspb_err *err)
{
	bool floating = sim_random_uniform(random, 0, 100) < value[FLOATING];

	for (uint32_t i = 0; i < request->n_parts; i++) {
		struct rspb_part *part = &request->parts[i];
		int64_t machine;

		part->share = sim_random_whole(random, (int64_t) (value[CPU_LOW] * 100),
					       (int64_t) (value[CPU_HIGH] * 100));
		/* Drawn in either case, so that the rest of the workload does
		 * not depend on the part that floats. */
		machine = sim_random_whole(random, 0, workload->nodes - 1);
		if (floating)
			continue;
		part->fixed = rspb_nodeset_create(workload->nodes);
		if (!part->fixed)
			return rspb_fail(err, "out of memory");
		rspb_nodeset_add(part->fixed, (uint32_t) machine);
	}
	return 0;
}

static int add_request(struct sim_random *random, const double *value,
		       struct sim_workload *workload, int64_t arrival, struct rspb_err *err)
{
	struct rspb_request *request = rspb_request_create(
		(uint32_t) sim_random_whole(random, 1, (int64_t) value[PARTS]));

	if (!request)
		return rspb_fail(err, "out of memory");
	request->id = workload->n + 1;
	request->arrival = arrival;
	request->ready = arrival +
			 (int64_t) (value[AHEAD] + sim_random_uniform(random, 0, value[HORIZON]));
	request->duration = sim_random_whole(random, (int64_t) value[DURATION_LOW],
					     (int64_t) value[DURATION_HIGH]);
	request->deadline = request->ready + request->duration;
	request->priority = sim_random_whole(random, 1, (int64_t) value[PRIORITY]);
	if (sim_worth_shape(random, value[LEAST], &request->benefit, err) ||
	    fill_parts(random, value, workload, request, err)) {
		rspb_request_destroy(request);
		return -1;
	}
	return sim_workload_add(workload,
				&(struct sim_job){ .arrival = arrival,
						   .ready = request->ready,
						   .duration = request->duration,
						   .deadline = request->deadline,
						   .request = request },
				err);
}

static int generate(const double *value, uint64_t seed, struct sim_workload *workload,
		    struct rspb_err *err)
{
	struct sim_random random;
	double now = 0;

	sim_random_seed(&random, seed);
	workload->nodes = (uint32_t) value[MACHINES];
	workload->capacity = calloc(workload->nodes, sizeof(*workload->capacity));
	if (!workload->capacity)
		return rspb_fail(err, "out of memory");
	for (uint32_t j = 0; j < workload->nodes; j++)
		workload->capacity[j] = sim_random_whole(&random, (int64_t) (value[SYS_LOW] * 100),
							 (int64_t) (value[SYS_HIGH] * 100));
	for (;;) {
		now += sim_random_exponential(&random, 1 / value[RATE]);
		if (value[REQUESTS] > 0 ? workload->n >= (size_t) value[REQUESTS]
					: now >= value[TIME])
			return 0;
		if (add_request(&random, value, workload, (int64_t) now, err))
			return -1;
	}
}

int sim_min_run(const struct sim_params *params, uint64_t seed, const char *preset,
		const struct rspb_policy *policy, struct sim_metrics *metrics, struct rspb_err *err)
{
	struct sim_workload workload = { .setup = params->setup };
	struct rspb_policy found;
	int rc;

	if (policy)
		found = *policy;
	else if (sim_preset_policy(preset, &found, err))
		return -1;
	if (found.batch_interval > 0)
		found.batch_interval = (int64_t) params->value[DELTA];
	rc = generate(params->value, seed, &workload, err);
	if (!rc)
		rc = sim_replay_measure(&workload, &found, metrics, err);
	sim_workload_fini(&workload);
	return rc;
}
