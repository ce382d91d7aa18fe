/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/packing.h"

#include <stdlib.h>

#include "common/base/array.h"

static const double hour = 3600;
enum { FORGET_EVERY = 64 };

/* A job that is on a node then, and what it takes there. */
struct stay {
	int64_t start, end;
	const struct sim_size *takes;
};

struct node {
	struct stay *stays; /* owned */
	size_t n, room;
};

struct paper {
	const struct sim_workload *workload;
	struct node *nodes;	/* owned */
	struct sim_need *needs; /* owned, of each job */
	int64_t *starts;	/* owned: of one job, that are tried */
	size_t n_starts, starts_room;
	uint32_t *chosen; /* owned */
};

static void add(const struct sim_sizes *sizes, const struct sim_size *takes, struct sim_size *sum)
{
	sum->cores += takes->cores;
	for (uint32_t k = 0; k < sizes->kinds; k++)
		sum->has[k] += takes->has[k];
}

static bool holds(const struct sim_sizes *sizes, uint32_t n, const struct sim_size *sum)
{
	const struct sim_size *size = &sizes->of[n];

	for (uint32_t k = 0; k < sizes->kinds; k++)
		if (sum->has[k] > size->has[k])
			return false;
	return sum->cores <= size->cores;
}

/* Is there room at that instant? */
static bool room_at(const struct paper *paper, uint32_t n, int64_t time,
		    const struct sim_size *takes)
{
	const struct sim_sizes *sizes = &paper->workload->sizes;
	const struct node *node = &paper->nodes[n];
	struct sim_size sum = *takes;

	for (size_t i = 0; i < node->n; i++)
		if (node->stays[i].start <= time && node->stays[i].end > time)
			add(sizes, node->stays[i].takes, &sum);
	return holds(sizes, n, &sum);
}

/* Is there room over a window? */
static bool room_for(const struct paper *paper, uint32_t n, int64_t start, int64_t end,
		     const struct sim_size *takes)
{
	const struct node *node = &paper->nodes[n];

	if (!room_at(paper, n, start, takes))
		return false;
	for (size_t i = 0; i < node->n; i++)
		if (node->stays[i].start > start && node->stays[i].start < end &&
		    !room_at(paper, n, node->stays[i].start, takes))
			return false;
	return true;
}

/* RET what a job takes of a node; NULL: the node does not have so much. */
static const struct sim_size *takes_of(const struct paper *paper, uint32_t n,
				       const struct sim_need *need)
{
	const struct sim_sizes *sizes = &paper->workload->sizes;

	if (!holds(sizes, n, &need->each))
		return NULL;
	return need->each.cores ? &need->each : &sizes->of[n];
}

static int put(struct paper *paper, uint32_t n, struct stay stay, struct rspb_err *err)
{
	struct node *node = &paper->nodes[n];

	if (rspb_array_grow(&node->stays, &node->room, node->n + 1, sizeof(*node->stays)))
		return rspb_fail(err, "out of memory");
	node->stays[node->n++] = stay;
	return 0;
}

/* RET 1: it is placed at that start, 0: there is no room, -1 with err. */
static int place(struct paper *paper, const struct sim_need *need, int64_t start, int64_t end,
		 struct rspb_err *err)
{
	uint32_t found = 0, n = 0;

	for (; n < paper->workload->sizes.nodes && found < need->nodes; n++) {
		const struct sim_size *takes = takes_of(paper, n, need);

		if (takes && room_for(paper, n, start, end, takes))
			paper->chosen[found++] = n;
	}
	if (found < need->nodes)
		return 0;
	for (uint32_t i = 0; i < found; i++)
		if (put(paper, paper->chosen[i],
			(struct stay){ start, end, takes_of(paper, paper->chosen[i], need) }, err))
			return -1;
	return 1;
}

static int note_start(struct paper *paper, int64_t start, struct rspb_err *err)
{
	if (rspb_array_grow(&paper->starts, &paper->starts_room, paper->n_starts + 1,
			    sizeof(*paper->starts)))
		return rspb_fail(err, "out of memory");
	paper->starts[paper->n_starts++] = start;
	return 0;
}

/* Forget what was over before that. */
static void forget(struct paper *paper, int64_t before)
{
	for (uint32_t n = 0; n < paper->workload->sizes.nodes; n++) {
		struct node *node = &paper->nodes[n];
		size_t left = 0;

		for (size_t i = 0; i < node->n; i++)
			if (node->stays[i].end > before)
				node->stays[left++] = node->stays[i];
		node->n = left;
	}
}

/* All starts behind the earliest one at which something ends. RET 0 or -1 with err. */
static int gather_starts(struct paper *paper, const struct sim_job *job, struct rspb_err *err)
{
	paper->n_starts = 0;
	for (uint32_t n = 0; n < paper->workload->sizes.nodes; n++) {
		const struct node *node = &paper->nodes[n];

		for (size_t i = 0; i < node->n; i++) {
			int64_t end = node->stays[i].end;

			if (end > sim_job_earliest(job) && end <= sim_job_latest(job) &&
			    note_start(paper, end, err))
				return -1;
		}
	}
	if (paper->n_starts)
		qsort(paper->starts, paper->n_starts, sizeof(*paper->starts), rspb_array_by_i64);
	return 0;
}

/* RET as place(). */
static int place_job(struct paper *paper, size_t i, struct rspb_err *err)
{
	const struct sim_job *job = &paper->workload->jobs[i];
	const struct sim_need *need = &paper->needs[i];
	int64_t start = sim_job_earliest(job);
	int rc;

	if (start > sim_job_latest(job))
		return 0;
	rc = place(paper, need, start, start + job->duration, err);
	if (rc || start == sim_job_latest(job))
		return rc;
	if (gather_starts(paper, job, err))
		return -1;
	for (size_t s = 0; !rc && s < paper->n_starts; s++)
		if (!s || paper->starts[s] != paper->starts[s - 1])
			rc = place(paper, need, paper->starts[s], paper->starts[s] + job->duration,
				   err);
	return rc;
}

int sim_packing_first_fit(const struct sim_workload *workload, double *hours, struct rspb_err *err)
{
	uint32_t nodes = workload->sizes.nodes;
	struct paper paper = { .workload = workload };
	int rc;

	paper.nodes = calloc((size_t) nodes + 1, sizeof(*paper.nodes));
	paper.chosen = calloc((size_t) nodes + 1, sizeof(*paper.chosen));
	paper.needs = calloc(workload->n + 1, sizeof(*paper.needs));
	rc = paper.nodes && paper.chosen && paper.needs ? 0 : rspb_fail(err, "out of memory");
	*hours = 0;
	for (size_t i = 0; rc >= 0 && i < workload->n; i++) {
		if (i % FORGET_EVERY == 0)
			forget(&paper, workload->jobs[i].arrival);
		paper.needs[i] = sim_workload_need(workload, i);
		rc = place_job(&paper, i, err);
		if (rc == 1)
			*hours += sim_workload_cores(workload, i) *
				  (double) workload->jobs[i].nodes *
				  (double) workload->jobs[i].duration / hour;
	}
	for (uint32_t n = 0; paper.nodes && n < nodes; n++)
		free(paper.nodes[n].stays);
	free(paper.nodes);
	free(paper.needs);
	free(paper.starts);
	free(paper.chosen);
	return rc < 0 ? -1 : 0;
}
