/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Booked jobs that operators update. What fits by the look of it is let
 * through (job_submit); here the booking follows. */
#ifndef RSPB_CTLD_FOLLOWING_UPDATE_H
#define RSPB_CTLD_FOLLOWING_UPDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/request/booking.h"

/* Any thread, with the write lock: a booked job is about to be updated. Once that is done
 * the agent looks again which nodes it may have, and whether Slurm would start it on its
 * own; if not, its owner is told. */
void rspb_update_note(uint32_t job);

/* Whether Slurm would start the jobs of a booking that wait on its very nodes;
 * wants the write lock. RET 0, or -1 with err; and *unfit, a node that has not what they
 * ask for (doubts.h). */
int rspb_update_judge(const struct rspb_booking *booking, uint32_t *unfit, struct rspb_err *err);
/* The nodes that a booking may have are others now: the ledger has them then; fit: of
 * those that it has, too, those alone that its jobs could be given anew. Wants the write
 * lock. */
void rspb_update_refresh(const struct rspb_booking *booking, bool fit, int64_t now);
/* Whether nodes have other features than when this was asked last; takes locks. */
bool rspb_update_features(int64_t now);

#endif
