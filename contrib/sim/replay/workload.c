/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/workload.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"

struct rspb_request *sim_job_request(const struct sim_job *job, uint64_t id)
{
	struct rspb_request *request = rspb_request_create(1);

	if (!request)
		return NULL;
	request->id = id;
	request->arrival = job->arrival;
	request->ready = job->ready;
	request->duration = job->duration;
	request->deadline = job->deadline;
	request->parts[0].nodes = request->parts[0].nodes_min = job->nodes;
	return request;
}

void sim_workload_fini(struct sim_workload *workload)
{
	for (size_t i = 0; i < workload->n; i++)
		rspb_request_destroy(workload->jobs[i].request);
	free(workload->jobs);
	free(workload->capacity);
	free(workload->speeds);
	free(workload->takes);
	free(workload->downs);
	sim_sizes_fini(&workload->sizes);
	memset(workload, 0, sizeof(*workload));
}

int sim_workload_add(struct sim_workload *workload, const struct sim_job *job, struct rspb_err *err)
{
	if (rspb_array_grow(&workload->jobs, &workload->room, workload->n + 1,
			    sizeof(*workload->jobs))) {
		rspb_request_destroy(job->request);
		return rspb_fail(err, "out of memory");
	}
	workload->jobs[workload->n++] = *job;
	return 0;
}

int sim_workload_sized(struct sim_workload *workload, struct rspb_err *err)
{
	workload->nodes = workload->sizes.nodes;
	if (!workload->undivided)
		workload->capacity = sim_sizes_capacity(&workload->sizes);
	return workload->undivided || workload->capacity ? 0 : rspb_fail(err, "out of memory");
}

int sim_workload_add_sized(struct sim_workload *workload, struct sim_job *job,
			   const struct sim_size *takes, struct rspb_err *err)
{
	const struct sim_need need = { job->nodes, *takes };
	size_t kinds = workload->sizes.kinds, at = workload->n * kinds;

	bool fits = sim_sizes_fit(&workload->sizes, &need, NULL) >= job->nodes;

	if (!fits || rspb_array_grow(&workload->takes, &workload->takes_room, at + kinds,
				     sizeof(*workload->takes))) {
		rspb_request_destroy(job->request);
		return fits ? rspb_fail(err, "out of memory") : 1;
	}
	for (size_t k = 0; k < kinds; k++)
		workload->takes[at + k] = takes->has[k];
	job->cores = takes->cores;
	return sim_workload_add(workload, job, err);
}

struct sim_need sim_workload_need(const struct sim_workload *workload, size_t i)
{
	const struct sim_job *job = &workload->jobs[i];
	struct sim_need need = { job->nodes, { .cores = job->cores } };

	for (uint32_t k = 0; k < workload->sizes.kinds; k++)
		need.each.has[k] = workload->takes[i * workload->sizes.kinds + k];
	return need;
}

double sim_workload_cores(const struct sim_workload *workload, size_t i)
{
	struct sim_need need = sim_workload_need(workload, i);
	struct sim_size least = need.each;

	if (!least.cores)
		sim_sizes_fit(&workload->sizes, &need, &least);
	return least.cores;
}

int sim_rigid(const struct sim_workload *workload, const char *what, struct rspb_err *err)
{
	return workload->molded ? rspb_fail(err,
					    "%s: needs rigid jobs on equal nodes; leave "
					    "out malleable and fast",
					    what)
				: 0;
}

struct rspb_request *sim_workload_request(const struct sim_workload *workload, size_t i)
{
	const struct sim_job *job = &workload->jobs[i];
	struct rspb_request *request = job->request ? rspb_request_clone(job->request)
						    : sim_job_request(job, i + 1);
	struct sim_need need;

	/* Let all requests move within their windows. */
	if (request && !request->moves)
		request->moves = workload->setup.firm ? workload->setup.firm : 1;
	if (!request || !workload->sizes.of)
		return request;
	/* As on a cluster, who may get less has whole nodes. */
	need = sim_workload_need(workload, i);
	if (!sim_sizes_ask(&workload->sizes, &need, !workload->undivided && !request->benefit,
			   &request->parts[0]))
		return request;
	rspb_request_destroy(request);
	return NULL;
}
