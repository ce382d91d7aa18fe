/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nodes by classes of like ones, and calendars of counts for them.
 *
 * Nodes are alike as long as no request tells them apart: classes are the atoms
 * of the sets of eligible nodes that were asked with (features, partitions,
 * sizes). A set that splits a class when there are RSPB_CLASSES of them already
 * does not: who asks with it does not count, and gets its nodes when it is
 * decided.
 *
 * Source: this project; contrib/sim/policy/flex.h.
 */
#ifndef RSPB_SIM_POLICY_CLASS_COUNTS_H
#define RSPB_SIM_POLICY_CLASS_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/nodeset.h"
#include "common/calendar/ladder.h"
#include "common/calendar/profile.h"

enum { RSPB_CLASSES = 32 };

struct rspb_classes {
	uint32_t n, width;
	struct rspb_nodeset *nodes[RSPB_CLASSES]; /* owned; no two meet */
	uint32_t size[RSPB_CLASSES];
	uint32_t wanted[RSPB_CLASSES]; /* by how many kinds of requests */
	uint32_t from[RSPB_CLASSES];   /* the one it was split from, or itself */
};

/* Make one class of all nodes. RET 0, -1: out of memory. */
int rspb_classes_init(struct rspb_classes *classes, uint32_t width);
void rspb_classes_fini(struct rspb_classes *classes);
/*
 * Which classes make up the eligible nodes of a request (NULL: all), a bit each
 * in *mask. They are split where they have to be if *split allows it, and it says
 * whether any was. RET 1; 0: they do not make it up, and can't; -1: out of memory.
 */
int rspb_classes_of(struct rspb_classes *classes, const struct rspb_nodeset *eligible,
		    uint32_t *mask, bool *split);

/* Counts of each class. */
struct rspb_heads {
	const struct rspb_classes *classes;
	struct rspb_ladder of[RSPB_CLASSES];
};

/* How many of each class one has. */
struct rspb_take {
	uint32_t of[RSPB_CLASSES];
};

/* The nodes and window that are looked for. */
struct rspb_heads_ask {
	uint32_t mask;	     /* the classes it may have nodes of */
	int64_t count, keep; /* nodes, and nodes that it has to leave free */
	int64_t ready, last; /* earliest and latest start */
	int64_t duration;
	/* May it leave none free over this window? NULL: no. */
	bool (*calm)(const void *arg, int64_t start, int64_t end);
	const void *arg;
};

/* All is free from now on. RET 0, -1: out of memory, as in all of these. */
int rspb_heads_begin(struct rspb_heads *heads, const struct rspb_classes *classes, int64_t now);
int rspb_heads_copy(struct rspb_heads *to, const struct rspb_heads *from);
void rspb_heads_fini(struct rspb_heads *heads);
void rspb_heads_swap(struct rspb_heads *a, struct rspb_heads *b);
void rspb_heads_advance(struct rspb_heads *heads, int64_t now);
/*
 * Begin anew with what is free by a profile, for those who want a node for up to
 * `ahead` (>= 1) seconds: a node that is booked at any time of [t, t + ahead) is
 * no free node at t. RET 0, or -1 with err.
 */
int rspb_heads_read(struct rspb_heads *heads, const struct rspb_classes *classes,
		    const struct rspb_profile *profile, int64_t ahead, struct rspb_err *err);

/* RET whether there is a start; *start: the earliest, among the ready time and
 * the times at which more nodes of its classes are free than before. */
bool rspb_heads_find(const struct rspb_heads *heads, const struct rspb_heads_ask *ask,
		     int64_t *start);
/* Take that many nodes of these classes over [start, end), and add to *take which:
 * of the classes first that the fewest kinds of requests can use. RET 1; 0: there
 * are not as many, and some are taken; -1: out of memory. */
int rspb_heads_take(struct rspb_heads *heads, uint32_t mask, int64_t count, int64_t start,
		    int64_t end, struct rspb_take *take);
/* The same of given classes. */
int rspb_heads_add(struct rspb_heads *heads, const struct rspb_take *take, int64_t start,
		   int64_t end);

#endif
