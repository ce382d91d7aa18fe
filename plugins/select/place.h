/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where ordinary work goes beside bookings: never on nodes that are booked
 * while it may run, and by preference where the idle gap fits it tightest.
 */
#ifndef RSPB_PLUGINS_SELECT_PLACE_H
#define RSPB_PLUGINS_SELECT_PLACE_H

#include "plugins/compat/select_call.h"

/*
 * Answer a question of Slurm's with the help of the stock plugin. `now` is the
 * current time. RET as Slurm's select_p_job_test().
 */
int rspb_place_job(const struct rspb_select_ops *stock, const struct rspb_select_call *call,
		   int64_t now);

/* Whether bookings leave the job the licenses that it wants, if it starts now. */
bool rspb_place_licensed(const struct rspb_select_call *call, int64_t now);

/*
 * Slurm is about to choose nodes for somebody's reservation: take those out of
 * `available` that are booked in its window, or in any of its windows up to
 * the site's horizon when it returns. Reservations of our own are left alone.
 */
void rspb_place_reservation(const struct rspb_select_resv *resv, struct rspb_nodeset *available,
			    int64_t now);

#endif
