/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kind of booking that operators ask for with scontrol: a reservation
 * without nodes whose text field holds a tag (common/wire/flags.h) is a request.
 * It goes into the same batches as those of jobs, and becomes a booking: the
 * reservation itself gets nodes and window, its text becomes the contract. What
 * operators change of it afterwards is asked about in the same way.
 *
 * Such a booking has no job of its own. Its id in the ledger is made of the
 * reservation's number and is never a job's, also when cut to 32 bits.
 */
#ifndef RSPB_CTLD_KINDS_WATCH_H
#define RSPB_CTLD_KINDS_WATCH_H

#include "plugins/ctld/book/kind.h"

extern const struct rspb_kind rspb_kind_operator;
/* Requests of these, and of groups. */
extern const struct rspb_source rspb_source_operators;

/* When reservations have changed: see what is asked for, was changed or is gone. Takes
 * locks. */
void rspb_operator_watch(const struct rspb_config *config, int64_t now);
/* Find other nodes for one that has not begun. Takes locks. RET whether it has some. */
bool rspb_operator_move(uint64_t id, const struct rspb_config *config, int64_t now);
/* After a restart, with the write lock: a reservation becomes what was promised, or is
 * made or deleted again. RET whether the promise goes. */
struct rspb_promise;
bool rspb_operator_redo(const struct rspb_promise *promise, int64_t now);
/* With the read lock: as of struct rspb_recovery (kinds/recover.h). */
struct rspb_recovery;
void rspb_operator_recover(struct rspb_recovery *to);

#endif
