/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace of any bytes in any format, written-out requests among them: what is kept of
 * it is in order and within bounds. */
#include "tests/fuzz/fuzz.h"

#include "contrib/sim/replay/requests.h"
#include "contrib/sim/replay/trace.h"

static void read_as(enum sim_trace_format format, const uint8_t *data, size_t size)
{
	struct rspb_err err = { "" };
	struct sim_trace trace;
	FILE *in = fmemopen((void *) (uintptr_t) data, size, "r");

	MUST(in);
	if (sim_trace_parse(&trace, in, "fuzz", format, 0, 1, &err)) {
		fuzz_check_sentence(err.text);
		fclose(in);
		return;
	}
	MUST(trace.n > 0 && trace.nodes > 0);
	for (size_t i = 0; i < trace.n; i++) {
		const struct sim_trace_job *job = &trace.jobs[i];

		MUST(job->submit >= 0 && job->duration > 0);
		MUST(job->nodes > 0 && job->nodes <= trace.nodes);
		MUST(job->waited >= -1);
		MUST(!i || trace.jobs[i - 1].submit <= job->submit);
	}
	sim_trace_fini(&trace);
	fclose(in);
}

static void read_requests(const uint8_t *data, size_t size)
{
	struct sim_workload workload = { .n = 0 };
	struct rspb_err err = { "" };

	if (sim_requests_parse((const char *) data, size, "fuzz", 0, &workload, &err))
		fuzz_check_sentence(err.text);
	for (size_t i = 0; i < workload.n; i++) {
		struct rspb_request *request = sim_workload_request(&workload, i);

		MUST(request && !rspb_request_validate(request, workload.nodes, &err));
		MUST(!i || workload.jobs[i - 1].arrival <= workload.jobs[i].arrival);
		rspb_request_destroy(request);
	}
	sim_workload_fini(&workload);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	read_as(SIM_TRACE_SWF, data, size);
	read_as(SIM_TRACE_SACCT, data, size);
	read_as(SIM_TRACE_SACCT_CPUS, data, size);
	read_requests(data, size);
	return 0;
}
