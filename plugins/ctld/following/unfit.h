/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings with a node that has no longer what their jobs ask for: features, memory,
 * CPUs or generic resources. The agent's alone. */
#ifndef RSPB_CTLD_FOLLOWING_UNFIT_H
#define RSPB_CTLD_FOLLOWING_UNFIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/ledger/ledger.h"

/* No node. */
#define RSPB_UNFIT_NONE UINT32_MAX

/* A booking has such a node, or none any more. RET whether that is news. */
bool rspb_unfit_note(uint64_t id, uint32_t node);
/* RET a number that is another one whenever there are others. */
uint64_t rspb_unfit_mark(void);
/* RET n of them, in no order. */
const struct rspb_overfull *rspb_unfit_list(size_t *n);
void rspb_unfit_reset(void);

#endif
