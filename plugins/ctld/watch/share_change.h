/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes of the share of a booking that stands, also of a running one, as its
 * owner asks for them:
 *
 *	rspb modify 123 --cpu-share=50%
 *	scontrol update JobId=123 Comment=cpu-share=50%
 *
 * The ledger decides; the job's record and its nodes follow. A change that does
 * not fit leaves everything as it is and its reason in the record.
 */
#ifndef RSPB_CTLD_WATCH_SHARE_CHANGE_H
#define RSPB_CTLD_WATCH_SHARE_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"

/* Any thread, any locks: remember that a job (component) is to have this share
 * (1/10000 of a node), as its owner wants or an operator, and wake the agent. RET 0, or
 * -1 with err: too many wait already. */
int rspb_share_change_ask(uint32_t job, int64_t share, bool by_owner, struct rspb_err *err);
/* The agent, without locks: the same of n jobs (1 at least) at once, all or none, for
 * who waits for an answer. RET n: they are changed, and on the disk; or less with err:
 * which of them cannot have it, and all is as it was. */
size_t rspb_share_change_make(const uint32_t *jobs, size_t n, int64_t share, bool by_owner,
			      const struct rspb_config *config, int64_t now, struct rspb_err *err);

#endif
