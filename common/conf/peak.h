/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the machine is booked at one time. */
#ifndef RSPB_CONF_PEAK_H
#define RSPB_CONF_PEAK_H

#include "common/base/err.h"
#include "common/ledger/ledger.h"

/* Nodes that are booked at one time within the window of a booking, and what it takes of
 * them; where it takes parts, those of others count as such, too, by what is scarcest
 * there, each node at its fullest. RET 0, or -1 with err: out of memory. */
int rspb_peak_nodes(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		    double *most, double *own, struct rspb_err *err);

#endif
