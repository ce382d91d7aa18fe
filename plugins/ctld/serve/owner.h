/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles changes that owners make to their booked jobs by scontrol. They are decided like requests
 * of rspb modify, once Slurm has answered; the contract tells the result. */
#ifndef RSPB_CTLD_SERVE_OWNER_H
#define RSPB_CTLD_SERVE_OWNER_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/wire/flags.h"
#include "plugins/compat/submit/submission.h"

/* Call from any thread with any locks. job: the first of a heterogeneous one. from: the host of the
 * request, NULL: unknown. RET 0, or -1 with err: too many wait. */
int rspb_owner_ask(uint32_t job, uint32_t uid, const char *from, const struct rspb_terms *terms,
		   struct rspb_err *err);

#endif
