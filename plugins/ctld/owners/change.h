/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes bookings for their owners. The old booking stands until the new one does. For the
 * agent. */
#ifndef RSPB_CTLD_OWNERS_CHANGE_H
#define RSPB_CTLD_OWNERS_CHANGE_H

#include <stdint.h>

#include "common/conf/config.h"
#include "plugins/ctld/owners/work.h"

/* Other nodes, length, begin or deadline: of a booking at once, or not at all;
 * of a job that was declined, in the next batch; of several bookings, all or none.
 * Takes locks. */
void rspb_change_modify(struct rspb_work *work, const struct rspb_config *config, int64_t now);

#endif
