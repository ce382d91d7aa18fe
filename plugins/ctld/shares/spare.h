/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ordinary jobs that may stay where a booking starts. */
#ifndef RSPB_CTLD_SHARES_SPARE_H
#define RSPB_CTLD_SHARES_SPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/request/booking.h"

/* Whether a job that runs leaves alone what a booking of shares keeps: the cores
 * of its reservations. Wants at least the read lock. */
bool rspb_spare(const struct rspb_booking *booking, uint32_t id);

#endif
