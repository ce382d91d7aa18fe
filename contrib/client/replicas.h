/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several copies of a job on disjoint nodes: the components of one job. */
#ifndef RSPB_CLIENT_REPLICAS_H
#define RSPB_CLIENT_REPLICAS_H

#include <stdint.h>

#include "common/base/err.h"

/*
 * The words of a command (n, of which the first `head` are the command's own) with
 * the options repeated for each of `copies`, with ":" between. Options end with the
 * word "--", behind which the script stands, or with the last word where --wrap takes
 * its place, which the first copy alone has. RET the words, ended by NULL, which are
 * those of `words`; the caller frees the array. NULL with err: neither stands there,
 * or they are components already.
 */
char **rspb_replicas_of(char *const *words, int n, int head, int64_t copies, struct rspb_err *err);

#endif
