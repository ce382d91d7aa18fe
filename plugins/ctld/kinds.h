/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All kinds of bookings, in the order in which they are asked, and what their rooms do as
 * time goes on, for the agent. */
#ifndef RSPB_CTLD_KINDS_H
#define RSPB_CTLD_KINDS_H

#include "plugins/ctld/book/kind.h"

/* With a NULL behind the last. */
extern const struct rspb_kind *const rspb_kinds[];
extern const struct rspb_source *const rspb_sources[];

/* Taking locks: where anything has changed, see what has ended; where reservations have changed,
 * see what is asked for or was changed; each second; each minute. */
void rspb_kinds_look_at_jobs(const struct rspb_config *config, int64_t now);
void rspb_kinds_look_at_resvs(const struct rspb_config *config, int64_t now);
void rspb_kinds_each_second(int64_t now_ms);
void rspb_kinds_each_minute(const struct rspb_config *config);

#endif
