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
 * start its job beside what runs there; silent as long as that may pass. job: a regular
 * job that may stay on its nodes until that second, also of a booking that begins soon. */
enum { RSPB_FAILED_MOST = 16 };
struct rspb_failed {
	size_t n;
	struct rspb_failed_one {
		uint64_t id;
		bool silent, refused;
		uint32_t job;
		int64_t until;
	} items[RSPB_FAILED_MOST];
};

/* Start what is due, end jobs in its way that may be ended. What fails for its
 * nodes' sake comes into *failed now and then. Takes locks. */
void rspb_launch_start(int64_t now_ms, struct rspb_failed *failed);
/* End what is over of jobs on the nodes of what is due soon, and add to *failed what a
 * regular job will keep from its nodes. RET the next moment (milliseconds since the epoch) to
 * start something, INT64_MAX: none. Takes locks. */
int64_t rspb_launch_next(int64_t now_ms, struct rspb_failed *failed);
/* Forget what is remembered about attempts. */
void rspb_launch_reset(void);

#endif
