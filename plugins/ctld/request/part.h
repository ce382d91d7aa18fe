/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills in a job (component) as a part of a request. */
#ifndef RSPB_CTLD_REQUEST_PART_H
#define RSPB_CTLD_REQUEST_PART_H

#include "common/base/err.h"
#include "common/request/request.h"
#include "common/wire/flags.h"

struct rspb_job;
struct rspb_submission_part;

/*
 * Fill part from a job, with the write lock held: how many nodes (from -N, or
 * from what -n and -c need on the smallest nodes that are eligible), which
 * ones, what share. RET 0, or -1 with a sentence for the user in err.
 */
int rspb_part_fill(const struct rspb_job *job, const struct rspb_terms *flags, uint32_t width,
		   struct rspb_part *part, struct rspb_err *err);

/* Read anew where a part counts against limits of QOS and associations; at
 * least the read lock. RET 0, or -1 with err. */
int rspb_part_count(const struct rspb_job *job, struct rspb_part *part, struct rspb_err *err);
/* Shares are of use only where several jobs may be on a CPU. RET 0, or -1 with
 * err: not in this partition. */
int rspb_part_beside(const struct rspb_submission_part *part, struct rspb_err *err);

#endif
