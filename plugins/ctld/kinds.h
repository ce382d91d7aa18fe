/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All kinds of bookings, in the order in which they are asked. */
#ifndef RSPB_CTLD_KINDS_H
#define RSPB_CTLD_KINDS_H

#include "plugins/ctld/book/kind.h"

/* With a NULL behind the last. */
extern const struct rspb_kind *const rspb_kinds[];

#endif
