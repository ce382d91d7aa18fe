/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How large a job is with its booking. With the write lock. */
#ifndef RSPB_CTLD_MIRROR_SIZE_H
#define RSPB_CTLD_MIRROR_SIZE_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/wire/flags.h"

/* The contract keeps what a job asked for that is to be fitted to fewer nodes, and may grow
 * again, also after a restart; or to so many tasks on each (fewer, 0: all of them). */
void rspb_mirror_size_keep(uint32_t id, uint32_t fewer, struct rspb_contract *contract);
/* The job, which waits, is as large as its contract and that say. RET 0 or -1 with err. */
int rspb_mirror_size_fit(uint32_t id, const struct rspb_contract *contract, uint32_t fewer,
			 struct rspb_err *err);

#endif
