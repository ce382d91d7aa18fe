/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kind of booking that is made for a job with a share of the CPUs of its
 * nodes: as any job's, but others may be beside it, and its nodes are told. */
#ifndef RSPB_CTLD_SHARES_SHARES_H
#define RSPB_CTLD_SHARES_SHARES_H

#include <stdint.h>

#include "common/conf/config.h"
#include "common/request/booking.h"
#include "plugins/ctld/book/kind.h"

extern const struct rspb_kind rspb_kind_shares;

/* With the write lock: a booking has other shares where it is; its nodes, if it
 * runs, and its contracts follow. ids: its n components. */
void rspb_shares_changed(const struct rspb_booking *booking,
			 const uint32_t *ids, uint32_t n,
			 const struct rspb_config *config);

#endif
