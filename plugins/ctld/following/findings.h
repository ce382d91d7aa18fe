/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings whose jobs or reservations have become others than their book says. */
#ifndef RSPB_CTLD_FOLLOWING_FINDINGS_H
#define RSPB_CTLD_FOLLOWING_FINDINGS_H

#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "plugins/ctld/following/verdict.h"

struct rspb_finding {
	uint64_t id;
	enum rspb_verdict verdict; /* not KEEP */
};

/* Make the findings in short read sections; bookings that are made or end in between are found in
 * their turn, within a minute. The caller frees *found. RET how many. For the agent. */
size_t rspb_findings_make(const struct rspb_config *config, int64_t now,
			  struct rspb_finding **found);
/* Forget what was seen of jobs. */
void rspb_findings_reset(void);

#endif
