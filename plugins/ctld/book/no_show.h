/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Windows that were booked and not used by their owners' doing (NoShow): they
 * go on counting against the owner's limits until they would have ended, or the
 * owner can book nothing for a time. The durable journal keeps them.
 */
#ifndef RSPB_CTLD_BOOK_NO_SHOW_H
#define RSPB_CTLD_BOOK_NO_SHOW_H

#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/request/booking.h"
#include "plugins/ctld/record/durable.h"

/* Agent: a booking, as it was, has not been used. what: into a text for its
 * owner and the log, that begins with "; "; "" where it is forgotten. */
void rspb_no_show_note(const struct rspb_booking *booking, const struct rspb_config *config,
		       int64_t now, char *what, size_t size);
/* The kind in the durable journal. */
extern const struct rspb_durable_kind rspb_no_show_durable;
/* Any thread. RET 0; -1 with the sentence until when a user can book nothing.
 */
int rspb_no_show_check(uint32_t user, int64_t now, struct rspb_err *err);
/* Any thread. RET the user's windows that still count against the limits. */
struct rspb_holding rspb_no_show_held(uint32_t user, int64_t now);

#endif
