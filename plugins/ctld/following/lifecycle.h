/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows bookings after they are made: windows that end, jobs that end early, are cancelled,
 * requeued or taken out of their reservation, and reservations that operators remove. */
#ifndef RSPB_CTLD_FOLLOWING_LIFECYCLE_H
#define RSPB_CTLD_FOLLOWING_LIFECYCLE_H

#include <stdint.h>

#include "common/conf/config.h"

/* Close windows that are over, by the site's Overrun rule. RET the next
 * second in which one ends, or has waited StartWithin for its start; INT64_MAX:
 * none. Cheap when nothing is due. */
int64_t rspb_lifecycle_ends(const struct rspb_config *config, int64_t now);
/* Compare all bookings with their jobs and reservations, and follow. */
void rspb_lifecycle_watch(const struct rspb_config *config, int64_t now);
/* Forget what was seen of jobs. */
void rspb_lifecycle_reset(void);

#endif
