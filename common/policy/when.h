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

/*
 * How much a policy likes a candidate: higher key first, then higher tie, then
 * the earlier start. Integers only. The product of two 64-bit figures needs
 * 128 bits, hence the pair (hi, lo) compared as hi first.
 */
struct rspb_score {
	int64_t hi;
	uint64_t lo;
};

typedef struct rspb_score (*rspb_when_score_fn)(const struct rspb_rect *rect,
						const struct rspb_query *query);

/*
 * What a score looks at besides the query. A row that says so, and says it
 * truly, gets the quick search: it never asks about a start that only differs
 * from an earlier one in its time.
 */
enum rspb_reads {
	RSPB_READS_FREE = 1, /* rect->free */
	RSPB_READS_EDGES = 2 /* rect->left, rect->right */
};

/*
 * How a score follows a figure when all else stays: never falls, or never
 * rises, when the figure grows. Lets a search leave out what can't win.
 */
enum rspb_trend {
	RSPB_TREND_UNKNOWN,
	RSPB_TREND_MORE, /* more is never liked less */
	RSPB_TREND_LESS	 /* less is never liked less */
};

struct rspb_when {
	const char *name;	  /* e.g. "pe-worst" */
	const char *alias;	  /* the paper's, e.g. "PE_W", or NULL */
	const char *help;	  /* one line */
	const char *source;	  /* document, figure, equation */
	rspb_when_score_fn score; /* NULL: every candidate alike */
	bool fixed;		  /* only the ready time is looked at */
	unsigned int reads;	  /* enum rspb_reads; 0: takes the slow way */
	enum rspb_trend nodes;	  /* the score over rect->free */
	/* The score over rect->right - rect->left, a rectangle that never ends
	 * being the longest: the edges count for nothing else then. */
	enum rspb_trend length;
};

/* The table, ended by a row with name NULL. */
extern const struct rspb_when rspb_whens[];
/* RET the row of that name or alias (case ignored), or NULL. */
const struct rspb_when *rspb_when_find(const char *name);

#endif
