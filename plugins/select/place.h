/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where ordinary work goes beside bookings: never on nodes that are booked
 * while it may run, and by preference where the idle gap fits it tightest.
 */
#ifndef RSPB_PLUGINS_SELECT_PLACE_H
#define RSPB_PLUGINS_SELECT_PLACE_H

#include <stdint.h>

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

/*
 * Bookable=20%/4h: ordinary jobs that would still run in four hours are on no more
 * than 80 % of the nodes in service, by count, so that the rest can be had at that
 * notice. Which nodes they are on does not matter.
 */

/* Answer a question about a job without a booking: by ask(), as long as the job is not
 * one that has to leave those nodes. RET as ask(). Wants the locks that Slurm asks
 * with. */
int rspb_bookable_ask(const struct rspb_select_call *call, int64_t now,
		      int (*ask)(const struct rspb_select_call *call));
/* Slurm takes the nodes away from some job, with the locks that it has then. */
void rspb_bookable_ended(void);
void rspb_bookable_forget(void);

#endif
