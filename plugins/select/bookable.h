/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookable=20%/4h: ordinary jobs that would still run in four hours are on no more
 * than 80 % of the nodes in service, by count, so that the rest can be had at that
 * notice. Which nodes they are on does not matter.
 */
#ifndef RSPB_PLUGINS_SELECT_BOOKABLE_H
#define RSPB_PLUGINS_SELECT_BOOKABLE_H

#include <stdint.h>

#include "plugins/compat/select_call.h"

/* Answer a question about a job without a booking: by ask(), as long as the job is not
 * one that has to leave those nodes. RET as ask(). Wants the locks that Slurm asks
 * with. */
int rspb_bookable_ask(const struct rspb_select_call *call, int64_t now,
		      int (*ask)(const struct rspb_select_call *call));
/* Slurm takes the nodes away from some job, with the locks that it has then. */
void rspb_bookable_ended(void);
void rspb_bookable_forget(void);

#endif
