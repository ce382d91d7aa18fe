/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps what owners have been told, or are to be told, about obstacles to their bookings: one
 * notice a booking. */
#ifndef RSPB_CTLD_FOLLOWING_TROUBLE_H
#define RSPB_CTLD_FOLLOWING_TROUBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

enum { RSPB_TROUBLE_OFFERS = 256 };

struct rspb_trouble {
	uint64_t id;
	char text[RSPB_ERR_TEXT];	  /* "": nothing is in the way */
	char was[RSPB_ERR_TEXT];	  /* the same, when it is helped */
	char offers[RSPB_TROUBLE_OFFERS]; /* what it could have instead */
	bool serious;			  /* it had better go elsewhere */
	bool outage;			  /* of a node, which can be back before its start */
	bool untold;
	unsigned int tries; /* to find it another place */
	int64_t tried_ms;   /* the last of them */
	uint64_t freed;	    /* as of the book, then */
	int64_t spared_ms;  /* then nobody was to have less, until that; 0: not so */
};

/* RET NULL: there is none. */
struct rspb_trouble *rspb_trouble_find(uint64_t id);
/* A new one, of a booking that has none; NULL: out of memory. */
struct rspb_trouble *rspb_trouble_add(uint64_t id);
void rspb_trouble_forget(struct rspb_trouble *notice);
size_t rspb_trouble_count(void);
/* The i-th by id; good until one is added or forgotten. */
struct rspb_trouble *rspb_trouble_at(size_t i);
void rspb_trouble_reset(void);

#endif
