/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs whose booking has become another one follow it. */
#ifndef RSPB_CTLD_JOBS_REVISE_H
#define RSPB_CTLD_JOBS_REVISE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/request/booking.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/requests/ask.h"

/* Of struct rspb_kind. RET false: its jobs are not there as they should. */
bool rspb_revise_involve(struct rspb_ask *ask,
			 const struct rspb_request *request);
void rspb_revise_follow(const struct rspb_followed *followed);

/* With the write lock: the contracts of a booking that stays where it is, and
 * the text of its reservations, say what it is now. ids: its components. */
void rspb_revise_tell(const struct rspb_booking *booking, const uint32_t *ids,
		      uint32_t n);

#endif
