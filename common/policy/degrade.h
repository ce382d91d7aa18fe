/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Degradation: how much is granted when it doesn't all fit. One function and
 * one row each. Units are nodes, or share per node.
 */
#ifndef RSPB_POLICY_DEGRADE_H
#define RSPB_POLICY_DEGRADE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether and when a grant grows after it was made. */
enum rspb_refine {
	RSPB_REFINE_NEVER,
	RSPB_REFINE_BATCH, /* grown, or moved, once the batch is in */
	RSPB_REFINE_LAZY   /* grown in place shortly before the start */
};

struct rspb_degrade {
	const char *name;   /* "benefit" */
	const char *alias;  /* or NULL */
	const char *help;   /* one line */
	const char *source; /* document, figure */
	/*
	 * RET what is granted when `room` units are free: between `least`
	 * (CPU_min) and `full` (CPU_max), 0 when that is not acceptable. Never
	 * more than room; not falling in room.
	 */
	int64_t (*take)(int64_t room, int64_t least, int64_t full);
	/* When a co-reservation fails because earlier parts took all that a
	 * later one needs: begin again with every part at its least, then let
	 * them grow. */
	bool share_out;
	enum rspb_refine refine;
	/* All that is asked is wanted, also where less has its full benefit. */
	bool as_asked;
};
extern const struct rspb_degrade rspb_degrades[]; /* ended by name NULL */
/* RET the row of that name or alias (case ignored), or NULL. */
const struct rspb_degrade *rspb_degrade_find(const char *name);

/* RET what the row grants when there is unlimited room, and the least that it ever grants. */
int64_t rspb_degrade_aim(const struct rspb_degrade *degrade, int64_t least, int64_t full);
int64_t rspb_degrade_floor(const struct rspb_degrade *degrade, int64_t least, int64_t full);

#endif
