/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks of one application that wait for each other, all reserved at once by TARR: each
 * behind those that come before it, where it is over first (Varvarigos et al., figure
 * 1 and section 3). The order in which they are reserved is the policy: as they were
 * written, or the one with the longest way to the end first.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/sim/models/model.h"
#include "contrib/sim/papers/tarr.h"
#include "contrib/sim/policy/preset.h"
#include "contrib/sim/replay/random.h"

enum { SHAPE, TASKS, WIDTH, RESOURCES, LENGTH, VARY };

const struct sim_param sim_graph_params[] = {
	[SHAPE] = { "shape", 3, 0, 3, "0: chains, 1: fork-join, 2: tree, 3: layers" },
	[TASKS] = { "tasks", 100, 1, 1000, "tasks in a run" },
	[WIDTH] = { "width", 5, 1, 1000,
		    "number of chains, of tasks in a fork or layer, or of children" },
	[RESOURCES] = { "resources", 4, 1, 1000, "equal resources, each for one task at a time" },
	[LENGTH] = { "x", 1000, 1, 1e6, "mean execution time" },
	[VARY] = { "vary", 0.5, 0, 0.9, "times differ from the mean by up to this part of it" },
	{ .name = NULL }
};

enum { CPU = 100 };

struct task {
	int64_t x;    /* time that it takes */
	int64_t path; /* from its start to the end of all that waits for it */
	int64_t end;  /* once it is reserved */
};

struct graph {
	size_t n, width;
	struct task *tasks;    /* owned; none comes before one that it waits for */
	unsigned char *before; /* owned; [i * n + j]: i waits for j */
};

static void link_tasks(struct graph *graph, size_t i, size_t j)
{
	graph->before[i * graph->n + j] = 1;
}

static void link_chain(struct graph *graph, size_t i, struct sim_random *random)
{
	(void) random;
	if (i >= graph->width)
		link_tasks(graph, i, i - graph->width);
}

/* A source, then again and again so many tasks and one that waits for them. */
static void link_fork(struct graph *graph, size_t i, struct sim_random *random)
{
	size_t at = i ? (i - 1) % (graph->width + 1) : 0;
	size_t source = i ? i - 1 - at : 0;

	(void) random;
	if (i && at < graph->width)
		link_tasks(graph, i, source);
	for (size_t j = source + 1; i && at == graph->width && j < i; j++)
		link_tasks(graph, i, j);
}

static void link_tree(struct graph *graph, size_t i, struct sim_random *random)
{
	(void) random;
	if (i)
		link_tasks(graph, i, (i - 1) / graph->width);
}

/* Half of those of the layer before, one at least. */
static void link_layer(struct graph *graph, size_t i, struct sim_random *random)
{
	size_t width = graph->width, layer = i / width * width;

	if (!layer)
		return;
	for (size_t j = layer - width; j < layer; j++)
		if (sim_random_real(random) < 0.5)
			link_tasks(graph, i, j);
	link_tasks(graph, i, layer - 1 - (size_t) sim_random_whole(random, 0, (int64_t) width - 1));
}

static void (*const links[])(struct graph *, size_t, struct sim_random *) = { link_chain, link_fork,
									      link_tree,
									      link_layer };

static int make(struct graph *graph, const double *value, uint64_t seed, struct rspb_err *err)
{
	struct sim_random random;

	graph->n = (size_t) value[TASKS];
	graph->width = (size_t) value[WIDTH];
	graph->tasks = calloc(graph->n, sizeof(*graph->tasks));
	graph->before = calloc(graph->n, graph->n);
	if (!graph->tasks || !graph->before)
		return rspb_fail(err, "out of memory");
	sim_random_seed(&random, seed);
	for (size_t i = 0; i < graph->n; i++) {
		double part = sim_random_uniform(&random, -1, 1) * value[VARY];
		int64_t x = llrint(value[LENGTH] * (1 + part));

		graph->tasks[i].x = x > 0 ? x : 1;
		links[(int) value[SHAPE]](graph, i, &random);
	}
	for (size_t i = graph->n; i-- > 0;) {
		struct task *task = &graph->tasks[i];

		for (size_t k = i + 1; k < graph->n; k++)
			if (graph->before[k * graph->n + i] && graph->tasks[k].path > task->path)
				task->path = graph->tasks[k].path;
		task->path += task->x;
	}
	return 0;
}

