/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When: which of the feasible starts. One function and one row each; the row
 * feeds parsing, --help, the man page check, the property tests, the simulator.
 */
#ifndef RSPB_POLICY_WHEN_H
#define RSPB_POLICY_WHEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/calendar/profile.h"

struct rspb_when {
	const char *name;   /* e.g. "pe-worst" */
	const char *alias;  /* the paper's, e.g. "PE_W", or NULL */
	const char *help;   /* one line */
	const char *source; /* document, figure, equation */
	struct rspb_preference prefers;
	/* The earliest start while less than half of the nodes is ever booked
	 * from the ready time to the deadline: there is nothing to spare. */
	bool calm_first;
};

/* The table, ended by a row with name NULL. */
extern const struct rspb_when rspb_whens[];
/* RET the row of that name or alias (case ignored), or NULL. */
const struct rspb_when *rspb_when_find(const char *name);

#endif
