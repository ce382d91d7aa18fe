/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells owners of bookings without a job. Call with at least the read lock. */
#ifndef RSPB_CTLD_KINDS_ANSWER_H
#define RSPB_CTLD_KINDS_ANSWER_H

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

#endif
