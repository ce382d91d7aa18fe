/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Letters that a time brings, and not a change: a booking starts soon, or its start
 * moves no more. For the agent. */
#ifndef RSPB_CTLD_POST_REMINDERS_H
#define RSPB_CTLD_POST_REMINDERS_H

#include <stdint.h>

#include "common/conf/config.h"
#include "plugins/ctld/post/letters.h"

/* With no lock: those whose time has come since the last call. */
void rspb_reminders_run(const struct rspb_config *config, int64_t now);

#endif
