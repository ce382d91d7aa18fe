/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gathers the nodes' reports of booked shares (common/wire/share_lines.h) per job and writes them
 * into its record: while it runs, when it has ended, and to accounting. */
#ifndef RSPB_CTLD_KINDS_USAGE_H
#define RSPB_CTLD_KINDS_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

/*
 * Take a report from a user who may send it, with at least the read lock. host is where its
 * credential was made (NULL: unknown), which must be the node's unless ReportHost=any. Jobs
 * without a share, or that do not run on the node, are left out and logged. RET 0, or -1
 * with err: it does not count. Does not wait.
 */
int rspb_usage_take(const char *text, const char *host, struct rspb_err *err);

/* Write what has come since the last time: the last words at once, those on
 * running jobs every few seconds. For the agent, without locks. */
void rspb_usage_flush(int64_t now_ms);
/* Forget all. */
void rspb_usage_reset(void);

#endif
