/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starting bookings on their second. */
#ifndef RSPB_CTLD_START_LAUNCH_H
#define RSPB_CTLD_START_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bookings that could not start in their second, or later, for want of a node.
 * silent: it may answer again, so that its booking had better get another one
 * only if it loses nothing by that. refused: its nodes are well, and Slurm does not
 * start its job beside what runs there; silent as long as that may pass. */
enum { RSPB_FAILED_MOST = 16 };
struct rspb_failed {
	size_t n;
	struct {
		uint64_t id;
		bool silent, refused;
	} items[RSPB_FAILED_MOST];
};

/* Start what is due, end ordinary jobs that are in its way. What fails for its
 * nodes' sake comes into *failed now and then. Takes locks. */
void rspb_launch_start(int64_t now_ms, struct rspb_failed *failed);
/* End what is over of jobs on the nodes of what is due soon. RET the next
 * moment (milliseconds since the epoch) to start something, INT64_MAX: none.
 * Takes locks. */
int64_t rspb_launch_next(int64_t now_ms);
/* Forget what is remembered about attempts. */
void rspb_launch_reset(void);

#endif
