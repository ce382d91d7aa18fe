/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making decisions real: reservation, job, contract, ledger. */
#ifndef RSPB_CTLD_JOBS_COMMIT_H
#define RSPB_CTLD_JOBS_COMMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/request/booking.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/jobs/intake.h"

/* "rspb_<job>", with the component behind it when there are several. */
enum { RSPB_RESV_NAME = 40 };
void rspb_commit_name(uint64_t id, uint32_t part, uint32_t n_parts, char *buf,
		      size_t size);
/* Delete a booking's reservations; wants the write lock. One that is still in
 * use stays, and is looked at again later. */
void rspb_commit_release(uint64_t id, uint32_t n_parts);

/* Whether what was free when it was planned has not been taken since. */
bool rspb_commit_still_free(const struct rspb_booking *booking,
			    const struct rspb_occupancy *since);
/* Make one part of a booking real, with the write lock held: reservation, tie,
 * size and contract of its job. RET 0, or -1 with err and no reservation left
 * of it. */
int rspb_commit_part(const struct rspb_ask *ask,
		     const struct rspb_booking *booking, uint32_t part,
		     const struct rspb_config *config, struct rspb_err *err);
/* Pending, with the write lock: the job asks again for what it did before it
 * was fitted to a grant, and its contract says no more that it was. */
void rspb_commit_unfit(uint32_t job, struct rspb_contract *contract);

/*
 * Commit the decisions[i] (NULL: refused before planning) on asks, planned at
 * `planned_at` on the node table `table`, in short write sections. Each is
 * looked at again under the lock; what no longer holds stays in the waiting
 * room for the next batch. RET how many were decided for good.
 */
size_t rspb_commit_batch(const struct rspb_asks *asks,
			 struct rspb_booking *const *decisions,
			 const struct rspb_config *config, uint64_t table,
			 int64_t planned_at);

#endif
