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

enum {
	RSPB_FORMS_MOST = 32,
	RSPB_MOLDABLE_POINTS = 16,
	RSPB_MOLDABLE_WHOLE = 10000
};

struct rspb_form {
	uint32_t nodes;
	int64_t duration; /* seconds, > 0 */
};

/* What is to be done, a value type: so many seconds on one node, or a table by the
 * user. seconds and n 0: nothing is said. */
struct rspb_moldable {
	int64_t seconds;
	int64_t serial; /* 1/10000 of it which more nodes do not shorten */
	uint32_t n;
	struct rspb_form table[RSPB_MOLDABLE_POINTS]; /* by rising nodes */
};

/* Whether anything is said. */
bool rspb_moldable_said(const struct rspb_moldable *work);
/*
 * RET how long it takes on so many nodes, in seconds, rounded up: by Amdahl's law
 * seconds x (serial + (1 - serial) / nodes), or as the table says; 0: it says nothing
 * of that number.
 */
int64_t rspb_moldable_duration(const struct rspb_moldable *work,
			       uint32_t nodes);
/*
 * Its forms on `least` to `most` nodes, the most nodes first, in multiples of `unit`
 * seconds of at most `longest`; of more numbers of nodes than RSPB_FORMS_MOST some,
 * evenly, with the first and the last. One on more nodes that takes as long as one on
 * fewer is none. RET how many; 0 with err: there is none.
 */
uint32_t rspb_moldable_forms(const struct rspb_moldable *work, uint32_t least,
			     uint32_t most, int64_t unit, int64_t longest,
			     struct rspb_form out[RSPB_FORMS_MOST],
			     struct rspb_err *err);

#endif
