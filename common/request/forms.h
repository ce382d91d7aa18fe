/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work that may be done on fewer nodes for longer, or on more for shorter: a moldable
 * request as a group of rigid ones, of which one is booked.
 *
 * Source: Varvarigos et al., figure 5 (capacity against duration); Li et al., section 7
 * (malleable jobs).
 */
#ifndef RSPB_REQUEST_FORMS_H
#define RSPB_REQUEST_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

enum { RSPB_FORMS_MOST = 32, RSPB_MOLDABLE_POINTS = 16, RSPB_MOLDABLE_WHOLE = 10000 };

struct rspb_form {
	uint32_t nodes;
	int64_t duration; /* seconds, > 0 */
	uint32_t tasks;	  /* on each of the nodes, of which it has their cores; 0: it has the
			 * nodes */
};

/* Which numbers of nodes a request may have, or how many tasks on each of `on` nodes. */
struct rspb_form_range {
	uint32_t least, most;
	uint32_t on;	 /* 0: nodes are counted, not tasks */
	int64_t unit;	 /* forms take a multiple of so many seconds, */
	int64_t longest; /* of so many at most; 0: any */
};

/* The work to be done, a value type: so many seconds on one node, or for one task where tasks are
 * counted, or a table by the user. seconds and n 0: nothing is said. */
struct rspb_moldable {
	int64_t seconds;
	int64_t serial; /* 1/10000 of it which more nodes do not shorten */
	uint32_t n;
	/* The forms by rising number of nodes, or of tasks where these are counted. */
	struct rspb_form table[RSPB_MOLDABLE_POINTS];
};

/* Whether anything is said. */
bool rspb_moldable_said(const struct rspb_moldable *work);
/*
 * RET how long it takes on so many nodes, in seconds, rounded up: by Amdahl's law
 * seconds x (serial + (1 - serial) / nodes), or as the table says; 0: it says nothing
 * of that number.
 */
int64_t rspb_moldable_duration(const struct rspb_moldable *work, uint32_t nodes);
/*
 * Its forms in that range, the most nodes or tasks first; of more numbers than
 * RSPB_FORMS_MOST some, evenly, with the first and the last. One on more that takes as long
 * as one on fewer is none. RET how many; 0 with err: there is none.
 */
uint32_t rspb_moldable_forms(const struct rspb_moldable *work, const struct rspb_form_range *range,
			     struct rspb_form out[RSPB_FORMS_MOST], struct rspb_err *err);

#endif
