/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/workload.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"

void sim_workload_fini(struct sim_workload *workload)
{
	for (size_t i = 0; i < workload->n; i++)
		rspb_request_destroy(workload->jobs[i].request);
	free(workload->jobs);
	free(workload->capacity);
	free(workload->speeds);
	memset(workload, 0, sizeof(*workload));
}

int sim_workload_add(struct sim_workload *workload, const struct sim_job *job,
		     struct rspb_err *err)
{
	if (rspb_array_grow(&workload->jobs, &workload->room, workload->n + 1,
			    sizeof(*workload->jobs))) {
		rspb_request_destroy(job->request);
		return rspb_fail(err, "out of memory");
	}
	workload->jobs[workload->n++] = *job;
	return 0;
}

int sim_rigid(const struct sim_workload *workload, const char *what,
	      struct rspb_err *err)
{
	return workload->molded
		       ? rspb_fail(err,
				   "%s: is for rigid jobs on like nodes; leave "
				   "out malleable and fast",
				   what)
		       : 0;
}

struct rspb_request *sim_workload_request(const struct sim_workload *workload,
					  size_t i)
{
	const struct sim_job *job = &workload->jobs[i];
	struct rspb_request *request;

	if (job->request)
		return rspb_request_clone(job->request);
	request = rspb_request_create(1);
	if (!request)
		return NULL;
	request->id = i + 1;
	request->arrival = job->arrival;
	request->ready = job->ready;
	request->duration = job->duration;
	request->deadline = job->deadline;
	request->parts[0].nodes = request->parts[0].nodes_min = job->nodes;
	return request;
}
