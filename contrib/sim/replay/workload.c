/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/workload.h"

#include <stdlib.h>
#include <string.h>

void sim_workload_fini(struct sim_workload *workload)
{
	for (size_t i = 0; i < workload->n; i++)
		rspb_request_destroy(workload->requests[i]);
	free(workload->requests);
	free(workload->capacity);
	memset(workload, 0, sizeof(*workload));
}

int sim_workload_add(struct sim_workload *workload,
		     struct rspb_request *request, struct rspb_err *err)
{
	size_t room = workload->room ? 2 * workload->room : 1024;
	struct rspb_request **more;

	if (!request)
		return rspb_fail(err, "out of memory");
	if (workload->n == workload->room) {
		more = realloc(workload->requests, room * sizeof(*more));
		if (!more) {
			rspb_request_destroy(request);
			return rspb_fail(err, "out of memory");
		}
		workload->requests = more;
		workload->room = room;
	}
	workload->requests[workload->n++] = request;
	return 0;
}

static int by_arrival(const void *one, const void *two)
{
	const struct rspb_request *a = *(struct rspb_request *const *) one;
	const struct rspb_request *b = *(struct rspb_request *const *) two;

	if (a->arrival != b->arrival)
		return a->arrival < b->arrival ? -1 : 1;
	/* Ids rise in the order of the input, which makes this stable. */
	return a->id < b->id ? -1 : a->id > b->id;
}

void sim_workload_sort(struct sim_workload *workload)
{
	qsort(workload->requests, workload->n, sizeof(*workload->requests),
	      by_arrival);
}

struct rspb_request *sim_workload_job(uint64_t id, int64_t arrival,
				      int64_t ready, int64_t duration,
				      int64_t deadline, uint32_t nodes)
{
	struct rspb_request *request = rspb_request_create(1);

	if (!request)
		return NULL;
	request->id = id;
	request->arrival = arrival;
	request->ready = ready;
	request->duration = duration;
	request->deadline = deadline;
	request->parts[0].nodes = request->parts[0].nodes_min = nodes;
	return request;
}
