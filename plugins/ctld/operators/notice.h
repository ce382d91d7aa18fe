/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells owners of bookings without a job. Call with at least the read lock. */
#ifndef RSPB_CTLD_OPERATORS_NOTICE_H
#define RSPB_CTLD_OPERATORS_NOTICE_H

#include <stdint.h>

#include "common/request/booking.h"
#include "common/wire/flags.h"

enum { RSPB_NOTICE_NAME = 256 };

/* A booking that is about to change, as it was. */
struct rspb_notice {
	char name[RSPB_NOTICE_NAME]; /* of its reservation, "": nobody is told */
	uint32_t number;
	struct rspb_contract before;
};

/* As the booking says (NULL: nobody is told), or its reservation. */
void rspb_notice_begin(struct rspb_notice *notice, const struct rspb_booking *booking);
void rspb_notice_of(struct rspb_notice *notice, const char *name);
/* Tell what it has become: that contract, or this booking (NULL: it is not known any more). */
void rspb_notice_tell(const struct rspb_notice *notice, const struct rspb_contract *now);
void rspb_notice_end(const struct rspb_notice *notice, const struct rspb_booking *booking);

#endif
