/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All kinds of bookings, in the order in which they are asked, for the agent. */
#ifndef RSPB_CTLD_KINDS_H
#define RSPB_CTLD_KINDS_H

#include "plugins/ctld/book/kind.h"

/* With a NULL behind the last. */
extern const struct rspb_kind *const rspb_kinds[];
extern const struct rspb_source *const rspb_sources[];

/* See, if reservations have changed, what is asked for or was changed; takes locks. */
void rspb_kinds_look_at_resvs(const struct rspb_config *config, int64_t now);

#endif
