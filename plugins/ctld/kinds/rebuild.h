/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The booking of a job, from its contracts. */
#ifndef RSPB_CTLD_KINDS_REBUILD_H
#define RSPB_CTLD_KINDS_REBUILD_H

#include "common/conf/config.h"
#include "common/wire/flags.h"
#include "plugins/compat/job.h"

/* The purpose and context of a rebuilt booking. */
struct rspb_rebuilding {
	const struct rspb_config *config;
	uint32_t width; /* of the ledger */
	int64_t now;
};

/* Rebuild the booking of a leader with this contract, and of its components; call with at least the
 * read lock. RET NULL: none can be made. */
struct rspb_booking *rspb_job_rebuild(const struct rspb_rebuilding *to,
				      const struct rspb_job *leader,
				      const struct rspb_contract *contract);

#endif
