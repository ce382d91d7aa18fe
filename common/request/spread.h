/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A load, tasks or devices, over nodes that have room for different amounts of it. */
#ifndef RSPB_REQUEST_SPREAD_H
#define RSPB_REQUEST_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

/* A node that may get some. */
struct rspb_spread_node {
	uint32_t node;
	uint32_t weight; /* the lightest are taken first */
	uint32_t fits;	 /* the most that it can get; 0: it is not taken */
	uint32_t gets;	 /* out */
	bool named;	 /* it has to be among them */
};

/*
 * Choose from least to most of places[n], as few as hold the load, and give each at least one of
 * it. Named nodes come first, then light ones, then large ones; where the most of these do not
 * hold it, large ones of the least weight that is enough. RET how many there are, with which
 * places[] begins then; 0: none will do.
 */
uint32_t rspb_spread(struct rspb_spread_node *places, uint32_t n, uint32_t load, uint32_t least,
		     uint32_t most);
/* The same on nodes without a gap between their numbers; places[] come by rising node. */
uint32_t rspb_spread_row(struct rspb_spread_node *places, uint32_t n, uint32_t load, uint32_t least,
			 uint32_t most);

#endif
