/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starting bookings on their second. */
#ifndef RSPB_CTLD_START_LAUNCH_H
#define RSPB_CTLD_START_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bookings that could not start at their scheduled time, or later, because of a node. silent: the
 * node may answer again, so another place is better only if the booking loses nothing by that.
 * refused: its nodes are well, but Slurm does not start its job beside what runs there; silent as
 * long as that may pass. job: a regular job that may stay on its nodes until that second, also of a
 * booking that begins soon. */
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

/* Start the bookings that are due, and end jobs in their way that may be ended. Some of those that
 * fail because of their nodes are put into *failed. Takes locks. */
void rspb_launch_start(int64_t now_ms, struct rspb_failed *failed);
/* End jobs that are over on the nodes of bookings that start soon. Bookings whose nodes a regular
 * job will keep are added to *failed. RET the next moment (milliseconds since the epoch) to start
 * something, INT64_MAX: none. Takes locks. */
int64_t rspb_launch_next(int64_t now_ms, struct rspb_failed *failed);

#endif
