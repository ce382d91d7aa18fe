/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes what a booking costs its account (ChargePercent, ChargeUnused), and writes it into the
 * contracts of its jobs, from which accounting gets it. */
#ifndef RSPB_CTLD_OBSERVE_CHARGE_H
#define RSPB_CTLD_OBSERVE_CHARGE_H

#include <stdint.h>

#include "common/conf/config.h"
#include "common/request/booking.h"

/* RET what a node-second of such a request is charged, in node-seconds; 0: bookings are
 * not. config: its own (request/limits.h). */
double rspb_charge_rate(const struct rspb_request *request, const struct rspb_config *config);
/* With the write lock: a booking, as it was, is over, and was used until then; 0: not at all.
 * The caller writes into its contracts, before the lock is released, that it is over: the
 * journal has both in one line or neither, whenever slurmctld is killed. */
void rspb_charge(const struct rspb_booking *booking, int64_t used_until);
/* The same for one of its parts. */
void rspb_charge_part(const struct rspb_booking *booking, uint32_t part, int64_t used_until);
/* Likewise: one that runs has fewer nodes from now on. Those it had are charged up to
 * then, the others when it is over. */
void rspb_charge_given_back(const struct rspb_booking *old, const struct rspb_booking *booking,
			    int64_t now);

#endif
