/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of nodes that Slurm may choose for a job that does not name one. */
#ifndef RSPB_CTLD_REQUEST_NUMBERS_H
#define RSPB_CTLD_REQUEST_NUMBERS_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/request/request.h"
#include "common/wire/flags.h"

struct rspb_job;

enum { RSPB_NUMBERS_MOST = 24 };

/* RET how many numbers of nodes are worth a try, in the order in which Slurm prefers them:
 * of a range (-N2-4) without tasks the most first, else the fewest. Numbers that give each
 * node as much as a lower one are left out. 0: the job names its number. Write lock. */
uint32_t rspb_numbers_of(const struct rspb_job *job, uint32_t width,
			 uint32_t out[RSPB_NUMBERS_MOST]);
/* rspb_part_fill() (part.h); if that takes whole nodes, or fails, though parts of another
 * number of nodes can be had, of that number. Write lock. RET 0, or -1 with err. */
int rspb_numbers_begin(const struct rspb_job *job, const struct rspb_terms *flags, uint32_t width,
		       struct rspb_part *part, struct rspb_err *err);
/* Fill in a part as if the job asked for exactly so many nodes; what it had is destroyed.
 * Write lock. RET 0, or -1 with err: it cannot have so many. */
int rspb_numbers_fill(const struct rspb_job *job, const struct rspb_terms *flags, uint32_t nodes,
		      uint32_t width, struct rspb_part *part, struct rspb_err *err);

#endif
