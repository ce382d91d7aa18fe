/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes back what owners give back. For the agent. */
#ifndef RSPB_CTLD_OWNERS_RELEASE_H
#define RSPB_CTLD_OWNERS_RELEASE_H

#include <stdint.h>

#include "common/conf/config.h"
#include "plugins/ctld/owners/work.h"

/* Take back what is left of a booking; its job, where it waits, goes on as an ordinary one. Takes
 * locks. */
void rspb_release_booking(struct rspb_work *work, const struct rspb_config *config, int64_t now);

#endif
