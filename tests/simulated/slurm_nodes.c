/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands in for plugins/compat: nodes, in one partition. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "tests/simulated/world.h"

enum { MOST_CPUS = 32 };

uint32_t rspb_node_width(void)
{
	return sim_width();
}

uint32_t rspb_node_count(void)
{
	return sim_width();
}

uint64_t rspb_node_fingerprint(void)
{
	return 1 + sim_world->absent;
}

bool rspb_node_look_again(struct rspb_node_look *look)
{
	if (look->taken && look->taken > sim_world->changed_nodes)
		return false;
	*look = (struct rspb_node_look){ .taken = sim_now(), .width = sim_width() };
	return true;
}

void rspb_node_add(enum rspb_node_state state, struct rspb_nodeset *out)
{
	uint32_t none = state == RSPB_NODES_UNUSABLE ? sim_width() : out->width;

	if (state == RSPB_NODES_UNUSABLE)
		sim_bits_add(sim_nodes_unusable(), out);
	else if (state == RSPB_NODES_SILENT)
		sim_bits_add(sim_nodes_silent(), out);
	else if (state == RSPB_NODES_ASLEEP)
		sim_bits_add(sim_world->asleep, out);
	for (uint32_t i = 0; state == RSPB_NODES_COMPLETING && i < sim_world->placed.n; i++)
		sim_bits_add(sim_job_find(sim_world->placed.id[i])->unclean, out);
	for (uint32_t n = none; n < out->width; n++)
		rspb_nodeset_add(out, n);
}

bool rspb_nodes_are(enum rspb_nodes_all what, const struct rspb_nodeset *set)
{
	uint64_t unfit = what == RSPB_NODES_EMPTY  ? sim_nodes_used()
			 : what == RSPB_NODES_IDLE ? sim_nodes_used() | sim_nodes_unusable()
						   : sim_nodes_unusable() | sim_nodes_silent();

	return !(sim_bits(set) & unfit);
}

uint32_t rspb_node_cpus(uint32_t node)
{
	struct rspb_node_kind is;

	rspb_node_kind_of(node, &is);
	return is.cores * is.threads;
}

/* Nodes of the upper half cost more, and of these each third one most. */
static uint32_t *rank_nodes(void)
{
	uint32_t *ranks = sim_run.settings.weights ? calloc(sim_run.nodes, sizeof(*ranks)) : NULL;

	for (uint32_t i = 0; ranks && i < sim_width(); i++) {
		uint32_t n = sim_node_at(i);

		ranks[i] = n < sim_run.nodes / 2 ? 0 : n % 3 ? 1 : 2;
	}
	return ranks;
}

/* Eight nodes on each switch. */
static uint32_t *leaves_of_nodes(void)
{
	uint32_t *leaves = sim_run.settings.switches ? calloc(sim_run.nodes, sizeof(*leaves))
						     : NULL;

	for (uint32_t i = 0; leaves && i < sim_width(); i++)
		leaves[i] = sim_node_at(i) / 8;
	return leaves;
}

struct rspb_node_order rspb_node_order(void)
{
	return (struct rspb_node_order){ rank_nodes(), leaves_of_nodes() };
}

char *rspb_node_names(const char *const *names, const struct rspb_nodeset *set)
{
	(void) names;
	return sim_names(sim_bits(set));
}

uint32_t rspb_node_find(const char *name)
{
	uint64_t node = sim_nodes_parse(name);

	node &= -node & sim_nodes_all();
	return node ? sim_number_of((uint32_t) __builtin_ctzll(node)) : sim_width();
}

bool rspb_node_runs_on(uint32_t node, const char *host)
{
	(void) node;
	(void) host;
	return true;
}

int rspb_node_parse(const char *names, struct rspb_nodeset *set, struct rspb_err *err)
{
	uint64_t nodes = sim_nodes_parse(names);

	if (nodes & sim_world->absent)
		return rspb_fail(err, "%s: one of these nodes does not exist", names);
	rspb_nodeset_clear(set);
	sim_bits_add(nodes, set);
	return 0;
}

void rspb_partition_each(rspb_partition_fn fn, void *arg)
{
	struct rspb_nodeset *all = rspb_nodeset_create(sim_width());

	if (!all)
		return;
	rspb_nodeset_fill(all);
	fn("main", true, NULL, all, arg);
	for (uint32_t i = 0; i < sim_width(); i++)
		if (sim_node_at(i) >= sim_run.nodes / 2)
			rspb_nodeset_remove(all, i);
	if (sim_run.settings.partitions)
		fn("small", false, NULL, all, arg);
	rspb_nodeset_destroy(all);
}

/* Shares are for the nodes to enforce, which do not exist. */
int rspb_node_send(const char *names, const char *socket, const char *data, int wait_s, int stop,
		   struct rspb_err *err)
{
	(void) names;
	(void) socket;
	(void) data;
	(void) wait_s;
	(void) stop;
	(void) err;
	return 0;
}

int rspb_node_sizes(const struct rspb_nodeset *set, struct rspb_node_sizes *out)
{
	out->n = 0;
	out->items = calloc(SIM_NODES, sizeof(*out->items));
	if (!out->items)
		return -1;
	for (uint32_t cpus = 1; cpus <= MOST_CPUS; cpus++) {
		uint32_t nodes = 0;

		RSPB_NODESET_EACH (n, set)
			nodes += rspb_node_cpus(n) == cpus;
		if (nodes) {
			out->items[out->n].cpus = cpus;
			out->items[out->n++].nodes = nodes;
		}
	}
	return 0;
}

void rspb_node_drop_smaller(struct rspb_nodeset *set, uint32_t cpus)
{
	for (uint32_t n = 0; n < sim_width(); n++)
		if (rspb_node_cpus(n) < cpus)
			rspb_nodeset_remove(set, n);
}
