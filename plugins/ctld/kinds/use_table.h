/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps what the nodes of one job have said of its share, and makes the words of that for the job's
 * record. */
#ifndef RSPB_CTLD_KINDS_USE_TABLE_H
#define RSPB_CTLD_KINDS_USE_TABLE_H

#include "common/wire/share_lines.h"

/* The nodes of one job. Begins as all zeros; nodes is owned. */
struct rspb_use_table {
	size_t n, room;
	struct rspb_use_node *nodes; /* by name */
};
/* Take over what a node says. Runs of a node add up; what is older than what
 * is known is left out. RET 0, or -1: no memory. */
int rspb_use_add(struct rspb_use_table *table, const char *node, const struct rspb_use *use);
bool rspb_use_knows(const struct rspb_use_table *table, const char *node);
/* Whether all nodes have said their last word. */
bool rspb_use_ended(const struct rspb_use_table *table);
void rspb_use_table_fini(struct rspb_use_table *table);

/*
 * The words for the job's record, with `nodes` nodes in all (0: not known):
 *
 *	enforced=35% used=34.98%,34.97%@n2,34.99%@n1 cpu-time=50.4s
 *	by-node=n1:34.99%,n2:34.97%
 *
 * used: mean over the nodes, then least and most with their nodes. enforced and
 * ceiling: the least in any kernel, with its node when not all have the same.
 * throttled= (periods, time) where a ceiling was counted. by-node= up to
 * RSPB_USE_NAMED nodes; reported=N/M when not all have said a word. RET the
 * length, as snprintf does.
 */
size_t rspb_use_words(const struct rspb_use_table *table, uint32_t nodes, char *buf, size_t size);

#endif
