/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs within a reservation of cores that is a booking, not a job's. */
#ifndef RSPB_PLUGINS_SELECT_WITHIN_H
#define RSPB_PLUGINS_SELECT_WITHIN_H

#include "plugins/compat/select_call.h"

/* The job is to start in a booking: leave it the nodes of the call on which its booking
 * keeps as much memory, where that is scheduled, and as many generic resources as the job
 * takes beside those that are in it already. */
void rspb_within_restrict(const struct rspb_select_call *call);

#endif