/* RET the first task that may be reserved next, or the one of the longest path; n: there is none
 * any more. */
static size_t next_of(const struct graph *graph, bool longest)
{
	size_t n = graph->n, next = n;

	for (size_t i = 0; i < n && (longest || next == n); i++) {
		bool free = !graph->tasks[i].end;

		for (size_t j = 0; j < i && free; j++)
			free = !graph->before[i * n + j] || graph->tasks[j].end;
		if (free && (next == n || graph->tasks[i].path > graph->tasks[next].path))
			next = i;
	}
	return next;
}

static int reserve(struct graph *graph, struct rspb_pool *pool, struct rspb_tarr *tarr,
		   struct rspb_rational *delays, size_t i, struct rspb_err *err)
{
	struct rspb_rational zero = rspb_rational_make(pool, 0, 1);
	struct rspb_tarr_answer answer;
	struct rspb_tarr_task task = {
		.cpu = CPU,
		.min_cpu = CPU,
		.workload_known = true,
		.x = rspb_rational_make(pool, graph->tasks[i].x, 1),
		.sigma_workload = zero,
		.delays = delays,
		.sigma_delay = zero,
		.deadline = INT64_MAX,
	};

	for (size_t j = 0; j < i; j++)
		if (graph->before[i * graph->n + j] && graph->tasks[j].end > task.ready)
			task.ready = graph->tasks[j].end;
	if (rspb_tarr_reserve(tarr, &task, &answer, err))
		return -1;
	graph->tasks[i].end = answer.oet;
	return 0;
}

static int reserve_all(struct graph *graph, const double *value, bool longest, struct rspb_err *err)
{
	size_t m = (size_t) value[RESOURCES], i;
	struct rspb_pool *pool = rspb_pool_create();
	struct rspb_tarr_options options = { .negotiate = false };
	struct rspb_tarr *tarr = NULL;
	struct rspb_rational *delays = NULL;
	int64_t *capacities;
	int rc = pool ? 0 : rspb_fail(err, "out of memory");

	if (!rc) {
		options.k = rspb_rational_make(pool, 3, 1);
		capacities = rspb_pool_alloc(pool, m * sizeof(*capacities));
		delays = rspb_pool_alloc(pool, m * sizeof(*delays));
		for (i = 0; i < m; i++) {
			capacities[i] = CPU;
			delays[i] = rspb_rational_make(pool, 0, 1);
		}
		tarr = rspb_tarr_create(pool, capacities, m, &options);
		rc = tarr ? 0 : rspb_fail(err, "out of memory");
	}
	while (!rc && (i = next_of(graph, longest)) < graph->n)
		rc = reserve(graph, pool, tarr, delays, i, err);
	rspb_tarr_destroy(tarr);
	rspb_pool_destroy(pool);
	return rc;
}

int sim_graph_known(const char *preset, struct rspb_err *err)
{
	return sim_preset_pair(preset, "order of tasks", "written", "longest-path", err);
}

static void measure(const struct graph *graph, double resources, struct sim_metrics *metrics)
{
	int64_t path = 0, end = 0;
	double work = 0, least;

	for (size_t i = 0; i < graph->n; i++) {
		const struct task *task = &graph->tasks[i];

		work += (double) task->x;
		path = task->path > path ? task->path : path;
		end = task->end > end ? task->end : end;
	}
	least = work / resources;
	if (least < (double) path)
		least = (double) path;
	metrics->value[SIM_JOBS] = (double) graph->n;
	/* How much longer than no order could do better. */
	metrics->value[SIM_SLOWDOWN] = (double) end / least;
	metrics->value[SIM_EFFICIENCY] = work / (resources * (double) end);
}

int sim_graph_run(const struct sim_params *params, uint64_t seed, const char *preset,
		  const struct rspb_policy *policy, struct sim_metrics *metrics,
		  struct rspb_err *err)
{
	struct graph graph = { 0 };
	int rc = make(&graph, params->value, seed, err);

	(void) policy;
	if (!rc)
		rc = reserve_all(&graph, params->value, strcmp(preset, "written") != 0, err);
	if (!rc)
		measure(&graph, params->value[RESOURCES], metrics);
	free(graph.tasks);
	free(graph.before);
	return rc;
}
