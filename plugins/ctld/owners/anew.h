/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job that was declined asks again, for something else. For the agent. */
#ifndef RSPB_CTLD_OWNERS_ANEW_H
#define RSPB_CTLD_OWNERS_ANEW_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "plugins/ctld/owners/work.h"

/* With at least the read lock: whether it is about a job of the caller's whose
 * request was declined, or has not been decided yet. */
bool rspb_anew_is(const struct rspb_work *work);
/* Have it wait for the next batch, with what it asks for now. Takes locks. */
void rspb_anew_ask(struct rspb_work *work, const struct rspb_config *config, int64_t now);

#endif
