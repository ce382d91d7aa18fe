/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Telling the nodes which share of their CPUs each job was granted, in the
 * text of common/wire/share_lines.h.
 */
#ifndef RSPB_CTLD_KINDS_MESSAGE_H
#define RSPB_CTLD_KINDS_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/request/booking.h"
#include "common/wire/share_lines.h"

/* Tell the nodes of an active booking, whose components have these ids, with
 * at least the read lock: does not wait for them. Without shares: nothing. */
void rspb_message_send(const struct rspb_booking *booking, const uint32_t *ids, uint32_t n,
		       const struct rspb_config *config);

/* Tell the nodes of all active bookings once more, so that one whose slurmd
 * was away knows, too. Takes the read lock. */
void rspb_message_renew(const struct rspb_config *config);

#endif
