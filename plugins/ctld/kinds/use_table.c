/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps what the nodes of one job have reported and makes the words for its record. It knows
 * neither jobs nor locks: its caller guards the table (usage.c). */
#include "plugins/ctld/kinds/use_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/text.h"

struct rspb_use_node {
	char *name;	      /* owned */
	struct rspb_use now;  /* the latest run */
	struct rspb_use past; /* sum of the earlier ones */
};

static int by_name(const void *a, const void *b)
{
	const struct rspb_use_node *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* RET NULL: it has said nothing. */
static struct rspb_use_node *find_node(const struct rspb_use_table *table, const char *node)
{
	const struct rspb_use_node key = { .name = (char *) node };

	return rspb_array_find(&key, table->nodes, table->n, sizeof(key), by_name);
}

bool rspb_use_knows(const struct rspb_use_table *table, const char *node)
{
	return find_node(table, node);
}

static int insert(struct rspb_use_table *table, const char *node, const struct rspb_use *use)
{
	const struct rspb_use_node new = { .name = strdup(node), .now = *use };

	if (new.name &&
	    rspb_array_insert(&table->nodes, &table->room, &table->n,
			      rspb_array_place(&new, table->nodes, table->n, sizeof(new), by_name),
			      &new, sizeof(new)))
		return 0;
	free(new.name);
	return -1;
}

/* Add the figures of a run. If the CPU time of one run is unknown (-1), so is the sum. */
static void add_run(struct rspb_use *sum, const struct rspb_use *run)
{
	sum->used_ms = sum->used_ms < 0 || run->used_ms < 0 ? -1 : sum->used_ms + run->used_ms;
	sum->span_ms += run->span_ms;
	sum->periods += run->periods;
	sum->throttled += run->throttled;
	sum->stalled_ms += run->stalled_ms;
}

int rspb_use_add(struct rspb_use_table *table, const char *node, const struct rspb_use *use)
{
	struct rspb_use_node *known = find_node(table, node);

	if (!known)
		return insert(table, node, use);
	/* Reports may overtake each other: an earlier run, or less of the same run, is
	 * old. */
	if (use->run < known->now.run || (use->run == known->now.run && !use->ended &&
					  (known->now.ended || use->span_ms < known->now.span_ms)))
		return 0;
	/* The job was requeued, and the earlier run still counts for its CPU time. */
	if (use->run > known->now.run)
		add_run(&known->past, &known->now);
	known->now = *use;
	return 0;
}

bool rspb_use_ended(const struct rspb_use_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		if (!table->nodes[i].now.ended)
			return false;
	return true;
}

void rspb_use_table_fini(struct rspb_use_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		free(table->nodes[i].name);
	free(table->nodes);
	*table = (struct rspb_use_table){ 0 };
}

/* The sums over all nodes. Indexes into the table. */
struct sum {
	struct rspb_use total;
	double capacity_ms; /* CPU time that the nodes had meanwhile */
	size_t least_share, least_ceiling, least_used, most_used, worst;
	bool same_share, same_ceiling;
};

static struct rspb_use node_total(const struct rspb_use_node *node)
{
	struct rspb_use total = node->now;

	add_run(&total, &node->past);
	return total;
}

/* RET the part of its node that the job used, in 1/10000; -1: it was not counted. Rounding
 * and clocks that differ can make it more than all, which is cut off. */
static int64_t part_used(const struct rspb_use_node *node)
{
	struct rspb_use total = node_total(node);
	int64_t ms = total.span_ms > 0 ? total.span_ms : 1, part;

	if (total.used_ms < 0)
		return -1;
	part = (int64_t) ((double) total.used_ms * RSPB_SHARE_NODE /
				  ((double) ms * (double) total.cpus) +
			  0.5);
	return part > RSPB_SHARE_NODE ? RSPB_SHARE_NODE : part;
}

/* Find the sums, and the nodes to be named for the least and the most; there is at least
 * one. */
static void sum_up(const struct rspb_use_table *table, struct sum *sum)
{
	const struct rspb_use_node *nodes = table->nodes;

	*sum = (struct sum){ .same_share = true, .same_ceiling = true };
	for (size_t i = 0; i < table->n; i++) {
		struct rspb_use one = node_total(&nodes[i]);

		add_run(&sum->total, &one);
		sum->capacity_ms += (double) one.span_ms * (double) one.cpus;
		sum->same_share &= one.share == nodes[0].now.share;
		sum->same_ceiling &= one.ceiling == nodes[0].now.ceiling;
		if (one.share < nodes[sum->least_share].now.share)
			sum->least_share = i;
		if (one.ceiling < nodes[sum->least_ceiling].now.ceiling)
			sum->least_ceiling = i;
		if (part_used(&nodes[i]) < part_used(&nodes[sum->least_used]))
			sum->least_used = i;
		if (part_used(&nodes[i]) > part_used(&nodes[sum->most_used]))
			sum->most_used = i;
		if (one.throttled > node_total(&nodes[sum->worst]).throttled)
			sum->worst = i;
	}
}

/* "0%" as well, which a granted share never is. */
static void add_part(struct rspb_text *out, int64_t part)
{
	if (part > 0)
		rspb_text_add_percent(out, part);
	else
		rspb_text_add(out, part ? "?" : "0%%");
}

static void add_enforced(struct rspb_text *out, const struct rspb_use_table *table,
			 const struct sum *sum)
{
	const struct rspb_use_node *nodes = table->nodes;

	rspb_text_add(out, "enforced=");
	add_part(out, nodes[sum->least_share].now.share);
	if (!sum->same_share)
		rspb_text_add(out, "@%s", nodes[sum->least_share].name);
	if (sum->same_ceiling && !nodes[0].now.ceiling)
		return;
	rspb_text_add(out, " ceiling=");
	add_part(out, nodes[sum->least_ceiling].now.ceiling);
	if (!sum->same_ceiling)
		rspb_text_add(out, "@%s", nodes[sum->least_ceiling].name);
}

static void add_used(struct rspb_text *out, const struct rspb_use_table *table,
		     const struct sum *sum)
{
	const struct rspb_use_node *least = &table->nodes[sum->least_used],
				   *most = &table->nodes[sum->most_used];
	int64_t mean = -1;

	if (sum->total.used_ms >= 0 && sum->capacity_ms > 0)
		mean = (int64_t) ((double) sum->total.used_ms * RSPB_SHARE_NODE / sum->capacity_ms +
				  0.5);
	rspb_text_add(out, " used=");
	add_part(out, mean > RSPB_SHARE_NODE ? RSPB_SHARE_NODE : mean);
	if (table->n > 1) {
		rspb_text_add(out, ",");
		add_part(out, part_used(least));
		rspb_text_add(out, "@%s,", least->name);
		add_part(out, part_used(most));
		rspb_text_add(out, "@%s", most->name);
	}
	if (sum->total.used_ms >= 0)
		rspb_text_add(out, " cpu-time=%" PRId64 ".%03" PRId64 "s",
			      sum->total.used_ms / 1000, sum->total.used_ms % 1000);
}

static void add_throttled(struct rspb_text *out, const struct rspb_use_table *table,
			  const struct sum *sum)
{
	if (sum->total.periods <= 0)
		return;
	rspb_text_add(out, " throttled=%" PRId64 "/%" PRId64 ",%" PRId64 ".%03" PRId64 "s",
		      sum->total.throttled, sum->total.periods, sum->total.stalled_ms / 1000,
		      sum->total.stalled_ms % 1000);
	if (table->n > 1 && sum->total.throttled)
		rspb_text_add(out, "@%s", table->nodes[sum->worst].name);
}

/* Only when all of them fit. */
static void add_nodes(struct rspb_text *out, const struct rspb_use_table *table)
{
	char text[RSPB_USE_WORDS / 4];
	struct rspb_text list = rspb_text_over(text, sizeof(text));

	if (table->n < 2 || table->n > RSPB_USE_NAMED)
		return;
	for (size_t i = 0; i < table->n; i++) {
		rspb_text_add(&list, "%s%s:", i ? "," : "", table->nodes[i].name);
		add_part(&list, part_used(&table->nodes[i]));
	}
	if (list.len < sizeof(text))
		rspb_text_add(out, " by-node=%s", text);
}

size_t rspb_use_words(const struct rspb_use_table *table, uint32_t nodes, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);
	struct sum sum;

	if (!table->n)
		return 0;
	sum_up(table, &sum);
	add_enforced(&out, table, &sum);
	add_used(&out, table, &sum);
	add_throttled(&out, table, &sum);
	if (table->n < nodes)
		rspb_text_add(&out, " reported=%zu/%" PRIu32, table->n, nodes);
	add_nodes(&out, table);
	return out.len;
}
