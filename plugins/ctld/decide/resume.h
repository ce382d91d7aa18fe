/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes that sleep to save power: nothing new begins on them before they can be
 * awake, and they are woken in time for what is booked. */
#ifndef RSPB_CTLD_DECIDE_RESUME_H
#define RSPB_CTLD_DECIDE_RESUME_H

#include <stdbool.h>
#include <stdint.h>

#include "common/ledger/ledger.h"

/* Block them in a ledger that is planned on until they can be awake; takes the
 * read lock. any: RET whether there are some; then they are blocked for so long that
 * another can take their place if they do not come up; NULL: nobody asks. RET 0, or
 * -1 with err. */
int rspb_resume_block(struct rspb_ledger *basis, int64_t now, bool *any, struct rspb_err *err);
/* Wake those of bookings that begin soon; every few seconds, takes locks. */
void rspb_resume_run(int64_t now);

#endif
