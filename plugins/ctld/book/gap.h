/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long nodes take between two jobs: behind the one until another can have
 * them (epilogs, health checks; CleanUp in rspb.conf(5)), and with the other
 * until its first command runs (prologs; Prepare). Windows leave both between
 * them.
 */
#ifndef RSPB_CTLD_BOOK_GAP_H
#define RSPB_CTLD_BOOK_GAP_H

#include <stdint.h>

#include "common/base/nodeset.h"
#include "plugins/ctld/record/durable.h"

enum rspb_gap { RSPB_GAP_CLEAN_UP, RSPB_GAP_PREPARE, RSPB_GAPS };

/* The agent: as the settings say, in seconds, RSPB_GAP_AUTO: as is learned. */
void rspb_gap_use(enum rspb_gap gap, int64_t seconds);
/* The agent: these nodes are busy with it now, all others are not. To be learned
 * from, at most once a second. */
void rspb_gap_see(enum rspb_gap gap, const struct rspb_nodeset *busy, int64_t now);
/* Any thread. RET seconds; learned: what three of four of the last nodes took that
 * took six seconds or more, 0 while fewer than three did within six hours. */
int64_t rspb_gap(enum rspb_gap gap);
/* Any thread. RET both together: what lies between two windows. */
int64_t rspb_gap_whole(void);
/* The kind in the durable journal: what was learned outlives slurmctld. */
extern const struct rspb_durable_kind rspb_gap_durable;
/* For the agent: forget which nodes are busy, because the nodes have other numbers. Learned
 * durations stay. */
void rspb_gap_reset(void);

#endif
