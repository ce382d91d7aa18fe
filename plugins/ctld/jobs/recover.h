/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Booked jobs after a restart: their bookings from contracts and reservations.
 * Jobs that lost their reservation go back to the waiting room, reservations
 * that lost their job go. All of it of struct rspb_kind. */
#ifndef RSPB_CTLD_JOBS_RECOVER_H
#define RSPB_CTLD_JOBS_RECOVER_H

#include "plugins/ctld/book/kind.h"

void rspb_jobs_recover(struct rspb_recovery *to);
void rspb_jobs_repair(struct rspb_recovery *from);

#endif
