/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranks the nodes that will do by what the request would like: each by its distance from that,
 * the nearest first.
 *
 * Source: Wu and Luo, section 5.1, formula 8 (QoS deviation distance): what must hold
 * is Slurm's own --mem, --constraint and the like, these count in the distance alone.
 */
#ifndef RSPB_REQUEST_PREFER_H
#define RSPB_REQUEST_PREFER_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

enum {
	RSPB_PREFER_MOST = 8,
	RSPB_PREFER_NAME = 32,
	RSPB_PREFER_TEXT = 512,
	RSPB_PREFER_SCALE = 1000 /* the distance of a node that lacks all of one
				  * thing of weight 1 */
};

enum rspb_liked { RSPB_LIKED_MEM, RSPB_LIKED_CPUS, RSPB_LIKED_FEATURE };

struct rspb_liking_term {
	int64_t kind;			/* enum rspb_liked */
	int64_t wanted;			/* MiB, CPUs, 1 */
	int64_t weight;			/* of the squared difference, 1 to 1000 */
	char feature[RSPB_PREFER_NAME]; /* "": of another kind */
};

/* A value type; n 0: nothing is said. */
struct rspb_prefer {
	uint32_t n;
	struct rspb_liking_term terms[RSPB_PREFER_MOST];
};

/* Read "mem=64G,cpus=32,feature=x,weight=10"; weight= is that of what stands before it.
 * RET 0, or -1 with err and out unchanged. */
int rspb_prefer_parse(const char *text, struct rspb_prefer *out, struct rspb_err *err);
/* Add the features of Slurm's own --prefer: names with '&' between, or with '|' where
 * one of them will do. RET 0, or -1 with err and out unchanged. */
int rspb_prefer_features(const char *text, struct rspb_prefer *out, struct rspb_err *err);
/* Its text; RET the length, as snprintf does. */
size_t rspb_prefer_print(const struct rspb_prefer *prefer, char *buf, size_t size);
/*
 * RET how far a node is that offers so much of each: the root of the sum of the squared
 * differences, each in parts of what is wanted and by its weight, in 1/1000. What it
 * has too much of counts, too: smaller nodes are left to those who need less.
 */
uint32_t rspb_prefer_distance(const struct rspb_prefer *prefer, const int64_t *offered);

#endif
