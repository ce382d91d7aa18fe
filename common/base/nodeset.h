/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fixed-width bit sets of nodes. A set is made for `width` nodes, numbered
 * from 0; every operation on two sets wants equal widths (asserted: widths
 * never come from outside text). Only create, clone and slim allocate.
 *
 * A slim set has the words alone that hold nodes, which on a large machine are
 * few: it is for what is kept and only read. Every function that changes a set
 * wants another one (asserted); a clone of it is such.
 */
#ifndef RSPB_BASE_NODESET_H
#define RSPB_BASE_NODESET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct rspb_nodeset {
	uint32_t width;	     /* nodes the set can hold */
	uint32_t words;	     /* (width + 63) / 64 */
	atomic_uint holders; /* of more than one nobody may change it */
	uint32_t kept;	     /* words of a slim one; 0: it is none */
	uint64_t bits[];     /* unused bits of the last word are 0; behind those
			      * of a slim one stands which words they are */
};

/* RET an empty set for width nodes (NULL: out of memory); caller destroys. */
struct rspb_nodeset *rspb_nodeset_create(uint32_t width);
struct rspb_nodeset *rspb_nodeset_clone(const struct rspb_nodeset *set);
void rspb_nodeset_destroy(struct rspb_nodeset *set);
/* RET the same set, held once more: each holder destroys it. */
struct rspb_nodeset *rspb_nodeset_share(struct rspb_nodeset *set);
/* RET a set of the same nodes for reading alone: itself, held once more, if it is
 * slim; else a slim copy, or where that would not take less one as any other. NULL: out
 * of memory. */
struct rspb_nodeset *rspb_nodeset_slim(struct rspb_nodeset *set);

void rspb_nodeset_clear(struct rspb_nodeset *set);
void rspb_nodeset_fill(struct rspb_nodeset *set);
/* Turn the set into the nodes that were not in it. */
void rspb_nodeset_invert(struct rspb_nodeset *set);
void rspb_nodeset_copy(struct rspb_nodeset *to, const struct rspb_nodeset *from);

void rspb_nodeset_add(struct rspb_nodeset *set, uint32_t node);
void rspb_nodeset_remove(struct rspb_nodeset *set, uint32_t node);
bool rspb_nodeset_has(const struct rspb_nodeset *set, uint32_t node);

void rspb_nodeset_or(struct rspb_nodeset *to, const struct rspb_nodeset *with);
void rspb_nodeset_and(struct rspb_nodeset *to, const struct rspb_nodeset *with);
/* to = to without what is in `with`. */
void rspb_nodeset_minus(struct rspb_nodeset *to, const struct rspb_nodeset *with);

uint32_t rspb_nodeset_count(const struct rspb_nodeset *set);
bool rspb_nodeset_empty(const struct rspb_nodeset *set);
bool rspb_nodeset_equal(const struct rspb_nodeset *a, const struct rspb_nodeset *b);
bool rspb_nodeset_within(const struct rspb_nodeset *inner, const struct rspb_nodeset *outer);
bool rspb_nodeset_disjoint(const struct rspb_nodeset *a, const struct rspb_nodeset *b);

/* RET the lowest node >= from that is in the set, or set->width when none is. */
uint32_t rspb_nodeset_next(const struct rspb_nodeset *set, uint32_t from);
/* For every node `n` of a set, from the lowest on. */
#define RSPB_NODESET_EACH(n, set)                                                                  \
	for (uint32_t n = rspb_nodeset_next(set, 0); n < (set)->width;                             \
	     n = rspb_nodeset_next(set, n + 1))

/* Keep the lowest n nodes (all when there are fewer). */
void rspb_nodeset_keep_lowest(struct rspb_nodeset *set, uint32_t n);

/*
 * Ranges as text: "0-3,7", "" for the empty set.
 * parse: replaces the set; RET 0, or -1 with err and the set unchanged.
 * print: RET the length the whole text has, as snprintf does.
 */
int rspb_nodeset_parse(struct rspb_nodeset *set, const char *text, struct rspb_err *err);
size_t rspb_nodeset_print(const struct rspb_nodeset *set, char *buf, size_t size);

#endif
