/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks nodes by what a job would waste on them that does not need it. Only the configuration is
 * read, not the use of nodes. */
#include "plugins/compat/node.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/hash.h"
#include "plugins/compat/slurm.h"

/* The order of the merits: the first counts most. */
enum { WEIGHT, GRES, MEMORY, CPUS, FEATURES, MERITS };

enum { MACHINE = 1 << 20 }; /* all that the machine has of one thing */

/* Neighbours in the node table that are of one line of slurm.conf. */
struct run {
	const config_record_t *config;
	uint32_t first, n;
	uint64_t by[MERITS];
};

/* A generic resource or feature. */
struct thing {
	uint64_t key, amount;
};

struct ranking {
	struct run *runs;
	size_t n_runs, room_runs;
	struct thing *things; /* of the whole machine, sorted */
	size_t n_things, room_things;
};

/* Read the next entry of a list, such as gpu:a100:4,nic or ib,fast. RET false: no entry is left. */
static bool next_thing(int merit, const char **list, struct thing *thing)
{
	const char *text = *list ? *list + strspn(*list, ",") : "";
	size_t length = strcspn(text, ",");
	const char *number = memrchr(text, ':', length);

	if (!length)
		return false;
	*list = text + length;
	/* Features, and resources without a number after the last colon, count once. */
	thing->amount = 1;
	if (number && isdigit((unsigned char) number[1])) {
		thing->amount = strtoull(number + 1, NULL, 10);
		length = (size_t) (number - text);
	}
	thing->key = rspb_hash(rspb_hash(RSPB_HASH_START, &merit, sizeof(merit)), text, length);
	return true;
}

static const char *list_of(const struct run *run, int merit)
{
	return merit == GRES ? run->config->gres : run->config->feature;
}

/* RET 0, -1: out of memory. */
static int add_things(struct ranking *ranking, const struct run *run, int merit)
{
	const char *list = list_of(run, merit);
	struct thing thing;

	while (next_thing(merit, &list, &thing)) {
		thing.amount *= run->n;
		if (rspb_array_grow(&ranking->things, &ranking->room_things, ranking->n_things + 1,
				    sizeof(thing)))
			return -1;
		ranking->things[ranking->n_things++] = thing;
	}
	return 0;
}

static int add_runs(struct ranking *ranking)
{
	const config_record_t *last = NULL;

	for (int n = 0; n < node_record_count; n++) {
		const node_record_t *node = node_record_table_ptr[n];
		const config_record_t *config = node && node->name ? node->config_ptr : NULL;

		/* Nodes of one line share a record, so that thousands of nodes make few runs. A gap
		 * in the table ends a run, whose nodes are numbered from its first. */
		if (config && config != last) {
			if (rspb_array_grow(&ranking->runs, &ranking->room_runs,
					    ranking->n_runs + 1, sizeof(*ranking->runs)))
				return -1;
			ranking->runs[ranking->n_runs++] = (struct run){ .config = config,
									 .first = (uint32_t) n };
		}
		if (config)
			ranking->runs[ranking->n_runs - 1].n++;
		last = config;
	}
	return 0;
}

/* Add up the amounts of each key: sorted, equal keys are neighbours. */
static void sum_up(struct ranking *ranking)
{
	size_t n = 0;

	if (ranking->n_things)
		qsort(ranking->things, ranking->n_things, sizeof(*ranking->things),
		      rspb_array_by_u64);
	for (size_t i = 0; i < ranking->n_things; i++)
		if (n && ranking->things[n - 1].key == ranking->things[i].key)
			ranking->things[n - 1].amount += ranking->things[i].amount;
		else
			ranking->things[n++] = ranking->things[i];
	ranking->n_things = n;
}

/* RET the part that each node of a run has of what the machine has, in 1/MACHINE, summed over the
 * entries. Rare ones count more. */
static uint64_t scarcity(const struct ranking *ranking, const struct run *run, int merit)
{
	const char *list = list_of(run, merit);
	struct thing thing;
	uint64_t sum = 0;

	while (next_thing(merit, &list, &thing)) {
		const struct thing *all = bsearch(&thing, ranking->things, ranking->n_things,
						  sizeof(thing), rspb_array_by_u64);

		if (all && all->amount)
			sum += MACHINE * thing.amount / all->amount;
	}
	return sum;
}

static int compare(const void *left, const void *right)
{
	const struct run *a = left, *b = right;

	for (int i = 0; i < MERITS; i++)
		if (a->by[i] != b->by[i])
			return a->by[i] < b->by[i] ? -1 : 1;
	return 0;
}

static void judge(const struct ranking *ranking, struct run *run)
{
	run->by[WEIGHT] = run->config->weight;
	run->by[GRES] = scarcity(ranking, run, GRES);
	run->by[MEMORY] = run->config->real_memory;
	run->by[CPUS] = run->config->cpus;
	run->by[FEATURES] = scarcity(ranking, run, FEATURES);
}

/* RET the ranks, NULL: out of memory. */
static uint32_t *rank(struct ranking *ranking)
{
	uint32_t *ranks, last = 0;

	if (add_runs(ranking))
		return NULL;
	for (size_t i = 0; i < ranking->n_runs; i++)
		if (add_things(ranking, &ranking->runs[i], GRES) ||
		    add_things(ranking, &ranking->runs[i], FEATURES))
			return NULL;
	sum_up(ranking);
	for (size_t i = 0; i < ranking->n_runs; i++)
		judge(ranking, &ranking->runs[i]);
	ranks = calloc((size_t) node_record_count + 1, sizeof(*ranks));
	if (ranks && ranking->n_runs)
		qsort(ranking->runs, ranking->n_runs, sizeof(*ranking->runs), compare);
	for (size_t i = 0; ranks && i < ranking->n_runs; i++) {
		const struct run *run = &ranking->runs[i];

		/* Runs that do not differ in anything share a rank, also if they are different
		 * lines of slurm.conf. */
		last += i && compare(run - 1, run);
		for (uint32_t n = 0; n < run->n; n++)
			ranks[run->first + n] = last;
	}
	return ranks;
}

static uint32_t *rank_nodes(void)
{
	struct ranking ranking = { 0 };
	uint32_t *ranks = rank(&ranking);

	free(ranking.runs);
	free(ranking.things);
	return ranks;
}

struct rspb_node_order rspb_node_order(void)
{
	return (struct rspb_node_order){ rank_nodes(), rspb_node_leaves() };
}
